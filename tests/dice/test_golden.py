"""What was rolled once is rolled again: streams, orders of drawing, totals, texts and records stay what they were.

If a text comes to roll other dice on purpose, `GRAMMAR` counts up, so that nobody is accused of yesterday's reading.
"""

from __future__ import annotations

import pytest

from rules.dice.roll import roll_expression
from rules.dice.source import Dice, SeededFaces, dump_records
from tests.dice.tables import GOLDEN


@pytest.mark.parametrize(("at", "expression", "values", "text", "record"), GOLDEN)
def test_a_roll_of_a_known_seed_stays_what_it_was(
    at: int, expression: str, values: list[float], text: str, record: str
) -> None:
    dice = Dice(SeededFaces(b"a golden seed", str(at)), typed=[2, 1] if at % 10 == 9 else [])
    rolled = roll_expression(expression, dice, who="Ayla", times=2 if at % 9 == 8 else 1)
    assert list(rolled.values) == values
    assert rolled.text(200) == text
    assert dump_records(dice.records) == record
