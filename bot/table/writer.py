"""The one writer of log rows: a row, all that it changes and its answer in one transaction, then the room likewise.

Who writes holds the lock of each room (`Tables.locked`), and has asked `Repeats.require_new` before deciding anything.
A room whose write failed is read again before its next use: what is in the store counts.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.caller import Caller
from bot.clock import Clock, since_id, utc_text
from bot.nonces import nonce_of
from bot.render.gm_work import gm_word
from bot.render.payload import Payload
from bot.render.record import StoryRow
from bot.table.calls import called_by, has_turned, is_played, needs_message, passed_to, pinged_of
from bot.table.repeats import Repeats
from bot.table.room import Begun, Room, encounter_key
from bot.table.seen_before import begun_after, moment_of
from bot.waiting.people import People
from bot.waiting.waits import Arming, Moment, Wanted, changed, people_of, reminding_of, wanted
from data.rows import (
    SINCE,
    TO,
    CharacterRow,
    Commit,
    DocumentChange,
    EncounterRow,
    LogWrite,
    OutboxMessage,
    RepeatedInteraction,
    SeedRow,
    WaitChanges,
)
from data.store import Store
from rules.core.encounter import Encounter, Table
from rules.core.hiding import acting
from rules.core.registry import option_value, system_of
from rules.core.seen.lines import Line
from rules.core.turns.absence import asked_about
from rules.dice.source import commitment

TOLD = ("step", "said", "undo", "redo")  # kinds of rows that a live message tells
_written = json.JSONEncoder(ensure_ascii=False).encode  # made once: `json.dumps` would make it for each text


@dataclass(frozen=True, slots=True)
class Entry:
    """What one room's row of the log says, and what changes with it.

    `table` None: it stays, with its waits and its prompt. `encounter` is the one that the row belongs to, `index` the
    index entry that changes. `seed` is what its dice were drawn from; `tells_seed`: the answer holds the commitment.
    `next_seed` comes into force after the row, `reveals` is the `from_seq` of the seed that it makes public.
    `opens`: it opens the encounter. `message` goes to the channel by the outbox.
    """

    kind: str
    command: str
    lines: tuple[Line, ...]
    encounter: str | None = None
    marks: str = "{}"
    dice: str = "[]"
    secret: bool = False
    ruling: bool = False
    table: Table | None = None
    documents: tuple[DocumentChange, ...] = ()
    index: EncounterRow | None = None
    wants_prompt: bool = False
    undone: tuple[int, ...] = ()
    redone: tuple[int, ...] = ()
    drops_redo: bool = False
    characters: tuple[CharacterRow, ...] = ()
    remind: str | None = None
    seed: SeedRow | None = None
    tells_seed: bool = False
    next_seed: SeedRow | None = None
    reveals: int | None = None
    opens: bool = False
    message: Payload | None = None


class Writer:
    """Writes rows. `read_anew` replaces a room whose write failed, `announce` tells of one that has changed."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        people: People,
        repeats: Repeats,
        *,
        read_anew: Callable[[Room], None],
        announce: Callable[[Room], None],
        first_seed: bytes | None = None,
    ) -> None:
        self.store = store
        self.clock = clock
        self.people = people
        self.repeats = repeats
        self.first_seed = first_seed
        self._read_anew = read_anew
        self._announce = announce

    # Seeds

    def seed_for(self, room: Room) -> SeedRow:
        """Return the seed in force; a fresh one, which is not kept yet, if the next row needs it."""
        if room.seed is not None and not room.seed.revealed:
            return room.seed
        first = room.seed is None and self.first_seed is not None
        secret = self.first_seed if first and self.first_seed is not None else secrets.token_bytes(32)
        return SeedRow(channel=room.channel, from_seq=room.next_seq, seed=secret, revealed=False, announced=False)

    async def keep_seed(self, room: Room) -> SeedRow:
        """Return the seed in force; a fresh one is kept now, before the row that needs it. Raises: StoreFailure."""
        seed = self.seed_for(room)
        if seed is not room.seed:
            commit = Commit(
                log=None,
                channel=room.channel,
                guild=room.guild,
                interaction=f"seed:{room.channel}:{seed.from_seq}",
                answer="{}",
                at=self.clock(),
                focus=None if room.encounter is None else room.encounter.id,
                new_seed=seed,
            )
            await self._commit(commit, (room,))
            self._settle(room, commit, room.table)
        return seed

    # Rows

    async def write(self, caller: Caller, *parts: tuple[Room, Entry]) -> int:
        """Keep a row in each of the rooms, all or none; return the number of the one in the caller's channel.

        Raises: RepeatedInteraction, BrokenInvariant, StoreFailure.
        """
        now = self.clock()
        for _, entry in parts:
            if entry.table is not None:
                await self.people.load(people_of(_encounter(entry.table)))
        numbers = {room.channel: room.next_seq for room, _ in parts}
        seq = numbers.get(caller.channel, parts[0][0].next_seq)
        answer = json.dumps({"seq": seq})
        commits = [self._part(room, caller, entry, answer, now) for room, entry in parts]
        await self._commit(replace(commits[0], beside=tuple(commits[1:])), [room for room, _ in parts])
        for (room, entry), commit in zip(parts, commits, strict=True):
            after = room.table if entry.table is None else entry.table
            self._tell(room, caller, entry, commit, _encounter(after))
            room.begun = begun_after(room, _encounter(after), Begun(room.next_seq, moment_of(caller, now)))
            self._settle(room, commit, after)
        self.repeats.note(caller.key, answer)
        return seq

    def _part(self, room: Room, caller: Caller, entry: Entry, answer: str, now: float) -> Commit:
        seq = room.next_seq
        focus = _encounter(room.table if entry.table is None else entry.table)
        seed = entry.seed
        announcement = () if seed is None else _announcement(room, caller, seed)
        is_announced = bool(announcement) or entry.tells_seed
        waits, calls, begins, is_told = None, False, False, False
        if entry.table is not None:
            called = self._called(room, caller, entry, focus)
            begins = entry.opens or (is_played(focus) and not is_played(room.encounter))
            is_played_at = is_played(focus) or is_played(room.encounter)
            is_told = (entry.opens or is_played_at) and entry.kind in TOLD
            calls = needs_message(called, focus, self.people, room.guild)
            calls = calls or (is_played_at and has_turned(room.encounter, focus))
            calls = calls or bool(self._passed_to(room, caller, focus))
            first, last = min(entry.undone, default=None), max(entry.redone, default=None)
            waits = self._waits_after(room, entry.table, Moment(seq, now, caller.interaction, first=first, last=last))
        return Commit(
            log=LogWrite(
                channel=room.channel,
                seq=seq,
                at=utc_text(now),
                kind=entry.kind,
                by=caller.user,
                interaction=caller.interaction,
                encounter=entry.encounter,
                command=entry.command,
                dice=entry.dice,
                lines=dump_lines(entry.lines),
                marks=entry.marks,
                secret=entry.secret,
                ruling=entry.ruling,
            ),
            channel=room.channel,
            guild=room.guild,
            interaction=caller.key,
            answer=answer,
            at=now,
            documents=entry.documents,
            focus=None if focus is None else focus.id,
            encounter=entry.index,
            prompt_version=seq if entry.wants_prompt else None,
            calls=calls,
            begins_story=begins,
            is_told=is_told,
            opening=_opening_changed(room.encounter, focus) if entry.table is not None else None,
            outbox=(
                *announcement,
                *_message(room, seq, entry.message),
                *_gm_words(room, seq, now, caller, entry, focus),
            ),
            undone=entry.undone,
            redone=entry.redone,
            drops_redo=entry.drops_redo,
            characters=entry.characters,
            new_seed=entry.next_seed if seed is None or seed is room.seed else seed,
            reveal_seed_from=entry.reveals,
            announced_seed_from=seed.from_seq if seed is not None and is_announced else None,
            waits=waits,
            remind=entry.remind,
        )

    def _called(self, room: Room, caller: Caller, entry: Entry, after: Encounter | None) -> tuple[str, ...]:
        before, goes_back = room.encounter, bool(entry.undone)
        return called_by(before, after, self.people, room.guild, caller.here, room.waits, goes_back=goes_back)

    def _passed_to(self, room: Room, caller: Caller, after: Encounter | None) -> tuple[str, ...]:
        return passed_to(room.encounter, after, self.people, room.guild, caller.here)

    async def _commit(self, commit: Commit, rooms: Sequence[Room]) -> None:
        try:
            await self.store.commit(commit)
        except RepeatedInteraction:
            raise
        except BaseException:
            self.repeats.note(commit.interaction, None)
            for room in rooms:
                self._read_anew(room)
            raise

    def _waits_after(self, room: Room, table: Table, moment: Moment) -> WaitChanges | None:
        """Return the channel's waits at this state of the table; those asked must be loaded."""
        encounter = _encounter(table)
        needs = wanted(encounter)
        if not (needs or room.waits):
            return None
        armings = room.remind.armings
        if encounter is None:
            return changed(room.waits, armings, None, room.channel, moment, _never, ())
        arm = Arming(self.people, encounter, room.guild, reminding_of(room.remind.settings))
        return changed(room.waits, armings, encounter, room.channel, moment, arm, needs)

    def _tell(self, room: Room, caller: Caller, entry: Entry, commit: Commit, after: Encounter | None) -> None:
        """Add the row to what the channel's live message is to tell, and note who that calls."""
        seq = room.next_seq
        if commit.begins_story:
            room.story = ()
            room.prompt = replace(room.prompt, first=seq, told=seq - 1)
        room.strike(entry.undone, entry.redone)
        if commit.is_told:
            room.prompt = replace(room.prompt, last=seq)
            opens = entry.encounter if entry.opens else None
            room.tell(StoryRow(seq, entry.lines, caller.name if entry.ruling else None, opens=opens))
        room.struck = room.struck or commit.opening is not None
        if commit.calls:
            called = self._called(room, caller, entry, after)
            room.called = None if room.called is None else room.called | pinged_of(called, after)
            room.named |= {*called, *self._passed_to(room, caller, after)}
            room.prompt = replace(room.prompt, calls=seq)

    def _settle(self, room: Room, commit: Commit, table: Table) -> None:
        """Take over what has been committed."""
        for change in commit.documents:
            if change.after is None:
                room.documents.pop(change.key, None)
            else:
                room.documents[change.key] = change.after
        if commit.log is not None:
            room.next_seq = commit.log.seq + 1
        if commit.new_seed is not None:
            room.seed = commit.new_seed
        if room.seed is not None and commit.announced_seed_from == room.seed.from_seq:
            room.seed = replace(room.seed, announced=True)
        if commit.prompt_version is not None:
            room.prompt = replace(room.prompt, wanted=commit.prompt_version)
        if commit.waits is not None:
            room.take_waits(commit.waits)
        if commit.remind is not None and room.remind.settings is None:
            room.remind = replace(room.remind, settings=commit.remind)
        room.posts = room.posts or bool(commit.outbox)
        room.table = table
        encounter = room.encounter
        kept = {"cards"} | ({encounter_key(encounter)} if encounter is not None else set())
        room.documents = {key: value for key, value in room.documents.items() if key in kept}
        self._announce(room)


