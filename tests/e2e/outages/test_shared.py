"""Several processes at one Discord: each serves its shards, and others' when their process goes."""

from __future__ import annotations

import asyncio
import signal
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TypeAlias

from pydantic import SecretStr

from tests.e2e.loopback import Table, local_table
from tests.e2e.referee import prompts
from tests.store.steps import read_rows
from tests.trust.own.test_postgres import NOWHERE, environment
from tests.trust.stage.play import start_bot

GUILDS = tuple(str((1000 + number) << 22) for number in range(4))  # on two shards: 0, 1, 0, 1
Start: TypeAlias = Callable[[str], Awaitable[Process]]


@asynccontextmanager
async def two_shards(url: SecretStr, folder: Path) -> AsyncIterator[tuple[Table, Start]]:
    """A Discord with four servers on two shards, and a way to start a referee there that ends with the test."""
    async with local_table() as world, AsyncExitStack() as processes:
        world.discord.gateway.shards = 2
        for number, guild in enumerate(GUILDS):
            world.discord.add_guild(f"hall-{number}", guild)

        async def start(name: str) -> Process:
            process = await start_bot(world, NOWHERE, **environment(url, folder), PROCESS_NAME=name)
            processes.push_async_callback(ended, process)
            return process

        yield world, start


async def ended(process: Process) -> None:
    if process.returncode is None:
        process.kill()
        await process.wait()


def lines(world: Table) -> list[tuple[int, int]]:
    """Return the shards that are connected."""
    return sorted(session.shard for session in world.discord.gateway.sessions.values() if session.line is not None)


async def shared(world: Table, url: SecretStr) -> None:
    """Wait until two processes have a shard each."""
    holders = "SELECT count(DISTINCT owner) FROM lease WHERE owner IS NOT NULL"
    await world.until(lambda: read_rows(url, holders) == [(2,)], seconds=60)
    await world.until(lambda: lines(world) == [(0, 2), (1, 2)])


async def test_two_processes_share_the_shards_and_the_one_that_is_left_takes_over(
    tmp_path: Path, postgres_place: SecretStr
) -> None:
    async with two_shards(postgres_place, tmp_path) as (world, start):
        gateway = world.discord.gateway
        first = await start("first")
        second = await start("second")
        await shared(world, postgres_place)
        gwen = world.person("Gwen")
        for number in range(4):
            await gwen.slash("/init start name:Ambush", channel=f"hall-{number}")
            await gwen.slash("/init add name:Goblin result:10", channel=f"hall-{number}")
        before = gateway.identified
        first.send_signal(signal.SIGKILL)
        await world.until(lambda: lines(world) != [(0, 2), (1, 2)])
        await world.until(lambda: gateway.identified > before and lines(world) == [(0, 2), (1, 2)], seconds=60)
        for number in range(4):
            await gwen.slash("/init next", channel=f"hall-{number}")
            await world.until(lambda number=number: len(prompts(gwen, f"hall-{number}")) == 1)  # type: ignore[misc] # mypy knows no default in a lambda
        second.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(second.wait(), 30) == 0
        assert world.faults() == []
    assert read_rows(postgres_place, "SELECT count(*), max(seq) FROM log GROUP BY channel") == [(3, 3)] * 4
    assert read_rows(postgres_place, "SELECT owner FROM lease") == [(None,)] * 2
    finished = read_rows(postgres_place, "SELECT key, value FROM meta WHERE key LIKE 'ended%' ORDER BY key")
    assert finished == [("ended:0", "cleanly"), ("ended:1", "cleanly")]
