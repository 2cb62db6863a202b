"""What was said in a channel since a known moment, page by page: a send that nobody confirmed is looked for there."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import aiohttp
import discord
from discord.http import Route

from bot.clock import since_id
from bot.requests.access import Access
from bot.requests.api import Api
from bot.requests.pace import LimitedError
from bot.table.room import Room
from data.rows import LogRow
from data.store import Store

PAGE = 100
MOST_PAGES = 100  # one request a second: a busy channel's week; behind that nobody looks
SERVER_ERROR = 500


class History:
    """Reads the referee's own messages in channels."""

    def __init__(self, api: Api, store: Store, access: Access) -> None:
        self.api = api
        self.store = store
        self.access = access

    async def own_after(self, channel: str, after: int, *, direct: bool = False) -> list[dict[str, Any]] | None:
        """Return the referee's messages that are not older than an id, the newest first.

        None if the history may not be read, or is too long to be: then nobody knows what was sent. Direct
        messages may always be read.
        """
        may_read = True if direct else self.access.may_read_history(channel)
        if may_read is False:
            return None
        messages: list[dict[str, Any]] = []
        at = max(after - 1, 0)
        for number in range(MOST_PAGES):
            page = await self._page(channel, {"after": at})
            if page is None:
                return None
            if not page and number == 0 and not may_read and not await self._page(channel, {}):
                return None  # if nothing may be read Discord answers as if nothing had been said
            messages += page
            if len(page) < PAGE:
                break
            at = max(int(message["id"]) for message in page)
        else:
            return None
        own = self.api.own_id
        mine = [message for message in messages if str(message.get("author", {}).get("id")) == own]
        return sorted(mine, key=lambda message: int(message["id"]), reverse=True)

    async def _page(self, channel: str, marks: dict[str, int]) -> list[dict[str, Any]] | None:
        route = Route("GET", "/channels/{channel_id}/messages", channel_id=channel)
        limit = PAGE if marks else 1
        try:
            page: list[dict[str, Any]] = await self.api.read(route, {"limit": limit, **marks})
        except discord.Forbidden:
            return None
        return page

    async def last_noted(self, room: Room) -> int:
        """Return an id that is older than whatever was sent to a channel and is not noted yet.

        The message that was noted last; if there is none, the step that its version belongs to.
        """
        noted = room.noted or room.prompt
        if noted.message is not None:
            return int(noted.message)
        row = await self.store.log_row(room.channel, max(noted.posted, 1))
        encounter = room.encounter
        began = 0 if encounter is None or not encounter.id.isdecimal() else int(encounter.id)
        return max(began, 0 if row is None else moment_of(row))

    async def last_prompt(self, room: Room) -> int:
        """Return an id that is older than whatever prompt is not noted yet: it came after the step that it shows."""
        noted = await self.last_noted(room)
        if room.remind.nudge is not None:  # it becomes a prompt, and may be older than that step
            return noted
        row = await self.store.log_row(room.channel, (room.noted or room.prompt).posted + 1)
        return noted if row is None else max(noted, moment_of(row))


def moment_of(row: LogRow) -> int:
    """Return an id as old as a log row, in Discord's counting of time."""
    return since_id(row.interaction, datetime.fromisoformat(row.at).timestamp())


def has_surely_failed(error: Exception) -> bool:
    """Tell a send that did not arrive from one that may have."""
    if isinstance(error, discord.HTTPException):
        return error.status < SERVER_ERROR
    return isinstance(error, LimitedError | aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError)


def is_among(own: Sequence[dict[str, Any]], nonce: str, content: str | None) -> bool:
    """Tell whether a message is among those that were sent: by its nonce, or by its words."""
    return any(message.get("nonce") == nonce or (content and message.get("content") == content) for message in own)
