"""What the host can rely on: no token in a log, a clear word at the start, and a local table for its own page alone."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
from itertools import product
from pathlib import Path

import aiohttp
import pytest

from bot.running import NoTokens
from tests.e2e.loopback import local_table
from tests.trust.stage.play import launch, start_bot


async def test_no_token_is_in_a_log_whatever_goes_wrong(tmp_path: Path) -> None:
    async with local_table() as world:
        database = tmp_path / "referee.sqlite3"
        process = await launch(world, database, asyncio.subprocess.PIPE, LOG_LEVEL="DEBUG")
        assert process.stderr is not None
        reading = asyncio.create_task(process.stderr.read())
        await world.discord.bot_connected()
        ana = world.person("Ana")
        world.discord.sabotage(r"POST /interactions/.*/callback", status=429)  # discord.py logs the whole address
        world.discord.sabotage(r"POST /interactions/.*/callback", status=429, more={})
        world.discord.sabotage(r"POST /interactions/.*/callback", status=400, code=50035)
        tokens = [ana.begin(f"/roll dice:{number}d6").token for number in range(1, 5)]
        await asyncio.sleep(2.5)
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 300) == 0
        log = (await reading).decode()
    assert "rate limited" in log
    assert "/interactions/" in log
    assert [token for token in (*tokens, world.discord.token) if token in log] == []


def _fail(words: str) -> None:
    raise RuntimeError(words)


def test_a_traceback_in_the_log_holds_no_token() -> None:
    try:
        _fail("GET /webhooks/12/very-secret_token.x/messages with Bot abc.def")
    except RuntimeError:
        record = logging.LogRecord(
            "x", logging.ERROR, "x.py", 1, "%s", ("/interactions/7/tok-en/callback",), sys.exc_info()
        )
    text = NoTokens("abc.def").format(record)
    assert "/webhooks/12/[token]/messages with Bot [token]" in text
    assert "/interactions/7/[token]/callback" in text


@pytest.mark.parametrize(
    ("status", "words"),
    [(401, "DISCORD_TOKEN: the server does not accept this token"), (404, "there is no Discord")],
)
async def test_what_a_person_must_change_is_one_clear_line_and_code_2(
    tmp_path: Path, status: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONWARNINGS", "default")
    async with local_table() as world:
        world.discord.sabotage("GET /users/@me", times=1, status=status)
        process = await launch(world, tmp_path / "referee.sqlite3", asyncio.subprocess.PIPE)
        _, told = await asyncio.wait_for(process.communicate(), 300)
    text = told.decode()
    assert process.returncode == 2
    assert words in text
    assert "Traceback" not in text
    assert world.discord.token not in text


async def _line_with(process: asyncio.subprocess.Process, words: str) -> str:
    assert process.stderr is not None
    try:
        async with asyncio.timeout(300):
            while (line := (await process.stderr.readline()).decode()) and words not in line:
                assert "Traceback" not in line
    except TimeoutError:
        process.kill()
        raise
    return line


@pytest.mark.parametrize("route", ["GET /users/@me", "GET /gateway/bot"])
async def test_a_server_that_is_down_at_the_start_is_tried_again(
    tmp_path: Path, route: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONWARNINGS", "default")
    async with local_table() as world:
        world.discord.sabotage(route, times=1, status=503)
        process = await launch(world, tmp_path / "referee.sqlite3", asyncio.subprocess.PIPE, LOG_LEVEL="INFO")
        assert process.stderr is not None
        assert "Trying again in 2 s." in await _line_with(process, "answer")
        reading = asyncio.create_task(process.stderr.read())
        await world.discord.bot_connected()
        assert "1d6" in (await world.person("Ana").slash("/roll dice:1d6")).text
        process.terminate()
        assert await asyncio.wait_for(process.wait(), 300) == 0
        rest = (await reading).decode()
    assert "Traceback" not in rest
    assert "Warning" not in rest, "an unclosed session"


async def test_without_a_network_the_program_waits_longer_each_time_and_can_be_stopped(tmp_path: Path) -> None:
    with socket.socket() as nobody:  # bound, and not listening
        nobody.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{nobody.getsockname()[1]}/api"
        async with local_table() as world:
            process = await launch(
                world, tmp_path / "r.sqlite3", asyncio.subprocess.PIPE, LOG_LEVEL="WARNING", DISCORD_API_URL=url
            )
            for pause in (2, 5):
                line = await _line_with(process, "answer")
                assert f"does not answer (ClientConnectorError). Trying again in {pause} s." in line
            process.terminate()
            assert await asyncio.wait_for(process.wait(), 300) == 0


async def test_a_service_without_a_token_ends_with_code_2(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "--no-local-table",
        env={**os.environ, "DISCORD_TOKEN": "", "DISCORD_TOKN": "abc", "DATABASE_PATH": str(tmp_path / "r.sqlite3")},
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    _, told = await asyncio.wait_for(process.communicate(), 300)
    assert process.returncode == 2
    assert told.decode().splitlines() == [
        "Environment: DISCORD_TOKN is not a setting. Did you mean DISCORD_TOKEN?",
        "DISCORD_TOKEN is not set, and nobody could see a local table here.",
    ]


async def test_a_taken_port_names_another_and_ends_with_code_2(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot",
            env={**os.environ, "DISCORD_TOKEN": "", "LOCAL_PORT": port, "DATABASE_PATH": str(tmp_path / "r.sqlite3")},
            stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        _, told = await asyncio.wait_for(process.communicate(), 300)
    assert process.returncode == 2
    assert f"port {port} on 127.0.0.1 is taken" in told.decode()


async def test_commands_that_cannot_be_sent_at_the_start_keep_nobody_from_playing(tmp_path: Path) -> None:
    async with local_table() as world:
        database = tmp_path / "referee.sqlite3"
        process = await start_bot(world, database)
        process.terminate()
        await process.wait()
        world.discord.sabotage(r"GET /applications/\d+/commands", times=1, status=404)
        world.discord.sabotage(r"PUT /applications/\d+/commands", times=1, status=400, code=30034)
        process = await start_bot(world, database)
        try:
            assert "1d6" in (await world.person("Ana").slash("/roll dice:1d6")).text
        finally:
            process.terminate()
            await process.wait()


async def test_the_local_table_listens_on_this_machine_alone() -> None:
    async with local_table() as world:
        runner = world.discord._runner
        assert runner is not None
        assert [address[0] for address in runner.addresses] == ["127.0.0.1"]
        with (
            pytest.raises(ConnectionRefusedError),
            socket.create_connection(("127.0.0.2", world.discord.port), timeout=1),
        ):
            pass


STRANGERS = (
    {"Origin": "http://example.org"},
    {"Origin": "null"},
    {"Origin": "https://127.0.0.1:{port}"},
    {"Origin": "http://127.0.0.1:{port}.example.org"},
    {"Host": "example.org"},
    {"Host": "127.0.0.1"},
    {"Host": "127.0.0.1:{port}.example.org"},
)
PATHS = ("/", "/page", "/page/app.js", "/api/v10/users/@me", "/gateway", "/files/a/b.png")


async def test_another_site_gets_nothing_from_the_local_table() -> None:
    async with local_table() as world, aiohttp.ClientSession() as session:
        port = str(world.discord.port)
        for path, headers in product(PATHS, STRANGERS):
            sent = {name: value.replace("{port}", port) for name, value in headers.items()}
            async with session.get(world.discord.root + path, headers=sent) as answer:
                assert answer.status == 403, (path, sent)
                assert "Access-Control-Allow-Origin" not in answer.headers
