"""Abilities as players type them and rulebooks print them, and near misses: what is done, asked and shown of each.

A block of a corpus is the text, then its clauses: `+` is done, `?` is asked, `~` is shown; `>` is what comes of it. A
line's end within the text is written as `\\n`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rules.core.registry import systems
from rules.core.sheets.abilities import of_sheet, parse_ability
from rules.core.sheets.blocks.reading import read_sheet
from rules.core.sheets.reading import reading_of

_NUMBER = re.compile(r"\d+d\d+|\d+")
# Numbers that are said in another way: an average, how large or near an area is, the best of a critical, a minute,
# once, a boon, two hands.
_OTHERWISE = re.compile(
    r"\b\d+ (?=\(\d)|\b\d+[- ]f(?:oo|ee)t\b|-20\b|\b(?:within|burst|blast|line|cone) \d+\b"
    r"|\b1 minute\b|\b1/|\+1 (?=boon|bane)|\(\d+d\d+ two-handed\)"
)
CORPUS = Path(__file__).with_name("corpus")
BEARER = "Ayla"
SYSTEMS = sorted(path.stem for path in CORPUS.glob("*.txt"))


def blocks_of(system: str) -> list[tuple[str, list[str]]]:
    """Return each text of a system's corpus with the clauses that it has."""
    read = (CORPUS / f"{system}.txt").read_text(encoding="utf-8")
    parted = ([line for line in block.splitlines() if line[:2] != "> "] for block in read.strip().split("\n\n"))
    return [(source.replace("\\n", "\n"), clauses) for source, *clauses in parted]


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_clause_is_in_its_list(system: str) -> None:
    sheet, wrong = systems()[system].sheet, []
    for source, clauses in blocks_of(system):
        (ability,) = of_sheet((parse_ability("Blow", source),), BEARER)
        reading = reading_of(ability, sheet)
        read = {"+": [line.clause for line in reading.does], "?": list(reading.asks), "~": list(reading.shows)}
        expected = {mark: [line[2:] for line in clauses if line[:2] == f"{mark} "] for mark in "+?~"}
        assert sum(map(len, expected.values())) == len(clauses), source
        if read != expected:
            wrong.append((source, read, expected))
    assert wrong == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_done_says_each_number_of_its_clause(system: str) -> None:
    sheet, wrong = systems()[system].sheet, []
    for source, _ in blocks_of(system):
        behind = read_sheet(f"HP 20, Bite: attack +4, damage 2d4+2. {source}", sheet).abilities
        for ability in of_sheet((parse_ability("Blow", source), *behind), BEARER):
            for done in reading_of(ability, sheet).does:
                numbers = {*_NUMBER.findall(_OTHERWISE.sub("", done.clause.casefold()))}
                if not numbers <= {*_NUMBER.findall(done.says)}:
                    wrong.append((source, done))
    assert wrong == []
