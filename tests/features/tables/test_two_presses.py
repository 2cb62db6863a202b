"""Whoever may move does so with two presses from the prompt that all see, in every system (maps, chapter 6)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bot.local.tryit import scripts
from bot.table.room import Room
from rules.core.reach.goals import goals_of
from rules.core.registry import system_of
from rules.core.values import Seat
from tests.features.tables.fights import begun, play_on
from tests.wire import Sent, Wire

MOVES = ("Move", "Disengage")
PROMPTS = {"beacon": 30, "stones": 30, "tactics": 20}  # looked at in a fight; in the others a turn is like the next


class Prompt:
    """The newest prompt of the channel."""

    def __init__(self, wire: Wire) -> None:
        self.buttons: list[dict[str, Any]] = []
        wire.watch = self._take

    def _take(self, sent: Sent) -> None:
        if sent.reader is None and any(each.get("label") == "My turn" for each in sent.components):
            self.buttons = sent.components

    def moves(self, who: str) -> list[str]:
        """Return the ids of the buttons that move somebody; one without a name moves who presses."""
        wanted = {label for move in MOVES for label in (move, f"{move} ({who})")}
        return [str(each["custom_id"]) for each in self.buttons if each.get("label") in wanted]


def _movers(room: Room) -> list[str]:
    """Return for whom the table waits and who may move over the board."""
    state = room.table.active
    assert state is not None
    return [who for who in system_of(state).waits_for(state) if state.find(who) is not None and goals_of(state, who)]


def _player(wire: Wire, room: Room, who: str) -> str:
    state = room.table.active
    assert state is not None
    owner = state.combatant(who).owner
    return "Gwen" if owner is None else wire.name_of(owner)


def _facts(room: Room, who: str) -> Mapping[str, Any]:
    state = room.table.active
    assert state is not None
    return system_of(state).facts(state, who, Seat(gm=True))


async def _go(wire: Wire, room: Room, prompt: Prompt, who: str) -> None:
    """Press, select the farthest cell where nobody is provoked, and be there."""
    player = _player(wire, room, who)
    (button,) = prompt.moves(who)
    asked = (await wire.press(player, button, private=False))[-1]
    assert "where to?" in asked.content, (who, asked.content)
    (options, *_) = (each for each in asked.components if each["type"] == 3)
    safe = [each for each in options["options"] if "leaves nobody's reach" in each.get("description", "")]
    if safe:
        await wire.press(player, options["custom_id"], [safe[-1]["value"]])
        state = room.table.active
        assert state is not None
        assert state.combatant(who).cell == safe[-1]["value"]


@pytest.mark.parametrize("system", sorted({script.id for script in scripts()} - {"kit"}))
async def test_whoever_may_move_has_the_button_on_the_prompt_and_a_second_press_moves(
    tmp_path: Path, system: str
) -> None:
    async with begun(system, tmp_path) as (wire, room):
        prompt = Prompt(wire)
        state = room.table.active
        assert state is not None
        if state.board is None:
            standing = [each.name for each in state.cast]
            cells = ",".join(f"{chr(66 + 2 * at)}{2 + 3 * (at % 2)}" for at in range(len(standing)))
            await wire.type("Gwen", "/board size size:16x9")
            await wire.type("Gwen", f"/board place target:{','.join(standing)} cells:{cells}")
        await wire.type("Gwen", "/encounter options set:sight=off")  # a step, and with it a prompt
        rng, moved = random.Random(4), set()
        for _ in range(PROMPTS.get(system, 4)):
            await wire.settle()
            movers = _movers(room)
            missing = [who for who in movers if not prompt.moves(who)]
            assert not missing, (missing, [each.get("label") for each in prompt.buttons])
            fresh = next((who for who in movers if who not in moved), None)
            if fresh is not None:
                moved.add(fresh)
                await _go(wire, room, prompt, fresh)
            elif not await play_on(wire, room, rng):
                break
        assert moved


async def test_of_two_stones_characters_each_has_a_button_that_activates_and_moves(tmp_path: Path) -> None:
    async with begun("stones", tmp_path) as (wire, room):
        prompt = Prompt(wire)
        await wire.type("Gwen", "/encounter options set:sight=off")
        await wire.settle()
        assert [len(prompt.moves(who)) for who in ("Ayla", "Mirre")] == [1, 1]
        await _go(wire, room, prompt, "Mirre")
        assert _facts(room, "Mirre")["moved"]
        await wire.type("Ana", "/encounter undo")
        assert not _facts(room, "Mirre")["active"]


async def test_in_a_kit_whose_action_moves_the_second_press_says_where(tmp_path: Path) -> None:
    async with begun("kit", tmp_path) as (wire, room):
        prompt = Prompt(wire)
        await wire.type("Gwen", "/board size size:12x9")
        await wire.type("Gwen", "/board place target:Ayla,Bran,Ogre 1 cells:B2,B5,H5")
        await wire.settle()
        (button,) = prompt.moves("Ayla")
        asked = (await wire.press("Ana", button, private=False))[-1]
        assert asked.files
        (options, *_) = (each for each in asked.components if each["type"] == 3)
        cell = options["options"][-1]
        await wire.press("Ana", options["custom_id"], [cell["value"]])
        state = room.table.active
        assert state is not None
        assert state.combatant("Ayla").cell == cell["label"].rpartition(" ")[2]
