"""Finding the combatants that a command names, as far as its seat may know of them."""

from __future__ import annotations

from typing import Any

from rules.core.errors import Malformed
from rules.core.names import resolve_name, resolve_names
from rules.core.step import Step


def targets(step: Step[Any], text: str | None, what: str = "combatant") -> tuple[str, ...]:
    """Return the combatants that a list names, as far as this seat may know of them. Raises: Refusal."""
    if text is None:
        raise Malformed(f"Say which {what} (option target).")
    return named(step, resolve_names(text, step.state.visible_names(step.seat), what))


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
