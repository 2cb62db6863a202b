"""The one place that answers interactions: at once, deferred after 1.5 s, private if refused.

A cog hands over the work as a coroutine; what it returns is a `Reply`. If the answer cannot be delivered the
step still counts, and the next prompt tells the channel.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Awaitable
from dataclasses import replace
from enum import Enum, auto
from typing import Any

import aiohttp
import discord
from discord.http import Route

from bot.caller import Caller
from bot.discord.carrier import ALREADY_ANSWERED, SERVER_ERRORS, Carrier, NotAnsweredError
from bot.discord_numbers import Callback
from bot.features.help.rulebook import mark_of
from bot.posting.messages import edited
from bot.posting.prompts import Publisher
from bot.render.components import fit_rows
from bot.render.payload import Attachment, Payload, Reply, both, parted
from bot.render.steps import refusal as refusal_payload
from bot.replies.referee import Referee
from bot.replies.remedies import Helped
from bot.requests.access import caller_of
from bot.requests.api import Api, sent_id
from bot.requests.blocked_channels import BlockedChannels
from bot.table.room import Room
from bot.table.service import Tables
from data.connection import Fenced, InDoubt
from data.rows import RepeatedInteraction
from rules.core.registry import system_of
from rules.errors import BrokenInvariant, Paused, Refusal, StaleTable, StoreFailure

log = logging.getLogger(__name__)
DEFER_AFTER_SECONDS = 1.5
UNKNOWN_INTERACTION = 10062
LOADING = 1 << 7  # a message's flag: time was asked for, and its words are to come
CARRIES_WITHIN_SECONDS = 1.0
BUSY_WITH = 8  # answers at once


class Arrival(Enum):
    """Tell whether a first response reached Discord; `BEFORE`: another one had."""

    YES = auto()
    NO = auto()
    BEFORE = auto()
    NOBODY_KNOWS = auto()


class Responses:
    """What every answer needs; those that are under way are known, so that the end can wait for them."""

    def __init__(
        self, api: Api, tables: Tables, referee: Referee, publisher: Publisher, blocked_channels: BlockedChannels
    ) -> None:
        self.api = api
        self.tables = tables
        self.referee = referee
        self.publisher = publisher
        self.blocked_channels = blocked_channels
        self.under_way: dict[asyncio.Task[Any], Caller] = {}
        self.late = self.deferred = 0  # answers since the start

    @property
    def is_busy(self) -> bool:
        """Tell whether many wait for their answers at once, which come first."""
        return len(self.under_way) > BUSY_WITH

    async def finish(self, within_seconds: float) -> bool:
        """Wait for the answers under way; give up those that take too long. Return whether all were given."""
        loop = asyncio.get_running_loop()
        until = loop.time() + within_seconds
        while self.under_way and (left := until - loop.time()) > 0:  # some may begin while others are waited for
            await asyncio.wait(self.under_way, timeout=left)
        late = tuple(self.under_way)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
        return not late

    async def again(self, caller: Caller, stored: str) -> Reply:
        """Give the first answer again to an event that arrived twice."""
        kept = json.loads(stored)
        if "refusal" in kept:
            return Reply(private=Payload(content=str(kept["refusal"])))
        if "public" in kept:
            return Reply(public=Payload(content=str(kept["public"])))
        return await self.referee.again(caller, int(kept["seq"]))

    async def remember_refusal(self, caller: Caller, words: str, offers: tuple[tuple[str, ...], ...] = ()) -> None:
        """Keep a refusal for an event that arrives twice, with what its buttons do that their ids have no room for."""
        await self.tables.repeats.keep_words(caller.interaction, words, user=caller.user, offers=offers)


class Response:
    """One interaction's answer. It is acknowledged once, by whichever comes first: the reply or the deferral."""

    def __init__(self, responses: Responses, interaction: discord.Interaction[Any]) -> None:
        self.responses = responses
        self.interaction = interaction
        self.caller = caller_of(interaction)
        self.deferred = False
        self.may_be_deferred = False  # the deferral was sent, and nobody said whether it arrived
        self.is_in_place = False  # it was put off as an edit of the pressed message, not as a private answer to come
        self.is_repeat = False  # the event came again: its step was done before
        self.was_answered = False  # by an earlier life, or another process: its message is not to be touched
        self._deferring: asyncio.Task[None] | None = None

    async def run(self, work: Awaitable[Reply]) -> None:
        """Do the work and answer. Whatever goes wrong, the person gets an answer."""
        own = asyncio.current_task()
        assert own is not None  # noqa: S101 - for the type checker; a coroutine runs in a task
        self.responses.under_way[own] = self.caller
        try:
            async with self.responses.publisher.carrying(self.caller.channel):
                await self._run(work)
        finally:
            self.responses.under_way.pop(own, None)

    async def _run(self, work: Awaitable[Reply]) -> None:
        late = asyncio.get_running_loop().call_later(DEFER_AFTER_SECONDS, self._start_deferring)
        try:
            reply = await self._guarded(work)
        finally:
            late.cancel()
        if self._deferring is not None:
            await self._deferring
        if reply is not None:
            await self._send(heard_by(self.caller, await self._with_word(reply)))

    def _brought(self, rule: str | None) -> tuple[str, int]:
        """Return the channel's encounter, by its id, if it has brought that rule itself, and its tables' mark."""
        room = None if rule is None else self.responses.tables.room_in_memory(self.caller.channel)
        encounter = None if room is None else room.encounter
        has_rule = encounter is not None and any(own.id == rule for own in system_of(encounter).own_rules)
        return (encounter.id, mark_of(encounter.tables)) if encounter is not None and has_rule else ("", 0)

    def _start_deferring(self) -> None:
        self.responses.deferred += 1
        self._deferring = asyncio.create_task(self._defer())

    async def _guarded(self, work: Awaitable[Reply]) -> Reply | None:
        try:
            return await work
        except RepeatedInteraction as repeated:
            self.is_repeat = True
            return await self.responses.again(self.caller, repeated.answer)
        except Refusal as refusal:
            if isinstance(refusal, Paused):
                refusal.since = await self.responses.referee.paused_since(self.caller.channel)
            helped = refusal if isinstance(refusal, Helped) else None
            try:
                kept = () if helped is None else helped.kept
                await self.responses.remember_refusal(self.caller, str(refusal), kept)
            except StoreFailure:
                log.exception("a refusal is not kept for a repeated event")
            payload = refusal_payload(refusal, *self._brought(refusal.rule))
            if helped is not None:  # what would work comes first, the rule's button last
                rows = helped.rows(self.caller.interaction)
                payload.components = fit_rows([*rows[:4], *payload.components])
            return Reply(private=payload)
        except StaleTable as stale:
            return Reply(private=Payload(content=str(stale)))
        except InDoubt as doubt:
            log.exception("in doubt in channel %s", self.caller.channel)
            return Reply(private=Payload(content=str(doubt)))
        except Fenced as fenced:
            log.warning("channel %s: another process took its shard", self.caller.channel)
            return Reply(private=Payload(content=str(fenced)))
        except StoreFailure as failure:
            log.exception("store failure in channel %s", self.caller.channel)
            return Reply(private=Payload(content=f"Nothing was done: {failure} Try again in a moment."))
        except Exception as error:
            number = secrets.token_hex(4)
            kind = "broken invariant" if isinstance(error, BrokenInvariant) else "error"
            log.exception(
                "%s %s in channel %s, interaction %s", kind, number, self.caller.channel, self.caller.interaction
            )
            return Reply(
                private=Payload(
                    content=f"Something went wrong, and nothing was changed. Please report it with `{number}`."
                )
            )

    async def _with_word(self, reply: Reply) -> Reply:
        """Add what a GM must know: of a channel that takes no prompt, of players who are gone."""
        if reply.form is not None or reply.update:
            return reply
        words = []
        publisher = self.responses.publisher
        for passed in (self.responses.blocked_channels.passed, publisher.departures.passed, publisher.gm_words.passed):
            try:
                words.append(await passed(self.caller))
            except StoreFailure:
                log.exception("what is to be told in channel %s", self.caller.channel)
        if not any(words):
            return reply
        private = replace(reply.private or Payload())
        private.content = "\n".join(filter(None, (private.content, *words)))
        return replace(reply, private=private)

    async def _defer(self) -> None:
        """Ask for time; if the live prompt or a panel was pressed, so that it can still be edited for nothing."""
        room, pressed = self.responses.tables.loaded(self.caller.channel), self.interaction.message
        if pressed is not None:
            is_live = room is not None and str(pressed.id) == room.prompt.message
            self.is_in_place = is_live or pressed.flags.ephemeral
        private = {"type": Callback.DEFER, "data": {"flags": 64}}
        arrival = await self._callback({"type": Callback.DEFER_UPDATE} if self.is_in_place else private)
        self.deferred = arrival is Arrival.YES
        self.may_be_deferred = arrival is Arrival.NOBODY_KNOWS
        if arrival is Arrival.BEFORE:
            self.is_in_place = False
            await self._find_answer()

    async def _is_told(self) -> bool:
        """Tell whether the answer that came before was this one: a try before, or an earlier life's."""
        await self._find_answer()
        return not (self.deferred or self.may_be_deferred)

    async def _find_answer(self) -> None:
        """Find out what an answer that came before is: time that was asked for, or words that are told already.

        Those may be the channel's prompt, so nothing is written over them.
        """
        route = self._webhook_route("GET", "/messages/@original")
        try:
            message = await self.responses.api.read(route, {})
        except (TimeoutError, discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.warning("what was answered before is not known: %s", type(error).__name__)
            message = {}
        self.deferred = bool(int(message.get("flags", 0)) & LOADING)
        self.was_answered = not self.deferred

    async def _send(self, reply: Reply) -> None:
        """Answer; files that do not fit into one request come as further private messages."""
        parts = [] if reply.private is None else parted(reply.private)
        await self._send_whole(replace(reply, private=parts[0]) if parts else reply)
        for more in parts[1:]:
            await self._follow(more, private=True)

    async def _send_whole(self, reply: Reply) -> None:
        if reply.form is not None and not self.deferred:
            await self._callback({"type": Callback.FORM, "data": reply.form.to_json()})
            return
        if reply.form is not None:
            await self._follow(Payload(content="That took too long to open a form. Press again."), private=True)
            return
        if reply.live and not (self.may_be_deferred or self.was_answered):
            await self._bring_live(reply)
            return
        public, private = reply.public, reply.own_word
        if not (self.deferred or self.was_answered) and await self._answered(reply, public, private):
            return
        if self.was_answered:
            await self._tell_beside(reply)
            return
        if public is not None and not self.caller.can_post:
            private = both(public, private)
            public = None
        await self._tell_later(reply, private)
        if public is not None:
            await self.responses.publisher.post(self.caller, public)

    async def _tell_beside(self, reply: Reply) -> None:
        """Tell what a repeated event did anyway; what was told before is not told again."""
        if self.is_repeat:
            return
        if reply.own_word is not None:
            await self._follow(reply.own_word, private=True)
        if reply.public is not None and self.caller.can_post:
            await self.responses.publisher.post(self.caller, reply.public)

    async def _tell_later(self, reply: Reply, private: Payload | None) -> None:
        """Say what is the person's alone if the answer was deferred."""
        if not self.is_in_place or (reply.update and private is not None):
            await self._edit(private if private is not None else Payload(content="Done."))
        elif private is not None:
            await self._follow(private, private=True)

    # The live message, carried by the answer

    async def _bring_live(self, reply: Reply) -> None:
        """Answer, and bring the channel's live message up to date on the way, which costs no request of the bot's."""
        room = self.responses.tables.loaded(self.caller.channel)
        private = reply.private
        takes = self.caller.can_post and not self.responses.blocked_channels.is_shut(self.caller.channel)
        if room is None or self.caller.guild is None or not takes or not await _acquired(room.sending):
            if not self.deferred:  # the publisher brings it when it can
                await self._answer_alone(reply, reply.own_word)
            else:
                await self._tell_later(reply, private if self.is_in_place else reply.own_word)
            return
        is_brought = False
        try:
            self._note_newest(room)
            carrier = Carrier(self, room, self.responses.publisher.messages)
            carrier.is_answered = self.deferred
            room.woken.clear()  # all that was new until now comes with this; what comes meanwhile sets it again
            if not carrier.is_on_live and self.responses.is_busy and self.responses.publisher.live.is_edit(room):
                await self._tell_alone(reply)  # the publisher gathers the edits of a second
                return
            change = self.responses.publisher.live.change_for(room)
            if not carrier.is_on_live and (self.deferred or reply.update or change is None or not change.is_new):
                await self._tell_alone(reply)
                carrier.is_answered, private = True, None
            if change is not None:
                await self.responses.publisher.live.bring(room, carrier, change)
            is_brought = True
            if not carrier.is_answered:
                await carrier.answer({"type": Callback.DEFER_UPDATE})
        except NotAnsweredError as error:
            if error.may_be_there:
                room.doubt()
            if error.was_before and not await self._is_told():
                await self._fill(reply.own_word)
            return  # the publisher brings it, by the bot's own requests
        except (TimeoutError, discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.warning("the live message of %s was not carried: %s", self.caller.channel, type(error).__name__)
            room.doubt()
        finally:
            if not is_brought:
                room.woken.set()
            room.sending.release()
        if reply.public is not None:
            await self._follow(reply.public, private=False)
        if private is not None:
            await self._follow(private, private=True)

    async def _tell_alone(self, reply: Reply) -> None:
        """Say what is the person's own, whether or not time was asked for."""
        if self.deferred:
            await self._tell_later(reply, reply.own_word)
        else:
            await self._answer_alone(reply, reply.own_word)

    async def _answer_alone(self, reply: Reply, private: Payload | None) -> None:
        """Answer somebody without the live message."""
        if not await self._answered(reply, None, private):
            await self._fill(private)

    async def _fill(self, private: Payload | None) -> None:
        """Give the words for which time was asked before."""
        if self.deferred:
            await self._edit(private or Payload(content="Done."))
        elif private is not None:
            await self._follow(private, private=True)

    def _note_newest(self, room: Room) -> None:
        newest = getattr(self.interaction.channel, "last_message_id", None)
        if newest is not None:
            room.newest = max(room.newest, int(newest))

    async def _answered(self, reply: Reply, public: Payload | None, private: Payload | None) -> bool:
        """Answer at once; False if it turns out that the answer was deferred before."""
        if public is None and private is None:
            private = Payload(content="Done.")
        if reply.update and private is not None:
            arrival = await self._callback(
                {"type": Callback.UPDATE, "data": private.to_json(laid_out=self._stands_laid_out)}, private.files
            )
            return arrival is not Arrival.BEFORE or await self._is_told()
        first = public if public is not None else private
        assert first is not None  # noqa: S101 - for the type checker; one of both is set above
        arrival = await self._callback(
            {"type": Callback.MESSAGE, "data": first.to_json(ephemeral=public is None)}, first.files
        )
        if arrival is Arrival.BEFORE:
            return await self._is_told()
        if arrival in {Arrival.NO, Arrival.NOBODY_KNOWS}:
            await self.responses.publisher.undelivered(
                self.caller, public, may_be_there=arrival is Arrival.NOBODY_KNOWS
            )
        elif public is not None and private is not None:
            await self._follow(private, private=True)
        return True

    async def _callback(self, data: dict[str, Any], files: list[Attachment] | None = None) -> Arrival:
        """Send the first response."""
        try:
            await self.call_back(data, files or [])
        except discord.HTTPException as error:
            if error.code == ALREADY_ANSWERED:
                return Arrival.BEFORE
            self.responses.late += error.code == UNKNOWN_INTERACTION
            if error.code != UNKNOWN_INTERACTION:
                log.warning("answer not delivered: %s %s", error.status, error.code)
            return Arrival.NO if error.status < SERVER_ERRORS else Arrival.NOBODY_KNOWS
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            log.warning("answer not delivered: %s", type(error).__name__)
            return Arrival.NOBODY_KNOWS
        return Arrival.YES

    async def call_back(self, data: dict[str, Any], files: list[Attachment], *, wants_message: bool = False) -> Any:
        """Send the first response; `wants_message` asks for what became of it. Raises what the request raises."""
        route = Route(
            "POST",
            "/interactions/{webhook_id}/{webhook_token}/callback"  # these names give each token its own bucket
            + ("?with_response=true" if wants_message else ""),
            webhook_id=self.interaction.id,
            webhook_token=self.interaction.token,
        )
        return await self._request(route, data, files)

    @property
    def _stands_laid_out(self) -> bool:
        """Tell whether the pressed message is one of components alone."""
        pressed = self.interaction.message
        return pressed is not None and pressed.flags.components_v2

    async def _edit(self, payload: Payload) -> None:
        await self._webhook("PATCH", "/messages/@original", payload, private=True)

    async def original(self) -> str:
        """Return the id of the message that was answered with. Raises as below."""
        message = await self.responses.api.read(self._webhook_route("GET", "/messages/@original"), {})
        return sent_id(message)

    async def follow_publicly(self, payload: Payload) -> str:
        """Send a public follow-up and return its id. Raises: discord.HTTPException, OSError, aiohttp.ClientError."""
        route = self._webhook_route("POST", "")
        sent = await self._request(route, payload.to_json(), payload.files)
        return sent_id(sent)

    async def change(self, payload: Payload) -> None:
        """Edit the message that was answered with, or that has the pressed button. Raises as above."""
        await self._request(self._webhook_route("PATCH", "/messages/@original"), edited(payload), payload.files)

    async def _follow(self, payload: Payload, *, private: bool) -> None:
        await self._webhook("POST", "", payload, private=private)

    async def _webhook(self, method: str, ending: str, payload: Payload, *, private: bool) -> None:
        route = self._webhook_route(method, ending)
        try:
            is_new = method == "POST"
            laid_out = self.is_in_place and self._stands_laid_out and not is_new
            data = payload.to_json(ephemeral=private and is_new, laid_out=laid_out)
            await self._request(route, data, payload.files)
        except (TimeoutError, discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.warning("follow-up not delivered: %s", type(error).__name__)

    def _webhook_route(self, method: str, ending: str) -> Route:
        return Route(
            method,
            "/webhooks/{webhook_id}/{webhook_token}" + ending,
            webhook_id=self.interaction.application_id,
            webhook_token=self.interaction.token,
        )

    async def _request(self, route: Route, data: dict[str, Any], files: list[Attachment]) -> Any:
        return await self.responses.api.request(route, data, files)


def heard_by(caller: Caller, reply: Reply) -> Reply:
    """Keep a reply private if the person who asks may not write in the channel."""
    if caller.may_write or reply.public is None:
        return reply
    return replace(reply, public=None, private=both(reply.public, reply.private))


async def _acquired(lock: asyncio.Lock) -> bool:
    """Take a lock, unless that takes longer than a person waits: a request under it may be limited."""
    if not lock.locked():  # as nearly always; a wait with an end is a task of its own
        return await lock.acquire()
    try:
        async with asyncio.timeout(CARRIES_WITHIN_SECONDS):
            await lock.acquire()
    except TimeoutError:
        return False
    return True
