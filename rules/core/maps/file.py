"""The project's own format of a map: JSON that is read back byte for byte (maps 2.5)."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from rules.core import refusals
from rules.core.maps.reading import EXPORT_ANEW, MOST_NUMBER, MOST_POINTS, NamedCells
from rules.core.model import Frozen
from rules.core.space import board as grid
from rules.core.space.background import FINE
from rules.core.space.cells import MAX_SIDE, UNIT, is_edge, names_of, parse_cell, parse_edge, rectangles
from rules.core.space.line_doors import with_door
from rules.errors import Malformed, Refusal

KIND = "referee map"
FORMAT = 1
EXPORTED = "Write one that I can read with /map export as:map."
MOST_NOTE = 500
MOST_BARRIERS, MOST_DOORS, MOST_PLACES, MOST_LINES = 3000, 300, 200, 1000
_WALLS, _LINES, _DOORS, _PLACES = "walls", "walls at an angle", "doors", "places"
_MOST = {_WALLS: MOST_BARRIERS, _LINES: MOST_LINES, _DOORS: MOST_DOORS, _PLACES: MOST_PLACES}
_CELL_KINDS = {
    "solid": grid.BLOCKED,
    "difficult": grid.DIFFICULT,
    "low": grid.LOW,
    "hazard": grid.HAZARD,
    "window": grid.WINDOW,
    "void": grid.VOID,
}


_Side = Annotated[int, Field(ge=-MOST_NUMBER, le=MOST_NUMBER)]


class _HiddenCells(Frozen):
    at: str
    hidden: bool = True


class _Door(Frozen):
    at: str | grid.Points
    state: grid.DoorState = "closed"
    name: str = ""
    hidden: bool = False


class _Edge(Frozen):
    at: str
    kind: grid.EdgeKind
    hidden: bool = False


class _Line(Frozen):
    line: grid.Points
    kind: grid.EdgeKind = "wall"
    hidden: bool = False


class _Place(Frozen):
    cells: tuple[str, ...]
    hidden: bool = False


class _Picture(Frozen):
    data: str
    width: int
    height: int
    across: float = Field(gt=0, le=1000)
    shift: tuple[int, int] = (0, 0)
    fade: int = Field(default=25, ge=0, le=100)


class _File(Frozen):
    format: Literal[1]
    kind: Literal["referee map"]
    name: str
    size: tuple[_Side, _Side]
    cells: Mapping[str, tuple[str | _HiddenCells, ...]] = {}
    edges: tuple[_Edge, ...] = ()
    doors: tuple[_Door, ...] = ()
    walls: tuple[_Line, ...] = ()
    places: Mapping[str, _Place] = {}
    start: Mapping[str, tuple[str, ...]] = {}
    stand: Mapping[str, tuple[str, ...]] = {}
    notes: Mapping[str, str] = {}
    picture: _Picture | None = None


def require_room(
    board: grid.Board,
    what: str = "That map has",
    *,
    instead: str = "A board has {most} at most.",
    before: grid.Board | None = None,
) -> None:
    """Refuse a board with more on it than one may hold, and more than there was `before`. Raises: Malformed."""
    held = {} if before is None else _counts(before)
    for things, count in _counts(board).items():
        most = _MOST[things]
        if count > max(most, held.get(things, 0)):
            raise Malformed(f"{what} {count:,} {things}.", instead=instead.format(most=f"{most:,}"))


def _counts(board: grid.Board) -> dict[str, int]:
    unseen = board.unseen
    lines = len(board.walls) + len(unseen.walls)
    return {
        _WALLS: len(board.edges) + len(unseen.edges) + lines,
        _LINES: lines,
        _DOORS: len(board.doors) + len(unseen.doors),
        _PLACES: len({*board.texts.values(), *unseen.texts.values()}),
    }


def map_file(name: str, board: grid.Board, picture: bytes = b"") -> str:
    """Write a board as a file, with the picture under it; the same board is always the same text."""
    unseen = board.unseen
    secret = {board.lines[at] for at in unseen.doors if at in board.lines}
    cells: dict[str, list[Any]] = {}
    for word, kind in _CELL_KINDS.items():
        shown, hidden = _rectangles_of(board.terrain, kind), _rectangles_of(unseen.terrain, kind)
        if shown or hidden:
            cells[word] = [*shown, *({"at": each, "hidden": True} for each in hidden)]
    written = {
        "format": FORMAT,
        "kind": KIND,
        "name": name,
        "size": [board.width, board.height],
        "cells": cells,
        "edges": [
            *({"at": at, "kind": kind} for at, kind in sorted(board.edges.items())),
            *({"at": at, "kind": kind, "hidden": True} for at, kind in sorted(unseen.edges.items())),
        ],
        "doors": [
            *_doors(board, board.doors),
            *({**door, "hidden": True} for door in _doors(board, unseen.doors)),
        ],
        "walls": [
            *({"line": list(wall.points), "kind": wall.kind} for wall in board.walls if wall.points not in secret),
            *({"line": list(wall.points), "kind": wall.kind, "hidden": True} for wall in unseen.walls),
        ],
        "places": {
            **_places(board.texts, hidden=False),
            **_places(unseen.texts, hidden=True),
        },
        "start": {side: list(cells) for side, cells in board.starts.items()},
        "stand": {who: list(cells) for who, cells in board.stands.items()},
        "notes": dict(sorted(board.notes.items())),
        "picture": _picture(board.picture, picture) if board.picture is not None and picture else None,
    }
    return json.dumps(written, ensure_ascii=False, indent=1) + "\n"


def _picture(laid: grid.Background, data: bytes) -> dict[str, Any]:
    return {
        "data": base64.b64encode(data).decode(),
        "width": laid.width,
        "height": laid.height,
        "across": round(laid.width * FINE / laid.cell, 6),
        "shift": list(laid.shift),
        "fade": laid.fade,
    }


def file_picture(data: object) -> tuple[str, float, tuple[int, int], int] | None:
    """Return the picture that a file of this kind holds, in base64, and how it lies; None without one."""
    held = data.get("picture") if isinstance(data, dict) else None
    if held is None:
        return None
    read = _Picture.model_validate(held)
    return read.data, read.across, read.shift, read.fade


def _doors(board: grid.Board, doors: Mapping[str, grid.DoorState]) -> Iterator[dict[str, Any]]:
    """Write doors: those on cells and edges by name, then those on lines in the order of their numbers."""
    for at, state in sorted(doors.items(), key=lambda door: (board.lines.get(door[0], ()), door[0])):
        name = {"name": board.names[at]} if at in board.names else {}
        yield {"at": list(board.lines[at]) if at in board.lines else at, "state": state, **name}


def _rectangles_of(laid: Mapping[str, str], wanted: str) -> tuple[str, ...]:
    return rectangles(cell for cell, kind in laid.items() if kind == wanted)


def _places(texts: Mapping[str, str], *, hidden: bool) -> dict[str, Any]:
    found: dict[str, list[str]] = {}
    for cell, text in texts.items():
        found.setdefault(text, []).append(cell)
    return {text: {"cells": list(rectangles(cells)), "hidden": hidden} for text, cells in sorted(found.items())}


def read_map_file(data: object) -> tuple[str, grid.Board]:
    """Return the name and the board of a file that is JSON of this kind. Raises: Malformed with the place in it."""
    try:
        read = _File.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        path = ".".join(map(str, first["loc"]))
        raise Malformed(f"I can't read {path or 'the file'}: {first['msg'][:100]}.", instead=EXPORTED) from None
    if not (1 <= read.size[0] <= MAX_SIDE and 1 <= read.size[1] <= MAX_SIDE):
        raise Malformed(
            f"size is {read.size[0]} × {read.size[1]}; it can be {MAX_SIDE} × {MAX_SIDE} at most.",
            instead="Leave out what lies beyond that.",
        )
    for things, count in ((_LINES, len(read.walls)), (_DOORS, len(read.doors)), (_PLACES, len(read.places))):
        if count > _MOST[things]:  # before any of them is laid
            raise Malformed(f"That map has {count:,} {things}.", instead=f"A board can have {_MOST[things]:,} at most.")
    empty = grid.Board(width=read.size[0], height=read.size[1])
    try:
        board = _board(read, empty)
        require_room(board)
        return read.name[:32], board
    except Malformed:
        raise
    except Refusal as refused:
        raise Malformed(f"I can't read that map: {refused.reason}", instead=refused.instead or EXPORTED) from refused


class _Cells:
    """The cells of a board, as a file names them."""

    def __init__(self, board: grid.Board) -> None:
        self.board = board
        self._named = NamedCells()

    def names(self, at: str) -> tuple[str, ...]:
        """Return the cells that a text names. Raises: Malformed, Illegal if one is off the board."""
        found = names_of(grid.parse_cells(at, self.board))
        self._named.add(len(found))
        return found

    def all(self, cells: Iterable[str]) -> tuple[str, ...]:
        return tuple(name for at in cells for name in self.names(at))


def _board(read: _File, empty: grid.Board) -> grid.Board:
    on = _Cells(empty)
    terrain: dict[bool, dict[str, str]] = {True: {}, False: {}}
    for word, entries in read.cells.items():
        kind = _CELL_KINDS.get(word)
        if kind is None:
            raise Malformed(f"cells.{word[:20]} is not a kind of cell.", instead=", ".join(_CELL_KINDS))
        for entry in entries:
            hidden = isinstance(entry, _HiddenCells) and entry.hidden
            at = entry if isinstance(entry, str) else entry.at
            terrain[hidden].update(dict.fromkeys(on.names(at), kind))
    texts: dict[bool, dict[str, str]] = {True: {}, False: {}}
    for text, place in read.places.items():
        for at in place.cells:
            texts[place.hidden].update(dict.fromkeys(on.names(at), text[:30]))
    for wall in read.walls:
        _require_on(wall.line, empty, "walls")
    placed = tuple(door for door in read.doors if isinstance(door.at, str))
    made = grid.Board(
        width=empty.width,
        height=empty.height,
        terrain=terrain[False],
        texts=texts[False],
        edges={_place(edge.at, empty): edge.kind for edge in read.edges if not edge.hidden},
        doors={_place(combatant.at, empty): combatant.state for combatant in placed if not combatant.hidden},
        walls=tuple(
            grid.Wall(points=combatant.line, kind=combatant.kind) for combatant in read.walls if not combatant.hidden
        ),
        names={_place(each.at, empty): each.name[:30] for each in placed if each.name},
        notes={place[:30]: note[:MOST_NOTE] for place, note in read.notes.items()},
        unseen=grid.Unseen(
            terrain=terrain[True],
            texts=texts[True],
            edges={_place(edge.at, empty): edge.kind for edge in read.edges if edge.hidden},
            doors={_place(combatant.at, empty): combatant.state for combatant in placed if combatant.hidden},
            walls=tuple(
                grid.Wall(points=combatant.line, kind=combatant.kind) for combatant in read.walls if combatant.hidden
            ),
        ),
        starts={side[:32]: on.all(cells) for side, cells in read.start.items()},
        stands={who[:32]: on.all(cells) for who, cells in read.stand.items()},
    )
    for door in read.doors:
        if not isinstance(door.at, str):
            _require_on(door.at, empty, "doors")
            made = with_door(made, door.at, door.state, door.name[:30], hidden=door.hidden)
    return made


def _require_on(line: grid.Points, board: grid.Board, what: str) -> None:
    x, y, to_x, to_y = line
    if min(line) < 0 or max(x, to_x) > board.width * UNIT or max(y, to_y) > board.height * UNIT:
        raise Malformed(
            f"{what}: {str(list(line))[:60]} is outside the map.",
            instead=f"The map ends at {[board.width * UNIT, board.height * UNIT]}, with 64 to a cell.",
        )


def _place(at: str | grid.Points, board: grid.Board) -> str:
    """Return a cell or an edge as the board names it. Raises: Malformed, Illegal if it is off the board."""
    assert isinstance(at, str)  # noqa: S101 - doors on lines are taken out before
    for cell in parse_edge(at) if is_edge(at) else (parse_cell(at),):
        grid.on_board(cell, board)
    return at.strip().upper()


def read_json(text: str) -> object:
    """Return JSON, without numbers that are none and within a depth. Raises: Malformed."""

    def refuse(number: str) -> object:
        raise Malformed(f"{number[:20]} in it is not a number that I can use.", instead=EXPORT_ANEW)

    if text.count("[") + text.count("{") > 2 * MOST_POINTS:  # counted in no time, read in seconds
        raise refusals.too_many_points(MOST_POINTS)
    try:
        data = json.loads(text, parse_constant=refuse)
    except RecursionError:
        raise Malformed("It is nested too deeply.", instead=EXPORT_ANEW) from None
    except ValueError:
        size = len(text.encode(errors="replace"))
        raise Malformed(
            f"It stops in the middle, or is not JSON: I got {size // 1024} KB.", instead="Was the file cut off?"
        ) from None
    if "\\ud" in text or "\\uD" in text:  # an escape may be half a character, which nothing can write
        try:
            json.dumps(data, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise Malformed("It contains half a character.", instead="Export it again, as UTF-8.") from None
    return data
