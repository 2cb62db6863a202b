"""A way that meets what only the GM knew ends before it, and shows it; what is left of the movement is not spent."""

from __future__ import annotations

from string import ascii_uppercase
from typing import Any

import pytest

from tests.rules.beacon.rounds import RAY, at_release, brawl, pools, scene, to_phase
from tests.rules.kit.reacting import table as reacting
from tests.rules.stones.field import field
from tests.rules.table import Game
from tests.rules.tactics.scene import board as lay_out
from tests.rules.tactics.scene import duel


def hidden(game: Game, start: str, **given: Any) -> None:
    game.do("Gwen", "map draw", **{"from": start, "hidden": True, **given})


def walker(cell: str = "A1") -> Game:
    game = Game("classic", people=("Gwen", "Ana"))
    game.do("Gwen", "board size", size="8x6")
    game.do("Ana", "join", name="Pip", result=9)
    game.do("Gwen", "gm set", target="Pip", pool="SPEED", value="6")
    game.do("Gwen", "board place", target="Pip", cells=cell)
    game.do("Gwen", "encounter begin")
    return game


def wall_before_rhea(wall: str, phase: str, *, width: int = 18) -> Game:
    """A hidden wall on a board of five rows, Rhea in one corner and the Ogre in the other; it is that phase."""
    game = scene()
    game.do("Gwen", "board size", size=f"{width}x5")
    game.do("Gwen", "board place", target="Rhea, Ogre", cells=f"A1, {ascii_uppercase[width - 1]}5")
    hidden(game, wall, shape="edge")
    to_phase(game, phase)
    return game


def test_a_hidden_wall_stops_a_way_before_it_and_everybody_sees_it_then() -> None:
    game = walker()
    hidden(game, "C1:C6/E", shape="edge")
    game.do("Ana", "board move", to="A1 B1 C1 D1 E1")
    assert game.state.combatant("Pip").cell == "C1"
    assert game.state.board.edges == {"C1/D1": "wall"}
    assert len(game.state.board.unseen.edges) == 5
    assert "Pip meets a hidden wall at C1/D1 on the way to D1." in game.said("Ana")
    assert game.state.free_moves["Pip"].spaces == 2
    game.do("Ana", "board move", to="B1")
    assert game.state.combatant("Pip").cell == "B1"


def test_a_hidden_pit_stops_a_way_and_is_named_and_nothing_is_spent_if_no_step_is_free() -> None:
    game = walker()
    hidden(game, "B1", shape="rect", kind="hazard", text="Pit trap")
    game.do("Ana", "board move", to="A1 B1 C1")
    assert game.state.combatant("Pip").cell == "A1"
    assert "Pip meets Pit trap at B1 on the way to B1." in game.said("Ana")
    assert game.state.board.texts == {"B1": "Pit trap"}
    assert "Pip" not in game.state.free_moves


@pytest.mark.parametrize(
    ("wall", "door", "met"),
    [
        ({"start": "C1:C6/E", "shape": "edge"}, {"start": "C1/D1", "shape": "edge"}, "a hidden wall at C1/D1"),
        ({"start": "D1:D6", "shape": "rect", "kind": "solid"}, {"start": "D1", "shape": "rect"}, "a hidden wall at D1"),
        (
            {"start": "D1.", "shape": "wall", "to": "D7."},
            {"start": "D1.", "shape": "wall", "to": "D2."},
            "a hidden wall at C1",
        ),
        (
            {"start": "D1.", "shape": "wall", "to": "E7."},
            {"start": "D1.", "shape": "wall", "to": "E7."},
            "a hidden wall",
        ),
    ],
)
def test_somebody_who_meets_the_secret_door_of_a_hidden_wall_meets_a_wall(
    wall: dict[str, str], door: dict[str, str], met: str
) -> None:
    game = walker()
    hidden(game, **wall)
    hidden(game, kind="door", **door)
    (place,) = game.state.board.unseen.doors
    game.do("Ana", "board move", to="A1 B1 C1 D1 E1")
    assert f"Pip meets {met}" in game.said("Ana")
    assert game.state.combatant("Pip").cell == "C1"
    assert not game.state.board.doors
    assert place in game.state.board.unseen.doors
    game.do("Gwen", "board door", at=place, do="reveal")
    game.do("Gwen", "board door", at=next(iter(game.state.board.doors)), do="open")
    game.do("Ana", "board move", to="D1")
    assert game.state.combatant("Pip").cell == "D1"


