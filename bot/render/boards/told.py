"""The board in words, for whoever sees no picture: oneself, everybody, doors and places, then rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from bot.render.boards.view import ALT_LIMIT
from bot.render.words import CONTENT, bare, escape, shorten
from rules.core.board.fog import as_seen
from rules.core.encounter import Encounter
from rules.core.reach.goals import goal_words, picked_goals
from rules.core.registry import option_value, system_of
from rules.core.space import board as grid
from rules.core.space.barriers import edge_side
from rules.core.space.known_board import cells_along
from rules.core.space.sight import lines_between
from rules.core.space.steps import step_bars
from rules.core.space.winds import way_words, wind
from rules.core.step import pool_words
from rules.core.typed.names import shown
from rules.core.values import Combatant, Seat

Spelling = Callable[[str], str]
_SPEEDS = ("SPD", "SPEED", "MOV", "MOVE")
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
    grid.PROP: "Pillars, which bar sight alone,",
}
_MOST_BARRED = 30
_FORWARD = (1, 2, 5, 6)  # east, south and the two aslant downward: the other ways are the same steps back


def board_told(state: Encounter, seat: Seat, *, spell: Spelling = escape) -> str:
    """Return the board as a seat knows it, line by line; nothing is left out."""
    if state.board is None:
        return ""
    return "\n".join(_Teller(state, seat, spell).lines())


def told_alt(state: Encounter, seat: Seat) -> str:
    """Return the beginning of it as a picture's alternative text: oneself and who is near first, then what fits."""
    text = ""
    for line in board_told(state, seat, spell=bare).splitlines():
        if len(text) + len(line) + 2 > ALT_LIMIT:
            return f"{text} …".strip()
        text = f"{text} {line}".strip()
    return text


def in_messages(told: str, most: int = CONTENT) -> tuple[str, tuple[str, ...]]:
    r"""Part lines into messages: the first, and those that follow it.

    >>> in_messages("one\ntwo\nthree", 8)
    ('one\ntwo', ('three',))
    """
    found = [""]
    for line in told.splitlines():
        if found[-1] and len(found[-1]) + 1 + len(line) > most:
            found.append("")
        found[-1] = f"{found[-1]}\n{shorten(line, most)}".strip("\n")
    return found[0], tuple(found[1:])


