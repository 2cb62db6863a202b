"""Somebody who is hit and has an answer on their sheet is asked, and one press answers (effects 2)."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot.posting.prompt_payload import prompt_payload
from bot.table.room import Room
from rules.core.encounter import Encounter
from tests.wire import GUILD, Wire, wired

OGRE = "HP 30, Club: attack +30, damage 2d1+18 bludgeoning"


def state_of(room: Room) -> Encounter:
    assert room.encounter is not None
    return room.encounter


def buttons(wire: Wire, room: Room) -> dict[str, str]:
    prompt = prompt_payload(wire.tables.people, room, room.public_view())
    assert prompt is not None
    return {str(each["label"]): str(each["custom_id"]) for row in prompt.components for each in row["components"]}


async def hit(wire: Wire, *answers: tuple[str, str]) -> Room:
    """Let the Ogre hit Ana's Anna, who has these answers."""
    await wire.type("Gwen", "/init start name:Cellar")
    await wire.type("Ana", "/character add name:Anna sheet:HP 400, AC 2")
    for name, text in answers:
        await wire.type("Ana", f"/character ability name:Anna ability:{name} fields:{text}")
    await wire.type("Ana", "/join character:Anna")
    await wire.type("Gwen", f"/gm add name:Ogre sheet:{OGRE}")
    await wire.type("Gwen", "/gm set target:Ogre pool:initiative value:40")
    await wire.type("Gwen", "/init next")
    room = await wire.tables.room_of("901", GUILD)
    for _ in range(9):  # a 1 misses
        if state_of(room).questions or state_of(room).combatant("Anna").pools["HP"].now < 400:
            break
        await wire.type("Gwen", "/act action:attack target:Anna")
    await wire.settle()
    return room


async def test_the_answer_is_one_press_for_half_of_the_damage(tmp_path: Path) -> None:
    """Rule: CL-08."""
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await hit(wire, ("Uncanny Dodge", "when I am hit, half damage"))
        await wire.press("Ana", buttons(wire, room)["React"], private=False)
        await wire.settle()
        assert state_of(room).combatant("Anna").pools["HP"].now in (390, 389)  # a critical hit rolls two more
        assert state_of(room).questions == ()


async def test_somebody_who_lets_it_pass_is_hit_as_if_nothing_had_been_asked(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await hit(wire, ("Parry", "reaction: reduce the damage by 3"))
        await wire.press("Ana", buttons(wire, room)["Let it pass"], private=False)
        await wire.settle()
        assert state_of(room).combatant("Anna").pools["HP"].now <= 380


async def test_somebody_who_has_nothing_to_answer_with_is_not_asked(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await hit(wire)
        assert state_of(room).questions == ()
        assert state_of(room).combatant("Anna").pools["HP"].now <= 380


async def test_two_presses_at_once_let_one_blow_pass(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await wire.type("Gwen", "/init start name:Cellar")
        await wire.type("Ana", "/character add name:Anna sheet:HP 400, AC 2")
        await wire.type("Ana", "/character ability name:Anna ability:Dodge fields:when I am hit, half damage")
        await wire.type("Ana", "/join character:Anna")
        await wire.type("Gwen", f"/init add name:Ogre count:9 group:Ogres result:40 sheet:{OGRE}")
        await wire.type("Gwen", "/init next")
        room = await wire.tables.room_of("901", GUILD)
        await wire.type("Gwen", "/act action:attack character:Ogre 1 target:Anna note:together")
        await wire.settle()
        (asked,) = state_of(room).questions
        past = buttons(wire, room)["Let it pass"]
        async with room.lock:  # both are in the house before either is decided
            presses = [asyncio.create_task(wire.press("Ana", past, private=False)) for _ in range(2)]
            await asyncio.sleep(0.2)
        await asyncio.gather(*presses)
        assert state_of(room).combatant("Anna").pools["HP"].now in (380, 378)  # a critical hit rolls two more
        (next_asked,) = state_of(room).questions
        assert next_asked.data["blow"] != asked.data["blow"]
