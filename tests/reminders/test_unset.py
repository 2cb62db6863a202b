"""If nobody set reminders: one nudge after 24 waking hours, 24 later one word to the GM (design 8)."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from data.rows import OPEN
from rules.core.command import Command
from rules.core.registry import system_of
from tests.reminders.campaign import HOUR
from tests.reminders.silence import SilentTable, gathering
from tests.reminders.stage import START
from tests.wire import Wire, wired

SYSTEMS = ("adventurers", "beacon", "classic", "soulweaver", "stones", "tactics", "zipper")


def _table(system: str, folder: Path) -> AbstractAsyncContextManager[SilentTable]:
    """Open a table for which nobody set reminders."""
    return SilentTable(gathering(system), (), None).open(folder / "unset.sqlite3")


async def _pings(table: SilentTable, hours: int) -> list[tuple[float, str]]:
    until = table.clock.now + hours * HOUR
    while table.clock.now < until:
        table.clock.now += HOUR
        await table.program.scheduler.fire_due()
        await table.program.settle()
    names = {user: name for name, user in table.users.items()}
    return [((at - START) / HOUR, names[user]) for at, user, _ in table.discord.pings]


async def _give(table: SilentTable, who: str) -> None:
    await table.perform("Gwen", Command(action="gm turn", target=who))
    await table.program.settle()
    table.discord.pings.clear()


async def test_one_nudge_after_a_day_and_a_day_later_one_word_to_the_gm(tmp_path: Path) -> None:
    async with _table("classic", tmp_path) as table:
        await _give(table, "Ogre")
        await _give(table, "Ana")
        assert await _pings(table, 200) == [(24.0, "Ana"), (48.0, "Gwen")]
        state = await table.state()
        assert system_of(state).turn(state) == ("Ana",), "nothing passes by itself"


async def test_hours_in_which_they_sleep_do_not_count(tmp_path: Path) -> None:
    async with _table("classic", tmp_path) as table:
        await table.program.tables.people.change(table.users["Ana"], quiet="06:00-17:00")
        await _give(table, "Ogre")
        table.clock.now += 12 * HOUR
        await _give(table, "Ana")
        found = await _pings(table, 200)
        nudged = [at for at, who in found if who == "Ana"]
        assert nudged == [12 + 12 + 11 + 12], "of each day thirteen hours count"


async def test_a_table_whose_gm_ended_reminders_has_none(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        opening = await wire.type("Gwen", "/init start")
        assert any("/remind off" in each.content for each in opening if each.reader is None)
        await wire.type("Ana", "/init join result:9")
        assert await _due(wire) == []
        await wire.type("Gwen", "/init next")
        assert len(await _due(wire)) == 1
        await wire.type("Gwen", "/remind off")
        assert await _due(wire) == []
        await wire.type("Ana", "/init next")
        assert await _due(wire) == []
        await wire.type("Gwen", "/encounter end")
        assert not any("/remind off" in each.content for each in await wire.type("Gwen", "/init start"))


async def _due(wire: Wire) -> list[float]:
    room = await wire.tables.room_of("901", "900")
    return [row.due for row in room.waits if row.due is not None and row.place == OPEN]


@pytest.mark.parametrize("system", SYSTEMS)
async def test_in_every_system_the_one_who_is_waited_for_is_nudged_once(system: str, tmp_path: Path) -> None:
    async with _table(system, tmp_path) as table:
        await table.perform("Gwen", Command(action="gm note", target="Ana", args={"text": "is here"}))
        await table.program.settle()
        table.discord.pings.clear()
        nudged = {row.who for row in (await table.room()).waits if row.kind == "turn" and row.place == OPEN}
        assert nudged
        await _pings(table, 30)
        rows = [row for row in (await table.room()).waits if row.kind == "turn" and row.place == OPEN]
        assert {row.who for row in rows} == nudged
        assert {row.sent for row in rows} == {1}


async def test_a_players_digest_is_their_own_and_the_gms_is_the_channels(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await wire.type("Gwen", "/init start")
        (own,) = await wire.type("Ana", "/remind turns after:8h digest:18:00")
        assert own.reader is not None
        assert "18:00" in str(own.content)
        (channel,) = await wire.type("Gwen", "/remind turns after:8h digest:19:00")
        assert channel.reader is None
        assert "19:00" in str(channel.content)
        (mine,) = await wire.type("Ana", "/remind me")
        assert "18:00" in str(mine.content)
        assert "19:00" not in str(mine.content)
