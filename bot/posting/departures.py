"""People who are gone from a table: they left the server, were removed, or may not see its channel any more.

Discord tells of no member unasked, so it is asked before somebody is shown or sent anything outside the channel. The
seat of somebody who is gone is as if they were away; the GM is told, once and privately.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace

from bot import custom_ids
from bot.caller import Caller
from bot.nonces import nonce_of
from bot.render.components import button, rows_of
from bot.render.payload import Payload, fit
from bot.render.words import escape, listed
from bot.requests.direct_messages import DirectMessages
from bot.requests.members import Members, Presence
from bot.requests.places import Places
from bot.table.room import Room
from bot.table.service import Tables
from bot.waiting.waits import people_of
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.values import Seat
from rules.errors import Illegal, StoreFailure

log = logging.getLogger(__name__)
_MOST_SEATS = 4  # of one person, with a button each


@dataclass(eq=False)
class Departures:
    """Looks people up, and keeps who is gone with their own settings: a restart, or another process, knows it too.

    `later` is told of each channel in which a GM is to be called when they wake, and of when that is.
    """

    tables: Tables
    members: Members
    places: Places
    direct_messages: DirectMessages
    _line: asyncio.Lock = field(default_factory=asyncio.Lock)  # one change after the other, if two tables look
    later: list[Callable[[str, float], None]] = field(default_factory=list)
    _telling: dict[tuple[str, str], asyncio.Task[None]] = field(default_factory=dict)
    _asleep: set[tuple[str, str]] = field(default_factory=set)  # channels, and who has left while every GM sleeps

    def __post_init__(self) -> None:
        self.people = self.tables.people

    # Looking

    async def look(self, user: str, server: str, channel: str) -> Presence:
        """Look up what somebody may do in a table's channel, and note whether they are there."""
        presence = await self.members.presence(user, server, channel)
        if presence is not Presence.UNKNOWN:
            await self._note(user, server, channel, is_gone=presence is Presence.GONE)
        return presence

    async def look_all(self, users: Iterable[str], room: Room) -> dict[str, Presence]:
        """Look up several at one table."""
        asked = tuple(dict.fromkeys(users))
        presences = await asyncio.gather(*(self.look(user, room.guild, room.channel) for user in asked))
        return dict(zip(asked, presences, strict=True))

    async def admitted(self, there: Caller) -> Caller:
        """Return the person who acts at a table from a direct message, as far as they may. Raises: Illegal.

        Without an answer of Discord's they are shown nothing.
        """
        presence = await self.look(there.person, there.guild or "", there.channel)
        if presence is Presence.GONE:
            raise Illegal(
                "That table is in a channel that you can no longer see.",
                instead="Ask the people who manage its server to let you in again.",
            )
        if presence is Presence.UNKNOWN:
            raise Illegal(
                "Discord can't tell me right now whether you can see that table's channel.",
                instead="Try again in a moment, or press in the channel itself.",
            )
        return replace(there, may_write=presence is Presence.WRITES)

    # Noting

    async def _note(self, user: str, server: str, channel: str, *, is_gone: bool) -> None:
        await self.people.load((user,))
        known = self.people.get(user).gone_from
        if not is_gone and channel not in known:
            return
        room = await self.tables.room_of(channel, server)
        state = room.encounter
        if is_gone and (state is None or state.status == "ended" or user not in people_of(state)):
            return  # nobody waits for them
        if is_gone != (channel in known):
            async with self._line:
                left = {each: told for each, told in self.people.get(user).gone_from.items() if each != channel}
                await self.people.change(user, gone_from={**left, channel: False} if is_gone else left)
            self.tables.announce(room)
        if is_gone and not self.people.get(user).gone_from.get(channel):
            self._tell(user, room)

    async def _note_told(self, user: str, channel: str) -> None:
        async with self._line:
            known = self.people.get(user).gone_from
            if channel in known:
                await self.people.change(user, gone_from={**known, channel: True})

    # Telling

    def _tell(self, user: str, room: Room) -> None:
        """Tell the GM in a task of its own: the person who was looked up does not wait for it."""
        key = (room.channel, user)
        if key not in self._telling:
            task = asyncio.create_task(self._tell_gms(user, room), name=f"tell who left {room.channel}")
            self._telling[key] = task
            task.add_done_callback(lambda _: self._telling.pop(key, None))

    async def _tell_gms(self, user: str, room: Room) -> None:
        """Write to the GMs who are there; if none of them can be reached, the next one who comes reads it."""
        state = room.encounter
        if state is None:
            return
        try:
            others = await self.look_all((gm for gm in state.gms if gm != user), room)
            told = [gm for gm, presence in others.items() if presence not in {Presence.GONE, Presence.UNKNOWN}]
            guild = self.places.server(room.guild)
            if all(presence is Presence.GONE for presence in others.values()) and guild is not None:
                told = [str(guild.owner_id)] if str(guild.owner_id) != user else []  # nobody leads it any more
            awake = [gm for gm in told if self.people.is_reachable(gm)]
            if told and not awake:
                self._asleep.add((room.channel, user))
                self.call_later(room.channel, told)
            arrived = [
                await self.direct_messages.send(
                    gm, _word(state, user, room, gm), nonce=nonce_of(room.channel, "gone", user, gm)
                )
                for gm in awake
            ]
            if any(arrived):
                await self._note_told(user, room.channel)
        except StoreFailure:
            log.exception("who left channel %s is not kept", room.channel)

    def call_later(self, channel: str, gms: Iterable[str]) -> None:
        """Look again at what GMs of a channel are owed when the first of them wakes."""
        now = self.tables.clock()
        due = min(self.people.get(gm).waking.next_awake(now) for gm in gms)
        for follow in self.later:
            follow(channel, due)

    def tell_woken(self, room: Room) -> None:
        """Tell who has left, if a GM sleeps no more."""
        for key in [each for each in self._asleep if each[0] == room.channel]:
            self._asleep.discard(key)
            self._tell(key[1], room)

    async def passed(self, caller: Caller) -> str | None:
        """Note that somebody asks from a table's channel: they are there. Return what a GM has still to be told."""
        room = self.tables.loaded(caller.channel)
        state = None if room is None else room.encounter
        if room is None or state is None or caller.user is None:
            return None
        if caller.channel in self.people.get(caller.user).gone_from:
            await self._note(caller.user, room.guild, caller.channel, is_gone=False)
        if caller.user not in state.gms:
            return None
        gone = [
            user
            for user in people_of(state)
            if self.people.get(user).gone_from.get(caller.channel) is False
            and (caller.channel, user) not in self._telling
        ]
        for user in gone:
            await self._note_told(user, caller.channel)
        return "\n".join(_word(state, user, room, caller.user).content for user in gone) or None

    def stop(self) -> None:
        """End what is being told: it is kept that it is not."""
        for task in tuple(self._telling.values()):
            task.cancel()


