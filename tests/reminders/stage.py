"""What days of waiting are played on: a virtual clock, Discord as a list of messages, one life of the process."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import discord
from discord.http import Route

from bot.clock import snowflake_at
from bot.render.payload import Attachment
from bot.table.room import Room
from data.store import Store
from tests.wire import APPLICATION, Wire

START = datetime(2026, 3, 23, 6, tzinfo=UTC).timestamp()  # Europe puts its clocks forward six days later


@dataclass
class Clock:
    now: float = START

    def __call__(self) -> float:
        return self.now


@dataclass
class Discord:
    """What was posted: it outlives the program."""

    clock: Clock
    messages: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    closed: set[str] = field(default_factory=set)
    sent: list[tuple[str, dict[str, Any]]] = field(default_factory=list)  # each channel's messages as they came
    sent_at: list[float] = field(default_factory=list)
    pings: list[tuple[float, str, str]] = field(default_factory=list)  # when, who, the message
    nonces: Counter[str] = field(default_factory=Counter)
    last: int = 0
    die_before: int | None = None  # the program is killed before its n-th request from now
    die_after: int | None = None  # or after it, before it hears of it

    def new_id(self) -> str:
        """Return an id for a message or for what somebody does: they ascend together, and with the clock."""
        self.last = max(self.last + 1, snowflake_at(self.clock.now))
        return str(self.last)

    async def request(self, route: Route, data: dict[str, Any] | None) -> Any:
        self.die_before = _tick(self.die_before)
        result = self._answer(route, data)
        try:
            self.die_after = _tick(self.die_after)
        except Killed:
            self.die_before = 0  # nothing more leaves a process that is dead, whatever of it still runs here
            raise
        return result

    def _answer(self, route: Route, data: dict[str, Any] | None) -> Any:
        if route.method == "POST" and route.path == "/users/@me/channels":
            assert data is not None
            return {"id": f"7{data['recipient_id']}"}
        channel = str(route.channel_id)
        greeting = {"id": "1", "author": {"id": "2"}, "content": "Shall we begin?"}  # no channel is empty
        kept = self.messages.setdefault(channel, [] if channel.startswith("7") else [greeting])
        if route.method == "GET":
            return list(reversed(kept[-50:]))
        if route.method == "POST":
            assert data is not None
            return self._posted(channel, kept, data)
        for message in kept[-60:]:
            if message["id"] in route.url:
                message.update(data or {})
        return {}

    def _posted(self, channel: str, kept: list[dict[str, Any]], data: dict[str, Any]) -> dict[str, Any]:
        direct = channel.startswith("7")
        if direct and channel[1:] in self.closed:
            raise _refused(50007)
        message = {**data, "id": self.new_id(), "author": {"id": APPLICATION}}
        nonce = str(data.get("nonce") or "")
        self.nonces[f"{channel}:{nonce}"] += bool(nonce)
        kept.append(message)
        self.sent.append((channel, dict(message)))  # a live message becomes its record later
        self.sent_at.append(self.clock.now)
        self.pings += [(self.clock.now, user, str(data["content"])) for user in pinged_by(channel, data)]
        return message


def pinged_by(channel: str, message: dict[str, Any]) -> tuple[str, ...]:
    """Return those a message makes a sound for."""
    if int(message.get("flags", 0)) & 1 << 12:
        return ()
    return (channel[1:],) if channel.startswith("7") else tuple(message["allowed_mentions"].get("users", ()))


class Killed(BaseException):
    """The process ends here."""


def _tick(count: int | None) -> int | None:
    if count == 0:
        raise Killed
    return None if count is None else count - 1


def _refused(code: int) -> discord.Forbidden:
    response: Any = SimpleNamespace(status=403, reason="Forbidden")
    return discord.Forbidden(response, {"code": code, "message": "no"})


class Program(Wire):
    """One life of the referee's process: the bot without a connection, at a Discord that outlives it."""

    def __init__(self, store: Store, clock: Clock, discord_: Discord) -> None:
        super().__init__(store, bytes(32), clock)
        self.discord = discord_
        self.api.read = self.look_up  # type: ignore[method-assign] # what is read comes from there
        self.line = asyncio.Lock()
        """Let one channel send at a time, and none during a step: then a run is the same twice."""
        self.is_dead = False
        self._send = self.publisher._publish
        self.publisher._publish = self._in_line  # type: ignore[method-assign] # each has its turn

    async def request(self, route: Route, data: dict[str, Any] | None, files: Sequence[Attachment] = ()) -> Any:
        return await self.discord.request(route, data)

    async def look_up(self, route: Route, params: dict[str, int] | None = None, **_given: Any) -> Any:
        found = await self.discord.request(route, None)
        after = (params or {}).get("after")
        return found if after is None else [each for each in found if int(each["id"]) > after]

    async def _in_line(self, room: Room, *, looking: bool) -> None:
        async with self.line:
            if self.is_dead:
                return
            try:
                await self._send(room, looking=looking)
            except Killed:
                self.is_dead = True
                raise

    async def settle(self) -> None:
        """Wait until everything that is owed is out and noted. Raises: Killed if the process died on the way."""
        while tasks := [task for task in self._sending() if not task.done()]:
            await asyncio.gather(*tasks)
        for task in self._sending():
            if not task.cancelled() and (error := task.exception()) is not None:
                raise error
        await self.store._note_prompts()

    async def stop(self) -> None:
        """End at once: what is on its way is lost."""
        for task in self._sending():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def _sending(self) -> list[asyncio.Task[None]]:
        rooms = self.tables.rooms()
        return [task for room in rooms for task in (room.publishing, room.striking) if task is not None]
