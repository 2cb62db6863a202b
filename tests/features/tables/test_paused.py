"""A paused encounter: every command says its place and since when, and no undo brings it back by chance (issue 18)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.posting.prompt_payload import prompt_payload
from tests.features.tables.fights import begun


@pytest.mark.parametrize(
    ("who", "line"),
    [
        ("Ana", "/init next"),
        ("Bo", "/init join"),
        ("Gwen", "/gm damage target:Ana amount:1"),
        ("Ana", "/act action:delay"),
        ("Gwen", "/encounter show"),
        ("Ana", "/roll dice:1d20 show:gm"),
        ("Gwen", "/encounter undo"),
    ],
)
async def test_a_command_says_since_when_it_is_paused_and_at_whose_turn(who: str, line: str, tmp_path: Path) -> None:
    async with begun("classic", tmp_path) as (wire, room):
        await wire.type("Gwen", "/encounter pause")
        before = room.next_seq
        answer = (await wire.type(who, line))[0]
        assert re.search(
            r"has been paused since <t:\d+:f>, at [\w ]+'s turn\. Go on with /encounter resume\.", answer.content
        )
        assert room.next_seq == before


async def test_a_button_of_the_time_before_the_pause_says_so_too(tmp_path: Path) -> None:
    async with begun("classic", tmp_path) as (wire, room):
        prompt = prompt_payload(wire.tables.people, room, room.public_view())
        assert prompt is not None
        await wire.type("Gwen", "/encounter pause")
        (answer,) = await wire.press("Ana", prompt.components[0]["components"][0]["custom_id"], private=False)
        assert "has been paused since" in answer.content


async def test_only_an_undo_that_says_its_steps_takes_the_pause_back(tmp_path: Path) -> None:
    async with begun("classic", tmp_path) as (wire, room):
        await wire.type("Gwen", "/encounter pause")
        await wire.type("Gwen", "/encounter undo")
        assert room.table.active is None
        await wire.type("Gwen", "/encounter undo steps:1")
        assert room.table.active is not None
