"""Files of other programs, as small as they may be."""

from __future__ import annotations

import json
from typing import Any

from rules.core.maps.imports import read_map
from rules.core.maps.reading import Imported


def point(x: float, y: float) -> dict[str, float]:
    return {"x": x, "y": y}


def uvtt(**changed: Any) -> dict[str, Any]:
    return {
        "format": 0.3,
        "resolution": {"map_origin": point(0, 0), "map_size": point(8, 6), "pixels_per_grid": 70},
        "line_of_sight": [[point(2, 0), point(2, 6)], [point(4.5, 1), point(6.5, 3)]],
        "portals": [{"bounds": [point(2, 2), point(2, 3)], "closed": False}],
        "image": "",
        **changed,
    }


def read(data: object, **given: Any) -> Imported:
    return read_map(json.dumps(data), called="Church", **given)


def dungeon(**changed: Any) -> dict[str, Any]:
    return {
        "title": "Vault of Salt",
        "story": "Nobody came back.",
        "rects": [{"x": -3, "y": 0, "w": 3, "h": 3}, {"x": 1, "y": -1, "w": 5, "h": 5, "rotunda": True}],
        "doors": [{"x": 0, "y": 1, "dir": point(1, 0), "type": 1}],
        "notes": [{"text": "A chest.", "ref": "1", "pos": point(-1.5, 1.5)}],
        "water": [point(3, 1)],
        "columns": [point(2, 1)],
        **changed,
    }


def tiled(**changed: Any) -> dict[str, Any]:
    solid = [0] * 20
    solid[0] = 0x80000001  # turned over
    objects = [
        {"x": 32, "y": 0, "polyline": [point(0, 0), point(0, 64)]},
        {"x": 0, "y": 0, "width": 16, "height": 16, "rotation": 30},
    ]
    return {
        "orientation": "orthogonal", "infinite": False, "width": 5, "height": 4, "tilewidth": 32, "tileheight": 32,
        "layers": [
            {"name": "Solid", "type": "tilelayer", "data": solid},
            {"name": "grass", "type": "tilelayer", "data": [1] * 20},
            {"name": "walls", "type": "objectgroup", "objects": objects},
            {"name": "doors", "type": "objectgroup", "objects": [{"x": 96, "y": 32, "width": 0, "height": 32}]},
            {"name": "places", "type": "objectgroup", "objects": [
                {"name": "Well", "x": 64, "y": 64, "width": 64, "height": 32}
            ]},
        ],
        **changed,
    }  # fmt: skip
