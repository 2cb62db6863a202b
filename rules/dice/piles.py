"""The piles of an export, followed from row to row: how each was before a shuffle, and what lay on top at a draw.

What a pile was is a fact of the row (`deck` of a shuffle, `pile` of a draw, the row's `discards`), never read out of
what people typed. Rows of before these facts were kept are proven as far as that goes without them:

- the first shuffle of an encounter's own pile is a whole deck, so that playing cards are in their defined order, and
  stones in blocks of one element, stars ascending; which element comes first only the facts tell;
- a later one that holds a card that was never drawn is in the order of the deck before it;
- anything else (discards, an uploaded list) is named as not proven.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from rules.dice.decks import ELEMENTS, KINDS, STONE_COUNTS, STONES, deck_of, standard_deck, stones_deck
from rules.dice.source import ALL, CHANNEL, DISCARDS, ENCOUNTER, NEW, REST

Cards = tuple[str, ...]

_STARS = {"1": 1, "2": 2, "3": 3, "4": 4, "inf": 5}
_MOST_STONES = 10_000
_NAMED = {kind: deck_of(kind) for kind in KINDS}
_OLD = "its row is older than the rows that say what deck was shuffled"


@dataclass(frozen=True, slots=True)
class Pile:
    """What is known of one pile; None: the export does not tell."""

    cards: Cards | None = None
    definition: Cards | None = None
    discards: Cards | None = None
    drawn: frozenset[str] = frozenset()
    is_unsure: bool = False  # rows that are not in this export may have moved it


@dataclass(slots=True)
class Found:
    """What is wrong, what could not be proven, and how many decks have an order that the table made up."""

    faults: list[str]
    unproven: list[str]
    own_decks: int = 0


class Piles:
    """All piles of an export: the channel's, and each encounter's own under its id."""

    def __init__(self, found: Found) -> None:
        self.found = found
        self._piles: dict[str, Pile] = {}
        self._started: set[str] = set()  # encounters whose first row is here
        self._has_facts = False

    def snapshot(self) -> Mapping[str, Pile]:
        return dict(self._piles)

    def restore(self, snapshot: Mapping[str, Pile]) -> None:
        self._piles = dict(snapshot)

    def note_gap(self) -> None:
        """Rows of elsewhere are left out here: the channel's deck may have been used there."""
        self._piles[CHANNEL] = replace(self._of(CHANNEL), is_unsure=True)

    def note_row(self, row: Mapping[str, Any], command: Mapping[str, Any]) -> None:
        """Note an encounter's beginning: its own pile is empty then."""
        if command.get("action") == "encounter start" and row.get("encounter") is not None:
            self._started.add(str(row["encounter"]))
            self._piles[str(row["encounter"])] = Pile(cards=(), discards=())

    def _of(self, where: str) -> Pile:
        return self._piles.get(where, Pile())

    def forget(self, where: str) -> None:
        """Take what was known of a pile for no longer so: it was shuffled by a seed that is secret."""
        self._piles[where] = Pile(drawn=self._of(where).drawn)

    # Discards

    def discard(self, row: Mapping[str, Any], fact: Mapping[str, Any]) -> None:
        """Put what a row discarded after what lay there."""
        cards = cards_of(fact.get("cards"))
        where = _place(fact.get("pile"), row)
        if cards is None or where is None:
            self.found.faults.append(f"Row {row['seq']}: I can't read its discards.")
            return
        pile = self._of(where)
        if pile.discards is not None:
            self._piles[where] = replace(pile, discards=(*pile.discards, *cards))

    # Shuffles

    def shuffle(
        self,
        name: str,
        row: Mapping[str, Any],
        command: Mapping[str, Any],
        entry: Mapping[str, Any],
        before: Cards,
        given: Any,
    ) -> None:
        """Check how a pile was before a shuffle, and lay the shuffled one down."""
        cards = cards_of(entry.get("cards")) or ()
        if given is not None and cards_of(given) != before:
            self.found.faults.append(f"{name}: the seed does not shuffle the listed pile into this order.")
        fact = entry.get("deck")
        if fact is not None:
            self._has_facts = True
            self._by_fact(name, row, fact, before, cards)
        elif self._has_facts:
            self.found.faults.append(f"{name}: the row no longer says what deck was shuffled.")
            self._lay(self._where_shuffled(row, command, cards), cards, before, None)
        else:
            self._without_fact(name, row, command, before, cards, is_given=given is not None)

    def _lay(self, where: str, cards: Cards, definition: Cards | None, discards: Cards | None) -> None:
        pile = self._of(where)
        self._piles[where] = Pile(cards, definition, discards, pile.drawn)

    def _by_fact(self, name: str, row: Mapping[str, Any], fact: Any, before: Cards, cards: Cards) -> None:
        where = _place(fact.get("pile"), row) if isinstance(fact, dict) else None
        order = fact.get("order") if isinstance(fact, dict) else None
        if where is None or order not in (NEW, REST, ALL, DISCARDS):
            self.found.faults.append(f"{name}: I don't understand how the row says what deck was shuffled.")
            return
        pile = self._of(where)
        if order == NEW:
            expected = self._new_deck(fact, before)
            if expected is None:
                self.found.faults.append(f"{name}: there is no deck of that kind.")
            elif expected != before:
                self.found.faults.append(f"{name}: a new deck was not in its own order before the shuffle.")
            self._lay(where, cards, before, ())
            return
        expected = _standing(pile, order)
        if expected is None or (expected != before and pile.is_unsure):
            what = "the discards' order before the reshuffle" if order == DISCARDS else "the pile's order before"
            self.found.unproven.append(f"{name}: {what} is not in the export.")
        elif expected != before:
            what = "the discards were not" if order == DISCARDS else "the pile was not"
            self.found.faults.append(f"{name}: {what} like this before the shuffle.")
        self._lay(where, cards, pile.definition, pile.discards if order == REST else ())

    def _new_deck(self, fact: Mapping[str, Any], before: Cards) -> Cards | None:
        """Return the order of a new deck; a list keeps its own."""
        kind = fact.get("kind")
        if kind == "list":
            self.found.own_decks += 1
            return before
        if kind != STONES:
            return _NAMED.get(kind) if isinstance(kind, str) else None
        elements, counts = cards_of(fact.get("elements")), _counts(fact.get("stones"))
        if elements is None or counts is None or len(elements) * sum(counts) > _MOST_STONES:
            return None
        self.found.own_decks += (elements, counts) != (ELEMENTS, STONE_COUNTS)
        return stones_deck(elements, counts)

    def _without_fact(
        self,
        name: str,
        row: Mapping[str, Any],
        command: Mapping[str, Any],
        before: Cards,
        cards: Cards,
        *,
        is_given: bool,
    ) -> None:
        where = self._where_shuffled(row, command, cards)
        pile = self._of(where)
        definition = pile.definition
        is_new = command.get("action") == "deck new"
        is_whole = is_new or (pile.cards == () and not pile.drawn and where in self._started)
        if is_new and ("count" in command or "cards" in command):
            definition = before
            if is_given:
                self.found.own_decks += 1
            else:
                self.found.unproven.append(f"{name}: the list's order before the shuffle is not in the export.")
        elif is_new:
            kind = str(command.get("kind") or "standard52")
            definition = _NAMED.get(kind, before)
            if definition != before:
                self.found.faults.append(f"{name}: a new deck was not in its own order before the shuffle.")
        elif any(_stands_in(deck, before) for deck in _NAMED.values()) or (
            definition is not None and _in_order(definition, before) == before
        ):
            definition = definition or before
        elif is_whole and not _is_in_blocks(before):
            self.found.faults.append(f"{name}: a new deck was not in its own order before the shuffle.")
        elif is_whole or pile.is_unsure or definition is None or set(before) <= pile.drawn:
            self.found.unproven.append(f"{name}: {_OLD}, and its cards alone do not show their order.")
            definition = definition or (before if is_whole else None)
        else:
            self.found.faults.append(f"{name}: the pile was not like this before the shuffle.")
        self._lay(where, cards, definition, None)

    def _where_shuffled(self, row: Mapping[str, Any], command: Mapping[str, Any], cards: Cards) -> str:
        """Name the pile of an old shuffle; the one after an undo is of the encounter's own if it has one."""
        where = pile_of(row, command)
        if command.get("action") != "deck reshuffle" or row.get("encounter") is None:
            return where
        own = str(row["encounter"])
        fitting = [each for each in (own, CHANNEL) if Counter(self._of(each).cards or ()) == Counter(cards)]
        return fitting[0] if fitting else own if own in self._piles else CHANNEL

    # Draws

    def draw(self, name: str, row: Mapping[str, Any], command: Mapping[str, Any], entry: Mapping[str, Any]) -> bool:
        """Check that what was drawn lay on top; return whether that could be checked."""
        count, cards = entry["draw"], cards_of(entry.get("cards"))
        if cards is None or len(cards) != count:
            self.found.faults.append(f"{name}: the {count} cards of the draw are not listed.")
            return False
        where = self._where_drawn(name, row, command, entry, cards)
        pile = replace(self._of(where), drawn=self._of(where).drawn | set(cards))
        self._piles[where] = pile
        if pile.cards is None:
            self.found.unproven.append(f"{name}: the export does not contain the shuffle of this pile.")
            return False
        fits = pile.cards[:count] == cards
        if not fits and pile.is_unsure:
            self.found.unproven.append(f"{name}: rows that are not in this export moved the pile before it.")
            self._piles[where] = replace(pile, cards=None)
            return False
        if not fits:
            self.found.faults.append(f"{name}: {short(', '.join(cards))} was not on top of the pile.")
        self._piles[where] = replace(pile, cards=pile.cards[count:])
        return True

    def _where_drawn(
        self, name: str, row: Mapping[str, Any], command: Mapping[str, Any], entry: Mapping[str, Any], cards: Cards
    ) -> str:
        where = _place(entry.get("pile"), row)
        if where is not None:
            return where
        if self._has_facts or "pile" in entry:
            self.found.faults.append(f"{name}: I don't understand how the row says which pile the cards came from.")
        own = pile_of(row, command)
        if command.get("action") != "gm cards":
            return own
        fitting = [each for each in (CHANNEL, own) if (self._of(each).cards or ())[: len(cards)] == cards]
        return fitting[0] if fitting else own if own in self._piles else CHANNEL


