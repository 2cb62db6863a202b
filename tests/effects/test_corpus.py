"""Abilities as players type them and rulebooks print them, and near misses: what is done, asked and shown of each.

A block of a corpus is the text, then its clauses: `+` is done, `?` is asked, `~` is shown; `>` is what comes of it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.core.registry import systems
from rules.core.sheets.abilities import parse_ability
from rules.core.sheets.reading import reading_of

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
