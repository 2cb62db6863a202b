"""CL-01, CL-02 and CL-04: coming in, ties, and coming in late."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.registry import system_of
from rules.core.values import Seat
from rules.systems.classic.order import bonus_in
from tests.rules.classic.scene import export, fight
from tests.rules.table import Game


def order(game: Game) -> tuple[str, ...]:
    return system_of(game.state).turn_order(game.state)


def test_cl_01_a_bonus_is_added_to_the_roll_and_the_name_is_the_display_name() -> None:
    game = Game()
    game.do("Ana", "join", bonus=3, dice=[(20, 11)])
    assert game.said("Bo") == "Ana: initiative 1d20 (11) + 3 = 14."
    assert export(game)["combatants"]["Ana"]["facts"]["initiative"] == 14


def test_cl_01_a_fixed_result_rolls_nothing() -> None:
    game = Game()
    game.do("Ana", "join", result=17, dice=[])
    assert game.said() == "Ana: initiative 17."


def test_cl_01_several_are_numbered_and_roll_one_by_one() -> None:
    game = Game()
    game.do("Gwen", "add", name="Goblin", dice=[(20, 1), (20, 2), (20, 3), (20, 4)], count=4)
    assert game.state.names == ("Goblin 1", "Goblin 2", "Goblin 3", "Goblin 4")
    assert [export(game)["combatants"][name]["facts"]["initiative"] for name in game.state.names] == [1, 2, 3, 4]


def test_cl_01_dice_of_its_own_and_a_bare_name_for_a_single_one() -> None:
    game = Game()
    game.do("Gwen", "add", dice=[(6, 4), (6, 5)], name="Goblin", rolls="2d6+2", bonus=-1)
    assert game.state.names == ("Goblin",)
    assert game.state.initiative["Goblin"].result == 10


@pytest.mark.parametrize(("value", "first"), [("high", "Bo"), ("low", "Ana")])
def test_cl_01_the_order_is_high_or_low(value: str, first: str) -> None:
    game = fight(f"order={value}", Ana=5, Bo=15)
    assert order(game)[0] == first
    assert game.waits_for() == (first,)


def test_cl_01_the_die_is_an_option() -> None:
    game = Game("classic", "die=2d6")
    game.do("Ana", "join", bonus=1, dice=[(6, 3), (6, 4)])
    assert export(game)["combatants"]["Ana"]["facts"]["initiative"] == 8


@pytest.mark.parametrize("die", ["banana", "1d0", "3x(1d6)", "1d6 +"])
def test_cl_01_a_die_that_cannot_be_rolled_with_a_bonus_is_refused(die: str) -> None:
    game = Game()
    game.refused("Gwen", "encounter options", set=f"die={die}")


@pytest.mark.parametrize("given", [{"bonus": 10**9}, {"result": -(10**9)}])
def test_cl_01_a_monstrous_number_is_refused(given: dict[str, Any]) -> None:
    Game().refused("Ana", "join", **given)


def test_cl_01_nobody_comes_in_twice_without_a_character() -> None:
    game = Game()
    game.do("Ana", "join")
    assert "already" in str(game.refused("Ana", "join"))


def test_cl_02_a_tie_goes_to_the_higher_bonus_without_a_roll() -> None:
    game = Game()
    game.do("Ana", "join", bonus=1, result=12, dice=[])
    game.do("Bo", "join", bonus=3, result=12, dice=[])
    game.do("Gwen", "encounter begin", dice=[])
    assert order(game) == ("Bo", "Ana")


def test_cl_02_a_bonus_within_the_dice_counts_as_a_bonus() -> None:
    game = Game()
    game.do("Ana", "join", bonus=1, result=12, dice=[])
    game.do("Gwen", "add", dice=[(20, 10)], name="Goblin", rolls="1d20+2")
    game.do("Gwen", "add", dice=[(20, 13)], name="Ogre", rolls="1d20-1")
    game.do("Gwen", "encounter begin", dice=[])
    assert order(game) == ("Goblin", "Ana", "Ogre")


@pytest.mark.parametrize(
    ("dice", "bonus"),
    [("1d20+2", 2), ("1d20 - 1", -1), ("1d6+2-5", -3), ("1d20", 0), ("2d20kh1+3", 3), ("1d20+1d4", 0)],
)
def test_cl_02_the_bonus_that_dice_carry_is_read_off_them(dice: str, bonus: int) -> None:
    assert bonus_in(dice) == bonus


def test_cl_02_equal_bonuses_roll_off_in_the_order_of_joining_and_it_is_shown() -> None:
    game = Game()
    for name in ("Ana", "Bo"):
        game.do(name, "join", result=12, dice=[])
    game.do("Gwen", "add", name="Ogre", result=12, dice=[])
    game.do("Gwen", "encounter begin", dice=[(20, 7), (20, 9), (20, 7), (20, 2), (20, 18)])
    assert "Tie, rolled off: Ana 7, Bo 9, Ogre 7." in game.lines("Ana")
    assert "Tie, rolled off: Ana 2, Ogre 18." in game.lines("Ana")
    assert order(game) == ("Bo", "Ogre", "Ana")


def test_cl_02_somebody_who_comes_late_into_a_tie_rolls_against_the_faces_that_lie_there() -> None:
    game = Game()
    for name in ("Ana", "Bo"):
        game.do(name, "join", result=12, dice=[])
    game.do("Gwen", "encounter begin", dice=[(20, 15), (20, 3)])
    game.do("Gwen", "add", name="Ogre", result=12, dice=[(20, 8)])
    assert order(game) == ("Ana", "Ogre", "Bo")
    assert "Tie, rolled off: Ogre 8." in game.lines("Ana")


def test_cl_02_the_gm_may_put_a_tie_into_order_before_and_after_the_first_round_begins() -> None:
    game = Game()
    for name in ("Ana", "Bo"):
        game.do(name, "join", result=12, dice=[])
    game.do("Gwen", "gm order", names="Bo, Ana")
    game.do("Gwen", "add", name="Ogre", result=20, dice=[])
    game.do("Gwen", "encounter begin", dice=[])
    assert order(game) == ("Ogre", "Bo", "Ana")
    game.do("Gwen", "gm order", names="Ana, Bo")
    assert order(game) == ("Ogre", "Ana", "Bo")
    game.do("Gwen", "next")
    assert game.waits_for() == ("Ana",)


def test_cl_04_a_latecomer_whose_place_is_still_to_come_acts_this_round() -> None:
    game = fight(Ogre=20, Ana=5)
    game.do("Bo", "join", result=10, dice=[])
    assert order(game) == ("Ogre", "Bo", "Ana")
    game.do("Gwen", "next")
    assert game.waits_for() == ("Bo",)


def test_cl_04_a_latecomer_whose_place_has_passed_waits_for_the_next_round() -> None:
    game = fight(Ogre=20, Ana=5)
    game.do("Gwen", "next")
    game.do("Bo", "join", result=10, dice=[])
    assert "Bo's place has already passed this round." in game.lines("Ana")
    assert order(game) == ("Ogre", "Bo", "Ana")
    game.do("Ana", "next")
    assert (game.state.round, game.waits_for()) == (2, ("Ogre",))
    game.do("Gwen", "next")
    assert game.waits_for() == ("Bo",)


def test_cl_04_a_turn_given_out_of_order_does_not_pass_anybodys_place() -> None:
    game = fight(Ogre=20, Ana=5)
    game.do("Gwen", "gm turn", target="Ana")
    game.do("Bo", "join", result=10, dice=[])
    game.do("Ana", "next")
    game.do("Gwen", "next")
    assert game.waits_for() == ("Bo",)


def test_cl_04_the_first_to_come_into_an_empty_running_fight_has_the_turn() -> None:
    game = fight(Ana=5)
    game.do("Gwen", "gm remove", target="Ana")
    assert game.waits_for() == ()
    game.do("Bo", "join", result=1, dice=[])
    assert game.waits_for() == ("Bo",)


def test_an_empty_encounter_cannot_begin() -> None:
    assert "nobody has joined" in str(Game().refused("Gwen", "encounter begin"))


def test_g_01_a_house_rule_set_after_joining_rolls_for_the_one_who_lacks_a_result() -> None:
    game = Game("classic", "rolled=cards")
    game.do("Ana", "join", dice=[])
    game.do("Bo", "join", dice=[])
    game.do("Gwen", "encounter options", set="rolled=each-round")
    game.do("Gwen", "encounter begin", dice=[(20, 4), (20, 9)])
    assert order(game) == ("Bo", "Ana")
    game.do("Bo", "next")
    game.do("Ana", "next", dice=[(20, 19), (20, 1)])
    assert order(game) == ("Ana", "Bo")


def test_g_01_cards_chosen_in_mid_fight_are_dealt_with_the_next_round() -> None:
    game = fight(Ana=10, Bo=5)
    game.do("Gwen", "encounter options", set="rolled=cards")
    game.do("Ana", "next")
    game.do("Bo", "next")
    assert set(game.state.dealt) == {"Ana", "Bo"}
    assert len(game.state.pile) == 52
    game.do("Gwen", "encounter options", set="rolled=once", dice=[])
    assert order(game) == ("Ana", "Bo")


def test_g_01_sides_chosen_in_mid_fight_roll_and_sort_at_once() -> None:
    game = fight(Ana=10, Ogre=5, Bo=3)
    game.do("Gwen", "encounter options", set="by=side", dice=[(20, 2), (20, 12)])
    assert order(game) == ("Ogre", "Ana", "Bo")
    game.do("Gwen", "encounter options", set="by=each, order=low", dice=[])
    assert order(game) == ("Bo", "Ogre", "Ana")


def test_one_hundred_combatants_are_dealt_cards_from_a_second_deck() -> None:
    game = Game("classic", "rolled=cards")
    for name in ("Rat", "Bat", "Cat"):
        game.do("Gwen", "add", name=name, count=20)
    game.do("Gwen", "encounter begin")
    assert len(game.state.dealt) == 60


def test_cl_01_health_is_what_is_left_of_how_much_as_on_a_sheet() -> None:
    game = Game()
    game.do("Ana", "join", result=12, hp="12/20")
    assert export(game)["combatants"]["Ana"]["pools"]["HP"] == [12, 20]
    game.do("Ana", "join", hp="22/25")
    assert export(game)["combatants"]["Ana"]["pools"]["HP"] == [22, 25]
    assert "2/0" in game.refused("Ana", "join", hp="2/0").reason


def test_cl_01_health_put_right_is_right_in_the_export_too() -> None:
    game = Game()
    game.do("Ana", "join", result=12, hp="20")
    game.do("Ana", "join", hp="22")
    shown = export(game)["combatants"]["Ana"]
    assert (shown["pools"]["HP"], shown["facts"]["HP"]) == ([22, 22], 22)
    game.do("Ana", "join", hp="2d6", dice=[(6, 3), (6, 4)])
    assert export(game)["combatants"]["Ana"]["facts"]["HP"] == 7


def test_cl_02_decimals_typed_as_initiative_decide_ties() -> None:
    game = Game()
    game.do("Ana", "join", result=12.03)
    game.do("Bo", "join", result=12)
    game.do("Gwen", "gm add", name="Ox", result=12.5)
    game.do("Gwen", "gm add", name="Wolf", result=3)
    game.do("Gwen", "gm set", target="Wolf", pool="initiative", value="12.25")
    game.do("Gwen", "encounter begin", dice=())  # nothing is rolled off
    assert game.state.order == ("Ox", "Wolf", "Ana", "Bo")
    assert system_of(game.state).row(game.state, "Ana", Seat()).standing == "12.03"


def test_cl_02_low_goes_first_by_decimals_too_and_dice_may_carry_them() -> None:
    game = Game(options="order=low")
    game.do("Ana", "join", result=-1.5)
    game.do("Bo", "join", rolls="1d20+0.14", dice=((20, 7),))
    game.do("Gwen", "gm add", name="Ox", result=-1)
    game.do("Gwen", "gm add", name="Wolf", result=7)
    game.do("Gwen", "encounter begin", dice=())
    assert game.state.order == ("Ana", "Ox", "Wolf", "Bo")


@pytest.mark.parametrize("died_after", range(4))
@pytest.mark.parametrize("healed_after", range(4))
def test_cl_04_somebody_who_is_healed_after_their_place_has_passed_acts_next_round(
    died_after: int, healed_after: int
) -> None:
    game = Game()
    for at, name in enumerate(("Ox", "Wolf", "Bat", "Rat")):
        game.do("Gwen", "gm add", name=name, sheet="HP 9", result=20 - at, side="A" if at % 2 else "B")
    game.do("Gwen", "encounter begin")
    acted: list[str] = []
    for turn in range(4):
        if turn == died_after:
            game.do("Gwen", "gm damage", target="Wolf", amount="99")
        if turn == healed_after and turn >= died_after:
            game.do("Gwen", "gm heal", target="Wolf", amount="9")
        if game.state.round > 1:
            break
        acted.append(game.state.current[0])
        game.do("Gwen", "next")
    order = ["Ox", "Wolf", "Bat", "Rat"]
    assert acted == [name for name in order if name in acted], "nobody acts before or behind their place"
    assert acted.count("Wolf") <= 1
