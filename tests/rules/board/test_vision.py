"""Sight and cover, as attacks, ranges and threats ask for them. Rule: G-06, TA-11, TA-12."""

from __future__ import annotations

import pytest

from rules.core.board.fog import seen_now
from rules.core.reach.ruler import measured
from rules.core.reach.vision import cover_words, lines_of, sees, sees_cell
from rules.core.space.cells import cell_name
from rules.systems.tactics.movement import watched_cells
from tests.rules.stones.scene import duel
from tests.rules.table import Game
from tests.rules.tactics.scene import ability, add, two_d6

BOW = ability("Bow", range="9", damage="1d6")


def walled(options: str = "") -> Game:
    """Rhea (Ana) with a bow battles on C4; the Ogre is on F4, and a wall with a door on E4 between them."""
    game = Game("tactics", options)
    add(game, "Rhea", owner="Ana", abilities=(BOW,), INT=9)
    add(game, "Ogre")
    game.do("Gwen", "board size", size="9x9")
    game.do("Gwen", "board terrain", cells="E1:E9", kind="solid")
    game.do("Gwen", "board terrain", cells="E4", kind="door")
    game.do("Gwen", "board place", target="Rhea, Ogre", cells="C4, F4")
    game.do("Gwen", "encounter begin", dice=two_d6(6, 6, 1, 1))
    game.do("Gwen", "skip", character="Ogre")
    game.do("Ana", "skip")
    return game


def test_an_attack_on_somebody_who_is_not_seen_is_refused_before_anything_is_rolled() -> None:
    game = walled()
    refusal = game.refused("Ana", "attack", rule="G-06", using="Bow", target="Ogre")
    assert str(refusal) == "**G-06** Rhea can't see Ogre: the door E4 is closed. Possible: nobody."
    game.do("Gwen", "board terrain", cells="E4", kind="solid")
    refusal = game.refused("Ana", "attack", rule="G-06", using="Bow", target="Ogre")
    assert "there is a wall between C4 and F4" in str(refusal)


def test_through_an_open_door_one_attacks_and_with_sight_off_through_walls() -> None:
    game = walled()
    game.do("Gwen", "board door", at="E4")
    game.do("Ana", "attack", using="Bow", target="Ogre", dice=[(6, 1), (6, 1)])
    assert "cover" not in game.lines("Ana")[0]
    game = walled("sight=off")
    game.do("Ana", "attack", using="Bow", target="Ogre", dice=[(6, 1), (6, 1)])


@pytest.mark.parametrize(("options", "said"), [("", True), ("cover=off", False)])
def test_cover_is_said_with_the_attack_unless_the_table_does_not_want_it(options: str, said: bool) -> None:
    game = walled(options)
    game.do("Gwen", "board terrain", cells="E1:E9", kind="open")
    game.do("Gwen", "board terrain", cells="E4", kind="window")
    game.do("Ana", "attack", using="Bow", target="Ogre", dice=[(6, 1), (6, 1)])
    assert ("Ogre has light cover (0 clear, 25 low of 25)." in game.lines("Ana")[0]) is said


def test_sight_reaches_as_far_as_the_option_says_and_neighbours_are_always_within() -> None:
    game = walled("sight_range=2")
    game.do("Gwen", "board door", at="E4")
    assert "it is 3 spaces away, and they can see for 2" in str(
        game.refused("Ana", "attack", rule="G-06", using="Bow", target="Ogre")
    )
    game.refused("Gwen", "encounter options", set="sight_range=far")
    game.do("Gwen", "encounter options", set="sight_range=1")
    game.do("Gwen", "gm move", target="Ogre", to="D4")
    assert sees(game.state, "Rhea", "Ogre")


def test_neighbours_have_no_cover_from_one_another_past_a_corner_either() -> None:
    game = walled()
    game.do("Gwen", "board terrain", cells="E1:E9", kind="open")
    game.do("Gwen", "board terrain", cells="D4", kind="solid")
    game.do("Gwen", "gm move", target="Ogre", to="D5")
    assert lines_of(game.state, "Rhea", "Ogre").cover == "heavy"  # as it would be from afar
    assert cover_words(game.state, "Rhea", "Ogre") == ""


def test_nobody_threatens_a_square_that_they_do_not_see() -> None:
    game = walled()
    assert (3, 3) not in watched_cells(game.state, "Rhea")["Ogre"]
    assert (5, 2) in watched_cells(game.state, "Rhea")["Ogre"]
    game = walled("sight=off")
    assert (4, 3) in watched_cells(game.state, "Rhea")["Ogre"]


