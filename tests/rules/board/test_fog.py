"""Fog: each side sees what its tokens see, remembers what it saw, and knows no more. Rule: G-06."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.board.fog import as_known, as_seen, seen_now
from rules.core.space.cells import names_of
from rules.core.values import Seat
from rules.core.views.whole import public_actions
from tests.rules.beacon.rounds import scene, to_phase
from tests.rules.board.boards import ROOMS, delve, draw, known, unknown
from tests.rules.table import Game
from tests.rules.tactics.scene import duel


def test_a_side_knows_its_own_room_and_the_walls() -> None:
    game = delve()
    dark = unknown(game, "Ana")
    assert "B2" not in dark
    assert "A1" not in dark
    assert "E4" not in dark
    assert {"F2", "G4", "I4", "G1"} <= dark
    assert known(game, "Ana").combatant("Ogre").cell is None
    assert known(game, "Ana").out_of_sight == ("Ogre",)
    assert known(game, "Gwen") is game.state
    assert unknown(game, "Bo") == dark  # who plays nobody knows what all sides with a player know


def test_without_fog_everybody_knows_the_board() -> None:
    game = delve("")
    assert known(game, "Ana") is game.state
    assert game.state.seen == {}


def test_what_was_seen_is_remembered_without_its_people() -> None:
    game = delve()
    game.do("Gwen", "board terrain", cells="E4", kind="door")
    game.do("Gwen", "board place", target="Pip", cells="D4")
    game.do("Gwen", "board door", at="E4", do="open")
    assert known(game, "Ana").combatant("Ogre").cell == "G4"
    game.do("Gwen", "board place", target="Pip", cells="D2")
    seen = known(game, "Ana")
    assert seen.combatant("Ogre").cell is None
    assert "G4" in seen.board.remembered
    assert "G4" not in unknown(game, "Ana")


def test_an_unseen_change_is_remembered_as_it_was_until_the_side_looks() -> None:
    game = delve()
    game.do("Gwen", "board terrain", cells="C4", kind="door")
    game.do("Gwen", "board terrain", cells="C5", kind="solid")
    game.do("Gwen", "board place", target="Pip", cells="G2")
    before = known(game, "Ana").board
    assert before.doors == {"C4": "closed"}
    game.do("Gwen", "board door", at="C4", do="open")
    game.do("Gwen", "board terrain", cells="C5", kind="difficult", text="Rubble")
    draw(game, "B2/B3", shape="edge", kind="wall")
    assert known(game, "Ana").board == before
    game.do("Gwen", "board place", target="Pip", cells="D4")
    assert known(game, "Ana").board.doors == {"C4": "open"}
    assert known(game, "Ana").board.texts == {"C5": "Rubble"}
    assert game.state.recalled["Heroes"].keys() <= {"B2/B3"}


def test_walls_and_doors_at_an_angle_stay_as_remembered_until_they_are_seen_piece_by_piece() -> None:
    game = delve()
    draw(game, "B3.", shape="wall", to="E6.", kind="low")
    draw(game, "B6.", shape="wall", to="D7.", kind="door", text="Gate")
    game.do("Gwen", "board place", target="Pip", cells="G2")
    before = known(game, "Ana").board
    assert before.names == {"Door 1": "Gate"}
    draw(game, "B3.", shape="wall", to="E6.", kind="none")
    draw(game, "C2.", shape="wall", to="E4.", kind="low")
    game.do("Gwen", "board door", at="Gate", do="open")
    draw(game, "B6.", shape="wall", to="D7.", kind="none")
    after = known(game, "Ana").board
    assert drawn(after) == drawn(before)
    assert (after.doors, after.names, after.lines) == (before.doors, before.names, before.lines)
    game.do("Gwen", "board terrain", cells="D5", kind="solid")
    game.do("Gwen", "board place", target="Pip", cells="B2")  # sees the upper part of the room, and no more of it
    part = known(game, "Ana").board
    assert drawn(part) & drawn(game.state.board)
    game.do("Gwen", "board terrain", cells="D5", kind="open")
    game.do("Gwen", "board place", target="Pip", cells="B6")
    game.do("Gwen", "board place", target="Pip", cells="D5")
    assert drawn(known(game, "Ana").board) == drawn(game.state.board)
    assert known(game, "Ana").board.doors == {}
    assert not game.state.recalled.get("Heroes")


def drawn(board: Any) -> set[tuple[int, int, int]]:
    """Return the walls of a board as the points halfway between the sides of each cell that they cross, and kinds."""
    found = set()
    for wall in board.walls:
        x, y, to_x, to_y = wall.points
        count = max(abs(to_x - x), abs(to_y - y))
        for number in range(8, count, 16):
            found.add((round((x + (to_x - x) * number / count) / 8), round((y + (to_y - y) * number / count) / 8), 0))
    return found


def test_another_map_is_seen_anew_and_the_last_one_as_it_was() -> None:
    game = delve()
    seen, board = dict(game.state.seen), game.state.board
    other = board.evolve(terrain={"B3": "difficult", "G4": "low"})
    game.do("Gwen", "map use", document=other.model_dump(mode="json", exclude_defaults=True), name="Hall")
    assert game.state.recalled == {}
    assert known(game, "Ana").board.terrain.get("B3") == "difficult"
    game.do("Gwen", "board place", target="Pip", cells="A1")
    last = board.model_dump(mode="json", exclude_defaults=True)
    game.do("Gwen", "map use", document=last, name="last", seen=seen)
    assert "D6" not in unknown(game, "Ana")
    assert "G4" in unknown(game, "Ana")


def test_one_who_came_before_the_map_starts_with_their_side_and_the_unseen_out_of_sight() -> None:
    game = Game("classic", "fog=sight", people=("Gwen", "Ana", "Bo"))
    game.do("Ana", "join", name="Pip", result=9, side="Heroes")
    game.do("Gwen", "add", name="Ogre", result=5, side="Foes")
    walls = dict.fromkeys(("B1", "B2"), "blocked")
    document = {"width": 3, "height": 2, "terrain": walls, "starts": {"Heroes": ["A1"]}, "stands": {"Ogre": ["C2"]}}
    game.do("Gwen", "map use", document=document, name="Cell")
    assert game.state.combatant("Pip").cell == "A1"
    assert "Ogre stands out of sight." in game.lines("Ana")
    assert "Ogre stands on C2." in game.lines("Gwen")


def test_seen_cells_are_state_and_an_undone_step_takes_them_back() -> None:
    game = delve()
    before = dict(game.state.seen)
    game.do("Gwen", "board place", target="Pip", cells="G2")
    assert game.state.seen != before


def test_two_sides_of_players_know_apart_and_everybody_what_both_know() -> None:
    game = delve()
    game.do("Bo", "join", name="Kit", result=3, side="Rogues")
    game.do("Gwen", "board place", target="Kit", cells="G6")
    assert known(game, "Bo").combatant("Ogre").cell == "G4"
    assert known(game, "Ana").combatant("Ogre").cell is None
    assert as_known(game.state).combatant("Kit").cell is None
    assert as_known(game.state).combatant("Pip").cell is None
    assert as_known(game.state, ("Heroes", "Rogues")).out_of_sight == ()


def test_a_wall_at_an_angle_is_known_as_far_as_it_touches_cells_that_are_seen() -> None:
    game = delve()
    draw(game, "C4.", shape="wall", to="H5.", kind="low")
    walls = known(game, "Ana").board.walls
    assert walls
    assert max(max(wall.points[0], wall.points[2]) for wall in walls) <= 5 * 64
    assert len(game.state.board.walls) == 1


def test_the_gm_reveals_and_hides_rooms() -> None:
    game = delve("fog=gm")
    assert "C3" in unknown(game, "Ana")
    assert "B2" not in unknown(game, "Ana")  # one's own cell
    game.do("Gwen", "board fog", do="reveal", cells="room C4")
    dark = unknown(game, "Ana")
    assert {"C3", "D6", "A1", "E5"}.isdisjoint(dark)
    assert "F4" in dark
    game.do("Gwen", "board fog", do="hide", cells="C3")
    assert "C3" in unknown(game, "Ana")
    game.do("Gwen", "board fog", do="reset")
    assert "D6" in unknown(game, "Ana")


def test_lifting_the_fog_shows_no_trap_and_the_same_again_does() -> None:
    game = delve("fog=gm")
    draw(game, "C4", shape="rect", kind="hazard", text="Pit", hidden=True)
    game.do("Gwen", "board fog", do="reveal", cells="room C4")
    assert game.state.board.unseen.texts == {"C4": "Pit"}
    game.do("Gwen", "board fog", do="reveal", cells="C4")
    assert game.state.board.texts == {"C4": "Pit"}


def test_fog_needs_the_option_and_says_so() -> None:
    game = delve("")
    refused = game.refused("Gwen", "board fog", do="reveal", cells="C4", rule="G-06")
    assert "fog=sight" in (refused.instead or "")


@pytest.mark.parametrize("system", ["tactics", "beacon"])
def test_no_public_button_tells_what_an_unseen_creature_does_or_its_target(system: str) -> None:
    """If nobody knows a creature's place, nobody knows whose reach it enters or leaves."""
    game = duel("fog=sight") if system == "tactics" else scene("fog=sight")
    game.do("Gwen", "board size", size="9x7")
    game.do("Gwen", "board terrain", cells=ROOMS, kind="solid")
    game.do("Gwen", "board place", target="Rhea", cells="B2")
    game.do("Gwen", "board place", target="Ogre", cells="G4")
    if system == "tactics":
        game.do("Gwen", "skip", character="Rhea")
    else:
        to_phase(game, "brawl")
        for name in ("Ana", "Bo"):
            game.do(name, "pass-phase")
    assert "Ogre" in game.waits_for()
    assert "Ogre" in as_known(game.state).out_of_sight
    labels = [whole.label for whole in public_actions(game.table, "Ogre")]
    assert labels
    assert not any(name in label for label in labels for name in ("Rhea", "Pip"))


