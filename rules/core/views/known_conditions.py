"""Conditions that tables use, in every system: what is offered, and what the referee makes of each."""

from __future__ import annotations

from rules.core.system import SystemOfAny
from rules.core.typed.skeleton import skeleton
from rules.core.values import USUAL_CONDITIONS

OUT_OF_IT = ("Dead", "Fled", "Incapacitated", "Out")
SHOWN_ALONE = "the referee shows it and counts its rounds; no rule reads it"


def known_conditions(system: SystemOfAny, tables_own: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the names that are offered: the system's first, then the table's own."""
    offered: dict[str, str] = {}
    for name in (*system.conditions, *tables_own, *USUAL_CONDITIONS, *OUT_OF_IT):
        offered.setdefault(skeleton(name), name)
    return tuple(offered.values())


def meaning(system: SystemOfAny, name: str) -> str:
    """Return what a condition means to this system, in words that follow its name."""
    folded = skeleton(name)
    own = next((words for each, words in system.conditions.items() if skeleton(each) == folded), None)
    if own is not None:
        return own
    if any(skeleton(each) == folded for each in OUT_OF_IT):
        return "the order shows it as out of the fight"
    return SHOWN_ALONE