@pytest.mark.parametrize("shape", [{"to": "D7.", "start": "D1."}, {"to": "E7.", "start": "C1."}])
def test_a_hidden_wall_at_an_angle_stops_a_way(shape: dict[str, str]) -> None:
    game = walker()
    hidden(game, shape["start"], shape="wall", to=shape["to"])
    game.do("Ana", "board move", to="A1 B1 C1 D1 E1 F1")
    assert game.state.combatant("Pip").cell in ("B1", "C1")
    assert len(game.state.board.walls) == 1


@pytest.mark.parametrize(
    ("start", "shape", "at"),
    [
        ("C1:C6/E", {"shape": "edge"}, "C1/D1"),
        ("D1:D6", {"shape": "rect", "kind": "hazard"}, "D1"),
        ("D1.", {"shape": "wall", "to": "D7."}, "C1:D1"),
    ],
)
def test_the_gms_own_creature_is_refused_the_way_and_nothing_shows(start: str, shape: dict[str, str], at: str) -> None:
    game = walker("H6")
    game.do("Gwen", "add", name="Ogre", result=20)
    game.do("Gwen", "board place", target="Ogre", cells="A1")
    hidden(game, start, **shape)
    before = game.state.board
    game.do("Gwen", "gm turn", target="Ogre")
    refused = game.refused("Gwen", "board move", to="A1 B1 C1 D1", character="Ogre", rule="G-06")
    assert "There is something hidden between C1 and D1" in refused.reason
    assert game.state.board == before
    assert refused.instead == f"Go another way, or reveal it with /board door at:{at} do:reveal."
    game.do("Gwen", "board door", at=at, do="reveal")
    assert game.state.board != before


def test_what_is_hidden_and_bars_nothing_stops_nobody() -> None:
    game = walker()
    hidden(game, "C1", shape="rect", kind="difficult")
    hidden(game, "D1", shape="rect", kind="named", text="Stash")
    game.do("Ana", "board move", to="E1")
    assert game.state.combatant("Pip").cell == "E1"
    assert game.state.board.unseen.texts == {"D1": "Stash"}


def test_a_movement_of_tactics_and_of_stones_stops_too_and_one_that_takes_no_step_is_not_spent() -> None:
    game = duel()
    lay_out(game, Rhea="C4", Ogre="J10")
    hidden(game, "D4/E4", shape="edge")
    game.do("Ana", "move", using="Walk", to="D4 E4 F4")
    assert game.state.combatant("Rhea").cell == "D4"
    assert game.state.current == "Rhea"  # what is left of the Walk is not spent
    assert game.legal("Rhea") == ("move", "skip")
    rest = game.state.combatant("Rhea").number("SPD") - 1
    refused = game.refused("Ana", "move", to="A10", rule="TA-08")
    assert f"Walk can cover {rest}" in refused.reason
    game.do("Ana", "move", to="D5")
    assert game.state.combatant("Rhea").cell == "D5"
    assert "Rhea" in game.state.done
    game = field(Ayla="A1")
    hidden(game, "A1/B1", shape="edge")
    game.do("Ana", "move", to="B1 C1")
    assert game.state.combatant("Ayla").cell == "A1"
    game.do("Ana", "move", to="A2 B2")
    assert game.state.combatant("Ayla").cell == "B2"


def test_in_stones_what_is_left_of_a_movement_that_a_hidden_wall_ends_may_still_be_moved() -> None:
    game = field(Ayla="A1")
    most = game.state.combatant("Ayla").number("MOV")
    hidden(game, "B1/C1", shape="edge")
    game.do("Ana", "move", to="B1 C1")
    assert game.state.combatant("Ayla").cell == "B1"
    assert game.state.spared == most - 1
    refused = game.refused("Ana", "move", to="B2 C2 D2 E2 F2 G2", rule="ST-09")
    assert f"you can move {most - 1}" in refused.reason
    game.do("Ana", "move", to="B2")
    game.refused("Ana", "move", to="B3", rule="ST-09")


def test_a_movement_of_beacon_stops_before_a_hidden_wall() -> None:
    game = wall_before_rhea("B1:B5/E", "skirmish", width=8)
    game.do("Ana", "move", to="B1 C1 D1")
    assert game.state.combatant("Rhea").cell == "B1"
    assert game.state.board.edges == {"B1/C1": "wall"}


