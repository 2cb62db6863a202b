"""Fog keeps what a seat may not know from everything that it gets: before anybody came, in exports, in refusals.

Rule: G-06
"""

from __future__ import annotations

import pytest

from rules.core.board.fog import as_seen
from rules.core.values import Seat
from rules.core.views.board_export import board_export
from rules.core.views.view import view_of
from tests.rules.board.boards import ROOMS, delve, draw, known, unknown
from tests.rules.table import Game
from tests.rules.tactics.scene import duel

ALL = 9 * 7


def opened(fog: str) -> Game:
    """Lay out two rooms with the Ogre in one; nobody has joined yet."""
    game = Game("classic", f"fog={fog}", people=("Gwen", "Ana", "Bo"))
    game.do("Gwen", "board size", size="9x7")
    game.do("Gwen", "board terrain", cells=ROOMS, kind="solid")
    game.do("Gwen", "add", name="Ogre", result=5, side="Foes")
    return game


@pytest.mark.parametrize("fog", ["gm", "sight"])
def test_before_anybody_has_joined_everybody_knows_what_the_gm_has_revealed_alone(fog: str) -> None:
    game = opened(fog)
    game.do("Gwen", "board place", target="Ogre", cells="G4")
    assert "G4" not in game.said("Ana")
    assert len(unknown(game, "Ana")) == ALL
    assert as_seen(game.state, Seat()).combatant("Ogre").cell is None
    assert as_seen(game.state, game.seat("Gwen")) is game.state
    game.do("Gwen", "board fog", do="reveal", cells="room G4")
    assert {"G4", "F2", "E4"}.isdisjoint(unknown(game, "Ana"))
    assert "B2" in unknown(game, "Ana")


def test_without_a_player_a_move_on_revealed_cells_is_told_and_another_is_not() -> None:
    game = opened("gm")
    game.do("Gwen", "board fog", do="reveal", cells="C3 C4")
    game.do("Gwen", "board place", target="Ogre", cells="C3")
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "board move", to="C4", character="Ogre")
    assert "C4" in game.said("Ana")
    game.do("Gwen", "board move", to="D5", character="Ogre")
    assert "D5" not in game.said("Ana")
    assert "D5" in game.said("Gwen")


def test_an_export_has_no_unseen_creatures_place_and_no_unknown_cell() -> None:
    game = delve()
    game.do("Gwen", "board terrain", cells="G5", kind="difficult", text="Bog")

    def place(who: str) -> str | None:
        view = view_of(game.table, game.seat(who))
        assert view is not None
        return view.combatants["Ogre"].position

    for who in ("Ana", "Bo"):
        assert place(who) is None
        board = board_export(game.state, game.seat(who))["board"]
        assert board["places"] == {}
        assert "difficult" not in board["cells"]
    assert place("Gwen") == "G4"
    assert board_export(game.state, game.seat("Gwen"))["board"]["places"] == {"Bog": ["G5"]}
    assert set(board_export(game.state, game.seat("Ana"))["board"]["seen"]) == {"Heroes"}
    assert board_export(game.state, game.seat("Bo"))["board"]["seen"] == {}


@pytest.mark.parametrize("system", ["tactics"])
def test_a_target_that_is_not_seen_is_refused_in_the_same_words_near_and_far(system: str) -> None:
    said = set()
    for cell in ("F2", "H6"):
        game = duel("fog=sight")
        game.do("Gwen", "board size", size="9x7")
        game.do("Gwen", "board terrain", cells=ROOMS, kind="solid")
        game.do("Gwen", "board place", target="Rhea", cells="D2")
        game.do("Gwen", "board place", target="Ogre", cells=cell)
        refused = game.refused("Ana", "attack", target="Ogre", character="Rhea")
        said.add(f"{refused.reason} {refused.instead}")
    assert len(said) == 1


@pytest.mark.parametrize("at", ["C6", "Door 1"])
def test_a_door_that_went_unseen_is_refused_as_if_it_were_still_there(at: str) -> None:
    game = delve()
    if at == "C6":
        game.do("Gwen", "board terrain", cells=at, kind="door")
    else:
        draw(game, "B6.", shape="wall", to="D7.", kind="door")
    game.do("Gwen", "board place", target="Pip", cells="G2")
    refused = game.refused("Ana", "board door", at=at, do="open")
    game.do("Gwen", "board door", at=at, do="remove")
    again = game.refused("Ana", "board door", at=at, do="open")
    assert (again.reason, again.instead) == (refused.reason, refused.instead)


