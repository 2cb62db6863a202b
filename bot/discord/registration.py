"""The commands that Discord knows: sent once for each change of them, by one of several processes alone (scale 6)."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import logging
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
from discord.app_commands import CommandTree

from bot import VERSION
from bot.requests.api import Api
from bot.settings import Settings
from data.store import Store
from rules.errors import StoreFailure

if TYPE_CHECKING:
    from data.postgres.tenure import Tenure  # a file need not wait for psycopg to be loaded

log = logging.getLogger(__name__)
AGAIN_SECONDS = 3600.0  # what Discord refuses now it refuses for a while
SOON_SECONDS = 60.0  # somebody who did not answer may do so again
ALONE = 0x434D4453  # "CMDS": one process at a time


class Registration:
    """Sends the commands if Discord does not know them as they are."""

    def __init__(
        self,
        tree: CommandTree[Any],
        api: Api,
        settings: Settings,
        store: Store,
        tenure: Tenure | None,
    ) -> None:
        self.tree = tree
        self.api = api
        self.settings = settings
        self.store = store
        self.tenure = tenure

    async def keep(self) -> None:
        """Send the commands beside the connection: it does not wait for them, and theirs are limits of their own."""
        while (seconds := await self._try()) is not None:  # noqa: ASYNC110 - a moment in time is waited for, no event
            await asyncio.sleep(seconds)

    async def _try(self) -> float | None:
        """Send the commands, or return in how many seconds to try again; those that Discord knows go on working."""
        try:
            async with self._alone():
                await self._send()
        except (StoreFailure, discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError) as error:
            log.error("the commands could not be sent, later again: %s", error)  # noqa: TRY400 - the sentence says all
            return AGAIN_SECONDS if isinstance(error, discord.DiscordException) else SOON_SECONDS
        return None

    def _alone(self) -> AbstractAsyncContextManager[None]:
        return contextlib.nullcontext() if self.tenure is None else self.tenure.alone(ALONE)

    async def _send(self) -> None:
        tree = self.tree
        guild = None if self.settings.test_guild_id is None else discord.Object(self.settings.test_guild_id)
        await self._take_back_tests(guild)
        if guild is not None:
            tree.copy_global_to(guild=guild)
            log.warning("commands go to the test server %s alone; direct messages have none", guild.id)
        wanted = [command.to_dict(tree) for command in tree.get_commands(guild=guild)]
        written = json.dumps(wanted, sort_keys=True, default=str)
        digest = hashlib.sha256(f"{self.settings.api_url}\n{written}".encode()).hexdigest()
        key = f"commands:{self.api.application}:{'global' if guild is None else guild.id}"
        known, version = known_commands(await self.store.get_meta(key))
        if known == digest and await self._knows(guild):
            return
        if known != digest and parts_of(version) > parts_of(VERSION):
            log.warning("the commands stay those of version %s, which runs too or ran before", version)
            return
        await tree.sync(guild=guild)
        await self.store.set_meta(key, f"{digest} {VERSION}")
        log.info("%d commands sent", len(wanted))

    async def _take_back_tests(self, guild: discord.Object | None) -> None:
        """Take the commands away from a test server that is no longer set: it would show each twice."""
        key = f"test-guild:{self.api.application}"
        before, now = await self.store.get_meta(key) or "", "" if guild is None else str(guild.id)
        if before and before != now:
            with contextlib.suppress(discord.Forbidden, discord.NotFound):  # the bot has left it
                await self.api.take_back_commands(before)
            log.info("the test server %s has no commands of its own any more", before)
        await self.store.set_meta(key, now)

    async def _knows(self, guild: discord.Object | None) -> bool:
        """Ask whether the server still has commands of ours: one that was set up again has none."""
        try:
            known: list[Any] = await self.tree.fetch_commands(guild=guild)
        except discord.HTTPException:
            return True
        return bool(known)


def known_commands(kept: str | None) -> tuple[str, str]:
    """Return the digest of the commands that were sent last, and the version that sent them."""
    digest, _, version = (kept or "").partition(" ")
    return digest, version or "0"


def parts_of(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdecimal())
