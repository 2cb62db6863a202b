"""The host's numbers: counted, written beside the database, said by `status`, served on this machine alone."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from pathlib import Path

import aiohttp
import pytest

from bot.numbers import Numbers, words_of
from tests.e2e.loopback import local_table
from tests.e2e.referee import duel, refereed
from tests.trust.stage.play import launch


async def test_the_numbers_follow_what_happens(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        numbers = Numbers(client.tables, client.requests, client.places, client.responses, client.served)
        await duel(world, client)
        world.discord.sabotage(r"PATCH /channels/.*/messages/", status=403, code=50013)
        world.discord.sabotage(r"POST /interactions/.*/callback", status=404, code=10062)
        world.person("Ana").begin("/roll dice:1d20")
        await world.until(lambda: client.responses.late == 1)
        await numbers.look()
        said = list(words_of(numbers.text().decode()))
    assert "shards connected (connected): 1" in said
    assert "servers: 1" in said
    assert "tables (running): 1" in said
    assert "requests refused (404): 1" in said
    assert "answers that came too late for Discord: 1" in said
    assert "overdue waits: 0" in said
    assert any(line.startswith("memory, bytes: ") for line in said)
    steps = next(line for line in said if line.startswith("steps since the start"))
    assert int(steps.split(": ")[1]) >= 4


async def test_status_reads_a_running_referee_and_the_port_has_the_same(tmp_path: Path) -> None:
    database = tmp_path / "referee.sqlite3"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    code, said = await _status(database)
    assert (code, said) == (1, "No referee is connected to this database.")
    async with local_table() as world:
        process = await launch(world, database, METRICS_PORT=str(port))
        await world.discord.bot_connected()
        alive = database.with_name(database.name + ".alive")
        await world.until(alive.exists)
        code, said = await _status(database)
        assert code == 0
        assert "servers: 1" in said
        assert "shards connected (connected): 1" in said
        async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}/metrics") as page:
            assert "referee_servers 1.0" in await page.text()
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 300) == 0
    assert not alive.exists()


@pytest.mark.parametrize(("host", "names"), [(None, {"127.0.0.1", "localhost"}), ("0.0.0.0", {"127.0.0.1", "a.test"})])  # noqa: S104 - as a host sets it
async def test_the_port_answers_to_this_machine_s_names_alone_unless_it_has_an_address(
    host: str | None, names: set[str], tmp_path: Path
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    async with refereed(tmp_path / "referee.sqlite3") as (_, client):
        numbers = Numbers(client.tables, client.requests, client.places, client.responses, client.served)
        server = numbers.serve(port, host)
        try:
            async with aiohttp.ClientSession() as session:
                for name in ("127.0.0.1", "localhost", "a.test"):
                    headers = {"Host": f"{name}:{port}"}
                    async with session.get(f"http://127.0.0.1:{port}/metrics", headers=headers) as page:
                        assert (page.status == 200) == (name in names or host is not None)
        finally:
            await asyncio.to_thread(server.shutdown)
            server.server_close()


async def test_health_says_no_as_soon_as_the_gateway_is_gone(tmp_path: Path) -> None:
    database = tmp_path / "referee.sqlite3"
    alive = database.with_name(database.name + ".alive")
    async with local_table() as world:
        process = await launch(world, database)
        await world.discord.bot_connected()
        await world.until(alive.exists)
        await world.discord.stop()
        await world.until(lambda: not alive.exists())
        process.kill()
        await process.wait()


async def _status(database: Path) -> tuple[int | None, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "status",
        env={**os.environ, "DATABASE_PATH": str(database)},
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    told, _ = await asyncio.wait_for(process.communicate(), 300)
    return process.returncode, told.decode().strip()


def test_every_number_that_a_host_reads_has_words() -> None:
    assert list(words_of("# TYPE referee_servers gauge\nreferee_servers 3.0\n")) == ["servers: 3"]
    with pytest.raises(ValueError, match="could not convert"):
        list(words_of("referee_servers x\n"))
