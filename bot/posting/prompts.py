"""What goes to channels beside the answers: the turn prompt (exactly one alive) and the outbox.

Everything here is owed by the store before it is sent: a crash after the commit still sends, and what was not
confirmed is looked for in the channel before it is sent again.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import aiohttp
import discord

from bot import custom_ids
from bot.caller import Caller
from bot.nonces import nonce_of
from bot.posting.departures import Departures
from bot.posting.gm_words import GmWords
from bot.posting.history import History, has_surely_failed, is_among
from bot.posting.live import LiveChange, LiveMessages
from bot.posting.messages import Messages
from bot.posting.nudging import Nudging
from bot.posting.strikes import Strikes
from bot.render.payload import Payload
from bot.render.record import record_of
from bot.requests.access import Access
from bot.requests.api import Api
from bot.requests.blocked_channels import BlockedChannels
from bot.requests.direct_messages import DirectMessages
from bot.requests.members import Members
from bot.requests.pace import Spacing
from bot.table.pictures import Pictures
from bot.table.room import EditToken, Owed, Room
from bot.table.service import Tables
from data.connection import Fenced
from data.rows import TO

log = logging.getLogger(__name__)
EDIT_AFTER_SECONDS = 1.0
EDIT_EVERY_SECONDS = 0.02  # over all channels: Discord takes 50 requests a second of a bot
CARRIED_WITHIN_SECONDS = 2.5
SURE_WITHIN_SECONDS = 1.0
RETRY_AFTER_SECONDS = (5.0, 30.0, 120.0, 600.0)
MERGED_CHARACTERS = 1900
FAILURES = (discord.HTTPException, aiohttp.ClientError, OSError, asyncio.TimeoutError)


class Publisher:
    """Posts prompts and owed messages, one channel at a time each."""

    def __init__(
        self,
        tables: Tables,
        api: Api,
        blocked_channels: BlockedChannels,
        access: Access,
        direct_messages: DirectMessages,
        members: Members,
        pictures: Pictures,
    ) -> None:
        self.tables = tables
        self.store = tables.store
        self.blocked_channels = blocked_channels
        self.messages = Messages(api, blocked_channels, access)
        self.history = History(api, tables.store, access)
        self.strikes = Strikes(tables, self.messages)
        self.live = LiveMessages(tables, access, pictures)
        self.departures = Departures(tables, members, blocked_channels.places, direct_messages)
        self.gm_words = GmWords(direct_messages, self.messages, self.history, self.departures)
        self.nudging = Nudging(tables, direct_messages, self.messages, self.history, self.live, self.departures)
        self._carrying: dict[str, set[asyncio.Task[Any] | None]] = {}  # by channel: those that answer interactions
        self._edits = Spacing(EDIT_EVERY_SECONDS)
        self._is_stopped = False

    def wake(self, room: Room) -> None:
        """See to it that the channel gets what it is owed; called after each commit. One task for each channel."""
        if self._is_stopped or not self.tables.serves(room):
            return  # the next start, or another process, sends it
        room.woken.set()
        if asyncio.current_task() in self._carrying.get(room.channel, ()):
            room.carried = True
        else:
            self._start(room, looking=False)

    def _start(self, room: Room, *, looking: bool) -> asyncio.Task[None]:
        if room.publishing is None or room.publishing.done():
            work = self._publish(room, looking=looking)
            room.publishing = asyncio.create_task(work, name=f"publish {room.channel}")
        return room.publishing

    async def catch_up(self) -> None:
        """Send what was owed when the program stopped, or when a channel took nothing."""
        await self.blocked_channels.ask_again()
        channels = {channel for channel, _ in await self.store.unsent_prompts()}
        channels |= {message.channel for message in await self.store.pending_outbox()}
        channels |= set(await self.store.claimed_nudges())
        for channel in sorted(channels):
            room = await self._readable(channel)
            if room is not None:
                await asyncio.wait({self._start(room, looking=True)}, timeout=RETRY_AFTER_SECONDS[0])
        for channel in await self.store.struck_channels():
            room = await self._readable(channel)
            if room is not None and not room.late:  # else they follow already
                room.struck = True
                self.wake(room)

    async def _readable(self, channel: str) -> Room | None:
        """Return a channel's room; None if it cannot be read, which holds no other up."""
        try:
            return await self.tables.room_of(channel, None)
        except Fenced:
            log.info("channel %s: another process took its shard", channel)
        except Exception:
            log.exception("channel %s cannot be read", channel)
        return None

    async def _publish(self, room: Room, *, looking: bool) -> None:
        """Send what is owed until nothing is; a passing fault is tried again, later each time, then given up.

        What failed may have arrived anyway, so it is looked for before it is sent again. A step that comes
        meanwhile shows that Discord answers again, and ends the pause.
        """
        for pause in (*RETRY_AFTER_SECONDS, None):
            if self.blocked_channels.is_shut(room.channel):
                return
            try:
                await self._send_owed(room, looking=looking)
            except FAILURES as error:
                code = getattr(error, "code", 0)
                log.warning("channel %s takes no message: %s %s", room.channel, type(error).__name__, code)
                if isinstance(error, discord.HTTPException) and await self.blocked_channels.refused(
                    room.channel, error
                ):
                    return
                if pause is None or isinstance(error, (discord.Forbidden, discord.NotFound)):
                    return  # the next step, or the hourly catching up, tries again
                await asyncio.sleep(min(pause, EDIT_AFTER_SECONDS))
                await _woken_within(room, pause - EDIT_AFTER_SECONDS)
                looking = looking or room.unsure or not has_surely_failed(error)
            except Fenced:  # it looks there for what arrived
                log.info("channel %s: another process took its shard", room.channel)
                return
            except Exception:
                log.exception("publishing in channel %s", room.channel)
                return
            else:
                return

    async def _send_owed(self, room: Room, *, looking: bool) -> None:
        looks_for_words = False  # this looking outlasts the prompt's
        while True:
            room.woken.clear()
            if not (looking or room.unsure):
                await self._let_carry(room)
            looking = looking or room.unsure  # who carried may not know what arrived
            await self._drain(room, looking=looking)
            await self._deliver(room)
            await self.strikes.begin(room)
            change = self.live.change_for(room)
            if (change is not None and change.is_new) or (looking and room.remind.nudge is None):
                await self._bring(room, looking=looking)
            elif room.remind.nudge is not None:
                await self.nudging.send(room, looking=looking)
            elif change is not None:
                await self._let_gather(room)
                await self._bring(room, looking=False)
            looks_for_words = looks_for_words or looking
            looking = looking and room.remind.nudge is not None  # it may have been sent as well
            room.trust()
            await self.gm_words.send(room, looking=looks_for_words)
            looks_for_words = False
            if not room.woken.is_set() and not room.owed and room.remind.nudge is None:
                return

    async def _let_carry(self, room: Room) -> None:
        """Wait while interactions of the channel are being answered: they bring the live message along."""
        loop = asyncio.get_running_loop()
        until = loop.time() + CARRIED_WITHIN_SECONDS
        while self._carrying.get(room.channel) and (left := until - loop.time()) > 0:
            await _woken_within(room, left)
            room.woken.clear()
        if room.lock.locked():  # what a timer's step brings about by orders comes with it, in one message
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(until - loop.time(), 0)), room.lock:
                    room.woken.clear()

    async def _let_gather(self, room: Room) -> None:
        """Wait a little, so that several changes of one turn are one edit; a new turn ends the wait."""
        loop = asyncio.get_running_loop()
        until, more = self._edits.next_from(loop.time() + EDIT_AFTER_SECONDS), False
        while room.prompt.calls == room.prompt.called and (left := until - loop.time()) > 0:
            if await _woken_within(room, left):
                room.woken.clear()
                more = True
        if more:
            room.woken.set()  # what else came with it is sent in the next turn of the loop

    # The live message

    @asynccontextmanager
    async def carrying(self, channel: str) -> AsyncIterator[None]:
        """Let an interaction that is being answered bring the channel's live message up to date by itself."""
        own = asyncio.current_task()
        self._carrying.setdefault(channel, set()).add(own)
        try:
            yield
        finally:
            self._carrying[channel].discard(own)
            if not self._carrying[channel]:
                del self._carrying[channel]
                room = self.tables.loaded(channel)
                if room is not None and self._is_owed(room) and not self._is_stopped:
                    room.woken.set()
                    self._start(room, looking=False)
                if room is not None:
                    room.carried = False

    def _is_owed(self, room: Room) -> bool:
        """Tell whether a channel lacks something, as far as the room knows, once interactions were answered."""
        is_at_work = room.publishing is not None and not room.publishing.done()
        owes = room.posts or room.owed or room.struck or room.unsure or room.remind.nudge is not None
        return room.woken.is_set() or is_at_work or bool(owes)

    async def _bring(self, room: Room, *, looking: bool) -> None:
        """Bring the live message up to date by the bot's own requests."""
        async with room.sending:
            change = self.live.change_for(room)
            if looking:
                if not await self._look(room, change) and change is not None:
                    self.live.give_up(room)  # it may be there, and nothing is sent a second time
                    return
                change = self.live.change_for(room)
            if change is None:
                return
            if room.show_again:  # until the new one is noted, a stop leaves it wanted
                await self.store.prompt_owed(room.channel, replace(room.prompt, posted=room.prompt.wanted - 1))
            await self.live.bring(room, _ByItself(self.messages, room), change)

    async def _look(self, room: Room, change: LiveChange | None) -> bool:
        """Look for a message that may have been sent already, and for earlier ones that kept their buttons.

        False if the channel's history may not be read.
        """
        old = room.prompt.message
        own = await self.history.own_after(room.channel, await self.history.last_prompt(room))
        if own is None:
            return False
        prompt, left_over = _prompts_among(own, room, lives=change is not None and change.lives)
        if prompt is None and change is not None and change.payload is not None and not change.lives:
            prompt = next((str(each["id"]) for each in own if each.get("content") == change.payload.content), None)
        if prompt is not None and change is not None:
            record = record_of([row for row in room.story if row.seq <= room.prompt.told])
            is_gone = old is not None and not await self.messages.close(room, old, record)
            content = next(str(each.get("content") or "") for each in own if str(each["id"]) == prompt)
            self.live.adopt(room, prompt, lives=change.lives, instead=content if is_gone else None)
        for other in left_over:
            await self.messages.strip(room.channel, other)
        return True

    async def make_sure(self, room: Room) -> None:
        """Look for what may have been sent before the program stopped, so that a step need not wait for it later."""
        if room.unsure:
            await asyncio.wait({self._start(room, looking=True)}, timeout=SURE_WITHIN_SECONDS)

    def show_again(self, room: Room) -> None:
        """Post the prompt again (`/encounter show`)."""
        room.show_again = True
        self.wake(room)

    # The outbox

    async def _drain(self, room: Room, *, looking: bool) -> None:
        room.posts = False
        pending = await self.store.pending_outbox(room.channel)
        waiting = [(each, payload) for each in pending if TO not in (payload := json.loads(each.payload))]
        own: Sequence[dict[str, Any]] | None = ()
        if waiting and looking:
            own = await self.history.own_after(room.channel, await self.history.last_noted(room))
        for message, payload in waiting:  # what a GM alone reads must not hold this up
            if own is not None and not is_among(own, message.nonce, payload.get("content")):
                await self.messages.send_json(message.channel, payload, [], message.nonce)
            await self.store.outbox_sent(message)

    # Answers that did not arrive

    async def post(self, caller: Caller, payload: Payload) -> None:
        """Send the public part of a deferred answer as a channel message."""
        await self._owe(caller, Owed(payload, caller.interaction))

    async def undelivered(self, caller: Caller, public: Payload | None, *, may_be_there: bool) -> None:
        """Let the channel read what an answer could not tell, and wake its prompt: the step counts."""
        if public is not None:
            await self._owe(caller, Owed(public, caller.interaction, may_be_there=may_be_there))
            return
        room = self.tables.loaded(caller.channel)
        if room is not None:
            self.wake(room)

    async def _owe(self, caller: Caller, owed: Owed) -> None:
        if not caller.can_post:
            return
        room = await self.tables.room_of(caller.channel, caller.guild)
        room.owed.append(owed)
        self.wake(room)

    async def _deliver(self, room: Room) -> None:
        """Send the first of what answers did not tell, joined with what else waits; more comes after the prompt."""
        if any(owed.may_be_there for owed in room.owed):
            first = min(int(owed.interaction) for owed in room.owed if owed.may_be_there)
            own = await self.history.own_after(room.channel, first)
            room.owed[:] = [
                replace(owed, may_be_there=False)
                for owed in room.owed
                if not (owed.may_be_there and (own is None or has_arrived(own, owed)))
            ]
        if not room.owed:
            return
        owed, count = merged(room.owed)
        room.owed[:count] = [replace(owed, was_sent=True, may_be_there=True)]
        await self.messages.send(room.channel, owed.payload, nonce=owed.interaction)
        del room.owed[0]

    async def stop(self, rooms: Sequence[Room] | None = None) -> None:
        """Let what is being sent finish."""
        if rooms is None:
            self._is_stopped = True
            self.departures.stop()
        stopped = self.tables.rooms() if rooms is None else rooms
        tasks = [room.publishing for room in stopped if room.publishing is not None]
        tasks += [self.strikes.hurry(room) for room in stopped if room.late]
        if tasks:
            _, unfinished = await asyncio.wait(tasks, timeout=3)
            for task in unfinished:
                task.cancel()  # the store still owes it
            await asyncio.gather(*unfinished, return_exceptions=True)


