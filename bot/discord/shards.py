"""The gateway's connections: a task for each shard that is served here, until it is given up.

discord.py's own launching starts all shards or none, keeps IDENTIFYs apart in this process alone, and cannot be told to
leave a shard (scale 6). Its websocket is used as it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import aiohttp
import discord
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from bot.discord.connection import CLEANLY, answers, beat, silent_seconds

log = logging.getLogger(__name__)
CONNECT_SECONDS = 60.0  # its turn to IDENTIFY not counted
IDENTIFY_APART_SECONDS = 5.0  # Discord takes `max_concurrency` of a bot in so many
SHORT_SECONDS = 5.0  # a connection that ends so soon is not made again at once
FOR_GOOD = (4004, 4010, 4011, 4012, 4013, 4014)  # closes that no second try mends
_PASSING = (OSError, discord.HTTPException, discord.GatewayNotFound, aiohttp.ClientError, TimeoutError)


class Opens(Protocol):
    """Opens a shard's websocket, again or with the session that it had."""

    async def __call__(self, *, shard_id: int, **session: Any) -> DiscordWebSocket: ...


@dataclass(frozen=True, slots=True)
class ShardHooks:
    """What a connection needs of the bot around it.

    `turn` waits until a shard may IDENTIFY; `lost` hears of one that broke. `pulse_seconds`: so often at least it is
    asked whether it is still there, since others wait for the shard.
    """

    open: Opens
    turn: Callable[[Shard], Awaitable[None]]
    lost: Callable[[int], None]
    pulse_seconds: float = math.inf


class Shard:
    """One shard's connection, made again whenever it breaks."""

    def __init__(self, hooks: ShardHooks, number: int) -> None:
        self.number = number
        self.socket: DiscordWebSocket | None = None
        self._hooks = hooks
        self._patience: asyncio.Timeout | None = None
        self._backoff: ExponentialBackoff[Any] = ExponentialBackoff()
        self._away_since: float | None = time.monotonic()

    @property
    def is_connected(self) -> bool:
        """Tell whether its gateway is there: the last heartbeat was answered."""
        return self.socket is not None and answers(self.socket, self._hooks.pulse_seconds)

    @property
    def away_seconds(self) -> float:
        """Return how long it has been without a connection that answers: since the last answer, once none comes."""
        if self.is_connected:
            self._away_since = None
            return 0.0
        if self._away_since is None:
            self._away_since = time.monotonic() - (0.0 if self.socket is None else silent_seconds(self.socket))
        return time.monotonic() - self._away_since

    async def run(self) -> None:
        """Stay connected until cancelled. Raises: discord.ConnectionClosed, if no second try mends it."""
        session: dict[str, Any] = {}
        try:
            while True:
                began = time.monotonic()
                try:
                    await self._connect(session)
                except ReconnectWebSocket as asked:
                    session = self._session() if asked.resume else {}
                    why = "the gateway asked for it"
                except discord.ConnectionClosed as closed:
                    if closed.code in FOR_GOOD:
                        raise
                    session, why = {}, f"closed with {closed.code}"
                except _PASSING as error:
                    why = str(error) or type(error).__name__
                self._hooks.lost(self.number)
                if time.monotonic() - began < SHORT_SECONDS:
                    pause = self._backoff.delay()
                    log.warning("shard %d: %s. Trying again in %.1f s.", self.number, why, pause)
                    await asyncio.sleep(pause)
        finally:
            await self._close()

    async def _connect(self, session: dict[str, Any]) -> None:
        async with asyncio.timeout(CONNECT_SECONDS) as self._patience:
            self.socket = await self._hooks.open(shard_id=self.number, **session)
        beating = asyncio.create_task(self._go_on_beating(self.socket))
        try:
            while True:
                await self.socket.poll_event()
        finally:
            beating.cancel()

    async def _go_on_beating(self, socket: DiscordWebSocket) -> None:
        with contextlib.suppress(OSError, discord.ConnectionClosed):  # its reader hears of it
            while self._hooks.pulse_seconds < math.inf:
                await asyncio.sleep(self._hooks.pulse_seconds)
                await beat(socket)

    async def wait_for_turn(self) -> None:
        """Wait until this shard may IDENTIFY. Raises: OSError if it is too early."""
        loop, patience = asyncio.get_running_loop(), self._patience
        if patience is not None:
            patience.reschedule(None)
        await self._hooks.turn(self)
        if patience is not None:
            patience.reschedule(loop.time() + CONNECT_SECONDS)

    def _session(self) -> dict[str, Any]:
        socket = self.socket
        if socket is None or socket.session_id is None:
            return {}
        return {
            "resume": True,
            "session": socket.session_id,
            "sequence": socket.sequence,
            "gateway": socket.gateway,
        }

    async def _close(self) -> None:
        if self.socket is not None:
            await self.socket.close(code=CLEANLY)


class Turns:
    """IDENTIFYs of one process, apart from one another as Discord wants them."""

    def __init__(self) -> None:
        self._lines: dict[int, asyncio.Lock] = {}
        self._free_at: dict[int, float] = {}

    async def take(self, bucket: int) -> None:
        """Wait for the next turn of a bucket."""
        async with self._lines.setdefault(bucket, asyncio.Lock()):
            await asyncio.sleep(self._free_at.get(bucket, 0.0) - time.monotonic())
            self._free_at[bucket] = time.monotonic() + IDENTIFY_APART_SECONDS


class Shards:
    """Those that are connected here."""

    def __init__(self, hooks: ShardHooks) -> None:
        self._hooks = hooks
        self._shards: dict[int, Shard] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._has_broken = asyncio.Event()
        self._error: BaseException | None = None

    def __len__(self) -> int:
        return len(self._shards)

    def __iter__(self) -> Iterator[Shard]:
        return iter(self._shards.values())

    def get(self, number: int) -> Shard | None:
        return self._shards.get(number)

    def connect(self, number: int) -> None:
        """Keep a shard connected from now on."""
        shard = self._shards[number] = Shard(self._hooks, number)
        task = self._tasks[number] = asyncio.create_task(shard.run(), name=f"shard {number}")
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and self._error is None:
            self._error = task.exception()
            self._has_broken.set()

    def cut(self, number: int) -> asyncio.Task[None] | None:
        """Take nothing more from a shard; return what ends its connection."""
        self._shards.pop(number, None)
        task = self._tasks.pop(number, None)
        if task is not None:
            task.cancel()
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)
        return task

    async def disconnect(self, number: int) -> None:
        """Connect a shard no more."""
        task = self.cut(number)
        if task is not None:
            await asyncio.wait((task,))

    async def until_one_breaks(self) -> None:
        """Wait for a close that nothing mends. Raises: discord.ConnectionClosed, or what a shard ended with."""
        await self._has_broken.wait()
        if self._error is not None:
            raise self._error

    async def close(self) -> None:
        """End all connections."""
        for number in tuple(self._tasks):
            self.cut(number)
        if self._ending:
            await asyncio.wait(self._ending)
