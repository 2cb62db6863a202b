"""A copy of a database that may be in use, as one SQLite file: one moment, whole."""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

from pydantic import SecretStr

from data import failures, schema
from data.database import open_to_read
from data.marking import marks
from rules.errors import StoreFailure

_DAILY = re.compile(r"referee-\d{4}-\d\d-\d\d\.sqlite3")


async def backup(place: Path | SecretStr, target: Path) -> None:
    """Copy a database, a file or PostgreSQL, to a file.

    An older copy there is replaced at once by the whole new one, or not at all. Raises: StoreFailure, also for a file
    that is no copy of ours.
    """
    await asyncio.to_thread(_copy, place, target)


async def backup_daily(place: Path | SecretStr, folder: Path, today: date, keep: int) -> tuple[Path, int]:
    """Copy a database to the day's file in a folder that keeps the newest; return it and how many went.

    Raises: StoreFailure; then nothing is deleted.
    """
    target = folder / f"referee-{today.isoformat()}.sqlite3"
    await backup(place, target)
    return target, await asyncio.to_thread(_thin, folder, keep)


def _thin(folder: Path, keep: int) -> int:
    """Delete all but the newest daily copies, and nothing of another name."""
    daily = sorted(file for file in folder.iterdir() if _DAILY.fullmatch(file.name))
    for file in daily[:-keep]:
        file.unlink()
    return len(daily[:-keep])


def _copy(place: Path | SecretStr, target: Path) -> None:
    if isinstance(place, Path) and not place.exists():
        raise failures.no_database(place)
    _require_replaceable(place, target)
    # Beside the target, since a file is replaced at once only within one file system.
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.unfinished")
    try:
        os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        if isinstance(place, Path):
            _copy_file(place, unfinished)
        else:
            _copy_postgres(place, unfinished)
        write_through(unfinished)
        unfinished.replace(target)
    except sqlite3.Error as error:
        raise failures.not_copied(error) from error
    except OSError as error:
        raise failures.not_written(target, error) from error
    finally:
        unfinished.unlink(missing_ok=True)


def _copy_file(path: Path, unfinished: Path) -> None:
    with closing(open_to_read(path)) as source, closing(sqlite3.connect(unfinished, isolation_level=None)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, complete without others beside it
        if schema.version(copy):
            marks.put(copy, marks.new_mark())  # the log beside the database is not the copy's


def _copy_postgres(url: SecretStr, unfinished: Path) -> None:
    import psycopg  # noqa: PLC0415 - loading it takes time that a file need not wait for

    from data.postgres.link import words_of  # noqa: PLC0415 - it loads psycopg
    from data.postgres.transfer import copy_to_file  # noqa: PLC0415 - it loads psycopg

    try:
        copy_to_file(url, unfinished)
    except psycopg.Error as error:
        raise failures.not_copied(words_of(error)) from None


def _require_replaceable(place: Path | SecretStr, target: Path) -> None:
    if not target.exists():
        return
    if isinstance(place, Path) and target.samefile(place):
        raise failures.itself(target)
    if target.is_dir():
        raise StoreFailure(f"{target} is a folder. Name a file in it, or type backup --keep 14 {target}.")
    try:
        with closing(open_to_read(target)) as older:
            is_ours = older.execute("PRAGMA application_id").fetchone()[0] == schema.APPLICATION
    except sqlite3.Error:
        is_ours = False
    if not is_ours:
        raise StoreFailure(f"{target} exists, but is not a copy of a referee's database. Name another file.")


def write_through(file: Path) -> None:
    descriptor = os.open(file, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
