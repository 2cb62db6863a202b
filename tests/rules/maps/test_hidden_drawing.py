"""What the GM draws hidden is the GM's alone, whatever its shape, until it is revealed (maps 2.3)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.maps.file import map_file, read_json, read_map_file
from rules.core.space.board import Board, Unseen
from rules.errors import Illegal
from tests.rules.table import Game

Given = dict[str, Any]
SHAPES: list[tuple[str, str, Given, str]] = [
    ("rect", "B2", {"to": "C3", "kind": "solid"}, "B2:C3"),
    ("rect", "B2", {"kind": "hazard", "text": "Pit"}, "Pit"),
    ("rect", "B2", {"text": "Cache"}, "Cache"),
    ("rect", "F6", {"kind": "hazard"}, "F6"),
    ("room", "B2", {"to": "C3"}, "A1:E5"),
    ("line", "A1", {"to": "C2", "kind": "hazard"}, "A1:C2"),
    ("disc", "D4", {"to": "E4", "kind": "low"}, "A1:H8"),
    ("ring", "D4", {"to": "F4", "kind": "void"}, "A1:H8"),
    ("wall", "C4.", {"to": "F6."}, "A1:H8"),
    ("wall", "F6.", {"to": "C4.", "kind": "prop"}, "A1:H8"),
    ("edge", "C4/D4", {"kind": "window"}, "C4/D4"),
    ("edge", "C4:C6/E", {"kind": "curtain"}, "A1:H8"),
    ("edge", "E7/F7", {"kind": "wall"}, "E7"),
]
LAID: list[Given] = [
    {"shape": "rect", "from": "A1", "to": "D4", "kind": "difficult", "text": "Mud"},
    {"shape": "rect", "from": "F6", "kind": "door", "text": "Gate"},
    {"shape": "edge", "from": "C4/D4", "kind": "low"},
    {"shape": "edge", "from": "C5/D5", "kind": "low"},
    {"shape": "edge", "from": "E7/F7", "kind": "door", "text": "Postern"},
    {"shape": "wall", "from": "C4.", "to": "F6.", "kind": "low"},
]


def laid_out(*before: Given) -> Game:
    game = Game("classic", people=("Gwen", "Ana", "Bo"))
    game.do("Gwen", "board size", size="8x8")
    game.do("Ana", "join", name="Pip", result=9)
    for each in before:
        drawn(game, **each)
    return game


def drawn(game: Game, **given: Any) -> None:
    game.do("Gwen", "map draw", **given)


def public(game: Game) -> Board:
    board: Board = game.state.board
    return board.evolve(unseen=Unseen())


@pytest.mark.parametrize("before", [(), LAID], ids=["bare", "laid"])
@pytest.mark.parametrize(("shape", "start", "given", "at"), SHAPES, ids=[f"{each[0]}-{each[3]}" for each in SHAPES])
def test_what_is_drawn_hidden_changes_nothing_for_others_until_it_is_revealed(
    shape: str, start: str, given: Given, at: str, before: tuple[Given, ...]
) -> None:
    game = laid_out(*before)
    was = public(game)
    drawn(game, shape=shape, hidden=True, **{"from": start}, **given)
    whole = game.state.board.whole
    assert public(game) == was
    assert whole.evolve(unseen=Unseen()) != was
    assert game.said("Ana") == ""
    assert read_map_file(read_json(map_file("Crypt", game.state.board)))[1] == game.state.board
    game.do("Gwen", "board door", at=at, do="reveal")
    assert game.state.board == whole.evolve(unseen=Unseen())
    assert "Revealed" in game.said("Ana")


@pytest.mark.parametrize("before", [(), LAID], ids=["bare", "laid"])
@pytest.mark.parametrize(("shape", "start", "given"), [each[:3] for each in SHAPES])
def test_what_is_hidden_is_taken_away_again_and_leaves_the_rest(
    shape: str, start: str, given: Given, before: tuple[Given, ...]
) -> None:
    game = laid_out(*before)
    was = game.state.board
    ends = {key: value for key, value in given.items() if key == "to"}
    for kind in (given, {**ends, "kind": "none"}):
        drawn(game, shape=shape, hidden=True, **{"from": start}, **kind)
    assert game.state.board == was


def test_what_a_hidden_mark_replaces_goes_when_it_is_revealed() -> None:
    game = laid_out(*LAID)
    for shape, at, kind in (("edge", "E7/F7", "wall"), ("rect", "F6", "hazard")):
        drawn(game, shape=shape, hidden=True, kind=kind, **{"from": at})
    assert set(game.state.board.doors) == {"E7/F7", "F6"}
    assert game.state.board.names == {"E7/F7": "Postern", "F6": "Gate"}
    game.do("Gwen", "board door", at="F6:F7", do="reveal")
    assert not game.state.board.doors
    assert not game.state.board.names
    assert (game.state.board.edges["E7/F7"], game.state.board.terrain["F6"]) == ("wall", "hazard")


@pytest.mark.parametrize("hidden", [True, False])
def test_a_secret_door_that_is_taken_away_leaves_nothing_of_itself(hidden: bool) -> None:
    game = laid_out()
    drawn(game, shape="wall", to="F6.", kind="door", hidden=True, **{"from": "C4."})
    assert list(game.state.board.lines) == ["Secret door 1"]
    wall = public(game).walls
    drawn(game, shape="wall", to="F6.", kind="none", hidden=hidden, **{"from": "C4."})
    board = game.state.board
    assert (board.lines, board.unseen) == ({}, Unseen())
    assert board.walls == (wall if hidden else ())  # to others it was a wall, and that is what stays of a hidden one


def test_a_secret_door_on_a_line_that_the_gm_removes_leaves_nothing_of_itself() -> None:
    game = laid_out()
    drawn(game, shape="wall", to="F6.", kind="door", hidden=True, **{"from": "C4."})
    game.do("Gwen", "board door", at="Secret door 1", do="remove")
    assert (game.state.board.lines, game.state.board.unseen) == ({}, Unseen())


IN_HIDDEN_WALLS: list[tuple[Given, Given]] = [
    ({"shape": "room", "from": "B2", "to": "C3"}, {"shape": "edge", "from": "A2/B2"}),
    ({"shape": "rect", "from": "B2", "to": "C3", "kind": "solid"}, {"shape": "rect", "from": "B2"}),
    ({"shape": "rect", "from": "B2", "to": "C3", "kind": "void"}, {"shape": "rect", "from": "C3"}),
    ({"shape": "wall", "from": "C4.", "to": "F7."}, {"shape": "wall", "from": "D5.", "to": "E6."}),
    ({"shape": "wall", "from": "C4.", "to": "F7."}, {"shape": "wall", "from": "E6.", "to": "D5."}),
]


@pytest.mark.parametrize(("wall", "door"), IN_HIDDEN_WALLS)
def test_a_secret_door_in_a_hidden_wall_shows_no_wall_to_others_and_both_come_to_light_together(
    wall: Given, door: Given
) -> None:
    game = laid_out()
    was = public(game)
    drawn(game, hidden=True, **wall)
    drawn(game, hidden=True, kind="door", **door)
    drawn(game, hidden=True, shape="wall", **{"from": "G2.", "to": "H4."})
    assert {**public(game).model_dump(), "lines": {}} == {**was.model_dump(), "lines": {}}
    whole = game.state.board.whole
    (place,) = whole.doors
    assert place not in whole.edges
    assert place not in whole.terrain
    assert not {each.points for each in whole.walls} & {*whole.lines.values()}
    assert read_map_file(read_json(map_file("Crypt", game.state.board)))[1] == game.state.board
    game.do("Gwen", "board door", at="A1:H8", do="reveal")
    shown = game.state.board
    assert shown.unseen == Unseen()
    assert (shown.terrain, shown.edges, {*shown.walls}) == (whole.terrain, whole.edges, {*whole.walls})
    assert "A door comes to light" in game.said("Ana")


def test_the_secret_door_of_a_hidden_wall_is_taken_away_and_the_wall_stays_hidden() -> None:
    for wall, door in IN_HIDDEN_WALLS:
        game = laid_out()
        was = public(game)
        drawn(game, hidden=True, **wall)
        drawn(game, hidden=True, kind="door", **door)
        (place,) = game.state.board.unseen.doors
        game.do("Gwen", "board door", at=place, do="remove")
        assert public(game) == was.evolve(next_door=game.state.board.next_door)
        assert game.state.board.unseen != Unseen()
        assert not game.state.board.whole.doors


def test_what_is_revealed_on_cells_brings_the_secret_doors_at_an_angle_there_too() -> None:
    game = laid_out()
    drawn(game, shape="wall", to="F6.", kind="door", hidden=True, **{"from": "C4."})
    game.refused("Gwen", "board door", at="G1:H8", do="reveal")
    game.do("Gwen", "board door", at="D4", do="reveal")
    assert (game.state.board.doors, game.state.board.unseen) == ({"Door 1": "closed"}, Unseen())
    assert "A door comes to light: Door 1." in game.said("Ana")


@pytest.mark.parametrize("kind", ["none", "open"])
def test_nothing_hidden_is_there_to_be_taken_away(kind: str) -> None:
    game = laid_out({"shape": "rect", "from": "B2", "kind": "solid"})
    with pytest.raises(Illegal, match="That would change nothing at B2"):
        drawn(game, shape="rect", kind=kind, hidden=True, **{"from": "B2"})
