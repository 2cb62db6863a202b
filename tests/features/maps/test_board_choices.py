"""*Door* and *Area* on the private panel: what can be selected has numbers in the picture (maps 6)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.features.maps.boards import board_of
from tests.wire import PEOPLE, Sent, Wire, wired


def _id(sent: Sent, label: str) -> str:
    return next(str(each["custom_id"]) for each in sent.components if each.get("label") == label)


def _select(sent: Sent) -> dict[str, Any]:
    return next(each for each in sent.components if each.get("options"))


async def _fight(wire: Wire, system: str = "classic") -> None:
    await wire.type("Gwen", f"/encounter start system:{system} name:Deep")
    await wire.type("Ana", "/init join result:9")
    for line in (
        "/init add name:Wolf 1 result:5 hp:7",
        "/init add name:Wolf 2 result:4 hp:7",
        "/board size size:10x8",
        "/board terrain cells:D4,H8 kind:door",
        "/map draw shape:edge from:B4/C4 kind:door text:Gate",
        "/board place target:Ana cells:C4",
        "/board place target:Wolf 1 cells:G4",
        "/board place target:Wolf 2 cells:G6",
        "/encounter begin",
    ):
        await wire.type("Gwen", line)


async def test_a_door_beside_one_is_opened_by_two_presses_from_the_panel(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _fight(wire)
        (panel, *_) = await wire.type("Ana", "/turn")
        (asked,) = await wire.press("Ana", _id(panel, "Door"))
        assert asked.reader == PEOPLE["Ana"]
        assert asked.files
        labels = [option["label"] for option in _select(asked)["options"]]
        assert labels == ["1: open Gate", "2: open D4"]
        assert _select(asked)["options"][0]["description"] == "closed, 1 square west"
        assert _select(asked)["options"][1]["description"] == "closed, 1 square east"
        await wire.press("Ana", str(_select(asked)["custom_id"]), [_select(asked)["options"][1]["value"]])
        assert board_of(wire).doors == {"D4": "open", "H8": "closed", "B4/C4": "closed"}
        await wire.type("Gwen", "/board door at:H8 do:lock")
        (panel, *_) = await wire.type("Gwen", "/turn")
        (asked,) = await wire.press("Gwen", _id(panel, "Door"))
        works = {option["label"].partition(": ")[2] for option in _select(asked)["options"]}
        assert works == {"open Gate", "close D4", "unlock H8"}  # a GM works any door


async def test_where_an_area_lies_is_selected_by_number_and_shown_to_all(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _fight(wire)
        (panel, *_) = await wire.type("Ana", "/turn")
        (shapes,) = await wire.press("Ana", _id(panel, "Area"))
        (asked,) = await wire.press("Ana", str(_select(shapes)["custom_id"]), ["burst 1"])
        assert asked.files
        labels = [option["label"] for option in _select(asked)["options"]]
        assert labels[0].endswith("Wolf 1, Wolf 2")
        assert len({label.partition(", ")[2] for label in labels}) == len(labels)
        (placed,) = await wire.press("Ana", str(_select(asked)["custom_id"]), [_select(asked)["options"][0]["value"]])
        assert "In it: Wolf 1" in placed.content
        assert placed.reader == PEOPLE["Ana"]
        told = await wire.press("Ana", _id(placed, "Show to all"))
        assert any("In it: Wolf 1" in each.content and each.reader is None for each in told)
        (form,) = await wire.press("Ana", str(_select(shapes)["custom_id"]), ["*"])
        (asked,) = await wire.submit("Ana", str(form.data["custom_id"]), {"shape": "cone 5"})
        assert all("Wolf 2" in option["label"] for option in _select(asked)["options"])
        (refused,) = await wire.submit("Ana", str(form.data["custom_id"]), {"shape": "blob"})
        assert "is not an area" in refused.content


async def _wolves(wire: Wire) -> None:
    sheet = "HP 14, STRESS 6, MP 2, FOCUS 1, RECOVERIES 2, ARMOR 1, DODGE 10, ADEF 9, GRIT 2, SPEED 4, SIZE 1, SCOPE 10"
    await wire.type("Gwen", "/encounter start system:beacon name:Tower")
    sheet += ", SAVE 11, BULK 2, MIND 1, AGILITY 2"
    await wire.type("Ana", f"/character add name:Kes sheet:{sheet} system:beacon")
    fan = "activation PHASE BOLSTER; range 8; damage 1d6; text It needs no roll."
    await wire.type("Ana", f"/character ability name:Kes ability:Fan fields:{fan}")
    await wire.type("Ana", "/join character:Kes")
    for number, cell in ((1, "F4"), (2, "G5")):
        await wire.type("Gwen", f"/gm add name:Wolf {number} sheet:HP 9, DODGE 1, ADEF 1, SPEED 4, INITIATIVE 5")
        await wire.type("Gwen", "/board size size:10x8") if number == 1 else []
        await wire.type("Gwen", f"/board place target:Wolf {number} cells:{cell}")
    await wire.type("Gwen", "/board place target:Kes cells:C4")
    await wire.type("Gwen", "/encounter begin")


async def test_an_action_that_takes_several_is_aimed_at_an_area_by_its_button(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _wolves(wire)
        (panel, *_) = await wire.type("Ana", "/turn")
        (shapes,) = await wire.press("Ana", _id(panel, "Area"))
        (asked,) = await wire.press("Ana", str(_select(shapes)["custom_id"]), ["burst 1"])
        (placed,) = await wire.press("Ana", str(_select(asked)["custom_id"]), [_select(asked)["options"][0]["value"]])
        told = await wire.press("Ana", _id(placed, "Ability with Fan"))
        assert any("Kes uses Fan on Wolf 1, Wolf 2." in str(each.data) for each in told)


async def test_the_list_of_several_targets_leads_to_an_area(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _wolves(wire)
        (panel, *_) = await wire.type("Ana", "/turn")
        entry = next(o for o in _select(panel)["options"] if o["label"] == "More …")
        (every,) = await wire.press("Ana", str(_select(panel)["custom_id"]), [entry["value"]])
        (asked,) = await wire.press("Ana", _id(every, "Ability"))
        assert int(_select(asked)["max_values"]) > 1
        (shapes,) = await wire.press("Ana", _id(asked, "Place area"))
        (asked,) = await wire.press("Ana", str(_select(shapes)["custom_id"]), ["burst 1"])
        assert any("Wolf 1, Wolf 2" in option["label"] for option in _select(asked)["options"])


async def test_on_a_full_panel_doors_and_areas_take_one_more_press(tmp_path: Path) -> None:
    sheet = "HP 9, DODGE 1, ADEF 1, SPEED 4, INITIATIVE 5, ARMOR 1, SIZE 1, SCOPE 10, STRESS 6"
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _wolves(wire)
        for number in range(3, 9):
            await wire.type("Gwen", f"/gm add name:Wolf {number} sheet:{sheet}")
            await wire.type("Gwen", f"/board place target:Wolf {number} cells:{'ABCDEFGH'[number - 1]}7")
        await wire.type("Gwen", "/board terrain cells:F5 kind:door")
        (panel, *_) = await wire.type("Gwen", "/turn")
        reachable = {str(each.get("label")) for each in panel.components}
        if "More …" in reachable:
            (more,) = await wire.press("Gwen", _id(panel, "More …"))
            reachable |= {str(each.get("label")) for each in more.components}
        assert {"Door", "Area", "GM …", "Earlier"} <= reachable
