"""The program itself on PostgreSQL: a takeover after a kill, a process that hung, and no address in a log."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from pydantic import SecretStr

from bot.running import NoTokens
from bot.settings import SettingsError, load_settings
from data.store import Store
from tests.e2e.loopback import local_table
from tests.e2e.referee import prompts
from tests.postgres import Server
from tests.trust.stage.play import ROOT, launch, start_bot
from tests.trust.stage.shared_database import NOWHERE, environment


async def test_a_killed_referee_is_followed_by_another_and_no_step_is_lost(
    tmp_path: Path, postgres_place: SecretStr
) -> None:
    settings = environment(postgres_place, tmp_path)
    file = tmp_path / "referee.sqlite3"
    await (await Store.open(file)).close()
    async with local_table() as world:
        first = await start_bot(world, NOWHERE, **settings, PROCESS_NAME="first")
        gwen = world.person("Gwen")
        await gwen.slash("/init start name:Ambush")
        await gwen.slash("/gm add name:Goblin sheet:HP 20, AC 12 count:3")
        await gwen.slash("/init next")
        await world.until(lambda: len(prompts(gwen)) == 1)
        second = await launch(world, NOWHERE, asyncio.subprocess.PIPE, **settings, PROCESS_NAME="second")
        wrong = await launch(world, NOWHERE, asyncio.subprocess.PIPE, **settings, SHARD_COUNT="2")
        _, told = await asyncio.wait_for(wrong.communicate(), 300)
        assert (wrong.returncode, told.decode()) == (
            2,
            "SHARD_COUNT: the processes that run serve 1 shards, not 2. To change it, stop all of them.\n",
        )
        checked, filled, listed = await asyncio.gather(
            *(
                asyncio.to_thread(command, postgres_place, tmp_path, *words)
                for words in (("check",), ("restore", str(file)), ("status",))
            )
        )
        assert listed.returncode == 0, listed
        assert "first, version" in listed.stdout
        assert "second, version" in listed.stdout
        assert listed.stdout.endswith(
            "To see the numbers of one process, set PROCESS_NAME to its name on its own machine.\n"
        )
        assert (checked.returncode, "is sound" in checked.stdout) == (0, True), checked
        assert (filled.returncode, "A referee runs with the database at" in filled.stdout) == (1, True), filled
        assert second.returncode is None, "it waits"
        assert world.discord.gateway.identified == 1
        first.send_signal(signal.SIGKILL)
        await first.wait()
        await world.until(lambda: world.discord.gateway.identified == 2)
        await world.discord.bot_connected()
        told_by = await gwen.slash("/encounter log")
        assert "Ambush" in told_by.text or "Goblin" in told_by.text
        await gwen.slash("/init next")
        second.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(second.wait(), 300) == 0
    with psycopg.connect(postgres_place.get_secret_value()) as session:
        seqs = [seq for (seq,) in session.execute("SELECT seq FROM log ORDER BY channel, seq").fetchall()]
        assert seqs == list(range(1, len(seqs) + 1))
        assert len(seqs) >= 4
        assert session.execute("SELECT owner FROM lease").fetchall() == [(None,)]
        assert session.execute("SELECT name FROM process").fetchall() == [("first",)]  # the one that was killed


def command(url: SecretStr, folder: Path, *words: str, **given: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bot", *words], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
        env={**os.environ, **environment(url, folder, **given)},
    )  # fmt: skip


def test_a_file_is_brought_to_postgres_checked_and_brought_back_by_typing(tmp_path: Path, postgres: Server) -> None:
    path, back = tmp_path / "referee.sqlite3", tmp_path / "back.sqlite3"
    made = subprocess.run(
        [sys.executable, "-c", MAKE, str(path)], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    assert made.returncode == 0, made.stderr
    with postgres.database(empty=True) as url:
        for words, code, said in (
            (("check",), 1, "schema 0 instead of"),
            (("status",), 1, "No referee is connected to this database."),
            (("restore", str(path)), 0, "is restored from"),
            (("restore", str(path)), 1, "is not empty"),
            (("check",), 0, "is sound"),
            (("backup", str(back)), 0, "is copied to"),
            (("health",), 1, "not connected"),
            (("restore", str(tmp_path / "none")), 1, "There is no database"),
            (("restore", str(tmp_path)), 1, "is a folder. Name a file in it."),
        ):
            told = command(url, tmp_path, *words)
            assert (told.returncode, said in told.stdout) == (code, True), (words, told)
            assert url.get_secret_value() not in told.stdout + told.stderr
        told = command(url, tmp_path, "check", DATABASE_URL="", DATABASE_PATH=str(back))
        assert (told.returncode, "is sound" in told.stdout) == (0, True), told


@pytest.mark.parametrize("words", [("check",), ("status",), ("backup", "copy"), ("restore", "file.sqlite3")])
def test_a_command_says_why_the_database_cannot_be_reached(
    tmp_path: Path, postgres: Server, words: tuple[str, ...]
) -> None:
    (tmp_path / "file.sqlite3").write_bytes(b"")
    told = command(SecretStr(postgres.of("nowhere")), tmp_path, words[0], *(str(tmp_path / each) for each in words[1:]))
    assert (told.returncode, told.stdout.count("\n")) == (1, 1), told
    assert told.stdout.endswith(': database "nowhere" does not exist.\n'), told
    assert told.stderr == ""


def test_a_process_whose_clock_is_off_says_so_in_one_line_and_ends_with_code_1(
    tmp_path: Path, postgres_place: SecretStr
) -> None:
    (tmp_path / "sitecustomize.py").write_text("import time\ntrue = time.time\ntime.time = lambda: true() - 60\n")
    given = {"DISCORD_TOKEN": "abc.def", "LOG_LEVEL": "ERROR", "PYTHONPATH": str(tmp_path)}
    told = command(postgres_place, tmp_path, "--no-local-table", **given)
    assert told.returncode == 1, told
    assert re.fullmatch(
        r"This machine's clock is 6\d s away from that of PostgreSQL at 127\.0\.0\.1/\w+\. Set it right\.\n",
        told.stderr,
    )
    assert told.stdout == ""


MAKE = """
import asyncio, pathlib, sys
from data.store import Store
from tests.store.steps import commit
async def main():
    store = await Store.open(pathlib.Path(sys.argv[1]))
    await store.commit(commit(1))
    await store.close()
asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"DATABASE_URL": "postgresql://a:b@c/d", "DATABASE_PATH": "x"}, "DATABASE_URL and DATABASE_PATH are both set"),
        ({"DATABASE_URL": "mysql://me:s3cret@host/name"}, "DATABASE_URL: it must be of the form postgresql://"),
        ({"DATABASE_URL": "postgresql://me:s3cret@host"}, "DATABASE_URL: it must be of the form postgresql://"),
        ({"REQUESTS_A_SECOND": "0"}, "0 is not a number from 1 to 1000"),
        ({"SHARD_COUNT": "many"}, "many is not a number of shards"),
        ({"LEASE_SECONDS": "3"}, "3 is not a number of seconds from 5 to 120"),
    ],
)
def test_a_wrong_setting_is_one_line_without_the_address(given: dict[str, str], words: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings(given, None)
    assert words in str(caught.value)
    assert "s3cret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_both_databases_end_the_program_with_code_2(tmp_path: Path) -> None:
    told = command(SecretStr("postgresql://me:s3cret@host/name"), tmp_path, DATABASE_PATH=str(tmp_path / "x"))
    assert told.returncode == 2
    assert told.stderr == "DATABASE_URL and DATABASE_PATH are both set: remove one.\n"


def test_no_log_holds_the_address_or_its_password() -> None:
    import logging

    settings = load_settings({"DATABASE_URL": "postgresql://me:s3cret@host/name", "DISCORD_TOKEN": "abc.def"}, None)
    record = logging.LogRecord(
        "x", logging.ERROR, "x.py", 1, "%s", ("postgresql://me:s3cret@host/name or s3cret, abc.def",), None
    )
    assert NoTokens(*settings.secrets).format(record).endswith("[token] or [token], [token]")
