"""Shards are leased to processes, by the database's clock (PostgreSQL). Functions of a connection.

A process without its lease writes nothing: the first statement of its writes to channels asks for the fence.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from data.connection import Connection, Fenced, OtherCount, marks
from data.postgres.link import PROGRAM

COUNT = "shard_count"  # in `meta`
_PATIENCE = 0.2  # of a lease's length: so long it is waited for locks, and renewals wait meanwhile
_LENGTH = "CAST(? AS DOUBLE PRECISION) * INTERVAL '1 second'"


@dataclass(frozen=True, slots=True)
class Fence:
    """What a write asks for before all else: that nobody has taken the shard since."""

    shard: int
    epoch: int


@dataclass(frozen=True, slots=True)
class Standing:
    """A process among the others: its shards, how many free ones there are, how many processes live.

    `settled` of them have lived for two leases or are this one. Those that are away from Discord do not count.
    `ends_in`: the seconds until the first lease of another one ends, unless it is renewed.
    """

    served: frozenset[int]
    free: int
    living: int
    settled: int
    ends_in: float


def owner_of(name: str, key: str) -> str:
    """Return what a lease calls a process: two of one name are still two."""
    return f"{name}:{key}"


def session_name(key: str) -> str:
    """Return the name of a process's sessions, so that another one can find and end them."""
    return f"{PROGRAM} {key}"


def settle_count(connection: Connection, wanted: int | None, recommended: int, owner: str) -> int:
    """Return the number of shards that all processes serve; the first one decides it. Raises: OtherCount."""
    connection.execute("LOCK TABLE shard IN SHARE ROW EXCLUSIVE MODE")
    (others,) = connection.execute(
        "SELECT count(*) FROM process WHERE owner <> ? AND until > clock_timestamp()", (owner,)
    ).fetchone()
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (COUNT,)).fetchone()
    kept = None if row is None else int(row[0])
    count = kept if kept is not None and others else wanted or recommended
    if wanted not in (None, count):
        raise OtherCount(wanted or count, count)
    if count != kept:  # a process that still writes behind the fence of another count can no longer do so
        connection.execute("UPDATE shard SET epoch = epoch + 1")
        connection.execute("DELETE FROM lease")
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (COUNT, str(count)),
    )
    for table, column in (("shard", "number"), ("lease", "shard")):
        connection.execute(
            f"INSERT INTO {table} ({column}) SELECT * FROM generate_series(0, CAST(? AS BIGINT) - 1)"  # noqa: S608 - our own names
            f" ON CONFLICT ({column}) DO NOTHING",
            (count,),
        )
    return count


def take(connection: Connection, owner: str, seconds: float, at_most: int, *, from_living: bool) -> tuple[Fence, ...]:
    """Take shards whose lease is free or has ended. It waits for those who write behind the old fences.

    Of a process whose lease has ended the sessions are ended: one whose network was cut in the middle of a write would
    keep its locks for hours. Without `from_living`: not those that a process has given back which lives, as long as its
    lease would have run.
    """
    end_sessions_of_the_gone(connection, int(_PATIENCE * 1000 * seconds))
    given = "owner IS NULL" if from_living else "until IS NULL"
    free = connection.execute(
        f"SELECT shard FROM lease WHERE {given} OR until < clock_timestamp()"  # noqa: S608 - our own words
        " ORDER BY shard LIMIT ? FOR UPDATE SKIP LOCKED",
        (at_most,),
    ).fetchall()
    shards = [shard for (shard,) in free]
    if not shards:
        return ()
    connection.execute("SELECT set_config('lock_timeout', ?, true)", (f"{_PATIENCE * seconds:f}s",)).fetchone()
    taken = connection.execute(
        f"UPDATE shard SET epoch = epoch + 1 WHERE number IN ({marks(shards)}) RETURNING number, epoch",  # noqa: S608 - only ? is put in
        shards,
    ).fetchall()
    connection.execute(
        f"UPDATE lease SET owner = ?, until = clock_timestamp() + {_LENGTH} WHERE shard IN ({marks(shards)})",  # noqa: S608 - only ? is put in
        (owner, seconds, *shards),
    )
    return tuple(Fence(int(number), int(epoch)) for number, epoch in sorted(taken))


def end_sessions_of_the_gone(connection: Connection, wait_ms: int) -> None:
    """End this user's sessions of processes whose leases have ended; one that lives connects again."""
    owners = connection.execute(
        "SELECT DISTINCT owner FROM lease WHERE owner IS NOT NULL AND until < clock_timestamp()"
    ).fetchall()
    names = [session_name(owner.rpartition(":")[2]) for (owner,) in owners]
    if names:
        connection.execute(
            "SELECT count(pg_terminate_backend(pid, ?)) FROM pg_stat_activity WHERE datname = current_database()"  # noqa: S608 - only ? is put in
            f" AND usename = current_user AND application_name IN ({marks(names)})",
            (wait_ms, *names),
        ).fetchone()


