"""`python -m tests.trust.takeover --kills 10 [--without fence,silence]`: two processes, four servers, one that goes.

One hangs until the other has taken over, and wakes up; under load one is killed again and again, at last both,
while reminders are due; one loses the answers to commits, one PostgreSQL, and one Discord. Every acknowledged step must
be in the log once, in order, with one live prompt in each channel. Without a guard (`stage/unguarded.py`) the same must
fail.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

from pydantic import SecretStr

from bot.local.gateway import Session
from data.check import check
from tests.e2e.loopback import local_table
from tests.e2e.referee import prompts
from tests.postgres import server
from tests.relay import Relay, relayed
from tests.store.steps import read_rows
from tests.trust.stage import unguarded
from tests.trust.stage.halls import PAUSE_SECONDS, WAITING, Figures, Hall, Meter, deaf, nudges
from tests.trust.stage.play import live_prompts
from tests.trust.stage.two_processes import BOTH, GUILDS, HALLS, LEASE_SECONDS, SHARDS, Processes

TAKEN_WITHIN_SECONDS = LEASE_SECONDS + 10.0
CUT_WITHIN_SECONDS = 2 * LEASE_SECONDS + 10.0  # so long a shard may be away from Discord, and then it is given back
STALE_EVENTS = 3
REQUESTS = 45
OPENED_AT_ONCE = 16
LOST_ANSWERS = 20
APART_SECONDS = 2.5  # IDENTIFYs of one bucket; five, less what a busy machine takes to send one
DUEL = "duel"


class Run(Processes):
    """Two processes, and what befalls them."""

    async def replaced(self, name: str, halls: list[Hall], within: float, go: Callable[[], Awaitable[None]]) -> None:
        """Let a process go, and wait until each of its tables has had a step of another's."""
        done = {hall.name: len(hall.done) for hall in halls}
        await go()
        began = time.monotonic()
        with suppress(TimeoutError):
            async with asyncio.timeout(within + 20):
                while self.shards_of(name) or not all(len(hall.done) > done[hall.name] for hall in halls):  # noqa: ASYNC110 - steps of any table
                    await asyncio.sleep(0.05)
        took = time.monotonic() - began
        self.figures.takeovers.append(took)
        if took > within:
            self.figures.faults.append(f"the tables of {name} were taken over after {took:.1f} s")
        for hall in halls:  # what it had answered comes again
            for old in hall.done[: done[hall.name]][-2:]:
                self.world.discord.send_again(old)
                self.figures.repeated += 1

    # What befalls them

    async def lose_answers(self, name: str) -> None:
        """End connections to PostgreSQL after a commit and before its answer, again and again, under load."""
        await self.end(name)
        async with relayed(self.url) as relay:
            await self.start(name, relay.url)
            await self.both()
            async with self.under_load():
                for lost in range(1, LOST_ANSWERS + 1):
                    relay.ends_at = b"COMMIT"
                    with suppress(TimeoutError):
                        await self.world.until(lambda lost=lost: relay.ended == lost, 120)  # type: ignore[misc] # mypy knows no default in a lambda
                await asyncio.sleep(PAUSE_SECONDS)
            self.figures.lost_answers += relay.ended
            if relay.ended < LOST_ANSWERS:
                self.figures.faults.append(f"{relay.ended} answers to commits were lost, not {LOST_ANSWERS}")
            await self.end(name)
        await self.start(name)
        await self.both()

    async def start_anew(self, name: str) -> None:
        self.processes[name].kill()
        await self.processes[name].wait()
        await self.start(name)

    async def kill(self, name: str) -> None:
        """Kill a process under load, wait for the first step at its tables, and let old events come again."""

        async def go() -> None:
            self.processes[name].kill()
            await self.processes[name].wait()
            if self.waiting:
                self.make_due()

        halls = self.halls_of(name)
        async with self.under_load():
            await self.replaced(name, halls, TAKEN_WITHIN_SECONDS, go)

    async def stand_still(self, name: str) -> None:
        """Stop a process until another has taken its shard and gone on; then wake it, with events of its own."""
        halls = self.halls_of(name)
        newer, older = await self.woken(name, halls)
        if await self.written_by_the_old_one(newer, halls):
            self.figures.faults.append(f"{name}: a process without the lease wrote")
        with deaf(older, SHARDS):  # if it had written all the same, the other would write over it
            for hall in halls:
                for _ in range(2):
                    await hall.act()

    async def woken(self, name: str, halls: list[Hall]) -> tuple[list[Session], list[Session]]:
        """Stop a process until another serves these halls; wake it; return the other's sessions and its own."""
        process = self.processes[name]
        known = {session.id for session in self.sessions}
        shards = {self.halls.index(hall) % SHARDS for hall in halls}
        # A newcomer for an hour: it gets no shard back while one looks what it does without.
        self.change("UPDATE process SET since = clock_timestamp() + INTERVAL '1 hour'")
        process.send_signal(signal.SIGSTOP)
        try:
            async with asyncio.timeout(TAKEN_WITHIN_SECONDS + 20):
                while not {s.shard[0] for s in self.sessions if s.id not in known} >= shards:  # noqa: ASYNC110 - another process connects
                    await asyncio.sleep(0.05)
            for _ in range(2):
                for hall in halls:
                    await hall.act()
        finally:
            process.send_signal(signal.SIGCONT)
        newer = [session for session in self.sessions if session.id not in known]
        return newer, [session for session in self.sessions if session.id in known and session.shard[0] in shards]

    async def written_by_the_old_one(self, newer: list[Session], halls: list[Hall], seconds: float = 1.0) -> bool:
        """Let events reach only the process that hung; tell whether it wrote something within that time."""
        with deaf(newer, SHARDS):
            sent = [
                hall.gwen.begin("/gm set target:Goblin pool:HP value:7", channel=hall.name)
                for hall in halls
                for _ in range(STALE_EVENTS)
            ]
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            await asyncio.sleep(0.1)
            rows = self.rows()
            if any(rows[begun.id] for begun in sent):
                return True
        return False

    async def cut_from_database(self, name: str) -> None:
        """Let a process reach Discord and not PostgreSQL, under load; then let it reach both again."""
        await self.end(name)
        async with relayed(self.url) as relay:
            await self.start(name, relay.url)
            await self.both()
            async with self._stood_still(name, relay, TAKEN_WITHIN_SECONDS):
                pass
        await self.start(name)
        await self.both()

    @asynccontextmanager
    async def _stood_still(self, name: str, relay: Relay, within_seconds: float) -> AsyncIterator[None]:
        """Let a relay of a process pass nothing on until it is replaced, and what is tried then is over."""

        async def go() -> None:
            relay.takes = False
            relay.stand_still()

        async with self.under_load():
            await self.replaced(name, self.halls_of(name), within_seconds, go)
        yield
        relay.takes = True
        relay.end()
        await self.both()
        await self.end(name)

    async def cut_from_discord(self, name: str) -> None:
        """Let a process reach PostgreSQL and not Discord, under load, and keep it from taking a shard until it does."""
        await self.end(name)
        gateway, discord = self.world.discord.gateway, SecretStr(self.world.discord.root)
        async with relayed(discord) as relay:
            relay.host = discord.get_secret_value().removeprefix("http://").encode()
            gateway.base_url = relay.url.get_secret_value()
            await self.start(name, DISCORD_API_URL=self.world.discord.api_url.replace(*_ports(discord, relay.url)))
            await self.both()
            gateway.base_url = discord.get_secret_value()
            async with self._stood_still(name, relay, CUT_WITHIN_SECONDS):
                before = read_rows(self.url, "SELECT number, epoch FROM shard ORDER BY number")
                for _ in range(4 * LEASE_SECONDS):
                    self.change("UPDATE process SET since = since - INTERVAL '1 hour' WHERE isfinite(since)")
                    await asyncio.sleep(1.0)
                if read_rows(self.url, "SELECT number, epoch FROM shard ORDER BY number") != before:
                    self.figures.faults.append(f"{name}: was given a shard that it cannot connect")
        await self.start(name)
        await self.both()

    # Reminders

    def make_due(self) -> None:
        """Let a reminder be due at each table that waits."""
        due = "UPDATE wait SET due = extract(epoch FROM clock_timestamp()) - %s WHERE channel = ANY (%s) AND due > 0"
        # The one by direct message first: behind hundreds of others it would be a call in the channel.
        for names, seconds in (([DUEL], 60), ([hall.name for hall in self.waiting], 5)):
            self.change(due, (seconds, [self.world.place(name).id for name in names]))

    async def kill_both(self, name: str, other: str) -> None:
        """Let reminders fall due while their process is dead; kill the next one before one of them, and after another.

        Of the first Discord hears nothing; the second is there, and not noted.
        """
        places = [self.world.place(hall.name) for hall in self.waiting]
        shards = self.shards_of(name)  # the other one has its own tables in memory, and sees theirs after its end
        first = (place for number, place in enumerate(places) if number % SHARDS in shards)
        held = [
            self.world.discord.sabotage(rf"POST /channels/{place.id}/messages", hang=True, after=after)
            for after, place in zip((False, True), first, strict=False)
        ]
        await self.kill(name)
        with suppress(TimeoutError):
            await self.world.until(lambda: all(each.met for each in held), TAKEN_WITHIN_SECONDS)
        if not all(each.met for each in held):
            self.figures.faults.append("no reminder was under way when its process was killed")
        self.processes[other].kill()
        await self.processes[other].wait()
        for each in (name, other):
            await self.start(each)
        await self.both()
        with suppress(TimeoutError):
            await self.world.until(lambda: all(map(nudges, places)), 20 + len(places) / 5)
        await self.world.settle(1.0)
        for place in places:
            self.figures.reminders += len(nudges(place))
            if len(nudges(place)) != 1:
                self.figures.faults.append(f"{place.name}: {len(nudges(place))} reminders")

    async def press_in_direct_message(self) -> None:
        """Let Ana end her turn by her reminder: it reaches the first shard, her table is of the second."""
        ana, place = self.world.person("Ana"), self.world.place(DUEL)
        with suppress(TimeoutError):
            await self.world.until(lambda: len(ana.sees("dm")) == 1, 120)
        copies = ana.sees("dm")
        if len(copies) != 1:
            called = len(nudges(place))
            self.figures.faults.append(f"{len(copies)} direct messages for one reminder, {called} calls in the channel")
            return
        said = await ana.press(copies[0], "End turn")

        def is_done() -> bool:
            told = any("Ana ends the turn." in each.content for each in ana.sees(DUEL))
            return told and len(live_prompts(place)) == 1

        with suppress(TimeoutError):
            await self.world.until(is_done, 120)
        if not is_done():
            self.figures.faults.append(f"a press in a direct message did nothing: {said.text[:200]!r}")

    async def open_waiting(self, count: int) -> None:
        """Open tables that wait for a reminder; at one of the second shard it is Ana's turn."""
        gate, ana = asyncio.Semaphore(OPENED_AT_ONCE), self.world.person("Ana")

        async def open_one(hall: Hall) -> None:
            async with gate:
                await hall.open(WAITING)

        self.waiting = [self.add_hall(f"waiting-{number}", number) for number in range(count)]
        await asyncio.gather(*map(open_one, self.waiting))
        hall = self.add_hall(DUEL, 1)
        await hall.open(WAITING[:1])
        await ana.slash("/init join result:20", channel=DUEL)
        await ana.slash("/remind me dm:True", channel=DUEL)
        await hall.open(WAITING[1:])

    # Looking

    def rows(self) -> Counter[str]:
        rows = read_rows(self.url, "SELECT interaction, count(*) FROM log GROUP BY interaction")
        return Counter({str(key): int(count) for key, count in rows})

    async def look(self) -> None:
        """Compare what was acknowledged with the log, and count the prompts."""
        faults, rows = self.figures.faults, self.rows()
        for hall in self.halls:
            faults += [
                f"{hall.name}: an acknowledged step is there {rows[begun.id]} times"
                for begun in hall.done
                if rows[begun.id] != 1
            ]
            place = self.world.place(hall.name)
            with suppress(TimeoutError):
                await self.world.until(lambda hall=hall: len(prompts(hall.gwen, hall.name)) == 1, 120)  # type: ignore[misc] # mypy knows no default in a lambda
            alive = len(live_prompts(place))
            if alive != 1:
                faults.append(f"{hall.name}: {alive} live prompts")
        faults += [f"{key} was done {count} times" for key, count in rows.items() if count > 1]
        faults += self.gaps()
        faults += [f"check: {fault}" for fault in await check(self.url)]
        faults += [f"Discord: {fault[:300]}" for fault in self.world.faults()]
        if self.is_over_the_limit:
            faults.append(f"{self.figures.busiest_second} counted requests in one second")
        self.figures.steps = sum(rows.values())
        gateway = self.world.discord.gateway
        self.figures.identified, self.figures.closest_seconds = gateway.identified, gateway.closest_seconds
        self.figures.heard_by = gateway.heard_by
        if gateway.closest_seconds < APART_SECONDS:
            faults.append(f"IDENTIFYs of one bucket {gateway.closest_seconds:.1f} s apart")

    def gaps(self) -> list[str]:
        gaps = "SELECT channel, count(*), max(seq) FROM log GROUP BY channel HAVING count(*) <> max(seq)"
        return [f"{channel}: {count} rows up to seq {seq}" for channel, count, seq in read_rows(self.url, gaps)]

    @property
    def is_over_the_limit(self) -> bool:
        return self.figures.busiest_second > self.requests * 50 / 45


