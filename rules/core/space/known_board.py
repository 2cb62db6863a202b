"""A board cut to the cells that somebody has seen; the rest is gone from it (maps 8). Rule: G-06."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from rules.core.model import per_state
from rules.core.space.board import UNKNOWN, Board, Points, Unseen, Wall
from rules.core.space.cells import UNIT, Cell, find_cell, is_edge, names_of, parse_edge
from rules.core.space.line_doors import cut

Span = tuple[Fraction, Fraction]  # a part of a line, from 0 to 1


def bits_of(board: Board, cells: Iterable[Cell]) -> str:
    """Write cells as hex digits: a bit for each cell of the board, row by row."""
    bits = 0
    for column, row in cells:
        bits |= 1 << row * board.width + column
    return f"{bits:x}"


def cells_of_bits(board: Board, bits: str) -> frozenset[Cell]:
    """Read what `bits_of` has written."""
    number = int(bits, 16)
    return frozenset(
        (place % board.width, place // board.width)
        for place in range(board.width * board.height)
        if number >> place & 1
    )


@per_state
def cut_to(board: Board, known: frozenset[Cell], now: frozenset[Cell]) -> Board:
    """Return what is known of a board: the cells of `known` with what touches them, and all others as unknown.

    Those that are not seen `now` are remembered.
    """
    every = frozenset((column, row) for row in range(board.height) for column in range(board.width))
    seen = frozenset(names_of(known))
    hidden_doors = {place for place in board.doors if not _touches(board, place, known, seen)}
    lines = {place: line for place, line in board.lines.items() if place in board.doors and place not in hidden_doors}
    return board.evolve(
        terrain={
            **{cell: kind for cell, kind in board.terrain.items() if cell in seen},
            **dict.fromkeys(names_of(sorted(every - known, key=lambda cell: (cell[1], cell[0]))), UNKNOWN),
        },
        texts={cell: text for cell, text in board.texts.items() if cell in seen},
        edges={edge: kind for edge, kind in board.edges.items() if not seen.isdisjoint(edge.split("/"))},
        doors={place: state for place, state in board.doors.items() if place not in hidden_doors},
        walls=tuple(piece for wall in board.walls for piece in _seen_pieces(wall, known)),
        names={place: name for place, name in board.names.items() if place in board.doors.keys() - hidden_doors},
        lines=lines,
        next_door=1,
        notes={},
        unseen=Unseen(),
        stands={},
        starts={},
        remembered=names_of(sorted(known - now, key=lambda cell: (cell[1], cell[0]))),
    )


def _touches(board: Board, place: str, known: frozenset[Cell], seen: frozenset[str]) -> bool:
    if place in board.lines:
        return any(cell in known for cell in cells_along(board.lines[place]))
    if is_edge(place):
        return any(cell in known for cell in parse_edge(place))
    return place in seen


def cells_along(points: Points) -> Iterator[Cell]:
    """Return the cells that a line touches."""
    x, y, to_x, to_y = points
    for row in range((min(y, to_y) - 1) // UNIT, max(y, to_y) // UNIT + 1):
        for column in range((min(x, to_x) - 1) // UNIT, max(x, to_x) // UNIT + 1):
            if _span_in(points, (column, row)) is not None:
                yield column, row


def _seen_pieces(wall: Wall, known: frozenset[Cell]) -> Iterator[Wall]:
    """Return the parts of a wall that touch known cells; the wall itself if all of it does."""
    along = [cell for cell in cells_along(wall.points) if min(cell) >= 0]
    spans = [span for cell in along if cell in known if (span := _span_in(wall.points, cell)) is not None]
    joined: list[Span] = []
    for first, last in sorted(spans):
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    x, y, to_x, to_y = wall.points
    for first, last in joined:
        if not first and last == 1:
            yield wall
        elif first < last:
            ends = [
                int(begin + share * (end - begin) + Fraction(1, 2))
                for share in (first, last)
                for begin, end in ((x, to_x), (y, to_y))
            ]
            yield Wall(points=(ends[0], ends[1], ends[2], ends[3]), kind=wall.kind)


def _span_in(points: Points, cell: Cell) -> Span | None:
    """Return the part of a line that lies in a cell, its sides included; None if it does not touch it."""
    x, y, to_x, to_y = points
    first, last = Fraction(0), Fraction(1)
    for begin, end, low in ((x, to_x, cell[0] * UNIT), (y, to_y, cell[1] * UNIT)):
        high, length = low + UNIT, end - begin
        if not length:
            if not low <= begin <= high:
                return None
            continue
        one, other = Fraction(low - begin, length), Fraction(high - begin, length)
        first, last = max(first, min(one, other)), min(last, max(one, other))
        if first > last:
            return None
    return first, last


# What is remembered otherwise than it is now


# Of a cell or an edge: its kind, its name, the state of its door; empty if there is none. Of a door on a line its
# line in place of a kind; after a door's state comes its name. A piece of a wall at an angle is called by its line, and
# has a kind alone.
Laid = tuple[str, str, str]


def changed_places(before: Board, after: Board) -> dict[str, Laid]:
    """Return the cells, edges, doors and pieces of walls that changed, each as it was before."""
    places = {
        *_differences(before.terrain, after.terrain),
        *_differences(before.texts, after.texts),
        *_differences(before.edges, after.edges),
        *_differences(_called(before), _called(after)),
    }
    found = {place: laid_at(before, place) for place in sorted(places)}
    was, now = dict.fromkeys(before.walls), dict.fromkeys(after.walls)
    found.update((_written(piece), ("", "", "")) for wall in now if wall not in was for piece in _pieces(wall, after))
    found.update(
        (_written(piece), (wall.kind, "", "")) for wall in was if wall not in now for piece in _pieces(wall, before)
    )
    return found


def _differences(before: Mapping[str, str], after: Mapping[str, str]) -> set[str]:
    return {place for place in before.keys() | after.keys() if before.get(place) != after.get(place)}


def _called(board: Board) -> dict[str, str]:
    """Return the states of doors, each with its name."""
    return {place: f"{state} {board.names.get(place, '')}".strip() for place, state in board.doors.items()}


def laid_at(board: Board, place: str) -> Laid:
    door = _called(board).get(place, "")
    if is_edge(place):
        return board.edges.get(place, ""), "", door
    if find_cell(place) is None:
        return _written(board.lines[place]) if place in board.lines else "", "", door
    return board.terrain.get(place, ""), board.texts.get(place, ""), door


def _pieces(wall: Wall, board: Board) -> Iterator[Points]:
    """Return a wall cell by cell: some of it may be seen, and the rest remembered."""
    for cell in cells_along(wall.points):
        for piece in _seen_pieces(wall, frozenset((cell,))) if board.holds(cell) else ():
            yield piece.points


def _written(points: Points) -> str:
    return ",".join(map(str, points))


def _line_of(text: str) -> Points | None:
    """Return the line that a place is called by, None of a place that is none."""
    if text.count(",") != 3:
        return None
    x, y, to_x, to_y = map(int, text.split(","))
    return x, y, to_x, to_y


def cells_of_place(board: Board, place: str, laid: Laid) -> tuple[Cell, ...]:
    """Return the cells in which a place that is remembered, or the middle of its line, lies; none if it is gone."""
    line = _line_of(place) or _line_of(laid[0])
    if line is not None:
        return board.evolve(lines={place: line}).door_cells(place)
    return board.door_cells(place) if is_edge(place) or find_cell(place) or place in board.lines else ()


def changed_cells(before: Board, after: Board) -> frozenset[Cell]:
    """Return the cells in which two boards of one size differ, what only the GM knows included."""
    was, now = before.whole, after.whole
    found = changed_places(was, now).items()
    return frozenset(cell for place, laid in found for cell in cells_of_place(was if laid[2] else now, place, laid))


def with_memory(board: Board, memory: Mapping[str, Laid]) -> Board:
    """Return the board with some places as they were."""
    if not memory:
        return board
    terrain, texts, lines = dict(board.terrain), dict(board.texts), dict(board.lines)
    edges, names = dict[str, str](board.edges), dict(board.names)
    doors: dict[str, str] = dict(board.doors)
    pieces: dict[Points, str] = {}
    for place, (kind, text, called) in memory.items():
        line = _line_of(place)
        if line is not None:
            pieces[line] = kind
            continue
        door, _, name = called.partition(" ")
        laid: tuple[tuple[dict[str, Any], Any], ...] = ((doors, door), (names, name))
        if is_edge(place):
            laid = (*laid, (edges, kind))
        elif find_cell(place) is not None:
            laid = (*laid, (terrain, kind), (texts, text))
        else:
            laid = (*laid, (lines, _line_of(kind) or (door and board.lines.get(place))))
        for held, value in laid:
            held.pop(place, None)
            if value:
                held[place] = value
    doors = {place: door for place, door in doors.items() if is_edge(place) or find_cell(place) or place in lines}
    walls = board.walls
    for line in pieces:
        walls = tuple(left for wall in walls for left in cut(wall, line))
    walls = (*walls, *(Wall.model_validate({"points": line, "kind": kind}) for line, kind in pieces.items() if kind))
    return board.evolve(terrain=terrain, edges=edges, texts=texts, doors=doors, names=names, lines=lines, walls=walls)
