"""Every mishap of `stage/mishaps.py` and `stage/turns.py`; `python -m tests.trust.faults` prints what each cost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.trust.stage import (
    mishaps,  # noqa: F401 - each adds its cases
    turns,  # noqa: F401 - each adds its cases
)
from tests.trust.stage.scene import CASES, Case, played


@pytest.mark.parametrize("each", CASES, ids=lambda each: each.name)
async def test_the_game_goes_on_after(each: Case, tmp_path: Path) -> None:
    figures = await played(each, tmp_path)
    assert figures.invalid <= 15
