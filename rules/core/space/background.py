"""The picture under a board: how it lies on the cells. Its bytes are kept elsewhere, under their digest."""

from __future__ import annotations

import re

from rules.core.space.board import Background
from rules.errors import Malformed

FINE = 20  # parts of a pixel in which the width of a cell is told
MOST_ACROSS = 400
MOST_SHIFT = 20_000
_SHIFT = re.compile(r"\s*(-?[0-9]{1,5})(?:\s*[,;]\s*|\s+)(-?[0-9]{1,5})\s*")


def parse_shift(text: str) -> tuple[int, int]:
    """Read how many pixels lie left of and above the first cell: `12,-5`. Raises: Malformed."""
    match = _SHIFT.fullmatch(text)
    if match is None or max(abs(int(match[1])), abs(int(match[2]))) > MOST_SHIFT:
        raise Malformed(f"{text.strip()[:20]} is not a shift.", instead="shift:12,-5 counts pixels of the picture.")
    return int(match[1]), int(match[2])


def cell_of(width: int, across: float) -> int:
    """Return a cell's width in parts of a pixel, if so many columns lie across a picture. Raises: Malformed."""
    if not 1 <= across <= MOST_ACROSS or width * FINE < across:
        raise Malformed(f"A picture can be 1 to {MOST_ACROSS} columns wide.", instead="For example across:24.")
    return max(FINE, round(FINE * width / across))


def moved(picture: Background, way: str) -> Background:
    """Return a picture moved by an eighth of a cell, or its cells made one pixel in twenty wider or narrower.

    >>> moved(Background(digest="", width=100, height=100, cell=200), "right").shift
    (-1, 0)
    """
    step = max(1, picture.cell // FINE // 8)
    across, down = {"left": (step, 0), "right": (-step, 0), "up": (0, step), "down": (0, -step)}.get(way, (0, 0))
    x, y = picture.shift
    wider = {"wider": 1, "narrower": -1}.get(way, 0)
    return picture.evolve(shift=(x + across, y + down), cell=max(FINE, picture.cell + wider))
