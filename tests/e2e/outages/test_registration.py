"""Commands are sent by one process alone, and an older version leaves a newer one's as they are."""

from __future__ import annotations

import asyncio
import json
import time

import pytest
from pydantic import SecretStr

from bot.cli.status import processes
from bot.discord import registration, shared_service
from bot.discord.shared_service import STARTS
from tests.e2e.neighbours import two_referees
from tests.store.steps import read_rows


async def test_an_older_version_leaves_the_commands_of_a_newer_one(
    postgres_place: SecretStr, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with two_referees(postgres_place) as (world, first, second):
        commands = world.discord.server.commands
        await asyncio.wait_for(commands.registered.wait(), 10)
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
        await first.store.set_meta(STARTS, json.dumps([19, 1000, time.time() + 60]))
        told = await asyncio.to_thread(processes, postgres_place)
        assert [line.split(", version")[0] for line in told[:2]] == ["first", "second"]
        assert [line.split(": ")[1] for line in told] == ["shard 0", "shard 1", "19 of 1000"]
