"""Undo and redo: earlier and later states exactly as they were, as rows of the log of their own.

Undo restores the documents before each step; redo applies the steps' events again. Who may: the GM at any time;
a player their own last step, if nobody acted since and it showed nobody anything new (an undo is not a peek).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.discord.caller import Caller
from bot.render.marks import BACK
from bot.table.room import Room, changes, encounter_key
from bot.table.service import Tables
from bot.table.undone_dice import rolled_lines
from bot.table.writer import Entry, index_entry, load_lines
from data.carried import Carried
from data.rows import DocumentChange, EncounterRow, LogRow, UndoStep
from rules.core.cards import Cards
from rules.core.encounter import Encounter, Table
from rules.core.errors import Illegal, Malformed
from rules.core.events import load_event
from rules.core.lines import Line
from rules.core.registry import option_value, read_encounter
from rules.core.values import Seat
from rules.core.view import deck_seen, hands_seen
from rules.dice.source import Die, Draw, is_untold, load_records

MOST_STEPS = 100
MOST_AGAIN = 6


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What an undo or redo did: the lines of each step, the latest first, and what it gave back.

    `kept` are the characters that were saved anew since an encounter's end and so stayed as they are.
    """

    room: Room
    seq: int
    lines: tuple[tuple[Line, ...], ...]
    given_back: str
    kept: tuple[Carried, ...] = ()


