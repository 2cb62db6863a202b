"""A campaign on a virtual clock: many channels of all six systems, people with habits, restarts at random moments.

    python -m tests.reminders.campaign --days 14 --channels 40

Scheduler, table service, store, publisher and nudges are the real ones; Discord is a list of what was posted. The
clock goes on in steps, and at each step people who are awake and asked act or do not, as is their habit.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
from discord.http import Route

from bot.discord.caller import Caller
from bot.discord.direct_messages import DirectMessages
from bot.local.tryit import scripts
from bot.posting import prompts as publishing
from bot.posting.prompts import Publisher
from bot.reminders.scheduler import Scheduler
from bot.reminders.waits import GM, TURN, Plan, Reminding, asked_users, plan_of, wanted
from bot.table.service import Tables
from data.rows import OPEN, Commit, DocumentChange, EncounterRow, LogWrite
from data.store import Store
from rules.core.command import Command
from rules.core.encounter import Encounter
from rules.core.errors import Refusal
from rules.core.registry import read_encounter, system_of
from tests.e2e.referee import refereed
from tests.rules.table import command_for

START = datetime(2026, 3, 23, 6, tzinfo=UTC).timestamp()  # Europe puts its clocks forward six days later
TICK = 30 * 60
HOUR = 3600
ZONES = (
    "Europe/Berlin",
    "Europe/London",
    "America/New_York",
    "America/Los_Angeles",
    "America/St_Johns",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Australia/Adelaide",
    "Pacific/Auckland",
)
PEOPLE_OF_SCRIPTS = ("Gwen", "Ana", "Bo", "Cai")


@dataclass(frozen=True)
class Habit:
    """How somebody plays: quiet times, how many hours they take, whether they ever answer."""

    name: str
    quiet: str
    hours: float | None


HABITS = (
    Habit("night", "23:00-07:00", 3),
    Habit("weekend", "22:30-08:00, sat, sun", 5),
    Habit("worker", "mon-fri 08:00-17:00, 23:30-06:30", 4),
    Habit("holiday", "00:00-08:00", 4),
    Habit("never", "22:00-09:00", None),
    Habit("always", "", 2),
)


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
    pings: list[tuple[float, str, str]] = field(default_factory=list)  # when, whom, the message
    nonces: Counter[str] = field(default_factory=Counter)
    last: int = 10**18
    die_before: int | None = None  # the program is killed before its n-th request from now
    die_after: int | None = None  # or after it, before it hears of it

    async def request(self, route: Route, data: dict[str, Any] | None, _files: object = ()) -> Any:
        self.die_before = _tick(self.die_before)
        result = self._answer(route, data)
        self.die_after = _tick(self.die_after)
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
        self.last += 1
        message = {**data, "id": str(self.last), "author": {"id": "1"}}
        nonce = str(data.get("nonce") or "")
        self.nonces[f"{channel}:{nonce}"] += bool(nonce)
        kept.append(message)
        self.sent.append((channel, dict(message)))  # a live message becomes its record later
        silent = bool(int(data.get("flags", 0)) & 1 << 12)
        users = [channel[1:]] if direct else [] if silent else data["allowed_mentions"].get("users", [])
        self.pings += [(self.clock.now, user, str(data["content"])) for user in users]
        return message


class Killed(BaseException):
    """The process ends here."""


def _tick(count: int | None) -> int | None:
    if count == 0:
        raise Killed
    return None if count is None else count - 1


def _refused(code: int) -> discord.Forbidden:
    response: Any = SimpleNamespace(status=403, reason="Forbidden")
    return discord.Forbidden(response, {"code": code, "message": "no"})


class Program:
    """One life of the referee's process."""

    def __init__(self, store: Store, clock: Clock, discord_: Discord) -> None:
        async def read(route: Route, _params: object) -> Any:
            return await discord_.request(route, None)

        async def open_direct(user: str) -> str:
            opened = await discord_.request(Route("POST", "/users/@me/channels"), {"recipient_id": user})
            return str(opened["id"])

        async def refused(_channel: str, _error: Exception) -> bool:
            return False

        async def open_all_the_same(*_: str) -> None:
            """Every channel takes messages."""

        self.tables = Tables(store, clock, first_seed=bytes(32))
        api: Any = SimpleNamespace(own_id="1", request=discord_.request, read=read, open_direct=open_direct)
        blocked_channels: Any = SimpleNamespace(
            is_shut=lambda _channel: False,
            refused=refused,
            arrived=open_all_the_same,
            ask_again=open_all_the_same,
        )
        access: Any = SimpleNamespace(
            may_embed=lambda _: True, embed_refused=lambda _: None, may_read_history=lambda _: True
        )
        self.publisher = Publisher(self.tables, api, blocked_channels, access, DirectMessages(api))
        self.tables.after_commit.append(self.publisher.wake)
        self.scheduler = Scheduler(self.tables, self.publisher.wake)

    async def settle(self) -> None:
        """Wait until everything that is owed is out. Raises: Killed where the process died on the way."""
        while tasks := [
            room.publishing for room in self.tables.rooms() if room.publishing and not room.publishing.done()
        ]:
            await asyncio.gather(*tasks)
        for room in self.tables.rooms():
            if room.publishing is not None and room.publishing.done() and not room.publishing.cancelled():
                error = room.publishing.exception()
                if error is not None:
                    raise error

    async def stop(self) -> None:
        """End at once: what is on its way is lost."""
        for room in self.tables.rooms():
            if room.publishing is not None:
                room.publishing.cancel()
                await asyncio.gather(room.publishing, return_exceptions=True)


