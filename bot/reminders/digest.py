"""The daily digest: what happened, and who is waited for. A channel's pings nobody; a person's is over their tables.

It comes if anything happened since the last one.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence

from bot.caller import Caller
from bot.nonces import nonce_of
from bot.render.nudge import Happened, digest_message
from bot.render.words import PUBLIC, joined, newest_first
from bot.requests.members import Presence
from bot.table.room import Room
from bot.table.service import Tables
from bot.waiting.waits import TURN, people_of, reminding_of
from bot.waiting.waking import next_clock
from data.rows import LIVE, OPEN, TO, LogRow, OutboxMessage
from rules.core.seen.lines import load_lines
from rules.core.views.view import View, view_of

_MOST_ROWS = 400
_ROOM = 1300
_ROOM_OF_ONE = 200  # of several tables
Look = Callable[[str, str, str], Awaitable[Presence]]


class Digests:
    """Writes digests into the outbox, once each. `look` tells what somebody may do in a server's channel."""

    def __init__(self, tables: Tables, wake: Callable[[Room], None], look: Look) -> None:
        self.tables = tables
        self.store = tables.store
        self.wake = wake
        self.look = look

    async def post(self, channel: str) -> None:
        """Post a channel's digest and set the time of the next; after downtime one replaces all that were missed."""
        async with self.tables.locked(channel, None) as room:
            now = self.tables.clock()
            reminding = reminding_of(room.remind.settings)
            due = None
            if reminding.digest is not None:
                due = next_clock(reminding.digest, reminding.zone, now)
            seq = room.next_seq - 1
            view = room.public_view()
            message = None
            if due is not None and view is not None and view.status == "running":
                told = await self.store.digest_seq(channel)
                rows = await self.store.log(channel, encounter=view.id, after=told, limit=_MOST_ROWS)
                message = self._message(channel, [happened(room, view, view.turn, rows)], seq, int(now // 3600))
            await self.store.claim_digest(channel, due, seq, message)
        if message is not None:
            self.wake(room)

    async def send(self, user: str) -> None:
        """Send a person's digest in their waking time, and set the time of the next."""
        people, now = self.tables.people, self.tables.clock()
        await people.load((user,))
        await people.read_anew((user,))
        person = people.get(user)
        due, message, last = person.next_digest(now), None, await self.store.last_log_number()
        if due is not None and not people.is_reachable(user):
            await people.change(user, digest_due=min(due, person.waking.next_awake(now)))
            return
        if due is not None:
            tables = await self._tables_of(user, (person.digest_told, last))
            message = self._message(user, tables, last, int(now // 3600), to=user)
        await people.change(user, message, digest_due=due, digest_told=last)
        if message is not None:
            self.wake(await self.tables.room_of(message.channel, None))

    async def _tables_of(self, user: str, numbers: tuple[int, int]) -> list[Happened]:
        """Return what happened between two rows of the log, and what waits, at each table of somebody's."""
        tables: list[Happened] = []
        for place in await self.store.running_with(user):
            room = await self.tables.room_of(place.channel, place.guild)
            if room.encounter is None or room.encounter.id != place.id or user not in people_of(room.encounter):
                continue
            if await self.look(user, place.guild, place.channel) not in {Presence.WRITES, Presence.READS}:
                continue
            async with room.lock:
                seat = self.tables.seat(room, Caller(user, "", "", room.channel, room.guild))
                view = view_of(room.table, seat)
                rows = await self.store.log(
                    room.channel, encounter=place.id, limit=_MOST_ROWS, newest_first=True, numbers=numbers
                )
            if view is not None:
                tables.append(happened(room, view, view.own_turn, rows[::-1], link=room.link))
        return [each for each in tables if each.text or each.waiting]

    def _message(
        self, channel: str, tables: Sequence[Happened], *mark: int, to: str | None = None
    ) -> OutboxMessage | None:
        if not any(each.text for each in tables):
            return None
        payload = digest_message(tables).to_json() | ({} if to is None else {TO: to})
        return OutboxMessage(nonce_of(channel, "digest", *mark), channel, json.dumps(payload))


def happened(
    room: Room, view: View, waiting: Sequence[str], rows: Sequence[LogRow] = (), *, link: str = ""
) -> Happened:
    """Return what a digest tells of a table; with a link it is one line."""
    live = [row for row in rows if row.kind == "step" and row.state == LIVE]
    lines = [line for row in live for line in load_lines(row.lines)]
    texts = [text for text in (joined([line], PUBLIC, _ROOM_OF_ONE if link else _ROOM) for line in lines) if text]
    text = newest_first(texts[-1:] if link else texts, _ROOM, rest="earlier lines (/encounter log)")
    since = {row.who: row.since for row in room.waits if row.place == OPEN and row.kind == TURN}
    return Happened(view, len(live) if text else 0, text, [(who, since.get(who)) for who in waiting], link)