class Timeline:
    """The past and the undone future of each table."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    async def undo(self, caller: Caller, steps: int) -> TakenBack:
        """Take back the last steps. Raises: Refusal, RepeatedInteraction."""
        async with self.tables.locked(caller.channel, caller.guild) as room:
            await self.tables.answers.require_new(caller.key)
            found = await self.tables.store.last_steps(room.channel, _checked(steps))
            if not found:
                raise Illegal("There is nothing to undo here.", instead="No undo crosses a reveal or a move.")
            self._require_right(room, caller, found)
            if len(found) < steps:
                raise Illegal(
                    f"Only {len(found)} steps can be undone.", instead=f"steps:{len(found)} takes them all back."
                )
            if len({step.row.encounter for step in found}) > 1:
                inside = sum(1 for step in found if step.row.encounter == found[0].row.encounter)
                raise Illegal(
                    f"The last {inside} steps belong to one encounter, those before to another.",
                    instead=f"steps:{inside} first.",
                )
            table, documents = await self._before(room, found)
            if not self._is_gm(room, caller, found[0].row.encounter):
                _require_no_peek(room.table, table, found[0].row)
            seqs = [step.row.seq for step in found]
            rows = [step.row for step in found]
            seq = await self._keep(room, caller, "undo", seqs, table, documents, rows)
            room.undone_lines = rolled_lines(rows)
            lines = tuple(load_lines(row.lines) for row in rows)
            return TakenBack(room, seq, lines, _given_back(room, rows), await self._kept(rows))

    async def redo(self, caller: Caller, steps: int) -> TakenBack:
        """Do undone steps again. Raises: Refusal, RepeatedInteraction."""
        async with self.tables.locked(caller.channel, caller.guild) as room:
            await self.tables.answers.require_new(caller.key)
            rows = await self.tables.store.redoable(room.channel, _checked(steps))
            if not rows:
                raise Illegal("There is nothing to redo.", instead="A new step ends redo.")
            if len(rows) < steps:
                raise Illegal(f"Only {len(rows)} steps can be done again.", instead=f"steps:{len(rows)} does them all.")
            if not self._is_gm(room, caller, rows[0].encounter) and not all(row.by == caller.user for row in rows):
                raise Illegal("Those steps are not yours to do again.", instead="The GM can, with /encounter redo.")
            table = room.table
            for row in rows:
                for data in json.loads(row.events):
                    table = load_event(data).apply(table)
            focus = table.encounter
            if isinstance(focus, Encounter) and (room.encounter is None or focus.id != room.encounter.id):
                stored = await self.tables.store.load_encounter(focus.id)
                if stored is not None:
                    room.documents[encounter_key(focus)] = stored[1]
            documents = changes(room, table)
            room.undone_lines = ()
            seq = await self._keep(room, caller, "redo", [row.seq for row in rows], table, documents, list(rows))
            lines = tuple(load_lines(row.lines) for row in reversed(rows))
            return TakenBack(room, seq, lines, _given_back(room, rows), await self._kept(rows))

    async def _kept(self, rows: Sequence[LogRow]) -> tuple[Carried, ...]:
        found = [each for row in rows for each in await self.tables.store.carried_by(row.channel, row.seq)]
        return tuple(each for each in found if each.is_other)

    async def bring_back(self, caller: Caller, seq: int, number: int) -> Carried:
        """Bring a character to what an undone or redone end leaves of it; its player decides that. Raises: Refusal."""
        async with self.tables.locked(caller.channel, caller.guild):
            for each in await self.tables.store.carried_by(caller.channel, seq):
                if each.number != number:
                    continue
                if caller.user != each.character.owner:
                    raise Illegal("That character is somebody else's.", instead="Its player decides.")
                await self.tables.store.save_character(replace(each.character, document=each.wanted))
                return each
        raise Illegal("That character is no longer here.", instead="/character list shows yours.")

    # Rights

    def _is_gm(self, room: Room, caller: Caller, encounter: str | None) -> bool:
        if caller.moderator:
            return True
        focus = room.encounter
        if focus is None or (encounter is not None and focus.id != encounter):
            return False
        return caller.user is not None and caller.user in focus.gms

    def _require_right(self, room: Room, caller: Caller, found: tuple[UndoStep, ...]) -> None:
        last = found[0].row
        if self._is_gm(room, caller, last.encounter):
            return
        if last.by != caller.user:
            raise Illegal(
                "The last step is not yours to take back.",
                rule="G-05",
                instead="Ask the GM; /encounter undo is theirs.",
            )
        if len(found) > 1:
            raise Illegal("A player takes back one step, their own last.", rule="G-05", instead="Leave steps out.")

    # States

    async def _before(self, room: Room, found: tuple[UndoStep, ...]) -> tuple[Table, tuple[DocumentChange, ...]]:
        restored: dict[str, bytes | None] = {}
        for step in found:
            restored.update(step.documents_before)
        focus = found[-1].focus_before
        cards = room.table.cards
        if "cards" in restored:
            written = restored["cards"]
            cards = Cards() if written is None else Cards.model_validate_json(written)
        encounter = await self._encounter(room, focus, restored)
        documents = []
        for key, after in restored.items():
            before = room.documents.get(key)
            if before is None and key.startswith("encounter:"):
                stored = await self.tables.store.load_encounter(key.removeprefix("encounter:"))
                before = None if stored is None else stored[1]
            if before != after:
                documents.append(DocumentChange(key=key, before=before, after=after))
        return Table(channel=room.channel, cards=cards, encounter=encounter), tuple(documents)

    async def _encounter(self, room: Room, focus: str | None, restored: dict[str, bytes | None]) -> Encounter | None:
        if focus is None:
            return None
        written = restored.get(f"encounter:{focus}")
        if written is not None:
            system = json.loads(written)["system"]
            return read_encounter(written, system)
        if room.encounter is not None and room.encounter.id == focus:
            return room.encounter
        stored = await self.tables.store.load_encounter(focus)
        if stored is None:
            return None
        room.documents[f"encounter:{focus}"] = stored[1]
        return read_encounter(stored[1], stored[0].system)

    async def _keep(
        self,
        room: Room,
        caller: Caller,
        kind: str,
        seqs: list[int],
        table: Table,
        documents: tuple[DocumentChange, ...],
        rows: list[LogRow],
    ) -> int:
        words = f"{BACK} {{by}} " + ("takes back {count}." if kind == "undo" else "does {count} again.")
        facts = {"by": caller.name, "count": "the last step" if len(seqs) == 1 else f"the last {len(seqs)} steps"}
        if given := _given_back(room, rows):
            words += " Undone: {given}." if kind == "undo" else " Again: {given}."
            facts["given"] = given
        again = _holds_again(room.table, table) if kind == "undo" else ()
        holds = Line(words="{again}.", facts={"again": "; ".join(again)})
        entry = Entry(
            kind=kind,
            command=json.dumps({kind: seqs}),
            lines=(Line(words=words, facts=facts), *((holds,) if again else ())),
            encounter=rows[0].encounter,
            table=table,
            documents=documents,
            index=self._row(room, documents),
            wants_prompt=True,
            undone=tuple(seqs) if kind == "undo" else (),
            redone=tuple(seqs) if kind == "redo" else (),
        )
        return await self.tables.writer.write(caller, (room, entry))

    def _row(self, room: Room, documents: tuple[DocumentChange, ...]) -> EncounterRow | None:
        """Return the index entry of the encounter whose document changes (which may leave the focus)."""
        for change in documents:
            if change.key.startswith("encounter:") and change.after is not None:
                state = read_encounter(change.after, json.loads(change.after)["system"])
                return index_entry(room.guild, state)
        return None


def _require_no_peek(now: Table, before: Table, last: LogRow) -> None:
    """Refuse a player's undo of a step that rolled, moved cards, or asked somebody. Raises: Illegal."""
    if (
        any(not is_untold(each) for each in load_records(last.dice))
        or _moved_cards(now, before)
        or _asked(now) - _asked(before)
    ):
        raise Illegal(
            "That step rolled a die, moved cards or asked somebody, so it is not yours to take back.",
            rule="G-05",
            instead="The GM can, with /encounter undo.",
        )


