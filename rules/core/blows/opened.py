"""Blows that are under way, as they are in the state, the innermost first."""

from __future__ import annotations

from typing import Any

from rules.core.blow import Blow, Save, Strike
from rules.core.blow_rules import BlowRules
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.step import Step
from rules.core.values import Question
from rules.errors import BrokenInvariant


def open_blow(state: Encounter) -> Blow | None:
    """Return the innermost blow that is under way."""
    return next((blow for blow in state.blows if blow.is_open), None)


def last_blow(state: Encounter) -> Blow | None:
    """Return the blow that a correction means: the innermost one that is open, else the last that was."""
    return next(iter(state.blows), None)


def asked_about(state: Encounter, question: Question) -> tuple[Blow, Strike]:
    """Return the blow and the strike that a question is about. Raises: BrokenInvariant."""
    for blow in state.blows:
        strike = blow.strike_at(str(question.data.get("target")))
        if blow.number == question.data.get("blow") and strike is not None:
            return blow, strike
    raise BrokenInvariant("a question about no blow")


def save_asked(state: Encounter, question: Question) -> Save:
    """Return the save that a question asks for. Raises: BrokenInvariant."""
    _, strike = asked_about(state, question)
    if not strike.left or not isinstance(strike.left[0], Save):
        raise BrokenInvariant("nobody saves now")
    return strike.left[0]


def rules_of(step: Step[Any]) -> BlowRules:
    """Return how the present system settles a blow. Raises: BrokenInvariant."""
    return rules_in(step.state)


def rules_in(state: Encounter) -> BlowRules:
    """Return how the present system settles a blow. Raises: BrokenInvariant."""
    rules = system_of(state).blows
    if rules is None:
        raise BrokenInvariant(f"{state.system} knows no blows")
    return rules


def keep(step: Step[Any], blow: Blow, *strikes: Strike) -> Blow:
    """Put a blow back with what has changed of its strikes."""
    changed = {strike.place: strike for strike in strikes}
    after = blow.evolve(strikes=tuple(changed.get(strike.place, strike) for strike in blow.strikes))
    step.change(blows=tuple(after if other.number == after.number else other for other in step.state.blows))
    return after


def as_it_is(step: Step[Any], blow: Blow) -> Blow:
    """Return a blow as it is now."""
    found: Blow = next(other for other in step.state.blows if other.number == blow.number)
    return found
