"""The channel's live message: what it should be now, and what the one before it becomes (play 1).

It follows from the room alone, so it does not matter who brings it there: an interaction that answers with it, which
costs no request of the bot's own, or the publisher. The one that sends has `room.sending`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import discord

from bot.posting.opening import opening_or_record
from bot.posting.prompt_payload import MOST_TOLD_PLAIN, prompt_payload
from bot.posting.prompt_picture import with_picture
from bot.render.nudge import Lead, nudge_message
from bot.render.payload import Payload
from bot.render.prompt_board import PromptBoard, prompt_board
from bot.render.record import MOST_TOLD, StoryRow, record_of, story_length, story_of
from bot.requests.access import Access
from bot.requests.pace import LimitedError
from bot.table.pictures import Pictures
from bot.table.room import EditToken, Room
from bot.table.service import Tables
from bot.waiting.addressees import Rounds
from bot.waiting.waits import asked_users, wanted
from data.rows import PostedPrompt, PromptRow, RecordRow
from rules.core.encounter import Encounter
from rules.core.views.view import View

UNKNOWN_MESSAGE = 10008
REFUSED_EDIT = 400


class Way(Protocol):
    """How the live message is brought up to date. Both raise what Discord or the network raises."""

    @property
    def edits_first(self) -> bool:
        """Tell whether the message before becomes its record before the new one is sent."""
        ...

    async def post(self, payload: Payload) -> tuple[str, EditToken | None]:
        """Send a new message; return its id, and a way to edit it."""
        ...

    async def edit(self, message: str, payload: Payload) -> EditToken | None:
        """Change the live message; return a newer way to edit it, if there is one."""
        ...

    async def close(self, message: str, record: Payload) -> None:
        """Make the message before its record; one that takes no edit is deleted, or its buttons answer as stale."""
        ...


@dataclass(frozen=True, slots=True)
class LiveChange:
    """What brings a channel's live message up to date.

    `payload` is the live message as it should be: a new one (`is_new`) or an edit. None if there should be none.
    `record` is what the one before becomes. `prompt` is what is noted then, but for the message. `rows` are what both
    are written from. `board` is the picture that it carries then: to be drawn, unless the message keeps the one that
    it has.
    """

    payload: Payload | None
    is_new: bool
    lives: bool
    record: Payload | None
    prompt: PromptRow
    ended: RecordRow | None
    rows: tuple[StoryRow, ...] = ()
    round: int | None = None
    board: PromptBoard | None = None


class LiveMessages:
    """Plans, brings and notes the live message of each channel."""

    def __init__(self, tables: Tables, access: Access, pictures: Pictures) -> None:
        self.tables = tables
        self.access = access
        self.pictures = pictures

    # What it should be

    def change_for(self, room: Room) -> LiveChange | None:
        """Return what is to be done now; None if the channel shows all that it should."""
        room.takes_embeds = self.access.may_embed(room.channel)
        prompt = room.prompt
        view = room.public_view()
        new_rows = [row for row in room.story if row.seq > prompt.told]
        has_news = any(row.text for row in new_rows)
        is_new = self._is_new(room, has_news)
        rows = new_rows if is_new else list(room.story)
        payload = prompt_payload(self.tables.people, room, view, rows, room.called if is_new else room.pinged)
        lives = payload is not None
        if payload is None and has_news:
            payload = opening_or_record(room, rows)
        after = replace(
            prompt,
            posted=prompt.wanted,
            called=prompt.calls,
            first=prompt.told + 1 if is_new else prompt.first,
            told=max((row.seq for row in room.story), default=prompt.told),
        )
        record = ended = None
        if prompt.message is not None and (is_new or not lives):
            told = [row for row in room.story if row.seq <= prompt.told]
            record = record_of(told)
            ended = RecordRow(room.channel, prompt.message, prompt.first, prompt.told)
        if payload is None and record is None:
            if prompt.posted != prompt.wanted:
                self._note(room, after, None)
            return None
        new_round = board = None
        if lives and payload is not None:
            board = self.board(room)
            if is_new:
                payload, new_round = self._with_round(room, payload)
            else:
                payload = self._with_lead(room, view, payload)
                payload = replace(payload, mentions=(), silent=False)  # an edit wakes nobody
                if _looks(payload) == room.shown and board == room.pictured:
                    return None
                payload = replace(payload, keeps_files=board is not None and board == room.pictured)
        return LiveChange(payload, is_new or not lives, lives, record, after, ended, room.story, new_round, board)

    def board(self, room: Room) -> PromptBoard | None:
        """Return the picture that the channel's prompt carries; None if it carries none."""
        return prompt_board(room.table.active) if self.access.may_attach(room.channel) else None

    def is_edit(self, room: Room) -> bool:
        """Tell whether what is to be done now changes the live message alone, and calls nobody."""
        has_news = any(row.text for row in room.story if row.seq > room.prompt.told)
        return not self._is_new(room, has_news)

    def _is_new(self, room: Room, has_news: bool) -> bool:
        prompt, message = room.prompt, room.prompt.message
        if message is None or room.show_again or (prompt.calls != prompt.called and not self._has_passed(room)):
            return True
        most = MOST_TOLD_PLAIN if room.is_plain else MOST_TOLD
        return has_news and (room.newest > int(message) or story_length(room.story) > most)

    def _has_passed(self, room: Room) -> bool:
        """Tell whether the table waits for none of those a message was to call: their orders did at once what it asks.

        It does wait for somebody who goes on with another of their own.
        """
        state = room.table.active
        if (
            room.called is None
            or not room.named
            or state is None
            or state.status != "running"
            or state.over is not None
        ):
            return False
        waiting = {each.who for each in wanted(state)}
        return not room.named & waiting and not self._users(room, state, room.named) & self._users(room, state, waiting)

    def _users(self, room: Room, state: Encounter, actors: Iterable[str]) -> set[str]:
        return {user for who in actors for user in asked_users(self.tables.people, state, room.guild, who)}

    def _with_round(self, room: Room, payload: Payload) -> tuple[Payload, int | None]:
        state = room.encounter
        if state is None:
            return payload, None
        rounds = Rounds(self.tables.people, state, room.remind.prompted_round)
        return rounds.added(payload), state.round if rounds.is_new else None

    def _with_lead(self, room: Room, view: View | None, payload: Payload) -> Payload:
        if room.remind.lead is None or view is None or room.prompt.posted != room.prompt.wanted:
            return payload  # a nudge stays one while its turn lasts
        lead = Lead.from_store(room.remind.lead)
        return nudge_message(payload, view, lead, room.prompt.wanted, story=story_of(room.story))

    # Bringing it there

    async def bring(self, room: Room, way: Way, change: LiveChange) -> None:
        """Carry a change out and note it. Raises what the way raises: look then for what was not confirmed."""
        pinged, room.called = room.called, frozenset()
        named, room.named = room.named, frozenset()
        try:
            if change.payload is not None and not change.payload.keeps_files:
                change = replace(change, payload=await with_picture(self.pictures, change.payload, change.board))
            await self._bring(room, way, change, pinged)
        except BaseException:
            room.called = None if pinged is None or room.called is None else room.called | pinged
            room.named |= named
            room.edit_token = None
            raise

    async def _bring(self, room: Room, way: Way, change: LiveChange, pinged: frozenset[str] | None) -> None:
        old = room.prompt.message
        if not change.is_new:
            assert old is not None and change.payload is not None  # noqa: S101, PT018 - an edit has both
            try:
                edit_token = await way.edit(old, change.payload)
            except (discord.HTTPException, LimitedError) as error:
                is_gone = isinstance(error, discord.HTTPException) and error.code == UNKNOWN_MESSAGE
                if isinstance(error, discord.HTTPException) and not is_gone and error.status != REFUSED_EDIT:
                    raise
                if not is_gone:  # too old to be edited, or too often (30046)
                    await way.close(old, record_of([row for row in room.story if row.seq <= room.prompt.told]))
                # Gone: what it told is told again with what is new.
                room.prompt = replace(room.prompt, message=None, told=room.prompt.first - 1)
                again = self.change_for(room)
                if again is not None and again.payload is not None:
                    again = replace(again, payload=await with_picture(self.pictures, again.payload, again.board))
                if again is not None:
                    await self._bring(room, way, again, frozenset())
                return
            room.edit_token = edit_token or room.edit_token
            if room.prompt.posted != change.prompt.posted:
                room.remind = replace(room.remind, lead=None)
            self._note(room, change.prompt, old, (), change)
            return
        if way.edits_first and old is not None and change.record is not None:
            await way.close(old, change.record)
        message, edit_token = (None, None) if change.payload is None else await way.post(change.payload)
        if message is not None:
            room.newest = max(room.newest, int(message))
        if not way.edits_first and old is not None and change.record is not None:
            await way.close(old, change.record)
        room.edit_token = edit_token
        room.show_again = False
        room.pinged = pinged
        room.remind = replace(room.remind, lead=None)
        ended = () if change.ended is None else (change.ended,)
        if message is not None and not change.lives:  # what ends or pauses an encounter is a record from the first
            ended = (*ended, RecordRow(room.channel, message, change.prompt.first, change.prompt.told))
        self._note(room, change.prompt, message if change.lives else None, ended, change)
        if change.round is not None:
            await self.tables.store.prompted_round(room.channel, change.round)
            room.remind = replace(room.remind, prompted_round=change.round)

    def _note(
        self,
        room: Room,
        prompt: PromptRow,
        message: str | None,
        ended: Sequence[RecordRow] = (),
        change: LiveChange | None = None,
    ) -> None:
        """Note the live message in the store and in the room; a step, or an undo, may have come meanwhile."""
        now = replace(prompt, message=message, wanted=room.prompt.wanted, calls=room.prompt.calls)
        if change is not None:
            ended = owing(room, ended, change.rows)
        self.tables.store.prompt_posted(room.channel, now, *ended)
        room.prompt = now
        room.story = tuple(row for row in room.story if row.seq >= now.first)
        room.shown = "" if change is None or change.payload is None else _looks(change.payload)
        room.pictured = None if change is None else change.board

    def adopt(self, room: Room, message: str, *, lives: bool, instead: str | None = None) -> None:
        """Take a message for the live one that was sent and not confirmed; what it shows is not known.

        `instead`: the one before was deleted, and this one reads so; it may tell again what that one told.
        """
        prompt = room.prompt
        old = prompt.message
        before = story_of([row for row in room.story if row.seq <= prompt.told])
        # A prompt shows the newest lines, and says the round in words of its own.
        is_instead = instead is not None and any(line in instead for line in before.splitlines() or [""])
        ended = [] if old is None or is_instead else [RecordRow(room.channel, old, prompt.first, prompt.told)]
        first = prompt.first if is_instead else prompt.told + 1
        now = replace(prompt, posted=prompt.wanted, called=prompt.calls, first=first)
        if not lives:
            now = replace(now, told=max((row.seq for row in room.story), default=prompt.told))
            ended.append(RecordRow(room.channel, message, now.first, now.told))
        self._note(room, now, message if lives else None, ended)
        room.called, room.named, room.pinged = frozenset(), frozenset(), None

    def give_up(self, room: Room) -> None:
        """Note that what is owed may be there: if nobody can look, nothing is sent a second time."""
        told = max((row.seq for row in room.story), default=room.prompt.told)
        prompt = replace(room.prompt, posted=room.prompt.wanted, called=room.prompt.calls, first=told + 1, told=told)
        self._note(room, prompt, None)


def _looks(payload: Payload) -> str:
    """Return what a message looks like, no matter who it pings."""
    return json.dumps([payload.content, payload.embeds, payload.components])


def owing(room: Room, ended: Sequence[RecordRow], shown: Sequence[StoryRow]) -> tuple[RecordRow, ...]:
    """Return new records with what they owe: rows that were undone, or done again, since they were written."""
    then = {row.seq: row.is_undone for row in shown}
    changed = [row.seq for row in room.story if then.get(row.seq, row.is_undone) != row.is_undone]
    owed = tuple(each.owing(sum(each.first <= seq <= each.told for seq in changed)) for each in ended)
    if any(each.owed for each in owed):
        room.struck = True
        room.woken.set()
    return owed


def nudged(room: Room, message: str, shown: Sequence[StoryRow]) -> PostedPrompt:
    """Return what is noted if a nudge becomes the live message; `shown` is what its record was written from."""
    prompt = room.prompt
    old = prompt.message
    ended = () if old is None else (RecordRow(room.channel, old, prompt.first, prompt.told),)
    now = replace(prompt, posted=prompt.wanted, called=prompt.calls, message=message, first=prompt.told + 1)
    return PostedPrompt(room.channel, now, owing(room, ended, shown))
