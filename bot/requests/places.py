"""Servers and channels as the connection knows them, and what the referee may do there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import discord
from discord.http import Route

from bot.requests.api import Api
from bot.requests.pace import LimitedError

Place: TypeAlias = discord.abc.GuildChannel | discord.Thread


class Places:
    """What discord.py keeps of them. None is what the connection has not been told of."""

    def __init__(self, client: discord.Client, api: Api) -> None:
        self._client = client
        self._api = api

    def server(self, server: str) -> discord.Guild | None:
        return self._client.get_guild(int(server)) if server.isdigit() else None

    def made(self, data: Any) -> discord.Guild:
        """Return a server as Discord answers with it: one of a shard that another process serves is not kept."""
        return discord.Guild(data=data, state=self._client._connection)  # noqa: SLF001 - as `fetch_guild` makes one

    def channel(self, channel: str) -> Place | None:
        """Return a channel or thread of a server."""
        cached = self._client.get_channel(int(channel))
        return cached if isinstance(cached, Place) else None

    def servers(self) -> tuple[str, ...]:
        return tuple(str(guild.id) for guild in self._client.guilds)

    def forget_servers(self, are_gone: Callable[[str], bool]) -> None:
        """Keep nothing of the servers of a shard that another process has now."""
        for guild in tuple(self._client.guilds):
            if are_gone(str(guild.id)):
                self._client._connection._remove_guild(guild)  # noqa: SLF001 - discord.py keeps what a shard told for ever

    def forget_thread(self, channel: str) -> None:
        """Forget a private thread that the referee was put out of: discord.py takes it for one that it sees."""
        thread = self.channel(channel)
        if isinstance(thread, discord.Thread):
            thread.guild._remove_thread(thread)  # noqa: SLF001 - discord.py has no other way

    def refused(self, channel: str) -> None:
        """Note that Discord lets the referee in no more: if its roles still do it is put out of a private thread."""
        place, own = self.channel(channel), self.permissions(channel)
        if isinstance(place, discord.Thread) and place.is_private() and own is not None and own.view_channel:
            self.forget_thread(channel)

    async def exists(self, channel: str) -> bool:
        """Ask whether a channel is there, unless it is known; what cannot be asked now is taken for one that is."""
        try:
            await self._look(channel)
        except discord.NotFound:
            return False
        except (discord.HTTPException, LimitedError):
            return True
        return True

    async def is_inside(self, channel: str) -> bool:
        """Tell whether the referee sees a channel; a private thread must have it as a member. Asks if unknown."""
        try:
            await self._look(channel)
        except (discord.HTTPException, LimitedError):
            return False
        return True

    async def _look(self, channel: str) -> None:
        """Ask for a channel, unless it is known. Raises: discord.HTTPException, LimitedError."""
        if self._client.get_channel(int(channel)) is None:
            await self._api.read(Route("GET", "/channels/{channel_id}", channel_id=channel), {})

    def may_write(self, channel: str) -> bool | None:
        """Tell whether the referee may write in a channel by its roles; None if that is not known."""
        place = self.channel(channel)
        allowed = own_permissions(place)
        if allowed is None:
            return None
        can_send = allowed.send_messages
        if isinstance(place, discord.Thread):
            can_send = allowed.send_messages_in_threads and (not place.locked or allowed.manage_threads)
        return allowed.view_channel and can_send

    def permissions(self, channel: str) -> discord.Permissions | None:
        """Return what the server's roles and the channel let the referee do."""
        return own_permissions(self.channel(channel))


def own_permissions(place: object) -> discord.Permissions | None:
    """Return what the referee may do in a place of a server; None if that is not known."""
    if not isinstance(place, Place):
        return None
    member = place.guild.me
    if member is None or (isinstance(place, discord.Thread) and place.parent is None):
        return None
    return place.permissions_for(member)
