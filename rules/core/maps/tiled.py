"""Tiled maps (`.tmj`): layers of tiles by their names, and objects for walls, doors and places (maps 2.2)."""

from __future__ import annotations

import base64
import binascii
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules.core.maps import reading
from rules.core.maps.file import MOST_DOORS, MOST_PLACES
from rules.core.maps.reading import (
    EXPORT_ANEW,
    Imported,
    NamedCells,
    counted,
    listed_at,
    measure,
    part_of,
    said,
    sensible,
    text_at,
    whole,
)
from rules.core.maps.walls import Point, clipped, unit, with_walls
from rules.core.space.board import BLOCKED, CLOSED_DOOR, DIFFICULT, LOW, VOID, Board
from rules.core.space.cells import UNIT, Cell, cell_name
from rules.core.space.line_doors import with_door
from rules.errors import Malformed

_TILES = 0x1FFFFFFF  # the bits above turn a tile
_KINDS = {"solid": BLOCKED, "walls": BLOCKED, "difficult": DIFFICULT, "low": LOW, "void": VOID}
_DOORS = "doors"
_OBJECTS = ("walls", "doors", "places")
_WINDOWS = {"": 0, "zlib": zlib.MAX_WBITS, "gzip": 16 + zlib.MAX_WBITS}
_MOST_SIDE = 2000
_MOST_TILES = 8_000_000  # in all layers that are read
_MOST_NAME = 30


def is_tiled(data: object) -> bool:
    return isinstance(data, Mapping) and isinstance(data.get("layers"), list)


def read_tiled(data: Mapping[str, Any], name: str, part: str | None = None) -> Imported:
    """Read a map's layers by their names; its pictures are not fetched. Raises: Malformed."""
    if data.get("orientation", "orthogonal") != "orthogonal":
        raise Malformed("I can't read isometric or hexagonal maps.", instead="I read maps of squares.")
    if data.get("infinite"):
        raise Malformed("I can't read infinite maps.", instead="In Tiled: Map, Map Properties, Infinite off.")
    width, height = whole(data, "width"), whole(data, "height")
    if not (0 < width <= _MOST_SIDE and 0 < height <= _MOST_SIDE):
        raise reading.sized(width, height)
    corner, columns, rows = part_of(width, height, part)
    reader = _Layers(Board(width=columns, height=rows), corner, (width, height))
    reader.tile = measure(data, "tilewidth"), measure(data, "tileheight")
    if min(reader.tile) <= 0:
        raise Malformed("tilewidth and tileheight have to be sizes.", instead=EXPORT_ANEW)
    for at, layer in enumerate(listed_at(data, "layers")):
        if not isinstance(layer, Mapping):
            raise Malformed(f"layers.{at} is not an object.", instead=EXPORT_ANEW)
        reader.read(layer, at)
    return reader.found(name)


