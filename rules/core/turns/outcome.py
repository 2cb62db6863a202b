"""The end of a fight between sides: nobody of the others is left, so that no further turn is asked.

The GM may go on anyway (`/gm next-phase`): a hall that burns, a door to be opened.
"""

from __future__ import annotations

from typing import Any

from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.step import GM_ONLY, Step
from rules.core.typed.names import shown


def fallen_sides(step: Step[Any]) -> tuple[str, ...]:
    """Return the sides that have nobody left if one alone has, those included whose last is taken away just now."""
    state, earlier = step.state, step.earlier.encounter
    sides = dict.fromkeys(combatant.side for combatant in state.combatants)
    if earlier is not None and earlier.id == state.id and earlier.status == "running":
        here = {each.name for each in state.cast}  # somebody who changes sides has not gone
        sides |= dict.fromkeys(combatant.side for combatant in earlier.combatants if combatant.name not in here)
    standing = standing_sides(state)
    if len(sides) < 2 or len(standing) > 1:
        return ()
    return tuple(side for side in sides if side not in standing)


def has_opponents(state: Encounter) -> bool:
    """Tell whether several sides have somebody left."""
    return len(standing_sides(state)) > 1


def standing_sides(state: Encounter) -> dict[str, None]:
    """Return the sides that have somebody left."""
    system, standing = system_of(state), dict[str, None]()
    for combatant in state.combatants:
        if combatant.side not in standing and not system.is_out(state, combatant.name):
            standing[combatant.side] = None
    return standing


def judge_sides(step: Step[Any]) -> None:
    """Say that one side alone has somebody left, or, after a ruling or a latecomer, that two have again."""
    state = step.state
    if state.questions:
        return  # what has begun is answered first
    if state.unopposed and has_opponents(state):
        step.change(unopposed=False)
    if state.over is not None:
        if has_opponents(state):
            step.change(over=None)
            step.tell("The fight goes on.")
    elif not state.unopposed and (sides := fallen_sides(step)):
        fallen = shown(sides)
        step.change(over=f"Nobody of {fallen} is left.")
        step.tell("The fight is over: nobody of {sides} is left.", sides=fallen)
        words = "End it with /encounter end. To play on, heal somebody, let somebody join, or use /gm next-phase."
        step.tell(words, seen_by=GM_ONLY)


def play_on(step: Step[Any]) -> bool:
    """Go on although one side alone has somebody left (a ruling); tell whether that was what had ended it."""
    state = step.state
    if state.over is None or len(standing_sides(state)) != 1:
        return False
    step.change(unopposed=True, over=None)
    step.tell("The GM goes on.")
    return True
