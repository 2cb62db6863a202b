"""Steps: the eight bits of each cell, large tokens, corners. Rule: G-06."""

from __future__ import annotations

import random

import pytest

from rules.core.space.barriers import STEPS, barriers_of, meets
from rules.core.space.board import Board
from rules.core.space.cells import DIRECTIONS
from rules.core.space.steps import opposite, rough_steps, step_bars
from tests.rules.board.boards import is_barred, random_board

EAST, SOUTH, SOUTHEAST = 1, 2, 5


@pytest.mark.parametrize("seed", range(20))
def test_the_bits_are_the_segments_between_centres_and_the_same_both_ways(seed: int) -> None:
    board = random_board(random.Random(seed))
    bars = step_bars(board)
    barriers = [each for each in barriers_of(board) if each.flags & STEPS]
    for y in range(board.height):
        for x in range(board.width):
            for direction, (across, down) in enumerate(DIRECTIONS):
                after = (x + across, y + down)
                ends = (x * 64 + 32, y * 64 + 32), (after[0] * 64 + 32, after[1] * 64 + 32)
                barred = not board.holds(after) or any(meets(*ends, each) for each in barriers)
                assert is_barred(bars, board, (x, y), direction) is barred, (x, y, direction)
                if board.holds(after):
                    assert is_barred(bars, board, after, opposite(direction)) is barred


def test_a_wall_on_an_edge_bars_the_step_and_the_diagonals_past_its_ends() -> None:
    board = Board(width=4, height=4, edges={"B2/C2": "wall"})
    bars = step_bars(board)
    assert is_barred(bars, board, (1, 1), EAST)
    assert is_barred(bars, board, (1, 1), SOUTHEAST)
    assert is_barred(bars, board, (1, 0), SOUTHEAST)
    assert not is_barred(bars, board, (1, 0), EAST)


def test_with_free_corners_a_diagonal_passes_if_a_way_round_is_free() -> None:
    past = Board(width=4, height=4, terrain={"B1": "blocked"})
    assert is_barred(step_bars(past), past, (0, 0), SOUTHEAST)
    assert not is_barred(step_bars(past, free_corners=True), past, (0, 0), SOUTHEAST)
    between = Board(width=4, height=4, terrain={"B1": "blocked", "A2": "blocked"})
    assert is_barred(step_bars(between, free_corners=True), between, (0, 0), SOUTHEAST)
    into = Board(width=4, height=4, terrain={"B2": "blocked"})
    assert is_barred(step_bars(into, free_corners=True), into, (0, 0), SOUTHEAST)


def test_a_large_token_needs_each_of_its_cells_free_and_no_wall_within() -> None:
    board = Board(width=5, height=5, edges={"C1/D1": "wall"})
    bars = step_bars(board, 2)
    assert is_barred(bars, board, (1, 0), EAST)  # it would be across the wall
    assert is_barred(bars, board, (0, 0), EAST) is False
    assert is_barred(bars, board, (3, 2), EAST)  # the border


def test_a_low_edge_is_rough_to_cross_and_a_low_cell_has_no_rough_sides() -> None:
    board = Board(width=4, height=4, edges={"A1/B1": "low"}, terrain={"C3": "low"})
    rough = rough_steps(board)
    assert rough is not None
    assert rough[0] >> EAST & 1
    assert not rough[1 * 4 + 2] >> SOUTH & 1
    assert rough_steps(Board(width=4, height=4, terrain={"C3": "low"})) is None
