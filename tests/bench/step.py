"""A durable step with 30 combatants and a full prompt, in CPU of the bot's process, against discord.py's floor.

Both bots run as processes of their own against a local table in this one, in turns of shuffled order. The
referee's step is decided, committed with full durability, answered, prompted anew, and the old prompt stripped.
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import sys
import tempfile
from pathlib import Path

from tests.e2e.loopback import Seat, Table, local_table
from tests.e2e.referee import prompts

ROOT = Path(__file__).parents[2]
BATCHES = 5
STEPS = 120
Row = tuple[str, float, float, str]  # what, ours in µs, theirs in µs, beside whom


def _cpu_seconds(pid: int) -> float:
    """Return what all threads of a process have spent, to the nanosecond where the kernel counts so."""
    spent = 0
    for each in Path(f"/proc/{pid}/task").iterdir():
        spent += int((each / "schedstat").read_text(encoding="utf-8").split()[0])
    return spent / 1e9


async def _start(world: Table, program: list[str], **more: str) -> asyncio.subprocess.Process:
    environment = {
        **os.environ,
        "DISCORD_TOKEN": world.discord.token,
        "DISCORD_API_URL": world.discord.api_url,
        "LOG_LEVEL": "WARNING",
        **more,
    }
    process = await asyncio.create_subprocess_exec(sys.executable, *program, cwd=ROOT, env=environment)
    await asyncio.wait_for(world.discord.bot_connected(), 30)
    await asyncio.sleep(1)
    return process


async def _batch(seat: Seat, world: Table, line: str, pid: int, *, prompted: bool) -> float:
    before = _cpu_seconds(pid)
    for _ in range(STEPS):
        old = prompts(seat)
        await seat.slash(line)
        if prompted:  # the new one is there, and the old one has lost its buttons
            await world.until(lambda old=old: len(now := prompts(seat)) == 1 and now[0].id != old[0].id)
    await world.settle()
    return (_cpu_seconds(pid) - before) / STEPS


async def _measure() -> tuple[float, float]:
    ours: list[float] = []
    floor: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        async with local_table() as table, local_table() as bare:
            referee = await _start(table, ["-m", "bot"], DATABASE_PATH=str(Path(folder) / "referee.sqlite3"))
            other = await _start(bare, ["-m", "tests.bench.floor_bot"])
            try:
                gwen, anybody = table.person("Gwen"), bare.person("Gwen")
                await gwen.slash("/init start name:Ambush")
                for name in ("Goblin", "Orc", "Wolf"):
                    await gwen.slash(f"/gm add name:{name} sheet:HP 20, AC 12 count:10")
                await gwen.slash("/init next")
                await anybody.slash("/next")
                kinds = ["ours", "floor"] * BATCHES
                random.shuffle(kinds)
                for kind in kinds:
                    if kind == "ours":
                        ours.append(await _batch(gwen, table, "/init next", referee.pid, prompted=True))
                    else:
                        floor.append(await _batch(anybody, bare, "/next", other.pid, prompted=False))
            finally:
                for process in (referee, other):
                    process.terminate()
                    await process.wait()
    return statistics.median(ours), statistics.median(floor)


def run() -> list[Row]:
    """Return the row of this comparison."""
    ours, floor = asyncio.run(_measure())
    return [("durable step, 30 combatants, prompt (goal ≥ 0.4×)", ours * 1e6, floor * 1e6, "discord.py's floor, CPU")]
