"""Areas on the board: which cells a burst, a disc, a cone, a line or a square covers, and who is in it. Rule: G-06.

Exact, over the centres of cells: *v* is what leads from the origin to a cell, *d* from the origin to the aim.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from rules.core import refusals
from rules.core.encounter import Encounter
from rules.core.rulebook import rulebook
from rules.core.space.board import Board, on_board
from rules.core.space.cells import MAX_SIDE, Cell, Metric, cell_name, covered, distance, find_cell, parse_cell
from rules.core.space.sight import seen_from
from rules.core.typed.input import folded
from rules.core.typed.names import find_name, resolve_name
from rules.core.typed.skeleton import skeleton
from rules.core.values import Combatant
from rules.errors import Illegal, Malformed

SHAPES = ("burst", "disc", "cone", "line", "square")
EXAMPLES = "burst 2 at E5, disc 3 at E5, cone 4 at C4 toward H4, line 6 3 at C4 toward H8 or square 3 at C4"
_WIDTHS = (1, 3, 5)
_WIDE = "wide"
_BEGINS = re.compile(  # white space is folded before it is read
    rf"(?P<shape>{'|'.join(SHAPES)}) (?P<size>[0-9]{{1,2}})(?: (?P<width>[0-9]))?(?: (?P<wide>{_WIDE}))? at ",
    re.IGNORECASE,
)
_CORNER = re.compile(r"\s*([A-Za-z]{1,2}[0-9]{1,3})\.\s*")


class AreaOf(NamedTuple):
    """An area as it lies on a board: what it is called, the cell it is seen from, and its cells."""

    words: str
    origin: Cell
    cells: frozenset[Cell]

    def holds(self, combatant: Combatant) -> bool:
        """Tell whether somebody is in it with one cell at least."""
        if combatant.cell is None:
            return False
        return not self.cells.isdisjoint(covered(parse_cell(combatant.cell), combatant.size))


class _Written(NamedTuple):
    shape: str
    size: int
    width: str | None
    wide: bool
    at: str
    toward: str | None
    through: bool


def _read(text: str) -> _Written | None:
    """Return the parts of a text that means an area, None if it means none."""
    line = folded(text)
    begins = _BEGINS.match(line)
    if begins is None:
        return None
    words = line[begins.end() :].split(" ")
    plain = [word.casefold() for word in words]
    last = len(words) - 1 if plain[-1] == "through" and len(words) > 1 else len(words)
    turn = plain.index("toward", 1, last - 1) if "toward" in plain[1 : last - 1] else last
    return _Written(
        shape=begins["shape"].casefold(),
        size=int(begins["size"]),
        width=begins["width"],
        wide=begins["wide"] is not None,
        at=" ".join(words[:turn]),
        toward=" ".join(words[turn + 1 : last]) or None,
        through=last < len(words),
    )


def is_area(text: str) -> bool:
    """Tell whether a text means an area: `burst 2 at E5`."""
    return _read(text) is not None


def area_of(state: Encounter, text: str, visible: Iterable[str]) -> AreaOf:
    """Return the area that a text means; names in it are of those who are visible. Raises: Malformed, Illegal."""
    board = state.board
    if board is None:
        raise refusals.no_board()
    read = _read(text)
    if read is None:
        raise Malformed(f"{text.strip()[:40] or '(nothing)'} is not an area.", instead=f"Write {EXAMPLES}.")
    shape, size, width = read.shape, read.size, int(read.width or 1)
    if not 1 <= size <= MAX_SIDE:
        raise Malformed(f"An area can be 1 to {MAX_SIDE} cells each way.", instead=f"Write {EXAMPLES}.")
    if width not in _WIDTHS or (read.width and shape != "line"):
        raise Malformed("A line can be 1, 3 or 5 wide; other areas have no width.", instead=f"Write {EXAMPLES}.")
    if read.wide and shape != "cone":
        raise Malformed("Only a cone can be wide.", instead=f"Write {EXAMPLES}.")
    names = tuple(visible)
    if shape == "square":
        cells = _square(board, _top_left(board, read.at, size), size)
        origin = min(cells, key=_row)
    else:
        aim = None if read.toward is None else _cells(state, board, read.toward, names)[0]
        origin = _origin(_cells(state, board, read.at, names), aim)
        cells = _shaped(rulebook(state).metric, board, shape, size, origin, aim, width, wide=read.wide)
    if not read.through and state.options.get("sight") != "off":
        cells &= seen_from(board, origin)
    return AreaOf(folded(text), origin, cells)


def within_area(state: Encounter, text: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """Return the candidates in an area. Raises: Malformed, Illegal if there are none."""
    names = tuple(candidates)
    area = area_of(state, text, names)
    found = tuple(name for name in names if (combatant := state.find(name)) is not None and area.holds(combatant))
    if not found:
        raise Illegal(f"Nobody is in {area.words}.", rule="G-06", instead="/board area shows its cells.")
    return found


def _cells(state: Encounter, board: Board, text: str, names: tuple[str, ...]) -> tuple[Cell, ...]:
    """Return the cells that a text means: one, a place's, or a token's."""
    cell = find_cell(text)
    if cell is not None:
        return (on_board(cell, board),)
    wanted = skeleton(text.strip())
    place = tuple(sorted((parse_cell(at) for at, name in board.texts.items() if skeleton(name) == wanted), key=_row))
    if place and find_name(text, names) is None:
        return place
    who = state.combatant(resolve_name(text, names, "cell, place or combatant"))
    if who.name in state.out_of_sight:
        raise refusals.out_of_sight(who.name)
    if who.cell is None:
        raise refusals.off_board(who.name, instead="Name a cell, such as C4.")
    return tuple(covered(parse_cell(who.cell), who.size))


def _row(cell: Cell) -> Cell:
    return cell[1], cell[0]


def _origin(cells: tuple[Cell, ...], aim: Cell | None) -> Cell:
    """Return the origin: of several cells the nearest to the aim."""
    if aim is None:
        return cells[0]
    return min(cells, key=lambda cell: ((cell[0] - aim[0]) ** 2 + (cell[1] - aim[1]) ** 2, cell[1], cell[0]))


def _top_left(board: Board, text: str, size: int) -> Cell:
    """Return a square's top left cell, which may lie off the board; a corner such as `C4.` is an even one's middle."""
    corner = _CORNER.fullmatch(text)
    if corner is None:
        return on_board(parse_cell(text), board)
    if size % 2:
        raise Malformed(
            f"A square of {size} has a cell in its middle, not a corner.", instead=f"square {size} at {corner[1]}."
        )
    column, row = parse_cell(corner[1])
    on_board((max(0, column - 1), max(0, row - 1)), board)  # a corner on the far border may be named
    return column - size // 2, row - size // 2


def _square(board: Board, origin: Cell, size: int) -> frozenset[Cell]:
    return frozenset(cell for cell in covered(origin, size) if board.holds(cell))


def _shaped(
    metric: Metric, board: Board, shape: str, size: int, origin: Cell, aim: Cell | None, width: int, *, wide: bool
) -> frozenset[Cell]:
    column, row = origin
    if shape == "burst":
        return _within(board, origin, size, lambda cell: distance(metric, origin, cell) <= size)
    if shape == "disc":
        most = (2 * size + 1) ** 2
        return _within(board, origin, size, lambda cell: 4 * ((cell[0] - column) ** 2 + (cell[1] - row) ** 2) <= most)
    if aim is None or aim == origin:
        raise Malformed(f"A {shape} has to point toward another cell.", instead=f"{shape} {size} at C4 toward H4.")
    across, down = aim[0] - column, aim[1] - row
    length = across * across + down * down

    def is_in(cell: Cell) -> bool:
        x, y = cell[0] - column, cell[1] - row
        along, aside = x * across + y * down, x * down - y * across
        if not 0 < distance(metric, origin, cell) <= size or along <= 0:
            return False
        if shape == "cone":
            return (1 if wide else 2) * abs(aside) <= along
        return 4 * aside * aside <= width * width * length

    return _within(board, origin, size, is_in)


def _within(board: Board, origin: Cell, size: int, fits: Callable[[Cell], bool]) -> frozenset[Cell]:
    column, row = origin
    return frozenset(
        (x, y)
        for y in range(max(0, row - size), min(board.height, row + size + 1))
        for x in range(max(0, column - size), min(board.width, column + size + 1))
        if fits((x, y))
    )


def names_of_area(area: AreaOf) -> frozenset[str]:
    return frozenset(cell_name(*cell) for cell in area.cells)
