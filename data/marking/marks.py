"""Which write-ahead log belongs to a file: a mark is in the file, and the same one beside it.

SQLite replays any log that has the right name, also over a copy that somebody put in the file's place: later steps
come back, or pages of two files are mixed. The mark changes with each checkpoint, and the file itself changes with
checkpoints alone, so a file with another mark is another file, or an older state of this one.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from contextlib import closing
from pathlib import Path

from rules.errors import StoreFailure

KEY = "mark"
NO_MARK = "-"


def companion(path: Path, ending: str) -> Path:
    """Return a file that belongs to a database by its name: `-wal`, `-shm`, `-journal`, `.mark`."""
    return path.with_name(path.name + ending)


def new_mark() -> str:
    return secrets.token_hex(16)


def put(connection: sqlite3.Connection, mark: str) -> None:
    """Write the mark into a database."""
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (KEY, mark),
    )


def open_alone(path: Path) -> sqlite3.Connection:
    """Open a file for reading without the log beside it, and without making files there."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)


def in_file(path: Path) -> str | None:
    """Return the mark that is in the file itself, without its log: NO_MARK if there is none, None if unreadable."""
    try:
        with closing(open_alone(path)) as connection:
            row = connection.execute("SELECT value FROM meta WHERE key = ?", (KEY,)).fetchone()
    except sqlite3.Error:
        return None
    return NO_MARK if row is None else str(row[0])


def beside(path: Path) -> tuple[str, ...]:
    """Return the marks that the file may have: one, or two if a checkpoint was under way; none if nothing is known."""
    try:
        return tuple(companion(path, ".mark").read_text("ascii").split())
    except (OSError, ValueError):
        return ()


def note(path: Path, *marks: str) -> None:
    """Write the marks beside the file, so that they outlast a power failure. Raises: OSError."""
    target = companion(path, ".mark")
    unfinished = companion(target, ".new")
    descriptor = os.open(unfinished, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
    try:
        os.write(descriptor, " ".join(marks).encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    unfinished.replace(target)


def size_of(path: Path) -> int:
    """Return a file's size; 0 if it is not there."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def is_foreign(path: Path) -> bool:
    """Tell whether another file has replaced this one, or its log is beside nothing."""
    if not size_of(path):
        return size_of(companion(path, "-wal")) > 0
    known, marked = beside(path), in_file(path)
    if marked is None or not known:  # damaged, perhaps; or of a version without marks, or at a new place
        return False
    is_half_done = marked == NO_MARK and len(known) > 1  # a checkpoint was cut off: pages before and after it
    return marked not in known and not is_half_done


def require_own(path: Path) -> None:
    """Raise StoreFailure if the file `is_foreign`; only look at it."""
    if is_foreign(path):
        raise foreign(path)


def foreign(path: Path) -> StoreFailure:
    """Return the refusal of a file that `is_foreign`, with the way on."""
    source = path if size_of(path) else "BACKUP"
    return StoreFailure(
        f"{path} is not the database that the referee last wrote here, so that the log and the mark beside it "
        f"({path.name}-wal, {path.name}.mark) belong to another one: `python -m bot restore {source}` puts that file "
        "in its place, and keeps what was there."
    )
