"""What was done right before the program died, and told to nobody.

A step counts once it is committed; its answer goes out afterwards and is noted nowhere, so that a step costs one
transaction. After a death that was not announced, the last rows are looked for in their channels, and what the channel
should have read and has not is posted there before the next prompt (design 6).
"""

from __future__ import annotations

import asyncio
import json
import logging
from datetime import datetime
from itertools import groupby
from typing import Any

from bot.caller import Caller
from bot.posting.history import History, moment_of
from bot.posting.prompts import FAILURES, has_arrived
from bot.render.payload import fit
from bot.replies.referee import Referee
from bot.requests.blocked_channels import BlockedChannels
from bot.requests.places import Places
from bot.table.room import Owed, Room
from bot.table.service import Tables
from data.connection import Fenced, ServedShards
from data.rows import LIVE, LogRow
from rules.errors import StoreFailure

log = logging.getLogger(__name__)
ENDED, CLEANLY, NO = "ended", "cleanly", "no"
MOST_ROWS = 300
LAST_SECONDS = 60.0  # of the program's life: what is older was answered, or its answer had failed and was posted
AT_ONCE = 8


class Recovery:
    """Finds and posts what answers did not tell before the program died."""

    def __init__(
        self,
        tables: Tables,
        history: History,
        blocked_channels: BlockedChannels,
        places: Places,
        referee: Referee,
    ) -> None:
        self.tables = tables
        self.store = tables.store
        self.history = history
        self.blocked_channels = blocked_channels
        self.places = places
        self.referee = referee
        self._rows: dict[int | None, tuple[LogRow, ...]] = {}  # not looked for yet, by shard; None: of all

    async def remember(self, shard: int | None = None) -> None:
        """Note the last rows of an earlier life that did not end cleanly, before anything new comes in.

        With several processes each shard has lives of its own.
        """
        store, served = self.store, self.store.served
        self._rows.pop(shard, None)
        if await store.get_meta(_key(shard)) != CLEANLY:
            there = None if shard is None or served is None else ServedShards(served.count, frozenset({shard}))
            self._rows[shard] = _of_the_last_moment(await store.newest_rows(MOST_ROWS, there))
        await store.set_meta(_key(shard), NO, shard)

    async def note_end(self, shard: int | None = None) -> None:
        """Note that everything was told, at the end of a life in which everything was answered.

        One that was still looking for what the life before had not told leaves that to the next.
        """
        if self._rows.get(shard) or any(room.owed for room in self.tables.rooms()):
            return
        try:
            await self.store.set_meta(_key(shard), CLEANLY, shard)
        except Fenced:  # whose life goes on
            log.info("shard %s: another process took it, and says itself how its life ends", shard)
        except StoreFailure:
            log.exception("that all was told is not noted; the next start looks for it")

    async def tell(self, shard: int | None = None) -> None:
        """Look in each channel for what was done last there, and let it read what it has not."""
        recovered = self._rows.get(shard, ())
        rows = sorted(recovered, key=lambda row: (row.channel, row.seq))
        channels = [list(group) for _, group in groupby(rows, key=lambda row: row.channel)]
        for at in range(0, len(channels), AT_ONCE):
            await asyncio.gather(*(self._tell_one(group) for group in channels[at : at + AT_ONCE]))
        if self._rows.get(shard) is recovered:
            del self._rows[shard]

    async def _tell_one(self, rows: list[LogRow]) -> None:
        channel = rows[0].channel
        try:
            room = await self.tables.room_of(channel, None)
            if room.guild == "@me" or self.blocked_channels.is_shut(channel) or not self._may_send(channel):
                return
            own = await self.history.own_after(channel, min(moment_of(row) for row in rows))
            if own is None:
                return  # it may be there, and nothing is sent a second time
            missing = [owed for row in rows if (owed := await self._missing(room, row, own)) is not None]
        except FAILURES as error:
            log.info("channel %s: what was told last cannot be read: %s", channel, type(error).__name__)
            return
        except Fenced:  # who looks there itself
            log.info("channel %s: another process took its shard", channel)
            return
        except Exception:
            log.exception("what was told last in channel %s", channel)  # the others are looked at anyway
            return
        if missing:
            room.owed[:0] = missing
            self.tables.announce(room)

    def _may_send(self, channel: str) -> bool:
        own = self.places.permissions(channel)
        return own is None or own.send_messages  # if it is not known yet Discord will say

    async def _missing(self, room: Room, row: LogRow, own: list[dict[str, Any]]) -> Owed | None:
        """Return what a row should have told the channel; None if it did or nobody can say."""
        if row.state != LIVE:
            return None  # it was taken back, and that is a row of its own
        if not row.interaction.isdecimal() or json.loads(row.command).get("ordered"):
            return None  # a timer's step and an order went by the outbox
        caller = Caller(
            user=row.by, name="", interaction=row.interaction, channel=row.channel, guild=room.guild, can_post=True
        )
        reply = await self.referee.again(caller, row.seq)
        if reply.public is None:
            return None
        owed = Owed(fit(reply.public), row.interaction)
        words = owed.payload.content
        joined = words and any(
            int(each["id"]) > int(row.interaction) and words in str(each.get("content") or "") for each in own
        )
        return None if joined or has_arrived(own, owed) else owed


def _key(shard: int | None) -> str:
    return ENDED if shard is None else f"{ENDED}:{shard}"


def _of_the_last_moment(rows: tuple[LogRow, ...]) -> tuple[LogRow, ...]:
    """Return those of the newest rows that were written within the last seconds before the newest of all."""
    if not rows:
        return ()
    last = datetime.fromisoformat(rows[0].at).timestamp()
    return tuple(row for row in rows if last - datetime.fromisoformat(row.at).timestamp() <= LAST_SECONDS)
