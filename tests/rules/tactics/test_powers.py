"""Powers that are written as people talk: their phase, their roll, their reach and how many they meet."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.registry import system_of
from rules.core.sheets.abilities import parse_ability
from tests.rules.table import Game
from tests.rules.tactics.scene import add, board, drawn, duel, skip_all, two_d6


def power(name: str, words: str) -> dict[str, Any]:
    return parse_ability(name, words).model_dump()


def armed(words: str, name: str = "Knack") -> Game:
    return duel(rhea={"abilities": (power(name, words),)})


def in_battle(words: str) -> Game:
    """Rhea, Ana's, has the power and the turn; an Ogre and two imps of the GM are there."""
    game = Game("tactics")
    add(game, "Rhea", owner="Ana", abilities=(power("Knack", words),))
    add(game, "Ogre")
    add(game, "Imp 1")
    add(game, "Imp 2")
    game.do("Gwen", "encounter begin", dice=two_d6(6, 6, 1, 1, 2, 1, 3, 1))
    skip_all(game)
    assert game.waits_for() == ("Rhea",)
    return game


def hp(game: Game, who: str) -> int:
    return int(game.state.combatant(who).pools["HP"].now)


def test_ta_08_a_power_that_only_shifts_is_a_movement_and_provokes_nobody() -> None:
    game = armed("Shift 3 squares. Once per encounter.")
    board(game, Rhea="C3", Ogre="D3")
    offers = system_of(game.state).offers(game.state, "Rhea")
    assert "Knack" in next(offer.params[0].choices or () for offer in offers if offer.action == "move")
    game.refused("Ana", "move", rule="TA-08", using="Knack", to="G3")
    game.do("Ana", "move", using="Knack", to="C6", dice=[])
    assert (game.state.combatant("Rhea").cell, game.state.questions) == ("C6", ())
    assert game.state.combatant("Rhea").used == {"Knack": 1}
    skip_all(game)
    while game.state.phase == "battle":
        game.do("Gwen", "pass", character=game.waits_for()[0])
    while game.waits_for() != ("Rhea",):
        game.do("Gwen", "skip", character=game.waits_for()[0])
    assert "used up" in str(game.refused("Ana", "move", rule="TA-12", using="Knack", to="C5"))


def test_ta_11_a_power_that_moves_provokes_unless_it_says_that_it_does_not() -> None:
    quiet = "Move your speed without provoking opportunity attacks"
    for words, is_provoked in (("Move 6 squares", True), (quiet, False)):
        game = armed(words)
        board(game, Rhea="C3", Ogre="D3")
        game.do("Ana", "move", using="Knack", to="C6", dice=[])
        assert bool(game.state.questions) is is_provoked, words


def test_ta_18_what_a_movement_says_of_its_mover_happens() -> None:
    game = armed("Move 6 squares; you are Invisible until the end of the round.")
    game.do("Ana", "move", using="Knack", amount=6, dice=[])
    assert [(each.name, each.left) for each in game.state.combatant("Rhea").conditions] == [("Invisible", 1)]


def test_ta_12_a_power_that_heals_rolls_no_attack() -> None:
    game = in_battle("An ally within 5 squares regains 1d8 HP.")
    board(game, "20x20", **{"Rhea": "B2", "Imp 1": "G2", "Imp 2": "H2"})
    game.do("Gwen", "gm damage", target="Imp 1", amount="9")
    game.refused("Ana", "attack", rule="TA-12", using="Knack", target="Imp 1")
    game.refused("Ana", "use", rule="G-06", using="Knack", target="Imp 2")
    game.do("Ana", "use", using="Knack", target="Imp 1", dice=[(8, 5)])
    assert hp(game, "Imp 1") == 16
    assert "Rhea" not in game.waits_for()


def test_ta_12_an_area_is_rolled_for_each_target_and_its_damage_once() -> None:
    game = in_battle("Burst 2: each enemy takes 1d6 damage and is Slowed (save ends).")
    dice = [*two_d6(6, 3), *two_d6(1, 1), *two_d6(5, 5), (6, 4)]
    game.do("Ana", "attack", using="Knack", target="Ogre, Imp 1, Imp 2", dice=dice)
    assert [hp(game, name) for name in ("Ogre", "Imp 1", "Imp 2")] == [16, 20, 16]
    slowed = [name for name in ("Ogre", "Imp 1", "Imp 2") if game.state.combatant(name).has("Slowed")]
    assert slowed == ["Ogre", "Imp 2"]


