"""Checks an export against the revealed seeds: every die, shuffle and draw, and that no row is missing.

What is read of an export (design, sections 7 and 10):

- `fairness`: `commitment`, `seed` (null until the reveal) and `from_seq`, the first row under that seed.
- `log`: of each row `seq`, `interaction`, `encounter`, `command` and `dice`. Undone rows are checked like the others.
  Rows of one interaction (an order in advance, given and carried out) share its stream, in the order of `seq`.
- `system`: an export that has it holds one encounter; its first row need not be 1. Rows that belong to other
  encounters may be left out if the export's `elsewhere` lists them, as `[[first seq, last seq], …]`.
- `command.undo` and `command.redo`, lists of `seq`: the piles go back, or forth again, with these rows.
- After the reveal: of a shuffle its `deck`, of a draw its `pile`, the row's `discards` (see `rules.dice.piles`), and
  `command.piles`: for each shuffle of the row, the cards in their order before it.
- `command` of a `/roll`, if the reader may know it: which dice were rolled. `dice` is what was typed, `read` what it
  was read as, in the grammar's own way, which the row's `grammar` numbers.
- `command.seal`: see `rules.dice.seals`.

Rows under a seed that is not revealed are counted, not checked. A physical die takes no bytes and is not checked. A
die that the reader may not see (`face` null) takes its bytes, and there is nothing to compare. Nothing raises: what
cannot be read is a fault.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.dice.grammar import GRAMMAR, read_grammar
from rules.dice.piles import Found, Pile, Piles, cards_of, pile_of, short
from rules.dice.roll import roll_expression
from rules.dice.seals import seal
from rules.dice.source import Dice, Die, SeededFaces, commitment
from rules.errors import Refusal

_TIMER = re.compile(r"timer:.+:\d+")
_MOST_SIDES = 2**32


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found. `faults` empty: everything that could be checked is right.

    `own_decks` are lists and stones whose order the table made up; `commitments` those whose seed is public.
    """

    faults: tuple[str, ...]
    rows: int = 0
    dice: int = 0
    shuffles: int = 0
    draws: int = 0
    physical: int = 0
    hidden: int = 0
    unrevealed_rows: int = 0
    unproven: tuple[str, ...] = ()
    own_decks: int = 0
    commitments: tuple[str, ...] = ()
    is_readable: bool = True

    @property
    def is_sound(self) -> bool:
        return not self.faults

    @property
    def summary(self) -> str:
        """Return one line: what was checked, and what could not be."""
        left_out = [
            f"{number} {what}"
            for number, what in (
                (self.physical, "physical dice not covered"),
                (self.hidden, "hidden dice not compared"),
                (self.unrevealed_rows, "rows with dice whose seed is not public yet"),
                (self.own_decks, "decks of the table's own, in the order that their rows give"),
                (len(self.unproven), "shuffles, draws or rolls that cannot be checked"),
            )
            if number
        ]
        checked = f"{self.rows} rows: {self.dice} dice, {self.shuffles} shuffles and {self.draws} draws checked"
        return "; ".join([checked, *left_out]) + "."


def verify_export(export: Any) -> Verification:
    """Check a whole export; whatever is wrong with it comes back as a fault."""
    return _Check().run(export)


@dataclass(slots=True)
class _Seed:
    from_seq: int
    seed: bytes | None
    number: int
    posted: str


