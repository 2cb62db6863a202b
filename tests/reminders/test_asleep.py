"""Somebody who sleeps as it becomes theirs is pinged at their first waking minute, whatever plan there is (play 8)."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from bot.table.undo import Timeline
from bot.waiting.waits import ReminderPlan
from rules.core.command import Command
from rules.core.encounter import Absence
from tests.reminders.campaign import HOUR
from tests.reminders.silence import CHANNEL, SilentTable, gathering
from tests.reminders.stage import START

PLAN = ReminderPlan(after=8 * HOUR, every=12 * HOUR, times=2, then="gm")
NONE = ReminderPlan(times=0)
QUIET = "05:00-13:00"  # the tables begin at 06:00
WAKES = 7.0


class Night(SilentTable):
    """A table of classic from six in the morning on."""

    async def audible(self, who: str, hours: float) -> list[float]:
        """Let so much time go by; return after how many hours somebody was pinged audibly."""
        user, until = self.users[who], self.clock.now + hours * HOUR
        while self.clock.now < until:
            self.clock.now += HOUR / 4
            await self.program.scheduler.fire_due()
            await self.program.settle()
        return [(at - START) / HOUR for at, pinged, _ in self.discord.pings if pinged == user]


def _night(directory: Path, plan: ReminderPlan) -> AbstractAsyncContextManager[Night]:
    return Night(gathering("classic"), (), plan).open(directory / "night.sqlite3")


async def _sleeps(table: Night, who: str, quiet: str = QUIET) -> None:
    await table.program.tables.people.change(table.users[who], quiet=quiet)


async def _gives_turn(table: Night, who: str) -> None:
    await table.perform("Gwen", Command(action="gm turn", target=who))
    await table.program.settle()


@pytest.mark.parametrize(("plan", "nudged"), [(PLAN, [WAKES, 15.0, 35.0]), (NONE, [WAKES])])
async def test_the_first_ping_comes_as_they_wake_and_the_plan_counts_from_it(
    plan: ReminderPlan, nudged: list[float], tmp_path: Path
) -> None:
    async with _night(tmp_path, plan) as table:
        await _gives_turn(table, "Ogre")
        await _sleeps(table, "Ana")
        table.discord.pings.clear()
        await _gives_turn(table, "Ana")
        assert await table.audible("Ana", 60) == nudged


async def test_one_who_an_undo_calls_back_in_their_night_is_pinged_as_they_wake(tmp_path: Path) -> None:
    async with _night(tmp_path, PLAN) as table:
        await _gives_turn(table, "Ana")
        await _gives_turn(table, "Ogre")
        await _sleeps(table, "Ana")
        table.discord.pings.clear()
        await Timeline(table.program.tables).undo(table.caller("Gwen"), 1)
        await table.program.settle()
        assert (await table.audible("Ana", 10)) == [WAKES]


async def test_a_gm_who_is_asked_in_their_night_whether_to_go_on_without_somebody_is_called_as_they_wake(
    tmp_path: Path,
) -> None:
    async with _night(tmp_path, NONE) as table:
        await _gives_turn(table, "Ana")
        await _sleeps(table, "Gwen")
        state = await table.state()
        room = await table.program.tables.room_of(CHANNEL, "900")
        asks = {"Ana": Absence(round=state.round, rounds=2, asks=True)}
        room.table = room.table.evolve(encounter=state.evolve(absences=asks))
        table.discord.pings.clear()
        await table.perform("Gwen", Command(action="gm turn", target="Bo"))
        assert await table.audible("Gwen", 30) == [WAKES]


@pytest.mark.parametrize("plan", [PLAN, NONE])
async def test_somebody_who_comes_back_from_a_holiday_while_others_are_asked_for_them_is_called_then(
    plan: ReminderPlan, tmp_path: Path
) -> None:
    async with _night(tmp_path, plan) as table:
        await _gives_turn(table, "Ogre")
        back = START + 6 * HOUR
        await table.program.tables.people.change(table.users["Ana"], away_until=back, quiet=QUIET)
        table.discord.pings.clear()
        await _gives_turn(table, "Ana")
        assert await table.audible("Ana", 7.5) == [WAKES]


async def test_one_who_an_undo_makes_it_the_turn_of_while_they_are_away_is_called_as_they_come_back(
    tmp_path: Path,
) -> None:
    async with _night(tmp_path, PLAN) as table:
        await _gives_turn(table, "Ana")
        await _gives_turn(table, "Ogre")
        await table.program.tables.people.change(table.users["Ana"], away_until=START + 4 * HOUR)
        table.discord.pings.clear()
        await Timeline(table.program.tables).undo(table.caller("Gwen"), 1)
        await table.program.settle()
        pinged = await table.audible("Ana", 5)
    assert pinged == [4.0]
