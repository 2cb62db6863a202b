"""The daily digest: what happened in a channel, and who is waited for. It pings nobody, and comes if anything did."""

from __future__ import annotations

import json
from collections.abc import Callable

from bot.nonces import nonce_of
from bot.render.nudge import digest_message
from bot.render.words import PUBLIC, joined, newest_first
from bot.table.room import Room
from bot.table.service import Tables
from bot.waiting.waits import TURN, reminding_of
from bot.waiting.waking import next_clock
from data.rows import LIVE, OPEN, OutboxMessage
from rules.core.seen.lines import load_lines

_MOST_ROWS = 400
_ROOM = 1300


class Digests:
    """Writes digests into the outbox, once each."""

    def __init__(self, tables: Tables, wake: Callable[[Room], None]) -> None:
        self.tables = tables
        self.wake = wake

    async def post(self, channel: str) -> None:
        """Post a channel's digest and set the time of the next; after downtime one replaces all that were missed."""
        async with self.tables.locked(channel, None) as room:
            now = self.tables.clock()
            reminding = reminding_of(room.remind.settings)
            due = None
            if reminding.digest is not None:
                due = next_clock(reminding.digest, reminding.zone, now)
            seq = room.next_seq - 1
            message = None if due is None else await self._message(room, seq)
            await self.tables.store.claim_digest(channel, due, seq, message)
        if message is not None:
            self.wake(room)

    async def _message(self, room: Room, seq: int) -> OutboxMessage | None:
        view = room.public_view()
        if view is None or view.status != "running":
            return None
        told = await self.tables.store.digest_seq(room.channel)
        rows = await self.tables.store.log(room.channel, encounter=view.id, after=told, limit=_MOST_ROWS)
        live = [row for row in rows if row.kind == "step" and row.state == LIVE]
        lines = [line for row in live for line in load_lines(row.lines)]
        happened = [text for text in (joined([line], PUBLIC, _ROOM) for line in lines) if text]
        if not happened:
            return None
        since = {row.who: row.since for row in room.waits if row.place == OPEN and row.kind == TURN}
        waiting = [(who, since.get(who)) for who in view.turn]
        text = newest_first(happened, _ROOM, rest="earlier lines (/encounter log)")
        payload = digest_message(view, len(live), waiting, text)
        day = self.tables.clock() // 3600
        return OutboxMessage(
            nonce=nonce_of(room.channel, "digest", seq, int(day)),
            channel=room.channel,
            payload=json.dumps(payload.to_json()),
        )
