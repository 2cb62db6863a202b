"""Two connections to one SQLite file: all that is written goes through the one, all that is read through the other.

Tasks that share a bare connection take part in each other's transactions and lose rows by each other's
rollbacks. Here a task hands over a job, and `atomic` alone opens and ends transactions.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Concatenate

import aiosqlite

from data import failures, schema
from data.connection import Clash, Connection, Job, Outcome, P, T
from data.lock import FileLock
from data.marking import marks
from rules.errors import StoreFailure

LOG = logging.getLogger(__name__)
BUSY_MS = 5_000
SYNCHRONOUS = "FULL"  # what is acknowledged is on the disk
CACHE_KB = 16_384  # the paths down to the rows of a large database stay in memory
GROUP_AT_MOST = 256  # bounds how long the first of a group waits for its commit
CHECKPOINT_SECONDS = 60.0  # after a write, at most: then a plain copy of the file has it too
CHECKPOINT_BYTES = 16 * 1024 * 1024  # of the log: then sooner
_AGAIN_SECONDS = 1.0  # a reader was in the way of a checkpoint
_CLASHES = (sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY)
_CHECKED_AT_START = 8 * 1024 * 1024  # bytes; larger files are left to `check`, so that starting costs nothing


def atomic(connection: sqlite3.Connection, jobs: Sequence[Job]) -> list[Outcome]:
    """Run jobs in one transaction, each whole or not at all, and commit them together.

    A job that fails leaves its neighbours alone. Raises: sqlite3.Error if nothing was kept.
    """
    outcomes: list[Outcome] = []
    connection.execute("BEGIN IMMEDIATE")  # a deferred one that turns into a write fails at once when busy
    try:
        for job in jobs:
            connection.execute("SAVEPOINT job")
            try:
                outcomes.append(Outcome(value=job(connection)))
            except Exception as failure:
                if not connection.in_transaction:
                    raise  # SQLite gave the whole transaction up, as on a full disk
                connection.execute("ROLLBACK TO job")
                outcomes.append(Outcome(failure=failure))
            connection.execute("RELEASE job")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return outcomes


def snapshot(
    connection: sqlite3.Connection,
    job: Callable[Concatenate[Connection, P], T],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Run a job that only reads; all its statements see the same moment."""
    connection.execute("BEGIN")
    try:
        return job(connection, *args, **kwargs)
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


async def _hop(connection: aiosqlite.Connection, work: Callable[[sqlite3.Connection], T]) -> T:
    """Run a function in the connection's thread, on SQLite's own connection.

    aiosqlite's public calls cost one hop for each statement; a step has a dozen.
    """
    done: T = await connection._execute(lambda: work(connection._conn))  # type: ignore[no-untyped-call] # noqa: SLF001 - one call for a whole transaction, on aiosqlite's own thread
    return done


@dataclass(frozen=True, slots=True)
class _Write:
    job: Job
    outcome: asyncio.Future[Any]


