"""Absence costs a turn, never a seat: whose part in a round is over at one deadline (play 6).

Somebody who did not act in time takes no further part in that round: whatever the table would wait for until it
ends is done at once, by the mildest means (`System.rest_of_round`). In the next round they are back in their place.
"""

from __future__ import annotations

from typing import Any

from rules.core.command import Command
from rules.core.encounter import Absence, Encounter
from rules.core.registry import system_of
from rules.core.step import Step

ASKED_AFTER = 2  # rounds in a row; then the GM is asked, and a deadline is one nudge away


def _rounds(absence: Absence | None, number: int) -> int:
    if absence is None or absence.round < number - 1:
        return 1
    return absence.rounds + (absence.round != number)


def miss(step: Step[Any], who: str, number: int, *, unanswered: bool = False) -> None:
    """Let the rest of a round go on without somebody; `unanswered`: but for their turn."""
    state: Encounter = step.state
    absence = state.absences.get(who)
    is_away, rounds = absence is not None and absence.away, _rounds(absence, number)
    if absence is not None and absence.round == number:
        if unanswered or not absence.unanswered:
            return
        asks = absence.asks  # the same round, so that the GM has been asked about it
    else:
        is_players = (combatant := state.find(who)) is not None and combatant.owner is not None
        asks = is_players and rounds == ASKED_AFTER and not is_away
    missed = Absence(round=number, rounds=rounds, asks=asks, away=is_away, unanswered=unanswered)
    step.change(absences={**state.absences, who: missed})


def come_back(step: Step[Any], who: str) -> None:
    """Note that somebody is there again."""
    step.change(absences={name: held for name, held in step.state.absences.items() if name != who})


def together(state: Encounter, who: str) -> tuple[str, ...]:
    """Return all actors of the person who plays an actor, itself first."""
    system = system_of(state)
    owner = _owner(state, who)
    others = (name for name in system.actors(state) if name != who and _owner(state, name) == owner)
    return (who, *others)


def _owner(state: Encounter, who: str) -> str | None:
    combatant = state.find(who)
    return None if combatant is None else combatant.owner


def sits_out(state: Encounter, who: str) -> bool:
    """Tell whether what the table waits for somebody for is done without them."""
    return done_without(state, who) is not None


def done_without(state: Encounter, who: str) -> Command | None:
    """Return what is done for somebody who is absent if the table would wait for them; None if it waits."""
    question = state.question_to(who)
    if question is not None and question.window and not question.answered and state.answers_nothing(who):
        return system_of(state).timeout_action(state, who)
    return system_of(state).rest_of_round(state, who) if state.is_absent(who) else None


def asked_about(state: Encounter) -> tuple[str, ...]:
    """Return those the GM is asked to go on without."""
    return tuple(name for name, absence in state.absences.items() if absence.asks)


def badges(state: Encounter, who: str) -> tuple[str, ...]:
    """Return what is beside the name of somebody who is absent; nothing tells who has answered meanwhile."""
    if not state.is_absent(who) or any(question.window for question in state.questions):
        return ()
    return ("away",) if state.absences[who].away else ("not here this round",)
