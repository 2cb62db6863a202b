"""A door on a line cuts the wall there and bars the way while it is shut; a secret one looks like a wall."""

from __future__ import annotations

import doctest
from typing import Any

import pytest

from rules.core.maps.file import map_file, read_json, read_map_file
from rules.core.reach.ruler import measured
from rules.core.space import line_doors
from rules.core.space.board import Board, Wall
from rules.core.space.line_doors import cut, touches, with_door, without_door
from rules.core.space.sight import lines_between
from rules.core.space.steps import bar_between, step_bars
from tests.rules.table import Game

EMPTY = Board(width=6, height=6, walls=(Wall(points=(96, 0, 96, 384)),))
EAST = 1


def draw(game: Game, start: str, to: str, **given: Any) -> None:
    given |= {"from": start, "to": to, "shape": "wall"}
    game.do("Gwen", "map draw", **given)


def _is_barred(board: Board, column: int, row: int, direction: int) -> bool:
    return bool(step_bars(board)[row * board.width + column] >> direction & 1)


def test_the_examples_of_the_module_hold() -> None:
    assert doctest.testmod(line_doors).failed == 0


def test_a_door_cuts_the_wall_under_it_and_bars_steps_and_sight_while_it_is_shut() -> None:
    shut = with_door(EMPTY, (96, 100, 96, 156), "closed")
    assert [wall.points for wall in shut.walls] == [(96, 0, 96, 100), (96, 156, 96, 384)]
    assert shut.doors == {"Door 1": "closed"}
    assert _is_barred(shut, 0, 1, EAST)
    assert not lines_between(shut, (0, 1), (2, 1)).sight
    opened = shut.evolve(doors={"Door 1": "open"})
    assert lines_between(opened, (0, 1), (2, 1)).sight
    assert without_door(opened, "Door 1").lines == {}


@pytest.mark.parametrize("points", [(60, 0, 60, 64), (96, 400, 96, 500), (0, 0, 64, 64)])
def test_a_wall_elsewhere_is_left_whole(points: tuple[int, int, int, int]) -> None:
    wall = Wall(points=(96, 0, 96, 384))
    assert cut(wall, points) == (wall,)


def test_a_door_on_an_edge_of_the_grid_is_called_by_it_and_takes_the_wall_there_away() -> None:
    board = with_door(Board(width=4, height=4, edges={"A1/B1": "wall"}), (64, 0, 64, 64), "open", "Gate")
    assert (board.doors, board.edges, board.names) == ({"A1/B1": "open"}, {}, {"A1/B1": "Gate"})


def test_a_file_holds_doors_on_lines_and_notes_and_is_read_back_byte_for_byte() -> None:
    board = with_door(EMPTY, (96, 100, 96, 156), "locked", "Vault")
    board = with_door(board, (200, 10, 230, 60), "closed", hidden=True).evolve(notes={"Altar": "It is hollow."})
    text = map_file("Deep", board)
    name, read = read_map_file(read_json(text))
    assert map_file(name, read) == text
    assert read.unseen.doors == {"Secret door 1": "closed"}
    assert Wall(points=(200, 10, 230, 60)) in read.walls
    assert Wall(points=(200, 10, 230, 60)) not in read.whole.walls


def test_at_the_table_a_door_on_a_line_is_drawn_named_opened_measured_and_taken_away() -> None:
    game = Game("tactics")
    game.do("Gwen", "board size", size="6x6")
    draw(game, "B1.", "C3.", kind="door")
    assert game.state.board.doors == {"Door 1": "closed"}
    assert "Doors between: Door 1 (closed)." in measured(game.state, game.seat("Gwen"), "B2", "D2")
    assert "Door 1" in bar_between(game.state.board, (1, 1), (2, 1))
    game.do("Gwen", "board door", at="door 1")
    assert game.state.board.doors == {"Door 1": "open"}
    assert "There is no door at" in game.refused("Gwen", "board door", at="A1").reason
    game.do("Gwen", "board size", size="5x5")
    assert game.state.board.lines
    game.do("Gwen", "board door", at="Door 1", do="remove")
    assert game.state.board.lines == {}
    draw(game, "B1.", "C3.", kind="door")
    assert game.state.board.doors == {"Door 2": "closed"}


def test_the_numbers_of_doors_tell_nothing_of_a_secret_one_which_gets_its_number_as_it_comes_to_light() -> None:
    game = Game("tactics")
    game.do("Gwen", "board size", size="6x6")
    draw(game, "B1.", "C3.", kind="door", hidden=True)
    draw(game, "D1.", "E3.", kind="door")
    assert game.state.board.unseen.doors == {"Secret door 1": "closed"}
    assert game.state.board.doors == {"Door 1": "closed"}
    game.do("Gwen", "board door", at="secret door 1", do="reveal")
    assert game.state.board.doors == {"Door 1": "closed", "Door 2": "closed"}
    assert game.state.board.unseen.doors == {}
    assert "A door comes to light: Door 2." in game.said("Ana")


def test_a_hidden_wall_at_an_angle_is_revealed_at_a_cell_that_it_meets() -> None:
    game = Game("tactics")
    game.do("Gwen", "board size", size="6x6")
    draw(game, "B1.", "D3.", hidden=True)
    assert game.state.board.walls == ()
    assert touches(Wall(points=(64, 0, 192, 128)), "C2")
    assert not touches(Wall(points=(64, 0, 192, 128)), "F6")
    game.do("Gwen", "board door", at="C2", do="reveal")
    assert [wall.points for wall in game.state.board.walls] == [(64, 0, 192, 128)]
    assert game.state.board.unseen.walls == ()
