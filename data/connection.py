"""What the store's statements run on: a small part of DB-API that both engines keep (SQLite, PostgreSQL).

Statements are written once, for both; `tests/store/test_portable.py` reads and runs them all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from rules.errors import StoreFailure

P = ParamSpec("P")
T = TypeVar("T")


class Clash(StoreFailure):
    """A unique key is taken already; nothing was kept."""


class InDoubt(StoreFailure):
    """The connection ended before the answer to a commit came: it may be kept."""

    def __init__(self) -> None:
        super().__init__("Nobody knows yet whether this was done; /encounter log tells.")


class Fenced(StoreFailure):
    """Another process has taken the shard, or takes it soon; nothing was kept."""

    def __init__(self, shard: int | None = None) -> None:
        super().__init__("Another process serves this channel now, and nothing was done. Press again.")
        self.shard = shard


class OtherCount(StoreFailure):
    """Other processes serve another number of shards."""

    def __init__(self, wanted: int, kept: int) -> None:
        super().__init__(
            f"SHARD_COUNT: the processes that run serve {kept} shards, not {wanted}. To change it, stop all of them."
        )


class Cursor(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


Values = Sequence[Any] | Mapping[str, Any]


class Connection(Protocol):
    """An open transaction. Parameters are `?` in order, or `:channel` by name, and then the values are a mapping."""

    def execute(self, statement: str, values: Values = (), /) -> Cursor: ...

    def executemany(self, statement: str, values: Iterable[Sequence[Any]], /) -> Cursor: ...


Job = Callable[[Connection], Any]


class OtherPast(StoreFailure):
    """The database has other rows of a channel than this process knew; nothing was kept."""

    def __init__(self) -> None:
        super().__init__(
            "The database knows other steps of this channel than were shown here, as after a failure of the database"
            " itself. What stands is what /encounter log tells."
        )


@dataclass(frozen=True, slots=True)
class ServedShards:
    """The shards that this process serves, of how many there are."""

    count: int
    shards: frozenset[int]

    def __contains__(self, guild: str) -> bool:
        return home_of(guild) % self.count in self.shards


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a job: its value, or why it failed."""

    value: Any = None
    failure: Exception | None = None


class Engine(Protocol):
    """A database. It alone opens and ends transactions; a job that fails leaves its neighbours alone."""

    @property
    def served(self) -> ServedShards | None:
        """The shards that are served here; None if all are served here."""
        ...

    async def read(self, job: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a job that only reads; all its statements see the same moment. Raises: StoreFailure."""
        ...

    async def write(self, job: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a job and return after its commit. Raises: StoreFailure, Clash, or what the job raises.

        A caller that is cancelled does not take its job back.
        """
        ...

    async def write_to(
        self,
        channels: Collection[str],
        job: Callable[Concatenate[Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run a job that writes what belongs to channels; those of one channel run in the order of the calls.

        A mapping says the server of each: of channels that may be new.
        """
        ...

    async def tell(self, topic: str, what: str) -> None:
        """Tell the other processes, if there are any, that something is to be looked at."""
        ...

    async def close(self) -> None:
        """Finish what was handed over, and let others have the database."""
        ...


def marks(values: Collection[Any]) -> str:
    """Return a mark for each value, as `IN (?, ?)` takes them; PostgreSQL wants at least one."""
    return ", ".join("?" * len(values))


def among(served: ServedShards | None, home: str = "home") -> tuple[str, tuple[int, ...]]:
    """Return one more condition of a WHERE, that a row's channel is served here, and its values."""
    if served is None or len(served.shards) == served.count:
        return "", ()
    if not served.shards:
        return " AND 1 = 0", ()
    shards = tuple(sorted(served.shards))
    return f" AND {home} % ? IN ({marks(shards)})", (served.count, *shards)


def home_of(guild: str) -> int:
    """Return what a server's shard is counted from: its id without the last 22 bits; 0 for direct messages."""
    return int(guild) >> 22 if guild.isdecimal() else 0


def guild_of(shard: int) -> str:
    """Return an id that is of a shard, as a server's is: what belongs to a shard alone is written in its name."""
    return str(shard << 22)
