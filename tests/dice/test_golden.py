"""What was rolled once is rolled again: streams, orders of drawing, totals, texts and records stay what they were.

Where a text comes to roll other dice on purpose, `GRAMMAR` counts up, so that nobody is accused of yesterday's reading.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.dice import grammar
from rules.dice.roll import roll_expression
from rules.dice.source import Dice, SeededFaces, dump_records
from rules.errors import Refusal
from tests.dice.tables import GOLDEN

BY_HAND = [
    "3x(2d6)",
    "1d6 [note 5] + 3",
    "2d6 adv 4",
    "4dFkh2",
    "2d20kh >= 11",
    "8d6rr1ro<3!",
    "5d%k99 # 12 gauge",
    "1.5*d8",
]


@pytest.mark.parametrize(("at", "expression", "values", "text", "record"), GOLDEN)
def test_a_roll_of_a_known_seed_stays_what_it_was(
    at: int, expression: str, values: list[float], text: str, record: str
) -> None:
    dice = Dice(SeededFaces(b"a golden seed", str(at)), typed=[2, 1] if at % 10 == 9 else [])
    rolled = roll_expression(expression, dice, who="Ayla", times=2 if at % 9 == 8 else 1)
    assert list(rolled.values) == values
    assert rolled.text(200) == text
    assert dump_records(dice.records) == record


def read(make: Any, text: str) -> Any:
    try:
        expression = make(text)
    except Refusal as refused:
        return str(refused)
    return expression.root, expression.comment, expression.dice_count, expression.exploding, expression.repeats


@pytest.mark.parametrize("seed", range(3))
def test_a_text_of_a_known_shape_is_read_like_one_of_a_new_shape(seed: int) -> None:
    chance = random.Random(seed)
    for text in [*BY_HAND, *(row[1] for row in GOLDEN)]:
        read(grammar.read_grammar, text)
        other = "".join(str(chance.randint(0, 9)) if letter.isdecimal() else letter for letter in text)
        assert read(grammar.read_grammar, other) == read(lambda new: grammar._Reader(new).expression()(new), other)