@pytest.mark.parametrize("cells", ["B1 C1 D1", "B2 C1"])
def test_in_beacon_what_is_left_of_a_movement_that_a_hidden_wall_ends_may_still_be_moved(cells: str) -> None:
    game = wall_before_rhea("B1:B5/E", "reposition")
    speed = game.state.combatant("Rhea").number("SPEED")
    game.do("Ana", "move", to=cells)
    answer(game)
    refused = game.refused("Ana", "move", to="B1 B2 B3 B4 B3 B4 B3 B4 B3 B4 B3 B4", rule="BE-04")
    assert f"you can move {speed - 1}" in refused.reason
    game.do("Ana", "move", to="B3")
    answer(game)
    assert game.state.combatant("Rhea").cell == "B3"
    game.refused("Ana", "move", to="B4", rule="BE-04")


def test_in_beacon_a_movement_that_takes_no_step_is_not_spent_and_neither_is_a_rush() -> None:
    game = wall_before_rhea("A1:A5/E", "reposition")
    game.do("Ana", "move", to="B1")
    game.do("Ana", "move", to="A2")
    answer(game)
    hidden(game, "A3:A5/N", shape="edge")
    game.do("Ana", "rush", using="move", to="A3")
    answer(game)
    game.do("Ana", "move", to="A1")
    answer(game)
    assert game.state.combatant("Rhea").cell == "A1"


@pytest.mark.parametrize(
    ("wall", "cell", "left", "back"), [("C1:C12/E", "C1", 2, "B1 C1 B1"), ("A1:A12/E", "A1", 4, "A2 A1 A2 A1 A2")]
)
def test_in_beacon_a_release_whose_movement_a_hidden_wall_ends_waits_for_its_rest(
    wall: str, cell: str, left: int, back: str
) -> None:
    game = at_release(RAY)
    hidden(game, wall, shape="edge")
    game.do("Ana", "release", target="Ogre", to="E1", dice=[])
    assert game.state.combatant("Rhea").cell == cell
    assert pools(game, "Ogre")["HP"] == 20
    assert game.state.phase == "release"
    assert game.waits_for() == ("Rhea",)
    assert any(f"Rhea can still move {left}" in line for line in game.lines("Ana"))
    assert not any("can still move" in line for line in game.lines("Bo"))
    game.do("Gwen", "board place", target="Ogre", cells="A6")
    refused = game.refused("Ana", "release", to=back, target="Ogre", rule="BE-13")
    assert f"you can move {left}" in refused.reason
    game.do("Ana", "release", to="A3", target="Ogre", dice=[(20, 10), (6, 4)])
    assert game.state.combatant("Rhea").cell == "A3"
    assert pools(game, "Ogre")["HP"] == 17
    assert game.state.phase != "release"


def test_in_beacon_what_a_hidden_wall_leaves_of_a_shift_in_anothers_turn_is_moved_freely() -> None:
    game = brawl()
    hidden(game, "C4/C5", shape="edge")
    game.do("Gwen", "fight", character="Ogre", using="Spear", target="Rhea", dice=[])
    game.do("Bo", "react", using="interpose", to="C4", dice=[(20, 10), (6, 3)])
    assert game.state.combatant("Pip").cell == "C5"
    assert any("Pip can still move 2" in line for line in game.lines("Bo"))
    assert not any("can still move" in line for line in game.lines("Ana"))
    game.do("Bo", "board move", to="D5")
    assert game.state.combatant("Pip").cell == "D5"
    refused = game.refused("Bo", "board move", to="D7", rule="G-06")
    assert "you can move 1" in refused.reason


def answer(game: Game) -> None:
    for question in game.state.questions:
        game.do("Gwen", "let-pass", character=question.who)


def test_in_a_kit_what_is_left_of_a_movement_that_a_hidden_wall_ends_is_moved_freely() -> None:
    game = reacting("")
    game.do("Gwen", "board size", size="9x5")
    game.do("Gwen", "board place", target="Ayla, Ogre", cells="A1, I5")
    hidden(game, "B1:B5/E", shape="edge")
    game.do("Ana", "walk", to="B1 C1 D1")
    assert game.state.combatant("Ayla").cell == "B1"
    assert any("can still move 2" in line for line in game.lines("Ana"))
    refused = game.refused("Ana", "board move", to="B2 B3 B4", rule="G-06")
    assert "you can move 2" in refused.reason
    game.do("Ana", "board move", to="B3")
    assert game.state.combatant("Ayla").cell == "B3"
