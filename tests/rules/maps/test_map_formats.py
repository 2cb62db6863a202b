"""Files of other programs, sentence by sentence: units, rounding, thinning, types of doors, layers and masks.

What each file is as a whole, and files that are broken, are in `test_map_import.py`. Rule: G-06.
"""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import pytest

from rules.core.maps.imports import read_map
from rules.core.maps.uvtt import uvtt_file
from rules.core.maps.walls import unit
from rules.core.space.board import Board, Wall
from rules.errors import Malformed
from tests.rules.maps.files import dungeon, point, read, tiled, uvtt


def sized(x: float, y: float, **changed: Any) -> dict[str, Any]:
    data = uvtt(line_of_sight=[], portals=[], **changed)
    data["resolution"]["map_size"] = point(x, y)
    return data


# Universal VTT


@pytest.mark.parametrize(("size", "columns"), [(7.49, 7), (7.5, 8), (8.5, 9), (8, 8), (8.4999, 8)])
def test_columns_and_rows_are_rounded_a_half_up(size: float, columns: int) -> None:
    board = read(sized(size, size)).board
    assert (board.width, board.height) == (columns, columns)


def test_columns_that_are_no_whole_number_are_said() -> None:
    assert "It says 7.5 columns; I take 8." in read(sized(7.5, 6)).words
    assert "It says" not in read(sized(8.0, 6)).words


@pytest.mark.parametrize("number", [0.2, 0.3, 1, 99])
def test_the_format_is_said_and_never_refused(number: float) -> None:
    assert f"Universal VTT, format {number:g}." in read(uvtt(format=number)).words
    strange = read(uvtt(format="seven"))
    assert "format" not in strange.words


@pytest.mark.parametrize(
    ("cells", "at"),
    [
        (1 + 4 / 64, 64),
        (1 + 5 / 64, 69),
        (2 - 4 / 64, 128),
        (2 - 5 / 64, 123),
        (1 + 10.49 / 64, 74),
        (1 + 10.5 / 64, 75),
        (-5 / 64, -5),
        (-4 / 64, 0),
    ],
)
def test_a_coordinate_is_whole_64ths_half_up_and_on_the_line_within_4_of_it(cells: float, at: int) -> None:
    assert unit(cells) == at


def test_repeated_points_fall_away_and_a_ring_is_parted_in_two() -> None:
    square = [point(2.5, 1.5), point(2.5, 1.5), point(5.5, 1.5), point(5.5, 4.5), point(2.5, 4.5), point(2.5, 1.5)]
    found = read(uvtt(line_of_sight=[square, [point(1.5, 1.5)] * 3], portals=[]))
    assert "4 walls (of 9 points)." in found.words
    assert {wall.points for wall in found.board.walls} == {
        (160, 96, 352, 96),
        (352, 96, 352, 288),
        (352, 288, 160, 288),
        (160, 288, 160, 96),
    }


def zigzag(deep: float, count: int) -> list[list[dict[str, float]]]:
    """Return lines across the map, each of 60 pieces whose ends lie `deep` 64ths beside it in turn."""
    return [[point(1 + at * 0.6, row + 0.5 + at % 2 * deep / 64) for at in range(61)] for row in range(1, count + 1)]


@pytest.mark.parametrize("deep", [3, 7, 14, 28])
def test_lines_are_thinned_by_4_64ths_then_8_16_and_32_until_a_thousand_are_left(deep: float) -> None:
    data = sized(40, 40)
    data["line_of_sight"] = zigzag(deep, 30)
    assert len(read(data).board.walls) == 30


@pytest.mark.parametrize(("deep", "left"), [(4, 10), (7, 600), (14, 600)])
def test_lines_are_not_thinned_more_than_a_thousand_pieces_ask_for(deep: float, left: int) -> None:
    data = sized(40, 40)
    data["line_of_sight"] = zigzag(deep, 10)
    assert len(read(data).board.walls) == left


def test_more_than_16_64ths_of_bend_stay_if_16_are_enough() -> None:
    data = sized(40, 40)
    data["line_of_sight"] = [*zigzag(14, 30), *[[*map(lower, line)] for line in zigzag(28, 5)]]
    assert len(read(data).board.walls) == 30 + 5 * 60


def lower(at: dict[str, float]) -> dict[str, float]:
    return point(at["x"], at["y"] + 32)


