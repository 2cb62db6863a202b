"""Pictures under maps: decoded within bounds, kept once, moved by buttons, brought by files, exported byte for byte."""

from __future__ import annotations

import base64
import json
import random
import struct
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot.table.ground import CELL, Lies, read_picture
from data.store import Store
from rules.core.space.background import FINE
from rules.errors import Malformed, Refusal
from tests.features.maps.boards import board_of
from tests.wire import PEOPLE, Sent, Wire, wired

GREEN = (30, 120, 60)


def drawn(width: int = 560, height: int = 420, kind: str = "PNG", **given: Any) -> bytes:
    out = BytesIO()
    Image.new("RGB", (width, height), GREEN).save(out, kind, **given)
    return out.getvalue()


async def _opened(wire: Wire, size: str = "8x6") -> None:
    await wire.type("Gwen", "/encounter start system:classic name:Deep")
    await wire.type("Gwen", f"/board size size:{size}")


def _pressed(sent: Sent, label: str) -> str:
    return next(str(each["custom_id"]) for each in sent.components if each.get("label") == label)


# Reading


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF-like"])
def test_what_is_read_is_written_anew_and_small_without_what_cameras_add(kind: str) -> None:
    if kind == "GIF-like":
        with pytest.raises(Malformed, match="can't read"):
            read_picture(drawn(kind="GIF"), 8, Lies())
        return
    exif = Image.Exif()
    exif[0x010E] = "taken at home"
    read = read_picture(drawn(1600, 1200, kind, exif=exif), 8, Lies(shift=(100, 20), corner=(1, 0)))
    image = Image.open(BytesIO(read.data))
    assert image.format == "WEBP"
    assert not image.getexif()
    assert b"taken at home" not in read.data
    assert image.size == (8 * CELL, 6 * CELL)
    assert (read.picture.cell, read.picture.shift) == (20 * CELL, (24 + CELL, 5))


def test_a_small_webp_without_anything_beside_it_is_kept_byte_for_byte() -> None:
    data = drawn(300, 200, "WEBP")
    assert read_picture(data, 10, Lies()).data == data
    assert read_picture(data, 10, Lies(pixels=15)).picture.cell == 300


