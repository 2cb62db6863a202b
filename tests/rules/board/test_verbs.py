"""`/board size`, `place`, `terrain`, `clear` and `/gm move`, with and without a rule for cells. Rule: G-06."""

from __future__ import annotations

import pytest

from tests.rules.table import Game
from tests.rules.tactics.scene import add


@pytest.fixture
def game() -> Game:
    game = Game("tactics")
    for name in ("Ogre", "Goblin", "Wolf"):
        add(game, name)
    game.do("Gwen", "board size", size="10x8")
    return game


def cells(game: Game) -> dict[str, str | None]:
    return {each.name: each.cell for each in game.state.combatants}


def test_the_board_is_laid_out_and_said(game: Game) -> None:
    assert (game.state.board.width, game.state.board.height) == (10, 8)
    assert game.lines() == ["The board has 10 columns and 8 rows: A1 to J8."]


def test_several_are_placed_one_for_each_cell(game: Game) -> None:
    game.do("Gwen", "board place", target="Ogre, Goblin, Wolf", cells="A1:C1")
    assert cells(game) == {"Ogre": "A1", "Goblin": "B1", "Wolf": "C1"}
    game.refused("Gwen", "board place", target="Ogre, Goblin", cells="A1")


def test_a_token_may_be_larger_than_a_cell_by_its_size_its_square_or_its_sheet(game: Game) -> None:
    game.do("Gwen", "board place", target="Ogre", cells="C3", size="2")
    assert game.state.combatant("Ogre").size == 2
    game.do("Gwen", "board place", target="Wolf", cells="F3:H5")
    assert (game.state.combatant("Wolf").cell, game.state.combatant("Wolf").size) == ("F3", 3)
    game.do("Gwen", "gm add", name="Troll", sheet="INT 0, AGI 0, ATK 0, DEF 9, TIER 1, HP 9, SPD 5, SIZE 2")
    assert game.state.combatant("Troll").size == 2
    game.refused("Gwen", "board place", target="Goblin", cells="A1:B3")
    game.refused("Gwen", "board place", rule="G-06", target="Goblin", cells="D4")
    game.refused("Gwen", "board place", rule="G-06", target="Troll", cells="J8")


def test_if_a_cell_takes_one_creature_others_are_refused_by_name(game: Game) -> None:
    game.do("Gwen", "board place", target="Ogre", cells="C3")
    refusal = game.refused("Gwen", "gm move", rule="G-06", target="Wolf", to="C3")
    assert "Ogre" in str(refusal)
    assert "C4" in (refusal.instead or "")
    classic = Game("classic")
    for name in ("Orc", "Elf"):
        classic.do("Gwen", "add", name=name)
    classic.do("Gwen", "board size", size="5x5")
    classic.do("Gwen", "gm move", target="Orc", to="B2")
    classic.do("Gwen", "gm move", target="Elf", to="B2")
    assert cells(classic) == {"Orc": "B2", "Elf": "B2"}


def test_somebody_who_is_out_lies_in_nobodys_way(game: Game) -> None:
    game.do("Gwen", "board place", target="Ogre", cells="C3")
    game.do("Gwen", "gm damage", target="Ogre", amount="99")
    game.do("Gwen", "gm move", target="Wolf", to="C3")
    assert cells(game)["Wolf"] == "C3"


@pytest.mark.parametrize("to", ["K1", "A9", "Z99", "nowhere", ""])
def test_the_gm_moves_nobody_off_the_board(game: Game, to: str) -> None:
    game.refused("Gwen", "gm move", target="Wolf", to=to)


def test_the_gms_move_provokes_nothing_and_no_wall_stops_it(game: Game) -> None:
    game.do("Gwen", "board terrain", cells="C1:C8", kind="blocked")
    game.do("Gwen", "board place", target="Ogre, Wolf", cells="A1, B1")
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "gm move", target="Wolf", to="J8", dice=[])
    assert cells(game)["Wolf"] == "J8"
    assert game.state.questions == ()
    assert game.lines() == ["Wolf: B1 → J8."]
    assert game.decisions[-1].ruling


def test_terrain_is_difficult_blocked_named_or_open_again(game: Game) -> None:
    game.do("Gwen", "board terrain", cells="A1:B2", kind="difficult", text="Swamp")
    game.do("Gwen", "board terrain", cells="B2", kind="blocked")
    game.do("Gwen", "board terrain", cells="H1", kind="named", text="Altar")
    game.do("Gwen", "board terrain", cells="A2", text="Pool")
    assert game.state.board.terrain == {"A1": "difficult", "B1": "difficult", "A2": "difficult", "B2": "blocked"}
    assert game.state.board.texts == {"A1": "Swamp", "B1": "Swamp", "A2": "Pool", "B2": "Swamp", "H1": "Altar"}
    game.do("Gwen", "board terrain", cells="A1:B2", kind="open")
    assert (dict(game.state.board.terrain), dict(game.state.board.texts)) == ({}, {"H1": "Altar"})


