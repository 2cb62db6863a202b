"""Who a table waits for, as rows that steps, undo and redo open and close.

A wait begins with the step that makes the table wait for somebody, and ends with the step after which it does not.
Undo opens again what it goes back to, redo closes it again: a wait belongs to its turn, not to the last step.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from bot.waiting.people import FOREVER, People, Person
from data.rows import AHEAD, OPEN, PAST, WaitChanges, WaitRow
from rules.core.encounter import Encounter
from rules.core.model import Frozen, per_state
from rules.core.options import SOONEST_PASS_SECONDS, pass_seconds
from rules.core.registry import option_value, system_of
from rules.core.turns.absence import ASKED_AFTER
from rules.core.turns.decisions import ABSENCE, decisions, is_turn
from rules.core.typed.times import parse_duration
from rules.core.values import Question

TURN, PASS, WINDOW, GM = "turn", "pass", "window", "gm"  # GM: asked whether to go on without somebody
HANDED_ON = (TURN, GM)  # if somebody goes away, others are called to it
UNCALLED = -1  # nudges of a wait whose prompt came while those asked slept: their first ping is the call
CALLED = 0  # nudges of a wait whose people know of it
SOON_SECONDS = 4.0  # nothing hidden decides: time to read what was asked, and to take a standing pass back
_KEPT_PAST = 300  # steps; an undo further back counts again
Then = Literal["gm", "skip", "nothing"]
_RANDOM = random.SystemRandom()


class ReminderPlan(Frozen):
    """What follows when nobody acts: seconds of waking time, and what happens at the deadline.

    If somebody slept when the prompt came, they are called when they wake; `after` counts from that call.
    """

    after: int = 0
    every: int = 0
    times: int = 0
    then: Then = "nothing"
    told: str = ""  # somebody pressed *not waiting on me*: the GM hears of it now


class Reminding(Frozen):
    """A channel's reminders (`/remind turns`). `digest` is a time of day in `zone`."""

    plan: ReminderPlan | None = None
    digest: str | None = None
    zone: str = "UTC"


DAY_SECONDS = 86_400
UNSET = Reminding(
    plan=ReminderPlan(after=DAY_SECONDS, every=DAY_SECONDS, times=1, then="gm")
)  # until somebody sets others


@dataclass(frozen=True, slots=True)
class Wanted:
    """One thing that the table waits for now. `key` tells it from every other of this encounter."""

    kind: str
    key: str
    who: str


def wanted(state: Encounter | None) -> tuple[Wanted, ...]:
    """Return all that a table waits for, and what passes by itself."""
    if state is None:
        return ()
    waited = decisions(state)
    waits = [Wanted(GM if each.key.startswith(ABSENCE) else TURN, each.key, each.who) for each in waited]
    for question in state.questions if waited else ():
        if question.answered:
            continue
        if question.quiet or (question.silent and option_value(state, "auto_pass") == "on"):
            waits.append(Wanted(PASS, f"p{question.id}", question.who))
        if question.timed:
            waits.append(Wanted(WINDOW, f"w{question.id}", question.who))
    return tuple(waits)


def question_of(state: Encounter, row: WaitRow) -> Question | None:
    """Return the question that a wait is about; None if it is about a turn or a roll."""
    return question_about(state, row.key)


def question_about(state: Encounter, key: str) -> Question | None:
    """Return the question that a wait of that key is about; None if it is about a turn or a roll."""
    number = key[1:]
    if key[:1] not in "qpw" or not number.isdigit():
        return None
    return next((question for question in state.questions if question.id == int(number)), None)


def is_held_up(state: Encounter, question: Question) -> bool:
    """Tell whether the person has a newer question (a window inside this one), which comes first."""
    return any(each.who == question.who and each.id > question.id and not each.answered for each in state.questions)


@dataclass(frozen=True, slots=True)
class Moment:
    """Where the log goes: a step (`seq`), an undo (back before `first`), or a redo (up to `last`)."""

    seq: int
    at: float
    interaction: str
    first: int | None = None
    last: int | None = None


