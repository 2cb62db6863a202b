"""The referee's own messages in channels: sent once each, and stripped of their buttons when they are past."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import discord
from discord.http import Route

from bot.discord.api import Api
from bot.discord.blocked_channels import BlockedChannels
from bot.render.payload import Attachment, Payload

log = logging.getLogger(__name__)


class Messages:
    """Sends, and notes that a channel takes messages. Each raises what a request may."""

    def __init__(self, api: Api, blocked_channels: BlockedChannels) -> None:
        self.api = api
        self.blocked_channels = blocked_channels

    async def send(self, channel: str, payload: Payload, *, nonce: str | None) -> str:
        """Send a message and return its id."""
        return await self.send_json(channel, payload.to_json(), payload.files, nonce)

    async def send_json(
        self, channel: str, data: dict[str, Any], files: Sequence[Attachment], nonce: str | None
    ) -> str:
        if nonce is not None:
            data = {**data, "nonce": nonce[-25:], "enforce_nonce": True}
        route = Route("POST", "/channels/{channel_id}/messages", channel_id=channel)
        sent = await self.api.request(route, data, files)
        await self.blocked_channels.arrived(channel)
        return str(sent["id"])

    async def edit(self, channel: str, message: str, data: dict[str, Any]) -> None:
        where = {"channel_id": channel, "message_id": message}
        await self.api.request(Route("PATCH", "/channels/{channel_id}/messages/{message_id}", **where), data)

    async def strip(self, channel: str, message: str) -> None:
        """Take the buttons off an old prompt; where that fails it is deleted, else its buttons answer as stale."""
        try:
            await self.edit(channel, message, {"components": []})
        except discord.NotFound:
            return
        except discord.HTTPException:
            where = {"channel_id": channel, "message_id": message}
            try:
                await self.api.request(Route("DELETE", "/channels/{channel_id}/messages/{message_id}", **where), None)
            except discord.HTTPException as error:
                log.info("the old prompt in %s keeps its buttons: %s", channel, error.code)