def test_what_no_thinning_brings_under_a_thousand_is_refused() -> None:
    data = sized(64, 64)
    data["line_of_sight"] = [[point(x + 0.2, y + 0.1), point(x + 0.9, y + 0.7)] for x in range(40) for y in range(26)]
    with pytest.raises(Malformed, match="more than 1,000 walls at an angle"):
        read(data)
    data["line_of_sight"] = data["line_of_sight"][:1000]
    assert len(read(data).board.walls) == 1000


def test_the_origin_is_kept_if_half_of_the_points_are_then_on_the_map() -> None:
    half = uvtt(line_of_sight=[[point(2, 2), point(3, 3)], [point(5, 2), point(6, 3)]], portals=[])
    half["resolution"]["map_origin"] = point(4, 0)
    found = read(half)
    assert [wall.points for wall in found.board.walls] == [(64, 128, 128, 192)]
    assert "do not count" not in found.words
    outside = uvtt(line_of_sight=[[point(2, 2), point(3, 3)], [point(4, 2), point(-1, 3)]], portals=[])
    outside["resolution"]["map_origin"] = point(10, 0)  # without it one point is off the map, too: it stays
    assert read(outside).board.walls == ()


def test_a_missing_list_of_objects_lights_and_portals_is_none() -> None:
    data = uvtt()
    for name in ("portals", "image"):
        del data[name]
    board = read(data).board
    assert (board.doors, len(board.edges)) == ({}, 6)


def test_a_portal_is_read_by_its_bounds_alone_and_windows_are_said_to_be_doors() -> None:
    portal = {"bounds": [point(2, 2), point(2, 3)], "position": point(7, 5), "rotation": 1.2, "freestanding": True}
    found = read(uvtt(portals=[portal]))
    assert found.board.doors == {"B3/C3": "closed"}
    assert "shape:edge kind:window" in found.words
    assert "window" not in read(uvtt(portals=[])).words


def test_what_is_exported_has_70_pixels_a_cell_windows_and_low_as_objects_and_curtains_as_walls() -> None:
    board = Board(
        width=6,
        height=5,
        edges={"A1/B1": "window", "A2/B2": "low", "A3/B3": "curtain", "A4/B4": "wall"},
        doors={"C1/D1": "open", "C2/D2": "locked"},
        walls=(Wall(points=(200, 100, 260, 190), kind="prop"),),
    )
    data = json.loads(uvtt_file(board))
    assert data["format"] == 0.3
    assert data["resolution"] == {"map_origin": point(0, 0), "map_size": point(6, 5), "pixels_per_grid": 70}
    assert data["line_of_sight"] == [[point(1, 2), point(1, 3)], [point(1, 3), point(1, 4)]]
    assert [point(1, 0), point(1, 1)] in data["objects_line_of_sight"]
    assert [point(1, 1), point(1, 2)] in data["objects_line_of_sight"]
    assert len(data["objects_line_of_sight"]) == 3
    assert [(each["bounds"][0]["x"], each["closed"]) for each in data["portals"]] == [(3, False), (3, True)]


# One Page Dungeon


@pytest.mark.parametrize(("kind", "said"), [(-1, True), (1, False), (5, False), (None, False)])
def test_a_door_of_a_type_that_nobody_knows_is_closed_and_said(kind: int | None, said: bool) -> None:
    found = read(dungeon(doors=[{"x": 0, "y": 1, "dir": point(1, 0), "type": kind}]))
    assert found.board.doors == {"E4": "closed"}
    assert (f"I do not know doors of type {kind}, so I closed them." in found.words) is said


@pytest.mark.parametrize("kind", [8, 9, 42])
def test_a_door_of_type_8_and_more_is_open(kind: int) -> None:
    assert read(dungeon(doors=[{"x": 0, "y": 1, "dir": point(1, 0), "type": kind}])).board.doors == {"E4": "open"}


def test_cells_in_no_room_are_void_and_one_column_and_row_of_it_surrounds_all() -> None:
    rects = [{"x": -40, "y": 100, "w": 2, "h": 1}, {"x": -37, "y": 100, "w": 1, "h": 1}]
    board = read({"rects": rects}).board
    assert (board.width, board.height) == (6, 3)
    free = {"B2", "C2", "E2"}
    every = {f"{column}{row}" for column in "ABCDEF" for row in (1, 2, 3)}
    assert board.terrain == dict.fromkeys(every - free, "void")


