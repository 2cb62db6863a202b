"""A few kills of `python -m tests.trust.crashes`, and one at each point of a turn."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.trust.crashes import run
from tests.trust.stage.points import POINTS, Point, died_at


async def test_what_was_acknowledged_outlives_every_kill(tmp_path: Path) -> None:
    figures = await run(2, channels=6, seed=3, folder=tmp_path, loud=False)
    assert figures.faults == []
    assert figures.kills == 2
    assert figures.public > 6
    assert figures.prompts > 0
    assert figures.restored > 0


# Some of the points, before and after what is done there is carried out; `make trust` dies at each of them.
@pytest.mark.parametrize("point", POINTS[::5], ids=lambda point: point.name)
async def test_a_kill_loses_and_doubles_nothing(point: Point, tmp_path: Path) -> None:
    assert await died_at(point, tmp_path) == []