class Armed(NamedTuple):
    """When a wait is first due, if ever, its plan, and the nudges sent so far: UNCALLED if the call itself is due."""

    due: float | None
    plan: ReminderPlan | None = None
    sent: int = 0


Arm = Callable[[Wanted, float], Armed | None]


def changed(
    rows: Iterable[WaitRow],
    armings: int,
    state: Encounter | None,
    channel: str,
    moment: Moment,
    arm: Arm,
    needs: tuple[Wanted, ...],
) -> WaitChanges | None:
    """Return what a step, an undo or a redo changes of a channel's waits; None if nothing changes.

    `arm` says when a wait is first due and what its plan is; None if it needs no row.
    """
    before = {row.id: row for row in rows}
    after = dict(before)
    if moment.first is not None:
        _go_back(after, moment.first)
    elif moment.last is not None:
        _go_on(after, moment.last)
    else:
        _drop_future(after, moment.seq)
    here = {} if state is None else {(state.id, each.kind, each.key): each for each in needs}
    for row in tuple(after.values()):
        if row.place != OPEN:
            continue
        if here.pop((row.encounter, row.kind, row.key), None) is None:
            after[row.id] = replace(row, place=PAST, ended=moment.seq)
        elif before[row.id].place != OPEN:
            armings += 1
            after[row.id] = _again(row, armings, moment, arm)
    for (encounter, _, _), each in here.items():
        armed = arm(each, moment.at)
        if armed is None:
            continue
        armings += 1
        after[armings] = WaitRow(
            channel=channel,
            id=armings,
            encounter=encounter,
            kind=each.kind,
            key=each.key,
            who=each.who,
            place=OPEN,
            armed=moment.seq,
            ended=None,
            since=moment.at,
            due=armed.due,
            sent=armed.sent,
            number=armings,
            interaction=root(moment.interaction),
            plan=None if armed.plan is None else armed.plan.model_dump_json(exclude_defaults=True),
        )
    put = tuple(row for row in after.values() if (was := before.get(row.id)) is not row and was != row)
    dropped = tuple(number for number in before if number not in after)
    return WaitChanges(put=put, dropped=dropped, armings=armings) if put or dropped else None


def _go_back(rows: dict[int, WaitRow], first: int) -> None:
    for row in tuple(rows.values()):
        if row.place == AHEAD:
            continue
        if row.armed >= first:
            rows[row.id] = replace(row, place=AHEAD)
        elif row.ended is not None and row.ended >= first:
            rows[row.id] = replace(row, place=OPEN)


def _go_on(rows: dict[int, WaitRow], last: int) -> None:
    for row in tuple(rows.values()):
        if row.place == PAST:
            continue
        if row.armed > last:
            if row.place == OPEN:  # armed by the undo itself
                del rows[row.id]
        elif row.ended is not None and row.ended <= last:
            rows[row.id] = replace(row, place=PAST)
        else:
            rows[row.id] = replace(row, place=OPEN)


def _drop_future(rows: dict[int, WaitRow], seq: int) -> None:
    for row in tuple(rows.values()):
        if row.place == AHEAD or (row.place == PAST and (row.ended or 0) < seq - _KEPT_PAST):
            del rows[row.id]
        elif row.place == OPEN and row.ended is not None:
            rows[row.id] = replace(row, ended=None)


def _again(row: WaitRow, number: int, moment: Moment, arm: Arm) -> WaitRow:
    """Open a wait again. What fell due meanwhile is counted again; what was still to come keeps its time.

    Somebody who sleeps now is called again when they wake, and somebody who is away when they are back.
    """
    armed = arm(Wanted(row.kind, row.key, row.who), moment.at)
    is_over = row.due is not None and row.due <= moment.at
    if armed is not None and (is_over or armed.sent == UNCALLED):
        return replace(row, number=number, due=armed.due, sent=armed.sent)
    if is_over:
        return replace(row, number=number, due=None, sent=0)
    first = None if armed is None else armed.due
    due = row.due if row.due is None or first is None else min(row.due, first)
    return replace(row, number=number, due=due)


