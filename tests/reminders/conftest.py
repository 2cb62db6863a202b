"""Tables on a virtual clock: nothing waits for the real one."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _edits_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no edit wait for what may come with it, a second of real time for each step."""
    monkeypatch.setattr("bot.posting.prompts.EDIT_AFTER_SECONDS", 0.0)
