"""A copy of a database that may be in use, by SQLite's own backup: one moment, whole."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from data.check import open_to_read
from rules.core.errors import StoreFailure


async def backup(path: Path, target: Path) -> None:
    """Copy a database to a new file. Raises: StoreFailure; a file that exists is never overwritten."""
    await asyncio.to_thread(_copy, path, target)


def _copy(path: Path, target: Path) -> None:
    if not path.exists():
        raise StoreFailure(f"There is no database at {path}.")
    try:
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError as error:
        raise StoreFailure(f"{target} exists already. Name a file that does not.") from error
    except OSError as error:
        raise StoreFailure(f"{target} cannot be written: {error.strerror}.") from error
    try:
        with closing(open_to_read(path)) as source, closing(sqlite3.connect(target, isolation_level=None)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, complete without others beside it
    except sqlite3.Error as error:
        target.unlink(missing_ok=True)
        raise StoreFailure(f"{path} could not be copied: {error}.") from error
