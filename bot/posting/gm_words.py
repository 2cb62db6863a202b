"""Bringing GMs what only they may know: by direct message, or else with the next answer that they read (play 8).

In a GM's quiet times it comes without a sound, and once more, with one, when they wake.
A person's digest goes the same way.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import Any

import aiohttp
import discord

from bot.caller import Caller
from bot.nonces import nonce_of
from bot.posting.departures import Departures
from bot.posting.history import History, is_among
from bot.posting.messages import Messages
from bot.render.payload import SILENT
from bot.render.words import CONTENT, and_more
from bot.requests.direct_messages import DirectMessages
from bot.requests.members import Presence
from bot.requests.pace import LimitedError
from bot.table.room import Room
from data.rows import QUIETLY, SINCE, TO, OutboxMessage

log = logging.getLogger(__name__)
_MOST_KEPT = 5  # words for one GM at one table; all of it is on their panel as well
_IN_QUIET_TIMES = "This came in your quiet time:"


class GmWords:
    """Sends what the outbox holds for a GM, and keeps what no direct message took until they come by."""

    def __init__(
        self, direct_messages: DirectMessages, messages: Messages, history: History, departures: Departures
    ) -> None:
        self.direct_messages = direct_messages
        self.messages = messages
        self.history = history
        self.departures = departures
        self.people = departures.people
        self.store = departures.tables.store
        self._kept: dict[tuple[str, str], list[str]] = {}  # by channel and GM

    async def send(self, room: Room, *, looking: bool) -> None:
        """Send GMs what is new to them, and once more what came while they slept."""
        self.departures.tell_woken(room)
        silent: dict[str, list[OutboxMessage]] = {}
        for message in await self.store.pending_outbox(room.channel):
            payload = json.loads(message.payload)
            if (gm := payload.pop(TO, None)) is None:
                continue
            if payload.pop(QUIETLY, False):
                silent.setdefault(gm, []).append(message)
                continue
            is_awake = self.people.is_reachable(gm)
            quiet = {} if is_awake else {"flags": int(payload.get("flags", 0)) | SILENT}
            arrived = await self._sent(room, gm, {**payload, **quiet}, message.nonce, looking=looking)
            if arrived and not is_awake:
                marked = json.dumps({TO: gm, QUIETLY: True, **payload})
                await self.store.outbox_sent(message, instead=marked)
                silent.setdefault(gm, []).append(message)
            else:
                await self.store.outbox_sent(message)
        for gm, messages in silent.items():
            if self.people.is_reachable(gm):
                await self._call(room, gm, messages, looking=looking)
                continue
            self.departures.call_later(room.channel, (gm,))

    async def _call(self, room: Room, gm: str, messages: Sequence[OutboxMessage], *, looking: bool) -> None:
        """Send a GM who has woken all that came meanwhile, in one message."""
        last = json.loads(messages[-1].payload)
        nonce = nonce_of(room.channel, "woken", messages[-1].nonce)
        content = and_more([_IN_QUIET_TIMES, *_contents(messages)], CONTENT)
        payload = {key: value for key, value in last.items() if key not in (TO, QUIETLY)}
        await self._sent(room, gm, {**payload, "content": content}, nonce, looking=looking)
        for message in messages:
            await self.store.outbox_sent(message)

    async def _sent(self, room: Room, gm: str, payload: dict[str, Any], nonce: str, *, looking: bool) -> bool:
        """Send a GM a message if they still are one and may see the table; tell whether it is there."""
        since = payload.pop(SINCE, None)
        is_digest = room.channel == gm  # of all their tables
        if not is_digest:
            if room.encounter is None or gm not in room.encounter.gms:
                return False
            presence = await self.departures.look(gm, room.guild, room.channel)
            if presence not in (Presence.WRITES, Presence.READS):
                return False
        try:
            direct = await self.direct_messages.channel_of(gm)
            if direct is None and is_digest:
                raise TimeoutError
            if direct is not None:
                own = await self._own_after(direct, room, since) if looking else ()
                if own is not None and not is_among(own, nonce, payload.get("content")):
                    await self.messages.send_json(direct, payload, [], nonce)
                return True
        except (discord.HTTPException, LimitedError, aiohttp.ClientError, OSError) as error:
            self.direct_messages.forget(gm)
            log.info("%s takes no direct message: %s", gm, getattr(error, "code", type(error).__name__))
            if is_digest and not isinstance(error, discord.Forbidden):
                raise  # it is tried again later
        if is_digest:
            return False
        kept = self._kept.setdefault((room.channel, gm), [])
        kept.append(str(payload.get("content", "")))
        del kept[:-_MOST_KEPT]
        return False

    async def _own_after(self, direct: str, room: Room, since: int | None) -> list[dict[str, Any]] | None:
        after = await self.history.last_noted(room) if since is None else since
        return await self.history.own_after(direct, after, direct=True)

    async def passed(self, caller: Caller) -> str | None:
        """Return what a GM who comes by has still to be told; nothing if they are no GM any more."""
        kept = self._kept.pop((caller.channel, caller.user or ""), [])
        room = self.departures.tables.loaded(caller.channel)
        if room is None or room.encounter is None or caller.user not in room.encounter.gms:
            return None
        for message in await self.store.pending_outbox(room.channel):
            payload = json.loads(message.payload)
            if payload.get(TO) == caller.user and payload.get(QUIETLY):
                kept.append(str(payload.get("content", "")))
                await self.store.outbox_sent(message)
        return "\n".join(kept[-_MOST_KEPT:]) or None


def _contents(messages: Sequence[OutboxMessage]) -> list[str]:
    return list(dict.fromkeys(str(json.loads(message.payload).get("content", "")) for message in messages))
