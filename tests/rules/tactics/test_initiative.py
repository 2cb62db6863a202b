"""The round, its two orders, ties, and seizing. Rule: TA-04, TA-05, TA-06, TA-07."""

from __future__ import annotations

import pytest

from rules.core.registry import system_of
from rules.core.views.view import view_of
from tests.rules.passed import encounters
from tests.rules.table import Game
from tests.rules.tactics.scene import add, drawn, duel, skip_all, trio, two_d6


def order(game: Game) -> tuple[str, ...]:
    return system_of(game.state).turn_order(game.state)


def test_ta_04_a_round_goes_through_its_phases_in_order_and_begins_anew() -> None:
    game = duel()
    assert (game.state.round, game.state.phase) == (1, "movement")
    game.do("Ana", "skip")
    game.do("Gwen", "skip")
    assert game.state.phase == "battle"
    game.do("Gwen", "pass")
    game.do("Ana", "pass", dice=two_d6(1, 2, 3, 4))
    assert (game.state.round, game.state.phase) == (2, "movement")
    phases = [after.phase for before, after in encounters(game.passed) if after.phase != before.phase]
    assert phases == ["end", "initiative", "movement"]


@pytest.mark.parametrize("action", ["attack", "defend", "disengage", "pass", "delay", "item"])
def test_ta_04_what_belongs_to_battle_is_refused_in_movement(action: str) -> None:
    duel().refused("Ana", action, rule="TA-04")


@pytest.mark.parametrize("action", ["move", "skip"])
def test_ta_04_what_belongs_to_movement_is_refused_in_battle(action: str) -> None:
    game = duel()
    skip_all(game)
    game.refused("Gwen", action, rule="TA-04", character="Ogre")


def test_ta_05_the_lowest_moves_first_and_the_highest_battles_first() -> None:
    game = Game("tactics")
    add(game, "Rhea", owner="Ana", INT=1, AGI=2)
    add(game, "Ogre")
    game.do("Gwen", "encounter begin", dice=two_d6(1, 1, 6, 5))
    assert order(game) == ("Rhea", "Ogre")
    assert game.waits_for() == ("Rhea",)
    assert "Rhea: initiative 2d6 (1, 1) + 3 = 5." in game.lines()
    skip_all(game)
    assert order(game) == ("Ogre", "Rhea")
    assert game.waits_for() == ("Ogre",)


def test_ta_05_initiative_is_rolled_each_round_or_once_by_option() -> None:
    for options, dice in (("", two_d6(6, 6, 1, 1)), ("initiative=once", [])):
        game = duel(options)
        skip_all(game)
        game.do("Gwen", "pass")
        game.do("Ana", "pass", dice=dice)
        assert order(game) == (("Rhea", "Ogre") if options else ("Ogre", "Rhea"))


def test_ta_05_acting_out_of_turn_is_refused_and_says_whose_turn_it_is() -> None:
    game = duel()
    refusal = game.refused("Gwen", "move", rule="TA-05", character="Ogre", using="Walk", amount=2)
    assert "Rhea" in str(refusal)


def test_ta_05_the_dice_are_drawn_in_the_order_of_joining() -> None:
    game = trio()
    records = [(die.who, die.purpose) for die in drawn(game)]
    assert records == [(who, "initiative") for who in ("Rhea", "Rhea", "Pip", "Pip", "Ogre", "Ogre")]


def test_ta_06_a_tie_is_rolled_off_with_a_d6_each_until_one_wins() -> None:
    game = Game("tactics")
    for name in ("A", "B", "C"):
        add(game, name)
    dice = [*two_d6(3, 4, 2, 5, 1, 6), (6, 2), (6, 2), (6, 5), (6, 4), (6, 4), (6, 1), (6, 3)]
    game.do("Gwen", "encounter begin", dice=dice)
    # C wins at once; A and B tie twice more, then B's 3 beats A's 1.
    assert order(game) == ("A", "B", "C")
    assert game.said().count("Tie at 7") == 3
    skip_all(game)
    assert order(game) == ("C", "B", "A")


def test_ta_06_two_ties_are_rolled_off_one_after_the_other() -> None:
    game = Game("tactics")
    for name in ("A", "B", "C", "D"):
        add(game, name)
    dice = [*two_d6(1, 1, 6, 6, 1, 1, 6, 6), (6, 5), (6, 2), (6, 1), (6, 4)]
    game.do("Gwen", "encounter begin", dice=dice)
    assert order(game) == ("C", "A", "B", "D")


def test_ta_06_a_latecomer_rolls_off_a_tie_with_those_still_standing() -> None:
    game = Game("tactics")
    add(game, "A")
    add(game, "B")
    game.do("Gwen", "encounter begin", dice=[*two_d6(3, 3, 3, 3), (6, 5), (6, 2)])
    game.do(
        "Gwen",
        "gm add",
        name="C",
        sheet="INT 0, AGI 0, ATK 0, DEF 9, TIER 1, HP 9, SPD 5",
        dice=[*two_d6(2, 4), (6, 3)],
    )
    assert order(game) == ("B", "C", "A")


