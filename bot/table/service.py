"""The table service: one lock for each channel; load, decide, commit, publish, in this order.

An answer goes out only after the commit. A refusal changes nothing and is kept for a repeated event.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from bot.clock import Clock, utc_text
from bot.discord.caller import Caller
from bot.reminders.people import People
from bot.reminders.waits import Arming, Moment, Wanted, applied, changed, people_of, reminding_of, wanted
from bot.render.payload import Payload
from bot.render.standing_orders import ordered_message
from bot.table.carry_home import carried
from bot.table.room import Room, changes, encounter_key, turn_key
from bot.table.undone_dice import undone_before
from data.rows import (
    CharacterRow,
    Commit,
    EncounterRow,
    LogWrite,
    OutboxMessage,
    RepeatedInteraction,
    SeedRow,
    WaitChanges,
)
from data.store import Store
from rules.core.cards import Cards
from rules.core.command import Command, command_json
from rules.core.encounter import Encounter, StandingOrder, Table
from rules.core.errors import Refusal
from rules.core.events import dump_event
from rules.core.lines import Line
from rules.core.registry import option_value, read_encounter, system_of
from rules.core.sheet import Character
from rules.core.values import Seat
from rules.core.verbs import Decision, decide
from rules.core.verbs.orders import ORDERED, due_order
from rules.dice.source import Dice, SeededFaces, commitment, dump_records

Told: TypeAlias = Callable[[Decision], Payload | None]
log = logging.getLogger(__name__)
MOST_ORDERS = 20  # one after another, each of another actor's turn
MOST_ROOMS = 2000
MOST_ANSWERS = 20_000
_written = json.JSONEncoder(ensure_ascii=False).encode  # made once: `json.dumps` would make it for each text


@dataclass(frozen=True, slots=True)
class Done:
    """A committed step: what was decided, the room as it stands, and the log row's number."""

    room: Room
    seq: int
    decision: Decision
    seat: Seat
    new_turn: bool
    undone: tuple[Line, ...] = ()