def behind_their_back() -> Game:
    """Pip has seen the left room, is in the right one, and a door has been opened and rubble laid behind him."""
    game = delve()
    game.do("Gwen", "board terrain", cells="C4, D2", kind="door")
    game.do("Gwen", "board place", target="Pip", cells="G2")
    game.do("Gwen", "board door", at="C4", do="open")
    game.do("Gwen", "board terrain", cells="C5", kind="named", text="Rubble")
    assert known(game, "Ana").board.doors == {"C4": "closed", "D2": "closed"}
    return game


def test_what_the_gm_lifts_or_lays_fog_over_elsewhere_shows_nothing_of_what_changed_behind_a_sides_back() -> None:
    for do, cells in (("reveal", "H6"), ("hide", "B2")):
        game = behind_their_back()
        game.do("Gwen", "board fog", do="hide", cells="H6")
        game.do("Gwen", "board fog", do=do, cells=cells)
        assert known(game, "Ana").board.doors["C4"] == "closed"
        assert "C5" not in known(game, "Ana").board.texts
        assert known(game, "Gwen").board.doors["C4"] == "open"


def test_what_the_gm_reveals_is_shown_as_it_is_and_what_is_hidden_is_remembered_by_nobody() -> None:
    game = behind_their_back()
    game.do("Gwen", "board fog", do="hide", cells="H6")
    game.do("Gwen", "board fog", do="reveal", cells="H6, C4")
    assert known(game, "Ana").board.doors["C4"] == "open"
    assert "C5" not in known(game, "Ana").board.texts
    game.do("Gwen", "board fog", do="hide", cells="C5")
    assert "C5" in unknown(game, "Ana")
    assert not game.state.recalled.get("Heroes")
    again = behind_their_back()
    again.do("Gwen", "board fog", do="reset")
    assert not again.state.recalled.get("Heroes")


def test_the_last_map_comes_with_what_a_side_remembers_otherwise_and_as_far_as_it_saw() -> None:
    game = behind_their_back()
    game.do("Gwen", "encounter options", set="sight_range=3")
    before = known(game, "Ana").board
    held = {side: {place: list(laid) for place, laid in places.items()} for side, places in game.state.recalled.items()}
    assert held["Heroes"].keys() == {"C4", "C5"}
    document = game.state.board.model_dump(mode="json", exclude_defaults=True)
    for other in ("", "9x7"):
        again = Game("classic", people=("Gwen", "Ana", "Bo"))
        if other:
            again.do("Gwen", "board size", size=other)
            again.do("Gwen", "board terrain", cells="C2:C6", kind="low")
        again.do("Ana", "join", name="Pip", result=9, side="Heroes")
        again.do(
            "Gwen", "map use", document=document, name="last", stood={"Pip": "G2"}, fog="sight", sight_range="3",
            seen=dict(game.state.seen), recalled=held,
        )  # fmt: skip
        assert again.state.combatant("Pip").cell == "G2"
        assert again.state.recalled == game.state.recalled
        assert known(again, "Ana").board.doors == before.doors
        assert "C5" not in known(again, "Ana").board.texts
        assert again.state.options["sight_range"] == "3"


def test_another_map_of_that_size_is_remembered_as_itself() -> None:
    game = behind_their_back()
    seen, board = dict(game.state.seen), game.state.board
    other = board.evolve(doors={}, terrain={**board.terrain, "B3": "low"}, texts={})
    game.do("Gwen", "map use", document=other.model_dump(mode="json"), name="last", seen=seen)
    assert game.state.recalled.get("Heroes", {}) == {}
    assert known(game, "Ana").board.terrain["B3"] == "low"


@pytest.mark.parametrize("system", ["classic", "adventurers", "soulweaver", "stones", "tactics", "beacon"])
def test_how_far_sight_reaches_in_fog_is_an_option_of_every_system(system: str) -> None:
    game = Game(system, "fog=sight, sight_range=2", people=("Gwen", "Ana", "Bo"))
    assert game.state.options["sight_range"] == "2"
    assert "depends" not in "".join(game.lines("Gwen"))
