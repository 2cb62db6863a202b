"""`python -m tests.trust.takeover --kills 10 [--without fence,silence]`: two processes, four servers, one that goes.

Under load one of the two is killed again and again; then one stands still until the other has taken over, and wakes up.
Every acknowledged step must be in the log once, in order, with one live prompt in each channel. Without a guard
(`stage/unguarded.py`) the same run must fail.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
import tempfile
import time
from asyncio.subprocess import Process
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from pydantic import SecretStr

from bot.local.call import Exchange
from bot.local.gateway import Session
from bot.local.interactions import ANSWER, DEFER_ANSWER, UPDATE, Interaction
from bot.local.world import TEXT, Channel, Message
from data.check import check
from tests.e2e.loopback import Seat, Table, local_table
from tests.e2e.referee import prompts
from tests.postgres import server
from tests.store.steps import read_rows
from tests.trust.stage.play import launch, live_prompts
from tests.trust.stage.unguarded import GUARDS

LEASE_SECONDS = 5
TAKEN_WITHIN_SECONDS = LEASE_SECONDS + 10.0
SHARDS, HALLS = 2, 4
GUILDS = tuple(str((1000 + number) << 22) for number in range(HALLS))  # on the shards 0, 1, 0, 1
PAUSE_SECONDS = 0.15  # between what one table's people type
ANSWER_SECONDS = 3.0
PLAY_SECONDS = 3.0
STALE_EVENTS = 3
STOP_SECONDS = 5.0
MOST_A_SECOND = 50
FREE = ("/interactions", "/webhooks")
LINES = (
    "/init start",
    "/init add name:Goblin result:10 hp:9999",
    "/init add name:Wolf result:5",
    "/remind turns after:1h every:12h",
    "/init next",
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
    busiest_second: int = 0
    identified: int = 0
    faults: list[str] = field(default_factory=list)

    def told(self) -> str:
        return (
            f"{self.sent} commands, {self.acknowledged} acknowledged, {self.unanswered} not answered, {self.repeated}"
            f" delivered again; {self.steps} log rows; first step after a kill: "
            + ", ".join(f"{seconds:.1f} s" for seconds in sorted(self.takeovers))
            + "; ends by SIGTERM: "
            + ", ".join(f"{seconds:.1f} s" for seconds in self.stops)
            + f"; at most {self.busiest_second} counted requests in one second; {self.identified} IDENTIFYs;"
            f" {self.reminders} reminders; {len(self.faults)} faults"
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

    async def open(self) -> None:
        for line in LINES:
            await self.gwen.slash(line, channel=self.name)

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
        if begun.callback not in (ANSWER, UPDATE, DEFER_ANSWER) or any(
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
def deaf(sessions: list[Session]) -> Iterator[None]:
    """Let no event reach these sessions."""
    shards = [session.shard for session in sessions]
    for session in sessions:
        session.shard = (SHARDS, SHARDS)  # none
    try:
        yield
    finally:
        for session, shard in zip(sessions, shards, strict=True):
            session.shard = shard


class Run:
    """Two processes at one Discord, and what happens to them."""

    def __init__(self, world: Table, url: SecretStr, folder: Path, without: Sequence[str]) -> None:
        self.world, self.url, self.folder = world, url, folder
        self.figures = Figures()
        self.module = ("tests.trust.stage.unguarded", *without) if without else ("bot", "--no-local-table")
        self.halls = [Hall(world, f"hall-{number}", self.figures) for number in range(HALLS)]
        self.processes: dict[str, Process] = {}

    def add_table(self, number: int) -> None:
        """Open one more channel in one of the servers."""
        place = Channel(self.world.discord.world.ids.fresh(), TEXT, f"hall-{number}", guild_id=GUILDS[number % HALLS])
        self.world.discord.world.channels[place.id] = place
        self.halls.append(Hall(self.world, place.name, self.figures))

    async def start(self, name: str) -> None:
        self.processes[name] = await launch(
            self.world, Path(), module=self.module, DATABASE_PATH="", DATABASE_URL=self.url.get_secret_value(),
            LEASE_SECONDS=str(LEASE_SECONDS), XDG_DATA_HOME=str(self.folder), PROCESS_NAME=name,
        )  # fmt: skip

    async def both(self) -> None:
        """Wait until two processes have a shard each, and its servers, and people can type commands."""
        two = "SELECT count(DISTINCT owner) FROM lease WHERE until > clock_timestamp()"
        async with asyncio.timeout(90):
            while read_rows(self.url, two) != [(2,)] or not self.is_connected:
                with psycopg.connect(self.url.get_secret_value(), autocommit=True) as session:
                    session.execute("UPDATE process SET since = since - INTERVAL '1 hour'")  # nobody is a newcomer
                await asyncio.sleep(0.3)
            await self.world.discord.bot_connected(90)

    @property
    def is_connected(self) -> bool:
        shards = {each.shard[0] for each in self.sessions if each.line is not None}
        return shards == set(range(SHARDS))

    @property
    def sessions(self) -> list[Session]:
        return list(self.world.discord.gateway.sessions.values())

    def halls_of(self, name: str) -> list[Hall]:
        """Return the halls whose shard a process has."""
        rows = read_rows(self.url, "SELECT shard, owner FROM lease")
        shards = {shard for shard, owner in rows if owner is not None and owner.startswith(f"{name}:")}
        return [hall for number, hall in enumerate(self.halls) if number % SHARDS in shards]

    async def kill(self, name: str) -> None:
        """Kill a process under load, wait for the first step at its tables, and let old events come again."""
        halls = self.halls_of(name)
        playing = [asyncio.create_task(hall.play()) for hall in self.halls]
        await asyncio.sleep(PLAY_SECONDS)
        done = {hall.name: len(hall.done) for hall in halls}
        self.processes[name].kill()
        began = time.monotonic()
        await self.processes[name].wait()
        with suppress(TimeoutError):
            async with asyncio.timeout(TAKEN_WITHIN_SECONDS + 20):
                while not all(len(hall.done) > done[hall.name] for hall in halls):  # noqa: ASYNC110 - steps of any table
                    await asyncio.sleep(0.05)
        took = time.monotonic() - began
        self.figures.takeovers.append(took)
        if took > TAKEN_WITHIN_SECONDS:
            self.figures.faults.append(f"the tables of {name} were taken over after {took:.1f} s")
        for hall in halls:
            for old in hall.done[: done[hall.name]][-2:]:
                self.world.discord.send_again(old)
                self.figures.repeated += 1
        await asyncio.sleep(0.5)
        await self._end(playing)
        await self.start(name)
        await self.both()

    async def stand_still(self, name: str, *, halls: list[Hall]) -> None:
        """Stop a process until another has taken its shard and gone on; then wake it, with events of its own."""
        process = self.processes[name]
        known = {session.id for session in self.sessions}
        shards = {self.halls.index(hall) % SHARDS for hall in halls}
        process.send_signal(signal.SIGSTOP)
        try:
            async with asyncio.timeout(TAKEN_WITHIN_SECONDS + 20):
                while not {s.shard[0] for s in self.sessions if s.id not in known} >= shards:  # noqa: ASYNC110 - as above
                    await asyncio.sleep(0.05)
            for _ in range(2):
                for hall in halls:
                    await hall.act()
            newer = [session for session in self.sessions if session.id not in known]
        finally:
            process.send_signal(signal.SIGCONT)
        for _ in range(STALE_EVENTS):
            await self._to_the_old_one(newer, halls)
        older = [session for session in self.sessions if session.id in known and session.shard[0] in shards]
        with deaf(older):  # where it had written all the same, the other would write over it
            for hall in halls:
                for _ in range(2):
                    await hall.act()

    async def _to_the_old_one(self, newer: list[Session], halls: list[Hall]) -> None:
        """Let an event reach the process alone that stood still: it must write nothing."""
        with deaf(newer):
            sent = [hall.gwen.begin("/gm set target:Goblin pool:HP value:7", channel=hall.name) for hall in halls]
        await asyncio.sleep(1.0)
        for hall, begun in zip(halls, sent, strict=True):
            if self._rows()[begun.id]:
                self.figures.faults.append(f"{hall.name}: a process without the lease wrote")

    def _rows(self) -> Counter[str]:
        rows = read_rows(self.url, "SELECT interaction, count(*) FROM log GROUP BY interaction")
        return Counter({str(key): int(count) for key, count in rows})

    async def remind_once(self, name: str, other: str) -> None:
        """Let a reminder fall due while its process is dead; kill the next one between the sending and its note."""
        halls = self.halls_of(name)
        places = {hall.name: self.world.place(hall.name) for hall in halls}
        self.processes[name].kill()
        await self.processes[name].wait()
        with psycopg.connect(self.url.get_secret_value(), autocommit=True) as session:
            due = "UPDATE wait SET due = extract(epoch FROM clock_timestamp()) - 5 WHERE channel = ANY (%s) AND due > 0"
            session.execute(due, ([place.id for place in places.values()],))
        first = places[halls[0].name].id
        held = self.world.discord.sabotage(rf"POST /channels/{first}/messages", hang=True, after=True)
        with suppress(TimeoutError):
            await self.world.until(lambda: held.met, TAKEN_WITHIN_SECONDS + 20)
        self.processes[other].kill()
        await self.processes[other].wait()
        for each in (name, other):
            await self.start(each)
        await self.both()
        for hall_name, place in places.items():
            with suppress(TimeoutError):
                await self.world.until(lambda place=place: nudges(place), 20)  # type: ignore[misc] # mypy knows no default in a lambda
            await self.world.settle(1.0)
            self.figures.reminders += len(nudges(place))
            if len(nudges(place)) != 1:
                self.figures.faults.append(f"{hall_name}: {len(nudges(place))} reminders")

    async def _end(self, playing: list[asyncio.Task[None]]) -> None:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)

    async def look(self) -> None:
        """Compare what was acknowledged with the log, and count the prompts."""
        faults, rows = self.figures.faults, self._rows()
        for hall in self.halls:
            faults += [
                f"{hall.name}: an acknowledged step is there {rows[begun.id]} times"
                for begun in hall.done
                if rows[begun.id] != 1
            ]
            place = self.world.place(hall.name)
            with suppress(TimeoutError):
                async with asyncio.timeout(15):
                    while len(prompts(hall.gwen, hall.name)) != 1:  # noqa: ASYNC110 - the publisher may be late
                        await asyncio.sleep(0.1)
            alive = len(live_prompts(place))
            if alive != 1:
                faults.append(f"{hall.name}: {alive} live prompts")
        faults += [f"{key} was done {count} times" for key, count in rows.items() if count > 1]
        gaps = "SELECT channel, count(*), max(seq) FROM log GROUP BY channel HAVING count(*) <> max(seq)"
        faults += [f"{channel}: {count} rows up to seq {seq}" for channel, count, seq in read_rows(self.url, gaps)]
        faults += [f"check: {fault}" for fault in await check(self.url)]
        faults += [f"Discord: {fault[:300]}" for fault in self.world.faults()]
        if self.figures.busiest_second > MOST_A_SECOND:
            faults.append(f"{self.figures.busiest_second} counted requests in one second")
        self.figures.steps = sum(rows.values())
        self.figures.identified = self.world.discord.gateway.identified

    async def stop(self) -> None:
        """End both as a host does."""
        for name, process in self.processes.items():
            began = time.monotonic()
            process.terminate()
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), 30)
            took = time.monotonic() - began
            self.figures.stops.append(took)
            if process.returncode != 0 or took > STOP_SECONDS:
                self.figures.faults.append(f"SIGTERM of {name} ended in {process.returncode} after {took:.1f} s")

    def ended(self) -> None:
        for process in self.processes.values():
            if process.returncode is None:
                process.kill()


async def run(
    url: SecretStr, folder: Path, *, kills: int, tables: int = 1, without: Sequence[str] = (), loud: bool = False
) -> Figures:
    """Kill so many times, stand still once, and look."""
    async with local_table(keep_exchanges=2000) as world, AsyncExitStack() as stack:
        world.discord.gateway.shards = SHARDS
        for number, guild in enumerate(GUILDS):
            world.discord.add_guild(f"hall-{number}", guild)
        if "last_seq" in without:  # its second half is the index
            with psycopg.connect(url.get_secret_value(), autocommit=True) as session:
                session.execute("DROP INDEX log_seq")
                session.execute("CREATE INDEX log_seq ON log (channel, seq)")
        own = Run(world, url, folder, without)
        for number in range(HALLS, HALLS * tables):
            own.add_table(number)
        stack.callback(own.ended)
        world.discord.server.observers.append(Meter(own.figures))
        for name in ("first", "second"):
            await own.start(name)
        await own.both()
        await asyncio.gather(*(hall.open() for hall in own.halls))
        for number in range(kills):
            await own.kill(("first", "second")[number % 2])
            if loud:
                print(f"{time.strftime('%H:%M:%S')}  {own.figures.told()}", flush=True)
        await own.stand_still("first", halls=own.halls_of("first"))
        if not without:
            await own.both()
            await own.remind_once("first", "second")
        await own.look()
        await own.stop()
        return own.figures


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.trust.takeover")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--tables", type=int, default=1, help="in each server")
    parser.add_argument("--without", default="", help=f"guards that are switched off: {', '.join(GUARDS)}")
    given = parser.parse_args()
    without = [guard for guard in given.without.split(",") if guard]
    with server() as running, running.database() as url, tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(
            run(url, Path(folder), kills=given.kills, tables=given.tables, without=without, loud=True)
        )
    print(figures.told())
    print("\n".join(figures.faults[:40]))
    return 1 if figures.faults else 0


if __name__ == "__main__":
    sys.exit(main())
