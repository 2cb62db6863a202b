"""A copy takes the database's place; no start replays the log of another file over it."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import date
from functools import cache
from pathlib import Path

import pytest

from data.backup import backup
from data.check import check
from data.marking import marks
from data.restoring.restore import restore
from data.store import Store
from rules.errors import StoreFailure
from tests.store.steps import commit, everything, file_of, opened

ROOT = Path(__file__).parents[2]
TODAY = date(2026, 3, 1)
# Three steps and a copy, five more steps, and a kill: the log beside the file holds the five.
PLAYED = """
import asyncio, os, pathlib, shutil, signal, sys
from data.backup import backup
from data.store import Store
from tests.store.steps import commit
async def main():
    path, copy = map(pathlib.Path, sys.argv[1:3])
    store = await Store.open(path)
    for seq in range(1, 9):
        await store.commit(commit(seq))
        if seq == 3 and sys.argv[3] == "backup":
            await backup(path, copy)
        if seq == 3 and sys.argv[3] == "plain":
            await store._database._checkpoint()
            shutil.copyfile(path, copy)
        if seq == 5 and sys.argv[3] == "plain":
            await store._database._checkpoint()
    os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(main())
"""


@pytest.fixture(scope="module")
def killed_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """What a process leaves that is killed after eight steps: made once for each kind."""

    @cache
    def folder(kind: str) -> Path:
        made = tmp_path_factory.mktemp(kind)
        command = [sys.executable, "-c", PLAYED, str(made / "r.sqlite3"), str(made / "copy.sqlite3"), kind]
        assert subprocess.run(command, cwd=ROOT, check=False).returncode == -9
        return made

    return folder


@pytest.fixture(params=["backup"])
def killed(request: pytest.FixtureRequest, killed_once: Callable[[str], Path], tmp_path: Path) -> tuple[Path, Path]:
    """The file of a killed process with its log beside it, and the copy of its third step."""
    shutil.copytree(killed_once(request.param), tmp_path, dirs_exist_ok=True)
    return tmp_path / "r.sqlite3", tmp_path / "copy.sqlite3"


async def steps_in(path: Path) -> int:
    async with opened(path) as store:
        return len(await store.log("c"))


def beside(path: Path) -> set[str]:
    return {each.name.removeprefix(path.name) for each in path.parent.iterdir() if each.name.startswith(path.name)}


def contents(folder: Path) -> dict[Path, bytes]:
    return {each: each.read_bytes() for each in folder.iterdir() if each.suffix != ".lock"}


async def test_after_kill_9_a_copy_is_restored_and_the_old_file_is_kept_whole(
    killed: tuple[Path, Path], tmp_path: Path
) -> None:
    path, copy = killed
    done = await restore(copy, path, TODAY)
    assert (done.channels, done.steps, done.faults) == (1, 3, ())
    assert done.before == tmp_path / "r.sqlite3.before-2026-03-01"
    assert beside(path) == {"", ".lock", ".before-2026-03-01"}
    assert path.stat().st_mode & 0o077 == 0
    assert await check(path) == ()
    assert await steps_in(path) == 3
    again = await restore(done.before, path, TODAY)
    assert again.before == tmp_path / "r.sqlite3.before-2026-03-01-2"
    assert await steps_in(path) == 8, "nothing that was acknowledged is lost"


@pytest.mark.parametrize("killed", ["backup", "plain"], indirect=True)
async def test_a_file_that_was_copied_over_a_killed_one_is_refused_and_check_says_so(
    killed: tuple[Path, Path], tmp_path: Path
) -> None:
    path, copy = killed
    shutil.copyfile(copy, path)
    before = contents(tmp_path)
    (fault,) = await check(path)
    with pytest.raises(StoreFailure, match="python -m bot restore") as refused:
        await Store.open(path)
    assert str(refused.value) == fault
    assert contents(tmp_path) == before
    done = await restore(path, path, TODAY)
    assert (done.steps, done.faults) == (3, ())
    assert await steps_in(path) == 3
    assert marks.size_of(tmp_path / "r.sqlite3.before-2026-03-01.other-wal") > 0
    assert "-wal" not in beside(path)


async def test_a_log_without_its_file_is_refused(killed: tuple[Path, Path]) -> None:
    path, copy = killed
    path.unlink()
    with pytest.raises(StoreFailure, match="python -m bot restore BACKUP"):
        await Store.open(path)
    assert (await restore(copy, path, TODAY)).steps == 3
    assert await steps_in(path) == 3


async def test_a_file_copied_over_after_a_clean_end_is_refused_too(tmp_path: Path) -> None:
    path, copy = tmp_path / "r.sqlite3", tmp_path / "copy.sqlite3"
    async with opened(path) as store:
        await store.commit(commit(1))
    await backup(path, copy)
    async with opened(path) as store:
        await store.commit(commit(2))
    shutil.copyfile(copy, path)
    with pytest.raises(StoreFailure, match="python -m bot restore"):
        await Store.open(path)


async def test_a_copy_at_a_new_place_and_a_file_with_its_own_log_are_opened(
    killed: tuple[Path, Path], tmp_path: Path
) -> None:
    path, copy = killed
    assert await steps_in(copy) == 3
    other = tmp_path / "elsewhere" / "r.sqlite3"
    other.parent.mkdir()
    for ending in ("", "-wal"):
        shutil.copyfile(marks.companion(path, ending), marks.companion(other, ending))
    assert await steps_in(other) == 8
    assert await steps_in(path) == 8


async def test_a_file_that_is_in_use_is_not_restored(tmp_path: Path) -> None:
    path, copy = tmp_path / "r.sqlite3", tmp_path / "copy.sqlite3"
    async with opened(copy) as store:
        await store.commit(commit(1))
    async with opened(path):
        with pytest.raises(StoreFailure, match="in use by another process"):
            await restore(copy, path, TODAY)
    assert await steps_in(path) == 0


async def test_what_is_no_sound_copy_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite3"
    async with opened(path) as store:
        for seq in range(1, 30):
            await store.commit(commit(seq, lines=f'["{seq}{"x" * 900}"]'))
    before = everything(path)
    torn, foreign, text = (tmp_path / name for name in ("torn", "foreign", "text"))
    content = bytearray(path.read_bytes())
    content[20 * 4096 : 21 * 4096] = b"\xff" * 4096
    torn.write_bytes(content)
    with closing(sqlite3.connect(foreign)) as other:
        other.execute("CREATE TABLE a (b)")
    text.write_text("no database " * 1000)
    for file in (torn, foreign, text, tmp_path, tmp_path / "none", path):
        with pytest.raises(StoreFailure):
            await restore(file, path, TODAY)
    assert everything(path) == before
    assert not [name for name in beside(path) if "before" in name or "unfinished" in name]


async def test_what_does_not_load_in_a_copy_is_told_and_the_rest_is_restored(tmp_path: Path) -> None:
    path, copy = tmp_path / "r.sqlite3", tmp_path / "copy.sqlite3"
    async with opened(copy) as store:
        await store.commit(commit(1))
    with closing(sqlite3.connect(copy, isolation_level=None)) as other:
        other.execute("INSERT INTO person VALUES ('1', 'x', NULL)")
    done = await restore(copy, path, TODAY)
    assert len(done.faults) == 1
    assert done.before is None
    assert await steps_in(path) == 1


async def test_the_file_itself_is_never_stale_for_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import asyncio

    monkeypatch.setattr("data.database.CHECKPOINT_SECONDS", 0.05)
    path, plain = tmp_path / "r.sqlite3", tmp_path / "plain.sqlite3"
    async with opened(path) as store:
        assert marks.size_of(path) > 50_000, "it has its tables from the start on"
        await store.commit(commit(1))
        first = marks.in_file(path)
        await asyncio.sleep(0.4)
        assert marks.in_file(path) != first
        shutil.copyfile(path, plain)
        assert await check(path) == ()
    assert await steps_in(plain) == 1


async def test_a_log_that_grows_is_brought_into_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data.database.CHECKPOINT_BYTES", 100_000)
    monkeypatch.setattr("data.database._AGAIN_SECONDS", 0.0)
    path, rng = tmp_path / "r.sqlite3", random.Random(1)
    async with opened(path) as store:
        largest = 0
        for seq in range(1, 80):
            await store.commit(commit(seq, lines=rng.randbytes(20_000).hex()))
            largest = max(largest, marks.size_of(marks.companion(path, "-wal")))
        assert largest < 400_000


async def test_who_reads_for_long_keeps_nobody_waiting_and_loses_no_mark(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite3"
    async with opened(path) as store:
        await store.commit(commit(1))
        with closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM log").fetchone()
            await store.commit(commit(2))
            await file_of(store)._checkpoint()
            assert len(marks.beside(path)) == 2
            assert not marks.is_foreign(path)
            await store.commit(commit(3))
            reader.execute("ROLLBACK")
        await file_of(store)._checkpoint()
        assert marks.beside(path) == (marks.in_file(path),)


async def test_a_disk_that_takes_no_mark_stops_nobody(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite3"
    (tmp_path / "r.sqlite3.mark.new").mkdir()
    async with opened(path) as store:
        await store.commit(commit(1))
    assert await steps_in(path) == 1
