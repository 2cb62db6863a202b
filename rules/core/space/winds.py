"""Direction and distance from one thing to another: one of eight winds, and how far."""

from __future__ import annotations

from rules.core.space.cells import Cell, Metric, distance


def offset(one: Cell, other: Cell, size: int = 1, other_size: int = 1) -> Cell:
    """Return how many columns and rows lie between two tokens, by the nearest of their cells.

    >>> offset((2, 2), (6, 1), size=2), offset((0, 0), (1, 1), size=3)
    ((3, -1), (0, 0))
    """

    def along(first: int, second: int) -> int:
        return max(0, second - first - size + 1) or min(0, second + other_size - 1 - first)

    return along(one[0], other[0]), along(one[1], other[1])


def wind(across: int, down: int) -> str:
    """Return the wind in which something lies so many columns and rows away; empty if it is here.

    >>> wind(3, 1), wind(2, 1), wind(0, -4), wind(-3, 2)
    ('east', 'south-east', 'north', 'south-west')
    """
    upright = "south" if down > 0 else "north"
    sideways = "east" if across > 0 else "west"
    if not across and not down:
        return ""
    if abs(across) > 2 * abs(down):
        return sideways
    return upright if abs(down) > 2 * abs(across) else f"{upright}-{sideways}"


def way_words(metric: Metric, one: Cell, other: Cell, size: int = 1, other_size: int = 1) -> str:
    """Return distance and direction in words: *2 squares south-east*."""
    spaces = distance(metric, one, other, size, other_size)
    if not spaces:
        return "here"
    return f"{spaces} {'square' if spaces == 1 else 'squares'} {wind(*offset(one, other, size, other_size))}"
