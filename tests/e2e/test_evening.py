"""The bench's player, who finds the way by what stands on buttons, in a reference round of two systems."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench._rounds import REFERENCES
from tests.bench.evening import played


@pytest.mark.parametrize("system", ["classic", "stones"])
async def test_a_reference_round_ends_and_no_press_on_the_prompt_is_counted(system: str, tmp_path: Path) -> None:
    (table,) = (each for each in REFERENCES if each.system == system)
    seen = await played(table, tmp_path / "referee.sqlite3")
    most_presses, most_messages, _ = table.before
    assert 0 < seen.first.presses <= most_presses
    assert 0 < seen.first.public < most_messages
    assert seen.timers.most("timer") > 0
    for part in (seen.first, seen.typed, seen.timers):
        assert not part.wasteful()
