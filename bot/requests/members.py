"""What people may do in a channel. There is no members list, so it is asked of Discord, and kept for a moment."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, TypeAlias

import aiohttp
import discord
from discord import app_commands
from discord.http import Route

from bot.requests.api import Api
from bot.requests.places import Places
from bot.table.service import Tables

log = logging.getLogger(__name__)
KEPT_SECONDS = 30.0
LOOK_SECONDS = 4.0  # an answer waits no longer; what comes later serves the next one
MOST_KEPT = 5000
UNKNOWN_MEMBER, UNKNOWN_USER = 10007, 10013
_THREADS = tuple(kind.value for kind in discord.ChannelType if kind.name.endswith("_thread"))

Named: TypeAlias = app_commands.AppCommandChannel | app_commands.AppCommandThread


class Presence(Enum):
    """What somebody may do in a channel."""

    WRITES = auto()
    READS = auto()  # and may write nothing
    GONE = auto()  # they left the server, or may not see the channel
    UNKNOWN = auto()  # Discord does not say


_NOT_SAID = object()


def _made(guild: discord.Guild, data: Any) -> discord.TextChannel:
    """Return a channel for the sake of its permissions, which are alike in every kind."""
    return discord.TextChannel(state=guild._state, guild=guild, data=data)  # noqa: SLF001 - as `fetch_channel` makes one


class _NotSaidError(Exception):
    """Discord does not say it now."""


@dataclass(frozen=True, slots=True)
class Place:
    """A channel, with what its server lets somebody do there. In a private thread that is said of its members alone."""

    channel: str
    allowed: discord.Permissions
    is_thread: bool = False
    is_private: bool = False
    is_locked: bool = False

    @property
    def is_of_managers(self) -> bool:
        """Tell whether the person manages threads, so that none is private or locked for them."""
        return self.allowed.manage_threads or self.allowed.administrator


def named_place(named: Named) -> Place:
    """Return a channel that a command names: with it Discord says what the person who typed it may do there."""
    if isinstance(named, app_commands.AppCommandChannel):
        return Place(str(named.id), named.permissions)
    is_private = named.type is discord.ChannelType.private_thread
    return Place(str(named.id), named.permissions, is_thread=True, is_private=is_private, is_locked=named.locked)


@dataclass(frozen=True, slots=True)
class _Kept:
    found: Any  # None: there is no such member
    at: float


class Members:
    """Looks people up: one request for several who ask at once, and none for half a minute."""

    def __init__(self, api: Api, places: Places, tables: Tables) -> None:
        self._api = api
        self._places = places
        self._tables = tables
        self._kept: dict[tuple[str, ...], _Kept] = {}
        self._asking: dict[tuple[str, ...], asyncio.Task[Any]] = {}

    async def presence(self, user: str, server: str, channel: str) -> Presence:
        """Look up what somebody may do in a channel of a server."""
        try:
            guild = await self._guild(server)
            member = await self._member(user, guild)
            if member is None:
                return Presence.GONE
            return await self._at(user, await self._place(guild, channel, member))
        except _NotSaidError:
            return Presence.UNKNOWN

    async def presence_at(self, user: str, place: Place) -> Presence:
        """Look up what somebody may do in a place, if Discord has said what the server lets them do."""
        try:
            return await self._at(user, place)
        except _NotSaidError:
            return Presence.UNKNOWN

    async def is_gone(self, user: str, server: str) -> bool:
        """Tell whether somebody has surely left a server."""
        try:
            return await self._member(user, await self._guild(server)) is None
        except _NotSaidError:
            return False

    async def _guild(self, server: str) -> discord.Guild:
        """Return a server; one that another process serves is asked for."""
        known = self._places.server(server)
        route = Route("GET", "/guilds/{guild_id}", guild_id=server)
        return known or self._places.made(await self._look(("server", server), route))

    async def _member(self, user: str, guild: discord.Guild) -> discord.Member | None:
        route = Route("GET", "/guilds/{guild_id}/members/{member_id}", guild_id=guild.id, member_id=user)
        data = await self._look(("member", str(guild.id), user), route)
        return None if data is None else discord.Member(data=data, guild=guild, state=guild._state)  # noqa: SLF001 - as `guild.fetch_member` makes one, which knows no patience

    async def _at(self, user: str, place: Place) -> Presence:
        if not place.allowed.view_channel:
            return Presence.GONE
        if place.is_private and not place.is_of_managers and not await self._is_in(user, place.channel):
            return Presence.GONE
        can_send = place.allowed.send_messages_in_threads if place.is_thread else place.allowed.send_messages
        return Presence.WRITES if can_send and (not place.is_locked or place.is_of_managers) else Presence.READS

    async def _is_in(self, user: str, thread: str) -> bool:
        route = Route("GET", "/channels/{channel_id}/thread-members/{user_id}", channel_id=thread, user_id=user)
        return await self._look(("thread", thread, user), route) is not None

    async def _place(self, guild: discord.Guild, channel: str, member: discord.Member) -> Place:
        """Return a channel as a member has it; what is not known, as an archived thread, is asked for."""
        known = guild.get_channel_or_thread(int(channel))
        if isinstance(known, discord.Thread):
            parent = await self._parent(guild, str(known.parent_id))
            allowed = parent.permissions_for(member)
            return Place(channel, allowed, is_thread=True, is_private=known.is_private(), is_locked=known.locked)
        if known is not None:
            return Place(channel, known.permissions_for(member))
        data = await self._channel(channel)
        if int(data["type"]) not in _THREADS:
            return Place(channel, _made(guild, data).permissions_for(member))
        parent = await self._parent(guild, str(data["parent_id"]))
        return Place(
            channel,
            parent.permissions_for(member),
            is_thread=True,
            is_private=int(data["type"]) == discord.ChannelType.private_thread.value,
            is_locked=bool((data.get("thread_metadata") or {}).get("locked")),
        )

    async def _parent(self, guild: discord.Guild, channel: str) -> discord.abc.GuildChannel:
        return guild.get_channel(int(channel)) or _made(guild, await self._channel(channel))

    async def _channel(self, channel: str) -> Any:
        return await self._look(("channel", channel), Route("GET", "/channels/{channel_id}", channel_id=channel))

    async def _look(self, key: tuple[str, ...], route: Route) -> Any:
        """Return what Discord says, None if it knows no such member. Raises: _NotSaidError."""
        kept = self._kept.get(key)
        if kept is not None and 0 <= self._tables.clock() - kept.at < KEPT_SECONDS:
            return kept.found
        task = self._asking.get(key)
        if task is None:
            task = self._asking[key] = asyncio.create_task(self._ask(key, route), name=" ".join(("look up", *key)))
        done, _ = await asyncio.wait({task}, timeout=LOOK_SECONDS)
        if not done or task.result() is _NOT_SAID:
            raise _NotSaidError
        return task.result()

    async def _ask(self, key: tuple[str, ...], route: Route) -> Any:
        """Ask Discord; `_NOT_SAID` if it does not answer. It raises nothing, since nobody may be waiting any more."""
        try:
            answer = await self._api.read(route, {}) or _NOT_SAID
        except discord.NotFound as error:
            if error.code not in {UNKNOWN_MEMBER, UNKNOWN_USER}:
                return _NOT_SAID
            answer = None
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.warning("%s is not said: %s", " ".join(key), getattr(error, "code", type(error).__name__))
            return _NOT_SAID
        finally:
            self._asking.pop(key, None)
        if answer is _NOT_SAID:  # an answer without a body
            return answer
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()
        self._kept[key] = _Kept(answer, self._tables.clock())
        return answer
