"""Requests to Discord: its limits are kept before it has to say no, and a reply that never comes is given up.

discord.py keeps each route's bucket and waits if Discord tells it how long. Here is what it leaves open: the
limit over all routes, an answer of 429 that names no time, and a host that answers wrongly again and again.
"""

from __future__ import annotations

import asyncio
import copy
import logging
import math
from collections import Counter, deque
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
from discord.http import HTTPClient, Route

log = logging.getLogger(__name__)

# Discord allows 50 a second in all, answers to interactions apart.
MOST_A_SECOND = 45
# 10,000 of these in ten minutes ban the address; far below that, requests go out one a second.
INVALID = (401, 403, 429)
INVALID_WINDOW_SECONDS = 600.0
MOST_INVALID = 1000
SLOW_SECONDS = 1.0
LOOK_AGAIN_SECONDS = 0.02
# The total runs, and may be spent, while a request waits for its turn below; the reply has a limit of its own.
PATIENCE = aiohttp.ClientTimeout(total=120, sock_connect=10, sock_read=15)
WAITS_SECONDS = (1.0, 3.0)
LONGEST_HOLD_SECONDS = 3600.0
LONGEST_PAUSE_SECONDS = 30.0  # that a request waits if it is asked to (discord.py takes no less)
FREE = ("/interactions/", "/webhooks/")  # bound by their own token's bucket alone
FOLLOW_UPS = "/webhooks/"
FIRST_REFUSAL, SERVER_ERRORS = 400, 500


class Pace:
    """Lets requests start so that Discord's limit over all routes is not reached, however late they arrive there.

    A request arrives between its start and its end. What is under way, and what ended within the last second, is
    therefore all that can arrive in the same second as the next one.
    """

    def __init__(self, clock: Callable[[], float], *, most_a_second: int = MOST_A_SECOND) -> None:
        self._clock = clock
        self._most_a_second = self._share_a_second = most_a_second
        self._line = asyncio.Lock()
        self._under_way = 0
        self._ended: deque[float] = deque()
        self._last_start = 0.0
        self._invalid: deque[float] = deque(maxlen=MOST_INVALID)
        self._share_invalid = MOST_INVALID
        self._was_slow = False
        self._paused_until = 0.0

    def share(self, part: float) -> None:
        """Take a part of the limits from now on: other processes have the rest."""
        self._share_a_second = max(1, math.floor(self._most_a_second * part))
        self._share_invalid = max(1, math.floor(MOST_INVALID * part))

    async def turn(self) -> None:
        """Wait until one more request may start; `ended` must follow."""
        async with self._line:  # first come, first served
            while (pause := self._pause()) > 0:  # noqa: ASYNC110 - a moment in time is waited for, no event
                await asyncio.sleep(pause)
            self._under_way += 1
            self._last_start = self._clock()

    def ended(self) -> None:
        """Note that a request was answered or given up."""
        self._under_way -= 1
        self._ended.append(self._clock())

    def _pause(self) -> float:
        now = self._clock()
        while self._ended and self._ended[0] <= now - 1.0:
            self._ended.popleft()
        pause = self._paused_until - now
        if self._under_way + len(self._ended) >= self._share_a_second:
            pause = max(pause, self._ended[0] + 1.0 - now if self._ended else LOOK_AGAIN_SECONDS)
        if self.is_slow:
            pause = max(pause, self._last_start + SLOW_SECONDS - now)
        return pause

    @property
    def is_slow(self) -> bool:
        """Tell whether so many requests were refused of late that only one a second goes out."""
        most = self._share_invalid
        return len(self._invalid) >= most and self._invalid[-most] > self._clock() - INVALID_WINDOW_SECONDS

    def refused(self) -> None:
        """Count a request that Discord counts as invalid."""
        self._invalid.append(self._clock())
        was_slow, self._was_slow = self._was_slow, self.is_slow
        if self._was_slow and not was_slow and self._share_a_second > 1:  # else one a second is all it has anyway
            log.error("the server refused %d requests of late; only one a second goes out now", self._share_invalid)

    def hold(self, seconds: float) -> None:
        """Start nothing for so long: the server asked for it."""
        self._paused_until = max(self._paused_until, self._clock() + min(seconds, LONGEST_HOLD_SECONDS))


