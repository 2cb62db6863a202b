"""Boards at random, what bars them, two rooms in fog, and what somebody knows of them."""

from __future__ import annotations

import random
from typing import Any

from rules.core.board.fog import as_seen
from rules.core.space.board import Board, Wall
from rules.core.space.cells import Cell, cell_name, edge_name
from rules.core.space.steps import Bars
from tests.rules.table import Game


def is_barred(bars: Bars, board: Board, cell: Cell, direction: int) -> bool:
    """Tell whether a step in a direction of `DIRECTIONS` is barred; `bars` is what `step_bars` returned."""
    return bool(bars[cell[1] * board.width + cell[0]] >> direction & 1)


def random_board(rng: random.Random, width: int = 9, height: int = 8, barriers: int = 14) -> Board:
    """Return a board with solid cells, edges of each kind, doors, and lines at any angle, some on grid lines."""
    names = [(x, y) for y in range(height) for x in range(width)]
    terrain = {cell_name(*cell): rng.choice(("blocked", "void", "low", "window")) for cell in rng.sample(names, 4)}
    edges = {}
    doors = {}
    for number in range(barriers // 2):
        x, y = rng.randrange(width - 1), rng.randrange(height - 1)
        edge = edge_name((x, y), (x + 1, y) if number % 2 else (x, y + 1))
        if rng.random() < 0.2:
            doors[edge] = rng.choice(("open", "closed", "locked"))
        else:
            edges[edge] = rng.choice(("wall", "wall", "window", "low", "curtain"))
    walls = []
    for _ in range(barriers // 2):
        grain = rng.choice((1, 8, 32))
        ends = [rng.randrange(0, side * 64 // grain + 1) * grain for side in (width, height, width, height)]
        if rng.random() < 0.4:
            ends[2:] = [ends[0] + rng.randint(-90, 90), ends[1] + rng.randint(-90, 90)]
        if ends[:2] != ends[2:]:
            walls.append(Wall.model_validate({"points": ends, "kind": rng.choice(("wall", "wall", "low", "prop"))}))
    return Board(width=width, height=height, terrain=terrain, edges=edges, doors=doors, walls=tuple(walls))


def draw(game: Game, start: str, **given: Any) -> None:
    game.do("Gwen", "map draw", **{"from": start, **given})


ROOMS = "A1:I1, A7:I7, A2:A6, I2:I6, E2:E6"  # two rooms of 3 × 5 with solid cells around


def delve(options: str = "fog=sight", system: str = "classic") -> Game:
    """Lay out two rooms with a wall between; Pip is in the left one, the Ogre in the right one."""
    game = Game(system, options, people=("Gwen", "Ana", "Bo"))
    game.do("Gwen", "board size", size="9x7")
    game.do("Gwen", "board terrain", cells=ROOMS, kind="solid")
    game.do("Ana", "join", name="Pip", result=9, side="Heroes")
    game.do("Gwen", "add", name="Ogre", result=5, side="Foes")
    game.do("Gwen", "board place", target="Pip", cells="B2")
    game.do("Gwen", "board place", target="Ogre", cells="G4")
    return game


def known(game: Game, who: str) -> Any:
    return as_seen(game.state, game.seat(who))


def unknown(game: Game, who: str) -> set[str]:
    return {cell for cell, kind in known(game, who).board.terrain.items() if kind == "unknown"}
