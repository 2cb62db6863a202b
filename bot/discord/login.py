"""Log in though the network may be missing: after a reboot, or while the server is down."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import TypeVar

import aiohttp
import discord

log = logging.getLogger(__name__)
PAUSES_SECONDS = (2, 5, 10, 20, 40, 60, 120, 300)  # the last one again and again
# An address without a database stays wrong, no matter how often it is asked.
_WRONG_ADDRESS = (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED)
T = TypeVar("T")


async def persist(attempt: Callable[[], Awaitable[T]], address: str, closing: asyncio.Event) -> T | None:
    """Try until the server answers; return None if the program is to stop before.

    Raises: discord.LoginFailure for a token, discord.HTTPException for an address that a person must change.
    """
    tries = 0
    while not closing.is_set():
        try:
            return await attempt()
        except discord.LoginFailure:
            raise
        except (discord.HTTPException, discord.GatewayNotFound, aiohttp.ClientError, OSError) as error:
            if isinstance(error, discord.HTTPException) and error.status in _WRONG_ADDRESS:
                raise
            pause = PAUSES_SECONDS[min(tries, len(PAUSES_SECONDS) - 1)]
            if not closing.is_set():
                log.warning("%s %s. Trying again in %d s.", address, _what_happened(error), pause)
        except RuntimeError:
            if not closing.is_set():  # a session that is closed while it asks ends so
                raise
            return None
        tries += 1
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(pause):
                await closing.wait()
    return None


def _what_happened(error: Exception) -> str:
    if isinstance(error, discord.HTTPException):
        return f"answered {error.status}"
    return f"does not answer ({type(error).__name__})"