def root(interaction: str) -> str:
    """Return the interaction of a person that something goes back to: timers arm in its name.

    >>> root("timer:123:4")
    '123'
    """
    return interaction.split(":")[1] if interaction.startswith("timer:") else interaction


class Arming:
    """When a wait is first due, by the channel's reminders and the habits of those who are asked."""

    def __init__(self, people: People, state: Encounter, guild: str, reminding: Reminding) -> None:
        self.people = people
        self.state = state
        self.guild = guild
        self.plan = reminding.plan
        self._pass_at: dict[int, float] = {}  # by window: one moment for everybody that an event asks

    def __call__(self, each: Wanted, now: float) -> Armed | None:
        if each.kind == PASS:
            return Armed(self._passes_at(each, now))
        users = asked_users(self.people, self.state, self.guild, each.who)
        if each.kind == WINDOW:  # each person's own waking time counts: nobody's is up while they sleep
            question = question_about(self.state, each.key)
            return Armed(self.first(users, now, window_seconds(self.state, question)))
        is_free = is_turn(each.key) and system_of(self.state).present(self.state).is_endless
        plan = None if self.plan is None or is_free or each.kind == GM else self._plan_for(each.who, self.plan)
        back = back_at(self.people, self.state, self.guild, each.who)
        if users and not any(self.people.get(user).waking.is_awake(now) for user in users):
            woken = callable_users(self.people, self.state, self.guild, each.who)
            return Armed(min(self.first(woken, now, 0), back), plan, UNCALLED)  # the prompt came silently
        due = min(math.inf if plan is None else self.first(users, now, plan.after), back)
        if due < math.inf:
            return Armed(due, plan)
        return None if is_free else Armed(None)  # others may have to be called to it when somebody goes away

    def _passes_at(self, each: Wanted, now: float) -> float:
        """Return when somebody is passed: soon, unless a hidden fact decides who else could react (play 8)."""
        if not system_of(self.state).passes_silently(self.state, each.who):
            return now + SOON_SECONDS
        question = question_about(self.state, each.key)
        window = 0 if question is None else question.window
        return self._pass_at.setdefault(window, silent_moment(self.state, now))

    def _plan_for(self, who: str, plan: ReminderPlan) -> ReminderPlan:
        """Return the plan. Somebody who has missed rounds in a row gets one nudge (play 6)."""
        absence = self.state.absences.get(who)
        if absence is None or absence.rounds < ASKED_AFTER:
            return plan
        return plan.evolve(times=min(plan.times, 1))

    def first(self, users: tuple[str, ...], now: float, seconds: float) -> float:
        return min((self.people.get(user).waking.after(now, seconds) for user in users), default=now + seconds)


def asked_users(people: People, state: Encounter, guild: str, who: str) -> tuple[str, ...]:
    """Return the users who are asked if an actor must act."""
    combatant = state.find(who)
    return people.asked_for(None if combatant is None else combatant.owner, guild, state.channel, state.gms)


def callable_users(people: People, state: Encounter, guild: str, who: str) -> tuple[str, ...]:
    """Return those of whom the first to wake is called: GMs on holiday too, who may be back before another wakes."""
    asked = asked_users(people, state, guild, who)
    on_holiday = tuple(gm for gm in state.gms if people.get(gm).is_away(people.clock()))
    return (*asked, *on_holiday) if asked == asked_users(people, state, guild, "") else asked


