"""Sight and cover by the 25 lines: the table of cases, symmetry, and all that a cell sees. Rule: G-06."""

from __future__ import annotations

import random

import pytest

from rules.core.space.barriers import barriers_of
from rules.core.space.board import Board, Wall
from rules.core.space.cells import parse_cell
from rules.core.space.sight import Lines, lines_between, seen_from
from rules.core.space.steps import step_bars
from tests.rules.board.boards import is_barred, random_board

X3 = 192  # the line x = 3, in 1/64 cells


def solid(*cells: str) -> Board:
    return Board(width=12, height=12, terrain=dict.fromkeys(cells, "blocked"))


def walled(*walls: tuple[int, int, int, int], kind: str = "wall") -> Board:
    return Board(
        width=12, height=12, walls=tuple(Wall.model_validate({"points": each, "kind": kind}) for each in walls)
    )


GAP = walled((X3, 64, X3, 768))
SLIT = walled((X3, -640, X3, 24), (X3, 40, X3, 768))

CASES: tuple[tuple[str, Board, str, tuple[int, int], str], ...] = (
    ("open ground", solid(), "L12", (25, 0), "none"),
    (
        "along a wall in the same row",
        Board(width=12, height=12, edges=dict.fromkeys(("B1/B2", "C1/C2"), "wall")),
        "E1",
        (25, 0),
        "none",
    ),
    ("s on B1", solid("B1"), "C1", (0, 0), ""),
    ("s between, near", solid("B1"), "G1", (0, 0), ""),
    ("s between, in the middle", solid("D1"), "G1", (0, 0), ""),
    ("s between, far", solid("F1"), "G1", (0, 0), ""),
    ("wall on the edge between", Board(width=12, height=12, edges={"A1/B1": "wall"}), "B1", (0, 0), ""),
    ("a corner between neighbours", solid("B1"), "B2", (7, 0), "heavy"),
    ("two corners between neighbours", solid("B1", "A2"), "B2", (0, 0), ""),
    ("s on the diagonal", solid("B2"), "C3", (0, 0), ""),
    ("knight's move, s on B1", solid("B1"), "C2", (3, 0), "heavy"),
    ("knight's move, s on B2", solid("B2"), "C2", (3, 0), "heavy"),
    ("knight's move, both", solid("B1", "B2"), "C2", (0, 0), ""),
    ("D2, s on C1", solid("C1"), "D2", (10, 0), "light"),
    ("E2, s on C1", solid("C1"), "E2", (7, 0), "heavy"),
    ("E2, s on C2", solid("C2"), "E2", (7, 0), "heavy"),
    ("E1, s beside the row", solid("C2"), "E1", (25, 0), "none"),
    ("E1, wall from half of row 1 downward", walled((X3, 32, X3, 768)), "E1", (12, 0), "light"),
    ("E1, slit of a quarter cell", SLIT, "E1", (7, 0), "heavy"),
    ("F1, gap in row 1", GAP, "F1", (25, 0), "none"),
    ("F2, gap in row 1", GAP, "F2", (10, 0), "light"),
    ("F3, gap in row 1", GAP, "F3", (1, 0), "heavy"),
    ("E2, one wall edge before the target", Board(width=12, height=12, edges={"D2/E2": "wall"}), "E2", (2, 0), "heavy"),
    ("E3, one wall edge before the target", Board(width=12, height=12, edges={"D3/E3": "wall"}), "E3", (5, 0), "heavy"),
    ("E5, one wall edge before the target", Board(width=12, height=12, edges={"D5/E5": "wall"}), "E5", (8, 0), "heavy"),
    ("E1, long low wall between", walled((X3, 0, X3, 768), kind="low"), "E1", (0, 25), "light"),
)


@pytest.mark.parametrize(("board", "target", "lines", "cover"), [case[1:] for case in CASES], ids=[c[0] for c in CASES])
def test_the_table_of_cases_holds_from_a1_and_back(
    board: Board, target: str, lines: tuple[int, int], cover: str
) -> None:
    start, goal = parse_cell("A1"), parse_cell(target)
    assert lines_between(board, start, goal) == Lines(*lines)
    assert lines_between(board, goal, start) == Lines(*lines)
    assert lines_between(board, start, goal).cover == cover
    assert (goal in seen_from(board, start)) == bool(sum(lines))


def test_a_creature_between_is_low_and_hides_nobody() -> None:
    start, goal, between = parse_cell("A1"), parse_cell("E1"), (parse_cell("C1"),)
    found = lines_between(solid(), start, goal, between=between)
    assert (found, found.score, found.cover) == (Lines(8, 17), 33, "light")
    assert lines_between(solid(), goal, start, between=between) == found


def test_a_corner_that_leaves_sight_bars_the_step() -> None:
    for board in (solid("B1"), solid("B1", "A2")):
        assert is_barred(step_bars(board), board, (0, 0), 5)


@pytest.mark.parametrize("seed", range(25))
def test_all_that_a_cell_sees_equals_the_25_lines_and_sight_is_symmetric(seed: int) -> None:
    rng = random.Random(seed)
    board = random_board(rng, barriers=rng.choice((4, 14)))
    cells = [(x, y) for y in range(board.height) for x in range(board.width)]
    for start in rng.sample(cells, 5):
        by_lines = {goal for goal in cells if lines_between(board, start, goal).sight}
        assert seen_from(board, start) == by_lines
        near = {goal for goal in by_lines if max(abs(goal[0] - start[0]), abs(goal[1] - start[1])) <= 3}
        assert seen_from(board, start, 3) == near
        for goal in rng.sample(cells, 8):
            assert (start in seen_from(board, goal)) == (goal in by_lines)


def test_the_best_pair_of_cells_of_large_tokens_counts_either_way() -> None:
    board = solid("C1")
    assert lines_between(board, (0, 0), (3, 0), 1, 2) == lines_between(board, (3, 0), (0, 0), 2, 1)
    assert lines_between(board, (0, 0), (3, 0), 1, 2) == lines_between(board, (0, 0), (3, 1))


def test_sides_shared_by_solid_cells_fall_away_and_sides_in_line_are_joined() -> None:
    found = barriers_of(solid("B2", "C2"))
    assert sorted(each[:4] for each in found) == [
        (64, 64, 64, 128),
        (64, 64, 192, 64),
        (64, 128, 192, 128),
        (192, 64, 192, 128),
    ]
    low = barriers_of(Board(width=5, height=5, terrain={"B2": "low", "C2": "low"}))
    assert (128, 64, 128, 128) in [each[:4] for each in low]


def test_an_open_door_bars_nothing_a_window_no_sight_and_a_curtain_no_step() -> None:
    for doors, edges, sight, free in (
        ({"A1/B1": "open"}, {}, True, True),
        ({"A1/B1": "closed"}, {}, False, False),
        ({"B1": "locked"}, {}, False, False),
        ({}, {"A1/B1": "window"}, True, False),
        ({}, {"A1/B1": "curtain"}, False, True),
        ({}, {"A1/B1": "low"}, True, True),
    ):
        board = Board.model_validate({"width": 5, "height": 5, "doors": doors, "edges": edges})
        assert lines_between(board, (0, 0), (1, 0)).sight is sight
        assert is_barred(step_bars(board), board, (0, 0), 1) is not free