class _ByItself:
    """The bot's own requests, for what no interaction carries."""

    edits_first = False

    def __init__(self, messages: Messages, room: Room) -> None:
        self.messages = messages
        self.room = room
        prompt = room.prompt
        mark = prompt.calls if prompt.calls != prompt.called else f"{prompt.told}.{(prompt.message or '')[-6:]}"
        # A step after an unconfirmed message wants another one, though it may call nobody new. It is told now what the
        # message is of: a step that comes before it is sent has one of its own, which Discord would take for this one.
        self.nonce = nonce_of(room.channel, "prompt", prompt.wanted, mark)

    async def post(self, payload: Payload) -> tuple[str, EditToken | None]:
        return await self.messages.send(self.room.channel, payload, nonce=self.nonce), None

    async def edit(self, message: str, payload: Payload) -> None:
        await self.messages.edit_live(self.room, message, payload)

    async def close(self, message: str, record: Payload) -> None:
        await self.messages.close(self.room, message, record)


def _prompts_among(own: Sequence[dict[str, Any]], room: Room, *, lives: bool) -> tuple[str | None, list[str]]:
    """Find the prompt that may have been posted already, and earlier ones that kept their buttons."""
    encounter, old = room.encounter, room.prompt.message
    prompt: str | None = None
    left_over: list[str] = []
    for message in own:
        pressed = [custom_ids.parse_id(str(component.get("custom_id", ""))) for component in _components(message)]
        panels = [each for each in pressed if each is not None and each.kind == custom_ids.PANEL]
        if not panels or message["id"] == old:
            continue
        is_wanted = encounter is not None and any(
            each.encounter == encounter.id and each.version == room.prompt.wanted for each in panels
        )
        if is_wanted and lives and prompt is None:
            prompt = str(message["id"])
        else:
            left_over.append(str(message["id"]))
    return prompt, left_over


