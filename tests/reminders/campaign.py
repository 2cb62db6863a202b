"""A campaign on a virtual clock: many channels of all six systems, people with habits, restarts at random moments.

    python -m tests.reminders.campaign --days 14 --channels 40 --planners 0.5

Scheduler, table service, store, publisher and nudges are the real ones; Discord is a list of what was posted. The
clock goes on in steps, and at each step people who are awake and asked act or do not, as is their habit. Half of them
are planners: after their own step they say in advance what they do next, answer if asked, and let pass.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bot.caller import Caller
from bot.local.tryit import scripts
from bot.posting import prompt_picture, strikes
from bot.posting import prompts as publishing
from bot.requests import direct_messages
from bot.waiting import waits
from bot.waiting.waits import GM, TURN, ReminderPlan, Reminding, asked_users, plan_of, wanted
from data import store as keeping
from data.rows import OPEN
from data.store import Store
from rules.core.command import Command
from rules.core.encounter import Encounter
from rules.core.registry import read_encounter, system_of
from rules.core.values import Seat
from rules.errors import Refusal
from tests.reminders.habits import HABITS, ZONES, said_ahead
from tests.reminders.stage import START, Clock, Discord, Killed, Program
from tests.reminders.telling import MINUTE, Blocked, Telling, told_words
from tests.reminders.twists import Twists
from tests.rules.table import command_for
from tests.store.steps import set_down
from tests.wire import GUILD, PEOPLE, wired

TICK = 30 * 60
HOUR = 3600
UNSEEN = (
    "HP 9, AC 12, STAMINA 10, INITIATIVE 3, ZEAL 2, MINOR 1, ATK 6, DEF 9, ARM 2, MOV 4, RNG 1, CRT 20, TYPE Physical,"
    " INT 1, AGI 2, TIER 1, SPD 5"
)
ROOM = "901"  # the channel of the scripts
PATIENT_SECONDS = 3600.0
PEOPLE_OF_SCRIPTS = ("Gwen", "Ana", "Bo", "Cai")


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
    digests: int = 0  # of people, over their tables
    ahead: int = 0  # what was said in advance and kept
    hours: dict[str, list[float]] = field(default_factory=dict)  # what each round took in waking hours, by system
    quiet_pings: list[str] = field(default_factory=list)
    doubles: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    told: list[Blocked] = field(default_factory=list)  # everybody newly waited for, and how long they did not know
    late: list[str] = field(default_factory=list)  # of these, who knew neither at once nor in a first waking minute
    seconds: float = 0.0
    trace: str = ""  # of all that was sent, and when: the same seed has the same


class Campaign:
    """Channels, people, and the days that go by."""

    def __init__(
        self, database: Path, *, channels: int, days: float, seed: int, planners: float = 0.5, twists: float = 0.0
    ) -> None:
        self.database = database
        self.count = channels
        self.days = days
        self.seed = seed
        self.rng = random.Random(seed)
        self.clock = Clock()
        self.discord = Discord(self.clock)
        self.figures = Figures()
        self.people = [str(2 * 10**17 + number) for number in range(120)]
        self.habits = {user: HABITS[number % len(HABITS)] for number, user in enumerate(self.people)}
        self.channels = [str(10**17 + number) for number in range(channels)]
        mood = random.Random(f"{seed} planners")
        self.planners = {user for user in self.people if mood.random() < planners}
        self.rounds: dict[str, tuple[int, float]] = {}  # each channel's round, and the waking hours it has taken so far
        self.backs: set[float] = set()  # when somebody's holiday ends, and what waits for them is theirs again
        self._store: Store | None = None
        self._program: Program | None = None
        self.telling = Telling(self.discord, "900")
        self.twisted = twists  # how often something happens at a table beside its turns, at each look
        self.twists = Twists(random.Random(f"{seed} twists"), self._caller, self._take)

    @property
    def program(self) -> Program:
        assert self._program is not None
        return self._program

    async def run(self, states: dict[str, tuple[bytes, dict[str, str]]]) -> Figures:
        began = time.monotonic()
        try:
            with timeless(self.seed):
                await self._go_on(states)
        finally:
            if self._store is not None:
                await self._store.close()
        self.figures.seconds = time.monotonic() - began
        return self.figures

    async def _go_on(self, states: dict[str, tuple[bytes, dict[str, str]]]) -> None:
        await self._open()
        await self._settle_habits()
        for number, channel in enumerate(self.channels):
            system = sorted(states)[number % len(states)]
            await self._set_up(channel, system, *states[system])
            room = await self.program.tables.room_of(channel, None)
            assert room.encounter is not None
            if number < len(states):  # the first of each system: of its turns the GM alone is told
                await self.step(channel, "gm add", name="Stalker", sheet=UNSEEN, hidden=True)
            else:  # a first step, from which on a table waits
                await self.step(channel, "gm note", target=room.encounter.names[0], text="is here")
        await self.program.settle()
        end = START + self.days * 24 * HOUR
        while self.clock.now < end:
            await self._pass_time(self.clock.now + TICK)
            is_due = self.clock.now > START + self.days * 12 * HOUR and self.figures.restarts == self.figures.kills
            if self.rng.random() < 0.004 or is_due:  # nothing runs for some hours, at least once
                await self._restart(self.rng.uniform(0, 9) * HOUR)
                await self._guarded(self._due)
            for channel in self.channels:
                await self._guarded(lambda channel=channel: self._play(channel))
                await self._guarded(lambda channel=channel: self._twist(channel))
            await self._count_hours()
            await self._look()
        self.telling.close()
        self.figures.told = self.telling.told
        self.figures.late = [str(each) for each in self.telling.late()]
        await self.program.settle()
        self._count()

    # The process

    async def _open(self) -> None:
        self._store = await Store.open(self.database)
        self._program = Program(self._store, self.clock, self.discord)
        self.telling.people = self._program.tables.people
        await self.telling.people.load(self.people)  # when they sleep is looked up for what was sent before, too
        self._program.tables.after_commit.append(self.telling.note)
        await self.program.publisher.catch_up()
        self.program.scheduler.expect(self.clock.now)

    async def _restart(self, downtime: float, *, killed: bool = False) -> None:
        self.figures.restarts += 1
        await self.program.stop()
        assert self._store is not None
        if killed:
            self._store._posted.clear()  # what was still to be written is not
        await self._store.close()
        self.discord.die_before = self.discord.die_after = None
        self.telling.down.append((self.clock.now, self.clock.now + downtime))
        self.clock.now += downtime
        await self._open()

    async def _guarded(self, work: Any) -> None:
        """Do something; at times the process dies on the way, before or after a request."""
        if self.rng.random() < (0.005 if self.figures.kills else 0.05):
            if self.rng.random() < 0.5:
                self.discord.die_before = self.rng.randint(0, 3)
            else:
                self.discord.die_after = self.rng.randint(0, 3)
        try:
            async with self.program.line:
                await work()
            await self.program.settle()
        except Killed:
            self.figures.kills += 1
            await self._restart(0, killed=True)
        self._take(None)
        self.telling.listen()
        self.discord.die_before = self.discord.die_after = None

    async def _pass_time(self, until: float) -> None:
        """Let the clock go on, and do what is due at its moment."""
        while (due := self.program.scheduler._next) is not None and due <= until:
            self.clock.now = due if due > self.clock.now else self.clock.now + MINUTE
            await self._guarded(self._due)
        self.clock.now = max(until, self.clock.now)

    async def _due(self) -> None:
        self.backs |= self.twists.backs
        back = {each for each in self.backs if each <= self.clock.now}
        self.backs -= back
        self.twists.backs -= back
        for channel in self.channels if back else ():
            self.telling.note(await self.program.tables.room_of(channel, None))
        await self.program.scheduler.fire_due()

    # People

    async def _settle_habits(self) -> None:
        people = self.program.tables.people
        for number, user in enumerate(self.people):
            habit = self.habits[user]
            changes: dict[str, Any] = {"zone": ZONES[number % len(ZONES)], "quiet": habit.quiet, "dm": number % 2 == 0}
            if number % 3 == 0:
                changes["digest"] = f"{number % 24:02}:30"
            if number % 12 == 0:
                self.discord.closed.add(user)
            if habit.name == "holiday":
                changes["away_until"] = START + (4 + number % 6) * 24 * HOUR
                self.backs.add(changes["away_until"])
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
        await program.tables.store.commit(set_down(state, guild="900", at=self.clock.now))
        plan = ReminderPlan(
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
        self.telling.begin(room)

    async def _play(self, channel: str) -> None:
        """Let one of those who are asked act, if it is their hour."""
        tables = self.program.tables
        room = await tables.room_of(channel, None)
        state = room.encounter
        if state is None or state.status != "running" or state.over is not None:
            return
        rules = system_of(state)
        waiting = rules.waits_for(state)
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
        offers = rules.offers(state, who)
        if not offers:
            return
        caller = self._caller(user, channel)
        self._take(user)
        try:
            await tables.perform(caller, command_for(self.rng.choice(offers), self.rng, state))
            self.figures.steps += 1
            if user in self.planners and who in state.names:
                await self._say_ahead(channel, who, user)
        except Refusal:
            return

    async def _twist(self, channel: str) -> None:
        """Let something happen at a table beside its turns."""
        await self.twists.maybe(self.program, await self.program.tables.room_of(channel, None), self.twisted)
        self.telling.note(await self.program.tables.room_of(channel, None))

    def _caller(self, user: str | None, channel: str) -> Caller:
        return Caller(
            user=user,
            name="Somebody",
            interaction=self.discord.new_id(),
            channel=channel,
            guild="900",
            can_post=True,
        )

    def _take(self, user: str | None) -> None:
        self.telling.presser = user

    async def _say_ahead(self, channel: str, who: str, user: str) -> None:
        """Let a planner give orders, an answer and a pass in advance; what is refused is not theirs to say now."""
        tables = self.program.tables
        room = await tables.room_of(channel, None)
        state = room.encounter
        owner = None if state is None or (found := state.find(who)) is None else found.owner
        if state is None or state.status != "running" or any(order.who == who for order in state.orders):
            return
        for command in said_ahead(room.table, who, Seat(user=owner, name="Somebody", gm=owner is None), self.rng):
            try:
                await tables.perform(self._caller(owner, channel), command)
            except Refusal:
                continue
            self.figures.ahead += 1

    async def step(self, channel: str, action: str, target: str | None = None, **args: Any) -> None:
        """Take a step as a GM."""
        await self.program.tables.perform(self._caller(None, channel), Command(action=action, target=target, args=args))

    # How long a round takes

    async def _count_hours(self) -> None:
        """Count this moment to each channel's round, if anybody it waits for is awake."""
        for channel in self.channels:
            room = await self.program.tables.room_of(channel, None)
            state = room.encounter
            if state is None or state.status != "running" or state.over is not None:
                continue
            number, hours = self.rounds.get(channel, (state.round, 0.0))
            if state.round != number:
                self.figures.hours.setdefault(state.system, []).append(hours)
                hours = 0.0
            waiting = system_of(state).waits_for(state)
            users = {user for who in waiting for user in asked_users(self.program.tables.people, state, "900", who)}
            self.rounds[channel] = (state.round, hours + any(self._is_awake(user) for user in users) * TICK / HOUR)

    # What must hold

    async def _look(self) -> None:
        """Nothing due is left undone, and everybody who is waited for has something to come or the GM was told."""
        for channel in self.channels:
            room = await self.program.tables.room_of(channel, None)
            state = room.encounter
            needs = {(each.kind, each.key) for each in wanted(state) if each.kind != GM}
            here = {(row.kind, row.key) for row in room.waits if row.place == OPEN and row.kind != GM}
            self.telling.note(room)
            if state is None:
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
        figures = self.figures
        sent = zip(self.discord.sent_at, self.discord.sent, strict=True)
        figures.trace = sha256(json.dumps(list(sent)).encode()).hexdigest()[:12]
        for channel, message in self.discord.sent:
            content = str(message.get("content"))
            figures.direct += channel.startswith("7")
            figures.nudges += "still your turn" in content or "still to answer" in content
            figures.words += "has not acted" in content
            figures.silent_prompts += bool(int(message.get("flags", 0)) & 1 << 12) and "your turn" in content
        for messages in self.discord.messages.values():
            figures.skips += sum("did not act in time" in str(message.get("content")) for message in messages)
        digests = Counter(
            f"{channel}: {message['content']}"
            for channel, message in self.discord.sent
            if "Since the last digest" in str(message["content"])
        )
        figures.digests = digests.total()
        figures.quiet_pings = self.telling.quiet
        figures.doubles = [nonce for nonce, count in self.discord.nonces.items() if count > 1]
        figures.doubles += [text for text, count in digests.items() if count > 1]