def test_ta_12_a_menu_has_all_foes_in_an_area_at_once() -> None:
    game = in_battle("Burst 2: each enemy takes 1d6 damage.")
    offer = next(each for each in system_of(game.state).offers(game.state, "Rhea") if each.action == "attack")
    bundles = next(param.bundles for param in offer.params if param.name == "target")
    assert bundles[0] == "Ogre, Imp 1, Imp 2"


def test_ta_03_what_counts_for_the_next_attack_counts_for_each_of_its_targets() -> None:
    game = in_battle("Attack two different targets within reach; 1d6 damage each.")
    game.do("Gwen", "gm set", target="Rhea", pool="mark:advantage", value="high ground")
    dice = [*two_d6(2, 2), (6, 1), *two_d6(2, 2), (6, 1)]
    game.do("Ana", "attack", using="Knack", target="Ogre, Imp 1", dice=dice)
    assert game.said().count("high ground") == 2
    assert "advantage" not in game.state.combatant("Rhea").marks


def test_ta_12_no_more_targets_than_the_power_says() -> None:
    game = in_battle("Attack up to two enemies; 1d8 damage each.")
    refusal = game.refused("Ana", "attack", rule="TA-12", using="Knack", target="Ogre, Imp 1, Imp 2")
    assert "2" in str(refusal)


@pytest.mark.parametrize(("face", "is_left"), [(3, True), (4, False)])
def test_ta_17_a_saving_throw_that_a_power_gives_is_rolled_at_once(face: int, is_left: bool) -> None:
    game = in_battle("An adjacent ally makes a saving throw at once.")
    game.do("Gwen", "condition add", target="Imp 1", name="Burning", save="ends")
    game.do("Ana", "use", using="Knack", target="Imp 1", dice=two_d6(3, face))
    assert game.state.combatant("Imp 1").has("Burning") is is_left
    assert [die.who for die in drawn(game)] == ["Imp 1", "Imp 1"]


def test_ta_03_a_bonus_that_a_power_gives_is_a_source_and_is_named() -> None:
    game = in_battle("1d6 damage; attacks against the target have advantage until the end of the round.")
    game.do("Ana", "attack", using="Knack", target="Ogre", dice=[*two_d6(6, 6), (6, 1)])
    assert game.state.combatant("Ogre").has("Advantage to attackers")
    other = in_battle("You have advantage on your next attack; you regain 2 HP.")
    other.do("Ana", "use", using="Knack", dice=[])
    assert other.state.combatant("Rhea").has("Advantage on next attack")


def test_ta_12_a_defense_that_always_holds_counts_and_is_named() -> None:
    game = duel(rhea={"abilities": (power("Stone Skin", "You have +2 DEF."),)})
    skip_all(game)
    game.do("Gwen", "attack", target="Rhea", dice=two_d6(4, 6))
    assert "miss" in game.said()
    assert "Stone Skin" in game.said()


@pytest.mark.parametrize(("kind", "left"), [("fire", 17), ("cold", 14)])
def test_what_a_sheet_resists_by_a_number_takes_that_off(kind: str, left: int) -> None:
    game = duel(
        rhea={"abilities": (power("Scales", "You have resist 3 fire."),)},
        ogre={"abilities": (power("Breath", f"6 {kind} damage"),)},
    )
    skip_all(game)
    game.do("Gwen", "attack", target="Rhea", using="Breath", dice=two_d6(6, 6))
    assert hp(game, "Rhea") == left


def struck(words: str, *others: str) -> Game:
    """The Ogre's club hits Rhea, who has the power and is asked; so has Pip, of Bo, if that is said."""
    game = Game("tactics")
    add(game, "Rhea", owner="Ana", abilities=() if others else (power("Knack", words),))
    if others:
        add(game, "Pip", owner="Bo", abilities=(power("Knack", words),))
    add(game, "Ogre", abilities=(power("Club", "6 damage"),))
    dice = two_d6(1, 1, 3, 3, 6, 6) if others else two_d6(1, 1, 6, 6)
    game.do("Gwen", "encounter begin", dice=dice)
    skip_all(game)
    game.do("Gwen", "attack", target="Rhea", using="Club", dice=two_d6(5, 5))
    return game


