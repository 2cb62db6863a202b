"""`/board move`: one's own token, in one's turn, as far as the sheet says. Rule: G-03, G-06."""

from __future__ import annotations

import pytest

from tests.rules.table import Game
from tests.rules.tactics.scene import duel


def fight(options: str = "", *, begun: bool = True) -> Game:
    game = Game("classic", options)
    game.do("Ana", "join", result=9, dice=[])
    game.do("Bo", "join", result=8, dice=[])
    game.do("Gwen", "board size", size="9x9")
    game.do("Gwen", "board terrain", cells="C1:C8", kind="solid")
    game.do("Gwen", "board place", target="Ana, Bo", cells="A1, A9")
    if begun:
        game.do("Gwen", "encounter begin", dice=[])
    return game


def test_a_player_moves_along_a_free_way_in_their_turn_and_the_way_is_told() -> None:
    game = fight()
    game.do("Ana", "board move", to="B3")
    assert game.state.combatant("Ana").cell == "B3"
    assert game.lines() == ["Ana moves: A1 → A2 → B3."]
    assert str(game.refused("Bo", "board move", rule="G-06", to="A8")) == "**G-06** It is not Bo's turn. Now: Ana."
    game.refused("Bo", "board move", rule="G-03", to="A8", character="Ana")
    game.refused("Ana", "board move", rule="G-06", to="C3")


def test_a_turn_has_the_speed_of_the_sheet_in_all_and_the_next_turn_has_it_anew() -> None:
    game = fight()
    game.do("Gwen", "gm set", target="Ana", pool="SPEED", value="4")
    game.do("Ana", "board move", to="A4")
    game.refused("Ana", "board move", rule="G-06", to="A6")
    game.do("Ana", "board move", to="A5")
    game.refused("Ana", "board move", rule="G-06", to="A6")
    game.do("Ana", "next")
    game.do("Bo", "next")
    game.do("Ana", "board move", to="A8")


def test_while_gathering_and_with_the_option_everybody_moves_and_with_off_nobody() -> None:
    game = fight(begun=False)
    game.do("Bo", "board move", to="D9")
    game = fight("free_move=always")
    game.do("Bo", "board move", to="D9")
    game = fight("free_move=off")
    game.refused("Ana", "board move", rule="G-06", to="B3")


def test_a_system_with_a_movement_of_its_own_refuses_and_names_it() -> None:
    game = duel()
    game.do("Gwen", "board size", size="9x9")
    game.do("Gwen", "board place", target="Rhea", cells="A1")
    refusal = game.refused("Ana", "board move", rule="G-06", to="B3")
    assert refusal.instead == "Move with /act action:move."


@pytest.mark.parametrize("cells", ["A1 → C3", "A1 D1"])
def test_a_way_typed_cell_by_cell_is_held_to_the_walls(cells: str) -> None:
    fight().refused("Ana", "board move", rule="G-06", to=cells)
