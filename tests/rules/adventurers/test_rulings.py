"""What the GM does by hand, answers for the absent, and what a changed grid does to a fight. Rule: G-01."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.blows.opened import open_blow
from rules.core.registry import system_of
from rules.core.views.view import view_of
from tests.rules.adventurers.scene import (
    ARM,
    BLESSING,
    SWORD,
    ability,
    add,
    asked,
    begin,
    check,
    conditions,
    damaged,
    duel,
    export,
    hit,
    pools,
    table,
    trio,
)

TO_ARM = [(6, 2), (4, 3)]  # area 2: Hand, Fingers, Arm, Shoulder


# Damage by the GM


def test_ad_16_the_gms_damage_breaks_a_part_below_0_and_calls_for_the_death_check() -> None:
    game = duel(rhea={"STAMINA": 5, "DAMAGED": "Eyes"})
    game.do("Gwen", "gm damage", target="Rhea", amount="5", dice=[])
    assert (pools(game, "Rhea")[0], damaged(game, "Rhea"), asked(game)) == (0, ["Eyes"], [])
    game.do("Gwen", "gm damage", target="Rhea", amount="1", type="fire", dice=TO_ARM)
    assert damaged(game, "Rhea") == ["Eyes", "Arm"]
    assert "Rhea: STAMINA 0 → 0/5 (fire)." in game.said("Bo")
    assert asked(game) == [("Rhea", "body damage", ["death-check", "break-weapon"])]
    game.do("Ana", "death-check", dice=[(6, 2)])
    assert (conditions(game, "Rhea"), game.state.done) == ([], ())


def test_ad_16_set_changes_the_number_alone() -> None:
    game = duel()
    game.do("Gwen", "gm set", target="Rhea", pool="STAMINA", value="0", dice=[])
    assert (damaged(game, "Rhea"), asked(game)) == ([], [])


def test_ad_16_the_gms_damage_waits_for_the_hit_that_is_being_answered() -> None:
    game = duel(early=False, rhea={"STAMINA": 4})
    hit(game, "Ogre", "Rhea")
    game.do("Gwen", "gm damage", target="Rhea", amount="9", dice=TO_ARM)
    assert [about for _, about, _ in asked(game)] == ["hit"]
    # Stamina is gone meanwhile: this hit breaks a part too. The first check is against 1 part and cannot fail.
    game.do("Ana", "take", dice=[(6, 1), (4, 1), (6, 6)])
    assert damaged(game, "Rhea") == ["Arm", "Eyes"]
    game.do("Ana", "death-check", dice=[(6, 6)])
    assert (conditions(game, "Rhea"), game.state.phase) == ([], "late")


def test_ad_21_the_gms_damage_kills_an_enemy_and_tells_the_gm_how_to_spare_it() -> None:
    game = duel()
    game.do("Gwen", "gm damage", target="Ogre", amount="99", dice=[])
    assert conditions(game, "Ogre") == ["Dead"]
    assert "Helpless instead: /gm choose" in game.said("Gwen")
    assert "/gm choose" not in game.said("Ana")


def test_ad_18_what_a_damaged_part_blocks_is_told() -> None:
    throw = ability("Throw", type="Attack", specialty="Throw", damage="1", cell="B6")
    game = duel(rhea={"STAMINA": 1, "abilities": (throw, SWORD)})
    game.do("Gwen", "gm damage", target="Rhea", amount="2", dice=[*TO_ARM, (6, 1)])
    assert "Rhea can't use what lies beside it: Throw." in game.said("Bo")
    assert export(game)["combatants"]["Rhea"]["facts"]["blocked"] == ["Throw"]


# Answers for somebody who does not


def test_the_gm_answers_a_death_check_with_a_weapon_or_with_willpower() -> None:
    game = duel(rhea={"STAMINA": 1, "DAMAGED": ["Eyes", "Ears"], "abilities": (SWORD, {**SWORD, "name": "Great Axe"})})
    game.do("Gwen", "gm damage", target="Rhea", amount="2", dice=TO_ARM)
    game.do("Gwen", "gm answer", target="Rhea", choice="break weapon Great Axe", dice=[])
    assert [each.name for each in game.state.combatant("Rhea").abilities] == ["Sword"]
    game.do("Gwen", "gm damage", target="Rhea", amount="2", dice=[(6, 2), (4, 1)])
    game.do("Gwen", "gm answer", target="Rhea", choice="Death-Check", dice=[(6, 1)])
    assert "3 would be enough, 4 left" in game.state.questions[0].words
    game.refused("Gwen", "gm answer", rule="AD-20", target="Rhea", choice="willpower 5")
    assert "number" in str(game.refused("Gwen", "gm answer", target="Rhea", choice="willpower all"))
    assert "amount" in str(game.refused("Gwen", "gm answer", target="Rhea", choice="willpower"))
    assert "anything more" in str(game.refused("Gwen", "gm answer", target="Rhea", choice="accept now"))
    game.do("Gwen", "gm answer", target="Rhea", choice="willpower 3")
    assert (pools(game, "Rhea"), asked(game)) == ((0, 1), [])


def test_the_gm_skips_a_hit_but_never_a_life() -> None:
    game = duel(early=False, rhea={"STAMINA": 1, "DAMAGED": "Eyes"})
    hit(game, "Ogre", "Rhea", *TO_ARM)
    game.do("Gwen", "gm skip", target="Rhea")
    assert damaged(game, "Rhea") == ["Eyes", "Arm"]
    assert not game.state.combatant("Rhea").has("Dead"), "what follows for the absent costs no life either"


def test_the_gm_ends_a_step_and_what_was_open_is_named() -> None:
    storm = ability("Storm", type="Attack", specialty="Arm", damage="1", targets="all")
    game = trio(ogre={"abilities": (storm,)}, rhea={"STAMINA": "0/5"})
    game.do("Ana", "pass")
    game.do("Bo", "pass")
    hit(game, "Ogre", "Rhea, Pip", (6, 2), (4, 3), using="Storm")
    game.do("Gwen", "gm next-phase", dice=ARM)
    assert "Dropped unanswered: Rhea (hit), Pip (hit)." in game.said("Ana")
    assert (open_blow(game.state), asked(game), game.state.round) == (None, [], 2)


def test_what_the_gm_can_choose_is_listed() -> None:
    game = duel()
    known = system_of(game.state).to_choose(game.state)
    assert (known["helpless"], known["extra"]) == (("Ogre",), ("Rhea", "Ogre"))
    assert "Flee" in known["specialty"]


# What bad input gets


def test_ad_02_a_damaged_part_named_for_a_check_is_refused() -> None:
    game = table()
    add(game, "Rhea", owner="Ana", SPECIALTIES=["Arm", "Throw", "Courage"], DAMAGED="Arm")
    begin(game)
    refusal = game.refused("Ana", "initiative", rule="AD-02", using="Arm")
    assert "Throw is the one to use" in str(refusal)
    assert "Throw" in str(game.refused("Ana", "initiative", rule="AD-01", using="Courage"))
    game.refused("Ana", "initiative", rule="AD-01", using="Run")
    game.do("Ana", "initiative", using="throw", dice=check(6, 4))
    assert game.state.passed == {"Rhea": True}
    game.refused("Ana", "flee", rule="AD-02", using="Arm")


@pytest.mark.parametrize("action", ["flee", "equip", "exchange", "store"])
def test_ad_22_enemies_attack_assist_and_pass(action: str) -> None:
    knife = ability("Knife", "weapon", specialty="Arm", damage="1", bag="Pack")
    game = duel(early=False, ogre={"abilities": (SWORD, knife, ability("Pack", "bag"))})
    assert game.legal("Ogre") == ("attack", "pass")
    game.refused("Gwen", action, rule="AD-22", character="Ogre")


def test_ad_29_the_helpless_are_told_so_when_they_roll() -> None:
    game = table()
    add(game, "Rhea", owner="Ana", WILLPOWER="0/3")
    add(game, "Pip", owner="Bo")
    begin(game)
    game.do("Ana", "initiative", dice=check(4, 4))
    assert "success: Advance, but Helpless." in game.said("Bo")


# Ailments that no table names


def test_ad_28_an_ailment_that_only_an_ability_names_is_one_too() -> None:
    frost = ability("Frost", type="Attack", specialty="Arm", ailment="Frostbite + Dazed")
    aid = ability("Aid", type="Assist", cure="Frostbite")
    game = trio(rhea={"abilities": (frost,)}, pip={"abilities": (aid,)})
    hit(game, "Rhea", "Pip", using="Frost")
    assert "(Frostbite, Dazed)" in game.state.questions[0].words
    game.do("Bo", "take")
    assert conditions(game, "Pip") == ["Frostbite", "Dazed"]
    game.do("Bo", "assist", using="Aid")
    assert conditions(game, "Pip") == ["Dazed"]
    game.do("Gwen", "condition add", target="Pip", name="Prone")
    game.do("Gwen", "encounter end")
    assert conditions(game, "Pip") == ["Prone"]


# Another grid in the middle of a fight


def other_grid() -> dict[str, Any]:
    grid = [[f"S{area}x{row}" for row in range(2, 13)] for area in range(1, 7)]
    return {"grid": grid, "parts": ["S2x7"]}


def test_a_grid_that_changes_in_mid_fight_leaves_nobody_stuck() -> None:
    throw = ability("Throw", type="Attack", specialty="Throw", damage="1", cell="B6")
    game = duel("auto=off", rhea={"abilities": (throw, SWORD, BLESSING)}, ogre={"STAMINA": 20})
    game.do("Gwen", "gm set", target="Rhea", pool="damaged", value="Arm")
    game.do("Ana", "attack", target="Ogre", using="Sword", dice=[*check(6, 6), (6, 6)])
    game.do("Gwen", "encounter options", tables=other_grid())
    game.do("Gwen", "evade", character="Ogre", dice=check(1, 5))
    assert "attack" not in game.legal("Ogre")
    assert "not on the grid" in str(game.refused("Gwen", "attack", rule="AD-08", character="Ogre", target="Rhea"))
    game.do("Gwen", "pass", character="Ogre")
    game.do("Ana", "initiative")
    assert export(game)["combatants"]["Rhea"]["facts"]["blocked"] == []


def test_ad_25_the_question_shows_every_number_before_it_is_spent() -> None:
    game = duel(early=False, rhea={"WILLPOWER": 1, "STAMINA": 2, "SPECIALTIES": ["Eyes"]})
    game.do("Gwen", "attack", character="Ogre", target="Rhea", dice=[*check(6, 4), *TO_ARM])
    words = game.state.questions[0].words
    assert "Ogre hits with Sword for 3 damage (STAMINA 2 → 0, Arm is damaged, then a death check)" in words
    assert "1 Willpower (1 → 0: Helpless; Eyes → Arm: 5 spaces, needs 15, so only a Critical)" in words


@pytest.mark.parametrize(
    ("options", "parts", "words"),
    [
        ("death_tie=dead", [], "alive on 2 or more"),
        ("", ["Eyes"], "alive on 2 or more"),
        ("", ["Eyes", "Ears", "Head", "Mouth", "Leg", "Foot"], "which no face can pass"),
    ],
)
def test_ad_19_the_death_check_says_what_passes(options: str, parts: list[str], words: str) -> None:
    game = duel(options, rhea={"STAMINA": 1, "DAMAGED": parts})
    game.do("Gwen", "gm damage", target="Rhea", amount="2", dice=TO_ARM)
    assert words in game.state.questions[0].words


@pytest.mark.parametrize("shown", ["hidden", "words"])
def test_g_08_the_gm_reads_the_numbers_that_players_may_not(shown: str) -> None:
    def words(reader: str) -> str:
        view = view_of(game.table, game.seat(reader))
        assert view is not None
        return view.questions[0].words

    game = duel(f"npc_pools={shown}", ogre={"KIND": "boss", "STAMINA": 2, "DAMAGED": ["Eyes", "Ears"]})
    hit(game, "Rhea", "Ogre", *TO_ARM)
    assert "STAMINA 2 → 0" in words("Gwen")
    assert "1 Willpower (4 → 3; Arm → Arm: 0 spaces, needs 7)" in words("Gwen")
    assert words("Ana").endswith("(Arm is damaged, then a death check). Evade for 1 Willpower, or take it?")
    game.do("Gwen", "take", character="Ogre")
    assert "(4 left)" in words("Gwen")
    assert "left" not in words("Ana")
    game.do("Gwen", "death-check", character="Ogre", dice=[(6, 1)])
    assert "2 would be enough, 4 left" in words("Gwen")
    assert "left" not in words("Ana")
    assert "left" not in str(export(game, "Ana")["waiting"])
