"""A disk that is full, a database that another program holds, one that is damaged, and one that is newer."""

from __future__ import annotations

import asyncio
import hashlib
import resource
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from data.check import check
from data.database import _hop
from data.store import Store
from tests.e2e.loopback import Table, local_table
from tests.e2e.referee import duel, export, prompts, quiet, refereed
from tests.store.steps import file_of
from tests.trust.stage.play import launch, start_bot


async def test_on_a_full_disk_nothing_is_half_done_and_the_game_goes_on_when_there_is_room(tmp_path: Path) -> None:
    database = tmp_path / "referee.sqlite3"
    async with refereed(database) as (world, client):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        await duel(world, client)
        before = await export(gwen)
        writer = file_of(client.store)._writer

        def full(connection: sqlite3.Connection) -> int:
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            return int(connection.execute(f"PRAGMA max_page_count = {pages}").fetchone()[0])

        await _hop(writer, full)
        kept, refused = 0, 0
        for number in range(60):  # what is free inside the file is used up first
            told = await gwen.slash(f"/gm note target:Ana text:{number} {'x' * 300}")
            if "Nothing was done" in told.text:
                assert "full" in told.text
                refused += 1
            else:
                kept += 1
            if refused > 2:
                break
        assert refused > 2
        now = await export(gwen)
        assert len(now["log"]) == len(before["log"]) + kept
        assert now["turn"] == before["turn"]
        await _hop(writer, lambda connection: connection.execute("PRAGMA max_page_count = 1073741823").fetchone())
        await ana.press(prompts(ana)[0], "End turn")
        await quiet(world, client)
        assert (await export(gwen))["turn"] == ["Goblin"]
    assert await check(database) == ()


async def test_a_file_that_may_not_grow_loses_nothing_acknowledged(tmp_path: Path) -> None:
    database = tmp_path / "referee.sqlite3"
    async with local_table() as world:
        process = await start_bot(world, database)
        rolled = 0
        try:
            await world.person("Gwen").slash("/init start")
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))
            for number in range(150):
                answer = await world.person("Ana").slash(f"/roll dice:40d6 reason:{number}")
                if answer.ephemeral:
                    break
                rolled += 1
            assert "Nothing was done" in answer.text
            assert await check(database) == ()
        finally:
            process.kill()
            await process.wait()
        process = await start_bot(world, database)
        try:
            content = await export(world.person("Gwen"))
            assert len(content["log"]) >= rolled
            assert not (await world.person("Ana").slash("/roll dice:1d6")).ephemeral
        finally:
            process.terminate()
            await process.wait()
    assert await check(database) == ()


async def test_a_step_waits_for_another_program_and_is_refused_if_it_holds_the_file_too_long(tmp_path: Path) -> None:
    database = tmp_path / "referee.sqlite3"
    async with refereed(database) as (world, client):
        ana = world.person("Ana")
        await duel(world, client)
        await _hop(file_of(client.store)._writer, lambda found: found.execute("PRAGMA busy_timeout = 150").fetchone())
        with closing(sqlite3.connect(database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            told = await ana.press(prompts(ana)[0], "End turn")
            assert "Nothing was done" in told.text
            assert "locked" in told.text
            other.execute("ROLLBACK")
        await ana.press(prompts(ana)[0], "End turn")
        await quiet(world, client)
        assert (await export(world.person("Gwen")))["turn"] == ["Goblin"]


async def _started(world: Table, database: Path) -> tuple[int | None, str]:
    process = await launch(world, database, asyncio.subprocess.PIPE)
    try:
        _, told = await asyncio.wait_for(process.communicate(), 300)
    finally:
        if process.returncode is None:
            process.kill()
    return process.returncode, told.decode()


@pytest.mark.parametrize("kind", ["locked", "damaged", "newer", "another program's"])
async def test_a_database_that_cannot_be_used_is_one_clear_line_and_stays_as_it_is(tmp_path: Path, kind: str) -> None:
    database = tmp_path / "referee.sqlite3"
    store = await Store.open(database)
    await store.set_meta("kept", "x" * 20_000)
    await store.close()
    expected = {
        "locked": "locked by another program. Close that one",
        "damaged": "is damaged",
        "newer": "newer version of this program",
        "another program's": "database of another program",
    }[kind]
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        if kind == "newer":
            other.execute("PRAGMA user_version = 9999")
        if kind == "another program's":
            other.execute("PRAGMA application_id = 7")
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        if kind == "locked":
            other.execute("PRAGMA journal_mode = DELETE")  # with a write-ahead log it could still be read
        if kind == "damaged":
            content = bytearray(database.read_bytes())
            content[4096 : 4096 + 3000] = b"\xff" * 3000
            database.write_bytes(content)
        before = hashlib.sha256(database.read_bytes()).hexdigest()
        if kind == "locked":  # after the last look: closing a file of ours gives up all our locks on it
            other.execute("BEGIN EXCLUSIVE")
        async with local_table() as world:
            code, told = await _started(world, database)
    assert code == 1, told
    assert expected in told
    assert len(told.strip().splitlines()) == 1
    assert hashlib.sha256(database.read_bytes()).hexdigest() == before
