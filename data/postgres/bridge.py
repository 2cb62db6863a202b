"""PostgreSQL in the words of `Connection`: marks, results that are waited for when they are asked for, failures."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cache
from typing import Any

import psycopg
from psycopg import errors

from data.connection import Clash, Values
from rules.errors import StoreFailure

_MARK = re.compile(r"\?|(?<!:):([a-z]+)")


@cache
def translated(statement: str) -> bytes:
    """Return a statement with psycopg's marks: `%s` for `?`, `%(channel)s` for `:channel`."""
    text = statement.replace("%", "%%")
    return _MARK.sub(lambda mark: f"%({mark[1]})s" if mark[1] else "%s", text).encode()


def failure_of(error: psycopg.Error) -> StoreFailure:
    """Say an error of psycopg's as the store's own."""
    words = error.diag.message_primary or (str(error).splitlines() or [type(error).__name__])[0]
    if isinstance(error, errors.ReadOnlySqlTransaction):
        words = "it is read-only now, as a copy is until it is promoted"
    kind = Clash if isinstance(error, errors.UniqueViolation) else StoreFailure
    failure = kind(f"The database could not keep this: {words}.")
    failure.__cause__ = error
    return failure


class Bridge:
    """One connection. Statements whose results nobody asks for are sent without waiting (psycopg's pipeline)."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self.connection = connection
        self.asked_at: float | None = None  # monotonic: since when an answer is waited for
        self._pipeline: AbstractContextManager[psycopg.Pipeline] | None = None

    def execute(self, statement: str, values: Values = (), /) -> Result:
        cursor = self._cursor()
        cursor.execute(translated(statement), values)
        self.asked_at = None
        return Result(self, cursor)

    def executemany(self, statement: str, values: Iterable[Sequence[Any]], /) -> Result:
        cursor = self._cursor()
        cursor.executemany(translated(statement), list(values))
        self.asked_at = None
        return Result(self, cursor)

    def _cursor(self) -> psycopg.Cursor[Any]:
        if self._pipeline is None:
            self._pipeline = self.connection.pipeline()
            self._pipeline.__enter__()
        self.asked_at = time.monotonic()
        return self.connection.cursor()

    def settle(self) -> None:
        """Wait for all that was sent. Raises: psycopg.Error, the first that failed."""
        pipeline, self._pipeline = self._pipeline, None
        if pipeline is None:
            return
        self.asked_at = time.monotonic()
        try:
            pipeline.__exit__(None, None, None)
        finally:
            self.asked_at = None


class Result:
    """What a statement gave; reading it waits for the statement."""

    __slots__ = ("_bridge", "_cursor")

    def __init__(self, bridge: Bridge, cursor: psycopg.Cursor[Any]) -> None:
        self._bridge = bridge
        self._cursor = cursor

    @property
    def rowcount(self) -> int:
        self._bridge.settle()
        return self._cursor.rowcount

    def fetchone(self) -> Any:
        self._bridge.settle()
        return self._cursor.fetchone()

    def fetchall(self) -> list[Any]:
        self._bridge.settle()
        return self._cursor.fetchall()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.fetchall())