def index_entry(guild: str, encounter: Encounter) -> EncounterRow:
    """Return the index entry of an encounter: who it waits for, as user ids, `gm` for the GMs."""
    waiting: list[str] = []
    if encounter.status == "running":
        for name in system_of(encounter).waits_for(encounter):
            combatant = encounter.find(name)
            waiting.append("gm" if combatant is None or combatant.owner is None else combatant.owner)
        waiting.extend("gm" for _ in acting(encounter))  # no prompt says so; /turn in a direct message does
        waiting.extend("gm" for _ in asked_about(encounter))
    users = [user for who in waiting for user in (encounter.gms if who == "gm" else (who,))]
    return EncounterRow(
        id=encounter.id,
        channel=encounter.channel,
        guild=guild,
        system=encounter.system,
        name=encounter.name,
        status=encounter.status,
        gms=encounter.gms,
        waiting=tuple(dict.fromkeys(users)),
    )


def dump_lines(lines: tuple[Line, ...]) -> str:
    """Write lines for the log."""
    return _written([line.model_dump(mode="json", exclude_defaults=True) for line in lines])


def commitment_words(seed: SeedRow) -> str:
    """Return the words that commit to a seed, with all 64 hex digits."""
    return (
        "You can check the dice here. The commitment to this channel's secret seed (SHA-256) is "
        f"`{commitment(seed.seed)}`. /fair show explains it."
    )


