"""A board takes no more than it may hold, by whatever command, and what is too much can be taken away. Rule: G-06."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.maps.file import map_file
from rules.core.maps.half_off import WAYS, best_way, moved_walls
from rules.core.maps.imports import read_map
from rules.core.maps.uvtt import uvtt_file
from rules.core.space.board import Board, EdgeKind, Wall
from rules.core.space.cells import Cell, edge_name
from rules.errors import Malformed
from tests.rules.board.boards import draw
from tests.rules.table import Game

A_LINE: dict[str, Any] = {"from": "A64.", "to": "C63.", "shape": "wall"}


def slanted(count: int) -> tuple[Wall, ...]:
    return tuple(
        Wall(points=(at % 60 * 64, at // 60 * 64, at % 60 * 64 + 70, at // 60 * 64 + 30)) for at in range(count)
    )


def walled(count: int) -> dict[str, EdgeKind]:
    places: list[tuple[Cell, Cell]] = [((at % 60, at // 60), (at % 60 + 1, at // 60)) for at in range(count)]
    return {edge_name(one, other): "wall" for one, other in places}


def laid(**held: Any) -> Game:
    game = Game("classic")
    game.do("Gwen", "map use", document=Board(width=64, height=64, **held).model_dump(mode="json"))
    return game


@pytest.mark.parametrize(
    ("held", "verb", "given", "told"),
    [
        (
            {"walls": slanted(1000)}, "map draw", A_LINE,
            "That would be 1,001 walls at an angle. A board can have 1,000 at most: kind:none removes some.",
        ),
        (
            {"walls": slanted(999)}, "map draw", {**A_LINE, "hidden": True}, "",
        ),
        (
            {"walls": slanted(1000)}, "map draw", {**A_LINE, "kind": "door", "hidden": True},
            "That would be 1,001 walls at an angle. A board can have 1,000 at most: kind:none removes some.",
        ),
        (
            {"edges": walled(3000)}, "map draw", {"shape": "edge", "from": "A64/B64"},
            "That would be 3,001 walls. A board can have 3,000 at most: kind:none removes some.",
        ),
        (
            {}, "board terrain", {"cells": "A1:AN8", "kind": "door"},
            "That would be 320 doors. A board can have 300 at most: kind:open removes some.",
        ),
        (
            {"texts": {f"{column}{row}": f"{column}{row}" for column in "ABCDE" for row in range(1, 41)}},
            "board terrain", {"cells": "H1", "text": "Altar"},
            "That would be 201 places. A board can have 200 at most: kind:open removes some.",
        ),
    ],
    ids=["angle", "hidden", "secret-door", "edges", "doors", "places"],
)  # fmt: skip
def test_what_is_more_than_a_board_may_hold_is_refused_with_what_takes_some_away(
    held: dict[str, Any], verb: str, given: dict[str, Any], told: str
) -> None:
    game = laid(**held)
    if told:
        assert str(game.refused("Gwen", verb, **given)) == told
    else:
        game.do("Gwen", verb, **given)


def test_a_board_of_an_older_version_that_holds_more_can_be_made_smaller() -> None:
    game = laid(walls=slanted(1002), doors={f"{column}{row}": "closed" for column in "BCDEFGH" for row in range(1, 45)})
    draw(game, "A1:C2", shape="rect", kind="none")
    draw(game, "A1:C2", shape="rect", kind="low")
    game.do("Gwen", "board terrain", cells="B3", kind="open")
    assert "1,003 walls at an angle" in str(game.refused("Gwen", "map draw", **A_LINE))
    assert "doors" in str(game.refused("Gwen", "board terrain", cells="J1", kind="door"))


def test_a_file_with_as_many_walls_as_a_board_may_hold_is_drawn_on_no_further_and_read_back() -> None:
    board = Board(width=64, height=64, walls=slanted(1000))
    assert read_map(map_file("Maze", board)).board.walls == board.walls
    with pytest.raises(Malformed, match="1,001 walls at an angle") as refused:
        read_map(map_file("Maze", board.evolve(walls=slanted(1001))))
    assert refused.value.instead == "A board can have 1,000 at most."


def test_a_part_is_not_taken_of_the_referees_own_maps_which_says_what_can_be_parted() -> None:
    board = Board(width=4, height=4, walls=slanted(1))
    with pytest.raises(Malformed) as refused:
        read_map(map_file("Maze", board), part="A1:B2")
    assert "/map export as:uvtt" in (refused.value.instead or "")
    assert read_map(uvtt_file(board), part="A1:B2").board.width == 2


def test_a_way_to_move_the_walls_that_makes_too_many_of_them_is_not_offered() -> None:
    off = tuple(Wall(points=(64 * at + 32, 32, 64 * at + 32, 64 * 63 + 32)) for at in range(63))
    board = Board(width=64, height=64, walls=off)
    assert best_way(board) == ("down", 63)
    for way in WAYS:
        if "down" not in way and "up" not in way:
            with pytest.raises(Malformed, match="That would be"):
                moved_walls(board, way)
    assert best_way(board.evolve(walls=off[:40])) is not None