class Tables:
    """All channels. Cogs read through `room_of` and change through `perform`."""

    def __init__(self, store: Store, clock: Clock, *, first_seed: bytes | None = None, started_at: float = 0.0) -> None:
        self.store = store
        self.clock = clock
        self.first_seed = first_seed
        self.started_at = started_at
        self.people = People(store, clock)
        self.after_commit: list[Callable[[Room], None]] = []
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Lock] = {}
        self._answers: OrderedDict[str, str] = OrderedDict()

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
                self._rooms[channel] = room
                self._forget_idle()
                async with room.lock:
                    await self._carry_out(room)  # what a stop between a step and an order's turn left undone
        self._loading.pop(channel, None)
        return room

    async def _load(self, channel: str, guild: str) -> Room:
        row = await self.store.load_table(channel)
        if row is None:
            return Room(channel=channel, guild=guild, table=Table(channel=channel))
        documents: dict[str, bytes] = {}
        cards = Cards()
        if row.cards is not None:
            documents["cards"] = row.cards
            cards = Cards.model_validate_json(row.cards)
        encounter: Encounter | None = None
        if row.encounter is not None and row.system is not None:
            encounter = read_encounter(row.encounter, row.system)
            documents[encounter_key(encounter)] = row.encounter
        await self.people.load(people_of(encounter))
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
            unsure=row.prompt.wanted != row.prompt.posted or row.owes,
            undone_lines=await undone_before(self.store, channel),
        )

    def _forget_idle(self) -> None:
        while len(self._rooms) > MOST_ROOMS:
            for channel, room in self._rooms.items():
                idle = not room.lock.locked() and (room.publishing is None or room.publishing.done())
                if idle:
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

    def forget(self, channel: str) -> None:
        """Drop a room from memory; the next use loads it from the store."""
        self._rooms.pop(channel, None)

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
            stands_in_for=self.people.standing_in(caller.user, room.guild, people_of(encounter)),
        )

    # Repeated events

    async def answered(self, interaction: str) -> str | None:
        """Return the answer that this interaction got before, None where it is new."""
        known = self._answers.get(interaction)
        if known is not None:
            return known
        if not interaction.isdecimal() or _created(interaction) > self.started_at + 1:
            return None
        return await self.store.answered(interaction)

    def note_answer(self, interaction: str, answer: str) -> None:
        """Keep an answer in memory for an event that arrives twice."""
        self._answers[interaction] = answer
        while len(self._answers) > MOST_ANSWERS:
            self._answers.popitem(last=False)

    # Steps

    async def perform(self, caller: Caller, command: Command) -> Done:
        """Decide a command, keep it, and return what came of it.

        Raises: Refusal (nothing changed), RepeatedInteraction, StoreFailure.
        """
        room = await self.room_of(caller.channel, caller.guild)
        async with room.lock:
            return await self.perform_in(room, caller, command)

    async def perform_in(self, room: Room, caller: Caller, command: Command, *, told: Told | None = None) -> Done:
        """Do `perform` in a room whose lock is held.

        `told` writes the channel message of a step that answers nobody's interaction; it goes out by the outbox.
        """
        before = await self.answered(caller.key)
        if before is not None:
            raise RepeatedInteraction(before)
        if command.text("when") is not None:
            command = command.evolve(args={**command.args, "id": caller.interaction})
        shelf, stored = await self._shelf(room, command)
        seat = self.seat(room, caller)
        seed, _ = self.seed_for(room)
        dice = Dice(SeededFaces(seed.seed, caller.interaction), typed=command.faces)
        decision = decide(room.table, command, seat, dice, shelf=shelf)
        focus = decision.table.encounter
        if focus is not None and focus.id in stored:
            room.documents[encounter_key(focus)] = stored[focus.id]
        if not decision.events and not decision.lines:
            raise Refusal("That changes nothing.")
        done = await self._keep(room, caller, command, decision, seed, None if told is None else told(decision))
        if not command.flag(ORDERED):
            await self._carry_out(room)
        return done

    async def _carry_out(self, room: Room) -> None:
        """Carry out the orders whose turn has come. The step before them stands, whatever becomes of them."""
        try:
            for _ in range(MOST_ORDERS):
                order = due_order(room.table)
                if order is None:
                    return
                await self._carry_out_one(room, order)
        except Exception:
            log.exception("an order in channel %s", room.channel)

    async def _carry_out_one(self, room: Room, order: StandingOrder) -> None:
        caller = Caller(
            user=order.by,
            name=order.by_name,
            interaction=order.interaction,
            channel=room.channel,
            guild=room.guild,
            can_post=True,
            part="order",
        )
        command = order.command.evolve(args={**order.command.args, ORDERED: True})
        try:
            await self.perform_in(room, caller, command, told=lambda decision: ordered_message(room.table, decision))
        except RepeatedInteraction:
            reason = "It was carried out before and taken back: give it anew."
        except Refusal as refusal:
            reason = str(refusal)
        else:
            return
        by_itself = replace(caller, user=None, name="the referee", part=f"order-{room.next_seq}")
        dropped = Command(action="order drop", character=order.who, args={"reason": reason, ORDERED: True})
        await self.perform_in(room, by_itself, dropped)

    async def _shelf(self, room: Room, command: Command) -> tuple[Mapping[str, Encounter], Mapping[str, bytes]]:
        """Return the channel's paused encounters and their stored bytes, for the command that brings one back."""
        if command.action != "encounter resume":
            return {}, {}
        paused = await self.store.paused(room.channel)
        states = {row.id: read_encounter(document, row.system) for row, document in paused}
        return states, {row.id: document for row, document in paused}

    def seed_for(self, room: Room) -> tuple[SeedRow, SeedRow | None]:
        """Return the seed in force, and the same again where it is new and must be kept with the next row."""
        if room.seed is not None and not room.seed.revealed:
            return room.seed, None
        first = room.seed is None and self.first_seed is not None
        secret = self.first_seed if first and self.first_seed is not None else secrets.token_bytes(32)
        fresh = SeedRow(channel=room.channel, from_seq=room.next_seq, seed=secret, revealed=False, announced=False)
        return fresh, fresh

    async def _keep(
        self,
        room: Room,
        caller: Caller,
        command: Command,
        decision: Decision,
        seed: SeedRow,
        told: Payload | None = None,
    ) -> Done:
        new_seed = None if seed is room.seed else seed
        seq = room.next_seq
        now = self.clock()
        await self.people.load(people_of(decision.table.encounter))
        documents = changes(room, decision.table)
        new_turn = turn_key(decision.table) != turn_key(room.table)
        encounter = decision.table.encounter
        touched = encounter if room.table.active is not None or decision.table.active is not None else None
        row = self.encounter_row(room, encounter) if isinstance(encounter, Encounter) else None
        characters = await self._carried(room, decision.table)
        log = LogWrite(
            channel=room.channel,
            seq=seq,
            at=utc_text(now),
            kind="step" if decision.events else "said",  # what changes nothing is no step: undo passes it by
            by=caller.user,
            interaction=caller.interaction,
            encounter=touched.id if isinstance(touched, Encounter) else None,
            command=_written(_logged_command(command, decision)),
            events=_written([dump_event(event) for event in decision.events]),
            dice=dump_records(decision.dice.records),
            lines=dump_lines(decision.lines),
            secret=decision.secret,
            ruling=decision.ruling,
        )
        answer = json.dumps({"seq": seq})
        announcement = self.announcement(room, caller, seed)
        outbox = (*announcement, *_message(room, seq, told))
        commit = Commit(
            log=log,
            channel=room.channel,
            guild=room.guild,
            interaction=caller.key,
            answer=answer,
            at=now,
            documents=documents,
            focus=encounter.id if isinstance(encounter, Encounter) else None,
            encounter=row,
            prompt_version=seq if new_turn else None,
            outbox=outbox,
            drops_redo=bool(decision.events),
            new_seed=new_seed,
            announced_seed_from=seed.from_seq if announcement else None,
            characters=characters,
            waits=self.waits_after(room, decision.table, Moment(seq, now, caller.interaction)),
        )
        await self.commit(room, commit)
        undone, room.undone_lines = room.undone_lines, ()
        self.settle(room, commit, decision.table, new_seed)
        self.note_answer(caller.key, answer)
        return Done(
            room=room,
            seq=seq,
            decision=decision,
            seat=self.seat(room, caller),
            new_turn=new_turn,
            undone=undone,
        )

    def waits_after(self, room: Room, table: Table, moment: Moment) -> WaitChanges | None:
        """Return what becomes of the channel's waits when the table stands so; those asked must be loaded."""
        encounter = table.encounter if isinstance(table.encounter, Encounter) else None
        needs = wanted(encounter)
        if encounter is None or not (needs or room.waits):
            return (
                None
                if not room.waits
                else changed(room.waits, room.remind.armings, None, room.channel, moment, _never, ())
            )
        arm = Arming(self.people, encounter, room.guild, reminding_of(room.remind.settings))
        return changed(room.waits, room.remind.armings, encounter, room.channel, moment, arm, needs)

    async def commit(self, room: Room, commit: Commit) -> None:
        """Write a step. A room whose write failed is read anew: what stands in the store counts."""
        try:
            await self.store.commit(commit)
        except RepeatedInteraction:
            raise
        except BaseException:
            self.forget(room.channel)
            raise

    async def _carried(self, room: Room, after: Table) -> tuple[CharacterRow, ...]:
        """Return the saved characters as an encounter that has just ended leaves them (option `carry`)."""
        encounter = after.encounter
        was_open = room.table.active is not None
        if not (was_open and isinstance(encounter, Encounter) and encounter.status == "ended" and encounter.round):
            return ()
        if option_value(encounter, "carry") != "on":
            return ()
        found = []
        for combatant in encounter.combatants:
            if combatant.owner is None or combatant.character is None:
                continue
            row = await self.store.character(room.guild, combatant.owner, combatant.character)
            if row is not None:
                character = Character.model_validate_json(row.document)
                system = system_of(encounter)
                left = system.carried(encounter, combatant, carried(character, combatant, system))
                found.append(replace(row, document=left.model_dump_json(exclude_defaults=True)))
        return tuple(found)

    def announcement(self, room: Room, caller: Caller, seed: SeedRow) -> tuple[OutboxMessage, ...]:
        """Return the channel message that commits to a seed, once and where the bot can post (design 7)."""
        if seed.announced or not caller.can_post:
            return ()
        payload = {"content": commitment_words(seed), "allowed_mentions": {"parse": []}, "flags": 1 << 12}
        nonce = f"{room.channel}-{seed.from_seq}"[-25:]
        return (OutboxMessage(nonce=nonce, channel=room.channel, payload=json.dumps(payload)),)

    def settle(self, room: Room, commit: Commit, table: Table, new_seed: SeedRow | None) -> None:
        """Take over what has been committed."""
        for change in commit.documents:
            if change.after is None:
                room.documents.pop(change.key, None)
            else:
                room.documents[change.key] = change.after
        if commit.log is not None:
            room.next_seq = commit.log.seq + 1
        if new_seed is not None:
            room.seed = new_seed
        if room.seed is not None and commit.announced_seed_from == room.seed.from_seq:
            room.seed = replace(room.seed, announced=True)
        if commit.prompt_version is not None:
            room.prompt = type(room.prompt)(
                wanted=commit.prompt_version, posted=room.prompt.posted, message=room.prompt.message
            )
        if commit.waits is not None:
            self.take_waits(room, commit.waits)
        if commit.remind is not None and room.remind.settings is None:
            room.remind = replace(room.remind, settings=commit.remind)
        room.table = table
        encounter = room.encounter
        kept = {"cards"} | ({encounter_key(encounter)} if encounter is not None else set())
        room.documents = {key: value for key, value in room.documents.items() if key in kept}
        for publish in self.after_commit:
            publish(room)

    def take_waits(self, room: Room, waits: WaitChanges) -> None:
        """Take over waits that the store has."""
        room.waits = applied(room.waits, waits)
        room.remind = replace(room.remind, armings=waits.armings)

    def encounter_row(self, room: Room, encounter: Encounter) -> EncounterRow:
        """Return the index entry of an encounter: who it waits for, as user ids, `gm` for the GMs."""
        waiting: list[str] = []
        if encounter.status == "running":
            for name in system_of(encounter).waits_for(encounter):
                combatant = encounter.find(name)
                waiting.append("gm" if combatant is None or combatant.owner is None else combatant.owner)
        users = [user for who in waiting for user in (encounter.gms if who == "gm" else (who,))]
        return EncounterRow(
            id=encounter.id,
            channel=encounter.channel,
            guild=room.guild,
            system=encounter.system,
            name=encounter.name,
            status=encounter.status,
            gms=encounter.gms,
            waiting=tuple(dict.fromkeys(users)),
        )


