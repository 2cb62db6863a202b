"""The memory that servers take: with 1,000 and 10,000 of them, 50 channels each, in one process with its shards."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from bot.local.world import TEXT, Channel
from tests.bench._process import OURS, at_rest, bot_at, place, resident_bytes
from tests.bench._rows import Row

SERVERS = (1_000, 10_000)
CHANNELS = 50
FIRST_SERVER = 100_000  # ids whose shards follow one another
A_SHARD = 2_500
MEGABYTE = 1_000_000


async def _memory(servers: int) -> int:
    """Return what a bot holds that is in so many servers beside its own, at rest."""
    with tempfile.TemporaryDirectory() as folder:
        async with place() as table:
            world = table.discord.world
            for number in range(servers):
                guild = str((FIRST_SERVER + number) << 22)
                table.discord.add_guild(f"server-{number}", guild)
                for other in range(1, CHANNELS):
                    channel = Channel(world.ids.fresh(), TEXT, f"room-{other}", position=other, guild_id=guild)
                    world.channels[channel.id] = channel
            table.discord.gateway.shards = max(1, servers // A_SHARD)
            async with bot_at(table, OURS, DATABASE_PATH=str(Path(folder) / "r.sqlite3")) as process:
                gateway = table.discord.gateway
                while gateway.identified < gateway.shards:  # noqa: ASYNC110 - five seconds apart, and no event tells
                    await asyncio.sleep(0.5)
                await asyncio.sleep(2)
                await at_rest(process.pid)
                return resident_bytes(process.pid)


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
    return rows