def test_pictures_that_are_bombs_are_refused_before_they_are_decoded() -> None:
    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0))
    bomb = b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    with pytest.raises(Malformed, match="pixels"):
        read_picture(bomb, 8, Lies())
    with pytest.raises(Malformed, match="10001 × 1 pixels"):
        read_picture(drawn(10_001, 1), 8, Lies())
    with pytest.raises(Malformed, match="15 MB at most"):
        read_picture(b"\x89PNG" + bytes(16 * 2**20), 8, Lies())


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_no_broken_picture_fails_otherwise_than_in_words(kind: str) -> None:
    rng = random.Random(kind)
    good = drawn(64, 48, kind)
    for _ in range(40):
        data = bytearray(good)
        for _ in range(rng.randrange(1, 6)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            read_picture(bytes(data[: rng.randrange(1, len(data) + 1)]), 8, Lies())
        except Refusal:
            continue


# At the table


async def test_a_picture_lies_under_the_board_is_moved_by_buttons_and_taken_off(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _opened(wire)
        sent = await wire.send("Gwen", "map picture", {"across": 8}, files={"file": ("cave.png", drawn())})
        shown = next(each for each in sent if each.files)
        assert shown.reader == PEOPLE["Gwen"]
        assert shown.content.startswith("8 columns across, shift 0,0.")
        assert Image.open(BytesIO(shown.files[0].data)).format == "WEBP"
        picture = board_of(wire).picture
        assert picture is not None
        await wire.press("Gwen", _pressed(shown, "▶"))
        moved = board_of(wire).picture
        assert moved is not None
        assert moved.shift == (-(CELL // 8), 0)
        await wire.press("Gwen", _pressed(shown, "+"))
        assert board_of(wire).picture == moved.evolve(cell=moved.cell + 1)
        (refused,) = await wire.press("Ana", _pressed(shown, "◀"))
        assert "GM" in refused.content
        await wire.type("Gwen", "/map picture shift:3,-4 fade:50")
        assert board_of(wire).picture == moved.evolve(cell=moved.cell + 1, shift=(3, -4), fade=50)
        (board,) = await wire.type("Ana", "/board show part:all")
        red, green, _ = Image.open(BytesIO(board.files[0].data)).convert("RGB").getpixel((90, 140))  # type: ignore[misc] # of three
        assert green > red + 20
        await wire.type("Gwen", "/map picture fade:100")
        assert board_of(wire).picture is None
        await wire.type("Gwen", "/encounter undo")
        assert board_of(wire).picture is not None


async def test_the_picture_of_an_imported_map_comes_along_and_is_exported_byte_for_byte(tmp_path: Path) -> None:
    data = {
        "resolution": {"map_size": {"x": 8, "y": 6}, "map_origin": {"x": 0, "y": 0}, "pixels_per_grid": 70},
        "line_of_sight": [],
        "image": base64.b64encode(drawn()).decode(),
    }
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _opened(wire)
        (shown,) = await wire.send("Gwen", "map import", {}, files={"file": ("a.uvtt", json.dumps(data).encode())})
        await wire.press("Gwen", _pressed(shown, "Take it"))
        (first,) = await wire.type("Gwen", "/map export")
        assert json.loads(first.files[0].data)["picture"]["across"] == 8
        (shown,) = await wire.send("Gwen", "map import", {}, files={"file": ("b.json", first.files[0].data)})
        await wire.press("Gwen", _pressed(shown, "Take it"))
        (second,) = await wire.type("Gwen", "/map export")
        assert second.files[0].data == first.files[0].data
        broken = {**data, "image": "AAAA"}
        (shown,) = await wire.send("Gwen", "map import", {}, files={"file": ("c.uvtt", json.dumps(broken).encode())})
        assert "I can read its walls, but not the picture in it." in shown.content
        assert _pressed(shown, "Take only the walls")
        (shown,) = await wire.send("Gwen", "map import", {}, files={"file": ("Inn [8x6].png", drawn())})
        await wire.press("Gwen", _pressed(shown, "Take it"))
        assert (board_of(wire).width, board_of(wire).height) == (8, 6)
        (shown,) = await wire.send("Gwen", "map import", {}, files={"file": ("inn.png", drawn())})
        assert "How many columns does it have?" in shown.content
        (form,) = await wire.press("Gwen", _pressed(shown, "Other columns …"))
        (shown,) = await wire.submit("Gwen", str(form.data["custom_id"]), {"columns": "16"})
        await wire.press("Gwen", _pressed(shown, "Take it"))
        assert (board_of(wire).width, board_of(wire).height) == (16, 12)


@pytest.mark.parametrize(
    ("typed", "columns", "size", "across"),
    [
        ("....\n....", "", (4, 2), 4),
        ("....\n....", "8", (4, 2), 8),
        ("", "14", (14, 10), 14),
        ("", "", (8, 6), 8),
    ],
)
async def test_the_form_of_a_new_map_takes_a_picture_and_its_columns(
    tmp_path: Path, typed: str, columns: str, size: tuple[int, int], across: int
) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _opened(wire)
        (form,) = await wire.type("Gwen", "/map new")
        keys = [each["custom_id"] for each in form.components]
        assert keys == ["name", "text", "picture", "columns"]
        given = {"name": "Inn", "text": typed, "columns": columns}
        files = {"picture": ("inn.png", drawn())}
        (shown,) = await wire.submit("Gwen", str(form.data["custom_id"]), given, files=files)
        assert shown.content.startswith(f"Inn: {size[0]} × {size[1]}")
        await wire.press("Gwen", _pressed(shown, "Take it"))
        board = board_of(wire)
        assert board.picture is not None
        assert (board.width, board.height) == size
        assert round(board.picture.width * FINE / board.picture.cell) == across


async def test_what_is_no_picture_is_refused_in_the_form_too(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _opened(wire)
        (form,) = await wire.type("Gwen", "/map new size:9x9")
        form_id, given = str(form.data["custom_id"]), {"name": "Inn", "text": "..."}
        (said,) = await wire.submit("Gwen", form_id, given, files={"picture": ("inn.png", b"no picture")})
        assert "I can't read that picture." in said.content
        (said,) = await wire.submit(
            "Gwen", form_id, {**given, "columns": "many"}, files={"picture": ("a.png", drawn())}
        )
        assert "columns" in said.content
        (said,) = await wire.submit("Gwen", form_id, given, files={"picture": ("a.png", bytes(16 * 2**20))})
        assert "15 MB at most" in said.content


async def test_what_is_drawn_is_shown_to_the_gm_alone_and_cut_to_what_changed(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await wire.type("Gwen", "/encounter start system:classic name:Deep")
        await wire.type("Gwen", "/board size size:30x30")
        for line in (
            "/map draw shape:wall from:C4. to:F6.",
            "/map draw shape:rect from:Y25 to:Z26 kind:solid",
            "/map draw shape:edge from:C4/D4 kind:door hidden:True",
        ):
            told = await wire.type("Gwen", line)
            (shown,) = (each for each in told if each.files)
            assert shown.reader == PEOPLE["Gwen"]
            with Image.open(BytesIO(shown.files[0].data)) as picture:
                assert picture.width < 1100
        (refused,) = await wire.type("Ana", "/map draw shape:rect from:A1 kind:solid")
        assert "GM" in refused.content


async def test_walls_that_lie_half_a_cell_off_are_moved_by_a_button(tmp_path: Path) -> None:
    size = {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 8, "y": 6}, "pixels_per_grid": 70}
    walls = [[{"x": x + 0.5, "y": 0.5}, {"x": x + 0.5, "y": 5.5}] for x in range(1, 7)]
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _opened(wire)
        data = json.dumps({"resolution": size, "line_of_sight": walls}).encode()
        (shown,) = await wire.send("Gwen", "map import", {}, files={"file": ("inn.uvtt", data)})
        assert "The walls seem to be half a cell off." in shown.content
        label = next(str(each["label"]) for each in shown.components if str(each.get("label")).startswith("Move the"))
        (shown,) = await wire.press("Gwen", _pressed(shown, label))
        assert "half a cell off" not in shown.content
        await wire.press("Gwen", _pressed(shown, "Take it"))
        assert board_of(wire).walls == ()
        assert board_of(wire).edges


@pytest.mark.parametrize(
    ("pixels", "columns"), [(140, "4"), (65, "8.62"), (75, "7.47"), (66, None), (74, None), (70, None)]
)
async def test_what_a_file_says_of_its_picture_is_compared_with_the_picture(
    tmp_path: Path, pixels: int, columns: str | None
) -> None:
    """The picture is 560 pixels wide, the map 8 columns: more than half a cell beside it is said with both."""
    size = {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 8, "y": 6}, "pixels_per_grid": pixels}
    held = {"resolution": size, "line_of_sight": [], "image": base64.b64encode(drawn()).decode()}
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _opened(wire)
        (shown,) = await wire.send("Gwen", "map import", {}, files={"file": ("inn.uvtt", json.dumps(held).encode())})
        words = f"{columns} columns wide at {pixels} pixels a cell, and the map is 8 columns wide"
        assert (words in shown.content) is (columns is not None)
        assert ("Its picture" in shown.content) is (columns is not None)


async def test_a_picture_is_kept_once_for_its_owner_within_their_room_and_goes_with_them(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _opened(wire)
        for _ in range(2):
            await wire.send("Gwen", "map picture", {"across": 8}, files={"file": ("cave.png", drawn())})
        picture = board_of(wire).picture
        assert picture is not None
        store: Store = wire.store
        assert len(await store.maps(f"picture {PEOPLE['Gwen']}")) == 1
        assert await store.picture(picture.digest) is not None
        exported = await store.export_person(PEOPLE["Gwen"])
        assert any("picture" in each["map"] for each in exported["maps"])
        await store.delete_person(PEOPLE["Gwen"])
        assert await store.picture(picture.digest) is None
        (board,) = await wire.type("Ana", "/board show")
        assert board.files


async def test_pictures_of_maps_have_the_board_in_words_as_their_text(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _opened(wire)
        await wire.type("Ana", "/init join result:9")
        await wire.type("Gwen", "/board place target:Ana cells:B2")
        await wire.type("Gwen", "/board terrain cells:D1:D3 kind:solid")
        answers = [
            await wire.send("Gwen", "map picture", {"across": 8}, files={"file": ("floor.png", drawn())}),
            await wire.type("Gwen", "/map draw shape:edge from:F5/G5 kind:door text:Hatch hidden:True"),
            await wire.type("Ana", "/map export as:picture"),
        ]
        await wire.type("Gwen", "/map save name:Crypt")
        answers.append(await wire.type("Gwen", "/map export name:Crypt as:picture"))
        texts = [next(file.alt for sent in answer for file in sent.files) for answer in answers]
        known = "Hatch, secret door F5/G5, closed. Known to the GM alone: F5/G5. "
        assert texts == [
            "Deep: 8 columns, 6 rows, A1 to H6. Ana (side Players): B2. Rows 1–3: solid D.",
            f"Deep: 8 columns, 6 rows, A1 to H6. Ana (side Players): B2. {known}Rows 1–3: solid D.",
            "Deep: 8 columns, 6 rows, A1 to H6. You, Ana: B2. Rows 1–3: solid D. Row 5: wall between F and G.",
            f"Crypt: 8 columns, 6 rows, A1 to H6. {known}Rows 1–3: solid D.",
        ]
