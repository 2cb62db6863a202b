"""What is due: nudges, deadlines, silent passes, windows that close, digests.

One comparison a second while nothing is due. What is due is found by the store's index and claimed in one
transaction with what is to be sent, so that a crash in between loses nothing and sends nothing twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from bot.caller import Caller
from bot.reminders.digest import Digests, Look
from bot.render.nudge import closed_line, skipped_line
from bot.render.words import PUBLIC
from bot.table.room import Room
from bot.table.service import Tables
from bot.waiting.waits import (
    HANDED_ON,
    PASS,
    UNCALLED,
    WINDOW,
    ReminderPlan,
    asked_users,
    callable_users,
    handed_on,
    is_held_up,
    plan_of,
    question_of,
    until_back,
)
from data.connection import Fenced
from data.rows import OPEN, RepeatedInteraction, WaitChanges, WaitRow
from rules.core.command import Command
from rules.core.commands.absence import SIT_OUT, UNANSWERED
from rules.core.encounter import Encounter
from rules.core.hiding import timeout_action
from rules.core.model import Frozen
from rules.core.registry import system_of
from rules.core.seen.lines import Line
from rules.core.values import Question
from rules.core.views.view import view_of
from rules.errors import Refusal

log = logging.getLogger(__name__)
TICK_SECONDS = 1.0
LATE_SECONDS = 60.0
AGAIN_SECONDS = 60.0
HELD_UP_SECONDS = 600.0
MOST_IN_ROUND = 50

Wake: TypeAlias = Callable[[Room], None]


class GmWord(Frozen):
    """One word to the GM: about which wait, and why (`silent`, `open`, `not-me`, `nothing-mild`, `refused`)."""

    wait: int
    why: str


class Nudge(Frozen):
    """A nudge that was claimed: the waits it names, the words to the GM, and who has had their direct message.

    It belongs to the turn `version`; its `number` marks its message.
    """

    number: int
    version: int
    waits: tuple[int, ...] = ()
    words: tuple[GmWord, ...] = ()
    told: tuple[str, ...] = ()


@dataclass(slots=True)
class _Claim:
    """What one look at a channel has found to be nudged."""

    put: list[WaitRow]
    waits: list[int]
    words: list[GmWord]


class Scheduler:
    """Fires what is due. `wake` makes the publisher look at a room; in a channel that `is_shut` nothing moves."""

    def __init__(self, tables: Tables, wake: Wake, is_shut: Callable[[str], bool], look: Look) -> None:
        self.tables = tables
        self.store = tables.store
        self.people = tables.people
        self.clock = tables.clock
        self.wake = wake
        self.is_shut = is_shut
        self.digests = Digests(tables, wake, look)
        self._next: float | None = None
        self._failed: dict[str, float] = {}
        self._calls: dict[str, float] = {}  # when a GM of a channel wakes, who has been sent something without a sound
        tables.after_commit.append(self.note)

    def note(self, room: Room) -> None:
        """Look at what a step may have made due."""
        for row in room.waits:
            if row.place == OPEN and row.due is not None:
                self.expect(row.due)

    def expect(self, due: float) -> None:
        self._next = due if self._next is None else min(self._next, due)

    def call(self, channel: str, due: float) -> None:
        """Look again at what a channel is owed, at a moment."""
        self._calls[channel] = min(due, self._calls.get(channel, due))
        self.expect(due)

    def call_now(self, user: str) -> None:
        """Look again at once at what somebody is owed as a GM: they may be there earlier than they said."""
        for channel in self._calls:
            room = self.tables.loaded(channel)
            if room is None or room.encounter is None or user in room.encounter.gms:
                self.call(channel, self.clock())

    async def run(self) -> None:
        """Wait for what is due, forever. It follows the clock, however that moves."""
        self._next = self.clock()
        while True:
            if self._next is not None and self.clock() >= self._next:
                try:
                    await self.fire_due()
                except Exception:
                    log.exception("reminders")
                    self._next = self.clock() + AGAIN_SECONDS
            await asyncio.sleep(TICK_SECONDS)

    async def fire_due(self) -> None:
        """Do all that is due now. A channel that fails is left alone for a minute."""
        now = self.clock()
        until = now + AGAIN_SECONDS  # what is to wait longer than that is of a clock that was set back
        self._failed = {channel: at for channel, at in self._failed.items() if now < at <= until}
        for due_now, work in (
            (self.store.due_channels, self.fire),
            (self.store.due_digests, self.digests.post),
            (self.store.due_people, self.digests.send),
        ):
            for each in await due_now(now):
                if each not in self._failed:
                    await self._guarded(each, work)
        for channel in [channel for channel, due in self._calls.items() if due <= now]:
            del self._calls[channel]
            await self._guarded(channel, self._wake)
        self._next = None  # a step that is kept while the store is asked adds what it makes due
        for due in self._calls.values():
            self.expect(due)
        upcoming = await self.store.next_due()
        if upcoming is not None:
            self.expect(now + TICK_SECONDS if upcoming <= now and self._failed else upcoming)

    async def _guarded(self, channel: str, work: Callable[[str], Awaitable[None]]) -> None:
        if self.is_shut(channel):  # gone, or it takes no message: its encounter is suspended
            self._failed[channel] = self.clock() + AGAIN_SECONDS
            return
        try:
            await work(channel)
        except Fenced:  # which reminds there
            log.info("channel %s: another process took its shard", channel)
            self._failed[channel] = self.clock() + AGAIN_SECONDS
        except Exception:
            log.exception("what is due in channel %s", channel)
            self._failed[channel] = self.clock() + AGAIN_SECONDS

    async def _wake(self, channel: str) -> None:
        self.wake(await self.tables.room_of(channel, None))

    # One channel

    async def fire(self, channel: str) -> None:
        """Do what is due in a channel: first what passes by itself, then deadlines, then one nudge for all."""
        async with self.tables.locked(channel, None) as room:
            now = self.clock()
            for _ in range(MOST_IN_ROUND):
                row = next((row for row in _due(room, now) if row.kind in {PASS, WINDOW}), None)
                if row is None:
                    break
                await self._pass_by_itself(room, row)
            claim = _Claim([], [], [])
            for due in _due(room, now):
                if due.kind not in HANDED_ON or not _is_open(room, due) or room.encounter is None:
                    continue
                row = handed_on(self.people, room.encounter, room.guild, due)  # it may be another's now
                if row.sent < _times(row):  # or the call itself
                    self._nudge(room, row, claim, now)
                else:
                    await self._deadline(room, row, claim, now)
            await self._keep(room, claim)

    async def _keep(self, room: Room, claim: _Claim) -> None:
        here = {row.id: row for row in room.waits if row.place == OPEN}
        put = tuple(row for row in claim.put if row.id in here)
        if (state := room.encounter) is not None:
            put = tuple(until_back(self.people, state, room.guild, row) for row in put)
        waits = tuple(each for each in claim.waits if each in here)
        words = tuple(each for each in claim.words if each.wait in here)
        if not put and not words:
            return
        armings = room.remind.armings
        stored_nudge = room.remind.nudge
        if waits or words:
            armings += 1
            pending = read_nudge(stored_nudge)
            if pending is not None and pending.version == room.prompt.wanted:
                waits = tuple(dict.fromkeys((*pending.waits, *waits)))
                words = (*pending.words, *words)
            nudge = Nudge(number=armings, version=room.prompt.wanted, waits=waits, words=words)
            stored_nudge = nudge.model_dump_json(exclude_defaults=True)
        changes = WaitChanges(put=put, armings=armings)
        await self.store.claim_nudge(room.channel, changes, stored_nudge)
        room.take_waits(changes)
        room.remind = replace(room.remind, nudge=stored_nudge)
        if stored_nudge is not None:
            self.wake(room)

    # Nudges

    def _nudge(self, room: Room, row: WaitRow, claim: _Claim, now: float) -> None:
        users = _asked(self, room, row)
        if not any(self.people.is_reachable(user) for user in users):
            woken = (
                users if room.encounter is None else callable_users(self.people, room.encounter, room.guild, row.who)
            )
            claim.put.append(replace(row, due=self._when_awake(woken, now)))
            return
        plan = plan_of(row) or ReminderPlan()
        due: float | None = None
        if row.sent + 1 < plan.times or plan.then != "nothing":
            since = now if row.due is None or now - row.due > LATE_SECONDS else row.due
            due = self._after(users, since, plan.after if row.sent == UNCALLED else plan.every)
        claim.put.append(replace(row, sent=row.sent + 1, due=due))
        claim.waits.append(row.id)

    def _after(self, users: tuple[str, ...], since: float, seconds: float) -> float:
        return min((self.people.get(user).waking.after(since, seconds) for user in users), default=since + seconds)

    def _when_awake(self, users: tuple[str, ...], now: float) -> float:
        return max(self._after(users, now, 0), now + TICK_SECONDS)

    # Deadlines

    async def _deadline(self, room: Room, row: WaitRow, claim: _Claim, now: float) -> None:
        state = room.encounter
        plan = plan_of(row) or ReminderPlan()
        if state is None:
            return
        question = question_of(state, row)
        window = () if question is None or not question.window else _window(state, question)
        # While a window is open nothing tells who has answered: the GM's word is the same for all (design 4).
        why = plan.told or ("open" if len(window) > 1 else "silent")
        if plan.then == "skip" and not plan.told:
            if question is not None and question.answered:
                claim.put.append(replace(row, due=None))
                return
            if question is not None and is_held_up(state, question):
                claim.put.append(replace(row, due=self._after_the_inner(room, state, row, question)))
                return
            failed = await self._skip(room, state, row, is_last=sum(not each.answered for each in window) < 2)
            if failed is None:
                return
            why = failed
        gms = tuple(gm for gm in state.gms if self.people.is_reachable(gm))
        if not gms and state.gms:
            claim.put.append(replace(row, due=self._when_awake(state.gms, now)))
            return
        claim.put.append(replace(row, due=None))
        claim.words.append(GmWord(wait=row.id, why=why))

    async def _skip(self, room: Room, state: Encounter, row: WaitRow, *, is_last: bool) -> str | None:
        """Go on without somebody for the rest of the round; if that cannot be, return why not.

        If it is the last one that a window waited for, it is said aloud.
        """
        is_hidden = state.hidden_named(row.who) is not None
        command = timeout_action(state, row.who) if is_hidden else system_of(state).rest_of_round(state, row.who)
        if command is None or row.key.startswith("a"):
            return "nothing-mild"
        said = (skipped_line(view_of(room.table, PUBLIC), row.who),) if is_last and not is_hidden else ()
        command = command if is_hidden else Command(action=SIT_OUT, target=row.who)
        return None if await self._perform(room, row, command, said) else "refused"

    # What passes by itself

    async def _pass_by_itself(self, room: Room, row: WaitRow) -> None:
        """Pass somebody who could not answer, or close a window whose time is up for one who did not.

        The second is absence: what else this round asks them passes at once; with `then:skip` it was their deadline.
        """
        state = room.encounter
        question = None if state is None else question_of(state, row)
        if state is not None and question is not None and is_held_up(state, question):
            later = replace(row, due=self._after_the_inner(room, state, row, question))
            await self._keep(room, _Claim([later], [], []))
            return
        command = None if state is None or question is None else system_of(state).timeout_action(state, row.who)
        done = False
        if command is not None and question is not None and not question.answered:
            said: tuple[Line, ...] = ()
            if row.kind == WINDOW:
                said = (closed_line(view_of(room.table, PUBLIC), row.who),)
                command = _absent(room, state, row.who, question) or command
            done = await self._perform(room, row, command, said)
        current = next((each for each in room.waits if each.id == row.id and each.place == OPEN), None)
        if current is None or done:
            return
        why = () if row.kind == PASS or state is None or not state.gms else (GmWord(wait=row.id, why="nothing-mild"),)
        await self._keep(room, _Claim([replace(current, due=None)], [], [*why]))

    def _after_the_inner(self, room: Room, state: Encounter, row: WaitRow, question: Question) -> float:
        """Return when to look again at a question whose person is asked another one inside it."""
        now = self.clock()
        inner = {each.id for each in state.questions if each.who == question.who and each.id > question.id}
        due = [
            each.due
            for each in room.waits
            if each.place == OPEN and each.kind == row.kind and each.due is not None
            if (asked := question_of(state, each)) is not None and asked.id in inner
        ]
        return max(max(due, default=now + HELD_UP_SECONDS), now + TICK_SECONDS)

    async def _perform(self, room: Room, row: WaitRow, command: Command, said: tuple[Line, ...]) -> bool:
        """Do a step in the name of the timer; False if the rules refuse it."""
        caller = Caller(
            user=None,
            name="the referee",
            interaction=f"timer:{row.interaction}:{row.number}",
            channel=room.channel,
            guild=room.guild,
            can_post=True,
        )

        try:
            await self.tables.perform_in(room, caller, command, lead=lambda decision: (*said, *decision.lines))
        except Refusal as refusal:
            log.warning("channel %s: the timer's %s for %s: %s", room.channel, command.action, row.who, refusal)
            return False
        except RepeatedInteraction:
            return False
        return True


def _due(room: Room, now: float) -> list[WaitRow]:
    return [row for row in room.waits if row.place == OPEN and row.due is not None and row.due <= now]


def _window(state: Encounter, question: Question) -> tuple[Question, ...]:
    return tuple(each for each in state.questions if each.window == question.window)


def _absent(room: Room, state: Encounter | None, who: str, question: Question) -> Command | None:
    """Return how a round goes on if somebody let a window's time run out; None for one who is hidden."""
    if state is None or state.hidden_named(who) is not None or not question.window:
        return None
    plan = next((plan_of(row) for row in room.waits if row.place == OPEN and row.key == f"q{question.id}"), None)
    combatant = state.find(who)
    if plan is not None and plan.then == "skip" and combatant is not None and combatant.owner is not None:
        return Command(action=SIT_OUT, target=who)
    return Command(action=SIT_OUT, target=who, args={UNANSWERED: True})


def _is_open(room: Room, row: WaitRow) -> bool:
    return any(each.id == row.id and each.place == OPEN for each in room.waits)


def _times(row: WaitRow) -> int:
    plan = plan_of(row)
    return 0 if plan is None else plan.times


def _asked(scheduler: Scheduler, room: Room, row: WaitRow) -> tuple[str, ...]:
    state = room.encounter
    return () if state is None else asked_users(scheduler.people, state, room.guild, row.who)


def read_nudge(text: str | None) -> Nudge | None:
    """Return a claimed nudge; None if there is none. Raises: Unreadable."""
    return None if text is None else Nudge.from_store(text)
