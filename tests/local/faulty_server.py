"""The stand-in's HTTP side when it has a bad day: what tests let go wrong, limits, and what came and went."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from bot.local.call import Call, Exchange, Route
from bot.local.errors import ApiError, Json
from bot.local.server import LocalDiscord
from bot.local.world import World
from tests.limits.requests import refuse_beyond_limits
from tests.local.faulty_gateway import FaultyGateway
from tests.local.rates import Rates


@dataclass
class Sabotage:
    """What happens to the next requests that match, instead of an answer or after it."""

    pattern: re.Pattern[str]
    left: int = 1
    status: int | None = None
    code: int = 0
    message: str = "The server had a bad moment"
    hang: bool = False
    cut: bool = False
    after: bool = False
    halved: bool = False
    empty: bool = False
    delay_seconds: float = 0.0
    until: asyncio.Event | None = None
    more: Json | None = None
    text: str | None = None
    headers: dict[str, str | None] = field(default_factory=dict)
    met: list[str] = field(default_factory=list)


class FasterWorld(World):
    """A world whose clock a test puts forward."""

    skew_seconds = 0.0

    def now(self) -> float:
        return super().now() + self.skew_seconds


class FaultyServer(LocalDiscord):
    """Keeps its last exchanges (None: all), counts what is under way, and does what it is told to do wrong."""

    world: FasterWorld
    gateway: FaultyGateway

    def __init__(self, keep_exchanges: int | None) -> None:
        super().__init__()
        self.exchanges: deque[Exchange] = deque(maxlen=keep_exchanges)
        self.observers.append(self.exchanges.append)
        self.sabotages: list[Sabotage] = []
        self.rates: Rates | None = None
        self.in_flight = 0
        self.traffic = 0

    def new_world(self) -> FasterWorld:
        return FasterWorld()

    def new_gateway(self) -> FaultyGateway:
        return FaultyGateway(self.world, self.token, self.faults)

    def advance(self, seconds: float) -> None:
        """Let time pass here: interaction tokens age, new ids are later."""
        self.world.skew_seconds += seconds

    def sabotage(self, route: str, *, times: int = 1, **mishap: Any) -> Sabotage:
        """Spoil the next requests whose `METHOD /path` matches a regular expression.

        With `after`, the request is carried out and only its reply is lost; `halved` breaks off in the middle of
        the reply, `empty` leaves it out (204). `more`, `text` and `headers` change what the error says (a header of
        None is left out). `until` keeps it waiting at that point.
        """
        entry = Sabotage(re.compile(route), times, **mishap)
        self.sabotages.append(entry)
        return entry

    async def respond(self, route: Route, request: web.Request) -> web.StreamResponse:
        self.in_flight += 1
        self.traffic += 1
        try:
            response = await super().respond(route, request)
            response.headers.update(request.get("left", {}))
            return await _cut_short(request, response) if "halved" in request else response
        finally:
            self.in_flight -= 1
            self.traffic += 1

    async def unknown(self, request: web.Request) -> web.Response:
        self.traffic += 1
        return await super().unknown(request)

    async def carry_out(self, route: Route, call: Call, request: web.Request) -> Any:
        if self.rates is not None:
            request["left"] = self.rates.take(call)
        refuse_beyond_limits(call, self.world, self.interactions)
        mishap = self._mishap(call)
        if mishap is None:
            return await super().carry_out(route, call, request)
        if not mishap.after:
            await _befall(mishap, request)
        reply = await super().carry_out(route, call, request)
        if mishap.after:
            await _befall(mishap, request)
        if mishap.halved:
            request["halved"] = True
        return None if mishap.empty else reply

    def _mishap(self, call: Call) -> Sabotage | None:
        for entry in self.sabotages:
            if entry.left > 0 and entry.pattern.search(f"{call.method} {call.path}"):
                entry.left -= 1
                entry.met.append(call.path)
                return entry
        return None


async def _befall(mishap: Sabotage, request: web.Request) -> None:
    if mishap.delay_seconds:
        await asyncio.sleep(mishap.delay_seconds)
    if mishap.until is not None:
        await mishap.until.wait()
    if mishap.hang:
        while request.transport is not None and not request.transport.is_closing():  # noqa: ASYNC110 - aiohttp tells nobody
            await asyncio.sleep(0.05)
        raise asyncio.CancelledError
    if mishap.cut:
        if request.transport is not None:
            request.transport.abort()
        raise asyncio.CancelledError
    if mishap.status is not None:
        more: Json = {"retry_after": 0.3, "global": False} if mishap.status == 429 else {}
        error = ApiError(
            mishap.status, mishap.code, mishap.message, None, **(more if mishap.more is None else mishap.more)
        )
        error.text, error.headers = mishap.text, mishap.headers
        raise error


async def _cut_short(request: web.Request, whole: web.StreamResponse) -> web.StreamResponse:
    """Break the connection in the middle of a reply."""
    assert isinstance(whole, web.Response)
    assert isinstance(whole.body, bytes)
    body = whole.body
    answer = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": str(len(body) + 1)})
    await answer.prepare(request)
    await answer.write(body[: len(body) // 2])
    if request.transport is not None:
        request.transport.abort()
    raise asyncio.CancelledError
