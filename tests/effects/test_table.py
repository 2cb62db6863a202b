"""The table of docs/abilities.md says of each kind of sentence what classic makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.core.registry import systems
from rules.core.sheets.abilities import of_sheet, parse_ability
from rules.core.sheets.reading import reading_of

PAGE = Path(__file__).parents[2] / "docs" / "abilities.md"
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("| ")
][1:]
ASKED = "asked: "


def test_the_table_has_done_and_asked_sentences_of_each_kind_of_form() -> None:
    """Effects 4 has thirteen kinds of forms besides the words of a system's own."""
    assert len([kind for kind, *_ in ROWS if kind]) >= 12
    assert len(ROWS) >= 60


@pytest.mark.parametrize(("source", "says"), [row[1:] for row in ROWS], ids=[row[1] for row in ROWS])
def test_a_sentence_of_the_table_is_read_as_it_says(source: str, says: str) -> None:
    (ability,) = of_sheet((parse_ability("Flare", source),), "Ogre")
    reading = reading_of(ability, systems()["classic"].sheet)
    if says.startswith(ASKED):
        assert (reading.does, bool(reading.asks)) == ((), True)
    else:
        assert (", ".join(done.says for done in reading.does), reading.asks) == (says, ())
