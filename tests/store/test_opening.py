import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from data import schema
from data.database import is_truncated
from data.lock import FileLock
from data.store import Store
from rules.errors import StoreFailure
from tests.quick_disk import PROMISED
from tests.store.steps import commit, file_of, opened

ROOT = Path(__file__).parents[2]


async def a_database(path: Path, steps: int = 3) -> None:
    async with opened(path) as store:
        for seq in range(1, steps + 1):
            await store.commit(commit(seq))


def digest(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".lock"}


# Migrations


def test_every_migration_applies_in_order_and_is_recorded() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    known = schema.migrations()
    assert known
    for before, migration in zip((0, *(each.number for each in known)), known, strict=False):
        assert schema.version(connection) == before
        connection.execute("BEGIN")
        for statement in migration.statements(schema.SQLITE):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {migration.number}")
        connection.execute("COMMIT")
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
    connection.close()


def test_no_statement_of_a_migration_is_lost() -> None:
    script = "-- one; two\nCREATE TABLE a (\n    b TEXT DEFAULT ';'\n);\n\nINSERT INTO a VALUES (1);\n-- the end\n"
    assert len(schema.statements(script)) == 2
    with pytest.raises(StoreFailure, match="in the middle of a statement"):
        schema.statements(script + "DROP TABLE a")


async def test_an_older_database_is_brought_up_to_date_and_keeps_its_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "r.sqlite3"
    await a_database(path)
    folder = tmp_path / "migrations"
    shutil.copytree(schema.MIGRATIONS, folder)
    number = schema.newest() + 1
    (folder / f"{number:04}_later.sql").write_text(
        "ALTER TABLE person ADD COLUMN since REAL;\nCREATE TABLE later (a TEXT);\n"
    )
    with monkeypatch.context() as later:
        later.setattr("data.store.MIGRATIONS", folder)
        store = await Store.open(path)
    assert len(await store.log("c")) == 3
    await store.close()
    with pytest.raises(StoreFailure, match=rf"newer version .* \(schema {number};"):
        await Store.open(path)


async def test_a_migration_that_fails_leaves_the_database_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "r.sqlite3"
    await a_database(path)
    folder = tmp_path / "migrations"
    shutil.copytree(schema.MIGRATIONS, folder)
    number = schema.newest() + 1
    (folder / f"{number:04}_good.sql").write_text("CREATE TABLE good (a TEXT);")
    (folder / f"{number + 1:04}_bad.sql").write_text(
        "CREATE TABLE half (a TEXT);\nDELETE FROM log;\nINSERT INTO nowhere VALUES (1);"
    )
    monkeypatch.setattr("data.store.MIGRATIONS", folder)
    with pytest.raises(StoreFailure, match=r"_bad\.sql failed and was taken back"):
        await Store.open(path)
    with sqlite3.connect(path) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        assert schema.version(connection) == number  # the one before it is kept
        assert connection.execute("SELECT count(*) FROM log").fetchone() == (3,)
    connection.close()
    assert "good" in tables
    assert "half" not in tables
    (folder / f"{number + 1:04}_bad.sql").write_text("CREATE TABLE whole (a TEXT);")
    store = await Store.open(path)
    assert len(await store.log("c")) == 3
    await store.close()


def test_migrations_with_a_gap_in_their_numbers_are_refused(tmp_path: Path) -> None:
    for number in (schema.FIRST, schema.FIRST + 2):
        (tmp_path / f"{number:04}_x.sql").write_text("SELECT 1;")
    with pytest.raises(StoreFailure, match="not numbered"):
        schema.migrations(tmp_path)


# One process


HOLDER = """
import asyncio, sys, pathlib
from data.store import Store
async def main():
    store = await Store.open(pathlib.Path(sys.argv[1]))
    print("open", flush=True)
    sys.stdin.read()
asyncio.run(main())
"""


