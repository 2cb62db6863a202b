"""The case file of CL-01 to CL-10: exact dice, and the order and the turn that the export shows then."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from rules.dice.decks import standard_deck
from tests.rules.classic.scene import export, shuffle_to
from tests.rules.table import Game

CASES = tomllib.loads(Path(__file__).with_name("cases.toml").read_text(encoding="utf-8"))["case"]
COMMAND_SPECS = ("encounter begin", "condition add", "gm set")
_LINE = re.compile(r"(?P<who>\w+): (?P<what>.*?) ?(?:\[(?P<faces>[^\]]*)\]|deck (?P<deck>.*))")


def play(game: Game, line: str, *, refuses: str | None = None) -> None:
    """Play one line of a case: somebody, a verb, its options, and the dice that fall."""
    read = _LINE.fullmatch(line)
    assert read is not None, line
    verb = next((each for each in COMMAND_SPECS if read["what"].startswith(each)), read["what"].split(" ")[0])
    given: dict[str, Any] = {}
    for part in filter(None, read["what"].removeprefix(verb).strip().split("; ")):
        key, _, value = part.partition("=")
        given[key] = int(value) if re.fullmatch(r"-?\d+", value) else value
    if refuses is not None:
        game.refused(read["who"], verb, rule=refuses, **given)
        return
    if read["deck"] is not None:
        dice = shuffle_to(tuple(read["deck"].split()), standard_deck(jokers=True))
    else:
        pairs = (pair.partition(":") for pair in read["faces"].split())
        dice = [(int(sides), int(face)) for sides, _, face in pairs]
    game.do(read["who"], verb, dice=dice, **given)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['rule']} {case['says']}")
def test_a_case_of_cl_01_to_cl_10(case: dict[str, Any]) -> None:
    game = Game("classic", case.get("options", ""))
    *lines, last = case["setup"]
    for line in lines:
        play(game, line)
    play(game, last, refuses=case.get("refuses"))
    seen = export(game, "Ana")
    assert (seen["order"], seen["turn"], seen["round"]) == (case["order"], case["turn"], case.get("round", 1))


def test_the_case_file_has_every_rule() -> None:
    assert {case["rule"] for case in CASES} == {f"CL-{number:02}" for number in range(1, 11)}
