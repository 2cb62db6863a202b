"""Several referees at one Discord, in one test: each with its leases on the shards of one PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from unittest.mock import patch

from pydantic import SecretStr

from bot.clock import Clock, system_clock
from bot.discord import registration, shared_service
from bot.discord.client import RefereeClient
from data.postgres.tenure import Process, Tenure
from data.store import Store
from tests.e2e.loopback import Table, local_table
from tests.e2e.referee import client_of, quiet

SECONDS = 6.0  # of a lease: on a busy machine a shorter one ends
NAMES = ("first", "second")
GUILDS = tuple(str((1000 + number) << 22) for number in range(4))  # on two shards: 0, 1, 0, 1


@asynccontextmanager
async def referee_of(
    world: Table, url: SecretStr, name: str, *, clock: Clock = system_clock
) -> AsyncIterator[tuple[RefereeClient, Tenure]]:
    """Give one of several referees, which is to be run; it ends with the block."""
    store = await Store.open(url)
    tenure = Tenure(store.engine, Process(name, "1", SECONDS))
    client = client_of(world, store, clock, tenure, DATABASE_URL=url, PROCESS_NAME=name)
    async with client:
        try:
            yield client, tenure
        finally:
            await client.close()
            await tenure.end()
            await store.close()


@asynccontextmanager
async def two_referees(
    url: SecretStr, clock: Clock = system_clock
) -> AsyncIterator[tuple[Table, RefereeClient, RefereeClient]]:
    """Two referees and four servers, `hall-0` to `hall-3`: the first has shard 0, the second shard 1."""
    async with local_table() as world, AsyncExitStack() as stack:
        stack.enter_context(patch.object(shared_service, "IDENTIFY_APART_SECONDS", 0.2))
        stack.enter_context(patch.object(registration, "SOON_SECONDS", 1.0))
        world.discord.gateway.shards = 2
        for number, guild in enumerate(GUILDS):
            world.discord.add_guild(f"hall-{number}", guild)
        both = [await stack.enter_async_context(referee_of(world, url, name, clock=clock)) for name in NAMES]
        for _, tenure in both:
            await tenure.settle(None, 2)  # each knows of the other before it takes its share
        (first, _), (second, _) = both
        for client, shards in ((first, {0}), (second, {1})):
            running = asyncio.create_task(client.run_until_closed())
            stack.push_async_callback(asyncio.wait, (running,))
            stack.push_async_callback(client.close)
            await world.until(lambda client=client, shards=shards: serve(client, shards))  # type: ignore[misc] # mypy knows no default in a lambda
        await world.discord.bot_connected()
        await world.settle(0.2)
        yield world, first, second


def serve(client: RefereeClient, shards: set[int]) -> bool:
    """Tell whether a referee serves these shards, and their servers have come."""
    return client.tenure is not None and client.tenure.served == shards and client.is_connected


async def all_quiet(world: Table, *clients: RefereeClient) -> None:
    for client in clients:
        await quiet(world, client)
