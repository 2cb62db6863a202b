"""Who may do what, through the real commands: the whole of `python -m tests.trust.rights`, by two halves."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.trust.rights import try_all, unwritten
from tests.trust.stage.court_cases import CASES, GMS, IN_SERVER, Case
from tests.wire import wired


@pytest.mark.parametrize("half", [0, 1])
async def test_every_command_is_done_by_those_who_may_and_by_nobody_else(half: int, tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3", seed=None) as wire:
        ordered = sorted(CASES, key=lambda each: each.laid_out)
        middle = len(ordered) // 2
        court, faults = await try_all(wire, ordered[middle:] if half else ordered[:middle])
    assert faults == []
    assert court.tried > 400


async def test_it_is_written_for_every_command_who_may(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3", seed=None) as wire:
        assert unwritten(wire) == []


async def test_a_right_that_is_written_wrongly_is_noticed(tmp_path: Path) -> None:
    wrong = (
        Case("gm damage", IN_SERVER, {"target": "Goblin", "amount": "3"}),
        Case("hand show", GMS),
    )
    async with wired(tmp_path / "referee.sqlite3", seed=None) as wire:
        _, faults = await try_all(wire, wrong, ("GM", "other player"))
    assert {fault.split(", but")[0] for fault in faults} == {
        "gm damage: the other player may",
        "hand show: the other player may not",
    }
