"""A reader that shares nothing with ours (tests/trust/roll.mjs) draws the same dice and comes to the same results."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rules.dice.reading import parse_rolls, stored_expression
from rules.dice.roll import roll_expression
from rules.dice.source import Dice, Die, SeededFaces
from rules.errors import Refusal
from tests.dice.tables import GOLDEN, NUMBERS, OWN, ROLLED, SHARED

NODE = shutil.which("node")
READER = Path(__file__).parents[1] / "trust" / "roll.mjs"
pytestmark = pytest.mark.skipif(NODE is None, reason="no Node found")


def read_by_the_second(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    assert NODE is not None
    lines = "\n".join(json.dumps(case) for case in cases)
    done = subprocess.run([NODE, str(READER)], input=lines, check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_second_reader_agrees_on_every_die_and_every_result() -> None:
    typed = [roll.text for row in ROLLED for roll in parse_rolls(row[0], NUMBERS)]
    texts = [*typed, *SHARED, *OWN, *(row[1] for row in GOLDEN)]
    cases, expected = [], []
    for seed in range(3):
        for text in dict.fromkeys(texts):
            dice = Dice(SeededFaces(b"second reader", f"{seed}:{text}"))
            try:
                rolled = roll_expression(stored_expression(text), dice)
            except Refusal:
                continue
            drawn = [die for die in dice.records if isinstance(die, Die)]
            cases.append({"text": rolled.expression.text, "faces": [[die.sides, die.face] for die in drawn]})
            expected.append(
                {
                    "values": [pytest.approx(float(value)) for value in rolled.values],
                    "drawn": [{"sides": die.sides, "face": die.face, "kept": die.kept} for die in drawn],
                    "left": [],
                }
            )
    found = read_by_the_second(cases)
    assert len(found) == len(cases) > 1000
    wrong = [(case, one) for case, one, wanted in zip(cases, found, expected, strict=True) if one != wanted]
    assert wrong[:3] == []
