"""The tables of dice that tests share."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from rules.dice.reading import parse_rolls, part_rolls, stored_expression
from rules.dice.roll import roll_expression
from rules.dice.source import Dice, Die, SeededFaces
from rules.dice.tree import Expression
from rules.errors import Refusal

# interaction, expression, values, text within 200 characters, stored record. The interaction is the place in the list:
# every tenth roll has two typed faces, every ninth is made twice
GOLDEN = [
    json.loads(line) for line in (Path(__file__).parent / "golden.jsonl").read_text(encoding="utf-8").splitlines()
]


FILE = tomllib.loads((Path(__file__).parent / "typed.toml").read_text(encoding="utf-8"))


ROLLED = [row for section in FILE.values() for row in section.get("rolled", [])]


NUMBERS = {"STR": "3", "DEX": "-1", "HP": "12", "Animal Handling": "5", "INITIATIVE": "2d20kh1 + 3"}


# every operator with every selector that d20's own list names
SHARED = [
    "1d20", "1d20 + 5", "2d20kh1", "2d20kl1", "4d6kh3", "4d6k3", "4d6k>3", "4d6k<3", "5d6kh2kl1", "4d6kh3pl1",
    "4d6ph1", "4d6pl1", "4d6p1", "4d6p<3", "4d6ph1pl1", "8d6rr1", "8d6rr<3", "8d6rr>5", "8d6ro1", "8d6ro<4",
    "8d6roh2", "8d6rol2", "8d6ra6", "8d6ra1ra2", "8d6rah1", "8d6e6", "8d6e>4", "3d6eh1", "8d6mi3", "8d6ma3",
    "8d6mi2ma5", "4d6ro1kh3", "4d6kh3ro1", "4d6mi3rr3", "6d6e6kh4", "6d6kh4e6", "6d6ro<3mi2e6p1",
    "(1d6, 1d8)kh1", "(1d6, 1d8, 3)kl2", "(2d6, 1d10 + 2)k7", "(1d6, 1d6, 1d6)p<4", "(4d6)kh3", "((4d6kh3))pl1",
    "(1d6 + 3)k5", "(1d6,)", "()", "(1d8 [fire], 4d4 [cold])kh1 [best]", "1d6 [a] [b] + 2 [c]",
    "1d20 + 3 >= 15", "1d6 < 4", "1d6 == 3", "1d6 != 3", "2d6 <= 7", "1d20 > 10 > 0", "1d6 * 2 + 3", "2 + 1d6 * 3",
    "7 // 2", "7 / 2", "-7 / 2", "-7 // 2", "7 % 3", "-7 % 3", "1d20 / 3", "-1d6", "--1d6", "-(1d6 + 2)", "+3 - -2",
    "1.5 * 1d6", ".5 + 1d6", "3d6 - 2d4 + 1", "10d6kh3 // 2", "0d6 + 1", "d6", "(d4, d6, d8)kh2kl1 + 1d20",
]  # fmt: skip

# what d20 does not know
OWN = [
    "3d6eo6", "4d6eo>4kh3", "3d6ep6", "6d4ep>2s>=3", "3d6ec6kh1", "5d4ec4s>=6f1", "6d10s>=7ss10f1", "2 ** 3 * 2",
    "1d4 ** 2", "(1d4)d6", "(1d4 + 1)d8!kh2 + 1", "(2d4)d{1, 1, 2}", "4d{2, 4, 8}kh2", "3d{-2, 0, 5}!", "6d10s>=7b1",
    "6d10s>=6f1b<=2",
]  # fmt: skip

# lines of other tools, each with what its players mean, by tool; names of rolls that are mere dice
LINES = {
    tool: section["lines"]
    for tool, section in tomllib.loads((Path(__file__).parent / "corpus.toml").read_text(encoding="utf-8")).items()
}
ALIASES = LINES.pop("aliases")
TOOLS = [line for lines in LINES.values() for line in lines]
SEEDS = 6

# words behind 1d20+5 that deny advantage, or give it to somebody else
DENYING = [
    " no advantage", " without advantage", " (no disadvantage)", ", target has disadvantage",
    " help action gives advantage", " not with advantage", " unless I have advantage", " (ally has advantage)",
]  # fmt: skip


def meant(text: str) -> tuple[Expression, ...]:
    """Read what a line means: a text of the grammar, if nothing is asked about."""
    return tuple(map(stored_expression, part_rolls(text)))


def rolls_of(text: str, read: Callable[[str], tuple[Expression, ...]] = parse_rolls) -> list[object] | None:
    """Return what a text comes to with some dice: the dice drawn and the values; None if it cannot be rolled."""
    results: list[object] = []
    for seed in range(SEEDS):
        dice = Dice(SeededFaces(b"corpus", str(seed)))
        try:
            values = [roll_expression(roll, dice).values for roll in read(text)]
        except Refusal:
            return None
        faces = Counter((die.sides, die.face) for die in dice.records if isinstance(die, Die))
        results.append((values, faces))
    return results
