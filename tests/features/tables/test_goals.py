"""Where to go is selected with two presses: a picture with numbers, and a select of the same (maps, chapter 6)."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from bot.custom_ids import CHOOSE, Pressed
from bot.render.words import PUBLIC
from tests.wire import PEOPLE, Sent, Wire, wired

SHEET = "INT 3, AGI 2, SPD 5, ATK 2, DEF 7, HP 12, TIER 1"


async def _tactics(wire: Wire, options: str = "") -> None:
    """Rhea (Ana) is to move on C4; the Ogre stands on F6."""
    given = f" options:{options}" if options else ""
    for who, line in (
        ("Gwen", f"/encounter start system:tactics name:Bridge{given}"),
        ("Ana", f"/character add name:Rhea system:tactics sheet:{SHEET}"),
        ("Ana", "/join"),
        ("Gwen", f"/gm add name:Ogre sheet:{SHEET.replace('INT 3', 'INT 99')}"),
        ("Gwen", "/board size size:12x10"),
        ("Gwen", "/board place target:Rhea cells:C4"),
        ("Gwen", "/board place target:Ogre cells:F6"),
        ("Gwen", "/encounter begin"),
    ):
        sent = await wire.type(who, line)
        assert sent, line


async def _initiative(wire: Wire) -> None:
    """Let Rhea be the one who is to move."""
    await wire.type("Gwen", "/gm turn target:Rhea")


def _cell(wire: Wire, who: str) -> str | None:
    room = wire.tables.loaded("901")
    assert room is not None
    assert room.table.active is not None
    return room.table.active.combatant(who).cell


def _select(sent: Sent, at: int = 0) -> dict[str, object]:
    return [each for each in sent.components if each["type"] == 3][at]


async def _press_move(wire: Wire) -> Sent:
    await wire.settle()
    sent = (await wire.type("Ana", "/turn"))[0]
    button = next(
        each
        for each in sent.components
        if each.get("label", "").startswith("Move")
        or any(option["label"].startswith("Move") for option in each.get("options", ()))
    )
    if button["type"] == 2:
        return (await wire.press("Ana", button["custom_id"]))[-1]
    value = next(option["value"] for option in button["options"] if option["label"].startswith("Move"))
    return (await wire.press("Ana", button["custom_id"], [value]))[-1]


async def test_move_shows_numbered_cells_and_the_second_press_moves(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _tactics(wire)
        await _initiative(wire)
        shown = await _press_move(wire)
        assert shown.reader == PEOPLE["Ana"]
        (file,) = shown.files
        assert Image.open(BytesIO(file.data)).width <= 1080
        options = _select(shown)["options"]
        assert isinstance(options, list)
        assert len(options) == 25
        assert [option["label"].partition(":")[0] for option in options[:24]] == [str(n) for n in range(1, 25)]
        beside = next(option for option in options if "beside Ogre" in option["label"])
        assert "reach" in beside["description"]
        await wire.press("Ana", str(_select(shown)["custom_id"]), [beside["value"]])
        assert _cell(wire, "Rhea") == beside["value"]


async def test_another_cell_is_typed_and_all_cells_are_paged(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _tactics(wire)
        await _initiative(wire)
        shown = await _press_move(wire)
        next_page = next(each for each in shown.components if each.get("label") == "Page 2 ›")
        paged = (await wire.press("Ana", next_page["custom_id"]))[-1]
        assert "page 2 of" in str(_select(paged, 1)["placeholder"])
        assert paged.files
        form = (await wire.press("Ana", str(_select(shown)["custom_id"]), ["*"]))[-1]
        assert form.form
        await wire.submit("Ana", str(form.data["custom_id"]), {"to": "D4 E4"})
        assert _cell(wire, "Rhea") == "E4"


async def test_nobody_else_chooses_for_them_and_plain_tables_have_the_cells_in_words(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _tactics(wire, "plain=on")
        await _initiative(wire)
        shown = await _press_move(wire)
        assert not shown.files
        assert "\n1: " in shown.content
        for values in (["D4"], None):
            (answer,) = await wire.press("Bo", str(_select(shown)["custom_id"]), values)
            assert "Rhea is not yours" in answer.content
        assert _cell(wire, "Rhea") == "C4"


@pytest.mark.parametrize("option", ["turn", "off"])
async def test_where_the_system_has_no_movement_the_token_has_a_button_unless_the_table_wants_none(
    tmp_path: Path, option: str
) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        for who, line in (
            ("Gwen", f"/init start name:Hall options:free_move={option}"),
            ("Ana", "/init join"),
            ("Gwen", "/board size size:9x9"),
            ("Gwen", "/board place target:Ana cells:C4"),
            ("Gwen", "/encounter begin"),
        ):
            await wire.type(who, line)
        await wire.settle()
        panel = (await wire.type("Ana", "/turn"))[-1]
        buttons = [each for each in panel.components if each.get("label") == "Move"]
        assert bool(buttons) is (option == "turn")
        if buttons:
            shown = (await wire.press("Ana", buttons[0]["custom_id"]))[-1]
            await wire.press("Ana", str(_select(shown)["custom_id"]), ["H8"])
            assert _cell(wire, "Ana") == "H8"


async def test_the_board_is_shown_in_parts_and_a_hidden_name_shows_no_part_to_others(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _tactics(wire)
        await wire.type("Gwen", "/board size size:40x30")
        await wire.type("Gwen", f"/gm add name:Spy hidden:True sheet:{SHEET}")
        await wire.type("Gwen", "/board place target:Spy cells:AJ25")
        sizes = {}
        for part in ("all", "C3:N14", "Rhea", "AK28", "Spy"):
            sent = await wire.type("Gwen", f"/board show part:{part}")
            sizes[part] = Image.open(BytesIO(sent[0].files[0].data)).size
            assert (sent[0].reader is None) is (part != "Spy"), part
        assert sizes["all"][0] > 1500
        assert all(size[0] <= 1080 for part, size in sizes.items() if part != "all")
        (refused,) = await wire.type("Ana", "/board show part:Spy")
        assert "AJ25" not in refused.content
        assert not refused.files


async def test_a_picture_for_a_prompt_is_there_where_somebody_concerned_stands_on_the_board(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _tactics(wire)
        room = wire.tables.loaded("901")
        assert room is not None
        state = room.table.active
        assert state is not None
        assert await wire.pictures.about(state, PUBLIC, ("Rhea",)) is not None
        assert await wire.pictures.about(state, PUBLIC, ("Nobody",)) is None
        await wire.type("Gwen", "/board clear target:Rhea")
        state = room.table.active
        assert state is not None
        assert await wire.pictures.about(state, PUBLIC, ("Rhea",)) is None


async def test_with_pictures_off_a_turn_tells_the_board_and_a_move_what_it_changed(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        shown: list[Sent] = []
        wire.watch = shown.append
        await _tactics(wire, "plain=on")
        await _initiative(wire)
        await wire.settle()
        assert any("Rhea, whose turn it is: C4." in sent.content for sent in shown if sent.reader is None)
        told = await wire.type("Ana", "/turn")
        assert [sent.content.splitlines()[1] for sent in told[1:]] == ["You, Rhea: C4. Speed 5."]
        moved = await wire.type("Ana", "/act action:move using:Walk to:E5 character:Rhea")
        words = "\n".join(sent.content for sent in moved if sent.reader == PEOPLE["Ana"])
        assert "Rhea: C4 → E5. Now beside Ogre." in words


async def test_whom_to_attack_has_numbers_in_a_picture_and_in_the_list(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _tactics(wire)
        await wire.type("Gwen", f"/gm add name:Wolf sheet:{SHEET}")
        await wire.type("Gwen", "/board place target:Ogre, Wolf cells:D4, D5")
        for _ in range(6):
            room = wire.tables.loaded("901")
            assert room is not None
            assert room.table.active is not None
            if room.table.active.phase == "battle":
                break
            await wire.type("Gwen", "/gm next-phase")
        await wire.type("Gwen", "/gm turn target:Rhea")
        await wire.settle()
        room = wire.tables.loaded("901")
        assert room is not None
        assert room.table.active is not None
        press = Pressed(CHOOSE, room.table.active.id, room.prompt.wanted, ("attack", "Rhea", "", "0"))
        shown = (await wire.press("Ana", press.written()))[-1]
        options = _select(shown)["options"]
        assert isinstance(options, list)
        assert [each["label"] for each in options if each["label"][:1].isdecimal()] == ["1: Ogre", "2: Wolf"]
        (file,) = shown.files
        assert Image.open(BytesIO(file.data)).width <= 1080
        await wire.press("Ana", str(_select(shown)["custom_id"]), [options[0]["value"]])
