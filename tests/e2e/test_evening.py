"""The bench's player, who finds the way by the labels of buttons, in reference rounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench._hits import HITS
from tests.bench._rounds import REFERENCES
from tests.bench.evening import limit_of, played

NAMES = (
    "classic",
    "soulweaver",
    "stones",
    *(each.name for each in HITS if each.system != "tactics"),
)  # its dice decide how many have to open *My turn*


@pytest.mark.parametrize("name", ["beacon", *(pytest.param(each, marks=pytest.mark.trust) for each in NAMES)])
async def test_a_reference_round_costs_what_it_may_and_no_press_on_the_prompt_is_counted(
    name: str, tmp_path: Path
) -> None:
    (table,) = (each for each in (*REFERENCES, *HITS) if each.name == name)
    seen = await played(table, tmp_path / "referee.sqlite3")
    most_presses, most_messages, most_pings = limit_of(table, seen.first)
    assert seen.first.events or not table.hits
    for played_round in (seen.first, seen.second or seen.first):
        assert 0 < played_round.presses <= most_presses
        assert 0 < played_round.public <= most_messages
        assert played_round.calling_nobody == 0
        assert most_pings is None or played_round.pings <= most_pings
    assert seen.timers.most("timer") > 0
    for part in (seen.first, seen.typed, seen.older, seen.struck, seen.timers):
        assert not part.wasteful()
    assert seen.slow is None or seen.slow.most("press") <= 1
