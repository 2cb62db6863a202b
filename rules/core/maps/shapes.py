"""Shapes that are drawn on a board: which cells, edges and lines they mean (maps 2.3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rules.core.space.board import Board, listed, on_board, parse_cells
from rules.core.space.cells import UNIT, Cell, cell_name, edge_name, find_cell, parse_cell, parse_edge
from rules.errors import Malformed

_SIDES = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
_CORNER = re.compile(r"\s*([A-Za-z]{1,2}[0-9]{1,3})\.\s*")
_ROW_OF_EDGES = re.compile(r"([^/]+)/\s*([NESWnesw])\s*")
Points = tuple[int, int, int, int]


def rect_cells(board: Board, start: str, to: str | None) -> tuple[Cell, ...]:
    """Return the cells between two opposite ones, or a list of cells and rectangles. Raises: Malformed, Illegal."""
    return tuple(dict.fromkeys(cell for part in rectangles_of(board, start, to) for cell in part))


def rectangles_of(board: Board, start: str, to: str | None) -> tuple[tuple[Cell, ...], ...]:
    """Return the cells of each rectangle: between two opposite cells, or of a list. Raises: Malformed, Illegal."""
    parts = listed(start)
    if not to:
        return tuple(parse_cells(part, board) for part in parts) or (parse_cells(start, board),)
    if len(parts) > 1 or ":" in start:
        raise Malformed("A list already says where it ends.", instead="For example from:B2:D3, F5:G6 without to.")
    return (parse_cells(f"{start}:{to}", board),)


def line_cells(board: Board, start: str, to: str) -> tuple[Cell, ...]:
    """Return the cells from one to another, each nearest to the straight line; at ties the one nearer to the start.

    >>> line_cells(Board(width=5, height=5), "A1", "C2")
    ((0, 0), (1, 0), (2, 1))
    """
    one, other = on_board(parse_cell(start), board), on_board(parse_cell(to), board)
    across, down = other[0] - one[0], other[1] - one[1]
    count = max(abs(across), abs(down), 1)

    def at(length: int, number: int) -> int:
        part = (2 * abs(length) * number + count - 1) // (2 * count)
        return part if length > 0 else -part

    found = ((one[0] + at(across, number), one[1] + at(down, number)) for number in range(count + 1))
    return tuple(dict.fromkeys(found))


def disc_cells(board: Board, centre: str, rim: str, *, ring: bool = False) -> tuple[Cell, ...]:
    """Return the cells of a disc by its centre and a cell on its rim; a ring is it without the next smaller disc."""
    one, other = on_board(parse_cell(centre), board), parse_cell(rim)
    radius = max(abs(other[0] - one[0]), abs(other[1] - one[1]))
    most, least = (2 * radius + 1) ** 2, (2 * radius - 1) ** 2 if ring and radius else -1
    return tuple(
        (column, row)
        for row in range(board.height)
        for column in range(board.width)
        if least < 4 * ((column - one[0]) ** 2 + (row - one[1]) ** 2) <= most
    )


def corner(board: Board, text: str) -> tuple[int, int]:
    """Return a corner in 1/64 cells: `C4.` is the top left one of C4; those on the far border may be named."""
    match = _CORNER.fullmatch(text)
    cell = None if match is None else find_cell(match[1])
    if cell is None or cell[0] > board.width or cell[1] > board.height:
        last = cell_name(board.width, board.height)
        words = f"C4. is the top left corner of C4; the last corner is {last}."
        raise Malformed(f"{text.strip()[:20] or '(nothing)'} is not a corner.", instead=words)
    return cell[0] * UNIT, cell[1] * UNIT


def wall_points(board: Board, start: str, to: str) -> Points:
    """Return a wall from a corner to another. Raises: Malformed."""
    points = (*corner(board, start), *corner(board, to))
    if points[:2] == points[2:]:
        raise Malformed("A wall goes from one corner to another.", instead="For example from:C4. to:F6.")
    return points


def edges_in(board: Board, text: str) -> tuple[str, ...]:
    """Return the edges that are named: `C4/D4`, or `C4:C9/E` for the east sides of cells. Raises: Malformed."""
    found: dict[str, None] = {}
    for part in (piece for piece in re.split(r"[,;\s]+", text.strip()) if piece):
        row = _ROW_OF_EDGES.fullmatch(part)
        if row is None:
            one, other = parse_edge(part)
            found[edge_name(on_board(one, board), on_board(other, board))] = None
            continue
        across, down = _SIDES[row[2].upper()]
        for column, line in parse_cells(row[1], board):
            beside = (column + across, line + down)
            if board.holds(beside):
                found[edge_name((column, line), beside)] = None
    if not found:
        raise Malformed(
            "Say which edges with the option from.", instead="C4/D4, or C4:C9/E for the east sides of a column."
        )
    return tuple(found)


def outer_edges(board: Board, cells: Iterable[Cell]) -> Iterator[str]:
    """Return the edges between some cells and the others on the board."""
    within = set(cells)
    for column, row in within:
        for across, down in _SIDES.values():
            beside = (column + across, row + down)
            if beside not in within and board.holds(beside):
                yield edge_name((column, row), beside)
