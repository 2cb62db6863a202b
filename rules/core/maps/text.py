"""Maps as text: a character for a cell, or with the edges between them; then a legend (maps 2.1).

Reading is forgiving about what phones make of typed signs, and guesses nothing beyond that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rules.core.maps.file import require_room
from rules.core.maps.reading import part_of
from rules.core.space import board as boards
from rules.core.space.cells import Cell, cell_name, edge_name, is_edge, parse_cell
from rules.core.typed.skeleton import same
from rules.errors import Malformed

MOST_TEXT = 64 * 1024
MOST_NAME = 30
EDGES = "edges"
_UNKNOWN = "?"
_KINDS: Mapping[str, str] = {
    ".": boards.OPEN,
    "#": boards.BLOCKED,
    "_": boards.VOID,
    " ": boards.VOID,
    "~": boards.DIFFICULT,
    "^": boards.HAZARD,
    "%": boards.LOW,
    "=": boards.WINDOW,
}
_DOORS: Mapping[str, boards.DoorState] = {
    "+": boards.CLOSED_DOOR,
    "/": boards.OPEN_DOOR,
    "'": boards.OPEN_DOOR,
    "!": boards.LOCKED_DOOR,
}
_EDGE_KINDS: Mapping[str, boards.EdgeKind] = {"-": "wall", "|": "wall", "=": "window", "%": "low", ":": "curtain"}
_EDGE_DOORS: Mapping[str, boards.DoorState] = {"+": boards.CLOSED_DOOR, "/": boards.OPEN_DOOR, "!": boards.LOCKED_DOOR}
_KNOWN = ". # ~ ^ % + / ! ? = _ letters and digits"
_KNOWN_EDGES = "- | + / ! ? = % : and blanks"
_TYPED = str.maketrans(
    {"—": "--", "–": "-", "…": "...", "‘": "'", "’": "'", "“": '"', "”": '"', "\t": "    ", "\u00a0": " "}
)
_LEGEND = re.compile(r"\s*(\S) = (.*)")
_START = re.compile(r"start\s+(\S.*)", re.IGNORECASE)


@dataclass
class _Draft:
    """What has been read so far. `signs` are the cells of each letter, digit and sign, in reading order."""

    width: int
    height: int
    terrain: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    doors: dict[str, boards.DoorState] = field(default_factory=dict)
    edges: dict[str, boards.EdgeKind] = field(default_factory=dict)
    signs: dict[str, list[str]] = field(default_factory=dict)
    hidden: dict[str, dict[str, str]] = field(default_factory=lambda: {"terrain": {}, "texts": {}, "doors": {}})
    stands: dict[str, tuple[str, ...]] = field(default_factory=dict)
    starts: dict[str, tuple[str, ...]] = field(default_factory=dict)


def parse_map(text: str, here: Iterable[str] = (), part: str | None = None) -> boards.Board:
    """Read a text map, or a part of one. `here` are combatants, those to come as well, whose places the legend may say.

    Raises: Malformed with line and column.
    """
    size = len(text.encode())
    if size > MOST_TEXT:
        raise Malformed(
            f"That map is {-(-size // 1024)} KB; it can be {MOST_TEXT // 1024} KB at most.",
            instead="64 × 64 cells with edges take 17 KB.",
        )
    grid, legend, first = _parted(text)
    with_edges = bool(grid) and grid[0].strip().casefold() == EDGES
    if with_edges:
        grid, first = grid[1:], first + 1
        grid += [""] * (1 - len(grid) % 2)  # blanks at the end are not pasted along
    if not grid:
        raise Malformed(
            "There is no map in that.", instead="Write lines of . and #; then an empty line, and A = Altar."
        )
    height = len(grid) // 2 if with_edges else len(grid)
    widest = max(len(line) for line in grid)
    width = widest // 2 if with_edges else widest
    if not height or not width:
        raise Malformed(
            "A map with edges has 2 × rows + 1 lines.", instead="The first and the last line are edges, too."
        )
    (left, top), width, height = part_of(width, height, part)
    step = 2 if with_edges else 1
    if part is not None:
        every = set("".join(grid))
        rows = grid[step * top : step * (top + height) + step - 1]
        grid = [line[step * left : step * (left + width) + step - 1] for line in rows]
        first += step * top
        gone = every - set("".join(grid))
        legend = [(number, line) for number, line in legend if line.strip()[0] not in gone]
    draft = _Draft(width, height)
    for number, line in enumerate(grid):
        for at, sign in enumerate(line.ljust(2 * width + 1 if with_edges else width)):
            where = (first + number, step * left + at + 1)
            if not with_edges:
                _read_cell(draft, sign, (at, number), where)
            elif number % 2 and at % 2:
                _read_cell(draft, sign, (at // 2, number // 2), where)
            elif number % 2 or at % 2:
                _read_edge(draft, sign, at, number, where)
    _read_legend(draft, legend, tuple(here))
    board = boards.Board(
        width=width,
        height=height,
        terrain=draft.terrain,
        texts=draft.texts,
        edges=draft.edges,
        doors=draft.doors,
        unseen=boards.Unseen.model_validate(draft.hidden),
        stands=draft.stands,
        starts=draft.starts,
    )
    require_room(board)
    return board


def _parted(text: str) -> tuple[list[str], list[tuple[int, str]], int]:
    """Return the lines of the grid, those of the legend with their numbers, and the number of the first line."""
    lines = [line.rstrip("\r") for line in text.translate(_TYPED).split("\n")]
    numbered = [(number, line) for number, line in enumerate(lines, 1) if not line.strip().startswith("```")]
    while numbered and not numbered[0][1].strip():
        del numbered[0]
    while numbered and not numbered[-1][1].strip():
        del numbered[-1]
    begin = len(numbered)
    for at in range(len(numbered) - 1):
        if not numbered[at][1].strip() and _LEGEND.fullmatch(numbered[at + 1][1]):
            begin = at
    grid = numbered[:begin]
    while grid and not grid[-1][1].strip():
        del grid[-1]
    legend = [(number, line) for number, line in numbered[begin:] if line.strip()]
    return [line.rstrip() for _, line in grid], legend, grid[0][0] if grid else 1


def _read_cell(draft: _Draft, sign: str, cell: Cell, where: tuple[int, int]) -> None:
    name = cell_name(*cell)
    if sign in _DOORS:
        draft.doors[name] = _DOORS[sign]
    elif sign == _UNKNOWN:
        draft.terrain[name] = boards.BLOCKED
        draft.hidden["doors"][name] = boards.CLOSED_DOOR
    elif sign in _KINDS:
        if _KINDS[sign] != boards.OPEN:
            draft.terrain[name] = _KINDS[sign]
    elif not (sign.isascii() and sign.isalnum()):
        raise Malformed(
            f"That is not a map: line {where[0]}, column {where[1]} has {sign}.", instead=f"I know {_KNOWN}."
        )
    draft.signs.setdefault(sign, []).append(name)


def _read_edge(draft: _Draft, sign: str, at: int, line: int, where: tuple[int, int]) -> None:
    """Read what is between two cells. What lies on the border of the board is left out: it bars the way anyway."""
    if sign in " .":
        return
    if sign not in _EDGE_KINDS and sign not in _EDGE_DOORS and sign != _UNKNOWN:
        raise Malformed(
            f"That is not an edge: line {where[0]}, column {where[1]} has {sign}.", instead=f"I know {_KNOWN_EDGES}."
        )
    one = (at // 2, line // 2 - 1) if at % 2 else (at // 2 - 1, line // 2)
    other = (at // 2, line // 2)
    if min(one) < 0 or other[0] >= draft.width or other[1] >= draft.height:
        return
    name = edge_name(one, other)
    if sign in _EDGE_DOORS:
        draft.doors[name] = _EDGE_DOORS[sign]
    elif sign == _UNKNOWN:
        draft.edges[name] = "wall"
        draft.hidden["doors"][name] = boards.CLOSED_DOOR
    else:
        draft.edges[name] = _EDGE_KINDS[sign]


# The legend


def _read_legend(draft: _Draft, legend: Sequence[tuple[int, str]], here: tuple[str, ...]) -> None:
    named: set[str] = set()
    for number, line in legend:
        match = _LEGEND.fullmatch(line)
        if match is None:
            raise Malformed(
                f"Line {number} is not a line of a legend: {line.strip()[:30]}",
                instead="Write A = Altar, or w = water, difficult",
            )
        sign, words = match[1], match[2]
        if sign not in draft.signs:
            raise Malformed(
                f"Line {number} of the legend names {sign}, which is not on the map.",
                instead=f"Draw {sign} on it, or leave the line out.",
            )
        named.add(sign)
        _name(draft, number, sign, [part.strip() for part in words.split(",")], here)
    for sign, cells in draft.signs.items():
        if sign.isalnum() and sign not in named:
            draft.texts.update(dict.fromkeys(cells, sign))


def _name(draft: _Draft, number: int, sign: str, parts: list[str], here: tuple[str, ...]) -> None:
    cells = draft.signs[sign]
    name, given = (
        " ".join(parts[0].split()),
        [boards.OTHER_WORDS.get(part.casefold(), part.casefold()) for part in parts[1:] if part],
    )
    if len(name) > MOST_NAME:
        raise Malformed(
            f"Line {number}: a name can have {MOST_NAME} characters at most; this one has {len(name)}.",
            instead="Shorten it.",
        )
    hidden = "hidden" in given
    kinds = [part for part in given if part != "hidden"]
    possible = [kind for kind in boards.KINDS if kind not in (boards.NAMED, boards.OPEN)]
    wrong = [kind for kind in kinds if kind not in possible]
    if wrong or len(kinds) > 1:
        raise Malformed(
            f"Line {number}: {(wrong or kinds)[0][:30]} is not a kind of cell.",
            instead=f"{', '.join(possible)}, hidden.",
        )
    if kinds and not sign.isalnum():
        raise Malformed(
            f"Line {number}: {sign} has a fixed meaning; it can get another name, but not another kind.",
            instead="A letter or a digit can be any kind.",
        )
    for kind in kinds:
        place = draft.hidden if hidden else None
        for cell in cells:
            if kind == "door":
                (draft.doors if place is None else draft.hidden["doors"])[cell] = boards.CLOSED_DOOR
            else:
                (draft.terrain if place is None else draft.hidden["terrain"])[cell] = kind
    if hidden and not sign.isalnum():  # a sign that means something: what it means is hidden, too
        for cell in cells:
            if cell in draft.doors:
                draft.hidden["doors"][cell] = draft.doors.pop(cell)
                draft.terrain[cell] = boards.BLOCKED
            elif draft.terrain.get(cell) in (boards.DIFFICULT, boards.HAZARD, boards.LOW):
                draft.hidden["terrain"][cell] = draft.terrain.pop(cell)
    if hidden and kinds == ["door"]:
        draft.terrain.update(dict.fromkeys(cells, boards.BLOCKED))
    start = _START.fullmatch(name)
    if start is not None:
        _add_cells(draft.starts, start[1], cells)
    elif any(is_called(each, name) for each in here):
        _add_cells(draft.stands, name, cells)
    elif name:
        (draft.hidden["texts"] if hidden else draft.texts).update(dict.fromkeys(cells, name))


def _add_cells(held: dict[str, tuple[str, ...]], name: str, cells: Sequence[str]) -> None:
    """Add cells to those of a name, in reading order: two letters may bear the same one."""
    known = next((each for each in held if same(each, name)), name)
    held[known] = tuple(sorted((*held.get(known, ()), *cells), key=_order))


def is_called(who: str, name: str) -> bool:
    """Tell whether a combatant bears a name, or that name and a number."""
    head, _, last = who.rpartition(" ")
    return same(who, name) or (last.isdecimal() and same(head, name))


# As text again


def map_text(board: boards.Board) -> str:
    """Return a board as a text that `parse_map` reads; walls at an angle have no place in it."""
    with_edges = bool(board.edges) or any(is_edge(place) for place in (*board.doors, *board.unseen.doors))
    signs = _Signs(board)
    rows = [[signs.of(cell_name(column, row)) for column in range(board.width)] for row in range(board.height)]
    lines = list(_edged(board, rows)) if with_edges else ["".join(row) for row in rows]
    head = [EDGES] if with_edges else []
    return "\n".join((*head, *lines, *([""] if signs.legend else []), *signs.legend))


class _Signs:
    """The sign of each cell, and the legend that explains letters."""

    _LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    def __init__(self, board: boards.Board) -> None:
        self.board = board
        self._of: dict[str, str] = {}
        self.legend: list[str] = []
        free = list(self._LETTERS)
        for words, cells in self._named():
            wanted = next((letter for letter in (words[:1].upper(), words[:1].lower()) if letter in free), None)
            letter = wanted or (free[0] if free else None)
            if letter is None:
                break
            free.remove(letter)
            self._of.update(dict.fromkeys(cells, letter))
            self.legend.append(f"{letter} = {words}")

    def _named(self) -> Iterator[tuple[str, list[str]]]:
        board = self.board
        groups: dict[str, list[str]] = {}
        for cell, text in (*board.texts.items(), *board.unseen.texts.items()):
            hidden = cell in board.unseen.texts
            kind = board.unseen.terrain.get(cell) if hidden else board.terrain.get(cell)
            groups.setdefault(", ".join(part for part in (text, kind, "hidden" if hidden else "") if part), []).append(
                cell
            )
        named = {cell for cells in groups.values() for cell in cells}
        known = [(name, cells) for name, cells in board.stands.items() if not named & set(cells)]
        for name, cells in (*known, *((f"start {side}", cells) for side, cells in board.starts.items())):
            for cell in cells:
                groups.setdefault(", ".join(part for part in (name, self._ground(cell)) if part), []).append(cell)
        named = {cell for cells in groups.values() for cell in cells}
        for cell, kind in board.unseen.terrain.items():
            if cell not in named:
                groups.setdefault(f", {kind}, hidden", []).append(cell)
        yield from groups.items()

    def _ground(self, cell: str) -> str:
        """Return what the legend says of the ground under somebody's start, which no sign shows there."""
        under = self.board.unseen.terrain.get(cell)
        return f"{under}, hidden" if under else self.board.terrain.get(cell, "")

    def of(self, name: str) -> str:
        board = self.board
        if name in self._of:
            return self._of[name]
        if name in board.unseen.doors:
            return _UNKNOWN
        if name in board.doors:
            return next(sign for sign, state in _DOORS.items() if state == board.doors[name])
        kind = board.terrain.get(name, boards.OPEN)
        return next((sign for sign, known in _KINDS.items() if known == kind), ".")


