"""The end of a fight between sides: nobody of the others is left, so that no further turn is asked.

The GM may go on all the same (`/gm next-phase`): a hall that burns, a door to be opened.
"""

from __future__ import annotations

from typing import Any, ClassVar

from rules.core.encounter import Encounter
from rules.core.events import EncounterEvent, Over
from rules.core.registry import system_of
from rules.core.step import GM_ONLY, Step
from rules.core.typed.names import shown


class Unopposed(EncounterEvent[Encounter]):
    """The GM goes on although one side alone has somebody left, or (False) another has again."""

    kind: ClassVar[str] = "outcome.unopposed"
    on: bool

    def change(self, state: Encounter) -> Encounter:
        return state.evolve(unopposed=self.on)


def is_one_side_left(state: Encounter) -> bool:
    """Tell whether of several sides one alone has somebody left."""
    return len({each.side for each in state.combatants}) > 1 and len(_standing(state)) < 2


def _standing(state: Encounter) -> dict[str, None]:
    system = system_of(state)
    return dict.fromkeys(each.side for each in state.combatants if not system.is_out(state, each.name))


def judge_sides(step: Step[Any]) -> None:
    """Say that one side alone has somebody left, or, after a ruling or a latecomer, that two have again."""
    state = step.state
    if state.questions:
        return  # what has begun is answered first
    standing = _standing(state)
    if state.unopposed and len(standing) > 1:
        step.emit(Unopposed(on=False))
    if state.over is not None:
        if len(standing) > 1:
            step.emit(Over(outcome=None))
            step.tell("The fight goes on.")
    elif is_one_side_left(state) and not state.unopposed:
        fallen = shown(dict.fromkeys(each.side for each in state.combatants if each.side not in standing))
        step.emit(Over(outcome=f"Nobody of {fallen} is left."))
        step.tell("The fight is over: nobody of {sides} is left.", sides=fallen)
        words = "/encounter end closes it; whoever is healed or joins goes on with it, and so does /gm next-phase."
        step.tell(words, seen_by=GM_ONLY)


def play_on(step: Step[Any]) -> bool:
    """Go on although one side alone has somebody left (a ruling); tell whether that was what had ended it."""
    state = step.state
    if state.over is None or len(_standing(state)) != 1:
        return False
    step.emit(Unopposed(on=True), Over(outcome=None))
    step.tell("The GM goes on.")
    return True
