"""Two processes of the referee at one Discord and one PostgreSQL: how they start, share, and end."""

from __future__ import annotations

import asyncio
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import psycopg
from pydantic import SecretStr

from bot.local.gateway import Session
from bot.local.world import TEXT, Channel
from tests.e2e.loopback import Table
from tests.store.steps import read_rows
from tests.trust.stage import unguarded
from tests.trust.stage.halls import Figures, Hall
from tests.trust.stage.play import launch

LEASE_SECONDS = 5
SHARDS, HALLS = 2, 4
GUILDS = tuple(str((1000 + number) << 22) for number in range(HALLS))  # on the shards 0, 1, 0, 1
BOTH = ("first", "second")
PLAY_SECONDS = 2.5
STOP_SECONDS = 5.0
QUIET_SECONDS = 3.0  # so long nobody asks Discord for anything, once what the last life left was looked through


class Processes:
    """Two processes at one Discord, and what happens to them. `requests`: what each is told of `REQUESTS_A_SECOND`."""

    def __init__(self, world: Table, url: SecretStr, folder: Path, *, requests: int, guarded: bool) -> None:
        self.world, self.url, self.folder, self.requests = world, url, folder, requests
        self.figures = Figures()
        self.guards = folder / "without"
        self.guards.mkdir()
        self.module = ("bot", "--no-local-table") if guarded else (unguarded.__name__, str(self.guards))
        self.halls = [Hall(world, f"hall-{number}", self.figures) for number in range(HALLS)]
        self.waiting: list[Hall] = []  # tables that do nothing until people are reminded
        self.processes: dict[str, Process] = {}

    def add_hall(self, name: str, number: int) -> Hall:
        """Open one more channel in one of the servers."""
        place = Channel(self.world.discord.world.ids.fresh(), TEXT, name, guild_id=GUILDS[number % HALLS])
        self.world.discord.world.channels[place.id] = place
        return Hall(self.world, place.name, self.figures)

    def take_away(self, guard: str) -> None:
        """Let the processes go on without a guard."""
        if guard == unguarded.LAST_SEQ:  # its second half is the index
            self.change("DROP INDEX log_seq")
            self.change("CREATE INDEX log_seq ON log (channel, seq)")
        (self.guards / guard).touch()

    def give_again(self, guard: str) -> None:
        (self.guards / guard).unlink()

    def change(self, statement: str, values: Sequence[object] = ()) -> None:
        with psycopg.connect(self.url.get_secret_value(), autocommit=True) as session:
            session.execute(statement.encode(), values)

    # Processes

    async def start(self, name: str, url: SecretStr | None = None, **environment: str) -> None:
        self.processes[name] = await launch(
            self.world, Path(), None, module=self.module, DATABASE_PATH="",
            DATABASE_URL=(url or self.url).get_secret_value(), LEASE_SECONDS=str(LEASE_SECONDS),
            REQUESTS_A_SECOND=str(self.requests), XDG_DATA_HOME=str(self.folder), PROCESS_NAME=name, **environment,
        )  # fmt: skip

    async def begin(self) -> None:
        """Start both, and open all tables."""
        # As if a third one lived, which takes nothing: the one that is there first leaves a share to the other.
        self.change(
            "INSERT INTO process (owner, name, version, until)"
            " VALUES ('third', 'third', '0', clock_timestamp() + INTERVAL '5 minutes')"
        )
        for name in BOTH:
            await self.start(name)
        await self.both()
        self.change("DELETE FROM process WHERE owner = 'third'")
        await asyncio.gather(*(hall.open() for hall in self.halls))

    async def both(self) -> None:
        """Wait until two processes have a shard each, and its servers, and people can type commands."""
        two = "SELECT count(DISTINCT owner) FROM lease WHERE until > clock_timestamp()"
        async with asyncio.timeout(300):
            while read_rows(self.url, two) != [(2,)] or not self.is_connected:
                self.change(  # nobody is a newcomer; a row that a session holds which was cut is left alone
                    "UPDATE process SET since = since - INTERVAL '1 hour' WHERE owner IN"
                    " (SELECT owner FROM process WHERE owner <> 'third' FOR UPDATE SKIP LOCKED)"
                )
                await asyncio.sleep(0.2)
            await self.world.discord.bot_connected()

    @property
    def is_connected(self) -> bool:
        shards = {each.shard[0] for each in self.sessions if each.line is not None}
        return shards == set(range(SHARDS))

    @property
    def sessions(self) -> list[Session]:
        return list(self.world.discord.gateway.sessions.values())

    def shards_of(self, name: str) -> set[int]:
        rows = read_rows(self.url, "SELECT shard, owner FROM lease WHERE until > clock_timestamp()")
        return {shard for shard, owner in rows if owner is not None and owner.startswith(f"{name}:")}

    def halls_of(self, name: str) -> list[Hall]:
        """Return the halls whose shard a process has."""
        shards = self.shards_of(name)
        return [hall for number, hall in enumerate(self.halls) if number % SHARDS in shards]

    @asynccontextmanager
    async def under_load(self) -> AsyncIterator[None]:
        playing = [asyncio.create_task(hall.play()) for hall in self.halls]
        try:
            await asyncio.sleep(PLAY_SECONDS)
            yield
            await asyncio.sleep(0.5)
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)

    async def end(self, name: str) -> None:
        """End a process as a host does."""
        process = self.processes[name]
        began = time.monotonic()
        process.terminate()
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), 300)
        took = time.monotonic() - began
        self.figures.stops.append(took)
        if process.returncode != 0 or took > STOP_SECONDS:
            self.figures.faults.append(f"SIGTERM of {name} ended in {process.returncode} after {took:.1f} s")

    async def stop(self) -> None:
        """End both; nothing of theirs must be left to wait for.

        Both are waited for while they look for what the life before had not told; an earlier end leaves that.
        """
        for name in self.processes:
            await self.world.settle(QUIET_SECONDS)
            await self.end(name)
        left = read_rows(self.url, "SELECT owner FROM lease WHERE owner IS NOT NULL")
        marks = read_rows(self.url, "SELECT value FROM meta WHERE key LIKE 'ended:%'")
        if left or marks != [("cleanly",)] * SHARDS:
            self.figures.faults.append(f"after a clean end: {left}, {marks}")

    async def ended(self) -> None:
        for process in self.processes.values():
            if process.returncode is None:
                process.kill()
                await process.wait()
