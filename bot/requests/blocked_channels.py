"""Channels that take no message from the referee: they are left alone, and who can help is told, once.

A deleted channel suspends its encounters and keeps their data; a permission that is taken away suspends them until it
is given back. Nothing here is needed to go on: a forgotten door is found shut again by one request.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import aiohttp
import discord

from bot.caller import Caller
from bot.render.payload import Payload
from bot.render.words import listed
from bot.requests.access import invitation
from bot.requests.api import Api
from bot.requests.direct_messages import DirectMessages
from bot.requests.members import Members
from bot.requests.places import Places
from bot.table.service import Tables
from data.rows import EncounterRow
from rules.errors import StoreFailure

log = logging.getLogger(__name__)
UNKNOWN_CHANNEL, UNKNOWN_GUILD = 10003, 10004
MISSING_ACCESS, MISSING_PERMISSIONS, ARCHIVED, LOCKED = 50001, 50013, 50083, 160005
FIRST_PAUSE_SECONDS = 30.0  # before a channel is asked again; twice as long each time that it refuses
LONGEST_PAUSE_SECONDS = 3600.0
KEY = "door:"
OPEN = ("gathering", "running", "paused")
Why: TypeAlias = Literal["gone", "forbidden"]


@dataclass(slots=True)
class _Block:
    """Why a channel is left alone, and since when (the clock's seconds)."""

    why: Why
    since: float
    seemed_open: bool  # Discord says that writing is allowed, and yet refused it
    words: str | None = None  # for a GM or a moderator who comes by: nobody could be told otherwise


class BlockedChannels:
    """Which channels are shut, and why. Publishing asks here before it sends."""

    def __init__(
        self, api: Api, places: Places, members: Members, tables: Tables, direct_messages: DirectMessages
    ) -> None:
        self.api = api
        self.places = places
        self.members = members
        self.tables = tables
        self.direct_messages = direct_messages
        self.store = tables.store
        self._blocks: dict[str, _Block] = {}
        self._refusals: dict[str, int] = {}  # by channel: in a row, until a message arrives
        self._told: dict[str, str] | None = None  # by channel: the cause that somebody was told; as the store has it

    def is_shut(self, channel: str) -> bool:
        return channel in self._blocks

    async def is_gone(self, channel: str) -> bool:
        """Tell whether a channel was deleted, as far as the referee has noticed."""
        return (await self._causes_told()).get(channel) == "gone" or self._why(channel) == "gone"

    def _why(self, channel: str) -> Why | None:
        block = self._blocks.get(channel)
        return None if block is None else block.why

    async def _causes_told(self) -> dict[str, str]:
        """Return what people were told, by channel, read once."""
        if self._told is None:
            metas = await self.store.find_metas(KEY)
            self._told = {key.removeprefix(KEY): why for key, why in metas.items() if why}
        return self._told

    async def _note_told(self, channel: str, why: str) -> None:
        told = await self._causes_told()
        await self.store.set_meta(KEY + channel, why)
        told.pop(channel, None)
        if why:
            told[channel] = why

    def forget(self, are_gone: Callable[[str], bool]) -> None:
        """Leave channels to the process that serves them now: it may open them, and tell people other things."""
        self._blocks = {channel: block for channel, block in self._blocks.items() if not are_gone(channel)}
        self._refusals = {channel: times for channel, times in self._refusals.items() if not are_gone(channel)}
        self._told = None

    # Shutting

    async def refused(self, channel: str, error: discord.HTTPException) -> bool:
        """Shut a channel if a refusal means that it takes no more; tell whether it does."""
        if error.code in {UNKNOWN_CHANNEL, UNKNOWN_GUILD}:
            await self.shut(channel, "gone")
        elif error.code in {MISSING_ACCESS, MISSING_PERMISSIONS, ARCHIVED, LOCKED}:
            if error.code == MISSING_ACCESS:
                self.places.refused(channel)
            await self.shut(channel, "forbidden", error.code)
        else:
            return False
        return True

    async def shut(self, channel: str, why: Why, code: int = MISSING_PERMISSIONS) -> None:
        """Leave a channel alone from now on, and tell who can help: once, until a message has arrived there.

        `code` is Discord's, of the refusal.
        """
        if self._why(channel) == why:
            return
        self._blocks[channel] = block = _Block(why, self.tables.clock(), seemed_open=self._seems_open(channel))
        self._refusals[channel] = self._refusals.get(channel, 0) + 1
        log.warning("channel %s takes no message: %s", channel, why)
        try:
            rows = await self.store.encounters(channel=channel, statuses=OPEN)
            if not rows or (await self._causes_told()).get(channel) == why:
                return
            await self._note_told(channel, why)
        except StoreFailure:
            log.exception("what is known of channel %s is not kept", channel)
            return
        names = listed([row.name for row in rows], 5)
        if why == "gone":
            words = (
                f"The channel of *{names}* was deleted. The game is suspended, and nothing is lost: type `/encounter "
                "move` in another channel of that server to go on there."
            )
            told = [await self.direct_messages.send(user, Payload(content=words)) for user in await self._gms(rows)]
        else:
            words = self._grant_words(channel, rows[0].guild, names, code)
            told = [await self._tell_who_can_grant(channel, rows, words)]
            block.words = words
        if not any(told):
            log.warning("nobody could be told that channel %s takes no message: %s", channel, why)

    def _grant_words(self, channel: str, server: str, names: str, code: int) -> str:
        if code == ARCHIVED:
            return (
                f"<#{channel}> is closed and locked, so *{names}* waits. I go on as soon as somebody who manages "
                "threads opens it again."
            )
        if code == LOCKED:
            return (
                f"<#{channel}> is locked, so *{names}* waits. I go on as soon as somebody who manages threads unlocks "
                "it."
            )
        guild = self.places.server(server)
        if code == MISSING_ACCESS and guild is None:
            link = f" with {invitation(self.api.application)}" if self.api.application else ""
            return (
                f"I am no longer in the server of *{names}*, so it waits. Somebody who manages the server can add me"
                f"{link}. Nothing is lost."
            )
        place = self.places.channel(channel)
        if code == MISSING_ACCESS and place is None:  # what every member sees is known
            return (
                f"I am not in <#{channel}>, a private thread, so I can't call anybody there, and *{names}* waits. "
                f"Mention me there ({self._mention()}) and I am in. I then go on by myself; nothing is lost."
            )
        sending = "Send Messages in Threads" if isinstance(place, discord.Thread) or place is None else "Send Messages"
        missing = sending if code != MISSING_ACCESS else "View Channel"
        return (
            f"I lack **{missing}** in <#{channel}>, so I can't call anybody there, and *{names}* waits. Somebody who "
            "manages that channel can grant it: *Edit Channel*, *Permissions*, then my role. I then go on by myself; "
            "nothing is lost."
        )

    def _mention(self) -> str:
        return f"@{self.api.own_name or 'me'}"

    async def _tell_who_can_grant(self, channel: str, rows: tuple[EncounterRow, ...], words: str) -> bool:
        """Tell one person: a GM of the table who may manage the channel, else the server's owner, else a GM."""
        guild = self.places.server(rows[0].guild)
        gms = await self._gms(rows)
        granting = [gm for gm in gms if guild is not None and await self._may_grant(guild, channel, gm)]
        owner = [] if guild is None or guild.owner_id is None else [str(guild.owner_id)]
        for user in dict.fromkeys((*granting, *owner, *gms)):
            if await self.direct_messages.send(user, Payload(content=words)):
                return True
        return False

    async def _gms(self, rows: tuple[EncounterRow, ...]) -> list[str]:
        """Return the GMs of a channel's tables who have not left its server."""
        gms = dict.fromkeys(gm for row in rows for gm in row.gms)
        return [gm for gm in gms if not await self.members.is_gone(gm, rows[0].guild)]

    async def _may_grant(self, guild: discord.Guild, channel: str, user: str) -> bool:
        place = guild.get_channel_or_thread(int(channel))
        if place is None:
            return False
        try:
            member = guild.get_member(int(user)) or await guild.fetch_member(int(user))
        except (discord.HTTPException, aiohttp.ClientError, OSError):
            return False
        allowed = place.permissions_for(member)
        return allowed.manage_roles or allowed.administrator

    # Opening

    async def open(self, channel: str) -> None:
        """Go on in a channel that was shut: what it is owed is sent."""
        if self._blocks.pop(channel, None) is None:
            return
        self.tables.announce(await self.tables.room_of(channel, None))

    async def arrived(self, channel: str) -> None:
        """Note that a channel took a message: what was told of it is over, and a new cause is told again."""
        self._refusals.pop(channel, None)
        try:
            if channel in await self._causes_told():
                await self._note_told(channel, "")
        except StoreFailure:
            log.exception("that channel %s takes messages again is not kept", channel)

    async def look_again(self, guild: discord.Guild) -> None:
        """Open what may be written in again: a channel, a role or the referee's own roles have changed.

        If writing seemed allowed when it was refused, that says nothing, and the pause holds.
        """
        for channel, block in list(self._blocks.items()):
            if block.why != "forbidden" or guild.get_channel_or_thread(int(channel)) is None:
                continue
            if self._seems_open(channel) and (not block.seemed_open or self._is_due(channel)):
                await self.open(channel)

    async def ask_again(self) -> None:
        """Open the forbidden channels whose pause is over; what they are owed is tried again."""
        for channel, block in list(self._blocks.items()):
            if block.why == "forbidden" and self._is_due(channel):
                await self.open(channel)

    async def passed(self, caller: Caller) -> str | None:
        """Note a caller's channel: if it may be written in, it is opened once its pause is over.

        Return what a GM or a moderator is to be told there, once for each cause.
        """
        channel = caller.channel
        block = self._blocks.get(channel)
        if block is None:
            return None
        if caller.can_post and self._is_due(channel):
            await self.open(channel)
            return None
        room = self.tables.loaded(channel)
        encounter = None if room is None else room.encounter
        if caller.moderator or (encounter is not None and caller.user in encounter.gms):
            word, block.words = block.words, None
            return word
        return None

    def _is_due(self, channel: str) -> bool:
        """Tell whether a channel has been left alone for long enough: 30 s, twice as long each time, at most 1 h."""
        doublings = min(self._refusals.get(channel, 1) - 1, 16)
        pause = min(FIRST_PAUSE_SECONDS * (1 << doublings), LONGEST_PAUSE_SECONDS)
        return self.tables.clock() - self._blocks[channel].since > pause

    def _seems_open(self, channel: str) -> bool:
        """Tell whether Discord's permissions let the referee write there, as far as they are known."""
        return bool(self.places.may_write(channel))
