"""Several silent at once, for rounds on end: one deadline for all of them, one ping each, nothing lost (play 6).

Two in one stack of soulweaver, and beacon's DELAY with others in it; the real reminders on a virtual clock.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rules.core.command import Command
from rules.core.registry import system_of
from tests.reminders.silence import PLAYERS, SilentTable, gathering
from tests.reminders.stack import WINDOW, Stack

ROUNDS = (2, 3, 4)


def _owns(state: Any, who: str) -> object:
    combatant = state.combatant(who)
    return combatant.pools, combatant.abilities, combatant.conditions, combatant.marks


async def _round_of_an_attack(table: Stack, reacts: str | None) -> None:
    """Play a round in which Dee attacks once, and everybody who is there else does the mildest thing."""
    first = await table.soul()
    table.found.states[first.round] = first
    attacked = False
    while (state := await table.soul()).round == first.round:
        if not attacked and state.current == "Dee":
            attacked = True
            await table.attack(reacts)
        elif not await table._act(state):
            await table._wait(state)
    assert attacked


@pytest.mark.parametrize("reacts", [None, "Ana"])
async def test_two_silent_in_one_stack_cost_each_round_one_deadline_and_lose_nothing(
    reacts: str | None, tmp_path: Path
) -> None:
    async with Stack().open(tmp_path / "stack.sqlite3") as table:
        for _ in ROUNDS:
            await _round_of_an_attack(table, reacts)
        last = await table.soul()
    found = table.found
    assert [found.hours[number] for number in ROUNDS] == [WINDOW] * len(ROUNDS), "both at the same time"
    assert [found.deadlines[number] for number in ROUNDS] == [2] * len(ROUNDS), "one for each of them"
    for who in ("Bo", "Cai"):
        assert [found.pings[(number, who)] for number in ROUNDS] == [1] * len(ROUNDS)
        first = found.states[ROUNDS[0]]
        for state in (*found.states.values(), last):
            assert _owns(state, who) == _owns(first, who)
            order = system_of(state).turn_order(state)
            assert [name for name in order if name in PLAYERS] == ["Dee", "Ana", "Bo", "Cai"]


def _may_begin(state: Any, who: str) -> bool:
    return any(offer.action == "begin" for offer in system_of(state).offers(state, who))


class Delayers(SilentTable):
    """A beacon table at which those who are there begin their turns in DELAY, and end them."""

    async def play_round(self) -> list[str]:
        """Play a round; return whose turn began in DELAY, of those who are there."""
        first = await self.state()
        self.found.states[first.round] = first
        turns: list[str] = []
        while (state := await self.state()).round == first.round:
            facts: Any = state
            system = system_of(state)
            here = [who for who in system.waits_for(state) if self.player(state, who) not in self.silent]
            if facts.phase == "delay" and facts.turn is None and here:
                begin = next((who for who in here if _may_begin(state, who)), None)
                if begin is not None:
                    turns.append(begin)
                    await self.perform(self.player(state, begin), Command(action="begin", character=begin))
                    await self._note(state.round)
                    continue
            if not await self._act(state):
                await self._wait(state)
        return turns


@pytest.mark.parametrize("silent", [("Cai",), ("Bo", "Cai")], ids=["one", "two"])
async def test_if_beacons_delay_has_others_the_silent_cost_no_second_deadline(
    silent: tuple[str, ...], tmp_path: Path
) -> None:
    async with Delayers(gathering("beacon"), silent).open(tmp_path / "delay.sqlite3") as table:
        there = {name for name in PLAYERS if name not in silent}
        for number in (1, 2, 3):
            assert set(await table.play_round()) >= there, "the others have their turns in DELAY"
            assert table.found.deadlines[number] == len(silent)
            assert [table.found.pings[(number, who)] for who in silent] == [1] * len(silent)
        assert [table.found.hours[number] for number in (1, 2, 3)] == [44, 44, 20], "at the same time"