def _handovers(people: People, state: Encounter, guild: str, who: str) -> list[float]:
    """Return when somebody else began, or begins, to be asked for an actor: holidays that began, were ended, or end.

    If GMs are asked, those count who went away and left it to another, and the first who is back, or will be.
    """
    combatant, asked = state.find(who), asked_users(people, state, guild, who)
    owner = None if combatant is None else combatant.owner
    here = tuple(gm for gm in state.gms if not people.is_away(gm, state.channel))
    times: list[float] = []
    if asked in (here, state.gms):
        times = [people.get(gm).handed_on for gm in state.gms if here and gm not in here]
        times.append(min((_here_from(people.get(gm)) for gm in here or state.gms), default=math.inf))
    if owner is not None:
        persons = (people.get(owner), people.get(people.stand_in(owner, guild, state.channel)))
        times += [each.handed_on for each in persons]
        times += [each.away_until for each in persons if each.away_until is not None]
    return [at for at in times if at < FOREVER]


def _here_from(person: Person) -> float:
    """Return when somebody was back from their last holiday, or will be."""
    return max(person.handed_on, person.away_until or 0.0)


def back_at(people: People, state: Encounter, guild: str, who: str) -> float:
    """Return when somebody is back from a holiday and asked for an actor; infinity if unknown."""
    now = people.clock()
    return min((at for at in _handovers(people, state, guild, who) if at > now), default=math.inf)


def until_back(people: People, state: Encounter, guild: str, row: WaitRow) -> WaitRow:
    """Return a wait that is looked at when somebody's holiday ends, at the latest."""
    back = back_at(people, state, guild, row.who)
    return row if row.kind not in HANDED_ON or back == math.inf else replace(row, due=min(back, row.due or back))


def handed_on(people: People, state: Encounter, guild: str, row: WaitRow, by: str | None = None) -> WaitRow:
    """Return a wait as it is now: if others are asked than when it began, it begins for them, who are to be called.

    `by` has gone away or come back just now.
    """
    question, now = question_of(state, row), people.clock()
    is_answered = question is not None and (question.answered or question.quiet)
    if is_answered or not has_been_handed_on(people, state, guild, row, by):
        return row
    return replace(row, since=now, sent=UNCALLED, due=now)


def has_been_handed_on(people: People, state: Encounter, guild: str, row: WaitRow, by: str | None = None) -> bool:
    """Tell whether others are asked now than when a wait began.

    A step and somebody who goes away at the same moment can each come first: what they hand on just now counts.
    """
    just_now = None if by is None else people.get(by).handed_on
    handovers = _handovers(people, state, guild, row.who)
    return any(row.since < at <= people.clock() or at == row.since == just_now for at in handovers)


def window_seconds(state: Encounter, question: Question | None) -> int:
    within = "window" if question is None else question.within
    return parse_duration(option_value(state, within), within)


def silent_moment(state: Encounter, now: float) -> float:
    """Draw the moment at which those who could not answer an event are passed: from 10 s to `pass_within`.

    Drawn evenly over the logarithm, as people answer: mostly soon, at times late.
    """
    longest = pass_seconds(option_value(state, "pass_within"))
    return now + SOONEST_PASS_SECONDS * math.exp(_RANDOM.random() * math.log(longest / SOONEST_PASS_SECONDS))


def plan_of(row: WaitRow) -> ReminderPlan | None:
    return None if row.plan is None else ReminderPlan.from_store(row.plan)


def reminding_of(settings: str | None) -> Reminding:
    """Return a channel's reminders; by default one nudge after 24 waking hours, then one to the GM."""
    return UNSET if settings is None else Reminding.from_store(settings)


def applied(rows: Iterable[WaitRow], changes: WaitChanges) -> tuple[WaitRow, ...]:
    """Return a channel's waits after a change."""
    after: Mapping[int, WaitRow] = {row.id: row for row in rows}
    kept = {number: row for number, row in after.items() if number not in changes.dropped}
    kept.update({row.id: row for row in changes.put})
    return tuple(kept.values())


def people_of(state: Encounter | None) -> tuple[str, ...]:
    """Return everybody who may be asked at a table."""
    return () if state is None else _people_at(state)


@per_state
def _people_at(state: Encounter) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*state.gms, *(each.owner for each in state.combatants if each.owner is not None))))
