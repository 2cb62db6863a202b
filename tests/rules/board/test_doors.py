"""`/board door`: who opens and closes, what is refused, what it does to steps. Rule: G-03, G-06."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.registry import system_of
from rules.core.space.board import Board
from rules.core.space.cells import Cell
from rules.core.space.paths import costs_within
from rules.core.space.steps import at_door
from tests.rules.board.boards import draw
from tests.rules.table import Game


@pytest.fixture
def game() -> Game:
    game = Game("classic")
    game.do("Ana", "join", result=9, dice=[])
    game.do("Bo", "join", result=8, dice=[])
    game.do("Gwen", "board size", size="9x9")
    game.do("Gwen", "board terrain", cells="C1:C9", kind="solid")
    game.do("Gwen", "board terrain", cells="C4", kind="door")
    game.do("Gwen", "gm move", target="Ana", to="B4")
    game.do("Gwen", "gm move", target="Bo", to="A9")
    return game


def costs(game: Game) -> dict[Cell, int]:
    ground = system_of(game.state).ground(game.state, "Ana")
    assert ground is not None
    return costs_within(ground, 20)


def test_a_player_beside_a_door_opens_and_closes_it_and_steps_lead_through(game: Game) -> None:
    assert (3, 3) not in costs(game)
    game.do("Ana", "board door", at="C4")
    assert game.lines() == ["The door C4 is open."]
    assert costs(game)[3, 3] == 2
    game.do("Ana", "board door", at="c4", do="close")
    assert (3, 3) not in costs(game)


def test_a_door_out_of_reach_or_its_lock_is_refused_with_what_would_work(game: Game) -> None:
    assert "None of your characters is next to C4" in str(game.refused("Bo", "board door", rule="G-06", at="C4"))
    game.refused("Ana", "board door", rule="G-03", at="C4", do="lock")
    game.do("Gwen", "board door", at="C4", do="lock")
    refusal = game.refused("Ana", "board door", rule="G-06", at="C4")
    assert str(refusal) == "**G-06** The door C4 is locked. The GM can unlock it with do:unlock."
    assert "is already locked" in game.refused("Ana", "board door", rule="G-06", at="C4", do="close").reason
    game.do("Gwen", "board door", at="C4", do="unlock")
    game.do("Gwen", "encounter options", set="doors=gm")
    game.refused("Ana", "board door", rule="G-03", at="C4")


def test_a_door_is_not_closed_on_somebody_nor_twice_and_an_unknown_one_is_refused_by_those_there_are(
    game: Game,
) -> None:
    game.refused("Gwen", "board door", rule="G-06", at="C4", do="close")
    game.do("Gwen", "board door", at="C4")
    game.do("Gwen", "gm move", target="Ana", to="C4")
    assert "Ana is standing in the door C4" in str(game.refused("Gwen", "board door", rule="G-06", at="C4"))
    assert game.refused("Gwen", "board door", rule="G-06", at="D4").instead == "Doors here: C4."
    game.do("Gwen", "gm move", target="Ana", to="B4")
    game.do("Gwen", "board door", at="C4", do="remove")
    assert game.lines() == ["The door C4 is gone."]
    assert not game.state.board.doors


@pytest.mark.parametrize(
    ("held", "who", "do", "possible"),
    [
        ("open", "Ana", "open", "close"),
        ("closed", "Ana", "close", "open"),
        ("locked", "Ana", "close", ""),
        ("open", "Gwen", "unlock", "close, lock, remove"),
        ("closed", "Gwen", "unlock", "open, lock, remove"),
        ("locked", "Gwen", "lock", "unlock, remove"),
        ("locked", "Gwen", "close", "unlock, remove"),
    ],
)
def test_what_a_door_is_already_is_refused_with_what_this_person_can_do(
    game: Game, held: str, who: str, do: str, possible: str
) -> None:
    if held != "closed":
        game.do("Gwen", "board door", at="C4", do={"open": "open", "locked": "lock"}[held])
    refused = game.refused(who, "board door", rule="G-06", at="C4", do=do)
    assert refused.reason == f"The door C4 is already {held}."
    assert refused.instead == (f"Possible: {possible}." if possible else "Ask the GM.")
    before = game.table
    for way in possible.split(", ") if possible else ():
        game.table = before
        game.do(who, "board door", at="C4", do=way)


def test_an_unknown_way_with_a_door_is_refused_with_the_ways_that_this_person_has(game: Game) -> None:
    assert "Try: open, close." in str(game.refused("Ana", "board door", at="C4", do="burn"))
    assert "lock" in str(game.refused("Gwen", "board door", at="C4", do="burn"))


def test_doors_with_the_same_name_are_named_by_their_places(game: Game) -> None:
    for cell in ("C4/D4", "E4/F4", "E9/F9"):
        draw(game, cell, shape="edge", kind="door", text="Gate")
    before = game.state.board
    refused = game.refused("Gwen", "board door", rule="G-06", at="gate")
    assert refused.reason == "There are 3 doors called Gate."
    assert refused.instead == "Name one by its place: C4/D4, E4/F4, E9/F9."
    assert game.state.board == before
    game.refused("Bo", "board door", rule="G-06", at="Gate")
    game.do("Gwen", "gm move", target="Ana", to="F4")
    game.do("Ana", "board door", at="Gate")  # the one at hand
    assert game.state.board.doors["E4/F4"] == "open"
    game.do("Gwen", "board door", at="E9/F9")
    assert game.lines() == ["The door Gate is open."]


def test_a_door_of_terrain_is_called_by_its_name_and_its_name_goes_with_it(game: Game) -> None:
    cases: list[tuple[str, dict[str, Any]]] = [
        ("board terrain", {"kind": "open"}), ("board clear", {}), ("board terrain", {"kind": "door"}),
    ]  # fmt: skip
    for laid, given in cases:
        game.do("Gwen", "board terrain", cells="C4", kind="door", text="Gate")
        assert (game.state.board.texts, game.state.board.names) == ({}, {"C4": "Gate"})
        game.do("Gwen", "board door", at="Gate")
        assert game.lines() == ["The door Gate is open."]
        game.do("Gwen", laid, cells="C4", **given)
        assert game.state.board.names == {}
    game.do("Gwen", "board door", at="C4")
    assert game.lines() == ["The door C4 is open."]


def test_what_opens_a_door_names_its_place() -> None:
    board = Board(width=6, height=3, doors={"B1/C1": "closed", "B2/C2": "open"}, names={"B1/C1": "Gate"})
    assert at_door(board, "B1/C1") == "Open it with /board door at:B1/C1."


def test_what_opens_a_door_does_so_whatever_a_secret_door_is_called(game: Game) -> None:
    draw(game, "B4/C4", shape="edge", kind="none")
    draw(game, "B5/C5", shape="edge", kind="door", text="Gate")
    draw(game, "E5/F5", shape="edge", kind="door", text="Gate", hidden=True)
    told = at_door(game.state.board, "B5/C5")
    assert told == "Open it with /board door at:B5/C5."
    for who in ("Ana", "Gwen"):
        game.do(who, "board door", at="B5/C5")
    draw(game, "E7/F7", shape="edge", kind="door", text="Hatch")
    here = game.refused("Gwen", "board door", rule="G-06", at="A1").instead
    assert here == "Doors here: B5/C5, C4, E5/F5, Hatch."
    for at in here.removeprefix("Doors here: ").removesuffix(".").split(", "):
        game.do("Gwen", "board door", at=at)


def test_a_cell_without_secrets_is_refused_with_the_secrets_and_their_cells(game: Game) -> None:
    for at, given, told in (
        (None, {}, "Nothing is hidden on this board: /map draw hidden:True hides."),
        ("G5.", {"shape": "wall", "to": "H7."}, "A hidden wall meets F4."),
        ("E5/F5", {"shape": "edge", "kind": "door"}, "You can reveal E5/F5."),
        ("G2", {"shape": "rect", "kind": "hazard", "text": "Pit"}, "You can reveal Pit, E5/F5, G2."),
    ):
        if at is not None:
            draw(game, at, hidden=True, **given)
        refused = game.refused("Gwen", "board door", rule="G-06", at="A1", do="reveal")
        assert refused.instead == told
    before = game.table
    for at in ("Pit", "E5/F5", "G2", "F4"):
        game.table = before
        game.do("Gwen", "board door", at=at, do="reveal")


def test_secret_doors_that_are_called_the_same_are_told_once(game: Game) -> None:
    for cell in ("E4/F4", "E5/F5"):
        draw(game, cell, shape="edge", kind="door", text="Way out", hidden=True)
    game.do("Gwen", "board door", at="Way out", do="reveal")
    assert game.lines("Ana").count("A door comes to light: Way out.") == 1
    assert {*game.state.board.doors} >= {"E4/F4", "E5/F5"}


def test_a_place_means_its_own_door_whatever_another_is_called(game: Game) -> None:
    draw(game, "B6.", shape="wall", to="D7.", kind="door")
    draw(game, "E4/F4", shape="edge", kind="door", text="Door 1")
    game.do("Gwen", "board door", at="Door 1")
    assert (game.state.board.doors["Door 1"], game.state.board.doors["E4/F4"]) == ("open", "closed")
