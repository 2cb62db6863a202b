"""Names of places in the picture of the board are read whatever else is there (maps 6)."""

from __future__ import annotations

import doctest
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from bot.render.boards import place_names
from bot.render.boards.picture import draw_board
from bot.render.boards.view import BoardView, Token
from rules.core.space.board import Board
from rules.core.space.cells import Cell, parse_cell


def pixels(board: Board, tokens: tuple[Token, ...], numbered: tuple[Cell, ...]) -> Image.Image:
    view = BoardView(title="Hall", board=board, tokens=tokens, numbered=numbered, part="A1:H8")
    return Image.open(BytesIO(draw_board(view))).convert("RGB")


def written(cells: tuple[str, ...], tokens: tuple[Token, ...] = (), numbered: tuple[Cell, ...] = ()) -> int:
    """Return how many pixels the name of a place on these cells changes in the picture."""
    board = Board(width=8, height=8)
    named = board.evolve(texts=dict.fromkeys(cells, "Altar"))
    changed = ImageChops.difference(pixels(board, tokens, numbered), pixels(named, tokens, numbered))
    return sum(changed.convert("L").point(lambda shade: 255 if shade > 12 else 0).histogram()[255:])


def standing(cell: str, size: int = 1) -> Token:
    return Token.model_validate({"name": "Ogre", "label": "O", "cell": parse_cell(cell), "size": size, "side": 1})


@pytest.mark.parametrize(
    ("cells", "tokens", "numbered"),
    [
        (("C4",), (standing("C4"),), ()),
        (("C4", "D4", "C5", "D5"), (standing("C4", 2),), ()),
        (("C4", "D4"), (standing("C4"),), (parse_cell("D4"),)),
        (("C4",), (standing("C4"), standing("C5")), ()),
        (("H8",), (standing("H8"),), ()),
        (("A1",), (), (parse_cell("A1"), parse_cell("A2"))),
    ],
)
def test_the_name_of_a_place_is_hidden_by_no_token_and_no_number(
    cells: tuple[str, ...], tokens: tuple[Token, ...], numbered: tuple[Cell, ...]
) -> None:
    assert written(cells, tokens, numbered) >= 0.85 * written(cells)


def test_the_examples_hold() -> None:
    assert doctest.testmod(place_names).attempted == 1
    assert doctest.testmod(place_names).failed == 0
