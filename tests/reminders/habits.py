"""How people of a campaign play: when they are awake, how long they take, and what half of them say in advance."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from rules.core.command import Command
from rules.core.commands.ahead import passes
from rules.core.commands.standing_orders import offers_on_turn, on_turn
from rules.core.encounter import IF_ASKED, MY_TURN, THIS_ROUND, Encounter, Table
from rules.core.registry import system_of
from rules.core.values import Seat
from tests.rules.table import command_for

ZONES = (
    "Europe/Berlin",
    "Europe/London",
    "America/New_York",
    "America/Los_Angeles",
    "America/St_Johns",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Australia/Adelaide",
    "Pacific/Auckland",
)


ENDS = ("end", "next", "pass", "skip")


@dataclass(frozen=True)
class Habit:
    """How somebody plays: quiet times, how many hours they take, whether they ever answer."""

    name: str
    quiet: str
    hours: float | None


HABITS = (
    Habit("night", "23:00-07:00", 3),
    Habit("weekend", "22:30-08:00, sat, sun", 5),
    Habit("worker", "mon-fri 08:00-17:00, 23:30-06:30", 4),
    Habit("holiday", "00:00-08:00", 4),
    Habit("never", "22:00-09:00", None),
    Habit("always", "", 2),
)


def said_ahead(table: Table, who: str, seat: Seat, rng: random.Random) -> Iterator[Command]:
    """Say in advance what a planner says: a whole turn, an answer if asked, a pass for this round."""
    there = on_turn(table, who, seat)
    state = None if there is None else there.active
    offers = offers_on_turn(table, who, seat)
    usual = sorted((each for each in offers if each.action not in ENDS), key=lambda offer: offer.button_rank or 99)[:4]
    ends = [each for each in offers if each.action in ENDS]
    for offer in (*rng.sample(usual, min(1, len(usual))), *ends[:1]):
        yield _ahead(command_for(offer, rng, state), MY_TURN)
    state = table.active
    if state is None:
        return
    for action, when in (*_answers(state, rng), *((each.action, THIS_ROUND) for each in passes(state, who)[:1])):
        yield _ahead(Command(action=action, character=who), when)


def _answers(state: Encounter, rng: random.Random) -> tuple[tuple[str, str], ...]:
    answers = [each.id for each in system_of(state).actions.all if each.answer and each.do is not None]
    return ((rng.choice(answers), IF_ASKED),) if answers else ()


def _ahead(command: Command, when: str) -> Command:
    return command.evolve(args={**command.args, "when": when})
