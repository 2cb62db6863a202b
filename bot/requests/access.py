"""What the referee may do in a channel, as Discord's permissions and its own place among the members say it."""

from __future__ import annotations

from typing import Any

import discord

from bot.caller import Caller, Outside
from bot.requests.places import Places, own_permissions
from rules.core.typed.names import clean_name

VIEW, SEND, EMBED, ATTACH, HISTORY = (
    "View Channel",
    "Send Messages",
    "Embed Links",
    "Attach Files",
    "Read Message History",
)
_BITS = {
    VIEW: discord.Permissions(view_channel=True),
    SEND: discord.Permissions(send_messages=True),
    EMBED: discord.Permissions(embed_links=True),
    ATTACH: discord.Permissions(attach_files=True),
    HISTORY: discord.Permissions(read_message_history=True),
}
_IN_THREADS = {**_BITS, SEND: discord.Permissions(send_messages_in_threads=True)}
_MODERATING = discord.Permissions(manage_messages=True, administrator=True).value
# Asked for in the invitation, all of them everyday ones.
NEEDED = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    embed_links=True,
    attach_files=True,
    read_message_history=True,
)


def invitation(application: str) -> str:
    """Return the link for somebody who may manage a server to add the referee to it."""
    return discord.utils.oauth_url(int(application), permissions=NEEDED, scopes=("bot", "applications.commands"))


def caller_of(interaction: discord.Interaction[Any]) -> Caller:
    """Return the caller and their place."""
    outside = _outside(interaction)
    in_guild = interaction.guild_id is not None
    granted = _granted(interaction)
    known = in_guild and outside is None and granted.value != 0  # a server that says nothing forbids nothing
    wanted = _IN_THREADS if isinstance(interaction.channel, discord.Thread) else _BITS
    missing = tuple(name for name, bit in wanted.items() if not granted.value & bit.value) if known else ()
    return Caller(
        user=str(interaction.user.id),
        name=clean_name(interaction.user.display_name),
        interaction=str(interaction.id),
        channel=str(interaction.channel_id),
        guild=None if interaction.guild_id is None else str(interaction.guild_id),
        application=str(interaction.application_id),
        moderator=in_guild and bool(interaction.permissions.value & _MODERATING),
        administrator=in_guild and interaction.permissions.administrator,
        can_post=in_guild and outside is None and not {VIEW, SEND} & set(missing),
        missing=missing,
        outside=outside,
        may_write=_may_write(interaction),
    )


def _may_write(interaction: discord.Interaction[Any]) -> bool:
    """Tell whether the caller may write there. A server that does not even say that they see it forbids nothing."""
    allowed = interaction.permissions
    is_thread = isinstance(interaction.channel, discord.Thread)
    can_send = allowed.send_messages_in_threads if is_thread else allowed.send_messages
    return interaction.guild_id is None or not allowed.view_channel or can_send or allowed.administrator


def _outside(interaction: discord.Interaction[Any]) -> Outside | None:
    """Tell why the referee hears of a place that it is not in."""
    if interaction.guild_id is None:
        return None
    if interaction.is_user_integration() and not interaction.is_guild_integration():
        return Outside.PERSON
    client = interaction.client
    if not client.is_ready():
        return None
    guild = client.get_guild(interaction.guild_id)
    if guild is None:
        return Outside.SERVER
    place = interaction.channel
    if not isinstance(place, discord.Thread) or not place.is_private():
        return None
    # A private thread is known to its members, and to who may manage threads.
    return None if guild.get_thread(place.id) is not None else Outside.THREAD


def _granted(interaction: discord.Interaction[Any]) -> discord.Permissions:
    """Return what the referee may do by itself.

    An answer may always hold embeds and files, and Discord's `app_permissions` may say so if a message may not:
    https://github.com/discord/discord-api-docs/issues/5316
    """
    granted = interaction.app_permissions
    own = own_permissions(interaction.client.get_channel(interaction.channel_id or 0))
    return granted if own is None or granted.value == 0 else discord.Permissions(granted.value & own.value)


class Access:
    """What messages of the referee's own may hold and what it may read, in each channel."""

    def __init__(self, places: Places) -> None:
        self._places = places

    def may_embed(self, channel: str) -> bool:
        """Tell whether a message may hold an embed; without *Embed Links* text is in its place."""
        own = self._places.permissions(channel)
        return own is None or own.embed_links

    def may_attach(self, channel: str) -> bool:
        """Tell whether a message may hold a file."""
        own = self._places.permissions(channel)
        return own is None or own.attach_files

    def may_read_history(self, channel: str) -> bool | None:
        """Tell whether what was said may be read; None if nobody knows, and Discord answers as if all were empty."""
        own = self._places.permissions(channel)
        return None if own is None else own.view_channel and own.read_message_history
