"""A blow that asks on its way is taken back press by press, or as a whole (effects 9)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bot.table.room import Room
from rules.core.values import Seat
from rules.core.views.export import export_view
from tests.wire import GUILD, PEOPLE, Sent, Wire, wired

WHOLE = "Undo the whole blow"
BOW = "HP 20, AC 15, INITIATIVE +9, Bow: attack +5, damage 1d8+3 piercing"


async def shot(wire: Wire) -> Room:
    """Let it be Ana's turn, among two creatures whose armor no sheet says."""
    await wire.type("Gwen", "/init start name:Cellar")
    await wire.type("Ana", f"/character add name:Anna sheet:{BOW}")
    await wire.type("Ana", "/join character:Anna")
    await wire.type("Gwen", "/gm set target:Anna pool:initiative value:40")
    await wire.type("Gwen", "/init add name:Rat count:2 hp:30")
    await wire.type("Gwen", "/init next")
    await wire.settle()
    return await wire.tables.room_of("901", GUILD)


def exported(room: Room) -> dict[str, Any]:
    found: dict[str, Any] = export_view(room.table, Seat(user=PEOPLE["Gwen"], gm=True))
    return found


def health(room: Room, who: str) -> int:
    assert room.encounter is not None
    return room.encounter.combatant(who).pools["HP"].now


def button_of(sent: tuple[Sent, ...] | list[Sent], label: str) -> str:
    return next(str(each["custom_id"]) for one in sent for each in one.components if each.get("label") == label)


async def test_a_question_of_a_blow_says_which_it_is_about(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await shot(wire)
        await wire.type("Ana", "/act action:attack target:Rat 1")
        [asked] = exported(room)["waiting"]
        assert room.encounter is not None
        assert asked["blow"] == room.encounter.blows[0].number


async def test_an_undo_takes_back_the_verdict_and_offers_the_whole_blow(tmp_path: Path) -> None:
    """Rule: G-05."""
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await shot(wire)
        await wire.type("Ana", "/act action:attack target:Rat 1 note:end turn")
        await wire.type("Gwen", "/act action:hit")
        assert health(room, "Rat 1") < 30
        offered = await wire.type("Gwen", "/encounter undo")
        assert health(room, "Rat 1") == 30
        assert [each["for"] for each in exported(room)["waiting"]] == ["verdict"]
        await wire.press("Gwen", button_of(offered, WHOLE))
        found = exported(room)
        assert (found["waiting"], found["turn"], health(room, "Rat 1")) == ([], ["Anna"], 30)
        assert room.encounter is not None
        assert room.encounter.blows == ()


async def test_a_blow_that_asked_nothing_offers_no_more_than_the_undo(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await shot(wire)
        await wire.type("Gwen", "/gm set target:Rat 1 pool:AC value:1")
        await wire.type("Ana", "/act action:attack target:Rat 1")
        offered = await wire.type("Gwen", "/encounter undo")
        assert health(room, "Rat 1") == 30
        assert WHOLE not in [each.get("label") for one in offered for each in one.components]


async def test_a_late_press_of_the_whole_blow_takes_back_nothing(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await shot(wire)
        await wire.type("Ana", "/act action:attack target:Rat 1")
        await wire.type("Gwen", "/act action:hit")
        offered = await wire.type("Gwen", "/encounter undo")
        await wire.type("Gwen", "/act action:hit")
        hurt = health(room, "Rat 1")
        await wire.press("Gwen", button_of(offered, WHOLE))
        assert health(room, "Rat 1") == hurt < 30
