"""One connection to PostgreSQL in a thread of its own, made again when it is lost."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
from psycopg import errors
from pydantic import SecretStr

from data.connection import InDoubt, Job, Outcome
from data.postgres.bridge import Bridge, failure_of
from data.rows import RepeatedInteraction
from rules.errors import StoreFailure

PROGRAM = "referee"  # what sessions are called; those of a process by its key besides
CONNECT_SECONDS = 3  # as long as a step waits for a new connection
SILENT_SECONDS = 10.0  # a call without an answer for so long is given up
_AGAIN_SECONDS = 0.1
_TRIES = 3  # of a job that lost a lock to another
_READS = 5  # of a job that changes nothing, while sessions end at once
_ENDED = (  # the server has ended the session, though the socket may still look open
    errors.AdminShutdown,
    errors.CrashShutdown,
    errors.CannotConnectNow,
    errors.IdleInTransactionSessionTimeout,
)
# Of a pipeline that broke off, psycopg believes a statement prepared that the server never saw: it says so at each use,
# for as long as the session lasts. Nothing behind such a statement is carried out, a COMMIT least of all.
_FORGOTTEN = errors.InvalidSqlStatementName
# Of a copy that only reads: after a failover a name may lead to it for a moment, and a session lasts longer than that.
_OF_NO_USE = (_FORGOTTEN, errors.ReadOnlySqlTransaction)
_AT_ODDS = (errors.DeadlockDetected, errors.SerializationFailure)
_SETTINGS = (
    "SET statement_timeout = '10s'",
    "SET lock_timeout = '5s'",
    "SET idle_in_transaction_session_timeout = '5s'",  # a process that hangs must not keep its locks
)


class _Lost(Exception):  # noqa: N818 - it never leaves this file
    """The connection ended; `committing`: its last words were COMMIT."""

    def __init__(self, *, committing: bool) -> None:
        super().__init__()
        self.committing = committing


def connect(url: SecretStr, name: str = PROGRAM) -> psycopg.Connection:
    """Connect, by a name that others see. Raises: psycopg.Error, whose words may hold the address.

    A pooler accepts every connection, and answers nothing while all of its own are in use.
    """
    connection = psycopg.connect(
        url.get_secret_value(), autocommit=True, connect_timeout=CONNECT_SECONDS, application_name=name
    )
    try:
        with cut_after(connection, CONNECT_SECONDS):
            for setting in _SETTINGS:
                connection.execute(setting.encode())
    except BaseException:
        connection.close()
        raise
    return connection


@contextlib.contextmanager
def cut_after(connection: psycopg.Connection, seconds: float) -> Iterator[None]:
    """End a connection if somebody waits on it longer than that."""
    overdue = threading.Timer(seconds, cut, (connection,))
    overdue.daemon = True
    overdue.start()
    try:
        yield
    finally:
        overdue.cancel()


def words_of(error: psycopg.Error) -> str:
    """Return what the server said, or why there is no connection."""
    return error.diag.message_primary or " ".join(str(error).split()).rpartition("FATAL: ")[2]


def cut(connection: psycopg.Connection) -> None:
    """End a connection, no matter who waits on it."""
    with contextlib.suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(connection.fileno())) as own:
        own.shutdown(socket.SHUT_RDWR)


class Link:
    """Runs transactions, one at a time, in `thread`."""

    def __init__(self, url: SecretStr, name: str = PROGRAM) -> None:
        self._url = url
        self._name = name
        self._bridge: Bridge | None = None
        self.thread = ThreadPoolExecutor(1, "postgres")

    # In the thread

    def read(self, job: Job) -> Any:
        """Run a job that only reads; all its statements see one moment. Raises: StoreFailure, or what it raises.

        If the connection ends, it is run again, and a few times while that takes no longer than connecting:
        behind the first silence, a second one ends it.
        """
        until: float | None = None
        for left in reversed(range(_READS)):
            bridge = self._open(until or time.monotonic() + CONNECT_SECONDS)
            try:
                bridge.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                try:
                    return job(bridge)
                finally:
                    self._end(bridge)
            except psycopg.Error as error:
                if not _is_over(bridge, error):
                    raise failure_of(error) from error
                self._drop()
                if not left or (until is not None and time.monotonic() > until):
                    raise _unknown(error, is_doubtful=False) from error
                until = until or time.monotonic() + CONNECT_SECONDS
        raise AssertionError("it was read, or not")

    def write(self, jobs: Sequence[Job]) -> list[Outcome]:
        """Run jobs in one transaction, each whole or not at all.

        If the connection ends, all are run again: what had been kept is found, or kept now.
        """
        is_doubtful = False
        until: float | None = None
        while True:
            try:
                bridge = self._open(until or time.monotonic() + CONNECT_SECONDS)
                outcomes = self._transact(bridge, jobs)
            except _Lost as lost:
                self._drop()
                is_doubtful |= lost.committing
                if until is not None:  # the second time
                    return [Outcome(failure=_unknown(lost.__cause__, is_doubtful=is_doubtful))] * len(jobs)
                until = time.monotonic() + CONNECT_SECONDS
            except StoreFailure as failure:
                return [Outcome(failure=InDoubt() if is_doubtful else failure)] * len(jobs)
            else:
                outcomes = [
                    self._alone(job) if isinstance(_cause(outcome), _AT_ODDS) else outcome
                    for job, outcome in zip(jobs, outcomes, strict=True)
                ]
                return [_second(outcome) for outcome in outcomes] if is_doubtful else outcomes

    def _alone(self, job: Job) -> Outcome:
        """Run a job again that lost a lock to another, by itself."""
        outcome = Outcome()
        for _ in range(_TRIES):
            try:
                bridge = self._open(time.monotonic() + CONNECT_SECONDS)
                (outcome,) = self._transact(bridge, (job,))
            except _Lost as lost:
                self._drop()
                outcome = Outcome(failure=_unknown(lost.__cause__, is_doubtful=lost.committing))
                if lost.committing:
                    break
                continue
            except StoreFailure as failure:
                return Outcome(failure=failure)
            if not isinstance(_cause(outcome), _AT_ODDS):
                break
        return outcome

    def _transact(self, bridge: Bridge, jobs: Sequence[Job]) -> list[Outcome]:
        committing = False
        try:
            bridge.execute("BEGIN")
            if len(jobs) == 1:
                value = jobs[0](bridge)
                committing = True
                bridge.execute("COMMIT")  # goes with what is not waited for; not carried out if that fails
                bridge.settle()
                return [Outcome(value=value)]
            outcomes = [self._within(bridge, job) for job in jobs]
            committing = True
            bridge.execute("COMMIT")
            bridge.settle()
        except Exception as failure:
            if not _is_over(bridge, failure):
                self._end(bridge)
            if _is_over(bridge, failure):
                raise _Lost(committing=committing and not _is_due_to(failure, *_OF_NO_USE)) from failure
            known = failure_of(failure) if isinstance(failure, psycopg.Error) else failure
            return [Outcome(failure=known)] * len(jobs)
        return outcomes

    @staticmethod
    def _within(bridge: Bridge, job: Job) -> Outcome:
        """Run a job between savepoints, so that it fails alone."""
        bridge.execute("SAVEPOINT job")
        try:
            value = job(bridge)
            bridge.settle()
        except Exception as failure:
            with contextlib.suppress(psycopg.Error):  # what it had sent besides
                bridge.settle()
            if _is_over(bridge, failure):
                raise
            bridge.execute("ROLLBACK TO SAVEPOINT job")
            bridge.execute("RELEASE SAVEPOINT job")
            return Outcome(failure=failure_of(failure) if isinstance(failure, psycopg.Error) else failure)
        bridge.execute("RELEASE SAVEPOINT job")
        return Outcome(value=value)

    @staticmethod
    def _end(bridge: Bridge) -> None:
        """Roll back any open transaction."""
        for _ in range(2):  # the first may tell of what failed before
            with contextlib.suppress(psycopg.Error):
                bridge.settle()
        with contextlib.suppress(psycopg.Error):
            bridge.execute("ROLLBACK")
            bridge.settle()

    def _open(self, until: float) -> Bridge:
        """Return the connection, made again if there is none. Raises: StoreFailure."""
        while self._bridge is None:
            try:
                self._bridge = Bridge(connect(self._url, self._name))
            except psycopg.Error as error:
                if time.monotonic() + _AGAIN_SECONDS > until:
                    raise StoreFailure("The database cannot be reached.") from error
                time.sleep(_AGAIN_SECONDS)
        return self._bridge

    def _drop(self) -> None:
        bridge, self._bridge = self._bridge, None
        if bridge is not None:
            with contextlib.suppress(psycopg.Error, OSError):
                bridge.connection.close()

    def reach(self) -> None:
        """Connect, if it is not connected. Raises: StoreFailure."""
        self._open(time.monotonic() + CONNECT_SECONDS)

    def close(self) -> None:
        self._drop()

    # Out of the thread

    def cut_if_silent(self) -> None:
        """End the connection whose answer is overdue, so that its thread goes on."""
        bridge = self._bridge
        asked_at = None if bridge is None else bridge.asked_at
        if bridge is None or asked_at is None or time.monotonic() - asked_at < SILENT_SECONDS:
            return
        cut(bridge.connection)


def _is_over(bridge: Bridge, failure: BaseException) -> bool:
    """Tell whether the session is gone or of no more use: what failed says so, or the connection does."""
    return bridge.connection.closed or _is_due_to(failure, *_ENDED, *_OF_NO_USE)


def _is_due_to(failure: BaseException | None, *kinds: type[Exception]) -> bool:
    if failure is None:
        return False
    return isinstance(failure, kinds) or isinstance(failure.__cause__, kinds)


def _cause(outcome: Outcome) -> BaseException | None:
    return None if outcome.failure is None else outcome.failure.__cause__


def _unknown(failure: BaseException | None, *, is_doubtful: bool) -> StoreFailure:
    """Say what is known of a job whose session ended, or was of no use, each time."""
    if is_doubtful:
        return InDoubt()
    if isinstance(failure, _OF_NO_USE):
        return failure_of(failure)
    return StoreFailure("The connection to the database was lost; nothing was kept.")


def _second(outcome: Outcome) -> Outcome:
    """Read what a second run found, if the first may have been kept."""
    if outcome.failure is None:
        return outcome
    if isinstance(outcome.failure, RepeatedInteraction):
        outcome.failure.in_doubt = True
        return outcome
    return Outcome(failure=InDoubt())
