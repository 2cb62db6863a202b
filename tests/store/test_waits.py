"""What is due is found by its index, however much is stored, and nothing of it is loaded before it is due."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
from pydantic import SecretStr

from data import waits
from data.rows import OutboxMessage, PostedPrompt, PromptRow, WaitChanges, WaitRow
from data.store import Store

MANY = 20_000


@pytest.fixture
async def store(place: Path | SecretStr) -> AsyncIterator[Store]:
    opened = await Store.open(place)
    yield opened
    await opened.close()


def row(number: int, due: float | None, channel: str = "1") -> WaitRow:
    return WaitRow(channel, number, "e", "turn", f"t{number}", "Ana", 0, 1, None, 0.0, due, 0, number, "5")


async def test_what_is_due_comes_longest_overdue_first_and_nothing_else(store: Store) -> None:
    for channel, due in (("1", 50.0), ("2", 20.0), ("3", 90.0), ("4", None)):
        await store.set_remind(channel, "g", None, None)
        await store.change_waits(channel, WaitChanges(put=(row(1, due, channel),), armings=1))
    assert await store.next_due() == 20.0
    assert await store.due_channels(60.0) == ("2", "1")
    assert await store.due_channels(10.0) == ()


async def test_a_digest_counts_as_due_too(store: Store) -> None:
    await store.set_remind("1", "g", "{}", 30.0)
    assert await store.next_due() == 30.0
    assert await store.due_digests(29.0) == ()
    assert await store.due_digests(30.0) == ("1",)
    await store.claim_digest("1", 90.0, 4, OutboxMessage("n", "1", "{}"))
    assert await store.next_due() == 90.0
    assert await store.digest_seq("1") == 4
    assert [each.nonce for each in await store.pending_outbox()] == ["n"]


async def test_a_claimed_nudge_is_there_after_a_restart_and_gone_once_noted(place: Path | SecretStr) -> None:
    store = await Store.open(place)
    await store.set_remind("1", "g", "{}", None)
    await store.claim_nudge("1", WaitChanges(put=(row(1, 9.0),), armings=3), '{"number": 3}')
    await store.close()
    store = await Store.open(place)
    assert await store.claimed_nudges() == ("1",)
    table = await store.load_table("1")
    assert table is not None
    assert table.remind.armings == 3
    assert [each.id for each in table.waits] == [1]
    await store.nudged("1", PostedPrompt("1", PromptRow(message="77")), "lead")
    table = await store.load_table("1")
    assert table is not None
    assert (table.remind.nudge, table.remind.lead, table.prompt.message) == (None, "lead", "77")
    await store.close()


async def test_no_look_for_what_is_due_reads_the_whole_table(tmp_path: Path) -> None:
    path = tmp_path / "z.sqlite3"
    await (await Store.open(path)).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.executemany("INSERT INTO channel (channel) VALUES (?)", [(f"{at}",) for at in range(100)])
        connection.executemany(
            "INSERT INTO wait (channel, id, encounter, kind, key, who, place, armed, since, due, number, interaction)"
            " VALUES (?, ?, 'e', 'turn', 't', 'Ana', 0, 1, 0, ?, 1, '5')",
            [(f"{at % 100}", at, 1000.0 + at) for at in range(MANY)],
        )
        connection.commit()
        looked: list[str] = []
        connection.set_trace_callback(looked.append)
        assert waits.next_due(connection, None) == 1000.0
        assert waits.due_channels(connection, None, 1005.0) == ("0", "1", "2", "3", "4", "5")
        waits.due_digests(connection, None, 5.0)
        waits.claimed_nudges(connection, None)
        waits.waits_of(connection, "7")
        connection.set_trace_callback(None)
        assert len(looked) == 5
        for statement in looked:
            plan = " / ".join(str(step[3]) for step in connection.execute(f"EXPLAIN QUERY PLAN {statement}"))
            for table in ("wait", "channel"):
                assert f"SCAN {table} " not in f"{plan} ".replace(f"SCAN {table} USING", "by"), (statement, plan)
                assert not plan.endswith(f"SCAN {table}"), (statement, plan)