def _message(room: Room, seq: int, told: Payload | None) -> tuple[OutboxMessage, ...]:
    """Return the message of a step that the referee took by itself."""
    if told is None:
        return ()
    return (
        OutboxMessage(nonce=f"{room.channel}-s{seq}"[-25:], channel=room.channel, payload=json.dumps(told.to_json())),
    )


def _never(_each: Wanted, _now: float) -> None:
    """Arm nothing: the channel waits for nobody."""


def _logged_command(command: Command, decision: Decision) -> dict[str, Any]:
    logged = command_json(command)
    logged.pop("document", None)
    if "when" in logged:
        logged.pop("id", None)
    if decision.actor is not None:
        logged["character"] = decision.actor
    return logged


def dump_lines(lines: tuple[Line, ...]) -> str:
    """Write lines for the log."""
    return _written([line.model_dump(mode="json", exclude_defaults=True) for line in lines])


def load_lines(text: str) -> tuple[Line, ...]:
    """Read lines from the log."""
    return tuple(Line.model_validate(entry) for entry in json.loads(text))


def commitment_words(seed: SeedRow) -> str:
    """Return the words that commit to a seed, with all 64 hex digits."""
    return (
        "The dice here can be checked. Commitment to this channel's secret seed (SHA-256): "
        f"`{commitment(seed.seed)}`. /fair show explains."
    )


def _created(snowflake: str) -> float:
    """Return when a Discord id was made, in Unix seconds."""
    return ((int(snowflake) >> 22) + 1420070400000) / 1000
