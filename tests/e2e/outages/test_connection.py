"""The gateway: shards, closes, days with few connections left, and whether it is still there."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import discord
import pytest

from bot.discord import client as client_module
from bot.discord import connection, shards
from tests.e2e.loopback import local_table
from tests.e2e.referee import referee_at
from tests.trust.stage.play import launch

FOUR = tuple(str((1000 + number) << 22) for number in range(4))  # a server for each of four shards


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "IDENTIFY_APART_SECONDS", 0.01)


async def test_four_shards_share_the_servers_and_each_answers_in_its_own(tmp_path: Path, quick: None) -> None:
    async with local_table() as world:
        gateway = world.discord.gateway
        gateway.shards = 4
        for number, guild in enumerate(FOUR):
            world.discord.add_guild(f"hall-{number}", guild)
        async with referee_at(world, tmp_path / "r.sqlite3") as client:
            assert sorted(session.shard for session in gateway.sessions.values()) == [(n, 4) for n in range(4)]
            assert len(client.gateway) == 4
            assert len(client.guilds) == 5
            for number in range(4):
                answer = await world.person("Ana").slash("/roll dice:1d20", channel=f"hall-{number}")
                assert "1d20" in answer.text
            gwen = world.person("Gwen")
            await gwen.slash("/init start name:Ambush", channel="hall-2")
            await gwen.slash("/init add name:Goblin result:10", channel="hall-2")
            await gwen.slash("/init next", channel="hall-2")
            assert "Goblin" in gwen.last("hall-2").text
            private = await world.person("Ana").slash("/roll dice:1d6", channel="dm")
            assert "1d6" in private.text, "direct messages come on shard 0"
        assert world.faults() == []


async def test_a_host_may_ask_for_more_shards_than_are_recommended(tmp_path: Path, quick: None) -> None:
    async with local_table() as world, referee_at(world, tmp_path / "r.sqlite3", shards=3) as client:
        assert sorted(session.shard for session in world.discord.gateway.sessions.values()) == [
            (n, 3) for n in range(3)
        ]
        assert len(client.gateway) == 3
        assert "1d20" in (await world.person("Ana").slash("/roll dice:1d20")).text
    assert world.faults() == []


async def test_a_shard_that_breaks_leaves_the_others_and_comes_back(tmp_path: Path, quick: None) -> None:
    async with local_table() as world:
        gateway = world.discord.gateway
        gateway.shards = 2
        async with referee_at(world, tmp_path / "r.sqlite3") as client:
            assert client.is_connected
            line = next(s.line for s in gateway.sessions.values() if s.shard[0] == 1)
            assert line is not None
            await line.socket.close(code=4000)
            await world.until(lambda: gateway.resumed == 1)
            await world.until(lambda: client.is_connected)
            assert gateway.identified == 2


async def test_health_follows_the_gateway_and_not_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "ANSWER_SECONDS", 0.3)
    async with local_table() as world:
        world.discord.gateway.heartbeat_ms = 500
        async with referee_at(world, tmp_path / "r.sqlite3") as client:
            await asyncio.sleep(1.2)
            assert client.is_connected, "its heartbeats are answered"
            world.discord.gateway.acknowledges = False
            await world.until(lambda: not client.is_connected)
            assert client.is_ready(), "discord.py still takes it for connected"
            world.discord.gateway.acknowledges = True
            await world.until(lambda: client.is_connected)


async def test_others_wait_for_a_shard_no_longer_than_two_leases_after_its_gateway_fell_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However seldom the gateway wants a heartbeat: it is asked by the length of a lease."""
    lease_seconds = 0.5
    monkeypatch.setattr(
        client_module, "Shards", lambda hooks: shards.Shards(replace(hooks, pulse_seconds=lease_seconds))
    )
    async with local_table() as world, referee_at(world, tmp_path / "r.sqlite3") as client:
        shard = client.gateway.get(0)
        assert shard is not None
        await asyncio.sleep(3 * lease_seconds)
        await world.until(lambda: shard.away_seconds == 0)  # it is asked more often than every 41 seconds, and answers
        world.discord.gateway.acknowledges = False
        await world.until(lambda: shard.away_seconds > 0)
        assert shard.away_seconds >= 2 * lease_seconds, "it counts from the last answer"
        world.discord.gateway.acknowledges = True
        await world.until(lambda: shard.away_seconds == 0)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (4004, "DISCORD_TOKEN: the server no longer accepts this token"),
        (4010, "The gateway does not know this shard"),
        (4011, "with all its processes if there are several"),
        (4012, "version of Discord's API"),
        (4013, "does not know an intent"),
        (4014, "refuses an intent"),
    ],
)
def test_each_close_that_nothing_mends_has_its_sentence(code: int, words: str) -> None:
    closed = discord.ConnectionClosed(Mock(), shard_id=0, code=code)
    error = discord.PrivilegedIntentsRequired(0) if code == 4014 else closed
    assert words in connection.words_of_close(error, "https://example.org")


