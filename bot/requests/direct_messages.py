"""Direct messages: each person's channel is opened once and kept, beside everything else.

Discord limits how fast they are opened (40003, a pause of its own). Nobody waits for that but the one who opens: who
cannot be reached soon is reached another way, and the channel is known the next time.
"""

from __future__ import annotations

import asyncio
import logging

import aiohttp
import discord
from discord.http import Route

from bot.render.payload import Payload
from bot.requests.api import Api

log = logging.getLogger(__name__)
SOON_SECONDS = 2.0
MOST_KEPT = 10_000


class DirectMessages:
    """Opens direct messages one after the other."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self._opened: dict[str, str] = {}  # by user
        self._opening: dict[str, asyncio.Task[str | None]] = {}
        self._line = asyncio.Lock()

    async def channel_of(self, user: str) -> str | None:
        """Return the channel of somebody's direct messages; None if it cannot be opened now.

        Raises: discord.Forbidden if they take none.
        """
        known = self._opened.get(user)
        if known is not None:
            return known
        task = self._opening.get(user)
        if task is None:
            task = self._opening[user] = asyncio.create_task(self._open(user), name=f"direct messages of {user}")
        done, _ = await asyncio.wait({task}, timeout=SOON_SECONDS)
        return task.result() if done else None

    async def _open(self, user: str) -> str | None:
        try:
            async with self._line:
                channel = await self.api.open_direct(user)
        except discord.Forbidden:
            raise
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.warning("direct messages of %s cannot be opened now: %s", user, getattr(error, "code", error))
            return None
        finally:
            self._opening.pop(user, None)
        if len(self._opened) >= MOST_KEPT:
            self._opened.clear()
        self._opened[user] = channel
        return channel

    async def send(self, user: str, payload: Payload, *, nonce: str | None = None) -> bool:
        """Send somebody a message; False if they take none."""
        try:
            channel = await self.channel_of(user)
            if channel is None:
                return False
            route = Route("POST", "/channels/{channel_id}/messages", channel_id=channel)
            once = {} if nonce is None else {"nonce": nonce, "enforce_nonce": True}
            await self.api.request(route, payload.to_json() | once)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("%s takes no direct message: %s", user, getattr(error, "code", type(error).__name__))
            return False
        return True

    def forget(self, user: str) -> None:
        """Open a channel again the next time: it took nothing."""
        self._opened.pop(user, None)
