"""What each shape of `/map draw` lays and takes away, row by row (maps 2.3 and 11). Rule: G-06."""

from __future__ import annotations

import pytest

from rules.errors import Malformed
from tests.rules.board.boards import draw
from tests.rules.table import Game

AROUND = "B1/B2 C1/C2 D1/D2 A2/B2 D2/E2 A3/B3 D3/E3 B3/B4 C3/C4 D3/D4"
SHAPES = [
    ("rect", "B2", "D3", "B2 C2 D2 B3 C3 D3", ""),
    ("rect", "D3", "B2", "B2 C2 D2 B3 C3 D3", ""),  # any two opposite cells
    ("rect", "B2, F5", None, "B2 F5", ""),  # `from` takes a list
    ("room", "B2", "D3", "", AROUND),
    ("room", "B2:D3", None, "", AROUND),
    ("room", "B2, C2:C3", None, "", "B1/B2 A2/B2 B2/B3 B2/C2 C1/C2 C2/D2 B3/C3 C3/D3 C3/C4"),  # each has its walls
    ("line", "A1", "C2", "A1 B1 C2", ""),  # at ties the cell nearer to `from`
    ("line", "C2", "A1", "C2 B2 A1", ""),
    ("disc", "D4", "E4", "C3 D3 E3 C4 D4 E4 C5 D5 E5", ""),
    ("disc", "D4", "E5", "C3 D3 E3 C4 D4 E4 C5 D5 E5", ""),  # the larger of columns and rows between
    ("ring", "D4", "E4", "C3 D3 E3 C4 E4 C5 D5 E5", ""),
    ("edge", "B2/C2", None, "", "B2/C2"),
    ("edge", "B2:B4/E, D1/D2", None, "", "B2/C2 B3/C3 B4/C4 D1/D2"),
]


@pytest.mark.parametrize(("shape", "start", "to", "cells", "edges"), SHAPES)
def test_a_shape_lays_its_cells_or_edges_and_none_takes_them_away(
    shape: str, start: str, to: str | None, cells: str, edges: str
) -> None:
    game = Game("classic", people=("Gwen", "Ana"))
    game.do("Gwen", "board size", size="8x8")
    leads = {} if to is None else {"to": to}
    draw(game, start, shape=shape, **leads)
    assert dict(game.state.board.terrain) == dict.fromkeys(cells.split(), "blocked")
    assert dict(game.state.board.edges) == dict.fromkeys(edges.split(), "wall")
    draw(game, start, shape=shape, kind="none", **leads)
    assert not game.state.board.terrain
    assert not game.state.board.edges


@pytest.mark.parametrize("kind", [None, "low", "curtain", "prop", "window"])
def test_a_line_between_corners_is_a_wall_unless_it_is_said_what(kind: str | None) -> None:
    game = Game("classic", people=("Gwen", "Ana"))
    game.do("Gwen", "board size", size="8x8")
    given = {} if kind is None else {"kind": kind}
    draw(game, "C4.", shape="wall", to="I9.", **given)  # the far border's corners may be named
    (wall,) = game.state.board.walls
    assert (wall.points, wall.kind) == ((128, 192, 512, 512), kind or "wall")
    draw(game, "C4.", shape="wall", to="I9.", kind="none")
    assert not game.state.board.walls


@pytest.mark.parametrize("kind", ["solid", "void", "difficult", "hazard", "low", "window"])
def test_a_disc_of_another_kind_lays_that_kind(kind: str) -> None:
    game = Game("classic", people=("Gwen", "Ana"))
    game.do("Gwen", "board size", size="8x8")
    draw(game, "D4", shape="disc", to="D5", kind=kind)
    laid = "blocked" if kind == "solid" else kind
    assert dict(game.state.board.terrain) == dict.fromkeys(["C3", "D3", "E3", "C4", "D4", "E4", "C5", "D5", "E5"], laid)


@pytest.mark.parametrize("shape", ["rect", "room"])
@pytest.mark.parametrize("start", ["B2, C3", "B2; C3", "B2 C3", "B2:C3"])
def test_what_says_its_own_ends_takes_no_other_end(shape: str, start: str) -> None:
    game = Game("classic", people=("Gwen", "Ana"))
    game.do("Gwen", "board size", size="8x8")
    with pytest.raises(Malformed) as refused:
        draw(game, start, shape=shape, to="E5")
    assert refused.value.instead == "For example from:B2:D3, F5:G6 without to."
    assert not game.state.board.terrain
    assert not game.state.board.edges


def test_the_log_says_from_where_to_where_a_wall_leads() -> None:
    game = Game("classic", people=("Gwen", "Ana"))
    game.do("Gwen", "board size", size="12x15")
    draw(game, "I10.", shape="wall", to="K14.")
    assert game.lines("Ana")[-1] == "Drawn: wall I10. to K14."
