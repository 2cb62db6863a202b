"""The stand-in's gateway when it has a bad day, and how often the bot came to it."""

from __future__ import annotations

import math
import time
from collections import Counter
from typing import Any

from bot.local.errors import Json
from bot.local.gateway import HEARTBEAT, Gateway, Line, Session


class FaultyGateway(Gateway):
    """Counts who identified and resumed, and does what it is told to do wrong."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.identified = 0
        self.closest_seconds = math.inf  # between two that identified in one bucket
        self._identified_at: dict[int, float] = {}
        self.resumed = 0
        self.heard_by: Counter[int] = Counter()  # interactions, by how many processes got each
        self.acknowledges = True  # heartbeats; a gateway that is gone without a word does not
        self.refuses_with: int | None = None  # a close code for whoever identifies
        self.repeat_on_resume = 0  # events that the bot had already

    def dispatch(self, event: str, data: Json, guild: str | None, intents: int = 0) -> int:
        reached = super().dispatch(event, data, guild, intents)
        if event == "INTERACTION_CREATE":
            self.heard_by[reached] += 1
        return reached

    async def receive(self, line: Line, payload: Json) -> None:
        if payload.get("op") != HEARTBEAT or self.acknowledges:
            await super().receive(line, payload)

    async def identify(self, line: Line, data: Json) -> None:
        if self.refuses_with is None:
            await super().identify(line, data)
        else:
            await line.socket.close(code=self.refuses_with)

    def open_session(self, line: Line, intents: int, shard: tuple[int, int]) -> None:
        self.identified += 1
        bucket, now = shard[0] % self.at_once, time.monotonic()
        self.closest_seconds = min(self.closest_seconds, now - self._identified_at.get(bucket, -math.inf))
        self._identified_at[bucket] = now
        super().open_session(line, intents, shard)

    def replay(self, session: Session, line: Line, after: int) -> None:
        self.resumed += 1
        again, self.repeat_on_resume = self.repeat_on_resume, 0
        super().replay(session, line, after - again)
