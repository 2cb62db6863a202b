"""The decks that the referee knows, each in its definition order: what a shuffle begins with, and a proof of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rules.errors import Malformed

SUITS = ("C", "D", "H", "S")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
JOKERS = ("X1", "X2")
ELEMENTS = ("Wind", "Water", "Neutral", "Fire", "Earth", "Darkness", "Light")
STONE_COUNTS = (10, 6, 3, 1, 1)
STONES = "stones"
KINDS = ("standard52", "standard54", STONES)


def stones_deck(elements: Sequence[str] = ELEMENTS, counts: Sequence[int] = STONE_COUNTS) -> tuple[str, ...]:
    """Return the stones in definition order: elements, stars ascending, infinite last. Rule: ST-01."""
    deck: list[str] = []
    for element in elements:
        for stars, count in zip(("1", "2", "3", "4", "inf"), counts, strict=True):
            deck.extend([f"{element} {stars}"] * count)
    return tuple(deck)


def standard_deck(*, jokers: bool) -> tuple[str, ...]:
    """Return playing cards in definition order: clubs, diamonds, hearts, spades, ace to king, then jokers."""
    deck = tuple(f"{rank}{suit}" for suit in SUITS for rank in RANKS)
    return deck + JOKERS if jokers else deck


def ranked_cards() -> tuple[str, ...]:
    """Return playing cards from the two of clubs up: aces above kings, equal ranks by suit, then the jokers.

    >>> ranked_cards()[:2], ranked_cards()[-3:]
    (('2C', '2D'), ('AS', 'X2', 'X1'))
    """
    return (*(f"{rank}{suit}" for rank in (*RANKS[1:], RANKS[0]) for suit in SUITS), *reversed(JOKERS))


def deck_of(kind: str) -> tuple[str, ...]:
    """Return the definition of a named deck. Raises: Malformed."""
    decks: Mapping[str, Callable[[], tuple[str, ...]]] = {
        "standard52": lambda: standard_deck(jokers=False),
        "standard54": lambda: standard_deck(jokers=True),
        STONES: stones_deck,
    }
    if kind in decks:
        return decks[kind]()
    raise Malformed(f"There is no deck {kind[:40]}.", instead=f"Possible: {', '.join(KINDS)}, or a file.")
