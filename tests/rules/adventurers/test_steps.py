"""Steps A to E: who acts when. Rule: AD-03 to AD-07, AD-11, AD-15, AD-27, AD-29."""

from __future__ import annotations

from tests.rules.adventurers.scene import (
    ARM,
    SWORD,
    ability,
    add,
    begin,
    check,
    conditions,
    duel,
    export,
    hit,
    initiative,
    pools,
    table,
    timeout_action,
    trio,
)
from tests.rules.table import Game


def party() -> Game:
    """Rhea early, Pip late, Tam Helpless, an Ogre."""
    game = table(people=("Gwen", "Ana", "Bo", "Cai"))
    add(game, "Rhea", owner="Ana")
    add(game, "Pip", owner="Bo")
    add(game, "Tam", owner="Cai", WILLPOWER="0/3")
    add(game, "Ogre")
    begin(game)
    return game


def test_ad_03_a_round_with_one_early_one_late_and_one_helpless() -> None:
    game = party()
    assert (export(game)["phase"], export(game)["turn"]) == ("initiative", ["Rhea", "Pip", "Tam"])
    initiative(game, Pip=False, Tam=True)
    assert export(game)["turn"] == ["Rhea"]
    initiative(game, Rhea=True)
    assert (export(game)["phase"], export(game)["turn"]) == ("advance", ["Rhea"])
    game.do("Ana", "pass")
    assert (export(game)["phase"], export(game)["turn"]) == ("enemies", ["Ogre"])
    game.do("Gwen", "pass", character="Ogre")
    assert (export(game)["phase"], export(game)["turn"]) == ("late", ["Pip"])
    game.do("Bo", "pass", dice=ARM)
    assert (game.state.round, export(game)["phase"]) == (2, "initiative")


def test_ad_04_the_specialty_is_rolled_and_the_gm_may_name_another() -> None:
    game = party()
    assert game.state.specialty == "Arm"
    game.do("Gwen", "gm choose", what="specialty", value="Run")
    assert game.state.specialty == "Run"
    game.refused("Ana", "attack", rule="AD-04", target="Ogre", using="Sword")
    game.refused("Gwen", "initiative", rule="AD-04", character="Ogre")
    initiative(game, Rhea=True)
    game.refused("Ana", "initiative", rule="AD-04")


def test_ad_05_helpless_characters_make_the_initiative_check_and_count_as_done() -> None:
    """Prove AD-05."""
    game = party()
    shown = export(game)
    assert shown["combatants"]["Tam"]["done"] is True
    assert shown["legal"]["Tam"] == ["initiative"]
    game.do("Cai", "initiative", dice=check(3, 3))
    assert "Tam" not in export(game)["turn"]


def test_ad_06_within_a_step_players_choose_who_goes_next() -> None:
    """Prove AD-06."""
    game = trio()
    assert export(game)["turn"] == ["Rhea", "Pip"]
    game.do("Bo", "pass")
    game.do("Ana", "pass")
    assert game.state.phase == "enemies"


def test_ad_07_one_action_a_round() -> None:
    game = trio()
    game.do("Ana", "pass")
    game.refused("Ana", "attack", rule="AD-07", target="Ogre", using="Sword")
    game.refused("Gwen", "attack", rule="AD-03", character="Ogre", target="Rhea", using="Sword")


def test_ad_11_a_check_on_flee_withdraws_from_combat() -> None:
    game = trio(rhea={"SPECIALTIES": ["Arm", "Run"]}, pip={"SPECIALTIES": ["Arm", "Flee"]})
    game.do("Ana", "flee", dice=check(6, 5))  # Run is ten rows away: 15 are needed
    assert conditions(game, "Rhea") == []
    game.do("Bo", "flee", dice=check(3, 2))
    assert conditions(game, "Pip") == ["Fled"]
    assert "has fled" in str(game.refused("Bo", "pass", rule="AD-11"))
    assert "Pip" not in export(game)["legal"]
    assert "Pip" not in export(game)["turn"]


