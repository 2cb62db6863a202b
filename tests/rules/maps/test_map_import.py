"""Maps of other programs: every field that is read, what is left out and said, and files that are broken or bad."""

from __future__ import annotations

import base64
import doctest
import gzip
import json
import math
import random
import struct
import zlib
from typing import Any

import pytest

from rules.core.maps import walls as map_walls
from rules.core.maps.imports import read_map
from rules.core.maps.uvtt import uvtt_file
from rules.core.maps.walls import clipped, thinned
from rules.core.space.board import Board
from rules.core.space.sight import lines_between
from rules.errors import Malformed, Refusal
from tests.rules.maps.files import dungeon, point, read, tiled, uvtt


def test_the_examples_of_the_module_hold() -> None:
    assert doctest.testmod(map_walls).failed == 0


# Universal VTT


def test_walls_on_the_grid_become_edges_others_lines_and_a_portal_cuts_the_wall_under_it() -> None:
    found = read(uvtt())
    assert set(found.board.edges) == {f"B{row}/C{row}" for row in (1, 2, 4, 5, 6)}
    assert [wall.points for wall in found.board.walls] == [(288, 64, 416, 192)]
    assert found.board.doors == {"B3/C3": "open"}
    assert "Church: 8 × 6, 2 walls (of 4 points), 1 door." in found.words
    assert lines_between(found.board, (0, 2), (3, 2)).sight
    assert not lines_between(found.board, (0, 0), (3, 0)).sight


def test_the_origin_is_taken_off_all_coordinates_unless_it_is_plainly_wrong() -> None:
    moved = uvtt(line_of_sight=[[point(12, -3), point(12, 3)]], portals=[])
    moved["resolution"]["map_origin"] = point(10, -3)
    assert set(read(moved).board.edges) == {f"B{row}/C{row}" for row in range(1, 7)}
    wrong = uvtt()
    wrong["resolution"]["map_origin"] = point(40, 40)
    found = read(wrong)
    assert "B1/C1" in found.board.edges
    assert "do not count from the corner" in found.words


def test_what_lies_off_the_map_is_left_out_and_counted_and_what_leaves_it_is_clipped() -> None:
    found = read(
        uvtt(
            line_of_sight=[[point(-3, 2), point(3, 2)], [point(20, 20), point(22, 22)], [point(0, 3), point(8, 3)]],
            portals=[{"bounds": [point(30, 2), point(30, 3)]}, {"position": point(1, 1)}],
            lights=[{}, {}],
            environment={"baked_lighting": True, "ambient_light": "ffffffff"},
        )
    )
    assert set(found.board.edges) >= {"A2/A3", "B2/B3", "C2/C3"}
    left_out = "1 wall and 2 doors outside the map, 2 lights, 2 settings of the environment"
    assert f"left out: {left_out}." in found.words


@pytest.mark.parametrize(("objects", "kinds"), [("sight", ["prop"]), ("wall", ["wall"]), ("none", [])])
def test_pillars_and_crates_bar_what_is_asked(objects: str, kinds: list[str]) -> None:
    ring = [point(3.2, 3.2), point(3.8, 3.2), point(3.5, 3.8), point(3.2, 3.2)]
    found = read(uvtt(line_of_sight=[], portals=[], objects_line_of_sight=[ring]), objects=objects)
    assert sorted({wall.kind for wall in found.board.walls}) == kinds


def test_a_door_at_an_angle_is_a_door_on_a_line_and_closed_if_nothing_is_said() -> None:
    found = read(uvtt(portals=[{"bounds": [point(5, 1.5), point(6, 2.5)]}]))
    assert found.board.doors == {"Door 1": "closed"}
    assert [wall.points for wall in found.board.walls] == [(288, 64, 320, 96), (384, 160, 416, 192)]


def test_a_map_that_is_too_large_is_refused_with_the_part_that_works() -> None:
    large = uvtt(line_of_sight=[[point(70, 0), point(70, 10)]], portals=[])
    large["resolution"]["map_size"] = point(100.4, 20)
    with pytest.raises(Malformed, match="100 × 20 cells"):
        read(large)
    found = read(large, part="BI1:CB20")
    assert (found.board.width, found.board.height) == (20, 20)
    assert "J1/K1" in found.board.edges