@pytest.mark.parametrize(
    "given",
    [
        {"cells": "A1"},
        {"cells": "A1", "kind": "lava"},
        {"cells": "A1", "kind": "named"},
        {"cells": "", "kind": "blocked"},
        {"cells": "A1:Z9", "kind": "blocked"},
        {"cells": "A1", "kind": "named", "text": "x" * 31},
    ],
)
def test_terrain_that_cannot_be_laid_is_refused(game: Game, given: dict[str, str]) -> None:
    assert game.refused("Gwen", "board terrain", **given).reason


def test_a_smaller_board_drops_what_lies_off_it(game: Game) -> None:
    game.do("Gwen", "board place", target="Ogre, Wolf", cells="B2, J8")
    game.do("Gwen", "board terrain", cells="A1, J1", kind="blocked", text="Rock")
    game.do("Gwen", "board size", size="5x5")
    assert (cells(game)["Ogre"], cells(game)["Wolf"]) == ("B2", None)
    assert game.state.board.terrain == {"A1": "blocked"}
    assert game.state.board.texts == {"A1": "Rock"}
    assert "Wolf is off the board." in game.lines()


def test_clear_takes_tokens_terrain_or_the_whole_board(game: Game) -> None:
    game.do("Gwen", "board place", target="Ogre, Wolf", cells="B2, J8")
    game.do("Gwen", "board terrain", cells="A1:C1", kind="blocked")
    game.do("Gwen", "board clear", target="Ogre", cells="A1:B1")
    assert cells(game)["Ogre"] is None
    assert game.state.board.terrain == {"C1": "blocked"}
    game.refused("Gwen", "board clear", rule="G-06", target="Ogre")
    game.do("Gwen", "board clear")
    assert (game.state.board, cells(game)["Wolf"]) == (None, None)
    for verb in ("board place", "board terrain", "board clear", "gm move"):
        game.refused("Gwen", verb, rule="G-06", target="Wolf", cells="A1", to="A1", kind="blocked")


def test_a_removed_combatant_leaves_the_board(game: Game) -> None:
    game.do("Gwen", "board place", target="Ogre", cells="B2")
    game.do("Gwen", "gm remove", target="Ogre")
    game.do("Gwen", "board place", target="Wolf", cells="B2")
    assert "Ogre" not in cells(game)


def test_the_board_belongs_to_the_gm(game: Game) -> None:
    for verb, given in (("size", {"size": "5x5"}), ("place", {"target": "Ogre", "cells": "A1"}), ("clear", {})):
        game.refused("Ana", f"board {verb}", **given)


def test_a_hidden_combatant_is_placed_unseen(game: Game) -> None:
    game.do("Gwen", "gm add", name="Lurker", sheet="INT 0, AGI 0, ATK 0, DEF 9, TIER 1, HP 9, SPD 5", hidden=True)
    game.do("Gwen", "board place", target="Lurker", cells="A1")
    assert game.lines("Ana") == []
    game.do("Gwen", "board size", size="5x5")
    assert "Lurker" not in game.said("Ana")


def test_every_kind_of_cell_is_laid_solid_is_blocked_and_a_door_gives_way_to_what_is_laid_on_it(game: Game) -> None:
    for cell, kind in (
        ("A1", "solid"),
        ("B1", "low"),
        ("C1", "hazard"),
        ("D1", "window"),
        ("E1", "void"),
        ("F1", "door"),
    ):
        game.do("Gwen", "board terrain", cells=cell, kind=kind)
    board = game.state.board
    assert dict(board.terrain) == {"A1": "blocked", "B1": "low", "C1": "hazard", "D1": "window", "E1": "void"}
    assert dict(board.doors) == {"F1": "closed"}
    game.do("Gwen", "board terrain", cells="F1", kind="named", text="Gate")
    assert dict(game.state.board.doors) == {"F1": "closed"}
    game.do("Gwen", "board terrain", cells="F1", kind="solid")
    assert dict(game.state.board.doors) == {}
    game.do("Gwen", "board terrain", cells="J8", kind="door")
    game.do("Gwen", "board size", size="5x5")
    assert dict(game.state.board.doors) == {}