async def first_states(folder: Path, *, only: tuple[str, ...] = ()) -> dict[str, tuple[bytes, dict[str, str]]]:
    """Play each system's *Try it* script; return its state and who is who in it. It is the same each time."""
    states = {}
    for script in scripts():
        if only and script.id not in only:
            continue
        clock = Clock()
        async with wired(folder / f"{script.id}.sqlite3", clock=clock) as wire:
            wire.number(clock)
            for line in script.lines:
                await wire.type(line.who, line.text)
            room = await wire.tables.room_of(ROOM, GUILD)
            if room.encounter is not None and room.encounter.status != "running":
                await wire.type("Gwen", "/encounter begin")
            state = room.encounter
            assert state is not None
            users = {name: PEOPLE[name] for name in PEOPLE_OF_SCRIPTS}
            states[script.id] = (state.model_dump_json(exclude_defaults=True).encode(), users)
    return states


@contextmanager
def timeless(seed: int) -> Iterator[None]:
    """Let nothing hang on real time or on chance: the same seed is the same campaign, however busy the machine is."""
    with (
        patch.object(publishing, "EDIT_AFTER_SECONDS", 0.0),
        patch.object(prompt_picture, "DRAWN_WITHIN_SECONDS", PATIENT_SECONDS),
        patch.object(strikes, "PAUSE_SECONDS", 0.0),
        patch.object(direct_messages, "SOON_SECONDS", PATIENT_SECONDS),
        patch.object(keeping, "NOTE_WITHIN_SECONDS", PATIENT_SECONDS),
        patch.object(waits, "_RANDOM", random.Random(seed)),
    ):
        yield