def _ports(*urls: SecretStr) -> tuple[str, str]:
    before, after = (f":{url.get_secret_value().rpartition(':')[2]}" for url in urls)
    return before, after


@asynccontextmanager
async def running(
    url: SecretStr, folder: Path, *, requests: int = REQUESTS, guarded: bool = True, at_once: int = 1
) -> AsyncIterator[Run]:
    """Two processes that have not begun yet; they end with the block. `at_once`: connections that Discord takes."""
    async with local_table(keep_exchanges=2000) as world:
        world.discord.gateway.shards, world.discord.gateway.at_once = SHARDS, at_once
        for number, guild in enumerate(GUILDS):
            world.discord.add_guild(f"hall-{number}", guild)
        own = Run(world, url, folder, requests=requests, guarded=guarded)
        world.discord.observers.append(Meter(own.figures))
        async with AsyncExitStack() as stack:
            stack.push_async_callback(own.ended)
            yield own


async def run(
    url: SecretStr,
    folder: Path,
    *,
    kills: int,
    tables: int = 1,
    due: int = 4,
    requests: int = REQUESTS,
    cuts: bool = True,
    without: Sequence[str] = (),
    at_once: int = 1,
    loud: bool = False,
) -> Figures:
    """Hang once, kill so many times, at last with so many reminders due, cut, and look."""
    async with running(url, folder, requests=requests, guarded=not without, at_once=at_once) as own:
        own.halls += [own.add_hall(f"table-{number}", number) for number in range(HALLS, HALLS * tables)]
        for guard in without:
            own.take_away(guard)

        def tell() -> None:
            if loud:
                print(f"{time.strftime('%H:%M:%S')}  {own.figures.told()}", flush=True)

        await own.begin()
        await own.stand_still("first")
        if without:  # it may believe in a shard for ever, and take none
            await own.start_anew("first")
        await own.both()
        for number in range(kills - 1):
            tell()
            name = BOTH[number % 2]
            await own.kill(name)
            await own.start(name)
            await own.both()
        if kills:
            tell()
            await own.open_waiting(due)
            await own.kill_both(*BOTH)
            await own.press_in_direct_message()
        if cuts or without == [unguarded.UNIQUE_ID]:
            tell()
            await own.lose_answers("first")
        if cuts:
            tell()
            await own.cut_from_database("first")
            tell()
            await own.cut_from_discord("second")
        await own.look()
        await own.stop()
        return own.figures


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.trust.takeover")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--tables", type=int, default=1, help="in each server")
    parser.add_argument("--due", type=int, default=300, help="reminders at once")
    parser.add_argument("--requests", type=int, default=REQUESTS, help="REQUESTS_A_SECOND")
    parser.add_argument("--without", default="", help=f"guards that are switched off: {', '.join(unguarded.GUARDS)}")
    given = parser.parse_args()
    without = [guard for guard in given.without.split(",") if guard]
    with server() as running, running.database() as url, tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(
            run(
                url,
                Path(folder),
                kills=given.kills,
                tables=given.tables,
                due=given.due,
                requests=given.requests,
                cuts=not without,
                without=without,
                loud=True,
            )
        )
    print(figures.told())
    print("\n".join(figures.faults[:40]))
    return 1 if figures.faults else 0


if __name__ == "__main__":
    sys.exit(main())
