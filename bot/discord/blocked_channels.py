"""Channels that take no message from the referee: they are left alone, and who can help is told, once.

A deleted channel suspends its encounters and keeps their data; a permission that is taken away suspends them until it
is given back. Nothing here is needed to go on: a forgotten door is found shut again by one request.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Literal, TypeAlias

import aiohttp
import discord
from discord.http import Route

from bot.discord.caller import Caller
from bot.render.payload import Payload
from bot.render.words import fit, listed
from data.rows import EncounterRow
from rules.core.errors import StoreFailure

if TYPE_CHECKING:
    from bot.discord.client import RefereeClient

log = logging.getLogger(__name__)
UNKNOWN_CHANNEL, UNKNOWN_GUILD = 10003, 10004
MISSING_ACCESS, MISSING_PERMISSIONS, ARCHIVED = 50001, 50013, 50083
AGAIN_AFTER_SECONDS = 30.0  # where Discord says that writing is allowed, and yet refused it
OPEN = ("gathering", "running", "paused")
Why: TypeAlias = Literal["gone", "forbidden"]


class ClosedDoor(Exception):  # noqa: N818 - no fault: the channel is known to take nothing
    """A message was not sent, since the channel takes none."""


class BlockedChannels:
    """Which channels are shut, and why. Publishing asks here before it sends."""

    def __init__(self, client: RefereeClient) -> None:
        self.client = client
        self._shut: dict[str, Why] = {}
        self._since: dict[str, float] = {}
        self._words: dict[str, str] = {}  # for a GM or a moderator who comes by: nobody could be told otherwise

    def is_shut(self, channel: str) -> bool:
        return channel in self._shut

    async def is_gone(self, channel: str) -> bool:
        """Tell whether a channel was deleted, as far as the referee has noticed."""
        return self._shut.get(channel) == "gone" or await self.client.store.get_meta(_key(channel)) == "gone"

    # Shutting

    async def refused(self, channel: str, error: discord.HTTPException) -> bool:
        """Shut a channel where a refusal means that it takes nothing more; tell whether it does."""
        if error.code in {UNKNOWN_CHANNEL, UNKNOWN_GUILD}:
            await self.shut(channel, "gone")
        elif error.code in {MISSING_ACCESS, MISSING_PERMISSIONS, ARCHIVED}:
            await self.shut(channel, "forbidden", sees=error.code != MISSING_ACCESS, locked=error.code == ARCHIVED)
        else:
            return False
        return True

    async def shut(self, channel: str, why: Why, *, sees: bool = True, locked: bool = False) -> None:
        """Leave a channel alone from now on, and tell who can help, once."""
        if self._shut.get(channel) == why:
            return
        self._shut[channel] = why
        self._since[channel] = time.monotonic()
        log.warning("channel %s takes no message: %s", channel, why)
        try:
            rows = await self.client.store.encounters(channel=channel, statuses=OPEN)
            if not rows or await self.client.store.get_meta(_key(channel)) == why:
                return
            await self.client.store.set_meta(_key(channel), why)
        except StoreFailure:
            log.exception("what is known of channel %s is not kept", channel)
            return
        names = listed([row.name for row in rows], 5)
        if why == "gone":
            words = (
                f"The channel of *{names}* was deleted. The game is suspended and nothing of it is lost: "
                "`/encounter move` in another channel of that server goes on there."
            )
            told = [await self._tell(user, words) for user in dict.fromkeys(gm for row in rows for gm in row.gms)]
        else:
            words = self._grant_words(channel, names, sees=sees, locked=locked)
            told = [await self._tell_who_can_grant(channel, rows, words)]
            self._words[channel] = words
        if not any(told):
            log.warning("nobody could be told that channel %s takes no message: %s", channel, why)

    def _grant_words(self, channel: str, names: str, *, sees: bool, locked: bool) -> str:
        if locked:
            return f"<#{channel}> is locked, so *{names}* waits. Whoever may manage threads can unlock it."
        place = self.client.get_channel(int(channel))
        sending = "Send Messages in Threads" if isinstance(place, discord.Thread) or place is None else "Send Messages"
        missing = sending if sees else "View Channel"
        return (
            f"I lack **{missing}** in <#{channel}>, so nobody is prompted there and *{names}* waits. "
            "Whoever may manage that channel can grant it: *Edit Channel*, *Permissions*, then my role. "
            "I go on by myself once it is granted; nothing is lost."
        )

    async def _tell_who_can_grant(self, channel: str, rows: tuple[EncounterRow, ...], words: str) -> bool:
        """Tell one person: a GM of the table who may manage the channel, else the server's owner, else a GM."""
        guild = self.client.get_guild(int(rows[0].guild)) if rows[0].guild.isdigit() else None
        gms = list(dict.fromkeys(gm for row in rows for gm in row.gms))
        granting = [gm for gm in gms if guild is not None and await self._may_grant(guild, channel, gm)]
        owner = [] if guild is None or guild.owner_id is None else [str(guild.owner_id)]
        for user in dict.fromkeys((*granting, *owner, *gms)):
            if await self._tell(user, words):
                return True
        return False

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

    async def _tell(self, user: str, words: str) -> bool:
        """Send a direct message; False where the person takes none (50007)."""
        try:
            opened = await self.client.request(Route("POST", "/users/@me/channels"), {"recipient_id": user}, [])
            route = Route("POST", "/channels/{channel_id}/messages", channel_id=opened["id"])
            await self.client.request(route, fit(Payload(content=words)).to_json(), [])
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("%s takes no direct message: %s", user, getattr(error, "code", type(error).__name__))
            return False
        return True

    # Opening

    async def open(self, channel: str) -> None:
        """Go on in a channel that was shut: what it is owed is sent."""
        if self._shut.pop(channel, None) is None:
            return
        self._words.pop(channel, None)
        self._since.pop(channel, None)
        await self.client.store.set_meta(_key(channel), "")
        room = await self.client.tables.room_of(channel, None)
        self.client.publisher.wake(room)

    async def look_again(self, guild: discord.Guild) -> None:
        """Open what may be written in again: a channel, a role or the referee's own roles have changed."""
        for channel in [channel for channel, why in self._shut.items() if why == "forbidden"]:
            place = guild.get_channel_or_thread(int(channel))
            if place is None or guild.me is None:
                continue
            allowed = place.permissions_for(guild.me)
            can_send = allowed.send_messages
            if isinstance(place, discord.Thread):
                can_send = allowed.send_messages_in_threads and not place.locked
            if allowed.view_channel and can_send:
                await self.open(channel)

    async def passed(self, caller: Caller) -> str | None:
        """Note from where somebody asks: a channel that may be written in is opened.

        Return what a GM or a moderator is to be told there, once for each time that it was shut.
        """
        channel = caller.channel
        if channel not in self._shut:
            return None
        if caller.can_post and time.monotonic() - self._since[channel] > AGAIN_AFTER_SECONDS:
            await self.open(channel)
            return None
        room = self.client.tables.loaded(channel)
        encounter = None if room is None else room.encounter
        if caller.moderator or (encounter is not None and caller.user in encounter.gms):
            return self._words.pop(channel, None)
        return None


def _key(channel: str) -> str:
    return f"door:{channel}"