class Database:
    """One file, one process. `write` and `read` take a function of a connection and run it in a transaction."""

    served = None

    def __init__(self, path: Path, writer: aiosqlite.Connection, reader: aiosqlite.Connection, lock: FileLock) -> None:
        self._path = path
        self._log = marks.companion(path, "-wal")
        self._writer = writer
        self._reader = reader
        self._lock = lock
        self._checkpoint_at = monotonic()  # the last one
        self._timer: asyncio.TimerHandle | None = None  # set by the first write after a checkpoint
        self._is_due = False
        self._queued: list[_Write] = []
        self._writing: asyncio.Task[None] | None = None
        self._closed = False

    @classmethod
    async def open(cls, path: Path, migrations: Path) -> Database:
        """Open a database, or make a new one. Raises: StoreFailure, having changed nothing."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreFailure(f"The folder {path.parent} cannot be made: {error.strerror}.") from error
        lock = FileLock.take(path)
        opened: list[aiosqlite.Connection] = []
        try:
            marks.require_own(path)
            _make_private(path)
            for setup in (partial(_set_up_writer, path=path, migrations=migrations), _set_up_reader):
                connection = await aiosqlite.connect(path, isolation_level=None, timeout=BUSY_MS / 1000)
                opened.append(connection)
                await _hop(connection, setup)
        except BaseException as error:
            for connection in opened:
                await connection.close()
            lock.release()
            if isinstance(error, sqlite3.Error):
                raise _failed_to_open(path, error) from error
            raise
        database = cls(path, opened[0], opened[1], lock)
        await database._checkpoint()
        return database

    async def read(self, job: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a job that only reads. Raises: StoreFailure."""
        if self._closed:
            raise failures.closed()
        try:
            return await _hop(self._reader, lambda bare: snapshot(bare, job, *args, **kwargs))
        except sqlite3.Error as error:
            raise StoreFailure(f"The database could not be read: {error}.") from error

    async def write(self, job: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a job in a transaction and return after its commit. Raises: StoreFailure, Clash, or what the job raises.

        Jobs that arrive while a commit is under way share the next one. A caller that is cancelled does not
        take its job back.
        """
        if self._closed:
            raise failures.closed()
        outcome: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queued.append(_Write(lambda bare: job(bare, *args, **kwargs), outcome))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_groups())
        return await outcome

    async def write_to(
        self,
        channels: Collection[str],
        job: Callable[Concatenate[Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run a job that writes what belongs to channels: here all jobs run in the order of the calls."""
        return await self.write(job, *args, **kwargs)

    async def _write_groups(self) -> None:
        group: list[_Write] = []
        try:
            while self._queued or self._is_due:
                if self._is_due:
                    await self._checkpoint()
                    continue
                group, self._queued = self._queued[:GROUP_AT_MOST], self._queued[GROUP_AT_MOST:]
                try:
                    outcomes = await _hop(self._writer, partial(atomic, jobs=[each.job for each in group]))
                except Exception as failure:  # noqa: BLE001 - it belongs to those who wait, not to this task
                    outcomes = [Outcome(failure=failure)] * len(group)
                for each, outcome in zip(group, outcomes, strict=True):
                    _hand_over(each.outcome, outcome)
                self._plan_checkpoint()
        finally:
            self._writing = None
            cut_off = Outcome(failure=failures.stopped())
            for each in (*group, *self._queued):  # none are left unless this task was cancelled
                _hand_over(each.outcome, cut_off)
            self._queued = []

    def _plan_checkpoint(self) -> None:
        now = monotonic()
        if now - self._checkpoint_at > _AGAIN_SECONDS and marks.size_of(self._log) > CHECKPOINT_BYTES:
            self._is_due = True
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(CHECKPOINT_SECONDS, self._begin_checkpoint)

    def _begin_checkpoint(self) -> None:
        self._is_due = True
        if self._writing is None and not self._closed:
            self._writing = asyncio.create_task(self._write_groups())

    async def _checkpoint(self) -> None:
        """Bring the log into the file itself. If that fails, as on a full disk, the log keeps all of it."""
        self._is_due = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        try:
            await _hop(self._writer, partial(_checkpoint, path=self._path))
        except (sqlite3.Error, OSError) as error:
            LOG.warning("the file %s was not brought up to date: %s", self._path, error)
        self._checkpoint_at = monotonic()

    async def tell(self, topic: str, what: str) -> None:
        """Tell nobody: a file is one process's alone."""

    async def close(self) -> None:
        """Finish what was handed over, close the file, and let others have it."""
        if self._closed:
            return
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._writing is not None:
            await asyncio.wait((self._writing,))
        try:
            await self._reader.close()
            await self._writer.close()
        finally:
            self._lock.release()


def _hand_over(future: asyncio.Future[Any], outcome: Outcome) -> None:
    if future.done():  # its task was cancelled
        return
    if outcome.failure is None:
        future.set_result(outcome.value)
    elif isinstance(outcome.failure, sqlite3.Error):
        kind = Clash if getattr(outcome.failure, "sqlite_errorcode", None) in _CLASHES else StoreFailure
        failure = kind(f"The database could not keep this: {outcome.failure}.")
        failure.__cause__ = outcome.failure
        future.set_exception(failure)
    else:
        future.set_exception(outcome.failure)


def _set_up_writer(connection: sqlite3.Connection, path: Path, migrations: Path) -> None:
    """Look first, then write: a file that is damaged, newer, or another program's stays as it is."""
    schema.require_ours(connection, schema.newest(migrations), path)
    if is_truncated(path):
        raise sqlite3.DatabaseError("the file is shorter than it says")
    if path.stat().st_size <= _CHECKED_AT_START:
        checked = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if checked != "ok":
            raise sqlite3.DatabaseError(checked)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    connection.execute("PRAGMA wal_autocheckpoint = 0")  # the file changes with its mark alone
    connection.execute(f"PRAGMA cache_size = -{CACHE_KB}")
    schema.migrate(connection, migrations)


def _checkpoint(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the log into the file, as far as no reader needs it, and mark both anew. Raises: sqlite3.Error, OSError."""
    before = marks.beside(path) or (marks.in_file(path) or marks.NO_MARK,)
    mark = marks.new_mark()
    marks.note(path, *before, mark)
    marks.put(connection, mark)
    connection.execute("PRAGMA busy_timeout = 0")  # what a reader holds up is done the next time
    try:
        _, pages, brought = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    if pages == brought >= 0:
        marks.note(path, mark)


def _set_up_reader(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    connection.execute("PRAGMA query_only = ON")


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open a database that another process may be using, for reading only."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=BUSY_MS / 1000
    )


def is_truncated(path: Path) -> bool:
    """Tell whether a database file lacks pages that its header counts (the log file beside it may still hold them)."""
    log = path.with_name(path.name + "-wal")
    if log.exists() and log.stat().st_size:
        return False
    with path.open("rb") as file:
        header = file.read(100)
    if len(header) < 100 or header[24:28] != header[92:96]:
        return False
    page = int.from_bytes(header[16:18], "big")
    return path.stat().st_size < (65536 if page == 1 else page) * int.from_bytes(header[28:32], "big")


def _make_private(path: Path) -> None:
    """Make a new file that its owner alone may read: it holds seeds and hands. SQLite's other files follow it."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreFailure(f"The database {path} cannot be opened: {error.strerror}.") from error


def _failed_to_open(path: Path, error: sqlite3.Error) -> StoreFailure:
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreFailure(f"The database {path} is locked by another program. Close that one and start again.")
    if code is not None and code & 0xFF in (
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_PERM,
    ):
        return StoreFailure(f"The database {path} cannot be used: {error}.")
    reason = " ".join(str(error).removeprefix("*** in database main ***").split())
    return StoreFailure(
        f"The database {path} is damaged ({reason}). Nothing was changed in it. "
        "`python -m bot restore FILE` puts a copy in its place; or set DATABASE_PATH to another file."
    )
