"""A reader of the board in words: makes the ground again out of them, and finds everybody on it."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from rules.core.space.board import Board
from rules.core.space.cells import Metric, cell_name, parse_cell, steps_of
from rules.core.space.steps import step_bars

_SIZE = re.compile(r"(\d+) columns, (\d+) rows, A1 to")
_ROW = re.compile(r"Rows? (\d+)(?:–(\d+))?: (.*)\.")
_DOOR = re.compile(r"(?:.*, )?[Dd]oor ([A-Z]+\d+(?:/[A-Z]+\d+)?), (\w+), ")
_STANDING = re.compile(r"(\w+)(?: \((.*?)\))?: ([A-Z]+\d+)(?::[A-Z]+\d+)?, (?:(\d+) squares? )?([\w-]+), (.*)\.")
_OWN = re.compile(r"(?:You, )?(\w+)(?:, whose turn it is)?: ([A-Z]+\d+)(?::[A-Z]+\d+)?\. ")
_RANGE = re.compile(r"(\w+), \w+ \d+: (.*)\.")
_HAND = re.compile(r"Hand: (.*) \(\d+ in hand")
_GOAL = re.compile(r"(\d+): ([A-Z]+\d+), (\d+) squares?(?: with ([^,(]+?))?(?:, ([^(]*?))?(?: \((.*)\))?$")


class Other(NamedTuple):
    """Somebody as one line tells them."""

    cell: str
    spaces: int
    seen: bool
    out: bool


class Read:
    """What the lines tell."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.own: dict[str, str] = {}
        self.others: dict[str, Other] = {}
        self.in_range: dict[str, set[str]] = {}
        self.goals: list[re.Match[str]] = []
        self.hand: list[str] = []
        for line in lines:
            self._take(line)

    def _take(self, line: str) -> None:
        if found := _OWN.match(line + " "):
            self.own[found[1]] = found[2]
        elif found := _STANDING.fullmatch(line):
            about = (found[2] or "").split(", ")
            self.others[found[1]] = Other(
                found[3], int(found[4] or 0), not found[6].startswith("not seen"), "out" in about
            )
        elif found := _HAND.search(line):
            counted = (part.rpartition("x ") for part in found[1].split(", "))
            self.hand = [card for many, _, card in counted for _ in range(int(many or 1))]
        elif found := _GOAL.match(line):
            self.goals.append(found)
        elif found := _RANGE.fullmatch(line):
            near = self.in_range.setdefault(found[1], set())
            near.update(name for name in found[2].split(", ") if "(" not in name and name != "nobody")

    def ways_to(self, cell: str, metric: Metric) -> dict[str, int]:
        """Return how many steps it is from each cell to one, by the ground that is told."""
        board = self.board()
        bars, start = step_bars(board), parse_cell(cell)
        away, left = {start: 0}, [start]
        for column, row in left:
            for direction, (across, down) in enumerate(steps_of(metric)):
                after = (column + across, row + down)
                if after not in away and not bars[row * board.width + column] >> direction & 1:
                    away[after] = away[column, row] + 1
                    left.append(after)
        return {cell_name(*each): steps for each, steps in away.items()}

    def board(self) -> Board:
        """Return the ground as it is told."""
        size = next(found for line in self.lines if (found := _SIZE.search(line)))
        laid: dict[str, Any] = {"width": int(size[1]), "height": int(size[2]), "terrain": {}, "edges": {}, "doors": {}}
        for line in self.lines:
            if door := _DOOR.match(line):
                laid["doors"][door[1]] = door[2]
            elif row := _ROW.fullmatch(line):
                for number in range(int(row[1]), int(row[2] or row[1]) + 1):
                    for part in row[3].split("; "):
                        _lay(laid, number - 1, part)
        return Board.model_validate(laid)


def _lay(laid: dict[str, Any], row: int, part: str) -> None:
    if found := re.fullmatch(r"(\w+) between (.*)", part):
        for pair in found[2].split(", "):
            left, right = pair.split(" and ")
            laid["edges"][f"{left}{row + 1}/{right}{row + 1}"] = found[1]
    elif found := re.fullmatch(r"(\w+) below (.*)", part):
        for column in _columns(found[2]):
            laid["edges"][f"{cell_name(column, row)}/{cell_name(column, row + 1)}"] = found[1]
    else:
        kind, _, columns = part.partition(" ")
        for column in _columns(columns):
            laid["terrain"][cell_name(column, row)] = "blocked" if kind == "solid" else kind


def _columns(text: str) -> list[int]:
    found: list[int] = []
    for part in text.split(", "):
        first, _, last = part.partition("–")
        found += range(parse_cell(f"{first}1")[0], parse_cell(f"{last or first}1")[0] + 1)
    return found
