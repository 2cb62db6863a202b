"""The grammar's case file: exact dice in, exact results out."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from rules.dice.reading import stored_expression
from rules.dice.refused import UnreadableDice
from rules.dice.roll import roll_expression
from rules.dice.source import Dice, Die, SeededFaces
from rules.errors import Refusal
from tests.dice.script import ScriptedFaces

FILE = tomllib.loads((Path(__file__).parent / "cases.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", FILE["case"], ids=lambda case: case["says"])
def test_an_expression_draws_these_dice_and_gives_this_total(case: dict[str, Any]) -> None:
    script = ScriptedFaces([(sides, face) for sides, face in case["dice"]])
    dice = Dice(script)
    rolled = roll_expression(case["roll"], dice, who="Ayla", purpose="test")
    assert script.leftover() == ()
    assert rolled.total == case["total"]
    assert list(rolled.totals) == case.get("totals", [case["total"]])
    records = [record for record in dice.records if isinstance(record, Die)]
    assert [[die.sides, die.face] for die in records] == case["dice"]
    assert all(die.who == "Ayla" and die.purpose == "test" for die in records)
    if "kept" in case:
        assert [die.kept for die in records] == case["kept"]


@pytest.mark.parametrize("case", FILE["case"], ids=lambda case: case["says"])
def test_the_normalised_source_reads_the_same(case: dict[str, Any]) -> None:
    expression = stored_expression(case["roll"])
    assert stored_expression(expression.text) == expression
    assert stored_expression(expression.text).text == expression.text


@pytest.mark.parametrize("case", FILE["refusal"], ids=lambda case: case["roll"] or "empty")
def test_a_bad_expression_gets_a_sentence(case: dict[str, Any]) -> None:
    dice = Dice(SeededFaces(b"seed", "1"))
    with pytest.raises(Refusal) as refused:
        roll_expression(case["roll"], dice)
    assert case["says"] in str(refused.value)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize(
    "text",
    ["(" * 400 + "1" + ")" * 400, "(" * 400, "-" * 400 + "1", "1" * 501, "1+" * 250 + "1", "((((1d6" * 60],
)
def test_a_monster_is_refused_before_it_is_read(text: str) -> None:
    with pytest.raises(Refusal):
        stored_expression(text)


def test_fifty_parentheses_and_five_hundred_characters_are_allowed() -> None:
    assert roll_expression("(" * 50 + "7" + ")" * 50, Dice(ScriptedFaces([]))).total == 7
    longest = "1+" * 249 + "10"
    assert len(longest) == 500
    assert roll_expression(longest, Dice(ScriptedFaces([]))).total == 259


def test_a_slip_names_its_place_what_was_there_and_what_was_expected() -> None:
    with pytest.raises(UnreadableDice) as refused:
        stored_expression("2d6 + * 3")
    assert refused.value.position == 7
    assert refused.value.got == "“*”"
    assert "dice such as 2d6" in refused.value.expected


def test_the_dice_of_all_repeats_count_together() -> None:
    dice = Dice(SeededFaces(b"seed", "1"))
    with pytest.raises(Refusal, match="can roll 1000 dice"):
        roll_expression("60d6", dice, times=20)
    assert dice.records == []
    assert (
        roll_expression("50d6", dice, times=20).totals
        == roll_expression("20x(50d6)", Dice(SeededFaces(b"seed", "1"))).totals
    )
    with pytest.raises(Refusal, match="can roll 1000 dice"):
        roll_expression("1d6", dice)


def test_endless_rerolls_that_only_show_on_the_way_are_stopped() -> None:
    dice = Dice(SeededFaces(b"seed", "1"))
    with pytest.raises(Refusal, match="with rerolls and explosions"):
        roll_expression("10d1000rr>1", dice)


def test_nine_hundred_and_ninety_nine_exploding_dice_end_somehow() -> None:
    with pytest.raises(Refusal, match="can roll 1000 dice"):
        roll_expression("999d6!", Dice(SeededFaces(b"seed", "1")))
    with pytest.raises(Refusal, match="explode"):
        roll_expression("500d6!", Dice(SeededFaces(b"seed", "1")), times=2)


def test_a_parsed_expression_knows_how_many_dice_it_takes() -> None:
    assert stored_expression("3x(4d6kh3) ").dice_count == 12
    assert stored_expression("2d6 adv 1 + 1d4").dice_count == 4
