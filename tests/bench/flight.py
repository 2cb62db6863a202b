"""Many at once: 64 commands in flight, each at a table of its own, and a steady 100 commands a second."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench._process import FLOOR, OURS, at_rest, bot_at, cpu_seconds, place
from tests.bench._rows import Row, micros, shuffled
from tests.e2e.loopback import Table

IN_FLIGHT = 64
EACH = 6
A_SECOND = 100
SECONDS = 3
BATCHES = 5
LATE = 3.2


@dataclass
class Side:
    """One bot under load: what to type, and what was measured."""

    world: Table
    pid: int
    line: str
    cpu: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    slowest: list[float] = field(default_factory=list)
    late: int = 0  # commands whose answer Discord would no longer have taken, after 3 s
    given: int = 0


async def _answered(side: Side, channel: str) -> float:
    """Give a command and wait for its first answer; return how long that took."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    command = side.world.person("Gwen").begin(side.line, channel=channel)
    side.given += 1
    try:
        async with asyncio.timeout(LATE):
            await command.answered.wait()
    except TimeoutError:
        side.late += 1
    return loop.time() - began


async def _crowd(side: Side) -> None:
    """Keep 64 commands in flight until each table has had its steps."""

    async def play(number: int) -> None:
        for _ in range(EACH):
            await _answered(side, f"room-{number}")

    before, began = cpu_seconds(side.pid), time.perf_counter()
    await asyncio.gather(*(play(number) for number in range(IN_FLIGHT)))
    took = time.perf_counter() - began
    await at_rest(side.pid)
    side.cpu.append((cpu_seconds(side.pid) - before) / (IN_FLIGHT * EACH))
    side.rates.append(IN_FLIGHT * EACH / took)


async def _steady(side: Side) -> None:
    """Give 100 commands a second, however long the answers take; note the 99th of 100 first answers."""
    loop = asyncio.get_running_loop()
    began, running = loop.time(), []
    for number in range(A_SECOND * SECONDS):
        await asyncio.sleep(began + number / A_SECOND - loop.time())
        running.append(asyncio.create_task(_answered(side, f"room-{number % IN_FLIGHT}")))
    waited = await asyncio.gather(*running)
    await at_rest(side.pid)
    side.slowest.append(statistics.quantiles(waited, n=100)[98])


async def _measure() -> dict[str, Side]:
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        database = str(Path(folder) / "referee.sqlite3")
        rows = str(Path(folder) / "floor.sqlite3")
        table, bare, kept, whole = [await stack.enter_async_context(place(IN_FLIGHT)) for _ in range(4)]
        others = str(Path(folder) / "both.sqlite3")
        referee = await stack.enter_async_context(bot_at(table, OURS, DATABASE_PATH=database))
        floor = await stack.enter_async_context(bot_at(bare, FLOOR))
        keeps = await stack.enter_async_context(bot_at(kept, FLOOR, FLOOR_DATABASE=rows))
        both = await stack.enter_async_context(bot_at(whole, FLOOR, FLOOR_DATABASE=others, FLOOR_MESSAGES="2"))
        sides = {
            "ours": Side(table, referee.pid, "/init next"),
            "floor": Side(bare, floor.pid, "/next"),
            "keeps": Side(kept, keeps.pid, "/next"),
            "both": Side(whole, both.pid, "/next"),
        }
        gwen = table.person("Gwen")
        for number in range(IN_FLIGHT):
            for line in ("/init start name:Ambush", "/gm add name:Goblin sheet:HP 20, AC 12 count:6", "/init next"):
                await gwen.slash(line, channel=f"room-{number}")
        for kind in shuffled(sides, BATCHES):
            await _crowd(sides[kind])
            await _steady(sides[kind])
        return sides


def run() -> list[Row]:
    sides = asyncio.run(_measure())
    ours, floor = sides["ours"], sides["floor"]
    cpu, bare, kept, both = (statistics.median(side.cpu) for side in (ours, floor, sides["keeps"], sides["both"]))
    rate, bare_rate = statistics.median(ours.rates), statistics.median(floor.rates)
    slow, bare_slow = statistics.median(ours.slowest), statistics.median(floor.slowest)
    return [
        Row(
            what=f"steps a second with {IN_FLIGHT} in flight, synchronous=FULL, each step prompted",
            ours=f"{rate:,.0f}/s",
            beside=f"{bare_rate:,.0f}/s, the floor; the stand-in for Discord takes its share of both",
            ratio=rate / bare_rate,
            goal=("≥", 0.4),
        ),
        Row(
            what="the same by the CPU of the bot alone",
            ours=f"{1 / cpu:,.0f}/s",
            beside=f"{1 / bare:,.0f}/s, the floor",
            ratio=bare / cpu,
            goal=("≥", 0.5),
        ),
        Row(
            what="the same",
            ours=f"{1 / cpu:,.0f}/s",
            beside=f"{1 / kept:,.0f}/s, the floor where it keeps one row of text durably before it answers",
            ratio=kept / cpu,
        ),
        Row(
            what="both requests of a step and a row kept, and nothing decided: what no step can do without",
            ours=f"{1 / both:,.0f}/s",
            beside=f"{1 / bare:,.0f}/s, the floor",
            ratio=bare / both,
        ),
        Row(
            what=f"first answer at {A_SECOND} commands a second, p99",
            ours=micros(slow),
            beside=f"{micros(bare_slow)}, the floor",
            ratio=slow / bare_slow,
            goal=("≤", 3),
            remark=f"{ours.late} of {ours.given:,} answers came too late, {floor.late} of the floor's",
        ),
    ]
