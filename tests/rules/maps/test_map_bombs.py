"""Map files that would take hours, a few bytes of them, are refused before the work (maps 9)."""

from __future__ import annotations

import base64
import json
import math
import zlib
from itertools import pairwise
from typing import Any

import pytest

from rules.core.maps.imports import read_map
from rules.core.maps.reading import Imported
from rules.errors import Malformed

TILED: dict[str, Any] = {
    "orientation": "orthogonal", "infinite": False, "width": 64, "height": 64, "tilewidth": 32, "tileheight": 32,
}  # fmt: skip
OWN: dict[str, Any] = {"format": 1, "kind": "referee map", "name": "Deep", "size": [64, 64]}
EVERYWHERE = "A1:BL64"
LETTERS = [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", *(f"A{each}" for each in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")]


def _read(data: object) -> Imported:
    return read_map(json.dumps(data))


def _uvtt(lines: object) -> dict[str, Any]:
    size = {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 64, "y": 64}, "pixels_per_grid": 70}
    return {"format": 0.3, "resolution": size, "line_of_sight": lines, "portals": [], "image": ""}


def test_walls_at_an_angle_are_read_no_further_than_until_there_are_too_many() -> None:
    slanted = [[{"x": at % 60 + 0.3, "y": at // 60}, {"x": at % 60 + 1.7, "y": at // 60 + 1.4}] for at in range(1200)]
    with pytest.raises(Malformed, match="more than 1,000 walls at an angle"):
        _read(_uvtt([*slanted, ["not even a point"]]))


def test_a_line_that_bends_everywhere_is_refused_before_it_is_thinned() -> None:
    bent = [{"x": 64 * at / 20_000, "y": 32 + (-1) ** at * 31 * (1 - at / 20_001)} for at in range(20_000)]
    with pytest.raises(Malformed, match="more than 1,000 walls at an angle"):
        _read(_uvtt([bent]))


def test_walls_along_the_same_edges_again_and_again_are_laid_once_and_refused_if_there_are_too_many() -> None:
    rows = [[{"x": 0, "y": at % 20 + 1}, {"x": at % 60 + 1, "y": at % 20 + 1}] for at in range(31_000)]
    board = _read(_uvtt(rows[:20_000])).board
    assert len(board.edges) == sum(max(at % 60 + 1 for at in range(60) if at % 20 == row) for row in range(20))
    assert board.walls == ()
    with pytest.raises(Malformed, match="more than 30,000 walls"):
        _read(_uvtt(rows))


def test_lines_without_end_are_refused_by_their_number() -> None:
    with pytest.raises(Malformed, match="more than 60,000 lines"):
        _read(_uvtt([[{"x": 1, "y": 1}]] * 60_001))


@pytest.mark.parametrize("path", ["format", "pixels_per_grid"])
def test_a_number_that_is_only_told_may_be_larger_than_any_map(path: str) -> None:
    data = _uvtt([])
    (data if path == "format" else data["resolution"])[path] = 10**400
    found = _read(data)
    assert found.pixels == (70 if path == "format" else 0)
    assert ("format" in "".join(found.remarks)) is (path != "format")


def test_a_long_line_that_hardly_bends_is_still_read() -> None:
    ring = [
        {"x": 32 + 30 * math.cos(at / 10_000 * math.pi), "y": 32 + 30 * math.sin(at / 10_000 * math.pi)}
        for at in range(20_001)
    ]
    assert 20 < len(_read(_uvtt([ring])).board.walls) < 400


@pytest.mark.parametrize(
    "data",
    [
        {**OWN, "cells": {"solid": [EVERYWHERE] * 70}},
        {**OWN, "cells": {"solid": [{"at": EVERYWHERE}] * 70}},
        {**OWN, "places": {"Hall": {"cells": [EVERYWHERE] * 70}}},
        {**OWN, "start": {"A": [EVERYWHERE] * 70}},
        {**OWN, "stand": {f"Wolf {at}": [EVERYWHERE] for at in range(70)}},
        {"rects": [{"x": 0, "y": 0, "w": 62, "h": 62, "rotunda": True}] * 70},
        {
            **TILED,
            "layers": [
                {
                    "name": "places",
                    "type": "objectgroup",
                    "objects": [{"x": 0, "y": 0, "width": 2048, "height": 2048, "name": "Hall"}] * 70,
                }
            ],
        },
    ],
)
def test_a_file_that_names_the_whole_board_again_and_again_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(Malformed, match="names cells more than 262,144 times"):
        _read(data)


def test_layers_of_nothing_that_are_packed_small_are_refused_when_they_are_too_many() -> None:
    packed = base64.b64encode(zlib.compress(bytes(4 * 1000 * 1000))).decode()
    layer = {"name": "solid", "type": "tilelayer", "encoding": "base64", "compression": "zlib", "data": packed}
    text = json.dumps({**TILED, "width": 1000, "height": 1000, "layers": [layer] * 50})
    with pytest.raises(Malformed, match="more than 8,000,000 tiles"):
        read_map(text, part=EVERYWHERE)


def test_doors_of_a_tiled_map_are_counted_before_they_are_cut_into_the_walls() -> None:
    doors = [{"x": at % 1900, "y": at * 7 % 1900, "width": 0, "height": 32} for at in range(20_000)]
    with pytest.raises(Malformed, match="300 at most"):
        _read({**TILED, "layers": [{"name": "doors", "type": "objectgroup", "objects": doors}]})


def test_millions_of_brackets_are_counted_and_not_read() -> None:
    with pytest.raises(Malformed, match="more than 500,000 points"):
        read_map('{"rects": [' + "[" * 1_000_000)  # read, it would end in the middle


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("edges\n" + "\n".join("." if at % 2 == 0 else "|." * 40 + "|" for at in range(81)), None),
        ("edges\n" + "\n".join(" -" * 45 if at % 2 == 0 else "|." * 45 + "|" for at in range(91)), "3,960 walls"),
        ("\n".join("+" * 20 for _ in range(15)), None),
        ("\n".join("+" * 20 for _ in range(15)) + "\n+", "301 doors"),
        ("\n".join("?" * 20 for _ in range(15)) + "\n+", "301 doors"),
        (json.dumps(OWN | {"edges": [{"at": f"A{row}/B{row}", "kind": "wall"} for row in range(1, 65)]}), None),
        (json.dumps(OWN | {"edges": [
            {"at": f"{one}{row}/{two}{row}", "kind": "wall", "hidden": row > 9}
            for row in range(1, 65) for one, two in pairwise(LETTERS)
        ]}), "3,264 walls"),
        (json.dumps(OWN | {"walls": [{"line": [at, 0, at + 9, 99]} for at in range(1000)]}), None),
        (json.dumps(OWN | {"walls": [{"line": [at, 0, at + 9, 99]} for at in range(1001)]}), "1,001 walls"),
    ],
)  # fmt: skip
def test_no_text_and_no_file_brings_more_walls_or_doors_than_a_board_holds(text: str, said: str | None) -> None:
    if said is None:
        read_map(text)
        return
    with pytest.raises(Malformed, match=said):
        read_map(text)