def test_ta_07_somebody_who_seizes_moves_first_and_battles_last() -> None:
    game = trio()
    game.do("Bo", "seize")
    assert order(game) == ("Pip", "Rhea", "Ogre")
    assert game.waits_for() == ("Pip",)
    skip_all(game)
    assert order(game) == ("Ogre", "Rhea", "Pip")


def test_ta_07_with_gather_the_first_mover_waits_until_all_have_said_whether_they_seize() -> None:
    game = trio("gather=10m")
    assert [(each.who, each.within, each.timed) for each in game.state.questions] == [
        ("Pip", "gather", True),
        ("Ogre", "gather", True),
    ]
    game.refused("Ana", "skip")
    game.do("Bo", "let-go")
    game.do("Gwen", "seize", character="Ogre")
    assert game.state.questions == ()
    assert order(game) == ("Ogre", "Rhea", "Pip")
    for who, name in (("Gwen", "Ogre"), ("Ana", "Rhea"), ("Bo", "Pip")):
        assert game.waits_for() == (name,)
        game.do(who, "skip", character=name)
    assert game.state.questions == ()


@pytest.mark.parametrize(("typed", "kept"), [("10m", "10m"), ("0", "0"), ("2 hours", "2h")])
def test_ta_07_how_long_is_gathered_is_read_as_any_duration(typed: str, kept: str) -> None:
    assert trio(f"gather={typed}").state.options["gather"] == kept


def test_ta_07_the_last_of_several_to_seize_moves_first_and_battles_last() -> None:
    game = trio()
    game.do("Bo", "seize")
    game.do("Bo", "skip")
    assert "seize" in game.legal("Ogre")  # nobody has moved who did not seize
    game.do("Gwen", "seize", character="Ogre")
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "skip", character="Ogre")
    assert order(game) == ("Ogre", "Pip", "Rhea")
    game.do("Ana", "skip")
    assert order(game) == ("Rhea", "Pip", "Ogre")


def test_ta_07_a_second_one_seizes_while_the_first_has_not_moved_and_the_displaced_may_too() -> None:
    game = trio()
    game.do("Bo", "seize", dice=[])
    game.do("Gwen", "seize", character="Ogre")
    assert game.waits_for() == ("Ogre",)
    game.do("Ana", "seize")
    assert order(game) == ("Rhea", "Ogre", "Pip")
    skip_all(game)
    assert order(game) == ("Pip", "Ogre", "Rhea")


def test_ta_07_nobody_seizes_after_the_first_who_did_not_has_moved_or_skipped() -> None:
    game = trio()
    game.do("Ana", "skip")
    assert "seize" not in game.legal("Ogre")
    game.refused("Gwen", "seize", rule="TA-07", character="Ogre")
    game.refused("Ana", "seize", rule="TA-07")


def test_ta_07_nobody_seizes_twice_or_when_their_turn_has_come() -> None:
    game = trio()
    game.refused("Ana", "seize", rule="TA-07")
    game.do("Bo", "seize")
    game.refused("Bo", "seize", rule="TA-07")
    skip_all(game)
    game.refused("Ana", "seize", rule="TA-07")


def test_ta_07_a_seizer_acts_after_those_who_delayed_and_cannot_delay() -> None:
    game = trio()
    game.do("Bo", "seize")
    skip_all(game)
    game.do("Gwen", "delay", character="Ogre")
    game.do("Ana", "pass")
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "pass", character="Ogre")
    assert game.waits_for() == ("Pip",)
    game.refused("Bo", "delay", rule="TA-07")


def test_ta_07_seizing_lasts_until_the_end_of_the_round() -> None:
    game = duel()
    game.do("Gwen", "seize", character="Ogre")
    skip_all(game)
    game.do("Ana", "attack", target="Ogre", dice=[(6, 1), (6, 1), (6, 1)])
    assert "Advantage: Ogre seized the initiative." in game.said()
    game.do("Gwen", "pass", dice=two_d6(1, 1, 6, 6))
    assert game.state.seized == ()


def test_the_prompt_has_one_order_the_phases_own_with_each_ones_initiative() -> None:
    game = trio()
    game.do("Bo", "seize")
    game.do("Bo", "skip")
    view = view_of(game.table, game.seat("Ana"))
    assert view is not None
    assert view.lines == ()
    assert [(name, view.combatants[name].standing) for name in view.turn_order] == [
        ("Pip", "6"),
        ("Rhea", "2"),
        ("Ogre", "12"),
    ]
    assert view.combatants["Pip"].badges == ("seized",)


def test_those_without_hp_have_no_turn_and_nobody_waits_for_them() -> None:
    game = trio()
    game.do("Gwen", "gm damage", target="Rhea", amount="99")
    assert game.waits_for() == ("Pip",)
    assert game.legal("Rhea") == ()
    game.do("Gwen", "gm heal", target="Rhea", amount="5")
    game.do("Bo", "skip")
    assert game.waits_for() == ("Rhea",)
