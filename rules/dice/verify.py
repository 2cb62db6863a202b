"""Checks an export against the revealed seeds: every die, shuffle and draw, and that no row is missing.

What is read of an export (design, sections 7 and 10):

- `fairness`: `commitment`, `seed` (null until the reveal) and `from_seq`, the first row under that seed.
- `log`: of each row `seq`, `interaction`, `encounter`, `command` and `dice`. Undone rows are checked like the others.
  Rows of one interaction (an order in advance, given and carried out) share its stream, in the order of `seq`.
- `system`: an export that has it holds one encounter; its first row need not be 1. Rows that belong to other
  encounters may be left out if the export's `elsewhere` lists them, as `[[first seq, last seq], …]`.
- `command.action`: `deck …` and `hand …` are about the channel's deck, other cards about a pile of the encounter.
- `command.undo` and `command.redo`, lists of `seq`: the piles go back, or forth again, with these rows.
- `command` of a `/roll`, where the reader may know it: what was typed says which dice, whatever they show.
- `command.piles`, after the reveal: for each shuffle of the row, the cards in their order before it. It is what
  proves a reshuffle (the discards, oldest first) and an uploaded list (as given). Playing cards and stones in
  definition order are known without it. A shuffle whose order before is known by neither is named in `unproven`.

Rows under a seed that is not revealed are counted, not checked. A physical die takes no bytes and is not checked. A
die that the reader may not see (`face` null) takes its bytes, and there is nothing to compare. Nothing raises: what
cannot be read is a fault.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rules.core.cards import ELEMENTS, standard_deck, stones_deck
from rules.core.errors import Refusal
from rules.dice.roll import roll_expression
from rules.dice.source import Dice, Die, SeededFaces, commitment, seal

_PLAYING_CARDS = {card: at for at, card in enumerate(standard_deck(jokers=True))}
_STARS = {"1": 1, "2": 2, "3": 3, "4": 4, "inf": 5}
_TIMER = re.compile(r"timer:.+:\d+")
_ELEMENTS = re.compile(r"elements=([^,\"]+)")
_MOST_SIDES = 2**32

_DECK = "deck"

Pile = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found. `faults` empty: everything that could be checked is right."""

    faults: tuple[str, ...]
    rows: int = 0
    dice: int = 0
    shuffles: int = 0
    draws: int = 0
    physical: int = 0
    hidden: int = 0
    unrevealed_rows: int = 0
    unproven: tuple[str, ...] = ()

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
                (self.unrevealed_rows, "rows with dice under a seed that is not revealed"),
                (len(self.unproven), "shuffles or draws not proven"),
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


