"""Undo and redo: earlier and later states exactly as they were, as rows of the log of their own.

Undo restores the documents before each step, redo those after it. Who may: the GM at any time;
a player their own last step, if nobody acted since and it showed nobody anything new (an undo is not a peek).
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.caller import Caller
from bot.render.marks import BACK
from bot.table.room import Room
from bot.table.service import Tables
from bot.table.undone_dice import rolled_lines
from bot.table.writer import Entry, index_entry
from data.carried import Carried
from data.rows import LIVE, DocumentChange, EncounterRow, LogRow, UndoStep
from rules.core.blows.opened import open_blow
from rules.core.board.fog import OFF, as_known, fog_of, player_sides
from rules.core.cards import Cards
from rules.core.encounter import Encounter, Table
from rules.core.registry import option_value, read_encounter, system_of
from rules.core.seen.lines import Line, load_lines
from rules.core.turns.questions import due_answer
from rules.core.values import Seat
from rules.core.views.view import deck_seen, hands_seen
from rules.dice.source import Die, Draw, is_untold, load_records
from rules.errors import Illegal, Malformed

MOST_STEPS = 100
MOST_AGAIN = 6


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What an undo or redo did: the lines of each step, in the order in which they went or came, and what it gave back.

    `kept` are the characters that were saved again since an encounter's end and so stayed as they are.
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

    async def undo(self, caller: Caller, steps: int | None, after: int | None = None) -> TakenBack:
        """Take back the last steps, or (None) all of the blow under way.

        `after`: these are all steps after that row. Raises: Refusal, RepeatedInteraction.
        """
        async with self.tables.locked(caller.channel, caller.guild) as room:
            await self.tables.require_step(caller)
            steps = await self._steps_of_blow(room) if steps is None else steps
            if after is not None and await self._steps_after(room, after) != steps:
                raise Illegal("Something else has happened since you asked.", instead="Choose *Undo to here* again.")
            rows, table, documents = await self._way_back(room, caller, steps)
            seq = await self._keep(room, caller, "undo", steps, table, documents, rows)
            room.undone_lines = rolled_lines(rows)
            lines = tuple(load_lines(row.lines) for row in rows)
            return TakenBack(room, seq, lines, _given_back(room, rows), await self._kept(rows))

    async def steps_after(self, caller: Caller, seq: int) -> list[LogRow]:
        """Return the steps after a row that this person may take back now, the latest first. Raises: Refusal."""
        async with self.tables.locked(caller.channel, caller.guild) as room:
            await self.tables.require_step(caller)
            rows, _, _ = await self._way_back(room, caller, await self._steps_after(room, seq))
            return rows

    async def _steps_after(self, room: Room, seq: int) -> int:
        """Return how many steps came after a row. Raises: Illegal if there is no way back to it."""
        groups = await _grouped(partial(self.tables.store.last_steps, room.channel), MOST_STEPS)
        after = [group for group in groups if group[0].row.seq > seq]
        log = await self.tables.store.log(room.channel, after=seq)
        since = sum(row.kind == "step" and row.state == LIVE for row in log)
        if not since:
            raise Illegal("No step came after that message.", instead="/encounter undo takes back the last step.")
        if sum(map(len, after)) < since:
            raise Illegal(
                "I can't go back to that message: more than 100 steps, a reveal or a move came after it.",
                instead="/encounter undo steps:10 takes back the last ten steps.",
            )
        return len(after)

    async def _way_back(
        self, room: Room, caller: Caller, steps: int
    ) -> tuple[list[LogRow], Table, tuple[DocumentChange, ...]]:
        """Return the rows of the last steps and what they lead back to, if the caller may undo. Raises: Illegal."""
        groups = await _grouped(partial(self.tables.store.last_steps, room.channel), _checked(steps))
        if not groups:
            raise Illegal("There is nothing to undo here.", instead="Undo cannot go back past a reveal or a move.")
        self._require_right(room, caller, groups)
        if len(groups) < steps:
            raise Illegal(
                f"You can undo only {len(groups)} steps.", instead=f"steps:{len(groups)} takes them all back."
            )
        found = [step for group in groups for step in group]
        if len({step.row.encounter for step in found}) > 1:
            inside = sum(1 for group in groups if group[0].row.encounter == found[0].row.encounter)
            raise Illegal(
                f"The last {inside} steps belong to one encounter, and those before them to another.",
                instead=f"steps:{inside} first.",
            )
        table, documents = await self._restored(room, found)
        rows = [step.row for step in found]
        if not self._is_gm(room, caller, found[0].row.encounter):
            _require_no_peek(room.table, table, rows)
        return rows, table, documents

    async def _steps_of_blow(self, room: Room) -> int:
        """Return how many steps lead back to before the blows that are under way. Raises: Illegal."""
        groups = await _grouped(partial(self.tables.store.last_steps, room.channel), MOST_STEPS)
        is_under_way = room.encounter is not None and open_blow(room.encounter) is not None
        for count, group in enumerate(groups if is_under_way else (), 1):
            table, _ = await self._restored(room, group)
            if table.encounter is None or open_blow(table.encounter) is None:
                return count
        raise Illegal("No blow is under way.", instead="/encounter undo steps:2 takes back the last two steps.")

    async def redo(self, caller: Caller, steps: int) -> TakenBack:
        """Do undone steps again. Raises: Refusal, RepeatedInteraction."""
        async with self.tables.locked(caller.channel, caller.guild) as room:
            await self.tables.require_step(caller)
            groups = await _grouped(partial(self.tables.store.redoable, room.channel), _checked(steps))
            count = len(groups)
            if not groups:
                raise Illegal("There is nothing to redo.", instead="A new step rules out redo.")
            if count < steps:
                raise Illegal(f"You can redo only {count} steps.", instead=f"steps:{count} redoes all of them.")
            found = [step for group in groups for step in group]
            rows = [step.row for step in found]
            if not self._is_gm(room, caller, rows[0].encounter) and not all(row.by == caller.user for row in rows):
                raise Illegal("You can't redo somebody else's steps.", instead="The GM can, with /encounter redo.")
            table, documents = await self._restored(room, found)
            room.undone_lines = ()
            seq = await self._keep(room, caller, "redo", steps, table, documents, rows)
            lines = tuple(load_lines(row.lines) for row in rows)  # as they happened
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
                    raise Illegal("That character belongs to somebody else.", instead="Its player decides.")
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

    def _require_right(self, room: Room, caller: Caller, groups: Sequence[Sequence[UndoStep]]) -> None:
        if self._is_gm(room, caller, groups[0][0].row.encounter):
            return
        if any(step.row.by != caller.user for step in groups[0]):
            raise Illegal(
                "You can't take back the last step, because it is not yours.",
                rule="G-05",
                instead="Ask the GM, who can with /encounter undo.",
            )
        if len(groups) > 1:
            raise Illegal("A player can take back one step, their own last.", rule="G-05", instead="Leave out steps.")

    # States

    async def _restored(self, room: Room, found: Sequence[UndoStep]) -> tuple[Table, tuple[DocumentChange, ...]]:
        """Return the table to which steps lead that are taken back or done again, and what they change."""
        restored: dict[str, bytes | None] = {}
        for step in found:
            restored.update(step.documents)
        focus = found[-1].focus
        cards = room.table.cards
        if "cards" in restored:
            written = restored["cards"]
            cards = Cards() if written is None else Cards.from_store(written)
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
        steps: int,
        table: Table,
        documents: tuple[DocumentChange, ...],
        rows: Sequence[LogRow],
    ) -> int:
        seqs = [row.seq for row in rows]
        words = f"{BACK} {{by}} " + ("takes back {count}." if kind == "undo" else "does {count} again.")
        facts = {"by": caller.name, "count": "the last step" if steps == 1 else f"the last {steps} steps"}
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


async def _grouped(read: Callable[[int], Awaitable[tuple[UndoStep, ...]]], steps: int) -> list[list[UndoStep]]:
    """Return steps as they are read, each with the sealed answers that counted by it (play 4)."""
    limit = steps
    while True:
        found = await read(limit)
        groups: list[list[UndoStep]] = []
        whole = True
        for step in found:
            if whole:
                if len(groups) == steps:
                    return groups
                groups.append([])
            groups[-1].append(step)
            whole = not _is_due(step)
        if len(found) < limit or (whole and len(groups) == steps):
            return groups
        limit = 2 * limit + 1


def _is_due(step: UndoStep) -> bool:
    """Tell whether a sealed answer is due after a step: then it is not whole without the next one."""
    written = step.documents.get(f"encounter:{step.row.encounter}")
    if written is None:
        return False
    state = read_encounter(written, json.loads(written)["system"])
    return due_answer(Table(channel=step.row.channel, encounter=state)) is not None


def _revealed(now: Table, before: Table) -> bool:
    """Tell whether something that was hidden on the board came to light: a mark, cells, or who is there."""
    if _sighted(now) != _sighted(before):
        return True
    boards = [None if table.encounter is None else table.encounter.board for table in (now, before)]
    return boards[0] is not None and boards[1] is not None and boards[0].unseen != boards[1].unseen


def _sighted(table: Table) -> tuple[object, ...]:
    """Return what the sides of players have seen of a board in fog, and who of others they see."""
    state = table.encounter
    if not isinstance(state, Encounter) or fog_of(state) == OFF:
        return ()
    sides = player_sides(state)
    return state.seen, {side: as_known(state, (side,)).out_of_sight for side in sides}


def _require_no_peek(now: Table, before: Table, rows: Sequence[LogRow]) -> None:
    """Refuse a player's undo of a step that rolled, moved cards, or asked somebody. Raises: Illegal."""
    if (
        any(not is_untold(each) for row in rows for each in load_records(row.dice))
        or _moved_cards(now, before)
        or _asked(now) - _asked(before)
        or _revealed(now, before)
    ):
        raise Illegal(
            "That step rolled a die, moved cards, showed something or asked somebody, so you can't take it back.",
            rule="G-05",
            instead="The GM can, with /encounter undo.",
        )


