"""What is refused only because it is early offers itself as an order for one's turn (play 9)."""

from __future__ import annotations

from pathlib import Path

from bot.table.room import Room
from rules.core.encounter import StandingOrder
from tests.features.tables.fights import waits_for
from tests.wire import GUILD, Sent, Wire, wired


async def fight(wire: Wire) -> Room:
    for who, line in (
        ("Gwen", "/init start name:Cellar"),
        ("Ana", "/init join name:Thorin hp:30 result:20"),
        ("Bo", "/init join name:Mira hp:30 result:10"),
        ("Gwen", "/init next"),
    ):
        await wire.type(who, line)
    return await wire.tables.room_of("901", GUILD)


def orders(room: Room) -> tuple[StandingOrder, ...]:
    assert room.encounter is not None
    return room.encounter.orders


def offered(sent: list[Sent]) -> list[str]:
    return [str(each["custom_id"]) for each in sent[-1].components if "my turn" in str(each.get("label"))]


async def test_one_press_makes_an_order_of_what_came_too_early(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await fight(wire)
        (order,) = offered(await wire.type("Bo", "/init next"))
        await wire.press("Bo", order)
        assert [(each.who, each.command.action, each.when) for each in orders(room)] == [("Mira", "next", "my-turn")]
        await wire.type("Ana", "/init next")
        await wire.settle()
        assert (waits_for(room), orders(room)) == (("Thorin",), ()), "Mira's turn was ended as ordered"


async def test_what_is_refused_for_another_reason_is_no_order(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await fight(wire)
        assert offered(await wire.type("Ana", "/act action:back")) == []
        assert offered(await wire.type("Bo", "/act action:next character:Thorin")) == []
        assert orders(room) == ()