class _Check:
    def __init__(self) -> None:
        self.faults: list[str] = []
        self.unproven: list[str] = []
        self.found = Found(self.faults, self.unproven)
        self.piles = Piles(self.found)
        self.is_sealed = False  # exports of a revealed seed carry a seal in each row
        self.is_readable = True
        self.counts: Counter[str] = Counter()
        self.seeds: list[_Seed] = []
        self.streams: dict[tuple[int, str], SeededFaces] = {}
        self.before: dict[int, Mapping[str, Pile]] = {}  # the piles before each row
        self.after: dict[int, Mapping[str, Pile]] = {}

    def run(self, export: Any) -> Verification:
        rows: list[dict[str, Any]] = []
        if not isinstance(export, dict):
            self.faults.append("The export is not a JSON object.")
            self.is_readable = False
        else:
            if export.get("format") != 1:
                self.faults.append(f"The format is {short(export.get('format'))}; I can check only format 1.")
                self.is_readable = False
            self._read_fairness(export.get("fairness"))
            rows = self._read_log(export)
            seals = [row["command"].get("seal") for row in rows if isinstance(row.get("command"), dict)]
            self.is_sealed = any(each is not None for each in seals)
            last = rows[0]["seq"] if rows else 0
            for row in rows:
                if row["seq"] > last + 1:  # the channel's deck has been elsewhere meanwhile, an encounter's own has not
                    self.piles.note_gap()
                last = row["seq"]
                self._check_row(row)
            self._check_undone(rows)
        return Verification(
            faults=tuple(self.faults),
            rows=len(rows),
            dice=self.counts["dice"],
            shuffles=self.counts["shuffles"],
            draws=self.counts["draws"],
            physical=self.counts["physical"],
            hidden=self.counts["hidden"],
            unrevealed_rows=self.counts["unrevealed"],
            unproven=tuple(self.unproven),
            own_decks=self.found.own_decks,
            commitments=tuple(seed.posted for seed in self.seeds if seed.seed is not None),
            is_readable=self.is_readable,
        )

    def _read_fairness(self, entries: Any) -> None:
        if not isinstance(entries, list) or not entries:
            self.faults.append("The list of commitments (fairness) is missing.")
            return
        for number, entry in enumerate(entries, 1):
            name = f"Commitment {number}"
            if not isinstance(entry, dict) or not _is_whole(entry.get("from_seq")):
                self.faults.append(f"{name} has no from_seq.")
                continue
            from_seq, posted, seed_text = entry["from_seq"], entry.get("commitment"), entry.get("seed")
            if self.seeds and from_seq < self.seeds[-1].from_seq:
                self.faults.append(f"{name} begins with row {from_seq}, before the one above it.")
            seed = None
            if seed_text is not None:
                seed = _bytes_of(seed_text)
                if seed is None:
                    self.faults.append(f"{name}: the seed is not a hexadecimal number.")
                elif commitment(seed) != posted:
                    self.faults.append(f"{name}: the seed does not match the posted commitment.")
            if not isinstance(posted, str) or not re.fullmatch(r"[0-9a-fA-F]{64}", posted):
                self.faults.append(f"{name} is not 64 hexadecimal digits.")
            self.seeds.append(_Seed(from_seq, seed, number, str(posted)))

    def _read_log(self, export: dict[str, Any]) -> list[dict[str, Any]]:
        log = export.get("log")
        if not isinstance(log, list):
            self.faults.append("The log is missing.")
            self.is_readable = False
            return []
        rows = []
        for at, row in enumerate(log, 1):
            if isinstance(row, dict) and _is_whole(row.get("seq")) and row["seq"] > 0:
                rows.append(row)
            else:
                self.faults.append(f"Entry {at} of the log is not a row with a seq.")
        is_one_encounter = "system" in export
        elsewhere = _ranges(export.get("elsewhere")) if is_one_encounter else []
        expected = rows[0]["seq"] if rows and is_one_encounter else 1
        for row in rows:
            seq = row["seq"]
            if seq < expected:
                self.faults.append(f"Row {seq} comes after row {expected - 1}.")
                continue
            self._name_missing(expected, seq - 1, elsewhere)
            expected = seq + 1
        if not is_one_encounter and self.seeds:
            self._name_missing(expected, self.seeds[-1].from_seq - 1, [])
        return rows

    def _name_missing(self, first: int, last: int, elsewhere: Sequence[tuple[int, int]]) -> None:
        for low, high in elsewhere:
            if low <= first <= high:
                first = high + 1
        if first == last:
            self.faults.append(f"Row {first} is missing.")
        elif first < last:
            self.faults.append(f"Rows {first} to {last} are missing.")

    def _check_row(self, row: dict[str, Any]) -> None:
        seq = row["seq"]
        command = row.get("command")
        command = command if isinstance(command, dict) else {}
        self.before[seq] = self.piles.snapshot()
        self._turn_back(command)
        self.piles.note_row(row, command)
        entries = row.get("dice")
        turned = any(isinstance(command.get(name), list) for name in ("undo", "redo"))
        discards = row.get("discards", [])
        if not isinstance(entries, list):
            self.faults.append(f"Row {seq}: the list of dice is missing.")
        elif not isinstance(discards, list) or not all(isinstance(discard, dict) for discard in discards):
            self.faults.append(f"Row {seq}: I can't read its discards.")
        elif entries or discards or turned:
            self._check_entries(row, entries, command, discards)
        self.after[seq] = self.piles.snapshot()

    def _turn_back(self, command: dict[str, Any]) -> None:
        for name, memory, choose in (("undo", self.before, min), ("redo", self.after, max)):
            known = [seq for seq in _seqs(command, name) if seq in memory]
            if known:
                self.piles.restore(memory[choose(known)])

    def _check_undone(self, rows: Sequence[dict[str, Any]]) -> None:
        """Compare what undo and redo took back with what the rows say of themselves."""
        undone: set[int] = set()
        for row in rows:
            command = row.get("command")
            if isinstance(command, dict):
                undone |= set(_seqs(command, "undo"))
                undone -= set(_seqs(command, "redo"))
        for row in rows:
            if row["seq"] in undone and row.get("undone") is False:
                self.faults.append(f"Row {row['seq']} was undone, but says that it was not.")

    def _check_entries(
        self, row: dict[str, Any], entries: list[Any], command: dict[str, Any], discards: list[dict[str, Any]]
    ) -> None:
        seq, interaction = row["seq"], row.get("interaction")
        if not isinstance(interaction, str) or not interaction:
            self.faults.append(f"Row {seq} has dice but no interaction.")
            return
        if not _is_unicode(row):
            self.faults.append(f"Row {seq} contains half a character, which no text can.")
            return
        if interaction.startswith("timer:") and not _TIMER.fullmatch(interaction):
            self.faults.append(f"Row {seq}: {short(interaction)} does not say when a timer was set.")
        covering = [seed for seed in self.seeds if seed.from_seq <= seq]
        if not covering:
            if entries:
                self.faults.append(f"Row {seq} has dice, but no commitment covers it.")
            return
        under = covering[-1]
        stream = None
        if under.seed is None:
            self.counts["unrevealed"] += bool(entries)
        else:
            key = under.number, interaction
            if key not in self.streams:
                self.streams[key] = SeededFaces(under.seed, interaction)
            stream = self.streams[key]
            self._check_seal(row, under.seed, command)
            if command.get("action") == "roll":
                self._check_roll(seq, under.seed, interaction, entries, command)
        given = command.get("piles")
        piles = list(given) if isinstance(given, list) else []
        for place, entry in enumerate(entries, 1):
            for fact in discards:
                if fact.get("at") == place - 1:
                    self.piles.discard(row, fact)
            name = f"Row {seq}, entry {place} of its dice"
            if not isinstance(entry, dict):
                self.faults.append(f"I can't read {name}.")
            elif "sides" in entry:
                self._check_die(name, entry, stream)
            elif "shuffle" in entry:
                before = piles.pop(0) if piles else None
                self._check_shuffle(name, row, command, entry, stream, before)
            elif "draw" in entry:
                self._check_draw(name, row, command, entry, is_revealed=stream is not None)
            else:
                self.faults.append(f"{name} is not a die, a shuffle or a draw.")
        for fact in discards:
            at: Any = fact.get("at")
            if not isinstance(at, int) or not 0 <= at < len(entries):
                self.piles.discard(row, fact)

    def _check_seal(self, row: dict[str, Any], seed: bytes, command: dict[str, Any]) -> None:
        """Compare the row with its seal: a size that shows the same face is found so."""
        given = command.get("seal")
        if given is None and self.is_sealed:
            self.faults.append(f"Row {row['seq']} has lost its seal.")
        elif given is not None and seal(seed, row) != given:
            self.faults.append(f"Row {row['seq']}: this is not the row that its seal was made for.")

    def _check_roll(self, seq: int, seed: bytes, interaction: str, entries: list[Any], command: dict[str, Any]) -> None:
        """Roll a `/roll` again from what it was read as: a die of another size may show what the seed gives it."""
        times, typed = command.get("times", 1), command.get("faces", [])
        texts = command.get("read", [command.get("dice")])  # a row may hold only what was typed
        if not _are_words(texts) or not _is_whole(times) or not isinstance(typed, list):
            return  # not this reader's to know
        again = Dice(SeededFaces(seed, interaction), typed=[face for face in typed if _is_whole(face)])
        listed = [entry.get("sides") if isinstance(entry, dict) else None for entry in entries]
        try:
            for text in texts:
                roll_expression(read_grammar(text), again, times=times)
        except Refusal:
            self.unproven.append(
                f"Row {seq}: {short('; '.join(texts))} can't be read on its own; its dice do come from the seed."
            )
            return
        if listed == [record.sides for record in again.records if isinstance(record, Die)]:
            return
        if command.get("grammar") == GRAMMAR:
            self.faults.append(f"Row {seq}: {short('; '.join(texts))} does not roll dice of these sizes.")
        else:
            self.unproven.append(f"Row {seq}: {short('; '.join(texts))} was read with an older grammar than today's.")

    def _check_die(self, name: str, entry: dict[str, Any], stream: SeededFaces | None) -> None:
        sides, face = entry["sides"], entry.get("face")
        if not _is_whole(sides) or not 1 <= sides <= _MOST_SIDES:
            self.faults.append(f"{name}: {short(sides)} is not the size of a die.")
            return
        if face is not None and not (_is_whole(face) and 1 <= face <= sides):
            self.faults.append(f"{name}: a d{sides} can't show {short(face)}.")
        if entry.get("physical") is True:
            self.counts["physical"] += 1
            return
        if stream is None:
            return
        drawn = stream.face(sides)
        if face is None:
            self.counts["hidden"] += 1
            return
        self.counts["dice"] += 1
        if face != drawn:
            self.faults.append(f"{name}: the d{sides} shows {short(face)}, but the seed gives {drawn}.")

    def _check_shuffle(
        self,
        name: str,
        row: dict[str, Any],
        command: dict[str, Any],
        entry: dict[str, Any],
        stream: SeededFaces | None,
        given: Any,
    ) -> None:
        size = entry["shuffle"]
        if not _is_whole(size) or not 0 <= size <= 10_000:
            self.faults.append(f"{name}: {short(size)} is not a number of cards.")
            return
        if stream is None:
            self.piles.forget(pile_of(row, command))
            return
        order = _shuffled_places(stream, size)
        cards = cards_of(entry.get("cards"))
        if cards is None or len(cards) != size:
            self.faults.append(f"{name}: the {size} cards of the shuffle are not listed.")
            return
        self.counts["shuffles"] += 1
        before = [""] * size
        for place, came_from in enumerate(order):
            before[came_from] = cards[place]
        self.piles.shuffle(name, row, command, entry, tuple(before), given)

    def _check_draw(
        self, name: str, row: dict[str, Any], command: dict[str, Any], entry: dict[str, Any], *, is_revealed: bool
    ) -> None:
        count = entry["draw"]
        if not _is_whole(count) or count < 0:
            self.faults.append(f"{name}: {short(count)} is not a number of cards.")
        elif is_revealed:
            self.counts["draws"] += self.piles.draw(name, row, command, entry)


def _shuffled_places(stream: SeededFaces, size: int) -> list[int]:
    """Return for each place after the shuffle the place that its card came from."""
    places = list(range(size))
    for last in range(size - 1, 0, -1):
        other = stream.face(last + 1) - 1
        places[last], places[other] = places[other], places[last]
    return places


def _is_unicode(row: dict[str, Any]) -> bool:
    """Say whether all words of a row can be written: JSON may escape halves of a surrogate pair."""
    try:
        json.dumps(row, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        return False
    return True


def _are_words(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(text, str) for text in value)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _seqs(command: Mapping[str, Any], name: str) -> list[int]:
    value = command.get(name)
    return [seq for seq in value if _is_whole(seq)] if isinstance(value, list) else []


def _bytes_of(value: Any) -> bytes | None:
    try:
        return bytes.fromhex(value)
    except (TypeError, ValueError):
        return None


def _ranges(value: Any) -> list[tuple[int, int]]:
    if not isinstance(value, list):
        return []
    pairs = [pair for pair in value if isinstance(pair, list) and len(pair) == 2 and all(map(_is_whole, pair))]
    return sorted((low, high) for low, high in pairs)