def hours_words(figures: Figures) -> str:
    """Return what a round took in waking hours: for each system how many rounds, the median, nine of ten."""
    said = []
    for system, hours in sorted(figures.hours.items()):
        ranked = sorted(hours)
        median, most = ranked[len(ranked) // 2], ranked[len(ranked) * 9 // 10]
        said.append(f"{system} {len(ranked)} rounds, {median:g} h (90 %: {most:g} h)")
    return "; ".join(said)


def report(figures: Figures, campaign: Campaign) -> str:
    return (
        f"{campaign.days:g} days, {campaign.count} channels, {len(campaign.people)} people, {figures.steps} steps, "
        f"{figures.nudges} nudges ({figures.direct} direct), {figures.words} words to GMs, {figures.skips} skips, "
        f"{figures.digests} digests, "
        f"{figures.silent_prompts} silent prompts, {len(campaign.planners)} planners ({figures.ahead} said ahead), "
        f"{figures.restarts} restarts ({figures.kills} kills), "
        f"{len(figures.quiet_pings)} pings in quiet times, {len(figures.doubles)} doubles, "
        f"{len(figures.stuck)} stuck; beside the turns {campaign.twists.done}; {figures.seconds:.1f} s, "
        f"trace {figures.trace}"
    )


async def main(days: float, channels: int, seed: int, planners: float, twists: float) -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        states = await first_states(Path(folder))
        campaign = Campaign(
            Path(folder) / "campaign.sqlite3", channels=channels, days=days, seed=seed, planners=planners, twists=twists
        )
        figures = await campaign.run(states)
        print(report(figures, campaign))
        print(f"a round in waking hours: {hours_words(figures)}")
        print(f"how many were newly waited for, hours until the last of them was told: {told_words(figures.told)}")
        return figures


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--days", type=float, default=14)
    parser.add_argument("--channels", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--planners", type=float, default=0.5, help="the share of people who say things in advance")
    parser.add_argument("--twists", type=float, default=0.01, help="how often, at each look at a table, something else")
    given = parser.parse_args()
    result = asyncio.run(main(given.days, given.channels, given.seed, given.planners, given.twists))
    faults = {
        "stuck": result.stuck[:10],
        "quiet": result.quiet_pings[:10],
        "doubles": result.doubles[:10],
        "late": result.late[:20],
    }
    print(json.dumps(faults, indent=1))
    sys.exit(any(faults.values()))
