"""A channel's log as one person may read it: the rows of the exports (design 10).

A row is written from what the reader may see. What names a hidden combatant, what somebody did in secret, and who
has answered while a question is still open stay out of it; dice keep their place and their size.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from bot.pieces import in_pieces
from bot.step_marks import read_marks
from bot.table.room import Room
from bot.table.service import Tables
from data.rows import LIVE, LogRow, SeedRow
from rules.core.commands.spec import is_ruling
from rules.core.encounter import Encounter
from rules.core.registry import read_encounter
from rules.core.seen.lines import load_lines, may_see, plain
from rules.core.typed.names import clean_text, clean_texts
from rules.core.values import Seat
from rules.core.views.view import sees_hand
from rules.dice.seals import seal
from rules.dice.source import Shuffle, commitment, is_untold, load_discards, load_grammar, load_records, records_json

_CARDS = "gm cards"
_ORDER_DROPPED = "order drop"
_STEPS = frozenset({"step", "said"})
_OPEN = ("encounter ", "deck ", "hand ")  # house rules, and what a check of the cards needs


async def encounter_by_id(tables: Tables, room: Room, encounter: str) -> Encounter | None:
    """Return an encounter of the channel, from memory if it is in focus; None if it was purged."""
    if room.encounter is not None and room.encounter.id == encounter:
        return room.encounter
    stored = await tables.store.load_encounter(encounter)
    return None if stored is None else read_encounter(stored[1], stored[0].system)


async def gms_of(tables: Tables, row: LogRow) -> tuple[str, ...]:
    """Return the GMs of the encounter that a row belongs to."""
    if row.encounter is None:
        return ()
    room = await tables.room_of(row.channel, None)
    encounter = await encounter_by_id(tables, room, row.encounter)
    return () if encounter is None else encounter.gms


@dataclass(frozen=True, slots=True)
class Chapter:
    """What a reader is in one encounter, and what they must not learn of it.

    `open_questions` are those whose answers nobody learns yet.
    """

    seat: Seat
    open_questions: frozenset[int] = frozenset()


class Logbook:
    """The log of one channel for one reader."""

    def __init__(self, room: Room, user: str | None, seeds: Sequence[SeedRow], chapters: Mapping[str, Chapter]) -> None:
        self.table = room.table  # of the moment of the rows: it may go on while they are written
        self.user = user
        self.seeds = seeds
        self.chapters = chapters

    @classmethod
    async def open(cls, tables: Tables, room: Room, user: str | None, rows: Sequence[LogRow]) -> Logbook:
        """Look up what the reader is in each encounter that the rows belong to."""
        chapters: dict[str, Chapter] = {}
        for encounter in dict.fromkeys(row.encounter for row in rows if row.encounter is not None):
            chapters[encounter] = _chapter(await encounter_by_id(tables, room, encounter), user)
        return cls(room, user, await tables.store.seeds(room.channel), chapters)

    def seat(self, row: LogRow) -> Seat:
        """Return the reader's seat in the row's encounter."""
        return self._chapter(row).seat

    def _chapter(self, row: LogRow) -> Chapter:
        return self.chapters.get(row.encounter or "") or Chapter(seat=Seat(user=self.user))

    def is_revealed(self, row: LogRow) -> bool:
        return (seed := self.seed_of(row)) is not None and seed.revealed

    def seed_of(self, row: LogRow) -> SeedRow | None:
        """Return the seed that covers a row; None if the row is older than all of them."""
        return next((seed for seed in reversed(self.seeds) if seed.from_seq <= row.seq), None)

    def readable(self, row: LogRow) -> LogRow:
        """Return the row for a page or a story, without its words and author if they tell too much."""
        return replace(row, by=None, lines="[]", ruling=False) if self._answers_openly(row) else row

    async def entries(self, rows: Iterable[LogRow]) -> AsyncIterator[dict[str, Any]]:
        """Give the rows as the export holds them, one by one: a long log leaves the loop to others."""
        async for row in in_pieces(rows):
            yield self.entry(row)

    def entry(self, row: LogRow) -> dict[str, Any]:
        """Return the row as the export holds it."""
        seat = self.seat(row)
        records = load_records(row.dice)
        seed = self.seed_of(row)
        is_revealed = self.is_revealed(row)
        command = self._command(row)
        shuffles = [list(record.before) for record in records if isinstance(record, Shuffle)]
        discards = load_discards(row.dice) if is_revealed else []
        grammar = load_grammar(row.dice) if is_revealed and "dice" in command else 0
        if is_revealed and shuffles:
            command["piles"] = shuffles
        if grammar:
            command["grammar"] = grammar
        if not seat.gm and not is_revealed:
            records = [record for record in records if not is_untold(record)]  # not even how many there were
        dice = records_json(records, may_see=lambda die: may_see(die.seen_by, seat), revealed=is_revealed)
        answers_openly = self._answers_openly(row)
        entry = {
            "seq": row.seq,
            "at": row.at,
            "by": None if answers_openly else row.by,
            "interaction": row.interaction,
            "encounter": row.encounter,
            "command": command,
            "dice": dice,
            "text": [] if answers_openly else _texts(row, seat),
            "undone": row.state != LIVE,
            "ruling": row.ruling and not answers_openly,
        }
        if discards:
            entry["discards"] = [{"at": each.at, "pile": each.pile, "cards": list(each.cards)} for each in discards]
        if seed is not None and is_revealed and (dice or discards or "undo" in command or "redo" in command):
            command["seal"] = seal(seed.seed, entry)
        return entry

    def fairness(self) -> list[dict[str, Any]]:
        """Return the channel's commitments, with the seeds that are public."""
        return [
            {
                "commitment": commitment(seed.seed),
                "seed": seed.seed.hex() if seed.revealed else None,
                "from_seq": seed.from_seq,
            }
            for seed in self.seeds
        ]

    # What a command tells

    def _command(self, row: LogRow) -> dict[str, Any]:
        given: dict[str, Any] = clean_texts(json.loads(row.command))
        action = given.get("action")
        if self._answers_openly(row):
            return {"action": "answer"}
        if (given.pop("opaque", False) and not self.seat(row).gm) or self._took_a_reveal_back(row):
            return {"action": "gm"}
        if given.pop("unsaid", False) and not self._is_told(row):
            return {"action": "order"}
        if row.secret and read_marks(row.marks).answered and not self._is_told(row):
            return {"action": "answer"}
        if row.secret and action is not None and not self._reads_secret(row, given):
            if is_ruling(str(action)) and action != _CARDS:
                return {"action": "gm"}  # like a row that names somebody hidden: neither tells which it is
            return {"action": "order" if "when" in given else action}  # what is ordered in advance is the secret itself
        if self._says_a_number(row, str(action)):
            return {"action": action}
        if isinstance(given.get("cards"), list):  # an uploaded deck: the channel learns the number alone
            given["count"] = len(given.pop("cards"))
        return given

    def _reads_secret(self, row: LogRow, given: Mapping[str, Any]) -> bool:
        """Tell whether the reader may know what was commanded in secret.

        Its author may. So may the encounter's GMs, except for rolls made for oneself and cards of hands they may not
        see (G-04). An order in advance: the people who were told of it.
        """
        if row.by is not None and row.by == self.user:
            return True
        if "when" in given or given.get("action") == _ORDER_DROPPED:
            return self._is_told(row)
        if not self.seat(row).gm or (row.kind == "roll" and given.get("show") == "me"):
            return False
        if "cards" not in given and not str(given.get("action")).startswith("hand "):
            return True
        holder = given.get("who") if given.get("action") == _CARDS else row.by
        focus = self.table.encounter
        in_focus = isinstance(focus, Encounter) and focus.id == row.encounter
        return in_focus and isinstance(holder, str) and sees_hand(self.table, holder, self.seat(row))

    def _is_told(self, row: LogRow) -> bool:
        """Tell whether the reader gave what the row holds in secret, or was told of it."""
        if row.by is not None and row.by == self.user:
            return True
        own = [line.seen_by for line in load_lines(row.lines) if line.seen_by is not None]
        return any(may_see(seen_by, self.seat(row)) for seen_by in own)

    def _says_a_number(self, row: LogRow, action: str) -> bool:
        """Tell whether what a GM typed may say a number that is not the reader's. Rule: G-08."""
        if self.seat(row).gm or row.kind not in _STEPS or action.startswith(_OPEN):
            return False
        return row.by != self.user and read_marks(row.marks).numbers

    def _took_a_reveal_back(self, row: LogRow) -> bool:
        return not self.seat(row).gm and row.state != LIVE and read_marks(row.marks).reveals

    def _answers_openly(self, row: LogRow) -> bool:
        """Tell whether the row answers a question that is still open for others: nobody else learns that it did."""
        waiting = self._chapter(row).open_questions
        if not waiting or (row.by is not None and row.by == self.user):
            return False
        return not waiting.isdisjoint(read_marks(row.marks).answered)


def _chapter(state: Encounter | None, user: str | None) -> Chapter:
    return Chapter(
        seat=Seat(user=user, gm=state is not None and user is not None and user in state.gms),
        open_questions=frozenset()
        if state is None
        else frozenset(question.id for question in state.questions if question.answered),
    )


def _texts(row: LogRow, seat: Seat) -> list[str]:
    written = (plain(line, seat) for line in load_lines(row.lines))
    return [part for text in written if text is not None for part in clean_text(text).split("\n")]


def elsewhere(rows: Sequence[LogRow]) -> list[list[int]]:
    """Return the gaps between an encounter's rows, as [first, last]: what happened in between belongs elsewhere."""
    return [[before.seq + 1, after.seq - 1] for before, after in pairwise(rows) if after.seq > before.seq + 1]
