"""What bars what: the table's rows on an edge, a line and a cell, for steps, sight and cover (maps 3). Rule: G-06."""

from __future__ import annotations

import pytest

from rules.core.space.board import Board
from rules.core.space.paths import Ground, costs_within
from rules.core.space.sight import lines_between

BARRED, FREE, ROUGH = None, 1, 2  # what the step from A1 to B1 costs
EDGE, LINE, CELL = "A1/B1", "Door 1", "B1"
POINTS = (60, 0, 68, 64)  # nearly upright, between A1 and B1
TABLE: tuple[tuple[str, tuple[str, ...], int | None, str], ...] = (
    ("wall", (EDGE, LINE), BARRED, ""),
    ("blocked", (CELL,), BARRED, ""),
    ("void", (CELL,), BARRED, ""),
    ("closed", (EDGE, LINE, CELL), BARRED, ""),
    ("locked", (EDGE, LINE, CELL), BARRED, ""),
    ("open", (EDGE, LINE, CELL), FREE, "none"),
    ("window", (EDGE, LINE, CELL), BARRED, "light"),
    ("low", (EDGE, LINE, CELL), ROUGH, "light"),
    ("curtain", (EDGE, LINE), FREE, ""),
    ("prop", (EDGE, LINE), FREE, ""),
    ("difficult", (CELL,), ROUGH, "none"),
    ("hazard", (CELL,), FREE, "none"),
)
ROWS = [(kind, place, cost, cover) for kind, places, cost, cover in TABLE for place in places]


def laid(kind: str, place: str) -> Board:
    held: dict[str, object] = {"width": 3, "height": 1}
    if kind in ("closed", "locked", "open"):
        held |= {"doors": {place: kind}, "lines": {LINE: POINTS} if place == LINE else {}}
    elif place == LINE:
        held["walls"] = [{"points": POINTS, "kind": kind}]
    else:
        held["edges" if place == EDGE else "terrain"] = {place: kind}
    return Board.model_validate(held)


@pytest.mark.parametrize(("kind", "place", "cost", "cover"), ROWS)
def test_the_table_of_what_bars_what_holds_on_edges_lines_and_cells_both_ways(
    kind: str, place: str, cost: int | None, cover: str
) -> None:
    board = laid(kind, place)
    for start, goal in (((0, 0), (1, 0)), ((1, 0), (0, 0))):
        if place == CELL and start == (1, 0):
            continue  # what lies on a cell is asked of who enters it
        assert costs_within(Ground(board=board, metric="eight", start=start), 9).get(goal) == cost
    for start, goal in (((0, 0), (2, 0)), ((2, 0), (0, 0))):
        assert lines_between(board, start, goal).cover == cover


def test_a_secret_door_is_as_shut_as_a_wall_to_who_does_not_know_it_and_to_who_does() -> None:
    board = Board.model_validate(
        {"width": 3, "height": 1, "edges": {EDGE: "wall"}, "unseen": {"doors": {EDGE: "closed"}}}
    )
    for known in (board, board.whole):
        assert (1, 0) not in costs_within(Ground(board=known, metric="eight", start=(0, 0)), 9)
        assert not lines_between(known, (0, 0), (2, 0)).sight