def test_who_moves_unseen_is_said_without_a_place() -> None:
    game = delve()
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "gm turn", target="Ogre")
    game.do("Gwen", "board move", to="G5", character="Ogre")
    said = game.said("Ana")
    assert "Ogre moves unseen." in game.said("Ana")
    assert "G5" not in said
    assert "G5" in game.said("Gwen")


def test_a_way_that_meets_something_unseen_stops_before_it_and_tells_the_side_alone() -> None:
    game = delve("fog=gm")
    game.do("Bo", "join", name="Kit", result=3, side="Rogues")
    game.do("Gwen", "board place", target="Kit", cells="G6")
    game.do("Gwen", "board terrain", cells="B4", kind="solid")
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "gm turn", target="Pip")
    game.do("Ana", "board move", to="B3 B4")
    assert game.state.combatant("Pip").cell == "B3"
    assert "B4" not in unknown(game, "Ana")
    assert "Pip meets a wall at B4 on the way to B4." in game.said("Ana")
    assert not any("B4" in line for line in game.lines("Bo"))


def test_a_player_cannot_name_somebody_in_an_area_that_fog_hides() -> None:
    game = delve()
    game.do("Gwen", "encounter begin")
    refused = game.refused("Ana", "gm damage", target="burst 2 at G4", amount=1)
    assert "Ogre" not in f"{refused.reason} {refused.instead}"


@pytest.mark.parametrize("cells", ["C3", "A1:I7"])
def test_bits_of_cells_are_read_back(cells: str) -> None:
    from rules.core.space.board import parse_cells
    from rules.core.space.known_board import bits_of, cells_of_bits

    board = delve().state.board
    found = frozenset(parse_cells(cells, board))
    assert cells_of_bits(board, bits_of(board, found)) == found


def test_seen_now_holds_what_the_lines_see() -> None:
    game = delve()
    assert "D6" in names_of(seen_now(game.state, "Heroes"))
    assert as_seen(game.state, Seat()).board == known(game, "Ana").board