def pile_of(row: Mapping[str, Any], command: Mapping[str, Any]) -> str:
    """Name the pile of a row that does not say it: the channel's deck, or the encounter's own."""
    verb, _, _ = str(command.get("action")).partition(" ")
    where = row.get("encounter")
    return CHANNEL if verb in {"deck", "hand"} or where is None else str(where)


def cards_of(value: Any) -> Cards | None:
    if isinstance(value, list) and all(isinstance(card, str) for card in value):
        return tuple(value)
    return None


def short(value: Any) -> str:
    shown = str(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}…"


def _place(fact: Any, row: Mapping[str, Any]) -> str | None:
    if fact == CHANNEL:
        return CHANNEL
    return str(row["encounter"]) if fact == ENCOUNTER and row.get("encounter") is not None else None


def _standing(pile: Pile, order: Any) -> Cards | None:
    """Return the order a pile must have had before its shuffle, as far as that is known."""
    if order == DISCARDS:
        return pile.discards
    if pile.cards is None or (order == ALL and pile.discards is None):
        return None
    cards = (*pile.cards, *(pile.discards or ())) if order == ALL else pile.cards
    return None if cards and pile.definition is None else _in_order(pile.definition or (), cards)


def _in_order(definition: Cards, cards: Cards) -> Cards:
    """Return cards as their deck defines them; of a card that a list holds twice the first place comes first."""
    left = Counter(cards)
    if any(left[card] > number for card, number in Counter(definition).items()):  # two decks in one pile
        places = {card: at for at, card in reversed(list(enumerate(definition)))}
        return tuple(sorted(cards, key=lambda card: places.get(card, len(definition))))
    ordered = []
    for card in definition:
        if left[card]:
            left[card] -= 1
            ordered.append(card)
    return (*ordered, *sorted(left.elements()))


def _stands_in(deck: Cards, cards: Sequence[str]) -> bool:
    """Tell whether cards are some of a deck, in its order."""
    rest = iter(deck)
    return bool(cards) and all(card in rest for card in cards)


def _is_in_blocks(cards: Sequence[str]) -> bool:
    """Tell whether cards could be a whole deck of stones: each element once, stars ascending, as many as the others."""
    parted = [card.rpartition(" ") for card in cards]
    if not cards or any(stars not in _STARS or not element for element, _, stars in parted):
        return tuple(cards) == standard_deck(jokers=True)
    parts = groupby(parted, key=lambda part: part[0])
    blocks = [(element, [stars for _, _, stars in block]) for element, block in parts]
    first = blocks[0][1]
    return (
        len({element for element, _ in blocks}) == len(blocks)
        and first == sorted(first, key=_STARS.__getitem__)
        and all(stars == first for _, stars in blocks)
    )


def _counts(value: Any) -> tuple[int, ...] | None:
    """Read how many stones of each kind an element has."""
    if not isinstance(value, list) or len(value) != len(STONE_COUNTS):
        return None
    fine = all(isinstance(each, int) and not isinstance(each, bool) and 0 <= each <= _MOST_STONES for each in value)
    return tuple(value) if fine else None
