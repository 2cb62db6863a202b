"""An amount reaches the rules as the text that Discord sends for it, whatever a test calls it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.systems.soulweaver.state import SoulState
from tests.features.tables.fights import begun, waits_for


@pytest.mark.parametrize("amount", [2, "2"])
async def test_a_long_action_takes_so_many_turns(tmp_path: Path, amount: int | str) -> None:
    async with begun("soulweaver", tmp_path) as (wire, room):
        await wire.type("Ana", "/act action:enter-conflict character:Sella")
        assert "Sella" in waits_for(room)
        long = {"action": "long", "character": "Sella", "note": "a raft", "amount": amount}
        await wire.send("Ana", "act", long)
        state = room.encounter
        assert isinstance(state, SoulState)
        assert state.long["Sella"].turns == 2
