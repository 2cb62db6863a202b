"""What a run of `takeover` is played with: tables whose people type one thing after the other, and what it came to."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from bot.discord_numbers import Callback
from bot.local.call import Exchange
from bot.local.gateway import Session
from bot.local.interactions import Interaction
from bot.local.world import Channel, Message
from tests.e2e.loopback import Seat, Table

PAUSE_SECONDS = 0.15  # between what one table's people type
ANSWER_SECONDS = 3.0
TRIES = 10
FREE = ("/interactions", "/webhooks")
LINES = (
    "/init start",
    "/init add name:Goblin result:10 hp:9999",
    "/init add name:Wolf result:5",
    "/init next",
)
WAITING = (  # a table that does nothing until people are reminded
    "/init start",
    "/init add name:Goblin result:10",
    "/remind turns after:1h every:12h",
    "/encounter begin",
)
NOT_DONE = ("Another process serves", "Nothing was done", "Nobody knows yet", "belongs to a turn that is over")
WENT_WRONG = "Something went wrong"


@dataclass
class Figures:
    """What a run came to."""

    sent: int = 0
    acknowledged: int = 0
    unanswered: int = 0
    repeated: int = 0
    steps: int = 0
    reminders: int = 0
    takeovers: list[float] = field(default_factory=list)
    stops: list[float] = field(default_factory=list)
    heard_by: Counter[int] = field(default_factory=Counter)
    lost_answers: int = 0
    busiest_second: int = 0
    identified: int = 0
    closest_seconds: float = 0.0
    faults: list[str] = field(default_factory=list)

    def told(self) -> str:
        return (
            f"{self.sent} commands, {self.acknowledged} acknowledged, {self.unanswered} not answered, {self.repeated}"
            f" delivered again; events that reached nobody, one process, two: {self.heard_by[0]}, {self.heard_by[1]},"
            f" {self.heard_by[2]}; {self.lost_answers} commits whose answer was lost; {self.steps} log rows;"
            " first step after another took over: "
            + ", ".join(f"{seconds:.1f} s" for seconds in sorted(self.takeovers))
            + "; ends by SIGTERM: "
            + ", ".join(f"{seconds:.1f} s" for seconds in self.stops)
            + f"; at most {self.busiest_second} counted requests in one second; {self.identified} IDENTIFYs,"
            f" {self.closest_seconds:.1f} s apart or more; {self.reminders} reminders; {len(self.faults)} faults"
        )


class Meter:
    """Counts the requests of all processes that Discord counts, in any second."""

    def __init__(self, figures: Figures) -> None:
        self.figures = figures
        self._times: deque[float] = deque()

    def __call__(self, exchange: Exchange) -> None:
        if exchange.route.startswith(FREE):
            return
        now = time.monotonic()
        self._times.append(now)
        while self._times[0] <= now - 1.0:
            self._times.popleft()
        self.figures.busiest_second = max(self.figures.busiest_second, len(self._times))


@dataclass
class Hall:
    """A table's people, who type one thing after the other."""

    world: Table
    name: str
    figures: Figures
    done: list[Interaction] = field(default_factory=list)  # acknowledged
    number: int = 0

    @property
    def gwen(self) -> Seat:
        return self.world.person("Gwen")

    async def open(self, lines: tuple[str, ...] = LINES) -> None:
        """Type lines one after the other, each again if nobody answers: a process may lose its shard meanwhile."""
        for line in lines:
            for _ in range(TRIES):
                begun = self.gwen.begin(line, channel=self.name)
                with suppress(TimeoutError):
                    await asyncio.wait_for(begun.answered.wait(), ANSWER_SECONDS)
                    await asyncio.wait_for(begun.filled.wait(), ANSWER_SECONDS)
                    break

    async def play(self) -> None:
        while True:
            await self.act()
            await asyncio.sleep(PAUSE_SECONDS)

    async def act(self) -> bool:
        """Type the next thing; tell whether it was acknowledged."""
        self.number += 1
        ends = self.number % 3 == 0
        text = "/init next" if ends else f"/gm set target:Goblin pool:HP value:{self.number % 9000 + 1}"
        begun = self.gwen.begin(text, channel=self.name)
        self.figures.sent += 1
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await begun.answered.wait()
                await begun.filled.wait()
        except TimeoutError:
            self.figures.unanswered += 1
            return False
        words = self.words(begun)
        if WENT_WRONG in words:
            self.figures.faults.append(f"{self.name}: {text} was answered with {words[:200]!r}")
        if begun.callback not in (Callback.MESSAGE, Callback.UPDATE, Callback.DEFER) or any(
            part in words for part in (*NOT_DONE, WENT_WRONG)
        ):
            return False
        self.figures.acknowledged += 1
        self.done.append(begun)
        return True

    def words(self, begun: Interaction) -> str:
        known = self.world.discord.world.channels[begun.channel_id].messages
        return "\n".join(known[each].content for each in begun.message_ids if each in known)


def nudges(place: Channel) -> list[Message]:
    """Return a channel's reminders."""
    return [message for message in place.messages.values() if "Not waiting on me" in str(message.components)]


@contextmanager
def deaf(sessions: list[Session], count: int) -> Iterator[None]:
    """Let no event reach these sessions."""
    shards = [session.shard for session in sessions]
    for session in sessions:
        session.shard = (count, count)  # none
    try:
        yield
    finally:
        for session, shard in zip(sessions, shards, strict=True):
            session.shard = shard
