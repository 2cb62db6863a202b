"""Finding the combatants that a command names, as far as its seat may know of them."""

from __future__ import annotations

import re
from typing import Any

from rules.core.command import Command
from rules.core.errors import Ambiguous, Illegal, Malformed
from rules.core.names import find_name, resolve_name, resolve_names, shown
from rules.core.step import Step


def own_character(step: Step[Any], command: Command) -> str:
    """Return the character that a command is for: as named, or one's only one. Raises: Refusal."""
    state = step.state
    if command.character is not None:
        return target(step, command.character, "character")
    own: tuple[str, ...] = tuple(each.name for each in state.combatants if step.seat.owns(each))
    if len(own) == 1:
        return own[0]
    if not own:
        raise Illegal("You have no character here.", rule="G-03", instead="Name one (option character).")
    raise Ambiguous("Several could be meant.", candidates=own, instead=f"Say which with character: {shown(own)}.")


def targets(step: Step[Any], text: str | None, what: str = "combatant") -> tuple[str, ...]:
    """Return the combatants that a list names, as far as this seat may know of them. Raises: Refusal."""
    if text is None:
        raise Malformed(f"Say which {what} (option target).")
    visible = step.state.visible_names(step.seat)
    return named(step, resolve_names(_with_sides(step, text, visible), visible, what))


_ALL = re.compile(r"(?:all|everybody|everyone)(?:\s+of)?(?:\s+side)?(?:\s+(?P<side>\S.*))?", re.IGNORECASE)


def _with_sides(step: Step[Any], text: str, visible: tuple[str, ...]) -> str:
    """Write the names in the place of `all` and `all of Foes`. Raises: Refusal where nobody has that side."""
    members: dict[str, list[str]] = {}
    for name in visible:
        members.setdefault(step.combatant(name).side, []).append(name)
    parts = []
    for part in (piece.strip() for piece in text.split(",")):
        found = _ALL.fullmatch(part)
        if found is None or find_name(part, visible) is not None:
            parts.append(part)
        elif found["side"] is None:
            parts.extend(visible)
        else:
            parts.extend(members[resolve_name(found["side"], tuple(filter(None, members)), "side")])
    return ", ".join(parts)


def target(step: Step[Any], text: str | None, what: str = "combatant") -> str:
    """Return the one combatant that a text names. Raises: Refusal."""
    if text is None:
        raise Malformed(f"Say which {what}.")
    return named(step, (resolve_name(text, step.state.visible_names(step.seat), what),))[0]


def named(step: Step[Any], names: tuple[str, ...]) -> tuple[str, ...]:
    """Note what others may read of a command that names these; return them."""
    unknown = [name for name in names if step.state.lurker(name) is not None]
    if unknown:
        step.veiled = True
        step.secret = step.opaque = len(unknown) == len(names)  # it concerns nobody whom others know
    return names
