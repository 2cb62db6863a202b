"""Where a movement may lead: a cell or a path on a board, an amount of spaces without one. Rule: G-06."""

from __future__ import annotations

from rules.core.encounter import Encounter
from rules.core.offer import Param
from rules.core.registry import system_of
from rules.core.space.cells import names_of
from rules.core.space.paths import reachable


def ends(state: Encounter, who: str, most: int) -> tuple[str, ...] | None:
    """Return the cells that a movement could end on, the nearest first; None without a board, or off it."""
    ground = system_of(state).ground(state, who)
    return None if ground is None else names_of(reachable(ground, most))


def where_to(state: Encounter, who: str, most: int, *, rule: str, required: bool = True) -> tuple[Param, ...]:
    """Return what a movement takes."""
    cells = ends(state, who, most)
    if cells is None:
        return (Param(name="amount", label="spaces", required=False, least=1, most=max(1, most), rule=rule),)
    return (Param(name="to", label="cell or path", choices=cells, free=True, required=required, rule=rule),)