def _edged(board: boards.Board, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Return the lines of the edge form; a dot is an edge with nothing on it, so that no line is empty."""
    for row in range(board.height):
        yield "".join(f" {_edge_sign(board, (column, row - 1), (column, row), '-')}" for column in range(board.width))
        yield "." + "".join(
            f"{rows[row][column]}{_edge_sign(board, (column, row), (column + 1, row), '|')}"
            for column in range(board.width)
        )
    yield " ." * board.width


def _edge_sign(board: boards.Board, one: Cell, other: Cell, wall: str) -> str:
    if not (board.holds(one) and board.holds(other)):
        return "."
    name = edge_name(one, other)
    if name in board.unseen.doors:
        return _UNKNOWN
    if name in board.doors:
        return next(sign for sign, state in _EDGE_DOORS.items() if state == board.doors[name])
    kind = board.edges.get(name)
    if kind == boards.WALL:
        return wall
    held = boards.CURTAIN if kind == boards.PROP else kind  # a pillar has no sign of its own; a curtain bars the same
    return next((sign for sign, known in _EDGE_KINDS.items() if known == held), ".")


def map_summary(name: str, board: boards.Board) -> str:
    """Return what a good map is answered with: *Crypt: 24 × 16, 3 doors, places Altar, Well*."""
    parts = [f"{board.width} × {board.height}"]
    for count, word in ((len(board.doors), "door"), (len(board.unseen.doors), "secret")):
        if count:
            parts.append(f"{count} {word}{'' if count == 1 else 's'}")
    places = list(dict.fromkeys(board.texts[cell] for cell in sorted(board.texts, key=_order)))
    if places:
        parts.append(f"places {', '.join(places[:12])}" + (f" and {len(places) - 12} more" if len(places) > 12 else ""))
    return f"{name}: {', '.join(parts)}."


def _order(name: str) -> Cell:
    column, row = parse_cell(name)
    return row, column
