"""Bringing GMs what only they may know: by direct message, or else with the next answer that they read (play 8)."""

from __future__ import annotations

import logging
from typing import Any

import aiohttp
import discord

from bot.caller import Caller
from bot.posting.departures import Departures
from bot.posting.messages import Messages
from bot.render.payload import SILENT
from bot.requests.direct_messages import DirectMessages
from bot.requests.members import Presence
from bot.requests.pace import LimitedError
from bot.table.room import Room

log = logging.getLogger(__name__)
_MOST_KEPT = 5  # words for one GM at one table; all of it is on their panel as well


class GmWords:
    """Sends what the outbox holds for a GM, and keeps what no direct message took until they come by."""

    def __init__(self, direct_messages: DirectMessages, messages: Messages, departures: Departures) -> None:
        self.direct_messages = direct_messages
        self.messages = messages
        self.departures = departures
        self.people = departures.people
        self._kept: dict[tuple[str, str], list[str]] = {}  # by channel and GM

    async def send(self, room: Room, gm: str, payload: dict[str, Any], nonce: str) -> None:
        """Send a GM a word, if they still are one and may see the table. It makes no sound in their quiet times."""
        if room.encounter is None or gm not in room.encounter.gms:
            return
        presence = await self.departures.look(gm, room.guild, room.channel)
        if presence not in (Presence.WRITES, Presence.READS):
            return
        flags = int(payload.get("flags", 0)) | (0 if self.people.is_reachable(gm) else SILENT)
        try:
            direct = await self.direct_messages.channel_of(gm)
            if direct is not None:
                await self.messages.send_json(direct, {**payload, "flags": flags}, [], nonce)
                return
        except (discord.HTTPException, LimitedError, aiohttp.ClientError, OSError) as error:
            self.direct_messages.forget(gm)
            log.info("%s takes no direct message: %s", gm, getattr(error, "code", type(error).__name__))
        kept = self._kept.setdefault((room.channel, gm), [])
        kept.append(str(payload.get("content", "")))
        del kept[:-_MOST_KEPT]

    async def passed(self, caller: Caller) -> str | None:
        """Return what a GM who comes by has still to be told; nothing if they are no GM any more."""
        kept = self._kept.pop((caller.channel, caller.user or ""), ())
        room = self.departures.tables.loaded(caller.channel)
        is_gm = room is not None and room.encounter is not None and caller.user in room.encounter.gms
        return "\n".join(kept) or None if is_gm else None
