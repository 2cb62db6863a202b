"""Absence costs a turn, never a seat: in every system, with the real reminders on a virtual clock (play 6)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from data.rows import OPEN
from rules.core.command import Command
from rules.core.encounter import Table
from rules.core.registry import system_of
from rules.core.values import Seat
from rules.core.views.view import hands_seen
from tests.reminders.campaign import HOUR
from tests.reminders.silence import CHANNEL, PLAYERS, SilentTable, gathering

ROUNDS = 2


def _owns(state: Any, who: str) -> object:
    """Return all that somebody could lose and never gains by waiting: pools, weapons and items, conditions, marks."""
    combatant = state.combatant(who)
    return combatant.pools, combatant.abilities, combatant.conditions, combatant.marks


def _places(state: Any) -> tuple[str, ...]:
    """Return the players' places in the order of a round, as the table tells it; in adventurers those of joining."""
    order = state.names if state.system == "adventurers" else system_of(state).turn_order(state)
    return tuple(name for name in order if name in PLAYERS)


def _cards(state: Any, who: str) -> int:
    """Return how many cards somebody holds: turns go on drawing, and nothing may be taken from them."""
    hand = hands_seen(Table(channel="1", encounter=state), Seat(gm=True)).get(state.combatant(who).owner)
    return 0 if hand is None else hand.count


def most_pings(system: str) -> int:
    """Return how often a round calls somebody to a turn: in stones to a claim, then to the one that is left to them."""
    return 2 if system == "stones" else 1


KEPT = {  # if a round neither rolls its order anew nor leaves it to who claims first
    "classic": ("", "by=side", "by=popcorn", "order=low"),
    "tactics": ("initiative=once",),
    "adventurers": ("", "checks=asked"),
    "beacon": ("", "first=npc"),
    "soulweaver": ("",),
    "stones": ("side_order=gm",),  # else a side sends those who are there before them
}


@pytest.mark.parametrize(("system", "options"), [(name, each) for name, found in KEPT.items() for each in found])
async def test_those_who_are_silent_are_back_in_the_very_place_that_they_had(
    system: str, options: str, tmp_path: Path
) -> None:
    async with SilentTable(gathering(system, options), PLAYERS).open(tmp_path / "silence.sqlite3") as table:
        found = await table.play(ROUNDS)
        states = [*found.states.values(), await table.state()]
    assert len(states) == ROUNDS + 1
    assert [_places(state) for state in states] == [_places(states[0])] * (ROUNDS + 1)
    assert len(_places(states[0])) == len(PLAYERS)


VARIANTS = {
    "classic": ("by=side", "by=popcorn", "rolled=each-round", "rolled=cards", "order=low"),
    "tactics": ("initiative=once", "threat=all"),
    "adventurers": ("checks=asked", "consent=on"),
    "beacon": ("first=npc", "surge=partial", "surge=restricted"),
    "soulweaver": ("reactions=all", "reactions=major", "completing=go-on"),
    "stones": ("side_order=gm", "eliminated=pass", "unequal=fill", "auto=off"),
}
EVERY = [(system, options) for system, found in VARIANTS.items() for options in ("", *found)]
variants = pytest.mark.parametrize(("system", "options"), EVERY)


@variants
async def test_in_every_variant_the_silent_one_costs_a_round_one_deadline_and_keeps_their_place(
    system: str, options: str, tmp_path: Path
) -> None:
    async with SilentTable(gathering(system, options), ("Cai",)).open(tmp_path / "silence.sqlite3") as table:
        found = await table.play(ROUNDS)
        found.states[ROUNDS + 1] = await table.state()
    first = found.states[1]
    for number, state in found.states.items():
        assert found.pings[(number, "Cai")] <= most_pings(system), number
        assert "Cai" in _places(state), number
        assert _cards(state, "Cai") >= _cards(first, "Cai"), number
        assert _owns(state, "Cai") == _owns(first, "Cai"), number
        assert options not in KEPT[system] or _places(state) == _places(first), number
    for number in range(1, ROUNDS + 1):
        assert found.deadlines[number] == 1, number
        assert found.pings[(number, "Cai")] >= 1, number


@variants
async def test_in_every_variant_four_silent_ones_cost_a_round_one_deadline_each_at_most(
    system: str, options: str, tmp_path: Path
) -> None:
    table = SilentTable(gathering(system, options), PLAYERS, fights=True)
    async with table.open(tmp_path / "silence.sqlite3"):
        found = await table.play(ROUNDS)
    for number, state in found.states.items():
        assert found.deadlines[number] <= len(PLAYERS), number
        assert all(found.pings[(number, name)] <= most_pings(system) for name in PLAYERS), (number, found.pings)
        assert set(_places(state)) == set(PLAYERS), number


async def test_if_all_act_when_they_like_only_those_called_are_nudged(tmp_path: Path) -> None:
    async with SilentTable(gathering("spotlight"), PLAYERS).open(tmp_path / "silence.sqlite3") as table:
        first = (await table.room()).waits
        assert [each for each in first if each.due is not None] == []
        await table.perform("Gwen", Command(action="gm set", target="table", args={"pool": "FEAR", "value": "1"}))
        await table.perform("Gwen", Command(action="call", character="Ogre"))
        waits = [each for each in (await table.room()).waits if each.place == OPEN]
    called = {each.who for each in waits if each.due is not None}
    assert called == {"Ogre", "Wolf"}, "one of the side that is called"


async def test_a_channel_that_failed_before_the_clock_was_set_back_waits_a_minute_at_most(tmp_path: Path) -> None:
    async with SilentTable(gathering("classic"), PLAYERS).open(tmp_path / "silence.sqlite3") as table:
        scheduler = table.program.scheduler
        scheduler._failed[CHANNEL] = table.clock.now + 100 * HOUR  # noted by the clock as it was
        due = min(row.due for row in (await table.room()).waits if row.place == OPEN and row.due is not None)
        table.clock.now = due + 1
        await scheduler.fire_due()
        await table.program.settle()
        waits = (await table.room()).waits
    assert all(row.due is None or row.due > due for row in waits)