class Spacing:
    """Keeps apart what many want at the same moment, so that answers find their way in between."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._free_at = -math.inf

    def next_from(self, moment: float) -> float:
        """Take the first free moment that is not before this one."""
        taken = max(moment, self._free_at)
        self._free_at = taken + self._seconds
        return taken


class UnconfirmedError(OSError):
    """A request that may have been carried out and would be doubled by a second one."""


class LimitedError(OSError):
    """Discord asks for a longer pause than anybody waits for: nothing was done."""


class Requests:
    """What every request passes. `trace` goes into the client, so that discord.py's own requests are paced too."""

    def __init__(self, pace: Pace) -> None:
        self.refused: Counter[int] = Counter()  # by HTTP status
        self.pace = pace
        self.trace = aiohttp.TraceConfig()
        self.trace.on_request_start.append(self._starts)
        self.trace.on_request_end.append(self._ended)
        self.trace.on_request_exception.append(self._failed)

    async def _starts(
        self, _session: aiohttp.ClientSession, context: SimpleNamespace, asked: aiohttp.TraceRequestStartParams
    ) -> None:
        context.is_paced = False
        context.sent = sent = context.trace_request_ctx
        if sent is not None and sent.may_be_there:
            raise UnconfirmedError("the request before was not confirmed")
        if asked.url.path.startswith("/api/") and not any(free in asked.url.path for free in FREE):
            await self.pace.turn()
            context.is_paced = True

    async def _failed(
        self, _session: aiohttp.ClientSession, context: SimpleNamespace, _: aiohttp.TraceRequestExceptionParams
    ) -> None:
        if context.is_paced:
            self.pace.ended()

    async def _ended(
        self, _session: aiohttp.ClientSession, context: SimpleNamespace, ended: aiohttp.TraceRequestEndParams
    ) -> None:
        if context.is_paced:
            self.pace.ended()
            context.is_paced = False
        response = ended.response
        if response.status >= FIRST_REFUSAL:
            self.refused[response.status] += 1
        if response.status in INVALID and response.headers.get("X-RateLimit-Scope") != "shared":
            # A limit that others have used up is not counted: https://docs.discord.com/developers/topics/rate-limits
            self.pace.refused()
        if response.status >= SERVER_ERRORS and context.sent is not None:
            context.sent.may_be_there = True
        everywhere = "X-RateLimit-Global" in response.headers or "Via" not in response.headers
        if response.status == 429 and everywhere:  # without Via it comes from before Discord, and bans the address
            self.pace.hold(_seconds(response.headers.get("Retry-After"), 5.0))

    async def request(self, http: HTTPClient, route: Route, **body: Any) -> Any:
        """Send one request. Raises: discord.HTTPException, OSError (TimeoutError too), aiohttp.ClientError."""
        if route.path.startswith(FREE):
            http = _beside(http)
        if route.method == "POST" and route.path.startswith(FOLLOW_UPS):  # it has no nonce that keeps it single
            body["trace_request_ctx"] = SimpleNamespace(may_be_there=False)
        try:
            for wait in (*WAITS_SECONDS, None):
                try:
                    return await http.request(route, timeout=PATIENCE, **body)
                except discord.RateLimited as error:
                    raise LimitedError(f"limited for {error.retry_after:.0f} s") from error
                except (KeyError, discord.HTTPException) as error:
                    if not _is_unexplained_limit(error):
                        raise
                    log.warning("%s %s: limited, and not said by Discord itself", route.method, route.path)
                    if wait is None:
                        raise OSError("limited again and again") from error
                    pause = max(wait, _asked_for(error))
                except RuntimeError as error:  # how aiohttp says that the program has disconnected
                    raise OSError(str(error)) from error
                await asyncio.sleep(pause)
        finally:
            _let_go(http, route)
        raise AssertionError("unreachable")


def _beside(http: HTTPClient) -> HTTPClient:
    """Return the same client without its wait for the limit over all routes, which binds no token's routes."""
    free = copy.copy(http)  # buckets, session and all that it learns of routes stay shared
    free._global_over = asyncio.Event()  # noqa: SLF001 - discord.py has no other way past it for a bot's own request
    free._global_over.set()  # noqa: SLF001 - a copy without its own would share the wait
    return free


def _is_unexplained_limit(error: Exception) -> bool:
    """Tell a 429 that discord.py does not wait for: it names no time, or comes without Discord's `Via`."""
    if isinstance(error, KeyError):
        return error.args == ("retry_after",)
    return isinstance(error, discord.HTTPException) and error.status == 429


def _asked_for(error: Exception) -> float:
    """Return how long such an answer asks to wait, as far as a header says it and anybody waits for it."""
    headers = getattr(getattr(error, "response", None), "headers", {})
    return min(_seconds(headers.get("Retry-After"), 0.0), LONGEST_PAUSE_SECONDS)


def _let_go(http: HTTPClient, route: Route) -> None:
    """Drop the bucket of an interaction's token: it is not used again, and discord.py looks through all it keeps."""
    if not route.webhook_token:
        return
    for kind in (http._bucket_hashes.get(route.key), route.key):  # noqa: SLF001 - no other way to learn its name
        bucket = http._buckets.get(f"{kind}:{route.major_parameters}")  # noqa: SLF001 - discord.py hands out none that it has
        if bucket is not None and bucket.outgoing == 0:
            del http._buckets[f"{kind}:{route.major_parameters}"]  # noqa: SLF001 - it never drops one itself


def _seconds(text: str | None, otherwise: float) -> float:
    try:
        return max(0.0, float(text or ""))
    except ValueError:
        return otherwise
