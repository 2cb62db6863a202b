"""The ground of a board in words: doors, windows and places, then row by row what is not open (maps 7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from bot.render.boards.goals import Spelling
from rules.core.reach.spots import door_cell
from rules.core.space import board as grid
from rules.core.space.barriers import edge_side
from rules.core.space.cells import (
    DIRECTIONS,
    Cell,
    Metric,
    cell_name,
    column_letters,
    distance,
    is_edge,
    parse_cell,
    parse_edge,
    rectangles,
)
from rules.core.space.known_board import cells_along
from rules.core.space.steps import step_bars
from rules.core.space.winds import way_words, wind
from rules.core.typed.names import shown
from rules.core.values import Combatant

_KINDS = {
    "blocked": "solid",
    grid.DIFFICULT: grid.DIFFICULT,
    grid.LOW: grid.LOW,
    grid.HAZARD: grid.HAZARD,
    grid.WINDOW: grid.WINDOW,
    grid.VOID: grid.VOID,
    grid.UNKNOWN: grid.UNKNOWN,
}
_LINE_WORDS = {
    grid.WINDOW: "Windows",
    grid.LOW: "Low",
    grid.CURTAIN: "Curtains",
    grid.PROP: "Pillars, which block only sight,",
}
_EDGE_WORDS = {grid.PROP: "pillar"}
_MOST_BARRED = 30
_FORWARD = (1, 2, 5, 6)  # east, south and the two aslant downward: the other ways are the same steps back


class GroundTold:
    """Tells a board as somebody knows it; `central` is the token from which it is measured."""

    def __init__(
        self, board: grid.Board, metric: Metric, central: Combatant | None, spell: Spelling, *, gm: bool
    ) -> None:
        self.board = board.whole if gm else board
        self.known = board  # what bars sight and steps
        self.metric = metric
        self.central = central
        self.spell = spell
        self.gm = gm
        self.secret = {*board.unseen.doors} if gm else set()

    def lines(self) -> Iterator[str]:
        yield from self._doors_and_places()
        yield from self._hidden()
        yield from self._rows()
        yield from self._barred()
        yield from self._remembered()

    def _doors_and_places(self) -> Iterator[str]:
        told: list[tuple[int, str]] = []
        for place, state in self.board.doors.items():
            secret = "secret door" if place in self.secret else "door"
            what = place if place in self.board.lines else f"{secret} {place}"
            name = f"{self.spell(self.board.names[place])}, " if place in self.board.names else ""
            told.append(self._placed(f"{name}{what}", self._door_cell(place), state))
        texts: dict[str, list[Cell]] = {}
        for cell, text in self.board.texts.items():
            texts.setdefault(text, []).append(parse_cell(cell))
        for text, cells in texts.items():
            nearest = cells[0] if self.central is None else min(cells, key=self._from_oneself)
            where = ", ".join(rectangles(cell_name(*cell) for cell in cells))
            note = self.board.notes.get(text, "") if self.gm else ""
            told.append(self._placed(f"{self.spell(text)} {where}", nearest, self.spell(note)))
        told += (self._placed(f"window {where}", cell, "") for where, cell in self._windows())
        yield from (words for _, words in sorted(told))

    def _hidden(self) -> Iterator[str]:
        """Tell the GM the places that others do not know: cells, edges, and the cells along hidden lines."""
        unseen = self.known.unseen
        along = [wall.points for wall in unseen.walls]
        along += [self.known.lines[place] for place in unseen.doors if place in self.known.lines]
        cells = {cell_name(*cell) for points in along for cell in cells_along(points) if self.known.holds(cell)}
        cells |= {place for place in unseen.places if not is_edge(place) and place not in self.known.lines}
        edges = sorted(place for place in unseen.places if is_edge(place) and place not in self.known.lines)
        if self.gm and (cells or edges):
            yield f"Known to the GM alone: {shown((*rectangles(cells), *edges), _MOST_BARRED)}."

    def nearest_door(self, most: int) -> str:
        """Return the place and name of the nearest door within so many squares, and if it is open; or nothing."""
        near = sorted((self._from_oneself(self._door_cell(place)), place) for place in self.board.doors)
        if self.central is None or not near or near[0][0] > most:
            return ""
        place = near[0][1]
        way = self._way(self.central, self._door_cell(place))
        called = self.board.door_name(place).removeprefix("Door ")
        secret = "secret " if place in self.secret else ""
        return f"{way[:1].upper()}{way[1:]}: {secret}door {self.spell(called)}, {self.board.doors[place]}."

    def _door_cell(self, place: str) -> Cell:
        own = self.central
        if own is None:
            return self.board.door_cells(place)[0]
        return door_cell(self.board, place, parse_cell(own.cell or "A1"), own.size)

    def _way(self, own: Combatant, cell: Cell) -> str:
        return way_words(self.metric, parse_cell(own.cell or "A1"), cell, own.size)

    def _windows(self) -> Iterator[tuple[str, Cell]]:
        """Return windows by their cells, those beside one another together, and by their edges, each with a cell."""
        names = [cell for cell, kind in self.board.terrain.items() if kind == grid.WINDOW]
        for where in rectangles(names):
            yield where, min(grid.parse_cells(where, self.board), key=self._from_oneself)
        for edge, kind in self.board.edges.items():
            if kind == grid.WINDOW:
                yield edge, parse_edge(edge)[0]

    def _from_oneself(self, cell: Cell) -> int:
        own = self.central
        return 0 if own is None else distance(self.metric, parse_cell(own.cell or "A1"), cell, own.size)

    def _placed(self, what: str, cell: Cell, state: str) -> tuple[int, str]:
        parts = [what, *([state] if state else [])]
        own = self.central
        if own is not None:
            parts.append(self._way(own, cell))
        words = ", ".join(parts)
        return self._from_oneself(cell), f"{words[:1].upper()}{words[1:]}."

    def _remembered(self) -> Iterator[str]:
        if self.board.remembered:
            yield f"Seen before, but not now: {shown(rectangles(self.board.remembered), _MOST_BARRED)}."

    def _rows(self) -> Iterator[str]:
        """Tell of each row what is not open; equal rows that follow one another are told once."""
        rows = [(row, self._row(row)) for row in range(self.board.height)]
        for words, group in groupby(rows, key=lambda each: each[1]):
            numbers = [row + 1 for row, _ in group]
            if words:
                which = f"Row {numbers[0]}" if len(numbers) == 1 else f"Rows {numbers[0]}–{numbers[-1]}"
                yield f"{which}: {words}."

    def _row(self, row: int) -> str:
        board = self.board
        parts = []
        for kind, word in _KINDS.items():
            columns = [column for column in range(board.width) if board.terrain.get(cell_name(column, row)) == kind]
            if columns:
                parts.append(f"{word} {_spans(columns)}")
        beside: dict[str, list[int]] = {}
        below: dict[str, list[int]] = {}
        for edge, kind in board.edges.items():
            upright, line, piece = edge_side(edge)
            if upright and piece == row:
                beside.setdefault(kind, []).append(line)
            elif not upright and line == row + 1:
                below.setdefault(kind, []).append(piece)
        for kind, lines in sorted(beside.items()):
            pairs = [f"{column_letters(line - 1)} and {column_letters(line)}" for line in sorted(lines)]
            parts.append(f"{_EDGE_WORDS.get(kind, kind)} between {', '.join(pairs)}")
        for kind, columns in sorted(below.items()):
            parts.append(f"{_EDGE_WORDS.get(kind, kind)} below {_spans(sorted(columns))}")
        return "; ".join(parts)

    def _barred(self) -> Iterator[str]:
        """Tell walls at an angle by the steps that they alone bar, what else lies so by the cells that it touches."""
        if not self.known.walls:
            return
        lines: dict[str, set[str]] = {}
        for wall in self.known.walls:
            if wall.kind != grid.WALL:  # a wall is told by its steps
                cells = (cell for cell in cells_along(wall.points) if self.board.holds(cell))
                lines.setdefault(wall.kind, set()).update(cell_name(*cell) for cell in cells)
        for kind, names in sorted(lines.items()):
            yield f"{_LINE_WORDS[kind]} at an angle: {shown(rectangles(names), _MOST_BARRED)}."
        bars, without = step_bars(self.known), step_bars(self.known.evolve(walls=()))
        barred = [
            f"{cell_name(place % self.known.width, place // self.known.width)} {wind(*DIRECTIONS[direction])}"
            for place, bits in enumerate(bars)
            for direction in _FORWARD
            if bits >> direction & 1 and not without[place] >> direction & 1
        ]
        if barred:
            yield f"You cannot step from {shown(barred, _MOST_BARRED)}."


def _spans(columns: Sequence[int]) -> str:
    """Return columns as letters, those in a row joined.

    >>> _spans([0, 3, 4, 5])
    'A, D–F'
    """
    spans: list[tuple[int, int]] = []
    for column in columns:
        if spans and spans[-1][1] == column - 1:
            spans[-1] = (spans[-1][0], column)
        else:
            spans.append((column, column))
    return ", ".join(_letters(first, last) for first, last in spans)


def _letters(first: int, last: int) -> str:
    return column_letters(first) if first == last else f"{column_letters(first)}–{column_letters(last)}"
