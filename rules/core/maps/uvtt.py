"""Universal VTT maps (`.uvtt`, `.dd2vtt`, `.df2vtt`): walls and doors as lines in cells (maps 2.2)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rules.core import refusals
from rules.core.maps import reading
from rules.core.maps.file import MOST_DOORS
from rules.core.maps.reading import (
    MOST_NUMBER,
    MOST_POINTS,
    Imported,
    at_path,
    counted,
    listed_at,
    measure,
    part_of,
    said,
    said_number,
    sensible,
    text_at,
)
from rules.core.maps.walls import Point, clipped, unit, with_walls
from rules.core.space.barriers import edge_side, sides_of_cell
from rules.core.space.board import CLOSED_DOOR, LOW, OPEN_DOOR, PROP, WINDOW, Board, DoorState, EdgeKind, Points
from rules.core.space.cells import UNIT, is_edge, parse_cell
from rules.core.space.line_doors import with_door
from rules.errors import Malformed

MOST_LISTS = 60_000  # lines, each of however many points
_EXPORT_PIXELS = 70
_MOST_NAME = 32

Line = list[tuple[float, float]]


def is_uvtt(data: object) -> bool:
    return at_path(data, "resolution") is not None


def read_uvtt(data: Mapping[str, Any], name: str, objects: str = "sight", part: str | None = None) -> Imported:
    """Read a map; `objects` says what pillars and crates are: props, walls, or left out. Raises: Malformed."""
    width, height = (math.floor(measure(data, f"resolution.map_size.{way}") + 0.5) for way in "xy")
    corner, columns, rows = part_of(width, height, part)
    walls, props = _lists(data, "line_of_sight"), _lists(data, "objects_line_of_sight")
    points = sum(map(len, (*walls, *props)))
    if points > MOST_POINTS:
        raise refusals.too_many_points(MOST_POINTS)
    if len(walls) + len(props) > MOST_LISTS:
        raise Malformed(f"That file has more than {MOST_LISTS:,} lines.", instead=refusals.SMALLER_FILE)
    origin = _origin(data)
    remarks: list[str] = []
    if origin != (0, 0) and not _fits(_lines(data, "line_of_sight"), _portals(data), origin, (width, height)):
        remarks.append("Its coordinates do not count from the corner that it names, so I read them from the top left.")
        origin = (0.0, 0.0)
    move = (origin[0] + corner[0], origin[1] + corner[1])
    kind: EdgeKind = "prop" if objects == "sight" else "wall"
    wanted: list[tuple[Iterable[Line], EdgeKind]] = [(_lines(data, "line_of_sight"), "wall")]
    if objects != "none":
        wanted.append((_lines(data, "objects_line_of_sight"), kind))
    lines = ((_placed(line, move), what) for each, what in wanted for line in each)
    laid = with_walls(Board(width=columns, height=rows), lines)
    board, doors, off = _with_doors(laid.board, _portals(data), move)
    imported = Imported(
        name[:_MOST_NAME] or "Map", board, remarks=remarks, picture=text_of_image(data), across=width, corner=corner
    )
    imported.pixels = said_number(at_path(data, "resolution.pixels_per_grid")) or 0
    imported.counts = said(
        f"{counted(laid.walls, 'wall')} (of {counted(points, 'point')})",
        counted(doors, "door"),
        counted(len(props) if objects != "none" else 0, "pillar"),
    )
    lost = [counted(count, what) for count, what in ((laid.off, "wall"), (off, "door")) if count]
    if lost:
        imported.left_out.append(f"{' and '.join(lost)} outside the map")
    if objects == "none" and props:
        imported.left_out.append(counted(len(props), "pillar"))
    lights = len(listed_at(data, "lights"))
    if lights:
        imported.left_out.append(counted(lights, "light"))
    environment = data.get("environment")
    if isinstance(environment, Mapping) and environment:
        imported.left_out.append(f"{counted(len(environment), 'setting')} of the environment")
    if doors:
        imported.remarks.append("Windows come as doors: change one with /map draw shape:edge kind:window.")
    _remark_pixels(imported, data, width)
    return imported


def text_of_image(data: Mapping[str, Any]) -> str:
    image = data.get("image")
    return image.rpartition(",")[2] if isinstance(image, str) else ""


def _remark_pixels(imported: Imported, data: Mapping[str, Any], width: int) -> None:
    number = said_number(data.get("format"))
    if number is not None:
        imported.remarks.append(f"Universal VTT, format {number:g}.")
    label = text_at(data, "software", 40)
    if label:
        imported.remarks.append(f"Written by {label}.")
    size = at_path(data, "resolution.map_size.x")
    if isinstance(size, float) and size != width:
        imported.remarks.append(f"It says {size:g} columns; I take {width}.")


def _origin(data: Mapping[str, Any]) -> tuple[float, float]:
    x, y = (
        measure(data, f"resolution.map_origin.{way}")
        if at_path(data, f"resolution.map_origin.{way}") is not None
        else 0.0
        for way in "xy"
    )
    return x, y


def _lists(data: Mapping[str, Any], path: str) -> list[list[Any]]:
    """Return the lines at a path as the file has them. Raises: Malformed."""
    found = list(listed_at(data, path))
    for number, line in enumerate(found):
        if not isinstance(line, list):
            raise Malformed(f"{path}.{number} is not a list.", instead=reading.EXPORT_ANEW)
    return found


def _lines(data: Mapping[str, Any], path: str) -> Iterator[Line]:
    """Return the lines at a path, one by one. Raises: Malformed."""
    for number, line in enumerate(_lists(data, path)):
        yield [_point(point, f"{path}.{number}") for point in line]


def _point(point: object, path: str) -> tuple[float, float]:
    if not isinstance(point, dict) or "x" not in point or "y" not in point:
        raise Malformed(f"{path} contains something that is not a point.", instead=reading.EXPORT_ANEW)
    x, y = point["x"], point["y"]
    if type(x) is type(y) is float and abs(x) < MOST_NUMBER and abs(y) < MOST_NUMBER:  # nearly all are
        return x, y
    return sensible(x, f"{path}.x"), sensible(y, f"{path}.y")


def _portals(data: Mapping[str, Any]) -> Iterator[tuple[Line, DoorState]]:
    """Return the doors' lines; of one without bounds the line is empty."""
    for number, portal in enumerate(listed_at(data, "portals")):
        if not isinstance(portal, dict):
            raise Malformed(f"portals.{number} is not an object.", instead=reading.EXPORT_ANEW)
        bounds = portal.get("bounds")
        ends = bounds if isinstance(bounds, list) and len(bounds) == 2 else []
        state = OPEN_DOOR if portal.get("closed") is False else CLOSED_DOOR
        yield [_point(end, f"portals.{number}.bounds") for end in ends], state


