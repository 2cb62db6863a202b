"""The table service: one lock for each channel; load, decide, commit, publish, in this order.

An answer goes out only after the commit. A refusal changes nothing and is kept for a repeated event.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from bot.caller import Caller
from bot.clock import Clock
from bot.render.record import StoryRow
from bot.render.standing_orders import ordered_lines
from bot.step_marks import marks_of
from bot.table.calls import is_played
from bot.table.carry_home import carried
from bot.table.rehearsal import rehearse
from bot.table.repeats import Repeats
from bot.table.room import Room, changes, encounter_key, turn_key
from bot.table.said_again import WORDS, is_said_again
from bot.table.seen_before import answers_unseen, ends_turn_unseen
from bot.table.undone_dice import undone_before
from bot.table.writer import TOLD, Entry, Writer, index_entry
from bot.waiting.people import People
from bot.waiting.waits import people_of
from data.connection import Fenced
from data.rows import LIVE, CharacterRow, DocumentChange, LogRow, PromptRow, RepeatedInteraction, SeedRow
from data.store import Store
from rules.core import refusals
from rules.core.action import QUESTION
from rules.core.cards import Cards
from rules.core.command import Command, command_json
from rules.core.commands import Decision, decide
from rules.core.commands.order_book import NUMBER
from rules.core.commands.standing_orders import ORDERED, due_order
from rules.core.encounter import Encounter, StandingOrder, Table
from rules.core.registry import option_value, read_encounter, system_of
from rules.core.seen.lines import Line, load_lines
from rules.core.sheets.sheet import Character
from rules.core.turns.questions import due_answer
from rules.core.values import Question, Seat
from rules.dice.source import Dice, SeededFaces, dump_records
from rules.errors import Illegal, Refusal, StoreFailure

Lead: TypeAlias = Callable[[Decision], tuple[Line, ...]]
log = logging.getLogger(__name__)
START = "encounter start"
MOST_ORDERS = 50  # one after another
MOST_ROOMS = 2000
MOST_STORY = 300  # rows; a live message holds some fifty
_written = json.JSONEncoder(ensure_ascii=False).encode  # made once: `json.dumps` would make it for each text


@dataclass(frozen=True, slots=True)
class Done:
    """A committed step: what was decided, the room as it is, and the log row's number."""

    room: Room
    seq: int
    decision: Decision
    is_step: bool  # it changed something, so that an undo takes it back
    seat: Seat
    new_turn: bool
    is_told_live: bool = False  # by the channel's live message
    undone: tuple[Line, ...] = ()