def _moved_cards(now: Table, before: Table) -> bool:
    def held(table: Table) -> tuple[object, ...]:
        hands = {user: (hand.count, hand.fused) for user, hand in hands_seen(table, Seat()).items()}
        return hands, deck_seen(table)

    return now.cards != before.cards or held(now) != held(before)


def _asked(table: Table) -> frozenset[int]:
    encounter = table.encounter
    if not isinstance(encounter, Encounter):
        return frozenset()
    return frozenset({*(each.id for each in encounter.questions), *(each.id for each in encounter.asks)})


def _holds_again(now: Table, before: Table) -> tuple[str, ...]:
    """Say which numbers that everybody may know stand again as they did (*Krag has HP 22/22 again*)."""
    state, then = now.encounter, before.encounter
    if not isinstance(state, Encounter) or not isinstance(then, Encounter) or state.id != then.id:
        return ()
    is_exact = option_value(then, "npc_pools") == "exact"
    found = []
    for combatant in then.combatants:
        current = state.find(combatant.name)
        if current is None or combatant.hidden or (combatant.owner is None and not is_exact):
            continue
        pools = [
            f"{key} {pool.now}" + ("" if pool.top is None else f"/{pool.top}")
            for key, pool in combatant.pools.items()
            if current.pools.get(key) not in (None, pool)
        ]
        if pools:
            found.append(f"{combatant.name} has {' and '.join(pools)} again")
    return tuple(found[:MOST_AGAIN])


def _checked(steps: int) -> int:
    if not 1 <= steps <= MOST_STEPS:
        raise Malformed(f"steps goes from 1 to {MOST_STEPS}.")
    return steps


def _given_back(room: Room, rows: tuple[LogRow, ...] | list[LogRow]) -> str:
    """Name the cards and hidden dice that an undo gives back (*Bo's draw of 3*)."""
    people = {} if room.encounter is None else room.encounter.people
    found = []
    for row in rows:
        for record in load_records(row.dice):
            if isinstance(record, Draw):
                found.append(f"{people.get(record.by, 'a player')}'s draw of {record.count}")
            elif isinstance(record, Die) and record.seen_by is not None and not is_untold(record):
                found.append("a hidden roll")
    return ", ".join(dict.fromkeys(found))