@dataclass
class Figures:
    """What a campaign came to."""

    steps: int = 0
    nudges: int = 0
    words: int = 0
    skips: int = 0
    direct: int = 0
    restarts: int = 0
    kills: int = 0
    silent_prompts: int = 0
    quiet_pings: list[str] = field(default_factory=list)
    doubles: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    seconds: float = 0.0


class Campaign:
    """Channels, people, and the days that go by."""

    def __init__(self, database: Path, *, channels: int, days: float, seed: int) -> None:
        self.database = database
        self.count = channels
        self.days = days
        self.rng = random.Random(seed)
        self.clock = Clock()
        self.discord = Discord(self.clock)
        self.figures = Figures()
        self.people = [str(2 * 10**17 + number) for number in range(120)]
        self.habits = {user: HABITS[number % len(HABITS)] for number, user in enumerate(self.people)}
        self.channels = [str(10**17 + number) for number in range(channels)]
        self.number = 0
        self._store: Store | None = None
        self._program: Program | None = None

    @property
    def program(self) -> Program:
        assert self._program is not None
        return self._program

    async def run(self, states: dict[str, tuple[bytes, dict[str, str]]]) -> Figures:
        began = time.monotonic()
        publishing.EDIT_AFTER_SECONDS = 0.0
        await self._open()
        await self._settle_habits()
        for number, channel in enumerate(self.channels):
            system = sorted(states)[number % len(states)]
            await self._set_up(channel, system, *states[system])
        end = START + self.days * 24 * HOUR
        while self.clock.now < end:
            self.clock.now += TICK
            if self.rng.random() < 0.004:  # nothing runs for some hours
                await self._restart(self.rng.uniform(0, 9) * HOUR)
            await self._guarded(self._due)
            for channel in self.channels:
                await self._guarded(lambda channel=channel: self._play(channel))
            await self._guarded(self.program.settle)
            await self._look()
        await self.program.settle()
        assert self._store is not None
        await self._store.close()
        self._count()
        self.figures.seconds = time.monotonic() - began
        return self.figures

    # The process

    async def _open(self) -> None:
        self._store = await Store.open(self.database)
        self._program = Program(self._store, self.clock, self.discord)
        await self.program.publisher.catch_up()

    async def _restart(self, downtime: float, *, killed: bool = False) -> None:
        self.figures.restarts += 1
        await self.program.stop()
        assert self._store is not None
        if killed:
            self._store._posted.clear()  # what was still to be written is not
        await self._store.close()
        self.discord.die_before = self.discord.die_after = None
        self.clock.now += downtime
        await self._open()

    async def _guarded(self, work: Any) -> None:
        """Do something; at times the process dies on the way, before or after a request."""
        if self.rng.random() < 0.005:
            if self.rng.random() < 0.5:
                self.discord.die_before = self.rng.randint(0, 3)
            else:
                self.discord.die_after = self.rng.randint(0, 3)
        try:
            await work()
            if self.discord.die_before is not None or self.discord.die_after is not None:
                await self.program.settle()
        except Killed:
            self.figures.kills += 1
            await self._restart(0, killed=True)
        self.discord.die_before = self.discord.die_after = None

    async def _due(self) -> None:
        await self.program.scheduler.fire_due()
        await self.program.settle()

    # People

    async def _settle_habits(self) -> None:
        people = self.program.tables.people
        for number, user in enumerate(self.people):
            habit = self.habits[user]
            changes: dict[str, Any] = {"zone": ZONES[number % len(ZONES)], "quiet": habit.quiet, "dm": number % 7 == 0}
            if number % 14 == 0:
                self.discord.closed.add(user)
            if habit.name == "holiday":
                changes["away_until"] = START + (4 + number % 6) * 24 * HOUR
                if number % 2:
                    stand_in = self.people[(number + 1) % len(self.people)]
                    changes |= {"stand_ins": {"900": stand_in}, "stand_in_names": {"900": "Somebody"}}
            await people.load((user,))
            await people.change(user, **changes)

    def _is_awake(self, user: str) -> bool:
        return self.program.tables.people.is_reachable(user)

    # Tables

    async def _set_up(self, channel: str, system: str, document: bytes, users: dict[str, str]) -> None:
        text = document.decode()
        for name, old in users.items():
            text = text.replace(old, f"<{name}>")
        for name in users:
            text = text.replace(f"<{name}>", self.rng.choice(self.people))
        state = read_encounter(text.encode(), system)
        state = state.evolve(id=f"e{channel}", channel=channel, options={**state.options, "window": "6h"})
        program = self.program
        room = await program.tables.room_of(channel, "900")
        row = EncounterRow(
            id=state.id, channel=channel, guild="900", system=system, name=state.name, status="running", gms=state.gms
        )
        written = state.model_dump_json(exclude_defaults=True).encode()
        commit = Commit(
            log=LogWrite(channel, 1, "2026-03-23T06:00:00Z", "step", None, f"{channel}1", state.id, "{}"),
            channel=channel,
            guild="900",
            interaction=f"{channel}1",
            answer="{}",
            at=self.clock.now,
            documents=(DocumentChange(f"encounter:{state.id}", None, written),),
            focus=state.id,
            encounter=row,
        )
        await program.tables.store.commit(commit)
        plan = Plan(
            after=self.rng.choice((2, 6, 8)) * HOUR,
            every=self.rng.choice((4, 6)) * HOUR,
            times=self.rng.randint(1, 3),
            then=self.rng.choice(("skip", "skip", "gm")),
        )
        reminding = Reminding(plan=plan).model_dump_json(exclude_defaults=True)
        await program.tables.store.set_remind(channel, "900", reminding, None)
        program.tables.forget(room.channel)
        room = await program.tables.room_of(channel, "900")
        assert room.encounter is not None

    async def _play(self, channel: str) -> None:
        """Let one of those who are asked act, if it is their hour."""
        tables = self.program.tables
        room = await tables.room_of(channel, None)
        state = room.encounter
        if state is None or state.status != "running" or state.over is not None:
            return
        rules = system_of(state)
        waiting = [who for who in rules.waits_for(state) if rules.offers(state, who)]
        if not waiting:
            return
        who = self.rng.choice(waiting)
        user = self.rng.choice(asked_users(tables.people, state, room.guild, who))
        habit = self.habits[user]
        is_told = any(row.sent and plan_of(row) and row.due is None for row in room.waits if row.place == OPEN)
        if is_told and user not in state.gms:  # the GM was told, and settles it
            user = self.rng.choice(state.gms)
            habit = self.habits[user] if self.habits[user].hours else HABITS[0]
        if not self._is_awake(user) or habit.hours is None or self.rng.random() > TICK / HOUR / habit.hours:
            return
        self.number += 1
        caller = Caller(
            user=None if user in state.gms else user,
            name="Somebody",
            interaction=str(3 * 10**17 + self.number),
            channel=channel,
            guild="900",
            can_post=True,
        )
        offer = self.rng.choice(rules.offers(state, who))
        try:
            await tables.perform(caller, command_for(offer, self.rng, state))
        except Refusal:
            return
        self.figures.steps += 1

    async def step(self, channel: str, action: str) -> None:
        """Take a step as a GM."""
        self.number += 1
        caller = Caller(
            user=None, name="GM", interaction=str(3 * 10**17 + self.number), channel=channel, guild="900", can_post=True
        )
        await self.program.tables.perform(caller, Command(action=action))

    # What must hold

    async def _look(self) -> None:
        """Nothing due is left undone, and whoever is waited for has something to come or the GM was told."""
        for channel in self.channels:
            room = await self.program.tables.room_of(channel, None)
            state = room.encounter
            needs = {(each.kind, each.key) for each in wanted(state) if each.kind != GM}
            here = {(row.kind, row.key) for row in room.waits if row.place == OPEN}
            if state is None or room.next_seq < 3:  # set up before there were reminders
                continue
            if needs != here:
                self.figures.stuck.append(f"{channel} {state.system}: waits {sorted(needs ^ here)} at {self.clock.now}")
            for row in room.waits:
                if row.place != OPEN:
                    continue
                if row.due is not None and row.due <= self.clock.now - TICK - 60:
                    self.figures.stuck.append(f"{channel} {row.key} is overdue since {self.clock.now - row.due:.0f} s")
                plan = plan_of(row)
                if row.kind == TURN and plan is not None and row.due is None and plan.then != "nothing":
                    self._was_told(state, row.since, row.key)

    def _was_told(self, state: Encounter, since: float, key: str) -> None:
        question = key.startswith("q") and any(f"q{each.id}" == key and each.answered for each in state.questions)
        told = question or any(
            when >= since and user in state.gms and "has not acted" in text for when, user, text in self.discord.pings
        )
        if not told:
            self.figures.stuck.append(f"{state.channel} {key}: nothing more comes, and no GM was told")

    def _count(self) -> None:
        people = self.program.tables.people
        figures = self.figures
        for channel, message in self.discord.sent:
            content = str(message.get("content"))
            figures.direct += channel.startswith("7")
            figures.nudges += "still your turn" in content or "still a question" in content
            figures.words += "has not acted" in content
            figures.silent_prompts += bool(int(message.get("flags", 0)) & 1 << 12) and "your turn" in content
        for messages in self.discord.messages.values():
            figures.skips += sum("did not act in time" in str(message.get("content")) for message in messages)
        for when, user, text in self.discord.pings:
            if not people.get(user).waking.is_awake(when):
                figures.quiet_pings.append(f"{user} at {when}: {text}")
        figures.doubles = [nonce for nonce, count in self.discord.nonces.items() if count > 1]


