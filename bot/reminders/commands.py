"""`/remind`: a channel's reminders, your own times, being away; and *Not waiting on me*."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Any

from bot.caller import Caller
from bot.custom_ids import RETYPED, ZONE_BEFORE, Pressed
from bot.reminders.scheduler import Scheduler
from bot.render.components import SECONDARY, button, rows_of
from bot.render.marks import CLOCK
from bot.render.payload import Payload, Reply, fit
from bot.render.words import CONTENT, and_more, escape
from bot.table.repeats import once
from bot.table.room import Room
from bot.table.service import Tables
from bot.waiting.people import FOREVER, UNSET, Person
from bot.waiting.typed_times import parse_clock, parse_quiet, parse_until
from bot.waiting.waits import (
    CALLED,
    HANDED_ON,
    TURN,
    ReminderPlan,
    Reminding,
    Then,
    asked_users,
    handed_on,
    plan_of,
    question_of,
    reminding_of,
    until_back,
)
from bot.waiting.waking import next_clock
from bot.waiting.zones import is_zone, parse_zone
from data.rows import OPEN, WaitChanges, WaitRow
from rules.core.typed.names import shown
from rules.core.typed.times import duration_words, parse_duration
from rules.core.views.view import view_of
from rules.errors import Illegal, Malformed, StoreFailure

log = logging.getLogger(__name__)
_THEN = {
    "gm": "then I tell the GM",
    "skip": "then the round goes on without them, and in the next one they are back",
    "nothing": "then nothing",
}
_NOT_ME = "not-me"
_OFF = ("off", "none")
_NOT_SET = "gone_from"  # by the person it is about


class Reminders:
    """What people set about reminders, as replies."""

    def __init__(self, tables: Tables, scheduler: Scheduler) -> None:
        self.tables = tables
        self.scheduler = scheduler
        self.store = tables.store
        self.people = tables.people
        self.clock = tables.clock

    # The channel's

    @once
    async def turns(
        self, caller: Caller, after: str, every: str | None, times: int, then: Then, digest: str | None
    ) -> Reply:
        """Set the channel's reminders; they hold from the next turn or question on. Raises: Refusal."""
        caller.require_may_write()
        self._require_gm(await self._room(caller), caller)
        if then not in _THEN:  # somebody typed it, past Discord's own list
            raise Malformed("Reminders can end in three ways.", instead=f"then: {shown(_THEN)}.")
        first = parse_duration(after, "time")
        again = first if every is None else parse_duration(every, "time")
        await self.people.load((caller.user,))
        async with self._locked(caller) as room:
            settings = reminding_of(room.remind.settings)
            zone = self.people.get(caller.user).zone
            clock = settings.digest if digest is None else _digest_clock(digest)
            plan = ReminderPlan(after=first, every=again, times=times, then=then)
            reminding = Reminding(plan=plan, digest=clock, zone=settings.zone if digest is None else zone)
            await self._set(room, reminding)
        return Reply(public=Payload(content=f"{CLOCK} {_plan_words(reminding)}"))

    async def _set(self, room: Room, reminding: Reminding) -> None:
        settings = reminding.model_dump_json(exclude_defaults=True)
        due = None
        if reminding.digest is not None:
            due = next_clock(reminding.digest, reminding.zone, self.clock())
            self.scheduler.expect(due)
        await self.store.set_remind(room.channel, room.guild, settings, due)
        room.remind = replace(room.remind, settings=settings)

    @once
    async def off(self, caller: Caller) -> Reply:
        """End the channel's reminders as its GM, or your own settings as a player."""
        if self._is_gm(await self._room(caller), caller):
            caller.require_may_write()
            async with self._locked(caller) as room:
                await self._set(room, Reminding())
                silenced = tuple(replace(row, due=None) for row in _turns(room) if row.due is not None)
                await self._put(room, silenced)
            return Reply(public=Payload(content=f"{CLOCK} Reminders are off in this channel."))
        own = (key for key in type(UNSET).model_fields if key != _NOT_SET)
        await self._come_back(caller, **{key: getattr(UNSET, key) for key in own})
        return Reply(
            private=Payload(content="I deleted your settings: no quiet times, time zone UTC, no direct messages.")
        )

    # One's own

    @once
    async def own_digest(self, caller: Caller, digest: str) -> Reply:
        """Set the digest of somebody who has typed it as the channel's, which is the GM's to set (design 8)."""
        person = await self._set_own(caller.person, _digest_changes(digest))
        words = _person_words(person, self.clock())
        return Reply(private=Payload(content=f"{words} Only the GM sets this channel's nudges."))

    async def _set_own(self, user: str, changes: Mapping[str, Any]) -> Person:
        person = await self.people.change(user, **changes)
        self.refresh(user)
        return person

    @once
    async def me(
        self, caller: Caller, dm: bool | None, timezone: str | None, quiet: str | None, digest: str | None = None
    ) -> Reply:
        """Set one's zone, quiet times, digest, and whether nudges come as direct messages. Raises: Malformed."""
        user, now = caller.person, self.clock()
        await self.people.load((user,))
        before = self.people.get(user)
        changes: dict[str, Any] = {}
        zone = None
        if timezone is not None:
            zone = parse_zone(timezone, now)
            changes["zone"] = zone.name
        if quiet is not None:
            changes["quiet"] = parse_quiet(quiet)
        if dm is not None:
            changes |= {"dm": dm, "dm_closed": False}
        if digest is not None:
            changes |= _digest_changes(digest)
        person = await self._set_own(user, changes) if changes else before
        words = _person_words(person, now)
        if zone is None:
            return Reply(private=Payload(content=words))
        if zone.place:
            words = f"{escape(timezone or '')} means {zone.place}, with its summer time. {words}"
        back = Pressed(RETYPED, "", 0, (ZONE_BEFORE, before.zone)).written()
        said = f"It is {person.waking.local(now):%H:%M} for you now. {words}"
        return Reply(private=Payload(content=said, components=rows_of([button(back, "No", SECONDARY)])))

    @once
    async def not_there(self, caller: Caller, before: str) -> Reply:
        """Take a zone back whose clocks show another time than your own."""
        zone = before if is_zone(before) else UNSET.zone
        person = await self.people.change(caller.person, zone=zone)
        self.refresh(caller.person)
        words = f"Your time zone is still {zone}, where it is {person.waking.local(self.clock()):%H:%M}. "
        words += "`/remind me timezone:` takes a city near you, or your distance from UTC, such as `UTC+2`."
        return Reply(private=Payload(content=words))

    @once
    async def away(self, caller: Caller, until: str | None, stand_in: tuple[str, str] | None) -> Reply:
        """Go on holiday; `stand_in` is the user's id and name, for this server. Raises: Malformed."""
        user, guild, now = caller.person, caller.place, self.clock()
        await self.people.load((user, None if stand_in is None else stand_in[0]))
        person = self.people.get(user)
        end = FOREVER if until is None else parse_until(until, now, person.zone)
        if stand_in is not None and stand_in[0] == user:
            raise Malformed("You cannot stand in for yourself.", instead="Name somebody else, or leave out stand_in.")
        stand_ins = {key: value for key, value in person.stand_ins.items() if person.is_away(now) and key != guild}
        names = {key: value for key, value in person.stand_in_names.items() if key in stand_ins}
        if stand_in is not None:
            stand_ins[guild], names[guild] = stand_in
        await self.people.change(user, away_until=end, stand_ins=stand_ins, stand_in_names=names, handed_on=now)
        is_called = await self.hand_on(user, caller.channel)
        when = "until further notice" if until is None else f"until <t:{int(end)}:f>"
        who = "the GM may act for them"
        mentions: tuple[str, ...] = ()
        if stand_in is not None:
            who = f"<@{stand_in[0]}> stands in"
            mentions = (stand_in[0],) if self.people.is_reachable(stand_in[0]) and not is_called else ()
        self.refresh(user)
        words = f"{CLOCK} {escape(caller.name)} is away {when}; {who}. `/remind back` ends it."
        return Reply(public=Payload(content=words, mentions=mentions))

    @once
    async def back(self, caller: Caller) -> Reply:
        """End one's holiday. Raises: Illegal."""
        user = caller.person
        await self.people.load((user,))
        if not self.people.get(user).is_away(self.clock()):
            raise Illegal("You are not away.", instead="/remind away says that you are going.")
        await self._come_back(caller, away_until=None, stand_ins={}, stand_in_names={})
        return Reply(public=Payload(content=f"{CLOCK} {escape(caller.name)} is back."))

    async def _come_back(self, caller: Caller, **changes: Any) -> None:
        """Change somebody's settings so that they are there again, and call them wherever a table waits for them."""
        user, now = caller.person, self.clock()
        await self.people.load((user,))
        was_away = self.people.get(user).is_away(now)
        await self.people.change(user, **{**changes, "handed_on": now if was_away else 0.0})
        if was_away:
            await self.hand_on(user, caller.channel, present=True)
        self.refresh(user)

    # Looking

    async def list_all(self, caller: Caller) -> Reply:
        """Show the channel's reminders, who is waited for and what comes next, and your own settings."""
        room = await self._room(caller)
        await self.people.load((caller.user,))
        seat = self.tables.seat(room, caller)
        view = view_of(room.table, seat)
        reminding = reminding_of(room.remind.settings)
        lines = [_plan_words(reminding) or "There are no reminders in this channel."]
        state = room.encounter
        if view is not None and state is not None:
            for row in _turns(room):
                if row.who not in view.combatants and state.find(row.who) is not None:
                    continue
                question = question_of(state, row)
                what = "" if question is None else f" ({escape(question.words)})"
                lines.append(f"• {escape(row.who)}{what}: waiting since <t:{int(row.since)}:R>{self._next(row)}")
            for user, name in state.people.items():
                person = self.people.get(user)
                if self.people.is_away(user, room.channel):
                    stand_in = person.stand_in_names.get(room.guild)
                    lines.append(
                        f"• {escape(name)} is away" + (f"; {escape(stand_in)} stands in." if stand_in else ".")
                    )
        lines.append(f"**You**. {_person_words(self.people.get(caller.user), self.clock())}")
        return Reply(private=fit(Payload(content=and_more(lines, CONTENT))))

    def _next(self, row: WaitRow) -> str:
        plan = plan_of(row)
        if row.due is None:
            return "; no more nudges."
        what = "nudge" if plan is None or row.sent < plan.times else "deadline"
        return f"; {what} <t:{int(row.due)}:R>."

    # Not waiting on me

    @once
    async def not_me(self, caller: Caller, number: int) -> Reply:
        """End the nudges to somebody who says that it is not on them; the GM hears of it. Raises: Illegal."""
        async with self._locked(caller) as room:
            state = room.encounter
            seat = self.tables.seat(room, caller)
            own = [
                row
                for row in _turns(room)
                if state is not None
                and (
                    caller.user in asked_users(self.people, state, room.guild, row.who)
                    or ((each := state.find(row.who)) is not None and seat.owns(each))
                )
            ]
            if not own or state is None:
                raise Illegal(
                    "The table isn't waiting for you, so there is no nudge to stop.", instead="/turn shows all."
                )
            is_gm = caller.user in state.gms
            now = self.clock()
            put = []
            for row in own:
                plan = plan_of(row) or ReminderPlan()
                if plan.told == _NOT_ME:  # once is enough for the GM
                    continue
                told = plan.evolve(times=row.sent, then="gm", told=_NOT_ME)
                put.append(replace(row, due=None if is_gm else now, plan=told.model_dump_json(exclude_defaults=True)))
            if put:
                await self._put(room, tuple(put))
        if put and not is_gm:
            self.scheduler.expect(now)
        knows = (
            " I tell the GM that the table isn't waiting on you."
            if put
            else " The GM already knows that the table isn't waiting on you."
        )
        return Reply(private=Payload(content="I won't nudge you about this again." + ("" if is_gm else knows)))

    async def hand_on(self, user: str, channel: str = "", *, present: bool = False) -> bool:
        """Call those who are asked now for what somebody had to decide as they went away or came back.

        It goes for every table that waits for them, or for a person they stand in for. Tell whether `channel` is one;
        if they are `present`, they said so there and need no call.
        """
        is_called = False
        places = {row.channel: row.guild for row in await self.store.waiting_for(user)}
        places |= {room.channel: room.guild for room in self.tables.rooms()}
        for place, guild in places.items():
            if self.store.served is not None and guild not in self.store.served:
                continue  # the process that serves it hears of it
            try:
                async with self.tables.locked(place, guild) as room:
                    called = self._handed_on(room, user, is_present=present and place == channel)
                    if called:
                        await self._put(room, tuple(called))
            except StoreFailure as failure:  # the other tables go on
                log.warning("channel %s is not told who is asked there: %s", place, failure)
                continue
            for row in called:
                self.scheduler.expect(row.due or self.clock())
            is_now = any(row.due is not None and row.due <= self.clock() for row in called)
            is_called = is_called or (is_now and place == channel)
        return is_called

    def _handed_on(self, room: Room, by: str, *, is_present: bool) -> list[WaitRow]:
        """Return the waits of a table that begin for others, now or soon; one who is present knows of theirs."""
        state = room.encounter
        if state is None:
            return []
        called, now = [], self.clock()
        for before in (row for row in room.waits if row.place == OPEN and row.kind in HANDED_ON):
            row = handed_on(self.people, state, room.guild, before, by)
            users = asked_users(self.people, state, room.guild, row.who)
            if row is not before and is_present and by in users:
                plan = plan_of(row)
                ends = [self.people.get(user).waking.after(now, plan.after) for user in users] if plan else []
                row = replace(row, sent=CALLED, due=min(ends, default=None))
            row = until_back(self.people, state, room.guild, row)
            if row != before:
                called.append(row)
        return called

    async def _put(self, room: Room, rows: tuple[WaitRow, ...]) -> None:
        changes = WaitChanges(put=rows, armings=room.remind.armings)
        await self.store.change_waits(room.channel, changes)
        room.take_waits(changes)

    # Small things

    async def _room(self, caller: Caller) -> Room:
        return await self.tables.room_of(caller.channel, caller.guild)

    def _locked(self, caller: Caller) -> AbstractAsyncContextManager[Room]:
        return self.tables.locked(caller.channel, caller.guild)

    def _is_gm(self, room: Room, caller: Caller) -> bool:
        return caller.moderator or (room.encounter is not None and caller.user in room.encounter.gms)

    async def is_player(self, caller: Caller) -> bool:
        """Tell whether somebody is at a table that others run."""
        room = await self._room(caller)
        return room.encounter is not None and not self._is_gm(room, caller)

    def _require_gm(self, room: Room, caller: Caller) -> None:
        if self._is_gm(room, caller):
            return
        if room.encounter is None:
            raise Illegal(
                "There is no encounter here.",
                instead="Open one with /encounter start, and you are its GM; then set reminders.",
            )
        gms = ", ".join(room.encounter.people.get(gm, "the GM") for gm in room.encounter.gms)
        raise Illegal(
            "Only the GM can set a channel's reminders.",
            instead=f"Ask {gms}. /remind me sets your own, with a digest of all your tables.",
        )

    def refresh(self, user: str) -> None:
        """Bring the prompts that name somebody up to date, and look when their own digest and words to them are due."""
        self.scheduler.expect(self.clock())
        self.scheduler.call_now(user)
        for room in self.tables.rooms():
            state = room.encounter
            if state is not None and any(each.owner == user for each in state.combatants):
                self.tables.announce(room)


