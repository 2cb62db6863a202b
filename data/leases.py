"""Shards are leased to processes, by the database's clock (PostgreSQL). Functions of a connection.

A process without its lease writes nothing: the first statement of its writes to channels asks for the fence.
"""

from __future__ import annotations

from dataclasses import dataclass

from data.connection import Connection, Fenced


@dataclass(frozen=True, slots=True)
class Fence:
    """What a write asks for before all else: that nobody has taken the shard since."""

    shard: int
    epoch: int


def take(connection: Connection, shard: int, owner: str, seconds: float) -> Fence | None:
    """Take a shard whose lease is free or has ended; None where another process has it.

    It waits for those who write behind the old fence.
    """
    connection.execute("INSERT INTO shard (number) VALUES (?) ON CONFLICT (number) DO NOTHING", (shard,))
    connection.execute("INSERT INTO lease (shard) VALUES (?) ON CONFLICT (shard) DO NOTHING", (shard,))
    taken = connection.execute(
        "UPDATE lease SET owner = ?, until = clock_timestamp() + CAST(? AS DOUBLE PRECISION) * INTERVAL '1 second'"
        " WHERE shard = ? AND (owner IS NULL OR until < clock_timestamp())",
        (owner, seconds, shard),
    )
    if not taken.rowcount:
        return None
    (epoch,) = connection.execute(
        "UPDATE shard SET epoch = epoch + 1 WHERE number = ? RETURNING epoch", (shard,)
    ).fetchone()
    return Fence(shard, int(epoch))


def renew(connection: Connection, owner: str, name: str, version: str, seconds: float) -> frozenset[int]:
    """Renew a process's leases and its row; return the shards that it still has."""
    connection.execute(
        "INSERT INTO process (owner, name, version, until)"
        " VALUES (?, ?, ?, clock_timestamp() + CAST(? AS DOUBLE PRECISION) * INTERVAL '1 second')"
        " ON CONFLICT (owner) DO UPDATE SET until = excluded.until",
        (owner, name, version, seconds),
    )
    connection.execute("DELETE FROM process WHERE until < clock_timestamp() - INTERVAL '1 day'")
    rows = connection.execute(
        "UPDATE lease SET until = clock_timestamp() + CAST(? AS DOUBLE PRECISION) * INTERVAL '1 second'"
        " WHERE owner = ? RETURNING shard",
        (seconds, owner),
    )
    return frozenset(shard for (shard,) in rows)


def give_back(connection: Connection, owner: str) -> None:
    """End a process's leases at once, so that nobody waits for them."""
    connection.execute("UPDATE lease SET owner = NULL WHERE owner = ?", (owner,))
    connection.execute("DELETE FROM process WHERE owner = ?", (owner,))


def holder(connection: Connection, shard: int) -> str | None:
    """Return the name of the process that has a shard."""
    row = connection.execute(
        "SELECT process.name FROM lease JOIN process ON process.owner = lease.owner WHERE lease.shard = ?", (shard,)
    ).fetchone()
    return None if row is None else str(row[0])


def require(connection: Connection, fence: Fence) -> None:
    """Hold the fence to the end of this transaction. Raises: Fenced, where another process took the shard."""
    row = connection.execute(
        "SELECT 1 FROM shard WHERE number = ? AND epoch = ? FOR SHARE", (fence.shard, fence.epoch)
    ).fetchone()
    if row is None:
        raise Fenced