def present(presences: dict[str, Presence], users: Collection[str]) -> tuple[str, ...]:
    """Return those who are not surely gone."""
    return tuple(user for user in users if presences.get(user) is not Presence.GONE)


def _word(state: Encounter, user: str, room: Room, reader: str) -> Payload:
    """Say who is gone, and what can be done about their seat."""
    name = escape(state.people.get(user, "Somebody"))
    seats = tuple(each.name for each in state.combatants if each.owner == user)
    head = f"**{escape(state.name)}** in <#{room.channel}>: {name} has left, or can no longer see that channel."
    if reader not in state.gms:
        return fit(Payload(content=f"{head} It has no GM now. Appoint one with `/encounter gm` there."))
    if not seats:
        return fit(Payload(content=f"{head} You are now its only GM."))
    words = (
        f"{head} {listed(seats)}: treat them as away, so you can act for them. `/gm skip` goes on without them for a "
        "round, `/gm set` with pool:owner gives them to somebody else, and `/gm remove` takes them out."
    )
    seat = Seat(user=reader, gm=True)
    if any(each.who in seats and system_of(state).reads_orders(state, each.who, seat) for each in state.orders):
        words += " The orders that they gave still count. *My turn* shows them, and you can cancel them there."
    buttons = [
        button(
            custom_ids.Pressed(custom_ids.AWAY, state.id, room.prompt.wanted, ("away", seat)).written(),
            f"Go on without {seat}"[:80],
        )
        for seat in seats[:_MOST_SEATS]
    ]
    return fit(Payload(content=words, components=rows_of(buttons) if state.status == "running" else []))
