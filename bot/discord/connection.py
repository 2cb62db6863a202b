"""The gateway: how many shards, how many more times one may connect, whether it still answers, why it closed."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

import discord
from discord.gateway import DiscordWebSocket, KeepAliveHandler

if TYPE_CHECKING:
    from discord.types.gateway import SessionStartLimit  # it cannot be imported by itself at run time

ANSWER_SECONDS = 15.0  # a heartbeat is answered at once; so much later nobody is there
MINIMUM_RESERVE = 10  # connections are never all spent: a person may want to start it by hand
CLEANLY = 1000  # the close that ends a session
SPARE = 0.5  # while so many of the day's connections are left, nobody waits
# https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes
_CLOSES = {
    4004: "DISCORD_TOKEN: the server no longer accepts this token. Copy a new one from the Developer Portal, page "
    "*Bot*.",
    4010: "The gateway does not know this shard: programs that ask for different numbers of shards are running at "
    "once. Stop all of them and start one.",
    4011: "This bot is in more servers than its shards may serve. Stop it, with all its processes if there are "
    "several, and start it again: it then asks for the right number.",
    4012: "The gateway no longer supports the version of Discord's API that this program uses. Install a newer "
    "release.",
    4013: "The gateway does not know an intent that this program asks for. Install a newer release.",
    4014: "The gateway refuses an intent that this program asks for. It needs no privileged ones: install the "
    "release unchanged.",
}


class Socket(DiscordWebSocket):
    """A shard's connection, closed if it is given up before it is complete: discord.py would let it beat on."""

    async def identify(self) -> None:
        """Say who connects, once that is allowed. Raises: what stops it, and the connection is closed then."""
        try:
            await super().identify()
        except BaseException:
            await self.close(code=CLEANLY)
            raise


def words_of_close(error: discord.ConnectionClosed | discord.PrivilegedIntentsRequired, address: str) -> str:
    """Say why the gateway closed for good, and what a person can do."""
    code = 4014 if isinstance(error, discord.PrivilegedIntentsRequired) else error.code
    return _CLOSES.get(code, f"DISCORD_API_URL: {address} refused the connection ({code}).")


def pause_before_start(limit: SessionStartLimit, shards: int = 1) -> float:
    """Return the seconds to wait before one more connection, so that a loop of restarts never spends them all.

    Discord takes a bot's token away that connects a thousand times a day. While half of them are left nobody waits;
    below that what is left is spread over the time until they come back.
    """
    if limit["remaining"] >= limit["total"] * SPARE + shards:
        return 0.0
    reset_after_seconds = limit["reset_after"] / 1000
    spendable = limit["remaining"] - MINIMUM_RESERVE
    return reset_after_seconds if spendable < shards else reset_after_seconds * shards / spendable


def answers(socket: DiscordWebSocket, pulse_seconds: float = math.inf) -> bool:
    """Tell whether a shard's connection is open and its last heartbeat was answered.

    `pulse_seconds`: if it is asked more often than the gateway wants, and an answer is waited for no longer.
    """
    keep_alive = _heart(socket)
    if not socket.open or keep_alive is None:
        return False
    interval = min(keep_alive.interval or 0.0, pulse_seconds)
    return silent_seconds(socket) < interval + min(ANSWER_SECONDS, pulse_seconds)


def silent_seconds(socket: DiscordWebSocket) -> float:
    """Return how long ago a heartbeat was answered, or the connection was made; 0 if it was closed aloud."""
    keep_alive = _heart(socket)
    if keep_alive is None or not socket.open:
        return 0.0
    return time.perf_counter() - keep_alive._last_ack  # noqa: SLF001 - discord.py tells an answer's delay, not its time


def _heart(socket: DiscordWebSocket) -> KeepAliveHandler | None:
    return socket._keep_alive  # noqa: SLF001 - discord.py beats when the gateway wants, and says not that no answer came


async def beat(socket: DiscordWebSocket) -> None:
    """Ask now whether the gateway is there. Raises: OSError, discord.ConnectionClosed."""
    keep_alive = _heart(socket)
    if keep_alive is not None:
        await socket.send_heartbeat(keep_alive.beat())