async def first_states(folder: Path, *, only: tuple[str, ...] = ()) -> dict[str, tuple[bytes, dict[str, str]]]:
    """Play each system's *Try it* script; return its state and who is who in it."""
    found = {}
    for script in scripts():
        if only and script.id not in only:
            continue
        async with refereed(folder / f"{script.id}.sqlite3") as (world, client):
            for line in script.lines:
                await world.person(line.who).slash(line.text)
            room = await client.tables.room_of(world.place("tavern").id, None)
            state = room.encounter
            assert state is not None
            if state.status != "running":
                await world.person("Gwen").slash("/encounter begin")
                state = room.encounter
                assert state is not None
            users = {name: world.person(name).id for name in PEOPLE_OF_SCRIPTS}
            found[script.id] = (state.model_dump_json(exclude_defaults=True).encode(), users)
    return found


def report(figures: Figures, campaign: Campaign) -> str:
    return (
        f"{campaign.days:g} days, {campaign.count} channels, {len(campaign.people)} people, {figures.steps} steps, "
        f"{figures.nudges} nudges ({figures.direct} direct), {figures.words} words to GMs, {figures.skips} skips, "
        f"{figures.silent_prompts} silent prompts, {figures.restarts} restarts ({figures.kills} kills), "
        f"{len(figures.quiet_pings)} pings in quiet times, {len(figures.doubles)} doubles, "
        f"{len(figures.stuck)} stuck; {figures.seconds:.1f} s"
    )


async def main(days: float, channels: int, seed: int) -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        states = await first_states(Path(folder))
        campaign = Campaign(Path(folder) / "campaign.sqlite3", channels=channels, days=days, seed=seed)
        figures = await campaign.run(states)
        print(report(figures, campaign))
        return figures


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--days", type=float, default=14)
    parser.add_argument("--channels", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    result = asyncio.run(main(given.days, given.channels, given.seed))
    print(
        json.dumps(
            {"stuck": result.stuck[:10], "quiet": result.quiet_pings[:10], "doubles": result.doubles[:10]}, indent=1
        )
    )