def test_a_refusal_in_the_own_movement_names_cells_from_which_the_target_would_be_seen() -> None:
    game = duel(RNG=8)
    game.do("Gwen", "board size", size="9x9")
    game.do("Gwen", "board terrain", cells="C1:C4", kind="solid")
    game.do("Gwen", "board place", target="Ayla, Borr", cells="B4, E4")
    game.do("Gwen", "gm add", name="Gate", sheet="KIND object, HP 5")
    game.do("Gwen", "board place", target="Gate", cells="A9")
    game.do("Ana", "begin")
    game.do("Ana", "activate", character="Ayla")
    refusal = game.refused("Ana", "attack", rule="G-06", target="Borr")
    assert str(refusal).startswith("**G-06** Ayla can't see Borr: there is a wall between B4 and E4. From ")
    assert str(refusal).endswith(" they would.")
    assert not sees(game.state, "Ayla", "Borr")
    cells = str(refusal).partition("From ")[2].removesuffix(" they would.").split(" or ")
    assert 1 <= len(cells) <= 3
    game.do("Ana", "move", to=cells[0])
    assert sees(game.state, "Ayla", "Borr")
    game.do("Ana", "attack", target="Borr", dice=[(100, 50)])


@pytest.mark.parametrize(
    ("options", "roll"),
    [
        ("cover=count", "which counts -2"),
        ("cover=count, cover_light=-4", "which counts -4"),
        ("cover=count, cover_light=disadvantage", "Disadvantage: cover"),
    ],
)
def test_cover_counts_if_the_table_says_so_and_is_named_as_a_source(options: str, roll: str) -> None:
    game = walled(options)
    game.do("Gwen", "board terrain", cells="E1:E9", kind="open")
    game.do("Gwen", "board terrain", cells="E4", kind="window")
    extra = [(12, 1)] if "disadvantage" in options else []
    game.do("Ana", "attack", using="Bow", target="Ogre", dice=[(6, 1), (6, 1), *extra])
    assert roll in game.lines("Ana")[0]


def test_what_cover_does_is_a_number_or_a_word_of_the_system() -> None:
    game = walled()
    assert "disadvantage" in str(game.refused("Gwen", "encounter options", set="cover_light=1-bane"))
    game.refused("Gwen", "encounter options", set="cover_heavy=-21")
    game.refused("Gwen", "encounter options", set="cover_heavy=--2")


def test_somebody_who_stands_between_gives_cover_if_the_table_says_so_and_the_fallen_do_not() -> None:
    game = walled("creatures_cover=on")
    game.do("Gwen", "board terrain", cells="E1:E9", kind="open")
    add(game, "Bo")
    game.do("Gwen", "board place", target="Rhea, Ogre, Bo", cells="A1, E1, C1")
    assert cover_words(game.state, "Rhea", "Ogre") == "light cover (8 clear, 17 low of 25)"
    assert cover_words(game.state, "Ogre", "Rhea") == cover_words(game.state, "Rhea", "Ogre")
    for to in ("Ogre", "E1"):
        told = measured(game.state, game.seat("Ana"), to)
        assert told[2] == "In sight, light cover: 8 clear, 17 low of 25."
    game.do("Gwen", "gm set", target="Bo", pool="HP", value="0")
    assert cover_words(game.state, "Rhea", "Ogre") == ""


def test_what_is_no_sight_does_not_ask_for_it() -> None:
    game = Game("tactics")
    add(game, "Rhea", owner="Ana", abilities=({**BOW, "text": "Finds its way [No  sight]"},), INT=9)
    add(game, "Ogre")
    game.do("Gwen", "board size", size="9x9")
    game.do("Gwen", "board terrain", cells="E1:E9", kind="solid")
    game.do("Gwen", "board place", target="Rhea, Ogre", cells="C4, F4")
    game.do("Gwen", "encounter begin", dice=two_d6(6, 6, 1, 1))
    game.do("Gwen", "skip", character="Ogre")
    game.do("Ana", "skip")
    game.do("Ana", "attack", using="Bow", target="Ogre", dice=[(6, 1), (6, 1)])


@pytest.mark.parametrize("reach", [0, 1, 2, 4])
@pytest.mark.parametrize("size", [1, 2])
def test_all_that_somebody_sees_are_the_cells_that_they_would_see_somebody_on(size: int, reach: int) -> None:
    game = Game("tactics", f"fog=sight, sight_range={reach}")
    add(game, "Rhea", owner="Ana")
    add(game, "Ogre")
    game.do("Gwen", "board size", size="9x9")
    game.do("Gwen", "board place", target="Rhea, Ogre", cells="C4, I9")
    state = game.state
    rhea = state.combatant("Rhea").evolve(size=size)
    board = state.board
    assert board is not None
    walls = dict.fromkeys(("D2/E2", "D3/E3", "E4/F4", "B5/B6", "E6/E7"), "wall")
    others = tuple(each for each in state.combatants if each.name != "Rhea")
    state = state.evolve(board=board.evolve(edges=walls), combatants=(rhea, *others))
    cells = [(x, y) for x in range(9) for y in range(9)]
    asked = {cell for cell in cells if sees_cell(state, "Rhea", cell)}
    assert asked == seen_now(state, rhea.side)
    ogre = state.combatant("Ogre")
    on = {cell: state.evolve(combatants=(rhea, ogre.evolve(cell=cell_name(*cell)))) for cell in cells}
    assert {cell for cell in cells if sees(on[cell], "Ogre", "Rhea")} == asked
