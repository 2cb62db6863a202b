"""Movement and range on the board: orthogonal, through allies, not through opponents."""

from __future__ import annotations

from rules.core.registry import system_of
from tests.rules.stones.field import field
from tests.rules.stones.scene import duel, give


def test_st_09_movement_is_orthogonal_and_up_to_mov() -> None:
    game = field(Ayla="A1")
    game.refused("Ana", "move", rule="ST-09", to="B2 C3")
    game.refused("Ana", "move", rule="ST-09", to="D3")
    game.do("Ana", "move", to="C3")
    assert game.state.combatant("Ayla").cell == "C3"


def test_st_09_one_movement_a_turn_and_what_is_left_over_is_lost() -> None:
    game = field(Ayla="A1")
    game.do("Ana", "move", to="B1")
    refusal = game.refused("Ana", "move", rule="ST-09", to="C1")
    assert str(refusal).startswith("**ST-09** Ayla has already moved this turn.")


def test_st_09_the_way_leads_through_allies_and_not_through_opponents() -> None:
    game = field(Ayla="A1", Ash="B1", Borr="A2")
    game.do("Gwen", "board terrain", cells="B2:B5", kind="blocked")
    game.do("Ana", "move", to="C1")  # through Ash
    game = field(Ayla="A1", Ash="E1", Borr="B1")
    game.do("Gwen", "board terrain", cells="A2:G2", kind="blocked")
    game.refused("Ana", "move", rule="ST-09", to="C1")
    game.refused("Ana", "move", rule="ST-09", to="B1 C1")


def test_st_09_it_does_not_end_on_a_character_save_an_incapacitated_one() -> None:
    game = field(Ayla="A1", Ash="B1", Borr="C1")
    game.refused("Ana", "move", rule="ST-09", to="B1")
    game.refused("Ana", "move", rule="ST-09", to="C1")
    game.do("Gwen", "gm damage", target="Ash", amount="99")
    game.do("Ana", "move", to="B1")


def test_st_09_without_a_board_spaces_up_to_mov_are_counted() -> None:
    game = duel()
    game.do("Ana", "begin")
    game.do("Ana", "activate")
    game.refused("Ana", "move", rule="ST-09", amount=5)
    game.refused("Ana", "move", rule="G-06", to="C4")
    game.do("Ana", "move", amount=4)


def test_st_09_blocked_cells_and_those_off_the_board_are_refused() -> None:
    game = field(Ayla="A1")
    game.do("Gwen", "board terrain", cells="B1", kind="blocked")
    game.refused("Ana", "move", rule="G-06", to="B1")
    game.refused("Ana", "move", rule="G-06", to="Z9")


def test_st_10_range_is_counted_without_diagonals() -> None:
    game = field(Ayla="B2", Borr="C3")
    refusal = game.refused("Ana", "attack", rule="ST-10", target="Borr")
    assert "move first" in str(refusal)
    game.do("Gwen", "gm move", target="Borr", to="C2")
    game.do("Ana", "attack", target="Borr")


def test_st_10_a_target_out_of_range_is_told_by_how_much() -> None:
    game = field(Ayla="B2", Borr="D3")
    game.do("Gwen", "gm add", name="Gate", sheet="KIND object, HP 5")
    game.do("Gwen", "board place", target="Gate", cells="A2")
    assert "Borr is 3 spaces away; Ayla can reach 1. In range: Gate." in str(
        game.refused("Ana", "attack", rule="ST-10", target="Borr")
    )


def test_st_10_one_who_stands_on_no_cell_is_in_range_of_nobody() -> None:
    game = field(Ayla="B2")
    game.do("Gwen", "gm add", name="Gate", sheet="KIND object, HP 5")
    game.do("Gwen", "board place", target="Gate", cells="A2")
    refusal = game.refused("Ana", "attack", rule="ST-10", target="Borr")
    assert "Borr is on no cell of the board. Put them there with /board place target:Borr. In range: Gate." in str(
        refusal
    )
    give(game, "Ana", "Wind 1")
    game.do("Ana", "ability", using="Bolt", target="Borr")  # [Any Range]


def test_st_10_an_empty_board_says_nothing_of_range() -> None:
    game = field()
    game.do("Ana", "attack", target="Borr")


def test_st_10_any_range_ignores_it() -> None:
    game = field(Ayla="A1", Borr="G5")
    give(game, "Ana", "Wind 1")
    game.do("Ana", "ability", using="Bolt", target="Borr", dice=[(100, 50)])
    assert game.state.combatant("Borr").pools["HP"].now == 16


def test_the_picture_shows_reach_and_range_of_the_active_character() -> None:
    game = field(Ayla="A1", Ash="B1", Borr="A3")
    system = system_of(game.state)
    (reach,) = system.reach_cells(game.state, "Ayla")
    assert reach.label == "MOV 4"
    assert "A2" in reach.cells
    assert not reach.cells & {"B1", "A3"}
    (area,) = system.range_cells(game.state, "Ayla")
    assert area.cells == {"B1", "A2"}
    assert system.reach_cells(game.state, "Ash") == ()