def test_ad_15_passing_is_an_action() -> None:
    game = duel()
    game.do("Ana", "pass")
    assert game.state.done == ("Rhea",)
    assert timeout_action(game, "Ogre") == "pass"


def test_ad_27_extra_actions_of_the_early_come_before_the_enemies_and_of_the_late_after() -> None:
    game = party()
    initiative(game, Rhea=True, Pip=False, Tam=True)
    for who in ("Rhea", "Pip", "Ogre"):
        game.do("Gwen", "gm choose", what="extra", value=who)
    game.do("Gwen", "gm choose", what="extra", value="Ogre")
    for who in ("Rhea", "Ogre", "Pip"):
        game.do("Gwen", "pass", character=who)
    assert (export(game)["phase"], export(game)["order"]) == ("extra", ["Rhea", "Ogre", "Pip"])
    game.refused("Bo", "pass", rule="AD-27")
    game.do("Ana", "pass")
    assert export(game)["turn"] == ["Ogre"]
    game.do("Gwen", "pass", character="Ogre")
    game.do("Gwen", "pass", character="Ogre")
    assert export(game)["turn"] == ["Pip"]
    game.do("Bo", "pass", dice=ARM)
    assert game.state.round == 2


def test_ad_27_habit_brings_an_extra_action_each_time() -> None:
    game = duel(rhea={"abilities": (SWORD, ability("Habit", type="Assist"))})
    game.do("Ana", "assist", using="Habit")
    assert game.state.extra == {"Rhea": 1}
    game.do("Gwen", "pass", character="Ogre")
    assert game.state.phase == "extra"
    game.do("Ana", "assist", using="Habit", dice=[])
    assert (game.state.round, game.state.extra) == (1, {"Rhea": 1})


def test_ad_29_willpower_0_is_helpless_and_back_at_1_frees_within_the_step() -> None:
    game = duel()
    game.do("Gwen", "gm set", target="Rhea", pool="WILLPOWER", value="0")
    assert conditions(game, "Rhea") == ["Helpless"]
    game = trio()
    game.do("Gwen", "gm set", target="Rhea", pool="WILLPOWER", value="0")
    game.refused("Ana", "attack", rule="AD-29", target="Ogre", using="Sword")
    game.do("Gwen", "gm set", target="Rhea", pool="WILLPOWER", value="1")
    assert export(game)["turn"] == ["Rhea", "Pip"]
    hit(game, "Rhea", "Ogre")


def test_ad_29_after_the_end_the_helpless_have_1_willpower() -> None:
    game = duel()
    game.do("Gwen", "gm set", target="Rhea", pool="WILLPOWER", value="0")
    game.do("Gwen", "encounter end")
    assert pools(game, "Rhea") == (10, 1)
    assert conditions(game, "Rhea") == []


def test_ad_29_outside_combat_willpower_returns_to_1() -> None:
    game = table()
    add(game, "Rhea", owner="Ana")
    game.do("Gwen", "gm set", target="Rhea", pool="WILLPOWER", value="0")
    assert pools(game, "Rhea") == (10, 1)


def test_g_01_the_gm_gives_turns_skips_and_goes_on() -> None:
    game = party()
    game.do("Gwen", "gm skip", target="Tam")
    game.do("Gwen", "gm next-phase")
    assert set(game.state.passed) == {"Rhea", "Pip", "Tam"}
    game.do("Gwen", "gm turn", target="Rhea")
    assert export(game)["turn"] == ["Rhea"]
    game.do("Ana", "pass")
    assert game.state.given is None
    for _ in range(4):
        game.do("Gwen", "gm next-phase")
    assert game.state.round == 2


def test_somebody_who_joins_in_the_middle_acts_late() -> None:
    game = duel()
    add(game, "Pip", owner="Bo")
    assert export(game)["combatants"]["Pip"]["facts"]["initiative"] == "late"
