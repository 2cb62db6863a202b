"""A copy takes the place of the database: a file, which keeps the old one, or an empty PostgreSQL."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pydantic import SecretStr

from data import failures, schema
from data.backup import write_through
from data.check import check, damages
from data.database import open_to_read
from data.lock import FileLock
from data.marking import marks
from rules.errors import StoreFailure

_BESIDE = ("-wal", "-journal")  # what SQLite would replay over the copy


@dataclass(frozen=True, slots=True)
class Restored:
    """What is in the database now."""

    channels: int
    steps: int  # rows of the log
    newest: str | None  # when the last of them was, in UTC
    before: Path | None  # the database before it is kept here
    faults: tuple[str, ...]  # what does not load; the rest does


async def restore(file: Path, place: Path | SecretStr, today: date) -> Restored:
    """Put a referee's SQLite file in the database's place. Raises: StoreFailure, having changed nothing."""
    done = await asyncio.to_thread(_restore, file, place, today)
    return Restored(*done, faults=await check(place))


def _restore(file: Path, place: Path | SecretStr, today: date) -> tuple[int, int, str | None, Path | None]:
    if not file.exists():
        raise failures.no_database(file)
    if file.is_dir():
        raise failures.a_folder(file)
    if isinstance(place, Path):
        return _into_file(file, place, today)
    from data.postgres.transfer import fill  # noqa: PLC0415 - a file need not wait for psycopg

    with tempfile.TemporaryDirectory() as folder, _sound_copy(file, Path(folder) / "newest.sqlite3") as copy:
        fill(copy, place)
        return *_told(copy), None


def _into_file(file: Path, path: Path, today: date) -> tuple[int, int, str | None, Path | None]:
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock.take(path)
        try:
            if path.exists() and file.samefile(path) and not marks.is_foreign(path):
                raise failures.itself(file)
            with _sound_copy(file, unfinished) as copy:
                told = _told(copy)
                marks.put(copy, marks.new_mark())
            write_through(unfinished)
            before = _put_aside(path, today)
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
            lock.release()
    except OSError as error:
        raise failures.not_written(path, error) from error
    return *told, before


@contextmanager
def _sound_copy(file: Path, into: Path) -> Iterator[sqlite3.Connection]:
    """Copy a file, bring the copy up to date, and look whether it is whole. Raises: StoreFailure, OSError."""
    os.close(os.open(into, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    try:
        with closing(_source(file)) as source, closing(sqlite3.connect(into, isolation_level=None)) as copy:
            schema.require_ours(source, schema.newest(), file)
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            schema.migrate(copy)
            damaged = damages(copy)
            if damaged:
                raise StoreFailure(f"{file} is damaged ({damaged[0]}), and nothing was changed. Name another copy.")
            yield copy
    except sqlite3.Error as error:
        raise StoreFailure(f"{file} cannot be read as a database: {error}.") from error


def _source(file: Path) -> sqlite3.Connection:
    """Open the file to restore: with its own log, but with no other's."""
    logs = [marks.size_of(marks.companion(file, ending)) for ending in _BESIDE]
    return marks.open_alone(file) if marks.is_foreign(file) or not any(logs) else open_to_read(file)


def _told(copy: sqlite3.Connection) -> tuple[int, int, str | None]:
    channels = copy.execute("SELECT count(*) FROM channel").fetchone()[0]
    steps, newest = copy.execute("SELECT count(*), max(at) FROM log").fetchone()
    return channels, steps, newest


def _put_aside(path: Path, today: date) -> Path | None:
    """Keep the database under another name, and leave nothing that belongs to it beside its place.

    Its place is never empty meanwhile: a start that comes then would make a new database.
    """
    if not path.exists() and not _logs(path):
        return None
    before, is_foreign = _free_name(path, today), marks.is_foreign(path)
    if path.exists():
        if not is_foreign:
            with suppress(sqlite3.Error), closing(sqlite3.connect(path, isolation_level=None)) as old:
                old.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # if that fails it stays a file and its log
        try:
            os.link(path, before)
        except OSError:  # a file system without links
            shutil.copy2(path, before)
    for log, ending in _logs(path):
        log.replace(marks.companion(before, f".other{ending}" if is_foreign else ending))
    for ending in (*_BESIDE, "-shm", ".mark"):
        marks.companion(path, ending).unlink(missing_ok=True)
    return before


def _logs(path: Path) -> list[tuple[Path, str]]:
    logs = [(marks.companion(path, ending), ending) for ending in _BESIDE]
    return [(log, ending) for log, ending in logs if marks.size_of(log)]


def _free_name(path: Path, today: date) -> Path:
    name = marks.companion(path, f".before-{today.isoformat()}")
    number = 1
    while name.exists() or any(_logs(name)):
        number += 1
        name = marks.companion(path, f".before-{today.isoformat()}-{number}")
    return name