def test_the_cells_that_lie_on_a_wall_are_named() -> None:
    found = read(uvtt(line_of_sight=[[point(0, 0.5), point(8, 0.5)]], portals=[]))
    assert "8 cells lie on a wall and cannot be entered: A1, B1" in found.words
    assert "half a cell off" in found.words


def test_a_thousand_points_of_a_round_wall_are_thinned() -> None:

    ring = [point(4 + 2 * math.cos(at / 500 * math.pi), 3 + 2 * math.sin(at / 500 * math.pi)) for at in range(1001)]
    found = read(uvtt(line_of_sight=[ring], portals=[]))
    assert 8 <= len(found.board.walls) <= 40


def test_what_is_exported_for_others_is_read_back_with_the_same_walls_and_doors() -> None:
    first = read(uvtt()).board
    again = read_map(uvtt_file(first)).board
    assert (again.edges, again.doors, again.walls) == (first.edges, first.doors, first.walls)
    crypt = read_map("#####\n#..+.\n#####").board
    lines = json.loads(uvtt_file(crypt))["line_of_sight"]
    assert [point(1, 1), point(2, 1)] in lines
    assert len(json.loads(uvtt_file(crypt))["portals"]) == 1


# One Page Dungeon


def test_rooms_doors_water_and_notes_of_a_dungeon_have_void_around_them() -> None:
    found = read(dungeon())
    board = found.board
    assert found.name == "Vault of Salt"
    assert read_map(json.dumps(dungeon()), "Mine").name == "Mine"
    assert (board.width, board.height) == (11, 7)
    assert board.terrain["A1"] == "void"
    assert board.doors == {"E4": "closed"}
    assert "B3" not in board.terrain
    assert board.terrain["F2"] == "void"  # the corner of the round room
    assert board.terrain["H4"] == "difficult"
    assert board.unseen.texts == {"C4": "1"}
    assert board.notes == {"1": "A chest."}
    assert "Nobody came back." in found.words


@pytest.mark.parametrize(
    ("kind", "state"),
    [(0, "open"), (2, "open"), (3, "open"), (5, "closed"), (8, "open"), (4, None), (7, None), (6, "secret")],
)
def test_each_type_of_door_is_what_it_says(kind: int, state: str | None) -> None:
    board = read(dungeon(doors=[{"x": 0, "y": 1, "dir": point(1, 0), "type": kind}])).board
    if state is None:
        assert board.terrain["E4"] == "window"
    elif state == "secret":
        assert (board.terrain["E4"], board.unseen.doors) == ("blocked", {"E4": "closed"})
    else:
        assert board.doors == {"E4": state}


# Tiled


def test_layers_of_tiles_and_objects_are_read_by_their_names() -> None:
    found = read(tiled())
    assert found.board.terrain == {"A1": "blocked"}
    assert set(found.board.edges) == {"A1/B1", "A2/B2"}
    assert found.board.doors == {"C2/D2": "closed"}
    assert found.board.texts == {"C3": "Well", "D3": "Well"}
    assert "left out: layer grass, 1 object that is turned." in found.words


@pytest.mark.parametrize("packing", ["", "zlib", "gzip"])
def test_tiles_may_be_packed(packing: str) -> None:
    raw = struct.pack("<20I", *([0] * 19), 7)
    packed = {"": raw, "zlib": zlib.compress(raw), "gzip": gzip.compress(raw)}[packing]
    layer = {"name": "low", "type": "tilelayer", "data": base64.b64encode(packed).decode(), "encoding": "base64"}
    assert read(tiled(layers=[{**layer, "compression": packing}])).board.terrain == {"E4": "low"}


def test_what_is_packed_otherwise_or_is_a_bomb_is_refused() -> None:
    layer = {"name": "low", "type": "tilelayer", "encoding": "base64", "compression": "zstd", "data": "AAAA"}
    with pytest.raises(Malformed, match="zstd"):
        read(tiled(layers=[layer]))
    bomb = base64.b64encode(zlib.compress(bytes(50_000_000))).decode()
    with pytest.raises(Malformed, match="20 numbers"):
        read(tiled(layers=[{**layer, "compression": "zlib", "data": bomb}]))


