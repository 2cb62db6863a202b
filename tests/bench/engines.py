"""A step's commit on both engines, alone and 64 in flight, as ratios; then with a relay that holds each byte 1 ms.

The same steps in turns of shuffled order, without a network and a bot. PostgreSQL is the tests' own (`fsync` on).
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path

from data.store import Store
from tests.bench._rows import Row, micros, shuffled
from tests.postgres import NoServer, server
from tests.relay import relayed
from tests.store.steps import change, commit, encounter

BATCHES = 9
STEPS = 60
IN_FLIGHT = 64
DELAY = 0.001


class Steps:
    """Steps of some channels, each with a document of a fight's length."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._seqs: dict[str, int] = {}

    async def step(self, channel: str) -> None:
        seq = self._seqs[channel] = self._seqs.get(channel, 0) + 1
        before, after = (f"{channel}: {number} ".encode() * 400 for number in (seq - 1, seq))
        await self.store.commit(
            commit(
                seq, channel=channel, documents=(change(channel, None if seq == 1 else before, after),), focus=channel,
                encounter=encounter(channel, channel=channel, waiting=(str(seq % 5),)), encounter_of_row=channel,
                prompt_version=seq, is_told=True,
            )
        )  # fmt: skip

    async def alone(self) -> float:
        began = time.perf_counter()
        for _ in range(STEPS):
            await self.step("alone")
        return (time.perf_counter() - began) / STEPS

    async def many(self) -> float:
        began = time.perf_counter()
        await asyncio.gather(*(self.step(f"c{number}") for number in range(IN_FLIGHT)))
        return (time.perf_counter() - began) / IN_FLIGHT


async def _measure() -> dict[tuple[str, str], float]:
    times: dict[tuple[str, str], list[float]] = {}
    async with AsyncExitStack() as stack:
        running = stack.enter_context(server(durable=True))
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        near, far = (stack.enter_context(running.database()) for _ in range(2))
        relay = await stack.enter_async_context(relayed(far))
        relay.delay = DELAY
        kinds = {}
        for kind, place in (("sqlite", Path(folder) / "r.sqlite3"), ("postgres", near), ("relay", relay.url)):
            store = await Store.open(place)
            stack.push_async_callback(store.close)
            kinds[kind] = Steps(store)
            await kinds[kind].many()  # connections are made, statements prepared
            await kinds[kind].alone()
        for kind in shuffled(kinds, BATCHES):
            for way in ("alone", "many"):
                times.setdefault((kind, way), []).append(await getattr(kinds[kind], way)())
    return {key: statistics.median(measured) for key, measured in times.items()}


def run() -> list[Row]:
    try:
        found = asyncio.run(_measure())
    except NoServer as reason:
        return [Row(what="PostgreSQL", ours="not measured", beside=str(reason))]
    words = {"alone": "a commit alone", "many": f"each of {IN_FLIGHT} in flight"}
    names = {"postgres": "PostgreSQL", "relay": "PostgreSQL, 1 ms away"}
    return [
        Row(
            what=f"{words[way]}, {name}",
            ours=micros(found[kind, way]),
            beside=f"{micros(found['sqlite', way])}, SQLite",
            ratio=found[kind, way] / found["sqlite", way],
        )
        for kind, name in names.items()
        for way in ("alone", "many")
    ]
