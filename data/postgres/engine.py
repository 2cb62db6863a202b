"""PostgreSQL for several processes: eight connections that write, two that read, each in a thread of its own.

It keeps the contract of `Engine`, as SQLite's file does: the same jobs run on both.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Concatenate

import psycopg
from psycopg.conninfo import conninfo_to_dict
from pydantic import SecretStr

from data import failures
from data.connection import Connection, Fenced, Job, OtherPast, Outcome, P, ServedShards, T, home_of
from data.postgres import schema
from data.postgres.bridge import failure_of
from data.postgres.leases import Fence, require, require_of, session_name
from data.postgres.link import SILENT_SECONDS, Link, connect, cut_after, words_of
from data.postgres.listening import Listener
from data.rows import WrongSeq
from rules.errors import StoreFailure

WRITERS, READERS = 8, 2
GROUP_AT_MOST = 64  # bounds how long the first of a group waits for its commit
_LOOKED_AT = 256  # waiting jobs, for one that may run
_OLDEST = 140000
_WATCH_SECONDS = 1.0
_LOCK_SECONDS = 20  # for another process to be done
_CLOCK_SECONDS = 5.0  # reminders and leases go by two clocks


@dataclass(frozen=True, slots=True)
class _Write:
    job: Job
    channels: frozenset[str]
    outcome: asyncio.Future[Any] = field(compare=False)


class Postgres:
    """One database, any number of processes. Jobs of one channel run in the order of the calls."""

    def __init__(self, url: SecretStr) -> None:
        self._url = url
        self.key = secrets.token_hex(8)  # how others know its sessions
        self._listener: Listener | None = None
        self._writers = [Link(url, session_name(self.key)) for _ in range(WRITERS)]  # those that are idle
        self._readers = [Link(url, session_name(self.key)) for _ in range(READERS)]
        self._links = (*self._writers, *self._readers)
        self._reading = asyncio.Semaphore(READERS)
        self._waiting: deque[_Write] = deque()
        self._busy: set[str] = set()  # channels to which something is being written
        self._running: set[asyncio.Task[None]] = set()
        self._watching = asyncio.create_task(self._watch())
        self._closed = False
        self._fences: dict[int, Fence] = {}
        self._count: int | None = None  # of shards; None: nobody else is there, and nothing is fenced
        self._fenced: Callable[[int], object] | None = None

    @classmethod
    async def open(cls, url: SecretStr, migrations: Path) -> Postgres:
        """Connect, and bring the schema up to date. Raises: StoreFailure, having changed nothing."""
        await asyncio.to_thread(_set_up, url, migrations)
        return cls(url)

    async def connect_all(self) -> None:
        """Hold all connections now, so that a process which comes later sees what is left. Raises: StoreFailure."""
        await asyncio.gather(*(_in_thread(link, link.reach) for link in self._links))

    def share(self, count: int, fenced: Callable[[int], object]) -> None:
        """Write to channels of held shards alone from now on; `fenced` is called if another has taken one."""
        self._count, self._fenced = count, fenced

    def listen(self, heard: Callable[[str, str], object], missed: Callable[[], object]) -> None:
        """Hear what other processes tell, from now on; `missed`: something may have been told that was not heard."""
        self._listener = Listener(self._url, session_name(self.key), heard, missed)

    async def tell(self, topic: str, what: str) -> None:
        await self.write(_tell, topic, what)

    @asynccontextmanager
    async def alone(self, key: int) -> AsyncIterator[None]:
        """Let no other process do meanwhile what goes by the same key. Raises: StoreFailure."""
        locking = asyncio.ensure_future(asyncio.to_thread(_locked, self._url, session_name(self.key), key))
        try:
            await asyncio.shield(locking)
            yield
        finally:
            locking.add_done_callback(_unlock)  # also of a lock that comes when nobody waits for it any more

    def hold(self, fence: Fence) -> None:
        """Write to a shard's channels, behind this fence."""
        self._fences[fence.shard] = fence

    def let_go(self, shard: int) -> None:
        """Write to that shard's channels no more."""
        self._fences.pop(shard, None)

    @property
    def served(self) -> ServedShards | None:
        return None if self._count is None else ServedShards(self._count, frozenset(self._fences))

    async def read(self, job: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a job that only reads. Raises: StoreFailure."""
        self._require_open()
        async with self._reading:
            link = self._readers.pop()
            try:
                done: T = await _in_thread(link, link.read, lambda bridge: job(bridge, *args, **kwargs))
            finally:
                self._readers.append(link)
        return done

    async def write(self, job: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a job in a transaction and return after its commit. Raises: StoreFailure, Clash, or what it raises."""
        return await self.write_to((), job, *args, **kwargs)

    async def write_to(
        self,
        channels: Collection[str],
        job: Callable[Concatenate[Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run a job that writes what belongs to channels; those of one channel run in the order of the calls."""
        self._require_open()
        require_fences = self._fence_of(channels)

        def run(bridge: Connection) -> T:
            if require_fences is not None:
                require_fences(bridge)
            return job(bridge, *args, **kwargs)

        outcome: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Write(run, frozenset(channels), outcome))
        self._hand_out()
        try:
            return await outcome
        except Fenced as fenced:
            if self._fenced is not None and fenced.shard is not None:
                self._fenced(fenced.shard)
            raise
        except WrongSeq as wrong:
            raise OtherPast from wrong

    def _fence_of(self, channels: Collection[str]) -> Callable[[Connection], None] | None:
        """Return what a write to channels begins with. Raises: Fenced if it is known before."""
        count = self._count
        if count is None or not channels:
            return None
        if not self._fences:
            raise Fenced
        if not isinstance(channels, Mapping):
            return partial(require_of, channels=channels, fences=dict(self._fences), count=count)
        shards = {home_of(guild) % count for guild in channels.values()}
        if not shards <= self._fences.keys():
            raise Fenced
        return partial(require, fences=[self._fences[shard] for shard in sorted(shards)])

    def _require_open(self) -> None:
        if self._closed:
            raise failures.closed()

    def _hand_out(self) -> None:
        """Give waiting jobs to idle connections, in the order in which they came."""
        while self._writers and self._waiting:
            group = self._next_group()
            if not group:
                return
            for each in group:
                self._busy |= each.channels
            task = asyncio.create_task(self._run(self._writers.pop(), group))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    def _next_group(self) -> list[_Write]:
        """Take the oldest jobs of channels that nobody writes to; more at once, the more there are."""
        at_most = min(GROUP_AT_MOST, 1 + len(self._waiting) // WRITERS)
        blocked = set(self._busy)
        group: list[_Write] = []
        passed: list[_Write] = []
        while self._waiting and len(group) < at_most and len(passed) < _LOOKED_AT:
            each = self._waiting.popleft()
            if each.channels & blocked:
                blocked |= each.channels
                passed.append(each)
            else:
                group.append(each)
        self._waiting.extendleft(reversed(passed))
        return group

    async def _run(self, link: Link, group: list[_Write]) -> None:
        outcomes = [Outcome(failure=failures.stopped())] * len(group)
        try:
            outcomes = await _in_thread(link, link.write, [each.job for each in group])
        finally:
            for each, outcome in zip(group, outcomes, strict=True):
                self._busy -= each.channels
                _hand_over(each.outcome, outcome)
            self._writers.append(link)
            self._hand_out()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(_WATCH_SECONDS)
            for link in self._links:
                link.cut_if_silent()
            if self._listener is not None:
                self._listener.cut_if_silent()

    async def close(self) -> None:
        """Finish what was handed over, and end all connections."""
        if self._closed:
            return
        self._closed = True
        if self._listener is not None:
            await self._listener.close()
        while self._running:
            await asyncio.wait(self._running)
        async with self._reading, self._reading:  # both readers are back
            self._watching.cancel()
            for link in self._links:
                await _in_thread(link, link.close)
                link.thread.shutdown(wait=False)


def _tell(connection: Connection, topic: str, what: str) -> None:
    connection.execute("SELECT pg_notify(?, ?)", (topic, what)).fetchone()


async def _in_thread(link: Link, work: Callable[..., T], *args: Any) -> T:
    return await asyncio.get_running_loop().run_in_executor(link.thread, partial(work, *args))


def _hand_over(future: asyncio.Future[Any], outcome: Outcome) -> None:
    if future.done():  # its task was cancelled
        return
    if outcome.failure is None:
        future.set_result(outcome.value)
    else:
        future.set_exception(outcome.failure)


def _set_up(url: SecretStr, migrations: Path) -> None:
    place = place_of(url)
    try:
        with connect(url) as connection:
            with cut_after(connection, SILENT_SECONDS):
                _require_fit(connection, place)
            schema.migrate(connection, migrations)
    except psycopg.Error as error:
        raise StoreFailure(f"PostgreSQL at {place} cannot be used: {words_of(error)}.") from None


def _require_fit(connection: psycopg.Connection, place: str) -> None:
    """Refuse a database on which steps could be lost, or leases overlap. Raises: StoreFailure, psycopg.Error."""
    if connection.info.server_version < _OLDEST:
        raise StoreFailure(f"PostgreSQL at {place} is older than 14. Update it.")
    if _value(connection, "SHOW synchronous_commit") == "off":
        raise StoreFailure(
            f"PostgreSQL at {place} has synchronous_commit = off: steps could be lost that were acknowledged. "
            "Set it to on."
        )
    if _value(connection, "SHOW server_encoding") != "UTF8":
        raise StoreFailure(f"The database at {place} is not in UTF8. Make one that is.")
    away = abs(float(_value(connection, "SELECT extract(epoch FROM clock_timestamp())")) - time.time())
    if away > _CLOCK_SECONDS:
        raise StoreFailure(
            f"This machine's clock is {away:.0f} s away from that of PostgreSQL at {place}. Set it right."
        )


def _locked(url: SecretStr, name: str, key: int) -> psycopg.Connection:
    """Return a session that has a lock until it ends."""
    connection: psycopg.Connection | None = None
    try:
        connection = connect(url, name)
        with cut_after(connection, _LOCK_SECONDS + SILENT_SECONDS):
            connection.execute("SET lock_timeout = 0")
            connection.execute(f"SET statement_timeout = '{_LOCK_SECONDS}s'".encode())
            connection.execute("SELECT pg_advisory_lock(%s)", (key,))
    except psycopg.Error as error:
        if connection is not None:
            connection.close()
        raise failure_of(error) from error
    return connection


def _unlock(locking: asyncio.Future[psycopg.Connection]) -> None:
    if not locking.cancelled() and locking.exception() is None:
        locking.result().close()


def _value(connection: psycopg.Connection, statement: str) -> str:
    row = connection.execute(statement.encode()).fetchone()
    return "" if row is None else str(row[0])


def place_of(url: SecretStr) -> str:
    """Return host and database of an address, without user and password. Raises: StoreFailure."""
    try:
        parts = conninfo_to_dict(url.get_secret_value())
    except psycopg.Error:  # its words hold the address
        raise StoreFailure("DATABASE_URL is not of the form postgresql://user:password@host/name.") from None
    return f"{parts.get('host', 'localhost')}/{parts.get('dbname', '')}"