class _Layers:
    """A board that is being read, layer by layer."""

    def __init__(self, board: Board, corner: Cell, size: tuple[int, int]) -> None:
        self.board = board
        self.corner = corner
        self.size = size
        self.tile = (1.0, 1.0)
        self.terrain: dict[str, str] = {}
        self.doors: list[str] = []
        self.walls: list[Mapping[str, Any]] = []
        self.door_lines: list[list[Point]] = []
        self.texts: dict[str, str] = {}
        self.unread: list[str] = []
        self.turned = 0
        self.tiles = 0
        self.named = NamedCells()

    def read(self, layer: Mapping[str, Any], at: int) -> None:
        name = text_at(layer, "name", _MOST_NAME)
        known, kind = name.casefold(), layer.get("type")
        if kind == "tilelayer" and (known in _KINDS or known == _DOORS):
            for cell in self._laid(layer, at):
                if known == _DOORS:
                    self.doors.append(cell)
                else:
                    self.terrain[cell] = _KINDS[known]
        elif kind == "objectgroup" and known in _OBJECTS:
            for number, each in enumerate(listed_at(layer, "objects")):
                if not isinstance(each, Mapping):
                    raise Malformed(f"layers.{at}.objects.{number} is not an object.", instead=EXPORT_ANEW)
                self._object(known, each)
        else:
            self.unread.append(name or f"layer {at + 1}")

    def found(self, name: str) -> Imported:
        """Return what was read. Raises: Malformed if it is too much."""
        laid = with_walls(
            self.board.evolve(terrain=self.terrain), ((self._points(wall), "wall") for wall in self.walls)
        )
        board = laid.board.evolve(
            doors=dict.fromkeys(self.doors, CLOSED_DOOR),
            terrain={cell: kind for cell, kind in laid.board.terrain.items() if cell not in self.doors},
        )
        pieces = (clipped((*line[0], *line[-1]), board.width * UNIT, board.height * UNIT) for line in self.door_lines)
        across = dict.fromkeys(piece for piece in pieces if piece is not None)
        if len(board.doors) + len(across) > MOST_DOORS:
            raise Malformed(
                f"That map has {len(board.doors) + len(across)} doors; it can have {MOST_DOORS} at most.",
                instead=reading.PART,
            )
        for piece in across:
            board = with_door(board, piece, CLOSED_DOOR)
        texts = dict(list(self.texts.items())[: MOST_PLACES * UNIT])
        if len(set(texts.values())) > MOST_PLACES:
            raise Malformed(f"That map has more than {MOST_PLACES} places.", instead=reading.PART)
        imported = Imported(name[:_MOST_NAME] or "Map", board.evolve(texts=texts))
        solid = sum(kind == BLOCKED for kind in board.terrain.values())
        imported.counts = said(
            counted(solid, "solid cell"),
            counted(laid.walls, "wall"),
            counted(len(board.doors), "door"),
            counted(len(set(texts.values())), "place"),
        )
        if self.unread:
            shown = ", ".join(self.unread[:8])
            imported.left_out.append(f"{'layers' if len(self.unread) > 1 else 'layer'} {shown}")
        if self.turned:
            imported.left_out.append(
                f"{counted(self.turned, 'object')} that {'is' if self.turned == 1 else 'are'} turned"
            )
        return imported

    # Tiles

    def _laid(self, layer: Mapping[str, Any], at: int) -> Iterator[str]:
        """Return the cells of the part that have a tile of a layer."""
        width, height = self.size
        self.tiles += width * height
        if self.tiles > _MOST_TILES:
            raise Malformed(
                f"The layers of that map have more than {_MOST_TILES:,} tiles.",
                instead="Export a smaller part, or leave out layers that you do not need.",
            )
        tiles = _tiles(layer, width * height, f"layers.{at}.data")
        for row in range(self.board.height):
            for column in range(self.board.width):
                if tiles[(row + self.corner[1]) * width + column + self.corner[0]] & _TILES:
                    yield cell_name(column, row)

    # Objects

    def _object(self, layer: str, each: Mapping[str, Any]) -> None:
        if each.get("rotation"):
            self.turned += 1
            return
        if layer == "walls":
            self.walls.append(each)
            return
        points = self._points(each)
        if layer == "places":
            self._place(each, points)
        elif len(points) > 1:
            self.door_lines.append(_across(points))

    def _points(self, each: Mapping[str, Any]) -> list[Point]:
        """Return an object's points in 1/64 cells: a rectangle is a ring, a lone point one."""
        x, y = measure(each, "x"), measure(each, "y")
        shape = each.get("polyline", each.get("polygon"))
        if isinstance(shape, list):
            points = [_offset(point) for point in shape]
            if "polygon" in each and points:
                points.append(points[0])
        else:
            width, height = (measure(each, side) if side in each else 0.0 for side in ("width", "height"))
            points = [(0.0, 0.0)]
            if width and height:
                points += [(width, 0.0), (width, height), (0.0, height), (0.0, 0.0)]
            elif width or height:
                points.append((width, height))
        return [
            (
                unit((x + across) / self.tile[0] - self.corner[0]),
                unit((y + down) / self.tile[1] - self.corner[1]),
            )
            for across, down in points
        ]

    def _place(self, each: Mapping[str, Any], points: Sequence[Point]) -> None:
        name = text_at(each, "name", _MOST_NAME)
        if not name or not points:
            return
        across, down = (
            range(max(0, min(at) // UNIT), min(most, max(max(at) - 1, min(at)) // UNIT + 1))
            for at, most in (
                ([point[0] for point in points], self.board.width),
                ([point[1] for point in points], self.board.height),
            )
        )
        self.named.add(len(across) * len(down))
        self.texts.update(dict.fromkeys((cell_name(column, row) for row in down for column in across), name))


def _across(points: list[Point]) -> list[Point]:
    """Return a door's line: of a rectangle the middle line along its longer side."""
    if len(points) < 4:
        return points
    columns, rows = ([point[way] for point in points] for way in (0, 1))
    left, right, top, bottom = min(columns), max(columns), min(rows), max(rows)
    if right - left >= bottom - top:
        return [(left, (top + bottom) // 2), (right, (top + bottom) // 2)]
    return [((left + right) // 2, top), ((left + right) // 2, bottom)]


def _offset(point: object) -> tuple[float, float]:
    if not isinstance(point, Mapping):
        raise Malformed("A polyline contains something that is not a point.", instead=EXPORT_ANEW)
    return sensible(point.get("x", 0), "polyline.x"), sensible(point.get("y", 0), "polyline.y")


def _wrong_count(path: str, count: int) -> Malformed:
    return Malformed(f"{path} does not have {count} numbers.", instead=EXPORT_ANEW)


def _tiles(layer: Mapping[str, Any], count: int, path: str) -> Sequence[int]:
    """Return a layer's numbers: a list, or base64 of four bytes each, as it is or packed. Raises: Malformed."""
    data = layer.get("data")
    if isinstance(data, list):
        if len(data) != count or not all(isinstance(each, int) for each in data):
            raise _wrong_count(path, count)
        return data
    packing = layer.get("compression") or ""
    if not isinstance(data, str) or not isinstance(packing, str) or packing not in _WINDOWS:
        raise Malformed(
            f"{path} is packed with {str(packing)[:20] or 'nothing known'}.",
            instead="I read CSV, base64, zlib and gzip.",
        )
    try:
        raw = base64.b64decode(data, validate=False)
        if packing:
            raw = zlib.decompressobj(_WINDOWS[packing]).decompress(raw, 4 * count + 1)
    except (binascii.Error, zlib.error, ValueError):
        raise Malformed(f"I can't unpack {path}.", instead=EXPORT_ANEW) from None
    if len(raw) != 4 * count:
        raise _wrong_count(path, count)
    return struct.unpack(f"<{count}I", raw)