def _moved_cards(now: Table, before: Table) -> bool:
    def hands(table: Table) -> tuple[object, ...]:
        counts = {user: (hand.count, hand.fused) for user, hand in hands_seen(table, Seat()).items()}
        return counts, deck_seen(table)

    return now.cards != before.cards or hands(now) != hands(before)


def _asked(table: Table) -> frozenset[int]:
    encounter = table.encounter
    if not isinstance(encounter, Encounter):
        return frozenset()
    return frozenset({*(each.id for each in encounter.questions), *(each.id for each in encounter.asks)})


def _holds_again(now: Table, before: Table) -> tuple[str, ...]:
    """Say which public numbers are back (*Krag has HP 22/22 again*)."""
    state, then = now.encounter, before.encounter
    if not isinstance(state, Encounter) or not isinstance(then, Encounter) or state.id != then.id:
        return ()
    is_exact = option_value(then, "npc_pools") == "exact"
    unseen = system_of(then).hidden_pools | system_of(state).hidden_pools
    found = []
    for combatant in then.combatants:
        current = state.find(combatant.name)
        if current is None or combatant.hidden or (combatant.owner is None and not is_exact):
            continue
        pools = [
            f"{key} {pool.now}" + ("" if pool.top is None else f"/{pool.top}")
            for key, pool in combatant.pools.items()
            if key not in unseen and current.pools.get(key) not in (None, pool)
        ]
        if pools:
            found.append(f"{combatant.name} has {' and '.join(pools)} again")
    return tuple(found[:MOST_AGAIN])


def _checked(steps: int) -> int:
    if not 1 <= steps <= MOST_STEPS:
        raise Malformed(f"steps can be 1 to {MOST_STEPS}.")
    return steps


def _given_back(room: Room, rows: Sequence[LogRow]) -> str:
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
