"""One process at a time serves a shard: by its lease, and behind the fence."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from pydantic import SecretStr

from data import leases, tenure
from data.connection import Connection, Fenced
from data.postgres import Postgres
from data.rows import OutboxMessage, PromptRow, WaitChanges
from data.store import Store
from data.tenure import WHOLE, Process, Tenure
from rules.core.errors import StoreFailure
from tests.relay import relayed
from tests.store.steps import commit, everything, opened, read_rows
from tests.store.test_portable import a_wait

SECONDS = 2.0


class Holder:
    """A process: its store, its hold on the shard, and whether it was told that this is lost."""

    def __init__(self, store: Store, name: str) -> None:
        self.store = store
        self.lost = asyncio.Event()
        self.tenure = Tenure(store.engine, Process(name, "1", SECONDS), self.lost.set)

    def stand_still(self) -> None:
        """Renew nothing and look at no clock, as a process that does not run."""
        for task in self.tenure._tasks:
            task.cancel()


@asynccontextmanager
async def process(url: SecretStr, name: str) -> AsyncIterator[Holder]:
    async with opened(url) as store:
        held = Holder(store, name)
        try:
            yield held
        finally:
            await held.tenure.end()


async def test_a_second_process_is_refused_while_the_first_lives(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first, process(postgres_place, "second") as second:
        await first.tenure.begin()
        with pytest.raises(StoreFailure, match="Another process serves this database: first"):
            await second.tenure.begin()
        await first.store.commit(commit(1))
        assert not first.lost.is_set()


async def test_after_a_clean_end_nobody_waits(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first:
        await first.tenure.begin()
    async with process(postgres_place, "second") as second:
        began = time.monotonic()
        await second.tenure.begin()
        assert time.monotonic() - began < SECONDS
        assert read_rows(postgres_place, "SELECT epoch FROM shard") == [(2,)]


async def test_a_dead_process_is_replaced_when_its_lease_ends(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first, process(postgres_place, "second") as second:
        await first.tenure.begin()
        first.stand_still()
        began = time.monotonic()
        await second.tenure.begin()
        assert SECONDS / 2 < time.monotonic() - began < SECONDS + 5


WRITES: dict[str, Callable[[Store], object]] = {
    "commit": lambda store: store.commit(commit(2)),
    "change_waits": lambda store: store.change_waits("c", WaitChanges((a_wait("c", 1, 5.0),), (), 1)),
    "claim_nudge": lambda store: store.claim_nudge("c", WaitChanges((a_wait("c", 1, 5.0),), (), 1), "{}"),
    "nudged": lambda store: store.nudged("c", None),
    "set_remind": lambda store: store.set_remind("c", "g", "{}", 5.0),
    "claim_digest": lambda store: store.claim_digest("c", 5.0, 1, OutboxMessage("n", "c", "{}")),
    "prompted_round": lambda store: store.prompted_round("c", 3),
    "prompt_owed": lambda store: store.prompt_owed("c", PromptRow(1, 0, "5")),
    "delete_channel": lambda store: store.delete_channel("c"),
}


@pytest.mark.parametrize("name", WRITES)
async def test_who_stood_still_while_another_took_over_writes_nothing(postgres_place: SecretStr, name: str) -> None:
    async with process(postgres_place, "first") as first, opened(postgres_place) as second:
        await first.tenure.begin()
        await first.store.commit(commit(1))
        first.stand_still()
        await second.engine.write(lambda connection: connection.execute("UPDATE lease SET owner = NULL"))
        assert await second.engine.write(leases.take, WHOLE, "second", 60.0) is not None
        before = everything(postgres_place)
        with pytest.raises(Fenced):
            await WRITES[name](first.store)  # type: ignore[misc] # each is a coroutine of the store's
        assert everything(postgres_place) == before
        assert first.lost.is_set()
        first.store._posted.clear()


async def test_without_the_fence_what_nothing_else_guards_would_be_written(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first, opened(postgres_place) as second:
        await first.tenure.begin()
        await first.store.commit(commit(1))
        first.stand_still()
        await second.engine.write(lambda connection: connection.execute("UPDATE lease SET owner = NULL"))
        await second.engine.write(leases.take, WHOLE, "second", 60.0)
        engine = first.store.engine
        assert isinstance(engine, Postgres)
        engine._is_shared, engine.fence = False, None
        await first.store.claim_nudge("c", WaitChanges((a_wait("c", 1, 5.0),), (), 1), "{}")
        assert await second.claimed_nudges() == ("c",)


async def test_a_takeover_waits_for_who_writes_behind_the_old_fence(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first, opened(postgres_place) as second:
        await first.tenure.begin()
        first.stand_still()
        await second.engine.write(lambda connection: connection.execute("UPDATE lease SET owner = NULL"))
        order: list[str] = []

        def slowly(connection: Connection) -> None:
            connection.execute("SELECT pg_sleep(0.5)").fetchall()
            order.append("written")

        writing = asyncio.create_task(first.store.engine.write_to(("c",), slowly))
        await asyncio.sleep(0.2)
        await second.engine.write(leases.take, WHOLE, "second", 60.0)
        order.append("taken")
        await writing
        assert order == ["written", "taken"]


@pytest.mark.parametrize("early", [tenure._EARLY_SECONDS])
async def test_who_cannot_reach_the_database_gives_up_before_another_may_take_over(
    postgres_place: SecretStr, early: float
) -> None:
    async with relayed(postgres_place) as relay, process(relay.url, "first") as first:
        await first.tenure.begin()
        relay.takes = False
        relay.stand_still()
        began = time.monotonic()
        await asyncio.wait_for(first.lost.wait(), SECONDS + 5)
        assert time.monotonic() - began <= SECONDS - early + 0.5
        with pytest.raises(Fenced):
            await first.store.commit(commit(1))
        relay.takes = True
        relay.end()


async def test_a_lease_that_is_renewed_stays(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first, opened(postgres_place) as second:
        await first.tenure.begin()
        for seq in range(1, 6):
            await asyncio.sleep(SECONDS / 3)
            await first.store.commit(commit(seq))
            assert await second.engine.write(leases.take, WHOLE, "second", 60.0) is None
        assert not first.lost.is_set()