class _Check:
    def __init__(self) -> None:
        self.faults: list[str] = []
        self.unproven: list[str] = []
        self.is_sealed = False  # exports of a revealed seed carry a seal in each row with dice
        self.counts: Counter[str] = Counter()
        self.seeds: list[_Seed] = []
        self.streams: dict[tuple[int, str], SeededFaces] = {}
        self.elements: tuple[str, ...] = ELEMENTS
        self.piles: dict[Any, set[Pile]] = {}  # by encounter: what the pile may be
        self.drawn: dict[Any, set[str]] = {}  # by encounter: the cards that ever left the pile
        self.unsure: set[Any] = set()  # piles that rows outside of this export may have moved since their shuffle
        self.before: dict[int, dict[Any, set[Pile]]] = {}  # the piles before each row
        self.after: dict[int, dict[Any, set[Pile]]] = {}

    def run(self, export: Any) -> Verification:
        rows: list[dict[str, Any]] = []
        if not isinstance(export, dict):
            self.faults.append("The export is no JSON object.")
        else:
            if export.get("format") != 1:
                self.faults.append(f"The format is {_short(export.get('format'))}, and 1 is what can be checked.")
            self._read_fairness(export.get("fairness"))
            rows = self._read_log(export)
            self._read_elements(rows)
            self.is_sealed = any("seal" in row["command"] for row in rows if isinstance(row.get("command"), dict))
            last = rows[0]["seq"] if rows else 0
            for row in rows:
                if row["seq"] > last + 1:  # the channel's deck has been elsewhere meanwhile, an encounter's own has not
                    self.unsure.add(_DECK)
                last = row["seq"]
                self._check_row(row)
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
                    self.faults.append(f"{name}: the seed is no hexadecimal number.")
                elif commitment(seed) != posted:
                    self.faults.append(f"{name}: the seed does not belong to the posted commitment.")
            if not isinstance(posted, str) or not re.fullmatch(r"[0-9a-fA-F]{64}", posted):
                self.faults.append(f"{name} is not 64 hexadecimal digits.")
            self.seeds.append(_Seed(from_seq, seed, number))

    def _read_log(self, export: dict[str, Any]) -> list[dict[str, Any]]:
        log = export.get("log")
        if not isinstance(log, list):
            self.faults.append("The log is missing.")
            return []
        rows = []
        for at, row in enumerate(log, 1):
            if isinstance(row, dict) and _is_whole(row.get("seq")) and row["seq"] > 0:
                rows.append(row)
            else:
                self.faults.append(f"Entry {at} of the log is no row with a seq.")
        is_one_encounter = "system" in export
        elsewhere = _ranges(export.get("elsewhere")) if is_one_encounter else []
        expected = rows[0]["seq"] if rows and is_one_encounter else 1
        for row in rows:
            seq = row["seq"]
            if seq < expected:
                self.faults.append(f"Row {seq} stands behind row {expected - 1}.")
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

    def _read_elements(self, rows: Sequence[dict[str, Any]]) -> None:
        """Find in which order the table's own stones are defined, where an option says it."""
        for row in rows:
            command = row.get("command")
            if isinstance(command, dict) and "elements" in str(command):
                found = _ELEMENTS.search(json.dumps(command, ensure_ascii=False, default=str))
                if found:
                    self.elements = tuple(part.strip() for part in found[1].split("+"))
                elif isinstance(command.get("elements"), (list, tuple)):
                    self.elements = tuple(map(str, command["elements"]))

    def _check_row(self, row: dict[str, Any]) -> None:
        seq = row["seq"]
        command = row.get("command")
        command = command if isinstance(command, dict) else {}
        self.before[seq] = {where: set(piles) for where, piles in self.piles.items()}
        self._turn_back(command)
        entries = row.get("dice")
        if not isinstance(entries, list):
            self.faults.append(f"Row {seq}: the list of dice is missing.")
        elif entries:
            self._check_entries(row, entries, command)
        self.after[seq] = {where: set(piles) for where, piles in self.piles.items()}

    def _turn_back(self, command: dict[str, Any]) -> None:
        for name, memory, choose in (("undo", self.before, min), ("redo", self.after, max)):
            seqs = command.get(name)
            if isinstance(seqs, list):
                known = [seq for seq in seqs if _is_whole(seq) and seq in memory]
                if known:
                    self.piles = {where: set(piles) for where, piles in memory[choose(known)].items()}

    def _check_entries(self, row: dict[str, Any], entries: list[Any], command: dict[str, Any]) -> None:
        seq, interaction = row["seq"], row.get("interaction")
        if not isinstance(interaction, str) or not interaction:
            self.faults.append(f"Row {seq} has dice and no interaction.")
            return
        if not _is_unicode(row):
            self.faults.append(f"Row {seq} holds half a character, which no text can hold.")
            return
        if interaction.startswith("timer:") and not _TIMER.fullmatch(interaction):
            self.faults.append(f"Row {seq}: {_short(interaction)} does not name a timer's arming.")
        covering = [seed for seed in self.seeds if seed.from_seq <= seq]
        if not covering:
            self.faults.append(f"Row {seq} has dice, and no commitment covers it.")
            return
        under = covering[-1]
        stream = None
        if under.seed is None:
            self.counts["unrevealed"] += 1
        else:
            key = under.number, interaction
            if key not in self.streams:
                self.streams[key] = SeededFaces(under.seed, interaction)
            stream = self.streams[key]
            self._check_seal(seq, under.seed, interaction, entries, command)
            if command.get("action") == "roll":
                self._check_roll(seq, under.seed, interaction, entries, command)
        given = command.get("piles")
        piles = list(given) if isinstance(given, list) else []
        for place, entry in enumerate(entries, 1):
            name = f"Row {seq}, entry {place} of its dice"
            if not isinstance(entry, dict):
                self.faults.append(f"{name} cannot be read.")
            elif "sides" in entry:
                self._check_die(name, entry, stream)
            elif "shuffle" in entry:
                before = piles.pop(0) if piles else None
                where = self._pile_shuffled(row, command, _cards(entry.get("cards")))
                self._check_shuffle(name, entry, stream, before, where)
            elif "draw" in entry:
                where = self._pile_drawn_from(row, command, _cards(entry.get("cards")))
                self._check_draw(name, entry, where, is_revealed=stream is not None)
            else:
                self.faults.append(f"{name} is neither a die nor a shuffle nor a draw.")

    def _check_seal(self, seq: int, seed: bytes, interaction: str, entries: list[Any], command: dict[str, Any]) -> None:
        """Compare what was drawn with the row's seal: a size that shows the same face is found so."""
        given = command.get("seal")
        if given is None:
            if self.is_sealed:
                self.faults.append(f"Row {seq} has lost its seal.")
            return
        readable = [entry for entry in entries if isinstance(entry, dict)]
        if seal(seed, seq, interaction, readable) != given:
            self.faults.append(f"Row {seq}: its dice are not those that its seal was made for.")

    def _check_roll(self, seq: int, seed: bytes, interaction: str, entries: list[Any], command: dict[str, Any]) -> None:
        """Roll a `/roll` again from what was typed: a die of another size may show what the seed gives it."""
        expression, times, typed = command.get("dice"), command.get("times", 1), command.get("faces", [])
        if not isinstance(expression, str) or not _is_whole(times) or not isinstance(typed, list):
            return  # not this reader's to know
        again = Dice(SeededFaces(seed, interaction), typed=[face for face in typed if _is_whole(face)])
        try:
            roll_expression(expression, again, times=times)
        except Refusal:
            return  # the grammar was another one then
        sizes = [record.sides for record in again.records if isinstance(record, Die)]
        listed = [entry.get("sides") if isinstance(entry, dict) else None for entry in entries]
        if listed != sizes:
            self.faults.append(f"Row {seq}: {_short(expression)} does not roll dice of these sizes.")

    def _check_die(self, name: str, entry: dict[str, Any], stream: SeededFaces | None) -> None:
        sides, face = entry["sides"], entry.get("face")
        if not _is_whole(sides) or not 1 <= sides <= _MOST_SIDES:
            self.faults.append(f"{name}: {_short(sides)} is no size of a die.")
            return
        if face is not None and not (_is_whole(face) and 1 <= face <= sides):
            self.faults.append(f"{name}: a d{sides} cannot show {_short(face)}.")
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
            self.faults.append(f"{name}: the d{sides} shows {_short(face)}, and the seed gives {drawn}.")

    def _check_shuffle(
        self, name: str, entry: dict[str, Any], stream: SeededFaces | None, given: Any, where: Any
    ) -> None:
        size = entry["shuffle"]
        if not _is_whole(size) or not 0 <= size <= 10_000:
            self.faults.append(f"{name}: {_short(size)} is no number of cards.")
            return
        self.piles.pop(where, None)
        if stream is None:
            return
        order = _shuffled_places(stream, size)
        cards = _cards(entry.get("cards"))
        if cards is None or len(cards) != size:
            self.faults.append(f"{name}: the {size} cards of the shuffle are not listed.")
            return
        self.counts["shuffles"] += 1
        before = [""] * size
        for place, came_from in enumerate(order):
            before[came_from] = cards[place]
        drawn = self.drawn.setdefault(where, set())
        self.piles[where] = {cards}
        is_unsure = where in self.unsure
        self.unsure.discard(where)
        if given is not None:
            if _cards(given) != tuple(before):
                self.faults.append(f"{name}: the seed does not shuffle the listed pile into this order.")
            elif self._is_defined(before) or set(before) <= drawn or is_unsure:
                return
            elif self._is_whole_deck(before):
                self.faults.append(f"{name}: a new deck did not stand in its order before the shuffle.")
        elif self._is_defined(before):
            return
        elif is_unsure or (drawn and set(before) <= drawn):
            self.unproven.append(f"{name}: the discards' order before the reshuffle is not in the export.")
        elif all(card in _PLAYING_CARDS for card in before) or self._has_stones_only(before):
            self.faults.append(f"{name}: the seed does not shuffle the deck into this order.")
        else:
            self.unproven.append(f"{name}: the list's order before the shuffle is not in the export.")

    def _is_whole_deck(self, cards: Sequence[str]) -> bool:
        decks = standard_deck(jokers=False), standard_deck(jokers=True)
        if any(len(cards) == len(deck) and set(cards) == set(deck) for deck in decks):
            return True
        return self._has_stones_only(cards) and Counter(cards) == Counter(stones_deck(self.elements))

    def _is_defined(self, cards: Sequence[str]) -> bool:
        """Say whether these cards stand as their deck is defined (or what is left of it)."""
        if all(card in _PLAYING_CARDS for card in cards):
            places = [_PLAYING_CARDS[card] for card in cards]
            return places == sorted(places) and len(set(places)) == len(places)
        if not self._has_stones_only(cards):
            return False
        stones = [card.rsplit(" ", 1) for card in cards]
        ranks = [(self.elements.index(element), _STARS[stars]) for element, stars in stones]
        return ranks == sorted(ranks)

    def _has_stones_only(self, cards: Sequence[str]) -> bool:
        for card in cards:
            element, _, stars = card.rpartition(" ")
            if stars not in _STARS or element not in self.elements:
                return False
        return bool(cards)

    def _pile_shuffled(self, row: dict[str, Any], command: dict[str, Any], cards: Pile | None) -> str:
        """Name the pile of a shuffle; the one after an undo is of the encounter's own pile where it has one."""
        where = row.get("encounter")
        if command.get("action") != "deck reshuffle" or cards is None or where is None:
            return _pile_of(row, command)
        own = str(where)
        fitting = [
            each for each in (own, _DECK) if any(Counter(pile) == Counter(cards) for pile in self.piles.get(each, ()))
        ]
        return fitting[0] if fitting else own if own in self.piles else _DECK

    def _pile_drawn_from(self, row: dict[str, Any], command: dict[str, Any], cards: Pile | None) -> str:
        """Name the pile of a draw; a ruling on cards is of the channel's deck or of the encounter's own."""
        own = _pile_of(row, command)
        if command.get("action") != "gm cards" or cards is None:
            return own
        fitting = [
            where for where in (_DECK, own) if any(pile[: len(cards)] == cards for pile in self.piles.get(where, ()))
        ]
        return fitting[0] if fitting else own if own in self.piles else _DECK

    def _check_draw(self, name: str, entry: dict[str, Any], where: Any, *, is_revealed: bool) -> None:
        count = entry["draw"]
        if not _is_whole(count) or count < 0:
            self.faults.append(f"{name}: {_short(count)} is no number of cards.")
            return
        if not is_revealed:
            return
        cards = _cards(entry.get("cards"))
        if cards is None or len(cards) != count:
            self.faults.append(f"{name}: the {count} cards of the draw are not listed.")
            return
        self.drawn.setdefault(where, set()).update(cards)
        piles = self.piles.get(where)
        if piles is None:
            self.unproven.append(f"{name}: the export does not hold the shuffle of this pile.")
            return
        fitting = {pile[count:] for pile in piles if pile[:count] == cards}
        if not fitting and where in self.unsure:
            self.unproven.append(f"{name}: rows that are not in this export moved the pile before it.")
            del self.piles[where]
            return
        self.counts["draws"] += 1
        if not fitting:
            self.faults.append(f"{name}: {_short(', '.join(cards))} did not lie on top of the pile.")
            fitting = {pile[count:] for pile in piles}
        self.piles[where] = fitting


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


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _pile_of(row: dict[str, Any], command: dict[str, Any]) -> str:
    """Name the pile that a row's shuffles and draws belong to: the channel's deck, or an encounter's own."""
    verb, _, _ = str(command.get("action")).partition(" ")
    where = row.get("encounter")
    return _DECK if verb in {"deck", "hand"} or where is None else str(where)


def _cards(value: Any) -> Pile | None:
    if isinstance(value, list) and all(isinstance(card, str) for card in value):
        return tuple(value)
    return None


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


def _short(value: Any) -> str:
    shown = str(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}…"