@pytest.mark.parametrize("changed", [{"orientation": "isometric"}, {"orientation": "hexagonal"}])
def test_other_grids_are_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(Malformed, match="isometric or hexagonal"):
        read(tiled(**changed))


# Bad files


def test_missing_fields_are_named_by_their_path() -> None:
    with pytest.raises(Malformed, match=r"resolution\.map_size\.x is missing"):
        read({"resolution": {}})
    with pytest.raises(Malformed, match="not a map that I know"):
        read({"hello": 1})
    with pytest.raises(Malformed, match="cut off"):
        read_map(json.dumps(uvtt())[:-40])
    with pytest.raises(Malformed, match="nested"):
        read_map('{"resolution": ' + "[" * 60 + "]" * 60 + "}")


@pytest.mark.parametrize("number", ["1e999", "NaN", "-Infinity", "1e30", "true", '"7"', "null", "9" * 5000])
def test_numbers_that_no_map_has_are_refused_by_their_place(number: str) -> None:
    text = json.dumps(uvtt()).replace("4.5", number)
    with pytest.raises(Malformed):
        read_map(text)


@pytest.mark.parametrize("seed", range(20))
def test_no_broken_file_fails_otherwise_than_in_words(seed: int) -> None:
    """Change, cut and replace parts of good files: each is read or refused, within its time."""
    rng = random.Random(seed)
    for data in (uvtt(), dungeon(), tiled()):
        text = json.dumps(_broken(data, rng))
        if rng.random() < 0.3:
            at = rng.randrange(len(text))
            text = text[:at] + rng.choice(["", "}", "\x00", "é", "[[["]) + text[at + rng.randrange(9) :]
        try:
            found = read_map(text, "Map")
        except Refusal:
            continue
        assert isinstance(found.board, Board)
        assert found.words


def _broken(data: Any, rng: random.Random) -> Any:
    if rng.random() < 0.04:
        return rng.choice([None, True, -1, 0, 10**9, 10**400, 1e18, "x", [], {}, [[]], [None], "A" * 100])
    if isinstance(data, dict):
        return {key: _broken(value, rng) for key, value in data.items() if rng.random() > 0.02}
    if isinstance(data, list):
        found = [_broken(value, rng) for value in data]
        return found * rng.choice([0, 2, 50]) if rng.random() < 0.03 else found
    return data


def test_clipping_and_thinning_keep_ends() -> None:
    assert clipped((-10, 10, 10, -10), 64, 64) is None or clipped((-10, 10, 10, -10), 64, 64) == (0, 0, 0, 0)
    assert clipped((0, 0, 128, 128), 64, 64) == (0, 0, 64, 64)
    assert thinned([(0, 0), (64, 0), (64, 64), (0, 64), (0, 0)], 4) == [(0, 0), (64, 0), (64, 64), (0, 64), (0, 0)]


@pytest.mark.parametrize("half", ["\\ud83d", "\\uDE00"])
def test_half_a_character_is_refused_and_a_whole_one_is_read(half: str) -> None:
    own = '{"format": 1, "kind": "referee map", "name": "Inn", "size": [3, 2], "places": {"%s": {"cells": ["A1"]}}}'
    with pytest.raises(Malformed, match="half a character"):
        read_map(own % half)
    assert read_map(own % "\\ud83d\\ude00").board.texts == {"A1": "😀"}


def test_a_refusal_never_repeats_a_number_of_hundreds_of_digits() -> None:
    with pytest.raises(Malformed) as refused:
        read_map('{"format": 1, "kind": "referee map", "name": "Inn", "size": [%s, 2]}' % ("9" * 400))
    assert len(str(refused.value.reason)) < 200


@pytest.mark.parametrize("packing", [["zlib"], {"a": 1}, 7, True])
def test_tiles_that_are_packed_in_something_that_is_no_word_are_refused(packing: object) -> None:
    layer = {"name": "solid", "type": "tilelayer", "encoding": "base64", "compression": packing, "data": "AAAA"}
    with pytest.raises(Malformed, match="packed with"):
        read(tiled(layers=[layer]))