def holder(path: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "open\n"
    return process


async def test_a_second_process_is_refused_until_the_first_has_gone(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite3"
    with holder(path) as process:
        with pytest.raises(StoreFailure, match=rf"in use by another process \(number {process.pid}\)"):
            await Store.open(path)
        process.kill()
    async with opened(path) as store:
        assert await store.load_table("c") is None


async def test_one_process_opens_a_database_once(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite3"
    async with opened(path):
        with pytest.raises(StoreFailure, match="in use"):
            await Store.open(path)
    async with opened(path):
        pass


def test_a_lock_that_was_released_can_be_taken(tmp_path: Path) -> None:
    first = FileLock.take(tmp_path / "r.sqlite3")
    first.release()
    first.release()
    FileLock.take(tmp_path / "r.sqlite3").release()


# Files that are none, or not ours


@pytest.mark.parametrize("content", [b"no database at all" * 300, b"\0" * 5000, b"SQLite format 3\0" + b"\xff" * 8000])
async def test_a_file_that_is_no_database_is_refused_and_stays(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "r.sqlite3"
    path.write_bytes(content)
    with pytest.raises(StoreFailure, match="is damaged"):
        await Store.open(path)
    assert digest(tmp_path) == {"r.sqlite3": content}
    path.unlink()
    async with opened(path):  # the lock was given back
        pass


async def test_a_damaged_database_is_refused_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite3"
    await a_database(path, 200)
    content = path.read_bytes()
    damaged = content[:8192] + bytes(byte ^ 0xA5 for byte in content[8192:20480]) + content[20480:]
    path.write_bytes(damaged)
    with pytest.raises(StoreFailure, match=r"is damaged \(Page .*\)\. Nothing was changed"):
        await Store.open(path)
    assert digest(tmp_path)["r.sqlite3"] == damaged


async def test_a_database_that_was_cut_off_is_refused_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite3"
    await a_database(path, 200)
    assert not is_truncated(path)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    assert is_truncated(path)
    with pytest.raises(StoreFailure, match="is damaged"):
        await Store.open(path)
    assert digest(tmp_path)["r.sqlite3"] == content[: len(content) // 2]


async def test_a_newer_schema_is_refused_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite3"
    await a_database(path)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()
    before = digest(tmp_path)
    with pytest.raises(StoreFailure, match="newer version of this program"):
        await Store.open(path)
    assert digest(tmp_path) == before


async def test_the_database_of_a_development_version_is_refused_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite3"
    await a_database(path)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 15")
    connection.close()
    before = digest(tmp_path)
    with pytest.raises(StoreFailure, match=r"before 1\.0"):
        await Store.open(path)
    assert digest(tmp_path) == before


async def test_the_database_of_another_program_is_refused_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite3"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    before = digest(tmp_path)
    with pytest.raises(StoreFailure, match="another program"):
        await Store.open(path)
    assert digest(tmp_path) == before


async def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreFailure, match="cannot be made"):
        await Store.open(tmp_path / "file" / "r.sqlite3")
    (tmp_path / "folder.sqlite3").mkdir()
    with pytest.raises(StoreFailure, match="cannot be opened"):
        await Store.open(tmp_path / "folder.sqlite3")


async def test_a_database_locked_by_another_program_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data.database.BUSY_MS", 50)
    path = tmp_path / "r.sqlite3"
    await a_database(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA journal_mode = DELETE")
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreFailure, match="locked by another program"):
        await Store.open(path)
    other.close()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
async def test_a_new_database_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "r.sqlite3"
    async with opened(path) as store:
        await store.commit(commit(1))
        for file in path.parent.iterdir():
            assert stat.S_IMODE(file.stat().st_mode) == 0o600, file.name


async def test_the_promised_settings_are_in_force(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data.database.SYNCHRONOUS", PROMISED)
    async with opened(tmp_path / "r.sqlite3") as store:
        settings = {}
        for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout"):
            (row,) = await file_of(store)._writer.execute_fetchall(f"PRAGMA {name}")
            settings[name] = row[0]
        assert settings == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5000}