def test_a_round_room_is_the_cells_whose_centre_lies_in_the_circle() -> None:
    board = read({"rects": [{"x": 0, "y": 0, "w": 5, "h": 5, "rotunda": {"anything": 1}}]}).board
    rows = ["".join(" " if f"{column}{row}" in board.terrain else "x" for column in "BCDEF") for row in range(2, 7)]
    assert rows == [" xxx ", "xxxxx", "xxxxx", "xxxxx", " xxx "]


def test_a_note_lies_on_the_cell_that_holds_its_point_and_is_the_gms() -> None:
    notes = [{"text": "Gold.", "ref": "7", "pos": point(-0.2, 2.9)}, {"text": "No place."}]
    board = read(dungeon(notes=notes)).board
    assert (board.texts, board.unseen.texts, board.notes) == ({}, {"D5": "7"}, {"7": "Gold."})


# Tiled


def layer(name: str, data: list[int], **given: Any) -> dict[str, Any]:
    return {"name": name, "type": "tilelayer", "data": data, **given}


@pytest.mark.parametrize(
    ("name", "kind"),
    [("solid", "blocked"), ("WALLS", "blocked"), ("Difficult", "difficult"), ("lOw", "low"), ("void", "void")],
)
def test_a_layer_of_tiles_is_read_by_its_name_without_regard_to_case(name: str, kind: str) -> None:
    assert read(tiled(layers=[layer(name, [0, 3, *[0] * 18])])).board.terrain == {"B1": kind}


def test_a_layer_of_doors_has_closed_ones_also_if_another_layer_is_solid() -> None:
    board = read(tiled(layers=[layer("Doors", [0, 3, *[0] * 18]), layer("solid", [1, 1, *[0] * 18])])).board
    assert (board.doors, board.terrain) == ({"B1": "closed"}, {"A1": "blocked"})


@pytest.mark.parametrize(
    ("number", "counts"), [(1, True), (0, False), (0x80000000, False), (0xE0000000, False), (0xE0000001, True)]
)
def test_a_tile_counts_by_its_number_without_the_bits_that_turn_it(number: int, counts: bool) -> None:
    assert bool(read(tiled(layers=[layer("solid", [number, *[0] * 19])])).board.terrain) is counts
    raw = number.to_bytes(4, "little") + bytes(4 * 19)
    for packing, data in (("", raw), ("zlib", zlib.compress(raw))):
        packed = layer("solid", [], compression=packing, encoding="base64")
        packed["data"] = base64.b64encode(data).decode()
        assert bool(read(tiled(layers=[packed])).board.terrain) is counts


def test_an_infinite_map_is_refused_with_what_would_work() -> None:
    with pytest.raises(Malformed, match="read infinite maps") as refused:
        read(tiled(infinite=True))
    assert "Infinite off" in (refused.value.instead or "")


def test_objects_are_in_pixels_by_the_width_and_the_height_of_a_tile() -> None:
    objects = [
        {"x": 16, "y": 24, "width": 32, "height": 24},
        {"x": 48, "y": 72, "polygon": [point(0, 0), point(16, 0), point(16, 24)]},
        {"x": 0, "y": 0, "polyline": [point(8, 12), point(8, 36)]},
    ]
    walls = {"name": "Walls", "type": "objectgroup", "objects": objects}
    board = read(tiled(tilewidth=16, tileheight=24, layers=[walls])).board
    assert set(board.edges) == {"A2/B2", "C2/D2", "B1/B2", "C1/C2", "B2/B3", "C2/C3", "D3/D4", "D4/E4"}
    assert {wall.points for wall in board.walls} == {(256, 256, 192, 192), (32, 32, 32, 96)}


def test_layers_that_are_not_read_are_named() -> None:
    others = [{"name": "Sky", "type": "imagelayer"}, {"name": "Group", "type": "group", "layers": []}]
    words = read(tiled(layers=[*others, layer("grass", [0] * 20), {"name": "Notes", "type": "objectgroup"}])).words
    assert "left out: layers Sky, Group, grass, Notes." in words


# Which of them it is


def test_a_file_is_known_by_its_content_and_named_by_what_it_holds() -> None:
    for data in (uvtt(), dungeon(), tiled()):
        assert read_map(json.dumps(data), called="notes.txt").board.width > 1
    assert read_map("#.#", called="map.uvtt").board.width == 3
