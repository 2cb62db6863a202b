"""The decks that the referee knows, each in its definition order: what a shuffle begins with, and a proof of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from rules.errors import Malformed

SUITS = ("C", "D", "H", "S")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
JOKERS = ("X1", "X2")
ELEMENTS = ("Wind", "Water", "Neutral", "Fire", "Earth", "Darkness", "Light")
STONE_COUNTS = (10, 6, 3, 1, 1)
STONES = "stones"
_SUITS_WRITTEN = {
    "C": ("c", "club", "clubs", "♣", "♧"),
    "D": ("d", "diamond", "diamonds", "♦", "♢"),
    "H": ("h", "heart", "hearts", "♥", "♡"),
    "S": ("s", "spade", "spades", "♠", "♤"),
}
_RANK_WORDS = {
    "ace": "A", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "jack": "J", "knave": "J", "queen": "Q", "king": "K",
}  # fmt: skip
_PLAYING_CARD = re.compile(r"(?P<rank>10|[2-9ajqkt]|[a-z]{3,5}) ?(?:of )?(?P<suit>[♣♧♦♢♥♡♠♤]|[a-z]{1,8})")
_JOKER = re.compile(r"(?:the )?joker ?([12])?")
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


def read_playing_card(text: str) -> str | None:
    """Return the playing card that people write so, None if it is none.

    >>> [read_playing_card(text) for text in ("A♠", "ace of spades", "10 of Hearts", "Q♦️", "t h", "joker 2", "Fire 2")]
    ['AS', 'AS', '10H', 'QD', '10H', 'X2', None]
    """
    folded = " ".join(text.replace("\ufe0f", "").casefold().split())
    joker = _JOKER.fullmatch(folded)
    if joker is not None:
        return f"X{joker[1] or 1}"
    match = _PLAYING_CARD.fullmatch(folded)
    if match is None:
        return None
    rank = _RANK_WORDS.get(match["rank"], "10" if match["rank"] == "t" else match["rank"].upper())
    suit = next((letter for letter, words in _SUITS_WRITTEN.items() if match["suit"] in words), None)
    return f"{rank}{suit}" if rank in RANKS and suit else None
