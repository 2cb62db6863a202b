"""What a stolen database shows: what the page on privacy names, and no token that could act for the bot."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from tests.trust.canary import on_the_wire
from tests.wire import TOKEN

PRIVACY = Path(__file__).parents[3] / "docs" / "privacy.md"


async def test_a_stolen_database_holds_what_privacy_says_and_no_token(tmp_path: Path) -> None:
    await on_the_wire("stones", 2, 15, tmp_path, lookers=())
    said = " ".join(PRIVACY.read_text("utf-8").split())
    assert "somebody who stole it" in said
    assert "hands, notes, secret rolls, and the seeds" in said
    connection = sqlite3.connect(tmp_path / "referee.sqlite3")
    dump = "\n".join(connection.iterdump())
    connection.close()
    assert "qfire" in dump.casefold()
    assert TOKEN not in dump
