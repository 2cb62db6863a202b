"""Cards as people write them, and all of a hand at once (`/hand`, `/gm cards`)."""

from __future__ import annotations

import pytest

from rules.core.cards import parse_cards, parse_deck_file
from rules.dice.decks import standard_deck
from rules.errors import Malformed
from tests.features.channel import Place


@pytest.mark.parametrize(
    ("typed", "card"),
    [("A♠", "AS"), ("ace of spades", "AS"), ("Q♦️", "QD"), ("10 of Hearts", "10H"), ("th", "10H"), ("joker", "X1")],
)
def test_a_playing_card_is_read_as_people_write_it(typed: str, card: str) -> None:
    assert parse_cards(f"2C, {typed}", standard_deck(jokers=True)) == ("2C", card)


async def test_all_is_the_whole_hand_with_its_copies(place: Place) -> None:
    await place.do("Gwen", "deck new", cards=["Fire", "Fire", "Ace"])
    await place.do("Gwen", "hand draw", count=3)
    await place.do("Gwen", "hand discard", cards="ALL")
    room = await place.tables.room_of("900", "800")
    assert sorted(room.table.cards.discards) == ["Ace", "Fire", "Fire"]


def test_a_card_that_nobody_sees_is_refused_and_two_that_look_alike_are_one() -> None:
    assert parse_deck_file("O’Neil\nO'Neil\n2x Ace".encode()) == ("O’Neil", "O’Neil", "Ace", "Ace")
    for card in ("\u3164", "\u2800", "A\u034fce"):
        with pytest.raises(Malformed):
            parse_deck_file(card.encode())