def renew(
    connection: Connection, owner: str, name: str, version: str, seconds: float, *, is_away: bool = False
) -> Standing:
    """Renew a process's leases and its row; say how it is among the others.

    One that is away from Discord gets no share, and is a newcomer when it comes back.
    """
    connection.execute(
        f"INSERT INTO process (owner, name, version, until) VALUES (?, ?, ?, clock_timestamp() + {_LENGTH})"  # noqa: S608 - our own words
        " ON CONFLICT (owner) DO UPDATE SET until = excluded.until, since = CASE"
        " WHEN CAST(? AS BIGINT) = 1 THEN CAST('infinity' AS TIMESTAMPTZ)"
        " WHEN isfinite(process.since) THEN process.since ELSE clock_timestamp() END",
        (owner, name, version, seconds, int(is_away)),
    )
    connection.execute("DELETE FROM process WHERE until < clock_timestamp() - INTERVAL '1 day'")
    rows = connection.execute(
        f"UPDATE lease SET until = clock_timestamp() + {_LENGTH} WHERE owner = ? RETURNING shard",  # noqa: S608 - our own words
        (seconds, owner),
    ).fetchall()
    (living, settled) = connection.execute(
        "SELECT sum(CASE WHEN owner = ? OR isfinite(since) THEN 1 ELSE 0 END),"  # noqa: S608 - our own words
        f" sum(CASE WHEN owner = ? OR since < clock_timestamp() - 2 * {_LENGTH} THEN 1 ELSE 0 END)"
        " FROM process WHERE until > clock_timestamp()",
        (owner, owner, seconds),
    ).fetchone()
    (free, ends_in) = connection.execute(
        "SELECT count(*) FILTER (WHERE owner IS NULL OR until < clock_timestamp()),"
        " extract(epoch FROM min(until) FILTER (WHERE owner <> ? AND until >= clock_timestamp()) - clock_timestamp())"
        " FROM lease",
        (owner,),
    ).fetchone()
    served = frozenset(shard for (shard,) in rows)
    return Standing(served, int(free), int(living), int(settled), math.inf if ends_in is None else float(ends_in))


def give_back(connection: Connection, owner: str, shards: Collection[int]) -> None:
    """End leases at once, so that nobody waits for them, and say so."""
    if shards:
        connection.execute(
            f"UPDATE lease SET owner = NULL WHERE owner = ? AND shard IN ({marks(tuple(shards))})",  # noqa: S608 - only ? is put in
            (owner, *shards),
        )
        connection.execute("SELECT pg_notify('lease', '')").fetchone()


def leave(connection: Connection, owner: str) -> None:
    """End all that a process has."""
    connection.execute("UPDATE lease SET owner = NULL, until = NULL WHERE owner = ?", (owner,))
    connection.execute("DELETE FROM process WHERE owner = ?", (owner,))
    connection.execute("SELECT pg_notify('lease', '')").fetchone()


@dataclass(frozen=True, slots=True)
class Living:
    """A process that lives, as `status` lists it."""

    name: str
    version: str
    is_away: bool
    shards: tuple[int, ...]


def living(connection: Connection) -> tuple[tuple[Living, ...], tuple[int, ...]]:
    """Return the processes that live, by name, and the shards that none of them serves."""
    rows = connection.execute(
        "SELECT owner, name, version, NOT isfinite(since) FROM process WHERE until > clock_timestamp()"
        " ORDER BY name, owner"
    ).fetchall()
    leases = connection.execute(
        "SELECT shard, CASE WHEN until > clock_timestamp() THEN owner END FROM lease ORDER BY shard"
    ).fetchall()
    processes = tuple(
        Living(name, version, bool(is_away), tuple(n for n, of in leases if of == owner))
        for owner, name, version, is_away in rows
    )
    served = {shard for each in processes for shard in each.shards}
    return processes, tuple(shard for shard, _ in leases if shard not in served)


def take_turn(connection: Connection, bucket: int, apart_seconds: float) -> datetime | None:
    """Take the turn to IDENTIFY; return when the next one has it. None while another has it."""
    row = connection.execute(
        f"INSERT INTO identify (bucket, free_at) VALUES (?, clock_timestamp() + {_LENGTH}) ON CONFLICT (bucket)"  # noqa: S608 - our own words
        " DO UPDATE SET free_at = excluded.free_at WHERE identify.free_at < clock_timestamp() RETURNING free_at",
        (bucket, apart_seconds),
    ).fetchone()
    return None if row is None else row[0]


def give_turn_back(connection: Connection, bucket: int, turn: datetime) -> None:
    """Let the next one have a turn at which nobody has sent an IDENTIFY."""
    connection.execute(
        "UPDATE identify SET free_at = clock_timestamp() WHERE bucket = ? AND free_at = CAST(? AS TIMESTAMPTZ)",
        (bucket, turn),
    )


def require(connection: Connection, fences: Collection[Fence]) -> None:
    """Hold fences to the end of this transaction. Raises: Fenced if another process took a shard."""
    for fence in fences:
        row = connection.execute(
            "SELECT 1 FROM shard WHERE number = ? AND epoch = ? FOR SHARE", (fence.shard, fence.epoch)
        ).fetchone()
        if row is None:
            raise Fenced(fence.shard)


def require_of(connection: Connection, channels: Collection[str], fences: Mapping[int, Fence], count: int) -> None:
    """Hold the fences of channels, as far as these are kept, to the end of this transaction. Raises: Fenced."""
    rows = connection.execute(
        "SELECT number, epoch FROM shard WHERE number IN"  # noqa: S608 - only ? is put in
        f" (SELECT home % ? FROM channel WHERE channel IN ({marks(tuple(channels))})) FOR SHARE",
        (count, *channels),
    ).fetchall()
    for shard, epoch in rows:
        if fences.get(shard) != Fence(shard, epoch):
            raise Fenced(shard)
