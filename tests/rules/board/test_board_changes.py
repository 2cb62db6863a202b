"""What changes of a board, and what a side remembers of it. Rule: G-06."""

from __future__ import annotations

from rules.core.space.board import Board
from tests.rules.board.boards import draw
from tests.rules.table import Game


def test_a_door_that_opens_changes_nothing_else_of_a_large_map() -> None:
    game = Game("classic")
    game.do("Gwen", "board size", size="64x64")
    game.do("Gwen", "board terrain", cells="A1:BL20, A30:BL60", kind="solid")
    draw(game, "C25:C29/E", shape="edge", kind="door")
    before = game.state.board
    game.do("Gwen", "board door", at="C25/D25")
    assert isinstance(before, Board)
    assert game.state.board == before.evolve(doors={**before.doors, "C25/D25": "open"})


def test_a_larger_board_keeps_its_ground_and_what_was_seen_is_seen_anew() -> None:
    game = Game("classic", "fog=sight")
    game.do("Gwen", "board size", size="60x60")
    game.do("Gwen", "board terrain", cells="A10:BH20, A30:BH60", kind="solid")
    game.do("Ana", "join", name="Pip", result=9, side="Heroes")
    game.do("Gwen", "board place", target="Pip", cells="B2")
    game.do("Gwen", "board size", size="64x62")
    assert (game.state.board.width, game.state.board.height) == (64, 62)
    assert len(game.state.board.terrain) == 60 * 42
    game.do("Gwen", "board size", size="5x5")
    assert game.state.board.terrain == {}


def test_what_a_side_remembers_otherwise_goes_when_it_looks_there() -> None:
    game = Game("classic", "fog=sight")
    game.do("Gwen", "board size", size="9x7")
    game.do("Gwen", "board terrain", cells="E1:E7", kind="solid")
    game.do("Ana", "join", name="Pip", result=9, side="Heroes")
    game.do("Gwen", "board place", target="Pip", cells="G2")
    game.do("Gwen", "board place", target="Pip", cells="B2")
    game.do("Gwen", "board terrain", cells="F1:I7", kind="difficult")
    held = dict(game.state.recalled["Heroes"])
    assert len(held) > 20
    game.do("Gwen", "board terrain", cells="G2", kind="named", text="Well")
    assert set(held) <= set(game.state.recalled["Heroes"])
    game.do("Gwen", "board place", target="Pip", cells="G3")
    assert game.state.recalled["Heroes"] == {}
