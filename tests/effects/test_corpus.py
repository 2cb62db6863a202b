"""Abilities as players type them and rulebooks print them, and near misses: what is done, asked and shown of each.

A block of a corpus is the text, then its clauses: `+` is done, `?` is asked, `~` is shown; `>` is what comes of it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rules.core.registry import systems
from rules.core.sheets.abilities import parse_ability
from rules.core.sheets.blocks.reading import read_sheet
from rules.core.sheets.reading import reading_of

_NUMBER = re.compile(r"\d+d\d+|\d+")
# Numbers that are said in another way: an average, how large an area is, the best of a critical, a minute, two hands.
_OTHERWISE = re.compile(r"\b\d+ (?=\(\d)|\b\d+[- ]f(?:oo|ee)t\b|-20\b|\b1 minute\b|\(\d+d\d+ two-handed\)")
CORPUS = Path(__file__).with_name("corpus")
BLOCKS = [
    (path.stem, block.splitlines())
    for path in sorted(CORPUS.glob("*.txt"))
    for block in path.read_text(encoding="utf-8").strip().split("\n\n")
]


@pytest.mark.parametrize(("system", "lines"), BLOCKS, ids=[f"{system}-{lines[0][:60]}" for system, lines in BLOCKS])
def test_each_clause_stands_in_its_list(system: str, lines: list[str]) -> None:
    source, *clauses = (line for line in lines if line[:2] != "> ")
    found = reading_of(parse_ability("Blow", source), systems()[system].sheet)
    expected = {mark: [line[2:] for line in clauses if line[:2] == f"{mark} "] for mark in "+?~"}
    assert sum(map(len, expected.values())) == len(clauses)
    assert {"+": [each.clause for each in found.does], "?": list(found.asks), "~": list(found.shows)} == expected


@pytest.mark.parametrize(("system", "lines"), BLOCKS, ids=[f"{system}-{lines[0][:60]}" for system, lines in BLOCKS])
def test_what_is_done_says_each_number_of_its_clause(system: str, lines: list[str]) -> None:
    source = next(line for line in lines if line[:2] != "> ")
    sheet = systems()[system].sheet
    behind = read_sheet(f"HP 20, Bite: attack +4, damage 2d4+2. {source}", sheet).abilities
    for ability in (parse_ability("Blow", source), *behind):
        for done in reading_of(ability, sheet).does:
            numbers = _NUMBER.findall(_OTHERWISE.sub("", done.clause))
            assert {*numbers} <= {*_NUMBER.findall(done.says)}, done
