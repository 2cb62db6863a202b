"""While odds are counted and pictures are drawn, the event loop is free for everybody else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot.features import luck, odds
from bot.table import pictures
from tests.e2e.page.system_tables import set_up
from tests.e2e.referee import refereed

# each piece of work that takes longer than a step, and the bot's name for it
LONG_WORK: tuple[tuple[Any, str], ...] = (
    (Image, "new"),
    (odds, "distribution"),
    (luck, "counted_dice"),
    (pictures, "board_view"),
    (pictures, "draw_board"),
    (pictures, "system_picture"),
)
COMMANDS = (
    "/odds dice:8d10!kh5; 3d6",
    "/roll dice:3d6",
    "/luck",
    "/board size size:20x20",
    "/board place target:Wren cells:D4",
    "/board show",
    "/board show target:Wren",
    "/character show name:Wren",
    "/deck new kind:stones",
    "/hand draw count:4",
    "/hand show",
)
PICTURED = {"/odds", "/luck", "/board show", "/character show", "/hand show"}


def is_on_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


async def test_counting_and_drawing_never_run_on_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: dict[str, set[bool]] = {name: set() for _, name in LONG_WORK}

    def watched(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def work_of(*given: Any, **named: Any) -> Any:
            done[name].add(is_on_a_loop())
            return work(*given, **named)

        return work_of

    async with refereed(tmp_path / "referee.sqlite3") as (world, _):
        await set_up(world, "adventurers")
        for place, name in LONG_WORK:
            monkeypatch.setattr(place, name, watched(name, getattr(place, name)))
        for command in COMMANDS:
            answer = await world.person("Gwen" if command.startswith(("/board s", "/deck")) else "Ana").slash(command)
            assert bool(answer.files) == any(map(command.startswith, PICTURED)), (command, answer.content)
    assert done == {name: {False} for _, name in LONG_WORK}
