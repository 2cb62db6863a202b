"""Cells, rectangles, sizes and distances. Rule: G-06."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.space.board import Board, cells_within, parse_cells
from rules.core.space.cells import (
    MAX_SIDE,
    Metric,
    cell_name,
    covered,
    distance,
    parse_cell,
    parse_edge,
    parse_path,
    parse_size,
    parse_token_size,
    steps_of,
)
from rules.errors import Malformed, Refusal

METRICS: tuple[Metric, Metric] = ("orthogonal", "eight")
BOARD = Board(width=20, height=10)
places = st.tuples(st.integers(0, MAX_SIDE - 1), st.integers(0, MAX_SIDE - 1))


@given(places)
def test_a_cells_name_is_read_back_as_the_cell(cell: tuple[int, int]) -> None:
    assert parse_cell(cell_name(*cell)) == cell
    assert parse_cell(f" {cell_name(*cell).lower()} ") == cell


def test_columns_have_letters_and_rows_have_numbers() -> None:
    assert [cell_name(*cell) for cell in ((0, 0), (25, 9), (26, 0), (49, 49))] == ["A1", "Z10", "AA1", "AX50"]


@pytest.mark.parametrize("text", ["", "C", "4", "C0", "4C", "C4D5", "ABC1", "C-1", "C4000", "Ä1", "C٤", "C4" * 20])
def test_what_is_no_cell_is_refused(text: str) -> None:
    with pytest.raises(Refusal):
        parse_cell(text)


def test_lists_and_rectangles_name_each_cell_once() -> None:
    assert parse_cells("B2, A1:B2 C1", BOARD) == ((1, 1), (0, 0), (1, 0), (0, 1), (2, 0))
    assert parse_cells("C3:A1", BOARD) == parse_cells("A1:C3", BOARD)
    assert len(parse_cells("A1:T10", BOARD)) == 200


@pytest.mark.parametrize("text", ["", "A1:", "A1:U1", "U1", "A11", "A1-C3", "A1:B2:C3"])
def test_cells_off_the_board_or_unreadable_are_refused(text: str) -> None:
    with pytest.raises(Refusal) as caught:
        parse_cells(text, BOARD)
    assert caught.value.instead


@pytest.mark.parametrize("text", ["C4 D4 E5", "C4,D4,E5", "C4 → D4 → E5", " c4  d4 e5 "])
def test_a_path_is_a_list_of_cells(text: str) -> None:
    assert parse_path(text) == ((2, 3), (3, 3), (4, 4))


@pytest.mark.parametrize(("text", "size"), [("20x15", (20, 15)), ("50 X 50", (50, 50)), ("1×1", (1, 1))])
def test_sizes_go_up_to_fifty(text: str, size: tuple[int, int]) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "20", "0x5", "65x5", "5x65", "-1x5", "axb"])
def test_other_sizes_are_refused(text: str) -> None:
    with pytest.raises(Refusal):
        parse_size(text)


def test_tokens_are_squares() -> None:
    assert (parse_token_size("2"), parse_token_size("3x3")) == (2, 3)
    for text in ("0", "7", "2x3", "big"):
        with pytest.raises(Refusal):
            parse_token_size(text)


@given(places, places, st.sampled_from(METRICS), st.integers(1, 4), st.integers(1, 4))
def test_the_distance_of_tokens_is_that_of_their_nearest_cells(
    one: tuple[int, int], other: tuple[int, int], metric: Metric, size: int, other_size: int
) -> None:
    nearest = min(distance(metric, a, b) for a in covered(one, size) for b in covered(other, other_size))
    assert distance(metric, one, other, size, other_size) == nearest
    assert distance(metric, other, one, other_size, size) == nearest


def test_the_metrics_have_four_and_eight_neighbours() -> None:
    assert (len(steps_of("orthogonal")), len(steps_of("eight"))) == (4, 8)
    assert cells_within("orthogonal", BOARD, (0, 0), 1, 1) == {"A2", "B1"}
    assert cells_within("eight", BOARD, (1, 1), 2, 1) == {
        *("A1", "B1", "C1", "D1", "A2", "D2", "A3", "D3", "A4", "B4", "C4", "D4"),
    }


@pytest.mark.parametrize("text", ["A1", "A1/", "/B1", "A1/C1", "A1/A1", "A1/B2"])
def test_what_is_no_edge_is_refused_as_an_edge(text: str) -> None:
    with pytest.raises(Malformed, match=r"not an edge\. Name two cells side by side, such as C4/D4"):
        parse_edge(text)