def test_ta_12_who_is_hit_may_answer_with_what_their_sheet_says() -> None:
    game = struck("When an enemy hits you, you gain +2 DEF against that attack. Once per round.")
    assert game.legal("Rhea") == ("react", "decline")
    game.do("Ana", "react", dice=[])
    assert (hp(game, "Rhea"), game.state.combatant("Rhea").used) == (20, {"Knack": 1})
    assert game.waits_for() == ("Rhea",)


def test_ta_12_an_answer_that_is_passed_by_lets_the_hit_stand() -> None:
    game = struck("When you are hit, reduce the damage by 1d6.")
    game.do("Ana", "decline", dice=[])
    assert hp(game, "Rhea") == 14


def test_an_ally_takes_the_damage_instead() -> None:
    game = struck("When an adjacent ally is hit, you take the damage instead. 1/round.", "Pip")
    game.do("Bo", "react", dice=[])
    assert (hp(game, "Rhea"), hp(game, "Pip")) == (20, 14)
    game.do("Gwen", "gm correct", what="degree", value="miss", dice=[])
    assert (hp(game, "Rhea"), hp(game, "Pip")) == (20, 20)


def test_ta_11_an_opportunity_attack_that_is_answered_lets_the_movement_go_on() -> None:
    game = duel(
        rhea={"abilities": (power("Knack", "When you are hit, reduce the damage by 2."),)},
        ogre={"abilities": (power("Club", "6 damage"),)},
    )
    board(game, Rhea="C3", Ogre="D3")
    game.do("Ana", "move", using="Walk", to="C6", dice=[])
    game.do("Gwen", "opportunity", dice=two_d6(6, 6))
    game.do("Ana", "react", dice=[])
    assert (hp(game, "Rhea"), game.state.combatant("Rhea").cell) == (16, "C6")


def test_g_12_what_is_for_a_moment_is_called() -> None:
    game = duel(rhea={"abilities": (power("Thorns", "When an enemy enters a square next to you, it takes 2 damage."),)})
    game.do("Ana", "call", using="Thorns", target="Ogre", dice=[])
    game.do("Gwen", "grant", dice=[])
    assert hp(game, "Ogre") == 18
    assert "attack" not in game.legal("Rhea")


def round_over(game: Game, dice: list[tuple[int, int]]) -> None:
    """Let all others pass; the last of them brings the End Phase with these dice."""
    while len(game.state.done) < len(game.state.combatants) - 1:
        game.do("Gwen", "pass", character=game.waits_for()[0])
    game.do("Gwen", "pass", character=game.waits_for()[0], dice=dice)


def test_ta_17_ongoing_damage_is_taken_as_the_round_ends_until_a_save_ends_it() -> None:
    game = duel(
        rhea={
            "abilities": (power("Acid", "1d6+INT damage; the target takes 3 ongoing acid damage (save ends)."),),
            "INT": 2,
        }
    )
    skip_all(game)
    game.do("Gwen", "pass", character="Ogre")
    end = [*two_d6(6, 6), (6, 4), *two_d6(1, 2), *two_d6(1, 1), *two_d6(6, 6)]
    game.do("Ana", "attack", using="Acid", target="Ogre", dice=end)
    assert hp(game, "Ogre") == 20 - 6 - 3
    assert game.state.combatant("Ogre").has("3 acid damage each round")


def test_ta_17_a_bonus_on_saves_counts_in_saving_throws() -> None:
    game = duel(rhea={"abilities": (power("Grit", "You have +2 on saving throws."),)})
    game.do("Gwen", "condition add", target="Rhea", name="Burning", save="ends")
    skip_all(game)
    game.do("Gwen", "pass", character="Ogre")
    game.do("Ana", "pass", dice=[*two_d6(2, 3), *two_d6(1, 1), *two_d6(6, 6)])
    assert not game.state.combatant("Rhea").has("Burning")


def test_a_power_that_marks_marks() -> None:
    game = in_battle("Mark an enemy within 4 squares.")
    game.do("Ana", "attack", using="Knack", target="Ogre", dice=two_d6(6, 6))
    assert game.state.combatant("Ogre").has("Marked")


def test_ta_12_what_strengthens_an_ally_is_no_attack_on_them() -> None:
    game = in_battle("An adjacent ally gains +2 DEF until the end of the round.")
    game.do("Ana", "use", using="Knack", target="Imp 1", dice=[])
    assert game.state.combatant("Imp 1").has("+2 DEF")