def _announcement(room: Room, caller: Caller, seed: SeedRow) -> tuple[OutboxMessage, ...]:
    """Return the channel message that commits to a seed, once, and if the bot can post (design 7)."""
    if seed.announced or not caller.can_post:
        return ()
    payload = {"content": commitment_words(seed), "allowed_mentions": {"parse": []}, "flags": 1 << 12}
    nonce = nonce_of(room.channel, "seed", seed.from_seq)
    return (OutboxMessage(nonce=nonce, channel=room.channel, payload=json.dumps(payload)),)


def _message(room: Room, seq: int, told: Payload | None) -> tuple[OutboxMessage, ...]:
    """Return the message of a row that answers nobody in this channel."""
    if told is None:
        return ()
    nonce = f"{room.channel}-s{seq}"[-25:]
    return (OutboxMessage(nonce=nonce, channel=room.channel, payload=json.dumps(told.to_json())),)


def _gm_words(
    room: Room, seq: int, now: float, caller: Caller, entry: Entry, after: Encounter | None
) -> tuple[OutboxMessage, ...]:
    """Return what the GMs who did not do it have to know at once, and nobody else may (play 8)."""
    if entry.table is None or after is None or after.status != "running" or option_value(after, "gm_word") != "dm":
        return ()
    word = gm_word(room.encounter, after)
    if word is None:
        return ()
    return tuple(
        OutboxMessage(
            nonce=nonce_of(room.channel, "gm", seq, gm),
            channel=room.channel,
            payload=json.dumps({TO: gm, SINCE: since_id(caller.interaction, now), **word.to_json()}),
        )
        for gm in after.gms
        if gm != caller.user
    )


def _opening_changed(before: Encounter | None, after: Encounter | None) -> str | None:
    """Return the encounter that has ceased to gather, or gathers again: the message that opened it shows that."""
    if before is None:
        return None
    now = after if after is not None and after.id == before.id else None
    gathers = now is not None and now.status == "gathering"
    return before.id if (before.status == "gathering") != gathers else None


def _never(_each: Wanted, _now: float) -> None:
    """Arm nothing: the channel waits for nobody."""


def _encounter(table: Table) -> Encounter | None:
    active = table.encounter
    return active if isinstance(active, Encounter) else None
