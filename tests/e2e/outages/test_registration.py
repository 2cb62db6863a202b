"""Commands are sent by one process alone, again if nobody answered, and an older version leaves a newer one's."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from contextlib import AsyncExitStack
from typing import Any

import pytest
from discord.gateway import KeepAliveHandler
from pydantic import SecretStr

from bot.cli.status import processes
from bot.discord import registration, shared_service
from bot.discord.client import RefereeClient
from bot.local import gateway as stand_in
from tests.e2e.loopback import local_table
from tests.e2e.neighbours import referee_of, serve, two_referees
from tests.store.steps import read_rows

PUT_COMMANDS = r"PUT /applications/\d+/commands"
MANY_SHARDS = 11


async def test_an_older_version_leaves_the_commands_of_a_newer_one(
    postgres_place: SecretStr, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with two_referees(postgres_place) as (world, first, second):
        commands = world.discord.commands
        await asyncio.wait_for(commands.registered.wait(), 300)
        assert first.application_id is not None
        key = f"commands:{first.application_id}:global"
        await world.until(lambda: read_rows(postgres_place, f"SELECT 1 FROM meta WHERE key = '{key}'"))  # noqa: S608 - our own key
        await first.store.set_meta(key, "another 99.0.0")
        before = len([each for each in world.discord.exchanges if each.method == "PUT"])
        assert await first.registration._try() is None
        assert "stay those of version 99.0.0" in caplog.text
        monkeypatch.setattr(registration, "VERSION", "99.0.1")
        await asyncio.gather(first.registration.keep(), second.registration.keep())
        sent = [each for each in world.discord.exchanges if each.method == "PUT"]
        assert len(sent) == before + 1, "the second waits for the first, and finds them sent"
        kept = await first.store.get_meta(key)
        assert kept is not None
        assert kept.endswith(" 99.0.1")


@pytest.mark.parametrize(
    ("mishap", "seconds"),
    [
        ({"cut": True}, 1.0),  # of `two_referees`
        ({"status": 403, "code": 50001}, registration.AGAIN_SECONDS),
        ({"status": 400, "code": 50035}, registration.AGAIN_SECONDS),
    ],
    ids=["nobody answers", "refused", "not understood"],
)
async def test_commands_go_out_again_soon_if_nobody_answered_and_later_if_discord_refused(
    postgres_place: SecretStr, mishap: dict[str, Any], seconds: float
) -> None:
    async with two_referees(postgres_place) as (world, first, _):
        commands = world.discord.commands
        await first.store.set_meta(f"commands:{first.application_id}:global", "another 0.0.1")
        spoiled = world.discord.sabotage(PUT_COMMANDS, times=9, **mishap)
        assert await first.registration._try() == seconds
        assert spoiled.met
        spoiled.left = 0
        commands.registered.clear()
        assert await first.registration._try() is None
        assert commands.registered.is_set()


async def test_commands_that_nobody_took_are_there_soon_after(
    postgres_place: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_referees(postgres_place) as (world, first, _):
        monkeypatch.setattr(registration, "SOON_SECONDS", 0.3)
        commands = world.discord.commands
        await asyncio.wait_for(commands.registered.wait(), 300)
        await first.store.set_meta(f"commands:{first.application_id}:global", "another 0.0.1")
        commands.registered.clear()
        spoiled = world.discord.sabotage(PUT_COMMANDS, times=999, cut=True)
        first.keep_commands()
        await world.until(lambda: spoiled.met)
        spoiled.left = 0
        await asyncio.wait_for(commands.registered.wait(), 300)


async def test_below_twice_the_count_no_shard_is_moved(
    postgres_place: SecretStr, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """With so many shards that twice the count is more than what is kept for the dead."""
    monkeypatch.setattr(shared_service, "IDENTIFY_APART_SECONDS", 0.05)
    before = beating()
    assert 2 * MANY_SHARDS > shared_service.FEW_STARTS
    async with local_table() as world, AsyncExitStack() as stack:
        gateway = world.discord.gateway
        gateway.shards = MANY_SHARDS
        first, tenure = await stack.enter_async_context(referee_of(world, postgres_place, "first"))
        await running(stack, first)
        await world.until(lambda: serve(first, set(range(MANY_SHARDS))))
        gateway.starts_left = 2 * MANY_SHARDS - 1
        second, _ = await stack.enter_async_context(referee_of(world, postgres_place, "second"))
        await running(stack, second)
        known = "SELECT count(*) FROM process"
        await world.until(lambda: read_rows(postgres_place, known) == [(2,)])
        await first.store.engine.write(
            lambda connection: connection.execute("UPDATE process SET since = since - INTERVAL '1 hour'")
        )

        def looked(words: str) -> bool:
            tenure.look()
            return words in caplog.text

        await world.until(lambda: looked(f"no shard is moved: {2 * MANY_SHARDS - 1} of the day's connections are left"))
        await world.settle(1.0)
        assert serve(first, set(range(MANY_SHARDS)))
        assert second.tenure is not None
        assert second.tenure.served == set()
        gateway.starts_left = stand_in.STARTS
        await world.until(lambda: looked("") and len(tenure.served) == MANY_SHARDS // 2 + 1)
    assert beating() <= before, "a connection that was given up before it was made goes on"


async def test_a_shard_that_is_taken_while_a_process_ends_is_not_connected(postgres_place: SecretStr) -> None:
    """The leases are renewed to the last: a neighbour that ends first leaves a shard to the one that is ending."""
    async with two_referees(postgres_place) as (_, first, second):
        await second.close()
        await first.close()
        assert first.sharing is not None
        under_way = asyncio.all_tasks()
        first.sharing.begin(1)
        assert asyncio.all_tasks() == under_way


def beating() -> set[KeepAliveHandler]:
    """Return whose hearts beat: discord.py gives each connection a thread for it."""
    return {each for each in threading.enumerate() if isinstance(each, KeepAliveHandler) and not each._stop_ev.is_set()}


async def running(stack: AsyncExitStack, client: RefereeClient) -> None:
    task = asyncio.create_task(client.run_until_closed())
    stack.push_async_callback(asyncio.wait, (task,))
    stack.push_async_callback(client.close)


async def test_with_few_connections_left_no_shard_is_taken_from_who_lives(
    postgres_place: SecretStr, caplog: pytest.LogCaptureFixture
) -> None:
    async with two_referees(postgres_place) as (world, first, _):
        assert first.sharing is not None
        before = first.sharing.takes_from_living
        world.discord.gateway.starts_left = shared_service.FEW_STARTS - 1
        assert not await first.sharing.may_move()
        assert (before, first.sharing.takes_from_living) == (True, False)
        assert "19 of the day's connections are left" in caplog.text
        await first.store.set_meta(shared_service.STARTS, json.dumps([19, 1000, time.time() + 60]))
        told = await asyncio.to_thread(processes, postgres_place)
        assert [(each.name, each.shards) for each in told.processes] == [("first", (0,)), ("second", (1,))]
        assert told.starts_left == (19, 1000)
