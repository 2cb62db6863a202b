"""Two processes that get the same events, and sessions that end at any moment: each guard does what no other does.

Each is tested by removing it: the same run must fail then, or it proves nothing.
"""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack
from typing import Any

import psycopg
import pytest
from pydantic import SecretStr

from data.connection import Connection, Engine, InDoubt, ServedShards, Values
from data.rows import RepeatedInteraction
from data.store import Store
from rules.errors import StoreFailure
from tests.store.removed_guards import REMOVED
from tests.store.steps import NOT_NEXT, change, commit, encounter, opened, read_rows

EVENTS = 60
CHANNELS = ("a", "b", "c")


class Changed:
    """An engine whose statements lack something."""

    def __init__(self, engine: Engine, lacks: dict[str, str]) -> None:
        self.engine = engine
        self.lacks = lacks

    @property
    def served(self) -> ServedShards | None:
        return self.engine.served

    async def read(self, job: Any, *args: Any, **kwargs: Any) -> Any:
        return await self.engine.read(job, *args, **kwargs)

    async def write(self, job: Any, *args: Any, **kwargs: Any) -> Any:
        return await self.engine.write(lambda bare: job(Lacking(bare, self.lacks), *args, **kwargs))

    async def write_to(self, channels: Any, job: Any, *args: Any, **kwargs: Any) -> Any:
        return await self.engine.write_to(channels, lambda bare: job(Lacking(bare, self.lacks), *args, **kwargs))

    async def tell(self, topic: str, what: str) -> None:
        await self.engine.tell(topic, what)

    async def close(self) -> None:
        await self.engine.close()


class Lacking:
    def __init__(self, connection: Connection, lacks: dict[str, str]) -> None:
        self.connection = connection
        self.lacks = lacks

    def execute(self, statement: str, values: Values = (), /) -> Any:
        for text, instead in self.lacks.items():
            statement = statement.replace(text, instead)
        return self.connection.execute(statement, values)

    def executemany(self, statement: str, values: Any, /) -> Any:
        return self.connection.executemany(statement, values)


async def handle(store: Store, channel: str, event: str) -> None:
    """Do what an event asks for, once: count on. A table that another changed meanwhile is read anew."""
    while True:
        table = await store.load_table(channel)
        seq, before = (1, None) if table is None else (table.next_seq, table.encounter)
        await asyncio.sleep(0)
        try:
            await store.commit(
                commit(
                    seq, channel=channel, interaction=event, answer=event, focus=channel,
                    documents=(change(channel, before, str(int(before or b"0") + 1).encode()),),
                    encounter=encounter(channel, channel=channel),
                )
            )  # fmt: skip
        except NOT_NEXT:
            continue
        except RepeatedInteraction:
            return
        except (InDoubt, StoreFailure):
            await asyncio.sleep(0.05)
            continue
        return


async def run(url: SecretStr, lacks: dict[str, str]) -> list[tuple[int, int]]:
    """Give events to two processes, every other one to both; return how many rows and what count each channel has."""
    rng = random.Random(5)
    async with AsyncExitStack() as stack:
        stores = [await stack.enter_async_context(opened(url)) for _ in range(2)]
        for store in stores:
            store._database = Changed(store._database, lacks)
        works = []
        for number in range(EVENTS):
            for channel in CHANNELS:
                to = stores if number % 2 else [rng.choice(stores)]
                works += [handle(store, channel, f"{channel}-{number}") for store in to]
        await asyncio.wait_for(asyncio.gather(*works), 60)
    found = read_rows(
        url,
        "SELECT count(*), (SELECT document FROM encounter WHERE encounter.channel = log.channel) FROM log"
        " GROUP BY channel",
    )
    return [(rows, int(document)) for rows, document in found]


async def test_every_event_counts_once_no_matter_who_gets_it(postgres_place: SecretStr) -> None:
    assert await run(postgres_place, {}) == [(EVENTS, EVENTS)] * len(CHANNELS)


@pytest.mark.parametrize("guard", REMOVED)
async def test_without_a_guard_the_same_run_goes_wrong(postgres_place: SecretStr, guard: str) -> None:
    if guard == "last_seq":
        with psycopg.connect(postgres_place.get_secret_value(), autocommit=True) as session:
            session.execute("DROP INDEX log_seq")
            session.execute("CREATE INDEX log_seq ON log (channel, seq)")
    found = await run(postgres_place, REMOVED[guard])
    assert found != [(EVENTS, EVENTS)] * len(CHANNELS), guard


async def test_what_was_acknowledged_outlives_the_end_of_every_session_once(postgres_place: SecretStr) -> None:
    ended = 0

    async def end_sessions() -> None:
        nonlocal ended
        rng = random.Random(9)
        with psycopg.connect(postgres_place.get_secret_value(), autocommit=True) as session:
            for _ in range(20):
                await asyncio.sleep(rng.uniform(0.02, 0.15))
                ended += session.execute(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                    " WHERE application_name LIKE 'referee%' AND datname = current_database()"
                ).fetchall()[0][0]

    async with opened(postgres_place) as store:
        ending = asyncio.create_task(end_sessions())
        number = 0
        while not ending.done():
            await asyncio.gather(*(handle(store, channel, f"{channel}-{number}") for channel in CHANNELS))
            number += 1
        await ending
    assert ended > 20
    rows = read_rows(postgres_place, "SELECT channel, count(*), min(seq), max(seq) FROM log GROUP BY channel")
    assert {channel: tuple(rest) for channel, *rest in rows} == dict.fromkeys(CHANNELS, (number, 1, number))
    documents = read_rows(postgres_place, "SELECT document FROM encounter")
    assert [int(document) for (document,) in documents] == [number] * len(CHANNELS)
