"""The signs that phones, PDFs and spreadsheets make: each is the usual one, wherever dice or amounts are typed."""

from __future__ import annotations

import sys
from unicodedata import category, name

import pytest

from bot.waiting.typed_times import parse_quiet
from rules.core.conditions import parse_save
from rules.core.sheets.sheet import parse_sheet, parse_value
from rules.core.typed.input import whole_number
from rules.dice.reading import parse_expression, parse_rolls
from rules.dice.signs import _SIGNS, usual_signs
from tests.rules.table import Game

MINUS, PLUS, TIMES = ([letter for letter in _SIGNS[sign] if letter not in "⁻₋⁺₊˗⁃"] for sign in "-+*")


def test_each_dash_and_quote_of_unicode_is_known() -> None:
    every = [chr(code) for code in range(128, sys.maxunicode + 1)]
    dashes = {each for each in every if category(each) == "Pd"} - set("〜〰゠")  # waves, and what looks like =
    quotes = {each for each in every if category(each) in {"Pi", "Pf"} and "QUOTATION" in name(each)}
    assert {each for each in dashes if usual_signs(each) != "-"} == set()
    assert {each for each in quotes if usual_signs(each) not in set("'\"")} == set()


@pytest.mark.parametrize("minus", MINUS)
def test_each_dash_is_a_minus_wherever_numbers_are_typed(minus: str) -> None:
    assert parse_expression(f"1d20 {minus} 2").text == "1d20 - 2"
    assert parse_expression(f"1d20 + 1d4 bless {minus} 2").text == "1d20 + 1d4 [bless] - 2"
    assert parse_value(f"{minus}2") == -2
    assert whole_number(f"{minus}2", "bonus") == -2
    assert parse_quiet(f"22:00{minus}08:00") == parse_quiet("22:00-08:00")
    assert parse_save(f"2d6{minus}1>=7") == parse_save("2d6-1>=7")
    assert parse_sheet(f"HP 9, DEX {minus}1")["DEX"] == -1


@pytest.mark.parametrize("sign", PLUS)
def test_each_plus_is_a_plus(sign: str) -> None:
    assert parse_expression(f"1d20{sign}2 stealth").text == "1d20 + 2 # stealth"


@pytest.mark.parametrize("sign", TIMES)
def test_each_sign_of_times_multiplies(sign: str) -> None:
    assert parse_expression(f"2d6{sign}3").text == "2d6 * 3"


@pytest.mark.parametrize("sign", ["；", "؛", "﹔", "\u037e"])
def test_each_semicolon_parts_rolls(sign: str) -> None:
    assert [roll.text for roll in parse_rolls(f"1d20+5{sign} 2d6")] == ["1d20 + 5", "2d6"]


@pytest.mark.parametrize("sign", ["，", "、", "﹐"])
def test_each_comma_parts_a_sheet(sign: str) -> None:
    assert parse_sheet(f"HP 9{sign} DEX 2") == {"HP": 9, "DEX": 2}


@pytest.mark.parametrize("sign", [*_SIGNS['"'], *_SIGNS["'"]])
def test_each_quote_is_no_part_of_the_reason(sign: str) -> None:
    assert parse_expression(f"1d20 {sign}stealth{sign}").text == "1d20 # stealth"


def test_words_stay_as_they_were_typed() -> None:
    assert parse_expression("1d20+5 O’Neil “hides”").comment == "O’Neil “hides”"
    assert usual_signs("1d20\u200b+\u20605") == "1d20+5"


def test_amounts_and_health_are_typed_with_any_sign() -> None:
    game = Game()
    game.do("Gwen", "gm add", name="Ogre", sheet="HP 30", rolls="1d20")
    game.do("Gwen", "gm damage", target="Ogre", amount="2d6 − 1", dice=[(6, 2), (6, 3)])
    assert game.state.combatant("Ogre").pools["HP"].now == 26
    assert "heal" in str(game.refused("Gwen", "gm damage", target="Ogre", amount="—5"))


@pytest.mark.parametrize("sign", [*_SIGNS[" "]])
def test_each_space_is_one(sign: str) -> None:
    assert parse_expression(f"9{sign}+{sign}2").text == "9 + 2"


@pytest.mark.parametrize(("usual", "sign"), [(usual, sign) for usual in "/%" for sign in _SIGNS[usual]])
def test_each_sign_of_a_division_divides(usual: str, sign: str) -> None:
    assert parse_expression(f"9{sign}5").text == parse_expression(f"9{usual}5").text
