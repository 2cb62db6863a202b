"""Fog at the table: what a step brought to light only the GM takes back; before anybody joins all is dark.

Rule: G-06
"""

from __future__ import annotations

from pathlib import Path

from tests.features.maps.boards import board_of
from tests.wire import PEOPLE, Wire, wired

ROOMS = "#########\n#...#...#\n#...+...#\n#...#...#\n#########"


async def _delve(wire: Wire) -> None:
    await wire.type("Gwen", "/encounter start system:classic name:Deep options:fog=sight")
    (form,) = await wire.type("Gwen", "/map new")
    shown = (await wire.submit("Gwen", str(form.data["custom_id"]), {"name": "Deep", "text": ROOMS}))[-1]
    await wire.press("Gwen", next(str(e["custom_id"]) for e in shown.components if e.get("label") == "Take it"))


async def test_what_a_move_or_a_door_showed_only_the_gm_takes_back(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _delve(wire)
        await wire.type("Ana", "/init join result:9")
        await wire.type("Gwen", "/board place target:Ana cells:B2")
        await wire.type("Ana", "/board move to:C2")  # nothing new is seen from there
        told = await wire.type("Ana", "/encounter undo")
        assert not any("not yours" in each.content for each in told)
        await wire.type("Ana", "/board move to:D3")
        await wire.type("Ana", "/board door at:E3 do:open")
        assert board_of(wire).doors == {"E3": "open"}
        told = await wire.type("Ana", "/encounter undo")
        assert any("showed something" in each.content for each in told)
        assert board_of(wire).doors == {"E3": "open"}
        await wire.type("Gwen", "/encounter undo")
        assert board_of(wire).doors == {"E3": "closed"}


async def test_before_anybody_has_joined_the_map_is_the_gms(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _delve(wire)
        (seen,) = [each for each in await wire.type("Ana", "/board show text:True") if each.reader == PEOPLE["Ana"]]
        assert "door" not in seen.content.casefold()
        assert "solid" not in seen.content.casefold()
        (whole,) = [each for each in await wire.type("Gwen", "/board show text:True") if each.reader == PEOPLE["Gwen"]]
        assert "E3" in whole.content


async def test_the_last_board_is_as_its_players_remember_it_and_as_dark(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _delve(wire)
        await wire.type("Gwen", "/encounter options set:sight_range=3")
        await wire.type("Ana", "/init join result:9")
        await wire.type("Gwen", "/board place target:Ana cells:D3")
        await wire.type("Gwen", "/board place target:Ana cells:H2")
        await wire.type("Gwen", "/board door at:E3 do:open")
        await wire.type("Gwen", "/board terrain cells:C3 kind:low")
        await wire.type("Gwen", "/board place target:Ana cells:H4")

        async def told() -> str:
            answers = await wire.type("Ana", "/board show text:True")
            (words,) = [each.content for each in answers if each.reader == PEOPLE["Ana"]]
            return words.partition(": ")[2]

        before = await told()
        assert "low C" not in before
        assert "Row 1: solid A" in before
        await wire.type("Gwen", "/encounter end")
        await wire.type("Gwen", "/init start map:last")
        await wire.type("Ana", "/init join result:9")
        assert await told() == before
        room = wire.tables.loaded("901")
        assert room is not None
        assert room.table.active is not None
        assert room.table.active.options["sight_range"] == "3"
