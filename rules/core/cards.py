"""Decks and hands of a channel, with or without an encounter (design 3, 7).

A pile is secret: it is in the state, never in a view. Index 0 is the top.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from rules.core.model import Frozen
from rules.core.typed import letters
from rules.core.typed.names import shown
from rules.core.typed.skeleton import skeleton
from rules.dice.decks import read_playing_card
from rules.errors import Illegal, Malformed

MAX_CARDS = 500
MAX_CARD_NAME = 40
ALL = "all"
_COPIES = re.compile(r"(\d{1,3})\s*[x×]\s+(\S.*)", re.IGNORECASE)


class Cards(Frozen):
    """A channel's deck: its definition order, the secret pile, the open discards, the secret hands."""

    kind: str = ""
    keeper: str | None = None
    definition: tuple[str, ...] = ()
    pile: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    hands: Mapping[str, tuple[str, ...]] = {}

    @property
    def holds_any(self) -> bool:
        return bool(self.pile or self.discards or any(self.hands.values()))


def parse_deck_file(data: bytes) -> tuple[str, ...]:
    """Read an uploaded deck: UTF-8, a card a line, `3x Name` for copies, up to 500 cards of 40 characters."""
    if len(data) > 256 * 1024:
        raise Malformed(f"That file is {len(data) // 1024} KB; a deck can be 256 KB at most.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Malformed(
            "That file is not UTF-8 text.", instead="Write one card on each line; 3x Name makes copies."
        ) from None
    deck: list[str] = []
    spelled: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        card = " ".join(line.split())
        if not card:
            continue
        copies = _COPIES.fullmatch(card)
        count, card = (int(copies[1]), copies[2].strip()) if copies else (1, card)
        if len(card) > MAX_CARD_NAME:
            raise Malformed(f"Line {number}: a card's name can have {MAX_CARD_NAME} characters at most.")
        card = letters.normalized(card)
        if letters.misplaced(card, ",") or not letters.is_visible(card):
            raise Malformed(
                f"Line {number}: a card's name needs something that people can see, and no commas.",
                instead="You can use letters, digits, spaces and emoji.",
            )
        deck.extend([spelled.setdefault(skeleton(card), card)] * count)
        if len(deck) > MAX_CARDS:
            raise Malformed(f"A deck can have {MAX_CARDS} cards at most.")
    if not deck:
        raise Malformed(
            "There are no cards in that file.", instead="Write one card on each line; 3x Name makes copies."
        )
    return tuple(deck)


def parse_cards(text: str, among: Iterable[str], held: Sequence[str] = ()) -> tuple[str, ...]:
    """Read a list of cards as people write them: `2x Fire 2` for copies, `A♠`, `ace of spades`; `all` is all held.

    Raises: Malformed for a card that no deck here has.
    """
    known = {skeleton(card): card for card in among}
    if held and skeleton(text) == ALL and ALL not in known:
        return tuple(held)
    found: list[str] = []
    for piece in text.split(","):
        part = " ".join(piece.split())
        if not part:
            continue
        copies = _COPIES.fullmatch(part)
        count, name = (int(copies[1]), copies[2].strip()) if copies else (1, part)
        card = known.get(skeleton(name)) or known.get(skeleton(read_playing_card(name) or ""))
        if card is None:
            raise Malformed(f"There is no {name[:40]} among the cards here.", instead=_some(known.values()))
        found.extend([card] * count)
        if len(found) > MAX_CARDS:
            raise Malformed(f"Name {MAX_CARDS} cards at most.")
    if not found:
        raise Malformed("Name at least one card.", instead=_some(known.values()))
    return tuple(found)


def _some(cards: Iterable[str]) -> str | None:
    listed = sorted(set(cards))
    return f"For example: {shown(listed, 8)}." if listed else None


def take(held: Sequence[str], wanted: Sequence[str], *, rule: str | None = None) -> tuple[str, ...]:
    """Return `held` without `wanted`. Raises: Illegal naming what is not held."""
    left = list(held)
    for card in wanted:
        if card not in left:
            raise Illegal(f"You don't have {card}.", rule=rule, instead="/hand show lists your cards.")
        left.remove(card)
    return tuple(left)


def counted(cards: Iterable[str]) -> str:
    """Write cards as `2x Fire 2, Earth 1`, in the order of each one's first."""
    counts: dict[str, int] = {}
    for card in cards:
        counts[card] = counts.get(card, 0) + 1
    return ", ".join(card if count == 1 else f"{count}x {card}" for card, count in counts.items())