class Tables:
    """All channels. To read, call `room_of`, which changes nothing; to play, call `perform`."""

    def __init__(self, store: Store, clock: Clock, *, first_seed: bytes | None = None, started_at: float = 0.0) -> None:
        self.store = store
        self.clock = clock
        self.people = People(store, clock)
        self.repeats = Repeats(store, clock, started_at)
        self.writer = Writer(
            store,
            clock,
            self.people,
            self.repeats,
            read_anew=self._read_anew,
            announce=self.announce,
            first_seed=first_seed,
        )
        self.after_commit: list[Callable[[Room], None]] = []
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._reading: set[asyncio.Task[None]] = set()
        self._loading: dict[str, asyncio.Lock] = {}

    # Rooms

    async def room_of(self, channel: str, guild: str | None) -> Room:
        """Return the channel's room, loaded on first use."""
        room = self._rooms.get(channel)
        if room is not None:
            self._rooms.move_to_end(channel)
            return room
        async with self._loading.setdefault(channel, asyncio.Lock()):
            room = self._rooms.get(channel)
            if room is None:
                room = await self._load(channel, guild or "@me")
                if self.serves(room):  # another process changes the others
                    self._rooms[channel] = room
                    self._forget_idle()
        self._loading.pop(channel, None)
        return room

    def serves(self, room: Room) -> bool:
        """Tell whether this process plays here; with several each has some servers."""
        served = self.store.served
        return served is None or room.guild in served

    def room_in_memory(self, channel: str) -> Room | None:
        """Return the channel's room if it is loaded already."""
        return self._rooms.get(channel)

    async def _load(self, channel: str, guild: str) -> Room:
        row = await self.store.load_table(channel)
        if row is None:
            return Room(channel=channel, guild=guild, table=Table(channel=channel))
        documents: dict[str, bytes] = {}
        cards = Cards()
        if row.cards is not None:
            documents["cards"] = row.cards
            cards = Cards.from_store(row.cards)
        encounter: Encounter | None = None
        if row.encounter is not None and row.system is not None:
            encounter = read_encounter(row.encounter, row.system)
            documents[encounter_key(encounter)] = row.encounter
        await self.people.load(people_of(encounter))
        is_unsure = row.prompt.wanted != row.prompt.posted or row.prompt.last > row.prompt.told or row.owes
        return Room(
            channel=channel,
            guild=row.guild,
            table=Table(channel=channel, cards=cards, encounter=encounter),
            seed=row.seed,
            next_seq=row.next_seq,
            prompt=row.prompt,
            documents=documents,
            remind=row.remind,
            waits=row.waits,
            unsure=is_unsure,
            noted=row.prompt if is_unsure else None,
            undone_lines=await undone_before(self.store, channel),
            story=await self._story(channel, row.prompt, encounter),
        )

    async def _story(self, channel: str, prompt: PromptRow, encounter: Encounter | None) -> tuple[StoryRow, ...]:
        """Return the rows that the channel's live message tells or has still to tell."""
        rows = await self.store.log(channel, after=prompt.first - 1, limit=MOST_STORY)
        return tuple(_story_row(row, encounter) for row in rows if row.kind in TOLD and row.seq <= prompt.last)

    def story_row(self, room: Room, row: LogRow) -> StoryRow:
        """Return a row of the log as a message tells it."""
        return _story_row(row, room.encounter)

    def _forget_idle(self) -> None:
        while len(self._rooms) > MOST_ROOMS:
            for channel, room in self._rooms.items():
                if not (room.lock.locked() or room.is_busy):
                    del self._rooms[channel]
                    break
            else:
                return

    def loaded(self, channel: str) -> Room | None:
        """Return a room that is in memory, None otherwise."""
        return self._rooms.get(channel)

    def rooms(self) -> tuple[Room, ...]:
        """Return the rooms in memory."""
        return tuple(self._rooms.values())

    def _read_anew(self, room: Room) -> None:
        """Replace a room whose write failed: what of it is in the store is told, though nobody acts again."""
        self.forget(room.channel)
        reading = asyncio.create_task(self._announce_anew(room), name=f"read {room.channel} anew")
        self._reading.add(reading)
        reading.add_done_callback(self._reading.discard)

    async def _announce_anew(self, old: Room) -> None:
        try:
            room = await self.room_of(old.channel, old.guild)
        except StoreFailure as failure:
            log.warning("channel %s is not read anew until it is used: %s", old.channel, failure)
            return
        if not old.is_busy:  # nobody was sending: what was sent is noted
            room.trust()
            room.owed[:0] = old.owed
        self.announce(room)

    def forget(self, channel: str) -> None:
        """Drop a room from memory; the next use loads it from the store."""
        self._rooms.pop(channel, None)

    @asynccontextmanager
    async def locked(self, channel: str, guild: str | None) -> AsyncIterator[Room]:
        """Lock a channel's room. If it was read again in the meantime, you get the new one. Raises: Fenced."""
        while True:
            room = await self.room_of(channel, guild)
            if not self.serves(room):
                raise Fenced
            async with room.lock:
                if self._rooms.get(channel) is room:
                    yield room
                    return

    def announce(self, room: Room) -> None:
        """Tell those who follow the tables that one has changed, or may be written to again."""
        for follow in self.after_commit:
            follow(room)

    # Seats

    def seat(self, room: Room, caller: Caller) -> Seat:
        """Return what the caller is at this table."""
        encounter = room.encounter
        gms = () if encounter is None else encounter.gms
        gm = caller.user is not None and caller.user in gms
        return Seat(
            user=caller.user,
            name=caller.name,
            gm=gm or caller.user is None,
            moderator=caller.moderator,
            stands_in_for=self.people.standing_in(caller.user, room.guild, room.channel, people_of(encounter)),
        )

    # Steps

    async def require_step(self, caller: Caller) -> None:
        """Stop at what was done before, and at who may take no step. Raises: RepeatedInteraction, Illegal."""
        await self.repeats.require_new(caller.key)
        caller.require_may_write()

    async def perform(
        self, caller: Caller, command: Command, *, require: Callable[[], Awaitable[None]] | None = None
    ) -> Done:
        """Decide a command, keep it, and return the outcome. `require` may refuse it, under the channel's lock.

        Raises: Refusal (nothing changed), RepeatedInteraction, StoreFailure.
        """
        async with self.locked(caller.channel, caller.guild) as room:
            if require is not None:
                await self.repeats.require_new(caller.key)
                await require()
            return await self.perform_in(room, caller, command)

    async def perform_in(self, room: Room, caller: Caller, command: Command, *, lead: Lead | None = None) -> Done:
        """Do `perform` in a room whose lock is held.

        `lead` returns the lines of a step that answers nobody's interaction, with why it was taken.
        """
        await self.require_step(caller)
        shelf, stored = await self._shelf(room, command)
        seat = self.seat(room, caller)
        seed = self.writer.seed_for(room)
        dice = Dice(SeededFaces(seed.seed, caller.interaction), typed=command.faces)
        await rehearse(room.table, command, seat)
        decision = decide(room.table, command, seat, dice, shelf=shelf, interaction=caller.interaction)
        focus = decision.table.encounter
        if focus is not None and focus.id in stored:
            room.documents[encounter_key(focus)] = stored[focus.id]
        if ends_turn_unseen(room, decision.table.encounter, command, caller):
            raise Illegal("That turn is already over.", instead="Nothing was done; the prompt says who is next.")
        if answers_unseen(room, decision.table.encounter, command, caller):
            raise Illegal("The question you answered is closed.", instead="The prompt says what is asked now.")
        documents = changes(room, decision.table)
        if not documents and not decision.lines:
            raise refusals.changes_nothing()
        if is_said_again(room.table, decision):
            raise Refusal(WORDS)
        lines = decision.lines if lead is None else lead(decision)
        done = await self._keep(room, caller, command, decision, documents, seed, lines)
        if not command.flag(ORDERED):
            await self._carry_out_due_orders(room, caller.here)
        return done

    async def carry_out_orders_left_due(self) -> None:
        """Carry out the orders whose turn had come when the program stopped, or when their step could not be kept."""
        for channel in await self.store.channels_with_orders():
            try:
                async with self.locked(channel, None) as room:
                    await self._carry_out_due_orders(room)
            except StoreFailure as failure:  # another version's, say: the other tables go on
                log.warning("orders in channel %s: %s", channel, failure)

    async def _carry_out_due_orders(self, room: Room, present: str | None = None) -> None:
        """Do what was said before and is due: sealed answers in their place, orders whose turn has come.

        `present` has just acted. Only they are at the table now, so the others are called.
        The step before them is kept, whatever becomes of them.
        """
        try:
            for _ in range(MOST_ORDERS):
                answer = due_answer(room.table)
                order = due_order(room.table) if answer is None else None
                if answer is not None:
                    await self._count_one(room, answer, present)
                elif order is not None:
                    await self._carry_out_one(room, order, present)
                else:
                    return
        except Fenced:  # which carries it out
            log.info("channel %s: another process took its shard", room.channel)
        except Exception:
            log.exception("an order in channel %s", room.channel)

    async def _count_one(self, room: Room, question: Question, present: str | None) -> None:
        """Let a sealed answer count, in a step of its own."""
        sealed = question.sealed
        if sealed is None:
            return
        caller = Caller(
            user=sealed.by,
            name=sealed.by_name or "the referee",
            interaction=sealed.interaction,
            channel=room.channel,
            guild=room.guild,
            can_post=True,
            part=f"answer-{question.id}",
            ahead=True,
            present=present,
        )
        marked = {QUESTION: question.id, ORDERED: True}
        command = sealed.command.evolve(args=marked)
        reason = await self._why_not(room, caller, command, lines_of, "It was counted and then taken back.")
        if reason is not None:
            args = {**marked, "reason": f"{reason} You are asked again."}
            await self._by_itself(room, caller, "again", Command(action="answer again", args=args))

    async def _carry_out_one(self, room: Room, order: StandingOrder, present: str | None) -> None:
        caller = Caller(
            user=order.by,
            name=order.by_name,
            interaction=order.interaction,
            channel=room.channel,
            guild=room.guild,
            can_post=True,
            part="order",
            ahead=True,
            present=present,
        )
        command = order.command.evolve(args={**order.command.args, ORDERED: True, NUMBER: order.number})
        taken_back = "It was carried out and then taken back: give the order again."
        reason = await self._why_not(room, caller, command, ordered_lines, taken_back)
        if reason is not None:
            args = {"reason": reason, ORDERED: True, NUMBER: order.number}
            await self._by_itself(room, caller, "order", Command(action="order drop", character=order.who, args=args))

    async def _why_not(self, room: Room, caller: Caller, command: Command, lead: Lead, taken_back: str) -> str | None:
        """Do what somebody has said before; return why it cannot be done; None if it was done."""
        try:
            await self.perform_in(room, caller, command, lead=lead)
        except RepeatedInteraction:
            return taken_back
        except Refusal as refusal:
            return str(refusal)
        return None

    async def _by_itself(self, room: Room, caller: Caller, part: str, command: Command) -> None:
        """Do something that follows from what somebody has said before, and is nobody's deed."""
        part = f"{part}-{room.next_seq}"
        await self.perform_in(room, replace(caller, user=None, name="the referee", part=part), command)

    async def _shelf(self, room: Room, command: Command) -> tuple[Mapping[str, Encounter], Mapping[str, bytes]]:
        """Return the channel's paused encounters and their stored bytes, for the command that brings one back."""
        if command.action != "encounter resume":
            return {}, {}
        paused = await self.store.paused(room.channel)
        states = {row.id: read_encounter(document, row.system) for row, document in paused}
        return states, {row.id: document for row, document in paused}

    async def _keep(
        self,
        room: Room,
        caller: Caller,
        command: Command,
        decision: Decision,
        documents: tuple[DocumentChange, ...],
        seed: SeedRow,
        lines: tuple[Line, ...],
    ) -> Done:
        encounter = decision.table.encounter
        touched = encounter if room.table.active is not None or decision.table.active is not None else None
        new_turn = turn_key(decision.table) != turn_key(room.table)
        seat = self.seat(room, caller)
        is_step = bool(documents) or decision.dice.has_shuffled  # two cards may come out in their old order
        entry = Entry(
            kind="step" if is_step else "said",  # undo passes by what is said
            command=_written(_logged_command(command, decision)),
            lines=lines,
            encounter=touched.id if isinstance(touched, Encounter) else None,
            marks=marks_of(decision, by_gm=seat.gm and seat.user is not None).written(),
            dice=dump_records(decision.dice.records, decision.dice.discards),
            secret=decision.secret,
            ruling=decision.ruling or decision.opaque,
            table=decision.table,
            documents=documents,
            index=index_entry(room.guild, encounter) if isinstance(encounter, Encounter) else None,
            wants_prompt=new_turn,
            drops_redo=is_step,
            characters=await self._carried(room, decision.table),
            seed=seed,
            opens=command.action == START,
        )
        is_told_live = entry.opens or is_played(room.encounter) or is_played(encounter)
        seq = await self.writer.write(caller, (room, entry))
        undone, room.undone_lines = room.undone_lines, ()
        if not decision.dice.records:  # what was undone is beside new dice alone
            undone = ()
        return Done(
            room=room,
            seq=seq,
            decision=decision,
            is_step=is_step,
            seat=self.seat(room, caller),
            new_turn=new_turn,
            is_told_live=is_told_live,
            undone=undone,
        )

    async def _carried(self, room: Room, after: Table) -> tuple[CharacterRow, ...]:
        """Return the saved characters as an encounter that has just ended leaves them (option `carry`)."""
        encounter = after.encounter
        was_open = room.table.active is not None
        if not (was_open and isinstance(encounter, Encounter) and encounter.status == "ended" and encounter.round):
            return ()
        if option_value(encounter, "carry") != "on":
            return ()
        characters = []
        for combatant in encounter.combatants:
            if combatant.owner is None or combatant.character is None:
                continue
            row = await self.store.character(room.guild, combatant.owner, combatant.character)
            if row is not None:
                character = Character.from_store(row.document)
                system = system_of(encounter)
                left = system.carried(encounter, combatant, carried(character, combatant, system))
                characters.append(replace(row, document=left.model_dump_json(exclude_defaults=True)))
        return tuple(characters)


def lines_of(decision: Decision) -> tuple[Line, ...]:
    """Return what a step says, which answers no interaction."""
    return decision.lines


def _story_row(row: LogRow, encounter: Encounter | None) -> StoryRow:
    people = {} if encounter is None else encounter.people
    ruling_by = people.get(row.by or "", "the GM") if row.ruling else None
    opens = row.encounter if row.kind == "step" and json.loads(row.command).get("action") == START else None
    return StoryRow(row.seq, load_lines(row.lines), ruling_by=ruling_by, is_undone=row.state != LIVE, opens=opens)


def _logged_command(command: Command, decision: Decision) -> dict[str, Any]:
    logged = command_json(command)
    logged.pop("document", None)
    if decision.actor is not None:
        logged["character"] = decision.actor
    if decision.opaque:
        logged["opaque"] = True  # others read of it that the GM did something
    if decision.unsaid:
        logged["unsaid"] = True  # others read of it that it was an order
    return logged
