"""After the last foe has fallen no round goes on by itself: no deadline, no nudge, no new round, in every system."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from data.rows import OPEN
from rules.core.command import Command
from tests.reminders.campaign import HOUR
from tests.reminders.silence import CHANNEL, FALLS, FOES, HURT, PLAYERS, SilentTable, gathering

SYSTEMS = ("classic", "tactics", "adventurers", "stones", "beacon", "soulweaver")


def silent_table(system: str, folder: Path) -> AbstractAsyncContextManager[SilentTable]:
    return SilentTable(gathering(system), PLAYERS).open(folder / "silence.sqlite3")


async def days_go_by(table: SilentTable) -> None:
    """Let four days go by, with all that falls due in them."""
    end = table.clock.now + 96 * HOUR
    while table.clock.now < end:
        due = [row.due for row in (await table.room()).waits if row.place == OPEN and row.due is not None]
        table.clock.now = min([end, *(max(each, table.clock.now + 1) for each in due)])
        await table.program.scheduler.fire_due()
        await table.program.settle()


async def nothing_goes_on(table: SilentTable) -> None:
    """Let days go by. Raises: AssertionError if a timer plays, posts or pings."""
    state = await table.state()
    await table.program.settle()
    table.discord.pings.clear()
    before, sent = (await table.room()).next_seq, len(table.discord.sent)
    await days_go_by(table)
    rows = await table.program.tables.store.log(CHANNEL, after=before - 1, limit=50)
    last = await table.state()
    assert (last.round, [row.command for row in rows]) == (state.round, [])
    assert (table.discord.pings, len(table.discord.sent)) == ([], sent)


def foes_of(system: str) -> tuple[str, ...]:
    return ("Cai", "Dee") if system == "stones" else FOES  # the players are two sides there


@pytest.mark.parametrize("system", SYSTEMS)
async def test_when_the_last_foe_has_fallen_no_timer_plays_rounds_on(system: str, tmp_path: Path) -> None:
    async with silent_table(system, tmp_path) as table:
        for foe in foes_of(system):
            action, given = FALLS.get(system, HURT)
            await table.perform("Gwen", Command(action=action, target=foe, args=given))
        await nothing_goes_on(table)
        for foe in foes_of(system):  # the fallen are taken away, as the GM is offered
            await table.perform("Gwen", Command(action="gm remove", target=foe))
        await nothing_goes_on(table)


@pytest.mark.parametrize("system", SYSTEMS)
async def test_when_the_last_foe_has_fled_no_timer_plays_rounds_on(system: str, tmp_path: Path) -> None:
    async with silent_table(system, tmp_path) as table:
        for foe in foes_of(system):
            await table.perform("Gwen", Command(action="gm remove", target=foe))
        await nothing_goes_on(table)
