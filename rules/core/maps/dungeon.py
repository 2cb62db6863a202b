"""One Page Dungeon maps: rectangles of rooms, doors and notes in whole cells (maps 2.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.core import refusals
from rules.core.maps.file import MOST_DOORS, MOST_NOTE, MOST_PLACES
from rules.core.maps.reading import (
    EXPORT_ANEW,
    Imported,
    NamedCells,
    counted,
    listed_at,
    part_of,
    said,
    text_at,
    whole,
)
from rules.core.space.board import (
    BLOCKED,
    CLOSED_DOOR,
    DIFFICULT,
    LOW,
    OPEN_DOOR,
    VOID,
    WINDOW,
    Board,
    DoorState,
    Unseen,
)
from rules.core.space.cells import Cell, cell_name
from rules.errors import Malformed

_SHUT, _OPEN, _BARRED, _SECRET = (1, 5), (0, 2, 3), (4, 7), 6
_FIRST_OTHER = 8  # this type of door, and all above, are open
_MOST_CELLS = 200 * 200
_MOST_NAME = 32


def is_dungeon(data: object) -> bool:
    return isinstance(data, Mapping) and isinstance(data.get("rects"), list)


def read_dungeon(data: Mapping[str, Any], name: str, part: str | None = None) -> Imported:
    """Read a map: what no room covers is void, with one column and row of it around. Raises: Malformed."""
    floor = _floor(data)
    doors = [(_cell(door, f"doors.{at}"), door) for at, door in _objects(data, "doors")]
    every = floor | {cell for cell, _ in doors}
    if not every:
        raise Malformed("There is no room in rects.", instead=EXPORT_ANEW)
    left, top = (min(cell[way] for cell in every) - 1 for way in (0, 1))
    columns, rows = (max(cell[way] for cell in every) + 2 - start for way, start in ((0, left), (1, top)))
    corner, width, height = part_of(columns, rows, part)
    draft = _Draft(Board(width=width, height=height), (left + corner[0], top + corner[1]))
    draft.ground(floor)
    for at, water in _objects(data, "water"):
        draft.lay(_cell(water, f"water.{at}"), DIFFICULT)
    pillars = [_cell(column, f"columns.{at}") for at, column in _objects(data, "columns")]
    for cell in pillars:
        draft.lay(cell, LOW)
    for cell, door in doors:
        draft.door(cell, door.get("type"))
    for at, note in _objects(data, "notes"):
        draft.note(note, at)
    imported = Imported(text_at(data, "title", _MOST_NAME) or name[:_MOST_NAME] or "Map", draft.made())
    imported.counts = said(
        counted(len(draft.doors), "door"),
        counted(len(draft.secret), "secret door"),
        counted(len(pillars), "pillar"),
        counted(len(draft.texts), "note"),
    )
    imported.remarks += sorted(draft.remarks)
    story = text_at(data, "story", MOST_NOTE)
    if story:
        imported.remarks.append(story)
    return imported


def _objects(data: Mapping[str, Any], path: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for at, each in enumerate(listed_at(data, path)):
        if not isinstance(each, Mapping):
            raise Malformed(f"{path}.{at} is not an object.", instead=EXPORT_ANEW)
        yield at, each


def _cell(each: Mapping[str, Any], path: str) -> Cell:
    try:
        return whole(each, "x"), whole(each, "y")
    except Malformed:
        raise Malformed(f"{path} lacks x and y.", instead=EXPORT_ANEW) from None


def _floor(data: Mapping[str, Any]) -> set[Cell]:
    cells: set[Cell] = set()
    named = NamedCells()
    for at, rect in _objects(data, "rects"):
        left, top = _cell(rect, f"rects.{at}")
        width, height = whole(rect, "w"), whole(rect, "h")
        if width < 1 or height < 1 or len(cells) + width * height > _MOST_CELLS:
            raise Malformed(f"rects.{at} has {width} × {height} cells.", instead=EXPORT_ANEW)
        named.add(width * height)
        is_round = bool(rect.get("rotunda"))
        for y in range(height):
            for x in range(width):
                across, down = 2 * x + 1 - width, 2 * y + 1 - height
                if not is_round or across * across + down * down <= min(width, height) ** 2:
                    cells.add((left + x, top + y))
    return cells


class _Draft:
    """A board that is being read; `move` is what its top left cell is called in the file."""

    def __init__(self, board: Board, move: Cell) -> None:
        self.board = board
        self.move = move
        self.terrain: dict[str, str] = {}
        self.doors: dict[str, DoorState] = {}
        self.secret: dict[str, DoorState] = {}
        self.texts: dict[str, str] = {}
        self.notes: dict[str, str] = {}
        self.remarks: set[str] = set()

    def name(self, cell: Cell) -> str | None:
        at = cell[0] - self.move[0], cell[1] - self.move[1]
        return cell_name(*at) if self.board.holds(at) else None

    def ground(self, floor: set[Cell]) -> None:
        for row in range(self.board.height):
            for column in range(self.board.width):
                if (column + self.move[0], row + self.move[1]) not in floor:
                    self.terrain[cell_name(column, row)] = VOID

    def lay(self, cell: Cell, kind: str) -> None:
        name = self.name(cell)
        if name is not None and self.terrain.get(name) != VOID:
            self.terrain[name] = kind

    def door(self, cell: Cell, kind: object) -> None:
        """Put a door on its cell, by the number of its type; one that nobody knows is shut."""
        name = self.name(cell)
        if name is None:
            return
        self.terrain.pop(name, None)
        number = kind if isinstance(kind, int) and not isinstance(kind, bool) else 1
        if number == _SECRET:
            self.terrain[name] = BLOCKED
            self.secret[name] = CLOSED_DOOR
        elif number in _BARRED:
            self.terrain[name] = WINDOW
        elif number in _OPEN or number >= _FIRST_OTHER:
            self.doors[name] = OPEN_DOOR
        else:
            self.doors[name] = CLOSED_DOOR
            if number not in _SHUT:
                self.remarks.add(f"I do not know doors of type {number}, so I closed them.")
        if len(self.doors) + len(self.secret) > MOST_DOORS:
            raise refusals.too_many_doors(MOST_DOORS)

    def note(self, note: Mapping[str, Any], at: int) -> None:
        """Keep a note on a hidden place, which is called by its number."""
        spot = note.get("pos")
        if not isinstance(spot, Mapping):
            return
        name = self.name(_cell(spot, f"notes.{at}.pos"))
        ref = str(note.get("ref") or at + 1).strip()[:8] or str(at + 1)
        if name is not None and len(self.texts) < MOST_PLACES:
            self.texts[name] = ref
            self.notes[ref] = text_at(note, "text", MOST_NOTE)

    def made(self) -> Board:
        unseen = Unseen(doors=self.secret, texts=self.texts)
        return self.board.evolve(terrain=self.terrain, doors=self.doors, unseen=unseen, notes=self.notes)
