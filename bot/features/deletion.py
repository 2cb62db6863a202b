"""Deletion of what is kept: of a person, everywhere; of a server, when asked or some time after the referee left."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable

from bot.table.service import Tables
from data.shelf_names import server_shelf

log = logging.getLogger(__name__)
SEATED = "seated:"  # by user, while a seat of theirs is left: the encounters, and the log's last row at that time
ELSEWHERE = "elsewhere:"  # by user: who was deleted, and the channels of other processes that still hold them
LEFT = "left:"  # by server: since when the referee is no longer there (Unix seconds)
DAY_SECONDS = 86400.0


class Deletion:
    """Takes people and servers out of the store, one channel at a time, each under its lock."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.store = tables.store

    async def of_person(self, user: str, name: str) -> None:
        """Delete a person. If they sit in an open encounter they are taken out once it has ended."""
        last = await self.store.last_log_number()
        for other in (user, *await self.store.delete_person(user)):
            self.tables.people.forget(other)
        channels = await self.store.channels_of(user)
        if self.store.served is not None:
            written = json.dumps({"names": [name], "last": last, "channels": channels})
            await self.store.set_meta(ELSEWHERE + user, written)
            await self.store.tell_deleted(user)
            await self._erase_here(user, written)
        else:
            seated: list[str] = []
            for channel in channels:
                seated += await self._erase(channel, user, (name,), last)
            await self._note_seats(user, seated, last)
        await self.tables.repeats.erase(user, name)

    async def of_people_elsewhere(self) -> None:
        """Take those out of this process's channels that another process was asked to delete."""
        for key, written in (await self.store.find_metas(ELSEWHERE)).items():
            await self._erase_here(key.removeprefix(ELSEWHERE), written)

    async def _erase_here(self, user: str, written: str) -> None:
        """Take a person out of the channels that are served here; the others stay noted."""
        noted = json.loads(written)
        left: list[str] = []
        seated: list[str] = []
        for channel in noted["channels"]:
            if self.tables.serves(await self.tables.room_of(channel, None)):
                seated += await self._erase(channel, user, tuple(noted["names"]), noted["last"])
            else:
                left.append(channel)
        if seated:
            before = (await self.store.find_metas(SEATED + user)).get(SEATED + user)
            known = [] if before is None else json.loads(before)["encounters"]
            await self._note_seats(user, [*known, *(each for each in seated if each not in known)], noted["last"])
        if left:
            await self.store.set_meta(ELSEWHERE + user, json.dumps({**noted, "channels": left}))
        else:
            await self.store.delete_meta(ELSEWHERE + user)

    async def of_seats(self) -> None:
        """Take those who were deleted out of the encounters that have ended since."""
        for key, written in (await self.store.find_metas(SEATED)).items():
            user, noted = key.removeprefix(SEATED), json.loads(written)
            rows = [await self.store.load_encounter(identity) for identity in noted["encounters"]]
            is_over = any(row is None or row[0].status == "ended" for row in rows)
            if not is_over:
                continue
            served = self.store.served
            seated = [
                row[0].id for row in rows if row is not None and served is not None and row[0].guild not in served
            ]
            ours = [row[0] for row in rows if row is not None and row[0].id not in seated]
            for channel in dict.fromkeys(row.channel for row in ours):
                seated += await self._erase(channel, user, (), noted["last"], tuple(noted["encounters"]))
            await self._note_seats(user, [each for each in seated if each in noted["encounters"]], noted["last"])

    async def _erase(
        self, channel: str, user: str, names: tuple[str, ...], last: int, ended: tuple[str, ...] = ()
    ) -> tuple[str, ...]:
        async with self.tables.locked(channel, None):
            try:
                return await self.store.erase(channel, user, names, last, ended)
            finally:
                self.tables.forget(channel)  # a task that waits for it reads it again

    async def _note_seats(self, user: str, encounters: list[str], last: int) -> None:
        if encounters:
            await self.store.set_meta(SEATED + user, json.dumps({"encounters": encounters, "last": last}))
        else:
            await self.store.delete_meta(SEATED + user)

    # Servers

    async def of_server(self, guild: str) -> int:
        """Delete all that is kept of a server; return how many channels that were."""
        channels = await self.store.channels_in(guild)
        for channel in channels:
            async with self.tables.locked(channel, guild):
                try:
                    await self.store.delete_channel(channel)
                finally:
                    self.tables.forget(channel)
        await self.store.delete_kept_in(guild)
        self.tables.people.forget(server_shelf(guild))
        await self.store.delete_meta(LEFT + guild)
        log.info("server %s: all that was kept is deleted", guild)
        return len(channels)

    async def note_servers(self, present: Iterable[str], is_ours: Callable[[str], bool]) -> None:
        """Note when the referee left the servers that it keeps something of.

        `is_ours` tells whether this process would see a server; other shards belong to other processes.
        """
        here = set(present)
        known = await self.store.find_metas(LEFT)
        for guild in filter(is_ours, await self.store.guilds()):
            if guild in here and LEFT + guild in known:
                await self.store.delete_meta(LEFT + guild)
            elif guild not in here and LEFT + guild not in known:
                await self.store.set_meta(LEFT + guild, str(self.tables.clock()))

    async def of_servers_left(self, days: int) -> None:
        """Delete the servers that the referee left so many days ago."""
        served = self.store.served
        for key, since in (await self.store.find_metas(LEFT)).items():
            if served is not None and key.removeprefix(LEFT) not in served:
                continue
            if self.tables.clock() - float(since) >= days * DAY_SECONDS:
                await self.of_server(key.removeprefix(LEFT))
