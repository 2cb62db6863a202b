"""The referee's own messages in channels: sent once each, and stripped of their buttons when they are past."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from typing import Any

import discord
from discord.http import Route

from bot.nonces import nonce_of
from bot.render.payload import Attachment, Payload, as_text, text_of
from bot.requests.access import Access
from bot.requests.api import Api, sent_id
from bot.requests.blocked_channels import ARCHIVED, MISSING_PERMISSIONS, BlockedChannels
from bot.requests.pace import LimitedError
from bot.table.room import Room

log = logging.getLogger(__name__)


class Messages:
    """Sends, and notes that a channel takes messages. Each raises what a request may."""

    def __init__(self, api: Api, blocked_channels: BlockedChannels, access: Access) -> None:
        self.api = api
        self.blocked_channels = blocked_channels
        self.access = access

    async def send(self, channel: str, payload: Payload, *, nonce: str | None) -> str:
        """Send a message and return its id; if embeds may not be, with the same as text."""
        if payload.embeds and not self.access.may_embed(channel):
            payload = as_text(payload)
        return await self.send_json(channel, payload.to_json(), payload.files, nonce)

    async def send_json(
        self, channel: str, data: dict[str, Any], files: Sequence[Attachment], nonce: str | None
    ) -> str:
        if nonce is not None:
            data = {**data, "nonce": nonce, "enforce_nonce": True}
        route = Route("POST", "/channels/{channel_id}/messages", channel_id=channel)
        try:
            sent = await self.api.request(route, data, files)
        except discord.Forbidden as error:
            if error.code == MISSING_PERMISSIONS and files:  # it may be the picture alone that is refused
                again = None if nonce is None else nonce_of(channel, nonce, "words")
                return await self.send_json(channel, {**data, "attachments": []}, [], again)
            if error.code != MISSING_PERMISSIONS or data.get("content"):
                raise
            # It may be the embed alone that is refused.
            return await self.send_json(
                channel, text_of(data), files, None if nonce is None else nonce_of(channel, nonce, "text")
            )
        await self.blocked_channels.arrived(channel)
        return sent_id(sent)

    async def edit(self, channel: str, message: str, data: dict[str, Any], files: Sequence[Attachment] = ()) -> None:
        route = Route("PATCH", "/channels/{channel_id}/messages/{message_id}", channel_id=channel, message_id=message)
        try:
            await self.api.request(route, data, files)
        except discord.HTTPException as error:
            if error.code != ARCHIVED:
                raise
            # If you may write in a thread, you may open it again, unless it is also locked.
            await self.api.request(Route("PATCH", "/channels/{channel_id}", channel_id=channel), {"archived": False})
            await self.api.request(route, data, files)

    async def edit_live(self, room: Room, message: str, payload: Payload) -> None:
        """Edit the live message, by a token of it that still holds: it counts as no request then."""
        if not await self._edit_freely(room, message, payload):
            await self.edit(room.channel, message, edited(payload), payload.files)

    async def _edit_freely(self, room: Room, message: str, payload: Payload) -> bool:
        """Edit the live message by its token; False if there is none that is taken."""
        edit_token = room.edit_token
        if edit_token is None or message != room.prompt.message or time.time() >= edit_token.ends:
            return False
        route = Route(
            "PATCH",
            "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}",
            webhook_id=edit_token.application,
            webhook_token=edit_token.token,
            message_id=edit_token.message,
        )
        try:
            await self.api.request(route, edited(payload), payload.files)
        except (discord.HTTPException, LimitedError) as error:
            code = getattr(error, "code", error)
            log.info("the token of a message in %s is not taken any more: %s", room.channel, code)
            room.edit_token = None
            return False
        return True

    async def close(self, room: Room, message: str, record: Payload) -> bool:
        """Make an old live message its record; if that fails it is deleted, else its buttons answer as stale.

        False if somebody has deleted it.
        """
        try:
            await self.edit_live(room, message, record)
        except discord.NotFound:
            return False
        except (discord.HTTPException, LimitedError):
            await self._delete(room.channel, message)
        return True

    async def strip(self, channel: str, message: str) -> None:
        """Take the buttons off a message that is no live one; if that fails it is deleted."""
        try:
            await self.edit(channel, message, {"components": []})
        except discord.NotFound:
            return
        except (discord.HTTPException, LimitedError):
            await self._delete(channel, message)

    async def _delete(self, channel: str, message: str) -> None:
        where = {"channel_id": channel, "message_id": message}
        try:
            await self.api.request(Route("DELETE", "/channels/{channel_id}/messages/{message_id}", **where), None)
        except (discord.HTTPException, LimitedError) as error:
            log.info("an old prompt in %s keeps its buttons: %s", channel, getattr(error, "code", error))


def edited(payload: Payload) -> dict[str, Any]:
    """Return Discord's JSON of an edit, which wakes nobody."""
    data = payload.to_json()
    data["allowed_mentions"] = {"parse": []}
    data.pop("flags", None)
    if payload.keeps_files:
        del data["attachments"]
    return data
