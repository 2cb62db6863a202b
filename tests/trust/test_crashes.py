"""A few kills of `python -m tests.trust.crashes`."""

from __future__ import annotations

from pathlib import Path

from tests.trust.crashes import run


async def test_what_was_acknowledged_outlives_every_kill(tmp_path: Path) -> None:
    figures = await run(2, channels=6, seed=3, folder=tmp_path, loud=False)
    assert figures.faults == []
    assert figures.kills == 2
    assert figures.public > 6
    assert figures.prompts > 0
