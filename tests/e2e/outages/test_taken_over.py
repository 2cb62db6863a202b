"""A process that has lost a channel to another one says so in a line: it is expected, and nobody mends anything."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from unittest.mock import AsyncMock, Mock

import pytest

from bot.discord.client import RefereeClient
from bot.discord.shared_service import SharedService
from data.connection import Fenced
from data.rows import RecordRow
from tests.e2e.referee import quiet, refereed

CHANNEL = "1"
Work = Callable[[RefereeClient, pytest.MonkeyPatch], Awaitable[None]]


async def _fenced(*_args: object, **_given: object) -> None:
    raise Fenced(0)


async def _publish(client: RefereeClient, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(client.publisher, "_send_owed", _fenced)
    room = await client.tables.room_of(CHANNEL, None)
    client.publisher.wake(room)
    assert room.publishing is not None
    await asyncio.wait({room.publishing})


async def _remind(client: RefereeClient, patch: pytest.MonkeyPatch) -> None:
    await client.scheduler._guarded(CHANNEL, _fenced)


async def _carry_out(client: RefereeClient, patch: pytest.MonkeyPatch) -> None:
    patch.setattr("bot.table.service.due_answer", Mock(side_effect=Fenced(0)))
    await client.tables._carry_out_due_orders(await client.tables.room_of(CHANNEL, None))


async def _read(client: RefereeClient, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(client.tables, "room_of", _fenced)
    assert await client.publisher._readable(CHANNEL) is None


async def _recover(client: RefereeClient, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(client.tables, "room_of", _fenced)
    await client.recovery._tell_one([Mock(channel=CHANNEL)])


async def _note_end(client: RefereeClient, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(client.store, "set_meta", _fenced)
    await client.recovery.note_end(0)


async def _strike(client: RefereeClient, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(client.publisher.strikes, "_edit", AsyncMock())
    patch.setattr(client.store, "record_shown", _fenced)
    room = await client.tables.room_of(CHANNEL, None)
    room.late["2"] = RecordRow(channel=CHANNEL, message="2", first=1, told=1)
    await client.publisher.strikes.hurry(room)


async def _keep_house(client: RefereeClient, patch: pytest.MonkeyPatch) -> None:
    await client._guarded(_fenced)


WORKS = {
    "publishing": _publish,
    "reminding": _remind,
    "orders": _carry_out,
    "reading": _read,
    "recovering": _recover,
    "the end": _note_end,
    "striking": _strike,
    "housekeeping": _keep_house,
}


@pytest.mark.parametrize("work", WORKS.values(), ids=WORKS)
async def test_what_another_process_serves_is_left_to_it_with_one_line(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        await work(client, monkeypatch)
        await quiet(world, client)
    assert [each.levelname for each in caplog.records if each.levelname in ("WARNING", "ERROR")] == []
    assert "another process took" in caplog.text


async def test_what_cannot_be_caught_up_holds_up_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    service, fails = Mock(), AsyncMock(side_effect=Fenced(0))
    service.per_shard.recovery.tell = service.per_shard.tables.carry_out_orders_left_due = fails
    service.per_shard.publisher.catch_up = AsyncMock()
    await SharedService._catch_up(service, 1)
    assert fails.await_count == 2
    assert service.per_shard.publisher.catch_up.await_count == service.per_shard.scheduler.expect.call_count == 1
    assert [each.levelname for each in caplog.records] == ["INFO", "INFO"]


TAKEN = ["recovery.remember", "gateway.connect"]
THERE = ["recovery.tell", "tables.carry_out_orders_left_due", "publisher.catch_up", "scheduler.expect"]


async def test_a_shard_that_is_taken_is_served_step_by_step_in_order() -> None:
    """What is owed is known before anything comes; what was left undone waits for the servers, told before asked."""
    parts, tenure = Mock(), Mock(count=2, served=frozenset({1}))
    parts.tables.rooms.return_value = ()
    for each in (TAKEN[0], *THERE[:3]):
        parts.configure_mock(**{each: AsyncMock()})
    service = SharedService(parts, tenure)

    def done() -> list[str]:
        return [name for name, _, _ in parts.mock_calls if name in (*TAKEN, *THERE)]

    service.begin(1)
    await service._beginning[1]
    assert done() == TAKEN
    await service.is_there(1)
    assert done() == [*TAKEN, *THERE]
    await service.is_there(1)  # its servers come again: a session that was lost
    assert done() == [*TAKEN, *THERE]
