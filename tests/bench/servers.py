"""The memory that servers take, with 50 channels each: 1,000 and 10,000 of them in one process with its shards.

Then 1,000 that two processes share, on PostgreSQL: first one has all of them, then each has half.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path

from pydantic import SecretStr

from bot.local.world import TEXT, Channel
from tests.bench._process import OURS, at_rest, bot_at, place, resident_bytes
from tests.bench._rows import Row
from tests.e2e.loopback import Table
from tests.postgres import NoServer, server
from tests.trust.stage.shared_database import environment

SERVERS = (1_000, 10_000)
CHANNELS = 50
FIRST_SERVER = 100_000  # ids whose shards follow one another
A_SHARD = 2_500
SHARED_SHARDS = 2
LEASE_SECONDS = "15"  # the default: a busy machine keeps it
MEGABYTE = 1_000_000


async def _memory(servers: int) -> int:
    """Return what a bot holds that is in so many servers beside its own, at rest."""
    with tempfile.TemporaryDirectory() as folder:
        async with place() as table:
            gateway = table.discord.gateway
            gateway.shards = max(1, servers // A_SHARD)
            _add_servers(table, servers)
            async with bot_at(table, OURS, DATABASE_PATH=str(Path(folder) / "r.sqlite3")) as process:
                await _until(lambda: gateway.identified == gateway.shards)
                return await _held_by(process)


def _add_servers(table: Table, servers: int) -> None:
    world = table.discord.world
    for number in range(servers):
        guild = str((FIRST_SERVER + number) << 22)
        table.discord.add_guild(f"server-{number}", guild)
        for other in range(1, CHANNELS):
            channel = Channel(world.ids.fresh(), TEXT, f"room-{other}", position=other, guild_id=guild)
            world.channels[channel.id] = channel


async def _until(met: Callable[[], bool]) -> None:
    while not met():  # noqa: ASYNC110 - connections are five seconds apart, and no event tells
        await asyncio.sleep(0.5)


async def _held_by(process: asyncio.subprocess.Process) -> int:
    await asyncio.sleep(2)
    await at_rest(process.pid)
    return resident_bytes(process.pid)


async def _shared(servers: int, url: SecretStr) -> tuple[int, int, int]:
    """Return what one process holds that has all servers, then that one and a second one when each has half."""
    with tempfile.TemporaryDirectory() as folder:
        async with place() as table:
            gateway = table.discord.gateway
            gateway.shards = SHARED_SHARDS
            _add_servers(table, servers)
            given = environment(url, Path(folder), LEASE_SECONDS=LEASE_SECONDS)
            async with bot_at(table, OURS, **given, PROCESS_NAME="one") as one:
                await _until(lambda: gateway.identified >= SHARED_SHARDS)
                alone = await _held_by(one)
                async with bot_at(table, OURS, **given, PROCESS_NAME="two") as two:
                    await _until(lambda: gateway.identified > SHARED_SHARDS)
                    return alone, await _held_by(one), await _held_by(two)


def run() -> list[Row]:
    none, *held = (asyncio.run(_memory(servers)) for servers in (0, *SERVERS))
    rows = []
    for servers, memory in zip(SERVERS, held, strict=True):
        each = (memory - none) / servers / 1000
        rows.append(
            Row(
                what=f"memory for a server with {CHANNELS} channels, of {servers:,}",
                ours=f"{each:.0f} KB",
                beside=f"{memory / MEGABYTE:.0f} MB with them, {none / MEGABYTE:.0f} MB without",
                ratio=each,
                remark="in KB",
            )
        )
    return [*rows, _shared_row()]


def _shared_row() -> Row:
    what = f"memory of two processes that share {SERVERS[0]:,} servers"
    try:
        with server() as running, running.database() as url:
            alone, one, two = (memory / MEGABYTE for memory in asyncio.run(_shared(SERVERS[0], url)))
    except NoServer as reason:
        return Row(what=what, ours="not measured", beside=str(reason))
    return Row(
        what=what,
        ours=f"{one:.0f} and {two:.0f} MB",
        beside=f"{alone:.0f} MB in the first before, with all of them",
        ratio=(one + two) / alone,
    )
