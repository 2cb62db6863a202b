"""The channels' secret seeds. Channels that share one count as one (design 7)."""

from __future__ import annotations

from typing import Any

from data.connection import Clash, Connection
from data.rows import SeedRow

_COLUMNS = "channel, from_seq, seed, revealed, announced"


def put_seed(connection: Connection, seed: SeedRow) -> None:
    """Put a seed in force; the same again changes nothing. Raises: Clash if there is another."""
    connection.execute("INSERT INTO channel (channel) VALUES (?) ON CONFLICT (channel) DO NOTHING", (seed.channel,))
    put = connection.execute(
        "INSERT INTO seed (channel, from_seq, seed, revealed, announced) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (channel, from_seq) DO UPDATE SET seed = excluded.seed WHERE seed.seed = excluded.seed",
        (seed.channel, seed.from_seq, seed.seed, int(seed.revealed), int(seed.announced)),
    )
    if not put.rowcount:
        raise Clash(f"channel {seed.channel} has another seed from row {seed.from_seq} on")


def seeds(connection: Connection, channel: str) -> tuple[SeedRow, ...]:
    """Return all seeds of a channel, oldest first."""
    return tuple(
        seed_row(row)
        for row in connection.execute(
            f"SELECT {_COLUMNS} FROM seed WHERE channel = ? ORDER BY from_seq",  # noqa: S608 - our own column names
            (channel,),
        )
    )


def channels_of_seed(connection: Connection, seed: bytes) -> tuple[str, ...]:
    """Return the channels that have, or had, this seed: for a reveal they count as one."""
    rows = connection.execute("SELECT DISTINCT channel FROM seed WHERE seed = ? ORDER BY channel", (seed,))
    return tuple(channel for (channel,) in rows)


def reveal_seed(connection: Connection, channel: str, from_seq: int) -> None:
    """Mark a seed as public, in every channel that has it; from here on no undo goes back behind this moment."""
    sharing = "SELECT seed FROM seed WHERE channel = ? AND from_seq = ?"
    connection.execute(
        f"UPDATE channel SET barrier = last_seq WHERE channel IN (SELECT channel FROM seed WHERE seed = ({sharing}))",  # noqa: S608 - a constant of ours
        (channel, from_seq),
    )
    connection.execute(
        f"UPDATE seed SET revealed = 1 WHERE seed = ({sharing})",  # noqa: S608 - a constant of ours
        (channel, from_seq),
    )


def announce_seed(connection: Connection, channel: str, from_seq: int) -> None:
    connection.execute("UPDATE seed SET announced = 1 WHERE channel = ? AND from_seq = ?", (channel, from_seq))


def seed_row(row: tuple[Any, ...]) -> SeedRow:
    channel, from_seq, seed, revealed, announced = row
    return SeedRow(channel, from_seq, bytes(seed), revealed=bool(revealed), announced=bool(announced))
