"""Finding the combatants that a command names, as far as its seat may know of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rules.core import refusals
from rules.core.command import KEPT, Command
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.several import played_by, several
from rules.core.step import Step
from rules.core.typed.names import parse_name, require_apart, resolve_name
from rules.core.typed.skeleton import same
from rules.errors import Malformed

TABLE = "table"  # what is nobody's


def is_table(text: str | None) -> bool:
    """Tell whether a target is the table itself."""
    return same(text or "", TABLE)


def own_character(step: Step[Any], command: Command) -> str:
    """Return the character that a command is for: as named, or one's only one. Raises: Refusal."""
    state = step.state
    if command.character is not None:
        return target(step, command.character, "character")
    own: tuple[str, ...] = tuple(combatant.name for combatant in state.combatants if step.seat.owns(combatant))
    if len(own) == 1:
        return own[0]
    if not own:
        raise refusals.no_character("Name one with the option character.")
    raise refusals.several_meant(own)


def targets(step: Step[Any], text: str | None, what: str = "combatant") -> tuple[str, ...]:
    """Return the combatants that a list names, as far as this seat may know of them. Raises: Refusal."""
    if text is None:
        raise Malformed(f"Say which {what} with the option target.")
    visible = step.state.visible_names(step.seat)
    return named(step, several(step.state, text, visible, what))


def target(step: Step[Any], text: str | None, what: str = "combatant") -> str:
    """Return the one combatant that a text names. Raises: Refusal."""
    if text is None:
        raise Malformed(f"Say which {what}.")
    visible = step.state.visible_names(step.seat)
    return named(step, (played_by(step.state, text, visible) or resolve_name(text, visible, what),))[0]


def named(step: Step[Any], names: tuple[str, ...]) -> tuple[str, ...]:
    """Note what others may read of a command that names these; return them."""
    unknown = [name for name in names if step.state.hidden_named(name) is not None]
    if unknown:
        step.veiled = True
        step.secret = step.opaque = len(unknown) == len(names)  # it concerns nobody that others know
    return names


def require_new(command: Command, name: str, others: Iterable[str], option: str = "name") -> str:
    """Return a name that an option of a command gives; it is asked about once if only its script is new.

    Raises: LookAlike.
    """
    if KEPT not in command.args:
        require_apart(name, others, option)
    return name


def sides_here(state: Encounter) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*system_of(state).sides, *(combatant.side for combatant in state.combatants))))


def new_side(step: Step[Any], command: Command, option: str, text: str) -> str:
    """Return a side as its members spell it, or a new one. Raises: Malformed, LookAlike."""
    state: Encounter = step.state
    return require_new(command, state.known_side(parse_name(text, "side")), sides_here(state), option)