def _fits(
    walls: Iterable[Line], portals: Iterable[tuple[Line, DoorState]], origin: tuple[float, float], size: tuple[int, int]
) -> bool:
    """Tell whether the points lie on the map with the origin taken off, as they should."""
    points = [point for line in (*walls, *(ends for ends, _ in portals)) for point in line]

    def held(move: tuple[float, float]) -> int:
        return sum(0 <= x - move[0] <= size[0] and 0 <= y - move[1] <= size[1] for x, y in points)

    return 2 * held(origin) >= len(points) or held((0.0, 0.0)) < len(points)


def _placed(line: Line, move: tuple[float, float]) -> list[Point]:
    return [(unit(x - move[0]), unit(y - move[1])) for x, y in line]


def _with_doors(
    board: Board, portals: Iterable[tuple[Line, DoorState]], move: tuple[float, float]
) -> tuple[Board, int, int]:
    """Put doors on a board; return how many there are, and how many lay off it or have no bounds."""
    count = off = 0
    for ends, state in portals:
        points = _placed(ends, move)
        piece = clipped((*points[0], *points[1]), board.width * UNIT, board.height * UNIT) if points else None
        if piece is None:
            off += 1
            continue
        count += 1
        if count > MOST_DOORS:
            raise refusals.too_many_doors(MOST_DOORS)
        board = with_door(board, piece, state)
    return board, count, off


