"""A board cut to the cells that somebody has seen: nothing else is left of it (maps, chapter 8). Rule: G-06."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from rules.core.model import per_state
from rules.core.space.board import (
    UNIT,
    UNKNOWN,
    Board,
    Cell,
    Points,
    Unseen,
    Wall,
    find_cell,
    is_edge,
    names_of,
    parse_edge,
)

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
    """Return the parts of a wall that touch known cells; the wall itself where all of it does."""
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
    """Return the part of a line that lies in a cell, its sides included; None where it does not touch it."""
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


Laid = tuple[
    str, str, str
]  # of a cell or an edge: its kind, its name, the state of its door; empty where there is none


def changed_places(before: Board, after: Board) -> dict[str, Laid]:
    """Return the cells, edges and doors that changed, each as it was before."""
    places = {
        *_differences(before.terrain, after.terrain),
        *_differences(before.texts, after.texts),
        *_differences(before.edges, after.edges),
        *_differences(before.doors, after.doors),
    }
    return {
        place: laid_at(before, place) for place in sorted(places) if place not in before.lines or place in after.lines
    }


def _differences(before: Mapping[str, str], after: Mapping[str, str]) -> set[str]:
    return {place for place in before.keys() | after.keys() if before.get(place) != after.get(place)}


def laid_at(board: Board, place: str) -> Laid:
    kinds = board.edges if is_edge(place) else board.terrain
    return kinds.get(place, ""), board.texts.get(place, ""), board.doors.get(place, "")


def is_gone(board: Board, place: str) -> bool:
    """Tell whether a place was a door's on a line that is no more."""
    return not is_edge(place) and place not in board.lines and find_cell(place) is None


def with_memory(board: Board, memory: Mapping[str, Laid]) -> Board:
    """Return the board with some places as they were."""
    terrain, texts = dict(board.terrain), dict(board.texts)
    edges: dict[str, str] = dict(board.edges)
    doors: dict[str, str] = dict(board.doors)
    for place, (kind, text, door) in memory.items():
        if is_gone(board, place):
            continue  # a door on a line is gone with its line
        for held, value in ((edges if is_edge(place) else terrain, kind), (texts, text), (doors, door)):
            held.pop(place, None)
            if value:
                held[place] = value
    return board.evolve(terrain=terrain, edges=edges, texts=texts, doors=doors)
