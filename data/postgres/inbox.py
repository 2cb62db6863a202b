"""Events that reached another process than the one that serves their channel. Functions of a connection.

A notice says that one is there. If it is lost, the look every five seconds (`LOOK_SECONDS`) may find the event too
late to be answered: it is dropped then, and the person presses again.
"""

from __future__ import annotations

from collections.abc import Collection

from data.connection import Connection, marks

INTERACTION = "interaction"
ANSWERED_WITHIN_SECONDS = 3.0  # Discord takes no answer later, and the presser reads that nothing came


def put(connection: Connection, shard: int, kind: str, event: str) -> None:
    """Leave an event, as it came, for the process that serves a shard."""
    connection.execute("INSERT INTO inbox (shard, kind, event) VALUES (?, ?, ?)", (shard, kind, event))
    connection.execute("SELECT pg_notify('inbox', CAST(CAST(? AS BIGINT) AS TEXT))", (shard,)).fetchone()


def take(connection: Connection, owner: str, shards: Collection[int]) -> tuple[tuple[str, str], ...]:
    """Take what was left for shards: kinds and events, the oldest first; what nobody can answer any more is dropped.

    A process that hung, and still believes that it has a shard, takes nothing from the one that has it.
    """
    rows = connection.execute(
        "DELETE FROM inbox WHERE shard IN"  # noqa: S608 - only ? is put in
        " (SELECT shard FROM lease WHERE owner = ? AND until > clock_timestamp()"
        f" AND shard IN ({marks(shards)})) RETURNING id, kind, event, extract(epoch FROM clock_timestamp() - at)",
        (owner, *shards),
    ).fetchall()
    return tuple((kind, event) for _, kind, event, age in sorted(rows) if float(age) < ANSWERED_WITHIN_SECONDS)
