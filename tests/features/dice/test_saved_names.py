"""A saved roll is one value, anywhere in a text, and whatever it is called."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.features.typed_dice import read_rolls
from data.rows import MacroRow
from rules.dice.refused import UnreadableDice
from rules.dice.tree import Expression
from tests.dice.tables import meant, rolls_of

# A name at its place, and the same with its dice in parentheses
PLACES = (
    ("{}", "{}"), ("-{}", "-{}"), ("{}*2", "{} * 2"), ("2*{}", "2 * {}"), ("{}/2 resisted", "{} / 2"),
    ("10-{}", "10 - {}"), ("{}+{}", "{} + {}"), ("{}-{}", "{} - {}"), ("({})*2", "{} * 2"), ("{}**2", "{} ** 2"),
    ("max({}, 3)", "max({}, 3)"), ("floor({}/2)", "floor({} / 2)"), ("{} >= 12", "{} >= 12"), ("{}>3", "{} > 3"),
    ("{} >= {}", "{} >= {}"), ("3 <= {}", "3 <= {}"), ("2d6 + {}", "2d6 + {}"), ("{} + 2d6", "{} + 2d6"),
    ("1d20 + {} fire - 2", "1d20 + {} - 2"), ("2d6 bless - {}", "2d6 - {}"), ("({})d6", "({})d6"),
    ("{} x2", "2x {}"), ("2#{}", "2x {}"), ("2 {}", "2x {}"), ("3x {}", "3x {}"), ("{} twice", "2x {}"),
    ("repeat({}, 2)", "2x {}"), ("{} # why", "{}"), ("{} for glory", "{}"), ("{} % 4", "{} % 4"),
    ("{} // 2", "{} // 2"), ("[[{}]]", "{}"), ("(1d4, {})kh1", "(1d4, {})kh1"), ("{{1d4, {}}}kh1", "(1d4, {})kh1"),
    ("1d8; {}", "1d8; {}"), ("{}; {}", "{}; {}"), ("/roll {} + 1", "{} + 1"), ("{}−1", "{} - 1"), ("{} × 2", "{} * 2"),
)  # fmt: skip
NAMES = (
    "Hit", "Attack", "check", "Coin", "CC", "Age", "Fire Bolt", "O’Neil", "Ünder", "Dex", "Stealth", "dd34", "2nd Blow",
)  # fmt: skip
SAVED = ("2d6+4", "-2+1d6", "1d6-1", "2d20kh1 + 3", "1d8 # cold", "4")


def reader(name: str, dice: str) -> Callable[[str], tuple[Expression, ...]]:
    saved = {name: MacroRow(user="1", name=name, dice=dice)}
    return lambda text: read_rolls(text, {"STR": "3"}, saved).rolls


@pytest.mark.parametrize("name", NAMES)
def test_a_name_means_one_value_anywhere_in_a_text(name: str) -> None:
    for at, (typed, wanted) in enumerate(PLACES):
        for dice in SAVED if name == "Hit" else SAVED[at % len(SAVED) :][:1]:
            plain = f"({dice.partition(' #')[0]})"
            found = rolls_of(typed.format(name, name), reader(name, dice))
            assert found == rolls_of(wanted.format(plain, plain), meant), (typed, dice)
            assert found is not None


def texts(typed: str, dice: str) -> list[str]:
    return [each.text for each in reader("Stats", dice)(typed)]


def test_what_is_rolled_is_compared_and_repeated_as_a_whole() -> None:
    assert texts("Stats >= 12", "1d20+5") == ["(1d20 + 5) [Stats] >= 12"]
    assert texts("Stats >= 12", "6x 4d6kh3") == ["6x (4d6kh3) [Stats] >= 12"]
    assert texts("2#Stats", "1d20+5; 2d6") == texts("2 Stats", "1d20+5; 2d6") == ["2x 1d20 + 5", "2x 2d6"]
    assert texts("Stats", "6x 4d6kh3; 2x 1d6") == ["6x 4d6kh3", "2x 1d6"]


@pytest.mark.parametrize("typed", ["2#Stats", "Stats x2", "2x Stats", "2 Stats", "x2 Stats", "1d6 + Stats"])
def test_many_rolls_are_no_value_and_are_not_repeated_again(typed: str) -> None:
    with pytest.raises(UnreadableDice) as refused:
        texts(typed, "6x 4d6kh3")
    assert refused.value.nearest is None


@pytest.mark.parametrize("typed", ["Stats >= 3", "Stats == 0", "Stats > Stats"])
def test_what_compares_already_is_not_compared_again(typed: str) -> None:
    with pytest.raises(UnreadableDice):
        texts(typed, "1d20+5>=15")


@pytest.mark.parametrize("typed", ["Stats!", "Stats kh1", "Stats r1", "Stats t8", "Stats f1", "Statsd6"])
def test_an_operator_behind_a_name_is_not_dropped(typed: str) -> None:
    with pytest.raises(UnreadableDice):
        texts(typed, "4d6+1")