async def test_a_close_that_nothing_mends_ends_the_program_with_its_sentence(tmp_path: Path) -> None:
    async with local_table() as world:
        world.discord.gateway.refuses_with = 4010
        process = await launch(world, tmp_path / "r.sqlite3", asyncio.subprocess.PIPE, LOG_LEVEL="INFO")
        _, told = await asyncio.wait_for(process.communicate(), 300)
        assert process.returncode == 2
        assert "shard" in told.decode().splitlines()[-1]
        assert "Traceback" not in told.decode()


def limit(remaining: int, *, hours: float = 12) -> Any:
    return {"total": 1000, "remaining": remaining, "reset_after": int(hours * 3_600_000), "max_concurrency": 1}


def test_a_loop_of_restarts_never_spends_the_days_connections() -> None:
    assert connection.pause_before_start(limit(1000)) == 0
    left, waited, day = 1000, 0.0, 24 * 3600.0
    while True:
        pause = connection.pause_before_start(limit(left, hours=(day - waited) / 3600))
        waited += max(pause, 1.0)
        if waited >= day:
            break
        left -= 1
    assert left >= connection.MINIMUM_RESERVE


def test_many_shards_wait_for_as_many_connections() -> None:
    assert connection.pause_before_start(limit(505), shards=4) == 0
    assert connection.pause_before_start(limit(13), shards=4) == 12 * 3600.0
    assert connection.pause_before_start(limit(410), shards=4) == pytest.approx(12 * 3600 * 4 / 400)


async def test_with_few_connections_left_it_waits_and_can_be_stopped(tmp_path: Path) -> None:
    async with local_table() as world:
        world.discord.gateway.starts_left = 5
        world.discord.gateway.starts_come_back_ms = 3_600_000
        process = await launch(world, tmp_path / "r.sqlite3", asyncio.subprocess.PIPE, LOG_LEVEL="INFO")
        assert process.stderr is not None
        while b"connecting in 60 min" not in (line := await asyncio.wait_for(process.stderr.readline(), 300)):
            assert line, "it ended"
        process.terminate()
        await asyncio.wait_for(process.communicate(), 300)
        assert process.returncode == 0
        assert world.discord.gateway.identified == 0


async def test_it_stops_while_its_shards_are_still_connecting(tmp_path: Path) -> None:
    async with local_table() as world:
        world.discord.gateway.shards = 3
        process = await launch(world, tmp_path / "r.sqlite3", asyncio.subprocess.PIPE)
        await world.until(lambda: world.discord.gateway.identified == 1)
        process.terminate()
        _, told = await asyncio.wait_for(process.communicate(), 300)
        assert process.returncode == 0
        assert "Traceback" not in told.decode()


async def test_commands_are_sent_beside_the_connection(tmp_path: Path) -> None:
    async with local_table() as world:
        world.discord.sabotage(r"PUT /applications/\d+/commands", delay_seconds=1.5)
        process = await launch(world, tmp_path / "r.sqlite3", asyncio.subprocess.PIPE, LOG_LEVEL="INFO")
        await asyncio.wait_for(world.discord.gateway.connected.wait(), 300)
        assert not world.discord.commands.registered.is_set(), "the gateway did not wait for them"
        await world.discord.bot_connected()
        process.terminate()
        await asyncio.wait_for(process.communicate(), 300)


async def test_a_test_server_that_is_no_longer_set_loses_its_commands(tmp_path: Path) -> None:
    async with local_table() as world:
        guild, known = world.discord.world.guild_id, world.discord.commands
        for test_guild, everywhere, there in ((guild, False, True), ("", True, False)):
            process = await launch(
                world, tmp_path / "r.sqlite3", asyncio.subprocess.PIPE, LOG_LEVEL="INFO", TEST_GUILD_ID=test_guild
            )
            await _told(process, b"commands sent")
            assert (bool(known.list_for(None)), bool(known.list_for(guild))) == (everywhere, there)
            process.terminate()
            await asyncio.wait_for(process.communicate(), 300)


async def _told(process: asyncio.subprocess.Process, words: bytes) -> None:
    assert process.stderr is not None
    while words not in (line := await asyncio.wait_for(process.stderr.readline(), 300)):
        assert line, "it ended"
