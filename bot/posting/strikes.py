"""Undone lines are struck through in their own messages, once these have become records.

Each takes a request of its own. They follow one by one, so that an undo does not hold up the answers to others.
The store knows which are still to follow, so that a stop loses none.
"""

from __future__ import annotations

import asyncio
import logging

import aiohttp
import discord

from bot.posting.messages import Messages, edited
from bot.posting.opening import opening_or_record
from bot.render.payload import Payload
from bot.requests.pace import LimitedError
from bot.table.room import Room
from bot.table.service import Tables
from bot.table.writer import TOLD
from data.connection import Fenced
from data.rows import RecordRow
from rules.errors import StoreFailure

log = logging.getLogger(__name__)
MOST_RECORDS = 20  # are edited for one undo
PAUSE_SECONDS = 2.0
AGAIN_SECONDS = 60.0


class Strikes:
    """Shows on records which of their rows were undone, or done again."""

    def __init__(self, tables: Tables, messages: Messages) -> None:
        self.tables = tables
        self.messages = messages

    async def begin(self, room: Room) -> None:
        """See to it that they follow."""
        while room.struck:
            room.struck = False
            owed = await self.tables.store.owed_records(room.channel)
            for record in owed[:-MOST_RECORDS]:
                await self.tables.store.record_shown(record)  # the undo's own line says it
            room.late |= {record.message: record for record in owed[-MOST_RECORDS:]}
        if room.late and (room.striking is None or room.striking.done()):
            room.striking = asyncio.create_task(self._follow(room, PAUSE_SECONDS), name=f"strike {room.channel}")

    def hurry(self, room: Room) -> asyncio.Task[None]:
        """Edit without a pause what is still to be; return what does."""
        if room.striking is not None:
            room.striking.cancel()
        room.striking = asyncio.create_task(self._follow(room, 0), name=f"strike {room.channel}")
        return room.striking

    async def _follow(self, room: Room, pause: float) -> None:
        is_last = not pause
        while room.late and self.tables.serves(room):
            await asyncio.sleep(pause)
            record = next(iter(room.late.values()))
            try:
                await self._edit(room, record)
                await self.tables.store.record_shown(record)
            except Fenced:  # who strikes it there
                log.info("channel %s: another process took its shard", room.channel)
                return
            except (LimitedError, aiohttp.ClientError, OSError, StoreFailure) as error:  # a time-out is one of these
                log.warning("a record in %s waits to be struck through: %s", room.channel, type(error).__name__)
                if is_last:
                    return
                pause = AGAIN_SECONDS
            else:
                if room.late.get(record.message) is record:
                    del room.late[record.message]

    async def _edit(self, room: Room, record: RecordRow) -> None:
        told = await self._told(room, record)
        try:
            await self.messages.edit(room.channel, record.message, edited(told), told.files)
        except discord.HTTPException as error:  # gone, or too old: the undo's own line says it
            log.info("a record in %s is not struck through: %s", room.channel, error.code)

    async def _told(self, room: Room, record: RecordRow) -> Payload:
        count = record.told - record.first + 1
        rows = await self.tables.store.log(room.channel, after=record.first - 1, limit=count)
        return opening_or_record(room, [self.tables.story_row(room, row) for row in rows if row.kind in TOLD])
