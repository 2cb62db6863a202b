"""Who is in range of whom: what every attack, ability and reaction with a range or a reach asks. Rule: G-06."""

from __future__ import annotations

from rules.core.board.fog import knows_place
from rules.core.encounter import Encounter
from rules.core.model import Names
from rules.core.reach.vision import sees, unseen
from rules.core.registry import system_of
from rules.core.space.cells import Cell, distance, parse_cell
from rules.core.typed.names import shown
from rules.errors import Illegal


def apart(state: Encounter, who: str, other: str, at: Cell | None = None) -> int | None:
    """Return the spaces between two combatants, of `who` as if it were `at`; None without a board, or off it."""
    one, its = state.combatant(who), state.combatant(other)
    if state.board is None or one.cell is None or its.cell is None:
        return None
    start = parse_cell(one.cell) if at is None else at
    return distance(system_of(state).metric, start, parse_cell(its.cell), one.size, its.size)


def within(
    state: Encounter, who: str, other: str, limit: int | None, at: Cell | None = None, *, sight: bool = True
) -> bool:
    """Tell whether another is within so many spaces (None: any number), and in sight if that is asked.

    It tells so as far as the bot can know. What is `[No Sight]` does not ask for `sight`.
    """
    if who != other and limit is not None and not knows_place(state, who, other):
        return False
    between = None if limit is None else apart(state, who, other, at)
    if between is not None and limit is not None and between > limit:
        return False
    return not sight or sees(state, who, other, at)


def among(state: Encounter, who: str, names: Names, limit: int | None, *, sight: bool = True) -> Names:
    """Return those of the names within so many spaces: all of them, if nothing can be measured."""
    if state.board is None:
        return names
    return tuple(name for name in names if within(state, who, name, limit, sight=sight))


def beyond(
    state: Encounter, who: str, target: str, limit: int | None, possible: Names, *, what: str, rule: str = "G-06"
) -> Illegal:
    """Return the refusal for a target that is not `within`: too far for `what`, or out of sight."""
    between = apart(state, who, target)
    if limit is None or between is None or between <= limit or not knows_place(state, who, target):
        return unseen(state, who, target, possible)
    return Illegal(
        f"{target} is {between} spaces away; {what}.", rule=rule, instead=f"In range: {shown(possible) or 'nobody'}."
    )
