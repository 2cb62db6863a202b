"""Sending what was claimed: the channel's nudge, which becomes its live prompt, and copies by direct message.

Each piece is looked at again just before it is sent (is the turn still the same, is the person awake), and noted
as soon as it is out. What was not confirmed is looked for before it is sent again.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

import discord

from bot import custom_ids
from bot.nonces import nonce_of
from bot.posting.departures import Departures, present
from bot.posting.history import History
from bot.posting.live import LiveMessages, nudged
from bot.posting.messages import Messages
from bot.posting.prompt_payload import prompt_payload
from bot.posting.prompt_picture import with_picture
from bot.reminders.scheduler import GmWord, Nudge, read_nudge
from bot.render.nudge import Called, GmCalled, Lead, direct_copy, lead_of, nudge_message
from bot.render.payload import Payload
from bot.render.record import record_of
from bot.requests.direct_messages import DirectMessages
from bot.requests.members import Presence
from bot.requests.pace import LimitedError
from bot.table.room import Room
from bot.table.service import Tables
from bot.waiting.waits import CALLED, asked_users, question_of
from data.rows import OPEN, PAST, WaitChanges, WaitRow
from rules.core.encounter import Encounter
from rules.core.turns.decisions import ABSENCE, ROLL, TURN
from rules.core.values import Question
from rules.core.views.view import View

log = logging.getLogger(__name__)
FORBIDDEN = 403  # 50007, mostly: they take no direct messages
SERVER_ERRORS = 500
JUST_NOW_SECONDS = 60


class Nudging:
    """Sends the nudge that a room has claimed."""

    def __init__(
        self,
        tables: Tables,
        direct_messages: DirectMessages,
        messages: Messages,
        history: History,
        live: LiveMessages,
        departures: Departures,
    ) -> None:
        self.tables = tables
        self.store = tables.store
        self.people = tables.people
        self.direct_messages = direct_messages
        self.messages = messages
        self.history = history
        self.live = live
        self.departures = departures

    async def send(self, room: Room, *, looking: bool) -> None:
        """Send the room's nudge, if it still holds. Raises: discord.HTTPException; it stays claimed then."""
        nudge = read_nudge(room.remind.nudge)
        state = room.encounter
        view = room.public_view()
        if nudge is None:
            return
        if state is None or view is None or nudge.version != room.prompt.wanted:
            await self._done(room, nudge, None)
            return
        prompt = prompt_payload(self.people, room, view, called=frozenset())
        presences = await self._looked_up(room, state, nudge)
        called, asleep = self._called(room, state, nudge, presences)
        words = self._words(room, state, nudge.words, presences)
        if prompt is None or not (called or words):
            await self._done(room, nudge, None, asleep)
            return
        direct = {
            user
            for user in (*(user for each in called for user in each.users), *(gm for each in words for gm in each.gms))
            if self.people.get(user).wants_direct and presences.get(user) in {Presence.WRITES, Presence.READS}
        }
        for user in sorted(direct - set(nudge.told)):
            if await self._direct(room, user, prompt, view, called, words, nudge, looking=looking):
                nudge = await self._told(room, nudge, user)
            else:
                direct.discard(user)
        here = [
            replace(each, users=left)
            for each in called
            if (left := tuple(user for user in each.users if user not in direct))
        ]
        words_here = [
            replace(each, gms=left) for each in words if (left := tuple(gm for gm in each.gms if gm not in direct))
        ]
        if not (here or words_here):
            await self._done(room, nudge, None, asleep)
            return
        lead = lead_of(view, here, words_here, nudge.number)
        pinged = [*(user for each in here for user in each.users), *(gm for each in words_here for gm in each.gms)]
        payload = nudge_message(prompt, view, lead, nudge.version, pinged)
        known, message = await self._find(room, room.channel, payload, nudge) if looking else (True, None)
        if not known:  # it may be there, and nothing is sent a second time
            await self._done(room, nudge, None, asleep)
            return
        board = None
        if message is None:
            nonce = nonce_of(room.channel, "nudge", nudge.number)
            board = self.live.board(room)
            with_board = await with_picture(self.live.pictures, payload, board)
            message = await self.messages.send(room.channel, with_board, nonce=nonce)
        await self._done(room, nudge, message, asleep, lead)
        room.pictured = board if room.prompt.message == message else room.pictured

    # Who

    async def _looked_up(self, room: Room, state: Encounter, nudge: Nudge) -> dict[str, Presence]:
        """Look up whose turn it is, and who is asked in place of people who turn out to be gone."""
        waits = {*nudge.waits, *(each.wait for each in nudge.words)}
        actors = [row.who for row in room.waits if row.id in waits and row.place == OPEN]
        wanted = {each.owner for each in state.combatants if each.owner is not None and each.name in actors}
        wanted |= {*state.gms} if nudge.words else set()
        presences: dict[str, Presence] = {}
        while True:
            wanted |= {user for who in actors for user in asked_users(self.people, state, room.guild, who)}
            if not wanted - {*presences}:
                return presences
            presences |= await self.departures.look_all(sorted(wanted - {*presences}), room)

    def _called(
        self, room: Room, state: Encounter, nudge: Nudge, presences: dict[str, Presence]
    ) -> tuple[list[Called], list[WaitRow]]:
        """Return who is nudged, those of one question or one moment together, and the waits whose people sleep now."""
        rows = [row for row in room.waits if row.id in nudge.waits and row.place == OPEN]
        awake: dict[tuple[str, str, int], list[tuple[WaitRow, tuple[str, ...]]]] = {}
        asleep: list[WaitRow] = []
        for row in rows:
            asked = present(presences, asked_users(self.people, state, room.guild, row.who))
            if not asked:  # all that could act are gone: the GM was told, and sees to it
                continue
            users = tuple(user for user in asked if self.people.is_reachable(user))
            if not users:
                asleep.append(row)
                continue
            question = question_of(state, row)
            what = _what(question, row)
            window = 0 if question is None else question.window
            of = " ".join(users) if what in ("turn", "absence") else str(window or row.key)
            awake.setdefault((what, of, int(row.since)), []).append((row, users))
        called = []
        now = self.tables.clock()
        for (what, _, since), each in awake.items():
            users = tuple(dict.fromkeys(user for _, named in each for user in named))
            names = (row.key.partition(":")[2] if what == "absence" else row.who for row, _ in each)
            who = tuple(name for name in names if not _hidden(state, name))
            missing = [row for row, _ in each]
            first = all(row.sent == CALLED for row in missing)
            known = None if first and since > now - JUST_NOW_SECONDS else since
            called.append(Called(users, who, known, what, last=_is_last(room, missing), first=first))
        return called, asleep

    def _words(
        self, room: Room, state: Encounter, words: Sequence[GmWord], presences: dict[str, Presence]
    ) -> list[GmCalled]:
        open_rows = {row.id: row for row in room.waits if row.place == OPEN}
        there = present(presences, state.gms)
        gms = tuple(gm for gm in there if self.people.is_reachable(gm)) or there[:1]
        calls = []
        for each in words:
            row = open_rows.get(each.wait)
            if row is not None and gms:
                question = question_of(state, row)
                what = _what(question, row)
                calls.append(GmCalled(gms=gms, who=row.who, since=row.since, why=each.why, what=what))
        return calls

    # Sending

    async def _direct(
        self,
        room: Room,
        user: str,
        prompt: Payload,
        view: View,
        called: Sequence[Called],
        words: Sequence[GmCalled],
        nudge: Nudge,
        *,
        looking: bool,
    ) -> bool:
        """Send somebody their copy; False if the channel has to call them instead.

        Closed direct messages are remembered, a limit is not.
        """
        own = [each for each in called if user in each.users]
        own_words = [each for each in words if user in each.gms]
        place = f"in <#{room.channel}>: https://discord.com/channels/{room.guild}/{room.channel}"
        payload = direct_copy(prompt, view, own, own_words, nudge.version, nudge.number, place=place)
        try:
            channel = await self.direct_messages.channel_of(user)
            if channel is None:
                return False
            known, sent = await self._find(room, channel, payload, nudge) if looking else (True, None)
            if sent is not None or not known:
                return True
            await self.messages.send(channel, payload, nonce=nonce_of(room.channel, user, nudge.number))
        except discord.HTTPException as error:
            if error.status >= SERVER_ERRORS:
                raise  # it may be there, and is looked for
            self.direct_messages.forget(user)
            if error.status == FORBIDDEN:
                log.info("direct messages of %s are closed", user)
                await self.people.change(user, dm_closed=True)
            return False
        except LimitedError:
            return False
        return True

    async def _find(self, room: Room, channel: str, payload: Payload, nudge: Nudge) -> tuple[bool, str | None]:
        """Look for a message that was sent and not confirmed, by its words or its button; say whether one can look."""
        noted = await self.history.last_noted(room)
        own = await self.history.own_after(channel, noted, direct=channel != room.channel)
        for message in own or ():
            if message.get("content") == payload.content:
                return True, str(message["id"])
            for row in message.get("components", []):
                for component in row.get("components", []):
                    pressed = custom_ids.parse_id(str(component.get("custom_id", "")))
                    if (
                        pressed is not None
                        and pressed.kind == custom_ids.NOT_ME
                        and pressed.parts == (str(nudge.number),)
                    ):
                        return True, str(message["id"])
        return own is not None, None

    # Noting

    async def _told(self, room: Room, nudge: Nudge, user: str) -> Nudge:
        nudge = nudge.evolve(told=(*nudge.told, user))
        async with room.lock:
            current = read_nudge(room.remind.nudge)
            if current is not None and current.number == nudge.number:
                stored_nudge = nudge.model_dump_json(exclude_defaults=True)
                await self.store.claim_nudge(room.channel, WaitChanges(armings=room.remind.armings), stored_nudge)
                room.remind = replace(room.remind, nudge=stored_nudge)
        return nudge

    async def _done(
        self,
        room: Room,
        nudge: Nudge,
        message: str | None,
        asleep: Sequence[WaitRow] = (),
        lead: Lead | None = None,
    ) -> None:
        """Note the nudge as sent. Somebody who fell asleep before it went out is nudged when they wake."""
        old, shown = room.prompt.message, room.story
        if message is not None and old is not None and old != message:
            record = record_of([row for row in shown if row.seq <= room.prompt.told])
            await self.messages.close(room, old, record)  # a stop before it is noted does it again
        async with room.lock:
            later = self._later(room, asleep)
            stored_nudge = _left(read_nudge(room.remind.nudge), nudge)
            written = None if lead is None else lead.model_dump_json(exclude_defaults=True)
            posted = None if message is None else nudged(room, message, shown)
            await self.store.nudged(room.channel, posted, written, stored_nudge, later)
            if later is not None:
                room.take_waits(later)
            room.remind = replace(
                room.remind, nudge=stored_nudge, lead=room.remind.lead if message is None else written
            )
            if posted is not None:
                room.prompt, room.edit_token, room.shown, room.pictured = posted.prompt, None, "", None
                room.story = tuple(row for row in room.story if row.seq >= posted.prompt.first)
                room.pinged, room.newest = frozenset(), max(room.newest, int(posted.prompt.message or 0))

    def _later(self, room: Room, asleep: Sequence[WaitRow]) -> WaitChanges | None:
        state = room.encounter
        if not asleep or state is None:
            return None
        now = self.tables.clock()
        numbers = {row.id for row in asleep}
        put = []
        for row in room.waits:
            if row.id in numbers and row.place == OPEN:
                users = asked_users(self.people, state, room.guild, row.who)
                due = min((self.people.get(user).waking.next_awake(now) for user in users), default=now)
                put.append(replace(row, sent=row.sent - 1, due=due))
        return WaitChanges(put=tuple(put), armings=room.remind.armings)


