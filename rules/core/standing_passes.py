"""What somebody has said before they are asked: how long they let pass what they are asked (play 5)."""

from __future__ import annotations

from rules.core.encounter import STANDING, THIS_FIGHT, THIS_ROUND, Encounter, StandingOrder
from rules.core.values import Question

UNLESS_ME = "unless-me"


def is_over(state: Encounter, order: StandingOrder, turn: str) -> bool:
    """Tell whether the time is over for which somebody lets pass what they are asked; `turn` tells the present one."""
    return order.when in STANDING and order.since != since(state, order.when, turn)


def since(state: Encounter, when: str, turn: str) -> str:
    """Return what tells the turn, the round or the fight from every other."""
    if when == THIS_FIGHT:
        return ""
    return str(state.round) if when == THIS_ROUND else turn


def is_in_force(state: Encounter, order: StandingOrder, question: Question, turn: str) -> bool:
    """Tell whether an answer in advance lets a question pass; what is aimed at oneself may be left out of it."""
    if order.when not in STANDING or is_over(state, order, turn):
        return False
    return lets_pass(order.command.note, question)


def lets_pass(note: str | None, question: Question) -> bool:
    """Tell whether an answer in advance is meant for a question: `unless-me` is for what is aimed at others."""
    return note != UNLESS_ME or (bool(question.aimed) and question.who not in question.aimed)