class _Teller:
    def __init__(self, state: Encounter, seat: Seat, spell: Spelling) -> None:
        state = as_seen(state, seat)
        self.state = state
        self.spell = spell
        self.gm = seat.gm
        assert state.board is not None  # noqa: S101 - whoever tells it has looked
        self.board: grid.Board = state.board.whole if seat.gm else state.board
        self.known: grid.Board = state.board  # what bars sight and steps
        self.secret = {*state.board.unseen.doors} if seat.gm else set()
        self.system = system_of(state)
        turn = self.system.waits_for(state)
        self.standing = [each for each in state.cast if each.cell is not None and (seat.gm or not each.hidden)]
        own = sorted((each for each in self.standing if seat.owns(each)), key=lambda each: each.name not in turn)
        self.own = own
        self.acting = [each for each in self.standing if each.name in turn and not each.hidden]
        self.central: Combatant | None = next(iter((*own, *self.acting)), None)

    def lines(self) -> Iterator[str]:
        board = self.board
        yield f"{self.spell(self.state.name)}: {board.width} columns, {board.height} rows, A1 to {board.last}."
        if self.central is not None:
            yield self._oneself(self.central)
        for each in sorted((each for each in self.standing if each is not self.central), key=self._away):
            yield self._other(each)
        gone = self.state.out_of_sight
        if gone:
            yield f"Out of sight: {', '.join(map(self.spell, gone))}."
        others = (each for each in self.state.combatants if each.name not in gone)
        off = [each.name for each in others if each.cell is None and not each.hidden]
        if off:
            yield f"Off the board: {', '.join(map(self.spell, off))}."
        yield from self._doors_and_places()
        yield from self._rows()
        yield from self._barred()
        yield from self._remembered()
        for each in self.own:
            goals = picked_goals(self.state, each.name)
            if goals:
                yield f"{self.spell(each.name)} may go to:"
                for number, goal in enumerate(goals, 1):
                    entry, note = goal_words(self.state, each.name, goal)
                    yield f"{number}: {self.spell(entry)} ({self.spell(note)})"
        for each in self.acting:
            yield from self._areas(each)

    def _areas(self, own: Combatant) -> Iterator[str]:
        """Tell the areas that the picture draws, each with who is in it."""
        for area in self.system.range_cells(self.state, own.name) if self.state.find(own.name) else ():
            inside = [
                self.spell(each.name)
                for each in sorted(self.standing, key=lambda each: (self._spaces(own, each), each.name))
                if each is not own
                and not area.cells.isdisjoint(grid.cell_name(*cell) for cell in grid.covered(_cell(each), each.size))
            ]
            yield f"{self.spell(own.name)}, {area.label}: {', '.join(inside) or 'nobody'}."

    # Who

    def _away(self, each: Combatant) -> tuple[int, str]:
        return (0, "") if self.central is None else (self._spaces(self.central, each), each.name)

    def _spaces(self, one: Combatant, other: Combatant) -> int:
        return grid.distance(self.system.metric, _cell(one), _cell(other), one.size, other.size)

    def _oneself(self, own: Combatant) -> str:
        who = f"You, {self.spell(own.name)}" if own in self.own else f"{self.spell(own.name)}, whose turn it is"
        parts = [f"{who}: {_where(own)}."]
        speed = next((own.number(key) for key in _SPEEDS if own.number(key) > 0), 0)
        if speed:
            parts.append(f"Speed {speed}.")
        reached = [each.name for each in self._foes(own) if self._reaches(each, own)]
        if reached:
            parts.append(f"In reach of {', '.join(map(self.spell, reached))}.")
        return " ".join(parts)

    def _foes(self, own: Combatant) -> Iterator[Combatant]:
        for each in self.standing:
            if each.side != own.side and not self._is_out(each):
                yield each

    def _is_out(self, each: Combatant) -> bool:
        return self.state.find(each.name) is not None and self.system.is_out(self.state, each.name)

    def _reaches(self, foe: Combatant, own: Combatant) -> bool:
        known = self.state.find(foe.name) is not None
        melee = self.system.reaches(self.state, foe.name)[0] if known else 1
        return self._spaces(foe, own) <= melee

    def _other(self, each: Combatant) -> str:
        about = [f"side {each.side}"] if each.side else []
        about += [f"{each.size}×{each.size}"] if each.size > 1 else []
        health = self._health(each)
        about += [health] if health else []
        about += ["out"] if self._is_out(each) and health != "out" else []
        about += ["hidden"] if each.hidden else []
        of = f" ({self.spell(', '.join(about))})" if about else ""
        parts = [_where(each)]
        if self.central is not None:
            own = self.central
            parts.append(way_words(self.system.metric, _cell(own), _cell(each), own.size, each.size))
            parts += self._seen(own, each)
        return f"{self.spell(each.name)}{of}: {', '.join(parts)}."

    def _health(self, each: Combatant) -> str:
        """Return how hurt somebody is who is, as far as the reader may know it. Rule: G-08."""
        held = each.pools.get(self.system.health)
        is_secret = each.owner is None and not self.gm and option_value(self.state, "npc_pools") == "hidden"
        words = "" if held is None or is_secret else pool_words(held.now, held.top)
        return "" if words == "unhurt" else words

    def _seen(self, own: Combatant, each: Combatant) -> list[str]:
        lines = lines_between(self.known, _cell(own), _cell(each), own.size, each.size)
        if not lines.sight:
            return ["not seen"]
        near = self._spaces(own, each) <= 1
        found = ["seen", "no cover" if near or lines.cover == "none" else f"{lines.cover} cover"]
        if each.side != own.side and not self._is_out(each) and self._reaches(each, own):
            found.append("reaches you" if own in self.own else "reaches them")
        return found

    # What

    def _doors_and_places(self) -> Iterator[str]:
        found: list[tuple[int, str]] = []
        for place, state in self.board.doors.items():
            secret = "secret door" if place in self.secret else "door"
            what = place if place in self.board.lines else f"{secret} {place}"
            name = f"{self.spell(self.board.names[place])}, " if place in self.board.names else ""
            found.append(self._placed(f"{name}{what}", self.board.door_cells(place)[0], state))
        texts: dict[str, list[grid.Cell]] = {}
        for cell, text in self.board.texts.items():
            texts.setdefault(text, []).append(grid.parse_cell(cell))
        for text, cells in texts.items():
            nearest = cells[0] if self.central is None else min(cells, key=self._from_oneself)
            where = ", ".join(grid.rectangles(grid.cell_name(*cell) for cell in cells))
            note = self.board.notes.get(text, "") if self.gm else ""
            found.append(self._placed(f"{self.spell(text)} {where}", nearest, self.spell(note)))
        yield from (words for _, words in sorted(found))

    def _from_oneself(self, cell: grid.Cell) -> int:
        own = self.central
        return 0 if own is None else grid.distance(self.system.metric, _cell(own), cell, own.size)

    def _placed(self, what: str, cell: grid.Cell, state: str) -> tuple[int, str]:
        parts = [what, *([state] if state else [])]
        own = self.central
        if own is not None:
            parts.append(way_words(self.system.metric, _cell(own), cell, own.size))
        words = ", ".join(parts)
        return self._from_oneself(cell), f"{words[:1].upper()}{words[1:]}."

    def _remembered(self) -> Iterator[str]:
        if self.board.remembered:
            yield f"Seen before, not now: {shown(grid.rectangles(self.board.remembered), _MOST_BARRED)}."

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
            columns = [
                column for column in range(board.width) if board.terrain.get(grid.cell_name(column, row)) == kind
            ]
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
            pairs = [f"{grid.column_letters(line - 1)} and {grid.column_letters(line)}" for line in sorted(lines)]
            parts.append(f"{kind} between {', '.join(pairs)}")
        for kind, columns in sorted(below.items()):
            parts.append(f"{kind} below {_spans(sorted(columns))}")
        return "; ".join(parts)

    def _barred(self) -> Iterator[str]:
        """Tell walls at an angle by the steps that they alone bar, what else lies so by the cells that it touches."""
        if not self.known.walls:
            return
        lines: dict[str, set[str]] = {}
        for wall in self.known.walls:
            if wall.kind != grid.WALL:  # a wall is told by its steps
                cells = (cell for cell in cells_along(wall.points) if self.board.holds(cell))
                lines.setdefault(wall.kind, set()).update(grid.cell_name(*cell) for cell in cells)
        for kind, names in sorted(lines.items()):
            yield f"{_LINE_WORDS[kind]} at an angle: {shown(grid.rectangles(names), _MOST_BARRED)}."
        bars, without = step_bars(self.known), step_bars(self.known.evolve(walls=()))
        found = [
            f"{grid.cell_name(place % self.known.width, place // self.known.width)} {wind(*grid.DIRECTIONS[direction])}"
            for place, bits in enumerate(bars)
            for direction in _FORWARD
            if bits >> direction & 1 and not without[place] >> direction & 1
        ]
        if found:
            yield f"No step from {shown(found, _MOST_BARRED)}."


def _cell(combatant: Combatant) -> grid.Cell:
    return grid.parse_cell(combatant.cell or "A1")


def _where(combatant: Combatant) -> str:
    cells = list(grid.covered(_cell(combatant), combatant.size))
    first, last = grid.cell_name(*cells[0]), grid.cell_name(*cells[-1])
    return first if first == last else f"{first}:{last}"


def _spans(columns: Sequence[int]) -> str:
    """Return columns as letters, those in a row joined.

    >>> _spans([0, 3, 4, 5])
    'A, D–F'
    """
    found: list[tuple[int, int]] = []
    for column in columns:
        if found and found[-1][1] == column - 1:
            found[-1] = (found[-1][0], column)
        else:
            found.append((column, column))
    return ", ".join(_letters(first, last) for first, last in found)


def _letters(first: int, last: int) -> str:
    return grid.column_letters(first) if first == last else f"{grid.column_letters(first)}–{grid.column_letters(last)}"
