"""Odds, luck and fairness: numbers and pictures."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from bot.render.figures import (
    DieLuck,
    fairness_card,
    luck_numbers,
    odds_numbers,
    percent,
    reveal_message,
)
from bot.render.payload import Attachment
from bot.render.pictures import hand_picture, luck_picture, odds_picture
from rules.dice.decks import standard_deck, stones_deck
from rules.dice.odds import Distribution, distribution
from tests.render.worst import NAMES, assert_sendable

HEX = "0123456789abcdef" * 4


def odds(*expressions: str) -> list[tuple[str, Distribution]]:
    return [(each, distribution(each)) for each in expressions]


def size(png: bytes) -> tuple[int, int]:
    with Image.open(io.BytesIO(png)) as image:
        assert image.format == "PNG"
        return image.size


def test_the_numbers_are_mean_deviation_and_the_chance_asked_for() -> None:
    text = odds_numbers(odds("2d6"), 7).content
    assert "mean 7, deviation 2.415, from 2 to 12" in text
    assert "P(≥ 7) = 58.33 %" in text
    assert "7: 16.67 %" in text


def test_two_expressions_are_compared() -> None:
    text = odds_numbers(odds("1d6", "1d6")).content
    assert "1d6 beats 1d6 in 41.67 % of cases and ties in 16.67 %." in text


def test_a_chance_that_is_not_certain_is_never_shown_as_certain() -> None:
    assert [percent(0.0), percent(1.0), percent(1e-9), percent(1 - 1e-9)] == ["0 %", "100 %", "< 0.01 %", "> 99.99 %"]


def test_open_ended_dice_say_that_they_are_cut() -> None:
    assert "10¹²" in odds_numbers(odds("1d6!")).content


@pytest.mark.parametrize(
    "expressions",
    [("1d1",), ("2d6",), ("1d100",), ("1d6!",), ("1d1000+20d20",), ("4d6kh3", "3d6", "2d6+3", "1d20"), ("-5",)],
)
@pytest.mark.parametrize("at_least", [None, 7])
def test_odds_are_drawn_for_a_phone_the_same_each_time(expressions: tuple[str, ...], at_least: int | None) -> None:
    png, alt = odds_picture(odds(*expressions), at_least)
    assert png == odds_picture(odds(*expressions), at_least)[0]
    wide, tall = size(png)
    assert wide == 800
    assert tall < 1400
    assert all(each in alt for each in expressions)
    assert_sendable(odds_numbers(odds(*expressions), at_least, picture=Attachment("odds.png", png, alt)))


def test_luck_compares_with_fair_dice() -> None:
    lucky = DieLuck(20, {20: 30, 1: 10})
    text = luck_numbers("Ana", [lucky, DieLuck(6)], since="7d").content
    assert "d20: 40 rolled, mean 15.25 (expected 10.5)" in text
    assert "20 came up 30×, 1 came up 10× (expected 2× each)" in text
    assert lucky.better_than > 0.99
    assert "d6" not in text
    assert "no public dice" in luck_numbers("Ana", []).content


def test_luck_is_drawn_for_every_size_of_die() -> None:
    lucks = [DieLuck(sides, {1: 3, sides: 5}) for sides in (2, 3, 4, 6, 8, 10, 12, 20, 100, 1000, 1_000_000)]
    lucks.append(DieLuck(1, {1: 4}))
    for luck in lucks:
        png, alt = luck_picture(NAMES[0], [luck])
        assert size(png)[0] == 800
        assert f"d{luck.sides}" in alt
    png, alt = luck_picture("Ana", lucks)
    assert "8 more sizes" in alt
    assert_sendable(luck_numbers(NAMES[0], lucks * 9, since="7d", picture=Attachment("luck.png", png, alt)))


@pytest.mark.parametrize(
    "cards",
    [(), ("Fire 2",), stones_deck(), standard_deck(jokers=True), ("Aether 7", "The Tower", "x" * 40, "🐉🐉", NAMES[0])],
)
def test_hands_are_drawn_whatever_the_cards(cards: tuple[str, ...]) -> None:
    png, alt = hand_picture(cards)
    assert size(png)[0] == 800
    assert len(alt) <= 1024
    assert f"A hand of {len(cards)} cards" in alt


def test_the_commitment_is_there_with_all_its_digits() -> None:
    card = fairness_card(HEX, from_seq=3, rolled=17, is_discord=False, fixed=True)
    assert_sendable(card)
    text = card.embeds[0]["description"]
    assert HEX in text
    assert "its owner chooses the interaction ids" in text
    assert "DICE_SEED" in text
    assert_sendable(fairness_card(HEX, from_seq=1, rolled=0, plain=True))


def test_the_reveal_names_the_seed_and_the_next_commitment() -> None:
    other = HEX[::-1]
    payload = reveal_message(HEX, "ab" * 32, from_seq=1, to_seq=90, next_commitment=other)
    assert_sendable(payload)
    assert all(part in payload.content for part in (HEX, "ab" * 32, other, "rows 1 to 90"))
