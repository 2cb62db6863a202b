"""Who has been called to act: a decision is told once, and again only after an act of one's own (play 2).

A table may wait for somebody, then for others, then for them once more: a claim comes round to those who are left, a
question that somebody's action asked is answered. Who was called before has the same to decide still.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from rules.core.encounter import Encounter
from rules.core.events import EncounterEvent
from rules.core.model import Name, Names
from rules.core.registry import system_of
from rules.core.step import Step
from rules.core.turns.absence import together


class CallsNoted(EncounterEvent[Encounter]):
    """Some are called to a decision, `over` have acted, or the table waits for none of theirs any more."""

    kind: ClassVar[str] = "calls"
    now: Mapping[Name, str] = {}
    over: Names = ()

    def change(self, state: Encounter) -> Encounter:
        left = {name: decision for name, decision in state.calls.items() if name not in self.over}
        return state.evolve(calls={**left, **self.now})


def decisions(state: Encounter | None) -> Mapping[str, str]:
    """Return whose turn the table waits for, and what tells it from their next one; nobody where others are asked."""
    if state is None or state.status != "running" or state.over is not None or state.held_up():
        return {}
    if any(each.stops for each in state.lurkers):
        return {}
    system = system_of(state)
    asked = {question.who for question in state.questions}
    return {who: system.decision(state, who) for who in system.turn(state) if who not in asked}


def is_called(state: Encounter | None, after: Encounter, who: str) -> bool:
    """Tell whether somebody whose turn it is now had been called to it before."""
    return state is not None and state.calls.get(who) == system_of(after).decision(after, who)


def note(step: Step[Any], before: Encounter | None, actor: str | None) -> None:
    """Note who is called now. Whoever acts is called anew when others have answered, or have had their turn.

    All of the same person are, once none of theirs is waited for: a GM's next wolf is another decision of theirs.
    """
    state: Encounter = step.state
    now = decisions(state)
    acted = [name for name in (actor or "").split(", ") if before is not None and not before.held_up(name)]
    over = dict.fromkeys(acted)
    for name in acted:
        theirs = together(state, name)
        over |= dict.fromkeys(theirs if not state.held_up() and not any(each in now for each in theirs) else ())
    gone = tuple(name for name in over if name in state.calls and name not in now)
    new = {name: decision for name, decision in now.items() if state.calls.get(name) != decision}
    if gone or new:
        step.emit(CallsNoted(now=new, over=gone))
