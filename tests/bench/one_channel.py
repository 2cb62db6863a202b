"""20,000 commands in one channel, 64 under way at a time: each is answered in time, and what they leave behind."""

from __future__ import annotations

import asyncio
import itertools
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench._process import OURS, at_rest, bot_at, place, resident_bytes
from tests.bench._rows import Row
from tests.e2e.loopback import Table

ONLY_ASKED_FOR = True  # it takes minutes
COMMANDS = 20_000
IN_FLIGHT = 64
LATE = 3.0  # seconds, after which Discord takes no answer
LINES = (
    "/roll dice:1d20+5",
    "/gm note target:Goblin text:seen",
    "/roll dice:bad(",
    "/condition add target:Goblin name:Prone",
)


@dataclass
class Found:
    """What came of them."""

    waits: list[float] = field(default_factory=list)
    late: int = 0
    memory: list[int] = field(default_factory=list)
    size: list[int] = field(default_factory=list)
    seconds: float = 0.0


async def _typed(world: Table, numbers: itertools.count[int], found: Found) -> None:
    loop = asyncio.get_running_loop()
    while (number := next(numbers)) < COMMANDS:
        began = loop.time()
        sent = world.person("Gwen").begin(LINES[number % len(LINES)])
        try:
            async with asyncio.timeout(LATE):
                await sent.answered.wait()
        except TimeoutError:
            found.late += 1
        found.waits.append(loop.time() - began)


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())


async def _measured() -> Found:
    found, numbers = Found(), itertools.count()
    with tempfile.TemporaryDirectory() as folder:
        async with place() as world, bot_at(world, OURS, DATABASE_PATH=f"{folder}/one.sqlite3") as process:
            gwen = world.person("Gwen")
            for line in ("/init start", "/init add name:Goblin result:10 hp:7", "/encounter begin"):
                await gwen.slash(line)
            await at_rest(process.pid)
            found.memory.append(resident_bytes(process.pid))
            found.size.append(_size(Path(folder)))
            began = time.perf_counter()
            await asyncio.gather(*(_typed(world, numbers, found) for _ in range(IN_FLIGHT)))
            found.seconds = time.perf_counter() - began
            await at_rest(process.pid)
            found.memory.append(resident_bytes(process.pid))
            found.size.append(_size(Path(folder)))
    return found


def run() -> list[Row]:
    found = asyncio.run(_measured())
    memory, size = (after - before for before, after in (found.memory, found.size))
    middle = statistics.median(found.waits) * 1000
    pace = f"{COMMANDS / found.seconds:.0f} a second, {IN_FLIGHT} under way, median {middle:.0f} ms"
    return [
        Row(
            f"commands without an answer within 3 s, of {COMMANDS:,} in one channel",
            f"{found.late}",
            f"{pace}, longest {max(found.waits) * 1000:.0f} ms",
            found.late,
            ("≤", 0),
        ),
        Row(
            "memory that one of them leaves",
            f"{memory / COMMANDS:.0f} bytes",
            f"{found.memory[0] / 1e6:.0f} MB before, {found.memory[1] / 1e6:.0f} MB after",
        ),
        Row("room on disk for one of them", f"{size / COMMANDS:.0f} bytes", "half of them rolls and refusals"),
    ]
