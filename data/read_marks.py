"""Up to which row of a channel's log somebody has looked: what `/turn` tells them begins behind it."""

from __future__ import annotations

from data.connection import Connection


def last_read(connection: Connection, channel: str, user: str) -> int | None:
    """Return up to which row somebody has looked; None if they never have."""
    row = connection.execute('SELECT seq FROM look WHERE channel = ? AND "user" = ?', (channel, user)).fetchone()
    return None if row is None else int(row[0])


def keep_read_mark(connection: Connection, channel: str, user: str, seq: int) -> None:
    connection.execute(
        'INSERT INTO look (channel, "user", seq) VALUES (?, ?, ?)'
        ' ON CONFLICT (channel, "user") DO UPDATE SET seq = excluded.seq',
        (channel, user, seq),
    )


def read_marks_of(connection: Connection, user: str) -> tuple[tuple[str, int], ...]:
    """Return how far somebody has looked in each channel."""
    rows = connection.execute('SELECT channel, seq FROM look WHERE "user" = ? ORDER BY channel', (user,))
    return tuple((channel, int(seq)) for channel, seq in rows)
