"""What the board's picture is drawn with: colours and forms; cells that touch."""

from __future__ import annotations

from collections.abc import Iterable

from rules.core.space.cells import Cell

Colour = tuple[int, int, int]

FINE = 2  # everything is drawn twice as large and then reduced, so that edges are smooth
PAPER = (247, 243, 233)
CELL = (255, 252, 245)
CELL_ODD = (250, 246, 236)
LINE = (205, 196, 178)
FRAME = (74, 68, 60)
INK = (48, 44, 40)
FAINT = (120, 112, 100)
ROUGH = (233, 214, 178)
ROUGH_MARK = (170, 135, 80)
DARK = (40, 40, 46)  # what nobody has seen
VEIL = (96, 100, 112)  # lies over what was seen and is not now
WALL = (92, 92, 100)
WALL_MARK = (64, 64, 72)
GLOW = (255, 196, 0)
OUT, CROSS = (112, 112, 112), (52, 52, 56)
REACH = ((66, 133, 244), (150, 120, 235))
SECRET = (120, 40, 170)
DANGER = (200, 30, 40)
RANGE = ((214, 60, 90), (196, 106, 20))
# Told apart by all eyes (Okabe and Ito), and each with a form of its own.
SIDES: tuple[Colour, ...] = (
    (0, 104, 168),
    (198, 76, 0),
    (0, 135, 98),
    (168, 70, 128),
    (150, 110, 0),
    (60, 60, 66),
)
CORNERS = (0, 4, -4, 6, 3, 5)  # 0: a circle; -4: a square on its point


def darker(colour: Colour) -> Colour:
    return colour[0] // 2, colour[1] // 2, colour[2] // 2


def groups(cells: Iterable[Cell]) -> list[list[Cell]]:
    """Part cells into groups whose members touch."""
    left = set(cells)
    connected = []
    while left:
        first = min(left)
        left.remove(first)
        group = [first]
        for column, row in group:
            for beside in ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)):
                if beside in left:
                    left.remove(beside)
                    group.append(beside)
        connected.append(group)
    return connected