def _components(message: dict[str, Any]) -> list[dict[str, Any]]:
    return [component for row in message.get("components", []) for component in row.get("components", [])]


async def _woken_within(room: Room, seconds: float) -> bool:
    """Wait for something new to publish, at most so long."""
    try:
        async with asyncio.timeout(seconds):
            await room.woken.wait()
    except TimeoutError:
        return False
    return True


def has_arrived(messages: Sequence[dict[str, Any]], owed: Owed) -> bool:
    """Look for a message that an interaction brought, or that tells the same after it."""
    told = owed.payload.content or [embed.get("description") for embed in owed.payload.embeds]
    for message in messages:
        if int(message["id"]) < int(owed.interaction):
            continue
        answers = (message.get("interaction_metadata") or {}).get("id")
        shown = message.get("content") or [embed.get("description") for embed in message.get("embeds", [])]
        if owed.interaction in {answers, message.get("nonce")} or told == shown:
            return True
    return False


def merged(waiting: Sequence[Owed]) -> tuple[Owed, int]:
    """Join the first of what waits for a channel, as far as it makes one plain message; return it and how many."""
    first, count = waiting[0], 1
    payload = first.payload
    if payload.files or payload.components or first.was_sent:
        return first, 1
    for other in waiting[1:]:
        more = other.payload
        joined = f"{payload.content}\n{more.content}".strip()
        if more.files or more.components or other.was_sent or len(joined) > MERGED_CHARACTERS:
            break
        if payload.embeds and more.embeds:  # what belongs to which line would be lost
            break
        payload = replace(payload, content=joined, embeds=[*payload.embeds, *more.embeds], mentions=())
        count += 1
    return replace(first, payload=payload), count