# Writing


def uvtt_file(board: Board) -> str:
    """Write a board for other programs: walls and solid borders as lines, doors as portals; it is the GM's file."""
    known = board.whole
    walls: list[Points] = []
    objects: list[Points] = []
    for edge, kind in sorted(known.edges.items()):
        (objects if kind in (WINDOW, LOW, PROP) else walls).append(_edge_points(edge))
    for wall in known.walls:
        (objects if wall.kind in (WINDOW, LOW, PROP) else walls).append(wall.points)
    walls += _borders(known)
    written = {
        "format": 0.3,
        "resolution": {
            "map_origin": {"x": 0, "y": 0},
            "map_size": {"x": known.width, "y": known.height},
            "pixels_per_grid": _EXPORT_PIXELS,
        },
        "line_of_sight": [_written(points) for points in dict.fromkeys(walls)],
        "objects_line_of_sight": [_written(points) for points in objects],
        "portals": [_portal(known, place, state) for place, state in sorted(known.doors.items())],
        "environment": {"baked_lighting": False, "ambient_light": "ffffffff"},
        "lights": [],
        "image": "",
    }
    return json.dumps(written, indent=1) + "\n"


def _edge_points(edge: str) -> Points:
    upright, line, at = edge_side(edge)
    begin, end, level = at * UNIT, (at + 1) * UNIT, line * UNIT
    return (level, begin, level, end) if upright else (begin, level, end, level)


def _borders(board: Board) -> Iterator[Points]:
    """Return the sides of solid and of void cells toward those that are neither."""
    solid = {parse_cell(cell) for cell, kind in board.terrain.items() if kind in ("blocked", "void")}
    solid -= {parse_cell(place) for place in board.doors if not is_edge(place) and place not in board.lines}
    for cell in sorted(solid):
        for upright, line, at in sides_of_cell(cell):
            beyond = (2 * line - 1 - cell[0], cell[1]) if upright else (cell[0], 2 * line - 1 - cell[1])
            if beyond not in solid and board.holds(beyond):
                begin, end, level = at * UNIT, (at + 1) * UNIT, line * UNIT
                yield (level, begin, level, end) if upright else (begin, level, end, level)


def _written(points: Points) -> list[dict[str, float]]:
    x, y, to_x, to_y = points
    return [{"x": x / UNIT, "y": y / UNIT}, {"x": to_x / UNIT, "y": to_y / UNIT}]


def _portal(board: Board, place: str, state: DoorState) -> dict[str, Any]:
    """Return a door as a portal; one that fills a cell lies across its middle."""
    if place in board.lines:
        points = board.lines[place]
    elif is_edge(place):
        points = _edge_points(place)
    else:
        column, row = parse_cell(place)
        middle = column * UNIT + UNIT // 2, row * UNIT + UNIT // 2
        beside = {board.kind((column, row - 1)), board.kind((column, row + 1))}
        points = (
            (middle[0], row * UNIT, middle[0], (row + 1) * UNIT)
            if "blocked" in beside or "void" in beside
            else (column * UNIT, middle[1], (column + 1) * UNIT, middle[1])
        )
    x, y, to_x, to_y = points
    return {
        "position": {"x": (x + to_x) / 2 / UNIT, "y": (y + to_y) / 2 / UNIT},
        "bounds": _written(points),
        "rotation": round(math.atan2(to_y - y, to_x - x), 6),
        "closed": state != OPEN_DOOR,
        "freestanding": False,
    }
