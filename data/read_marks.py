"""Up to which row of a channel's log somebody has looked: what `/turn` tells them begins behind it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping

from data.connection import Connection, Engine, Fenced
from rules.errors import StoreFailure

NOTE_WITHIN_SECONDS = 1.0


class ReadMarks:
    """Read marks are noted at once and written together a moment later. If one is lost, a line is shown again."""

    def __init__(self, database: Engine) -> None:
        self._database = database
        self._noted: dict[tuple[str, str], int] = {}  # by channel and user
        self._writing: asyncio.Task[None] | None = None

    def note(self, channel: str, user: str, seq: int) -> None:
        """Note up to which row somebody has looked."""
        self._noted[channel, user] = seq
        if self._writing is None or self._writing.done():
            self._writing = asyncio.get_running_loop().create_task(self._write_soon())

    async def last(self, channel: str, user: str) -> int | None:
        """Return up to which row somebody has looked; None if they never have. Raises: StoreFailure."""
        noted = self._noted.get((channel, user))
        return noted if noted is not None else await self._database.read(last_read, channel, user)

    def forget(self, *, channel: str = "", user: str = "") -> None:
        """Leave what is not written yet of a channel, or of a person, unwritten."""
        self._noted = {key: seq for key, seq in self._noted.items() if key[0] != channel and key[1] != user}

    async def stop(self) -> None:
        """Write what is noted, and end."""
        if self._writing is not None:
            self._writing.cancel()
        await self.write()

    async def _write_soon(self) -> None:
        while self._noted:
            await asyncio.sleep(NOTE_WITHIN_SECONDS)
            await self.write()

    async def write(self) -> None:
        """Write what is noted now. Marks of a channel that another process serves by now are left to it."""
        noted = dict(self._noted)
        if not noted:
            return
        with contextlib.suppress(StoreFailure):
            channels = {channel for channel, _ in noted}
            try:
                await self._database.write_to(tuple(channels), keep_read_marks, noted)
            except Fenced:
                for channel in channels:
                    with contextlib.suppress(Fenced):
                        of_it = {key: seq for key, seq in noted.items() if key[0] == channel}
                        await self._database.write_to((channel,), keep_read_marks, of_it)
        self._noted = {key: seq for key, seq in self._noted.items() if noted.get(key) != seq}


def last_read(connection: Connection, channel: str, user: str) -> int | None:
    row = connection.execute('SELECT seq FROM look WHERE channel = ? AND "user" = ?', (channel, user)).fetchone()
    return None if row is None else int(row[0])


def keep_read_marks(connection: Connection, marks: Mapping[tuple[str, str], int]) -> None:
    connection.executemany(
        'INSERT INTO look (channel, "user", seq) VALUES (?, ?, ?)'
        ' ON CONFLICT (channel, "user") DO UPDATE SET seq = excluded.seq',
        [(channel, user, seq) for (channel, user), seq in marks.items()],
    )


def read_marks_of(connection: Connection, user: str) -> tuple[tuple[str, int], ...]:
    """Return how far somebody has looked in each channel."""
    rows = connection.execute('SELECT channel, seq FROM look WHERE "user" = ? ORDER BY channel', (user,))
    return tuple((channel, int(seq)) for channel, seq in rows)
