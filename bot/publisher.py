"""What goes to channels beside the answers: the turn prompt (exactly one alive) and the outbox.

Everything here is owed by the store before it is sent: a crash after the commit still sends, and what was not
confirmed is looked for in the channel before it is sent again.
"""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
from discord.http import Route

from bot import ids
from bot.caller import Caller
from bot.render.payload import Attachment, Payload
from bot.render.prompt import turn_prompt
from bot.render.words import fit
from bot.room import Room
from data.rows import OutboxMessage, PromptRow
from rules.core.action import Offer
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.values import Seat
from rules.core.view import view_of

if TYPE_CHECKING:
    from bot.client import RefereeClient

log = logging.getLogger(__name__)
EDIT_AFTER_SECONDS = 1.0
RETRY_AFTER_SECONDS = (5.0, 30.0, 120.0, 600.0)
LOOK_BACK = 50
PUBLIC = Seat()
FAILURES = (discord.HTTPException, aiohttp.ClientError, OSError, asyncio.TimeoutError)


class Publisher:
    """Posts prompts and owed messages, one channel at a time each."""

    def __init__(self, client: RefereeClient) -> None:
        self.client = client

    def wake(self, room: Room) -> None:
        """See to it that the channel gets what it is owed; called after each commit. One task for each channel."""
        self._start(room, looking=False)

    def _start(self, room: Room, *, looking: bool) -> asyncio.Task[None]:
        if room.publishing is None or room.publishing.done():
            work = self._publish(room, looking=looking)
            room.publishing = asyncio.create_task(work, name=f"publish {room.channel}")
        return room.publishing

    async def catch_up(self) -> None:
        """Send what was owed when the program stopped, or when a channel took nothing."""
        channels = {channel for channel, _ in await self.client.store.unsent_prompts()}
        channels |= {message.channel for message in await self.client.store.pending_outbox()}
        for channel in channels:
            room = await self.client.tables.room_of(channel, None)
            await asyncio.wait({self._start(room, looking=True)}, timeout=RETRY_AFTER_SECONDS[0])

    async def _publish(self, room: Room, *, looking: bool) -> None:
        """Send what is owed until nothing is; a passing fault is tried again, later each time, then given up.

        What failed may have arrived all the same, so it is looked for before it is sent again.
        """
        for pause in (*RETRY_AFTER_SECONDS, None):
            try:
                await self._send_owed(room, looking=looking)
            except FAILURES as error:
                code = getattr(error, "code", 0)
                log.warning("channel %s takes no message: %s %s", room.channel, type(error).__name__, code)
                if pause is None or isinstance(error, (discord.Forbidden, discord.NotFound)):
                    return  # the next step, or the hourly catching up, tries again
                await asyncio.sleep(pause)
                looking = True
            except Exception:
                log.exception("publishing in channel %s", room.channel)
                return
            else:
                return

    async def _send_owed(self, room: Room, *, looking: bool) -> None:
        while True:
            wanted, table = room.prompt.wanted, room.table
            await self._drain(room, looking=looking)
            if room.prompt.posted != room.prompt.wanted:
                await self._prompt(room, looking=looking)
            elif room.show_again:
                await self._repost(room)
            elif room.prompt.message is not None:
                await asyncio.sleep(EDIT_AFTER_SECONDS)
                if room.prompt.posted == room.prompt.wanted:
                    await self._refresh(room)
            looking = False
            if room.prompt.wanted == wanted and room.table is table and not room.show_again:
                return

    # Prompts

    def prompt_payload(self, room: Room) -> Payload | None:
        """Return the turn prompt of a running encounter, None where nobody is to be prompted."""
        state = room.encounter
        view = view_of(room.table, PUBLIC)
        if state is None or view is None or state.status != "running" or (state.over is not None and not view.asks):
            return None
        system = system_of(state)
        usual: dict[str, tuple[Offer, ...]] = {}
        mentions: dict[str, str] = {}
        for who in system.waits_for(state):
            combatant = state.find(who)
            owner = None if combatant is None else combatant.owner
            if owner is not None:
                mentions[who] = owner
            if combatant is None or not combatant.hidden:
                usual[who] = tuple(offer for offer in system.offers(state, who, public=True) if offer.usual)
        for asked in view.asks:
            for who in asked.who:
                owner = state.combatant(who).owner
                if owner is not None:
                    mentions.setdefault(who, owner)
        return fit(turn_prompt(view, room.prompt.wanted, usual=usual, mentions=mentions))

    async def _prompt(self, room: Room, *, looking: bool) -> None:
        wanted, old = room.prompt.wanted, room.prompt.message
        payload = self.prompt_payload(room)
        message: str | None = None
        if payload is not None:
            state = room.encounter
            assert isinstance(state, Encounter)  # noqa: S101 - a payload exists only for an encounter
            message = await self._find_prompt(room, state.id, wanted) if looking else None
            if message is None:
                message = await self.send(room.channel, payload, nonce=f"{room.channel[-10:]}-{wanted}")
            room.shown = json.dumps(payload.to_json())
        room.show_again = False
        await self.client.store.prompt_posted(room.channel, wanted, message)
        room.prompt = PromptRow(wanted=room.prompt.wanted, posted=wanted, message=message)
        if old is not None and old != message:
            await self._strip(room.channel, old)

    async def _find_prompt(self, room: Room, encounter: str, version: int) -> str | None:
        for message in await self._last_messages(room.channel):
            for component in _components(message):
                pressed = ids.parse_id(str(component.get("custom_id", "")))
                if pressed is not None and pressed.encounter == encounter and pressed.version == version:
                    return str(message["id"])
        return None

    async def _refresh(self, room: Room) -> None:
        payload = self.prompt_payload(room)
        message = room.prompt.message
        if payload is None or message is None:
            return
        data = payload.to_json()
        written = json.dumps(data)
        if written == room.shown:
            return
        data["allowed_mentions"] = {"parse": []}
        data.pop("flags", None)
        route = Route(
            "PATCH", "/channels/{channel_id}/messages/{message_id}", channel_id=room.channel, message_id=message
        )
        try:
            await self.client.request(route, data, [])
            room.shown = written
        except discord.NotFound:
            sent = await self.send(room.channel, payload, nonce=f"{room.channel[-10:]}-{room.prompt.posted}-2")
            room.prompt = PromptRow(wanted=room.prompt.wanted, posted=room.prompt.posted, message=sent)
            await self.client.store.prompt_posted(room.channel, room.prompt.posted, sent)

    async def _strip(self, channel: str, message: str) -> None:
        """Take the buttons off an old prompt; where that fails it is deleted, else its buttons answer as stale."""
        where = {"channel_id": channel, "message_id": message}
        try:
            route = Route("PATCH", "/channels/{channel_id}/messages/{message_id}", **where)
            await self.client.request(route, {"components": []}, [])
        except discord.NotFound:
            return
        except discord.HTTPException:
            try:
                await self.client.request(
                    Route("DELETE", "/channels/{channel_id}/messages/{message_id}", **where), None, []
                )
            except discord.HTTPException as error:
                log.info("the old prompt in %s keeps its buttons: %s", channel, error.code)

    def show_again(self, room: Room) -> None:
        """Post the prompt once more (`/encounter show`)."""
        room.show_again = True
        self.wake(room)

    async def _repost(self, room: Room) -> None:
        """Post the prompt again, without waking anybody a second time."""
        room.show_again = False
        payload = self.prompt_payload(room)
        if payload is None:
            return
        payload.silent = True
        old = room.prompt.message
        sent = await self.send(room.channel, payload, nonce=None)
        room.shown = json.dumps(payload.to_json())
        room.prompt = PromptRow(wanted=room.prompt.wanted, posted=room.prompt.wanted, message=sent)
        await self.client.store.prompt_posted(room.channel, room.prompt.posted, sent)
        if old is not None:
            await self._strip(room.channel, old)

    # The outbox

    async def _drain(self, room: Room, *, looking: bool) -> None:
        for message in await self.client.store.pending_outbox(room.channel):
            sent = await self._find_outbox(message) if looking else None
            if sent is None:
                await self._send_json(message.channel, json.loads(message.payload), [], message.nonce)
            await self.client.store.outbox_sent(message.nonce)

    async def _find_outbox(self, owed: OutboxMessage) -> str | None:
        content = json.loads(owed.payload).get("content")
        for message in await self._last_messages(owed.channel):
            if message.get("nonce") == owed.nonce or (content and message.get("content") == content):
                return str(message["id"])
        return None

    async def _last_messages(self, channel: str) -> list[dict[str, Any]]:
        route = Route("GET", "/channels/{channel_id}/messages", channel_id=channel)
        try:
            found = await self.client.http.request(route, params={"limit": LOOK_BACK})
        except discord.HTTPException:
            return []
        own = None if self.client.user is None else str(self.client.user.id)
        return [message for message in found if str(message.get("author", {}).get("id")) == own]

    # Sending

    async def post(self, caller: Caller, payload: Payload) -> None:
        """Send the public part of a deferred answer as a channel message."""
        if not caller.can_post:
            return
        try:
            await self.send(caller.channel, payload, nonce=caller.interaction[-25:])
        except FAILURES as error:
            log.warning("channel %s takes no message: %s", caller.channel, type(error).__name__)

    async def undelivered(self, caller: Caller) -> None:
        """Let the prompt tell the channel what an answer could not: the step stands."""
        room = self.client.tables.loaded(caller.channel)
        if room is not None:
            self.wake(room)

    async def send(self, channel: str, payload: Payload, *, nonce: str | None) -> str:
        """Send a message and return its id."""
        return await self._send_json(channel, payload.to_json(), payload.files, nonce)

    async def _send_json(self, channel: str, data: dict[str, Any], files: list[Attachment], nonce: str | None) -> str:
        if nonce is not None:
            data = {**data, "nonce": nonce[-25:], "enforce_nonce": True}
        route = Route("POST", "/channels/{channel_id}/messages", channel_id=channel)
        sent = await self.client.request(route, data, files)
        return str(sent["id"])

    async def stop(self) -> None:
        """Let what is being sent finish."""
        tasks = [room.publishing for room in self.client.tables.rooms() if room.publishing is not None]
        if tasks:
            _, unfinished = await asyncio.wait(tasks, timeout=3)
            for task in unfinished:
                task.cancel()  # the store still owes it


def _components(message: dict[str, Any]) -> list[dict[str, Any]]:
    return [component for row in message.get("components", []) for component in row.get("components", [])]