def _turns(room: Room) -> list[WaitRow]:
    return [row for row in room.waits if row.place == OPEN and row.kind == TURN]


def _digest_clock(digest: str) -> str | None:
    """Return a digest's time of day; None if it is to end. Raises: Malformed."""
    return None if digest.strip().casefold() in _OFF else parse_clock(digest)


def _digest_changes(digest: str) -> Mapping[str, Any]:
    """Return what a person's own digest changes of their settings. Raises: Malformed."""
    clock = _digest_clock(digest)
    return {"digest": clock} if clock else {"digest": None, "digest_due": None, "digest_told": 0}


def _plan_words(reminding: Reminding) -> str:
    """Say a channel's reminders in one sentence."""
    parts: list[str] = []
    plan = reminding.plan
    if plan is not None:
        again = "" if plan.times == 1 else f", then every {duration_words(plan.every)}"
        parts.append(
            f"From the next turn or question on, I nudge after {duration_words(plan.after)}{again}, {plan.times} "
            f"time{'' if plan.times == 1 else 's'} in all; {_THEN[plan.then]}. Only hours in which the person is "
            "awake count (`/remind me`)."
        )
    if reminding.digest is not None:
        parts.append(f"A digest comes at {reminding.digest} ({reminding.zone}).")
    return " ".join(parts)


def _person_words(person: Person, now: float) -> str:
    local = person.waking.local(now)
    direct = "in the channel"
    if person.dm:
        direct = "as direct messages" + (" (yours are closed, so in the channel)" if person.dm_closed else "")
    unset = "; you have set none: /remind me timezone:Europe/Berlin, for example" if person.zone == UNSET.zone else ""
    parts: Sequence[str] = (
        f"Time zone {person.zone} (now {local:%a %H:%M}{unset})",
        f"quiet {person.quiet}" if person.quiet else "no quiet times",
        f"nudges come {direct}",
        "no digest" if person.digest is None else f"a digest of your tables comes at {person.digest} by direct message",
    )
    away = ""
    if person.is_away(now):
        end = (
            ""
            if person.away_until is None or person.away_until >= FOREVER
            else f" until <t:{int(person.away_until)}:f>"
        )
        away = f" You are away{end}."
    return f"{', '.join(parts)}.{away}"