def _left(current: Nudge | None, sent: Nudge) -> str | None:
    """Return what is still to be sent of a nudge that was claimed while another one was on its way."""
    if current is None or current.number == sent.number:
        return None
    words = tuple(each for each in current.words if each not in sent.words)
    waits = tuple(each for each in current.waits if each not in sent.waits)
    return current.evolve(waits=waits, words=words).model_dump_json(exclude_defaults=True) if waits or words else None


def _what(question: Question | None, row: WaitRow) -> str:
    if question is not None:
        return question.words
    return {ROLL: "roll", ABSENCE: "absence"}.get(row.key[0], "turn")


def _hidden(state: Encounter, who: str) -> bool:
    combatant = state.find(who)
    return combatant is not None and combatant.hidden


def _is_last(room: Room, rows: Sequence[WaitRow]) -> bool:
    """Tell whether these are all that are still missing of a turn that others had too."""
    if len(rows) != 1 or not rows[0].key.startswith(TURN):
        return False
    turn = rows[0].key.rpartition(":")[0]
    others = [
        row
        for row in room.waits
        if row.encounter == rows[0].encounter
        and row.id != rows[0].id
        and row.key.rpartition(":")[0] == turn
        and (row.ended is None or row.ended > rows[0].armed)  # not a turn that was over before this one began
    ]
    return bool(others) and all(row.place == PAST for row in others)
