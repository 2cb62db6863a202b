"""Making maps, keeping them, and starting an encounter on one: `/map` (maps 2)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rules.core.board.fog import fog_of
from tests.features.maps.boards import board_of
from tests.wire import PEOPLE, Sent, Wire, wired

CRYPT = "#######\n#..A..+\n#.....#\n###?###\n\nA = Altar"


def _button(sent: Sent, label: str) -> str:
    return next(str(each["custom_id"]) for each in sent.components if each.get("label") == label)


async def _typed(wire: Wire, who: str, name: str, text: str) -> Sent:
    (form,) = await wire.type(who, "/map new")
    assert form.form
    return (await wire.submit(who, str(form.data["custom_id"]), {"name": name, "text": text}))[-1]


async def _opened(wire: Wire, system: str = "classic") -> None:
    await wire.type("Gwen", f"/encounter start system:{system} name:Deep")
    await wire.type("Ana", "/init join result:9")


async def test_a_map_from_a_form_is_shown_first_and_becomes_the_board_when_it_is_taken(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _opened(wire)
        form_id = (await wire.type("Gwen", "/map new"))[0].data["custom_id"]
        shown = await _typed(wire, "Gwen", "Crypt", CRYPT)
        assert shown.reader == PEOPLE["Gwen"]
        assert shown.content == "Crypt: 7 × 4, 1 door, 1 secret, places Altar."
        assert shown.files
        await wire.press("Gwen", _button(shown, "Take it"))
        assert board_of(wire).texts == {"D2": "Altar"}
        refused = await _typed(wire, "Gwen", "Crypt", "##@")
        assert "line 1, column 3 has @" in refused.content
        left = await _typed(wire, "Gwen", "Other", "...")
        await wire.press("Gwen", _button(left, "Cancel"))
        assert board_of(wire).width == 7
        (answer,) = await wire.type("Ana", "/map new")
        assert "GM" in answer.content
        answer = (await wire.submit("Ana", str(form_id), {"name": "Mine", "text": "..."}))[-1]
        assert "GM" in answer.content


async def test_a_saved_character_gets_their_place_on_joining(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _opened(wire)
        await wire.type("Gwen", "/character add name:Goblin system:classic sheet:HP 5")
        await wire.type("Ana", "/character add name:Lich system:classic sheet:HP 50")
        shown = await _typed(wire, "Gwen", "Crypt", "GGL.A\n.....\n\nG = Goblin\nL = Lich\nA = Altar")
        assert shown.content == "Crypt: 5 × 2, places Lich, Altar."  # what others have saved is theirs to tell
        await wire.press("Gwen", _button(shown, "Take it"))
        assert board_of(wire).texts == {"C1": "Lich", "E1": "Altar"}
        await wire.type("Gwen", "/gm add name:Goblin count:2")
        room = wire.tables.loaded("901")
        assert room is not None
        assert room.table.active is not None
        cells = {each.name: each.cell for each in room.table.active.combatants}
        assert (cells["Goblin 1"], cells["Goblin 2"]) == ("A1", "B1")


async def test_a_size_that_no_form_holds_is_open_cells_of_that_size(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        for size, fits in (("20x15", True), ("64x64", False)):
            (form,) = await wire.type("Gwen", f"/map new size:{size}")
            (text,) = (each.get("value", "") for each in form.components if each["custom_id"] == "text")
            assert bool(text) is fits
            (shown,) = await wire.submit("Gwen", str(form.data["custom_id"]), {"name": "Plain", "text": text})
            assert shown.content.startswith(f"Plain: {size.replace('x', ' × ')}")


async def test_a_saved_map_comes_back_on_another_evening_and_in_another_channel(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _opened(wire)
        shown = await _typed(wire, "Gwen", "Crypt", CRYPT)
        await wire.press("Gwen", _button(shown, "Take it"))
        await wire.type("Gwen", "/board place target:Ana cells:C3")
        await wire.type("Gwen", "/map save name:Crypt")
        before = board_of(wire)
        await wire.type("Gwen", "/board size size:20x20")
        await wire.type("Gwen", "/map use name:crypt tokens:off")
        assert board_of(wire) == before
        await wire.type("Gwen", "/encounter undo")
        assert board_of(wire).width == 20
        await wire.type("Gwen", "/encounter end")
        sent = await wire.type("Gwen", "/encounter start system:stones name:Again map:Crypt")
        assert board_of(wire) == before
        assert any("Crypt" in each.content or "Crypt" in str(each.data) for each in sent)


async def test_last_is_the_channels_last_board_and_those_who_return_keep_their_cells(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _opened(wire)
        await wire.type("Gwen", "/board size size:9x9")
        await wire.type("Gwen", "/map draw shape:room from:B2 to:D4")
        await wire.type("Gwen", "/board place target:Ana cells:C3")
        before = board_of(wire)
        await wire.type("Gwen", "/encounter end")
        await wire.type("Gwen", "/init start map:last")
        assert board_of(wire).edges == before.edges
        await wire.type("Ana", "/init join result:9")
        room = wire.tables.loaded("901")
        assert room is not None
        assert room.table.active is not None
        assert room.table.active.combatant("Ana").cell == "C3"
        await wire.type("Gwen", "/encounter end")
        (refused,) = await wire.type("Gwen", "/encounter start system:classic map:Nowhere")
        assert "map" in refused.content.casefold()


async def test_the_last_board_comes_with_its_fog_unless_the_table_has_said_otherwise(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _opened(wire)
        await wire.type("Gwen", "/board size size:9x9")
        await wire.type("Gwen", "/encounter options set:fog=sight")
        await wire.type("Gwen", "/board place target:Ana cells:C3")
        await wire.type("Gwen", "/map save name:Cave")
        await wire.type("Gwen", "/encounter end")
        sent = await wire.type("Gwen", "/init start map:last")
        assert _fog(wire) == "sight"
        assert any("Its fog comes with it: `fog=sight`." in str(each.data) + each.content for each in sent)
        await wire.type("Gwen", "/encounter end")
        await wire.type("Gwen", "/encounter start system:classic name:Light options:fog=off map:last")
        assert _fog(wire) == "off"
        await wire.type("Gwen", "/encounter end")
        await wire.type("Gwen", "/init start map:Cave")  # what is saved is a map, without fog
        assert _fog(wire) == "off"


def _fog(wire: Wire) -> str:
    room = wire.tables.loaded("901")
    assert room is not None
    assert room.table.active is not None
    return fog_of(room.table.active)


async def test_the_library_is_listed_copied_renamed_and_deleted_by_those_whose_it_is(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        shown = await _typed(wire, "Ana", "Mill", "...\n.#.\n...")
        await wire.press("Ana", _button(shown, "Save it"))
        await wire.type("Ana", "/map copy name:Mill to:Inn for:server")
        await wire.type("Ana", "/map rename name:Mill to:Old Mill")
        (listed,) = await wire.type("Ana", "/map list")
        assert listed.content == "Yours: Old Mill.\nThe server's: Inn."
        (other,) = await wire.type("Bo", "/map list")
        assert other.content == "Yours: none.\nThe server's: Inn."
        for line in ("/map delete name:Inn", "/map rename name:Inn to:Bar", "/map export name:Old Mill"):
            (refused,) = await wire.type("Bo", line)
            assert not refused.files
        for line in ("/map export name:Inn", "/map copy name:Inn to:Mine"):  # what a GM has drawn is not a player's
            (refused,) = await wire.type("Bo", line)
            assert refused.content.startswith("Inn belongs to the server: only its GMs can read it.")
            assert not refused.files
        (listed,) = await wire.type("Bo", "/map list")
        assert "Inn" in listed.content
        await wire.type("Mo", "/map delete name:Inn")  # who may manage messages
        await wire.type("Ana", "/map delete name:Old Mill")
        (listed,) = await wire.type("Ana", "/map list")
        assert listed.content == "Yours: none.\nThe server's: none."


async def test_an_exported_map_is_imported_and_exported_again_byte_for_byte(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _opened(wire)
        shown = await _typed(wire, "Gwen", "Crypt", CRYPT)
        await wire.press("Gwen", _button(shown, "Take it"))
        await wire.type("Gwen", "/map draw shape:wall from:B2. to:D4. hidden:True")
        await wire.type("Gwen", "/map save name:Crypt")
        (first,) = await wire.type("Gwen", "/map export name:Crypt")
        given: dict[str, Any] = {"files": {"file": ("crypt.json", first.files[0].data)}}
        taken = (await wire.send("Gwen", "map import", {}, **given))[-1]
        await wire.press("Gwen", _button(taken, "Take it"))
        await wire.type("Gwen", "/map save name:Second")
        (second,) = await wire.type("Gwen", "/map export name:Second")
        data = first.files[0].data.replace(b'"name": "Crypt"', b'"name": "Second"')
        assert second.files[0].data == data
        (text,) = await wire.type("Gwen", "/map export name:Crypt as:text")
        assert text.files[0].data.startswith(b"#######")
        assert "1 walls and doors at an angle can't be drawn in text" in text.content


async def test_ones_maps_are_in_ones_own_data_and_go_with_it(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        shown = await _typed(wire, "Ana", "Mill", "...")
        await wire.press("Ana", _button(shown, "Save it"))
        await wire.type("Ana", "/map copy name:Mill to:Inn for:server")
        kept = await wire.store.export_person(PEOPLE["Ana"])
        assert {(each["shelf"].partition(" ")[0], each["name"]) for each in kept["maps"]} >= {
            ("user", "Mill"),
            ("server", "Inn"),
        }
        await wire.store.delete_person(PEOPLE["Ana"])
        assert await wire.store.maps(f"user {PEOPLE['Ana']}") == ()
        (inn,) = await wire.store.maps("server 900")
        assert (inn.name, inn.owner) == ("Inn", "deleted")


async def test_a_secret_door_of_a_map_is_in_nothing_that_players_get(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        got: list[Sent] = []
        wire.watch = got.append
        await _opened(wire)
        shown = await _typed(wire, "Gwen", "Crypt", "S.####\n...?..\n######\n\nS = Strangler, hidden")
        await wire.press("Gwen", _button(shown, "Take it"))
        await wire.settle()
        for line in ("/board show", "/board show text:True", "/board ruler to:F2 from:A2", "/encounter log", "/turn"):
            await wire.type("Ana", line)
        await wire.settle()
        for sent in got:
            if sent.reader != PEOPLE["Gwen"]:
                said = str(sent.data) + "".join(file.alt for file in sent.files)
                assert "Strangler" not in said
                assert "secret door" not in said.casefold()
        offered = await wire.complete("Ana", "board door", "at", {})
        assert offered == []


async def test_the_gm_is_shown_what_the_board_hides_beside_the_picture_for_all(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _opened(wire)
        await wire.type("Gwen", "/board size size:8x6")
        assert [sent.reader for sent in await wire.type("Gwen", "/board show") if sent.files] == [None]
        for line in ("edge from:C4/D4 kind:door", "wall from:B2. to:D3.", "rect from:H6 kind:hazard text:Pit"):
            await wire.type("Gwen", f"/map draw shape:{line} hidden:True")
            shown = [sent for sent in await wire.type("Gwen", "/board show") if sent.files]
            assert [sent.reader for sent in shown] == [None, PEOPLE["Gwen"]], line
            assert shown[0].files[0].data != shown[1].files[0].data
            assert [sent.reader for sent in await wire.type("Ana", "/board show") if sent.files] == [None]
            await wire.type("Gwen", "/encounter undo")


async def test_a_map_of_another_program_is_counted_taken_and_exported_for_it(tmp_path: Path) -> None:
    def point(x: float, y: float) -> dict[str, float]:
        return {"x": x, "y": y}

    data = {
        "resolution": {"map_size": point(8, 6), "pixels_per_grid": 70},
        "line_of_sight": [[point(2, 0), point(2, 6)]],
        "portals": [{"bounds": [point(2, 2), point(2, 3)], "closed": True}],
    }
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _opened(wire)
        file = {"file": ("Old Church.uvtt", json.dumps(data).encode())}
        (shown,) = await wire.send("Gwen", "map import", {}, files=file)
        assert shown.reader == PEOPLE["Gwen"]
        assert shown.content.startswith("Old Church: 8 × 6, 1 wall (of 2 points), 1 door.")
        await wire.press("Gwen", _button(shown, "Take it"))
        assert board_of(wire).doors == {"B3/C3": "closed"}
        (given,) = await wire.type("Gwen", "/map export as:uvtt")
        assert len(json.loads(given.files[0].data)["portals"]) == 1
        (seen,) = await wire.type("Ana", "/map export as:picture")
        assert seen.files[0].data.startswith(b"\x89PNG") or b"WEBP" in seen.files[0].data[:16]
        (refused,) = await wire.type("Ana", "/map export as:uvtt")
        assert "GM" in refused.content
        (broken,) = await wire.send("Gwen", "map import", {}, files={"file": ("x.uvtt", b'{"resolution": {}}')})
        assert broken.content.startswith("resolution.map\\_size.x is missing. ")


async def test_an_area_is_shown_privately_or_to_all_and_a_token_sees_what_no_wall_hides(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _opened(wire)
        for line in (
            "/init add name:Wolf result:5 hp:7",
            "/board size size:10x8",
            "/board terrain cells:E1:E8 kind:solid",
            "/board place target:Ana cells:C4",
            "/board place target:Wolf cells:G4",
        ):
            await wire.type("Gwen", line)
        (shown,) = await wire.type("Ana", "/board area shape:burst 2 at:C4")
        assert shown.reader == PEOPLE["Ana"]
        assert shown.content.splitlines() == [
            "burst 2 at C4, from C4: 20 cells, A2:D6.",
            "In it: Ana (C4, here).",
        ]
        assert "You, Ana: C4." in shown.files[0].alt
        assert "Wolf (side GM): G4, 4 squares east, not seen." in shown.files[0].alt
        told = await wire.type("Gwen", "/board area shape:burst 1 at:Wolf show:all")
        assert "In it: Wolf (G4, here)." in told[0].content
        (seen,) = await wire.type("Ana", "/board see")
        assert "Nobody is on them." in seen.content
        (lines,) = await wire.type("Ana", "/board see target:Wolf")
        assert "Not in sight" in lines.content
        (refused,) = await wire.type("Ana", "/board see who:Wolf")
        assert "Wolf is not yours" in refused.content
        await wire.type("Gwen", "/gm damage target:burst 1 at G5 amount:3")
        room = wire.tables.loaded("901")
        assert room is not None
        assert room.table.active is not None
        assert room.table.active.combatant("Wolf").pools["HP"].now == 4
