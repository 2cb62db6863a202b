"""The stand-in's gateway when it has a bad day, and how often the bot came to it."""

from __future__ import annotations

import math
import time
from collections import Counter
from typing import Any

from bot.local.errors import Json
from bot.local.gateway import HEARTBEAT, HEARTBEAT_MS, STARTS, Gateway, Line, Session

SHARDING_REQUIRED = 4011


class FaultyGateway(Gateway):
    """Counts who identified and resumed, and does what it is told to do wrong."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.heartbeat_ms = HEARTBEAT_MS
        self.shards = 1  # how many are recommended
        self.at_once = 1  # connections that may begin within five seconds, each in a bucket of its own
        self.starts_left = STARTS
        self.starts_come_back_ms = 0
        self.identified = 0
        self.closest_seconds = math.inf  # between two that identified in one bucket
        self._identified_at: dict[int, float] = {}
        self.resumed = 0
        self.heard_by: Counter[int] = Counter()  # interactions, by how many processes got each
        self.acknowledges = True  # heartbeats; a gateway that goes silent does not
        self.refuses_with: int | None = None  # a close code for the one who identifies
        self.repeat_on_resume = 0  # events that the bot had already

    def dispatch(self, event: str, data: Json, guild: str | None, intents: int = 0) -> int:
        reached = super().dispatch(event, data, guild, intents)
        if event == "INTERACTION_CREATE":
            self.heard_by[reached] += 1
        return reached

    def heartbeat(self) -> int:
        return self.heartbeat_ms

    def recommended(self) -> Json:
        starts = {
            "remaining": self.starts_left,
            "reset_after": self.starts_come_back_ms,
            "max_concurrency": self.at_once,
        }
        return {"shards": self.shards, "session_start_limit": {"total": STARTS} | starts}

    async def receive(self, line: Line, payload: Json) -> None:
        if payload.get("op") != HEARTBEAT or self.acknowledges:
            await super().receive(line, payload)

    async def identify(self, line: Line, data: Json) -> None:
        refused = SHARDING_REQUIRED if data.get("shard", [0, 1])[1] < self.shards else None
        code = refused if self.refuses_with is None else self.refuses_with
        if code is None:
            await super().identify(line, data)
        else:
            await line.socket.close(code=code)

    def open_session(self, line: Line, intents: int, shard: tuple[int, int]) -> None:
        self.identified += 1
        self.starts_left -= 1
        bucket, now = shard[0] % self.at_once, time.monotonic()
        self.closest_seconds = min(self.closest_seconds, now - self._identified_at.get(bucket, -math.inf))
        self._identified_at[bucket] = now
        super().open_session(line, intents, shard)

    def replay(self, session: Session, line: Line, after: int) -> None:
        self.resumed += 1
        again, self.repeat_on_resume = self.repeat_on_resume, 0
        super().replay(session, line, after - again)
