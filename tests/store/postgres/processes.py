"""Processes that share a database."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from pydantic import SecretStr

from data.postgres.tenure import Process, Tenure
from data.store import Store
from tests.store.steps import opened

LONG = 20.0  # of one that must not end: a busy machine renews it late, and may hang for seconds
LOOK_SECONDS = 0.25


GUILDS = tuple(str(((number + 4) << 22) + 7) for number in range(4))  # of shards 0 to 3, if there are four


async def change(store: Store, statement: str, *values: object) -> None:
    await store.engine.write(lambda connection: connection.execute(statement, values))


async def lived(store: Store, seconds: float) -> None:
    """Let every process that reaches Discord have lived for so long."""
    earlier = (
        "UPDATE process SET since = since - CAST(? AS DOUBLE PRECISION) * INTERVAL '1 second' WHERE isfinite(since)"
    )
    await change(store, earlier, seconds)


class Holder:
    """A process: its store, its hold on shards, and what it was told."""

    def __init__(self, store: Store, name: str, seconds: float) -> None:
        self.store = store
        self.tenure = Tenure(store.engine, Process(name, "1", seconds))
        self.served: set[int] = set()
        self.lost = asyncio.Event()
        self.lost_at = 0.0
        self.left: list[int] = []
        self.away: dict[int, float] = {}
        self.has_starts = True
        self.has_discord = True
        self.delivered: list[str] = []
        self.told: list[tuple[str, str]] = []
        self.missed_times = 0

    async def start(self, shards: int = 1, wanted: int | None = None) -> Holder:
        await self.tenure.settle(wanted, shards)
        await self.tenure.begin(self)
        return self

    def begin(self, shard: int) -> None:
        self.served.add(shard)

    def drop(self, shard: int) -> None:
        self.served.discard(shard)
        self.lost_at = time.time()
        self.lost.set()

    async def leave(self, shard: int) -> None:
        await asyncio.sleep(0.1)
        self.served.discard(shard)
        self.left.append(shard)

    def away_seconds(self, shard: int) -> float:
        return self.away.get(shard, 0.0)

    @property
    def takes_from_living(self) -> bool:
        return self.has_starts

    async def reaches_discord(self) -> bool:
        return self.has_discord

    async def may_move(self) -> bool:
        return True

    def deliver(self, event: str) -> None:
        self.delivered.append(event)

    def heard(self, topic: str, what: str) -> None:
        self.told.append((topic, what))

    def missed(self) -> None:
        self.missed_times += 1

    def stand_still(self) -> None:
        """Renew nothing and look at no clock, as a process that does not run."""
        for task in (*self.tenure._tasks, self.tenure._collecting):
            if task is not None:
                task.cancel()

    async def renewals(self, count: int = 2) -> None:
        for _ in range(count):
            before = self.tenure._until
            await self.until(lambda before=before: self.tenure._until > before)  # type: ignore[misc] # mypy knows no default in a lambda

    async def until(self, condition: Callable[[], bool], seconds: float = 60.0) -> None:
        """Wait for something; it looks at the leases meanwhile, more often than their length would have it."""
        looked = 0.0
        async with asyncio.timeout(seconds):
            while not condition():
                if time.monotonic() - looked > LOOK_SECONDS:
                    looked = time.monotonic()
                    self.tenure.look()
                await asyncio.sleep(0.02)


@asynccontextmanager
async def process(url: SecretStr, name: str, seconds: float = LONG) -> AsyncIterator[Holder]:
    async with opened(url) as store:
        held = Holder(store, name, seconds)
        try:
            yield held
        finally:
            await held.tenure.end()
