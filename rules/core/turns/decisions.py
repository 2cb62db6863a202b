"""What the table waits for: a decision is something that somebody has to make now (play 8).

It becomes theirs with the step after which the table waits for it, and did not before; then they are called. It stops
being theirs while the table waits for others, and calls them anew when it comes back: after a question, a turn that was
taken or given elsewhere, an undo, a pause. Turns in any order are called once in their part of the round.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.core.encounter import Encounter
from rules.core.model import per_state
from rules.core.registry import system_of
from rules.core.step import Step
from rules.core.turns.absence import asked_about, sits_out

# What keys begin with
ANSWER, ROLL, ABSENCE = "q", "a", "g"  # ABSENCE: the GM is asked whether to go on without somebody
TURN = "t"  # your own
CLAIM = "c"  # the turn of the first who takes it


@dataclass(frozen=True, slots=True)
class Decision:
    """What somebody decides; `key` tells it from every other of the encounter. `who` "" are the GMs.

    `is_free`: it is a turn of theirs that they take when they like, beside others who have theirs. `is_made`: they have
    answered, and the table waits for them like the rest of those who are asked, so that nothing tells (design 4).
    """

    key: str
    who: str
    is_free: bool = False
    is_made: bool = False


@per_state
def decisions(state: Encounter) -> tuple[Decision, ...]:
    """Return all that the table waits for: answers, turns, what the GM is asked beside them, rolls."""
    if state.status != "running" or state.over is not None or state.fought_out:
        return ()
    decisions = [
        Decision(f"{ANSWER}{question.id}", question.who, is_made=question.answered)
        for question in state.questions
        if (question.window if question.answered else not sits_out(state, question.who))
    ]
    if not state.held_up():
        decisions.extend(_turns(state))
    decisions.extend(Decision(f"{ABSENCE}{state.absences[who].round}:{who}", "") for who in asked_about(state))
    for roll in state.asks:
        rolled = {result.who for result in roll.results}
        decisions.extend(Decision(f"{ROLL}{roll.id}:{who}", who) for who in roll.who if who not in rolled)
    return tuple(decisions)


def turns(state: Encounter | None) -> tuple[str, ...]:
    """Return whose turn the table waits for; nobody if others are asked first."""
    return () if state is None else tuple(decision.who for decision in decisions(state) if is_turn(decision.key))


def is_turn(key: str) -> bool:
    """Tell whether a decision is a turn, and no answer or roll."""
    return key[0] in (TURN, CLAIM)


def _turns(state: Encounter) -> tuple[Decision, ...]:
    turn = system_of(state).present(state)
    asked = {question.who for question in state.questions}
    stopped = tuple(hidden.name for hidden in state.hidden if hidden.stops)
    waiting = [who for who in stopped or turn.names if who not in asked]
    is_free = not stopped and turn.is_free
    is_claim = not stopped and turn.is_claimed and len({_person(state, who) for who in waiting}) > 1
    part = f"{CLAIM if is_claim else TURN}{_part(state)}"
    numbers = ((who, turn.number(who)) for who in waiting)
    # no name holds a semicolon
    return tuple(Decision(f"{part}{who}" + (f";{number}" if number else ""), who, is_free) for who, number in numbers)


def _part(state: Encounter) -> str:
    return f"{state.round}:{state.phase or ''}:"


def _person(state: Encounter, who: str) -> str | None:
    combatant = state.find(who)
    return None if combatant is None else combatant.owner


def begun(before: Encounter | None, after: Encounter, *, goes_back: bool = False) -> tuple[Decision, ...]:
    """Return the decisions that are somebody's after a step, and were not before: these call.

    `goes_back`: after an undo. A turn in any order that had been called, and was over, is theirs again.
    """
    earlier = before if before is not None and before.id == after.id and before.status == "running" else None
    held = set() if earlier is None else {decision.key for decision in decisions(earlier) if not decision.is_made}
    called = {} if earlier is None or goes_back else earlier.calls
    after_answers = earlier is not None and bool(earlier.held_up())  # the last of a place that several share, too
    return tuple(
        decision
        for decision in decisions(after)
        if not (
            decision.is_made
            or decision.key in held
            or ((decision.is_free or after_answers) and called.get(decision.who) == decision.key)
        )
    )


def note(step: Step[Any]) -> None:
    """Note who is called to a turn in any order, until the part of the round is over.

    Somebody who acts is called again when others have answered or had their turn: for everybody they play.
    """
    state: Encounter = step.state
    before, actor = step.earlier.active, step.actor
    now = {decision.who: decision.key for decision in decisions(state) if decision.is_free}
    kept: Mapping[str, str] = {}
    if before is not None and before.status == state.status == "running":
        acted = {_person(before, who) for who in actor.split(", ")} if actor else ()
        part = f"{TURN}{_part(state)}"
        kept = {
            who: key
            for who, key in state.calls.items()
            if key.startswith(part) and _person(before, who) == (person := _person(state, who)) and person not in acted
        }
    if {**kept, **now} != state.calls:
        step.change(calls={**kept, **now})
