"""Bots as processes of their own, and what the kernel says of them."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.local.world import TEXT, Channel
from tests.e2e.loopback import Table, local_table

ROOT = Path(__file__).parents[2]
OURS = ("-m", "bot")
FLOOR = ("-m", "tests.bench.floor_bot")
KEPT_EXCHANGES = 100


def cpu_seconds(pid: int) -> float:
    """Return what all threads of a process have spent, to the nanosecond if the kernel counts so."""
    spent = 0
    for each in Path(f"/proc/{pid}/task").iterdir():
        spent += int((each / "schedstat").read_text(encoding="utf-8").split()[0])
    return spent / 1e9


def resident_bytes(pid: int) -> int:
    """Return the memory that a process holds."""
    pages = Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


@asynccontextmanager
async def place(channels: int = 0) -> AsyncIterator[Table]:
    """Run a local table that keeps little, with so many more channels, `room-0` and so on."""
    async with local_table(keep_exchanges=KEPT_EXCHANGES) as table:
        world = table.discord.world
        for number in range(channels):
            channel = Channel(world.ids.fresh(), TEXT, f"room-{number}", position=10 + number)
            world.channels[channel.id] = channel
        yield table


@asynccontextmanager
async def bot_at(world: Table, program: tuple[str, ...], **more: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a bot's process until the block ends; it is connected when the block begins."""
    environment = {
        **os.environ,
        "DISCORD_TOKEN": world.discord.token,
        "DISCORD_API_URL": world.discord.api_url,
        "LOG_LEVEL": "WARNING",
        **more,
    }
    process = await asyncio.create_subprocess_exec(sys.executable, *program, cwd=ROOT, env=environment)
    try:
        await world.discord.bot_connected(600)
        yield process
    finally:
        process.terminate()
        await process.wait()


async def at_rest(pid: int) -> None:
    """Wait until a process does nothing any more."""
    before = -1.0
    while cpu_seconds(pid) - before > 0.002:
        before = cpu_seconds(pid)
        await asyncio.sleep(0.2)
