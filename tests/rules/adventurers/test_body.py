"""Damage, body parts, death checks, ailments, Bosses, belongings, the end."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.blows.opened import open_blow
from tests.rules.adventurers.scene import (
    ARM,
    CRY,
    SWORD,
    ability,
    asked,
    check,
    conditions,
    damaged,
    drawn,
    duel,
    export,
    hit,
    pools,
    timeout_action,
    trio,
)
from tests.rules.table import Game

TO_ARM = ((6, 2), (4, 3))  # area 2: Hand, Fingers, Arm, Shoulder


def struck(*dice: tuple[int, int], options: str = "", **rhea: Any) -> Game:
    """Rhea is hit for 3 and takes it."""
    game = duel(options, early=False, rhea={"STAMINA": 2, "abilities": (), **rhea})
    hit(game, "Ogre", "Rhea", *dice)
    return game


@pytest.mark.parametrize(("stamina", "left"), [(10, 7), (4, 1), (3, 0)])
def test_ad_16_damage_down_to_exactly_0_harms_no_part(stamina: int, left: int) -> None:
    """Prove AD-16."""
    game = struck(STAMINA=stamina)
    game.do("Ana", "take")
    assert (pools(game, "Rhea")[0], damaged(game, "Rhea"), conditions(game, "Rhea")) == (left, [], [])


@pytest.mark.parametrize("stamina", ["0/5", 1, 2])
def test_ad_16_below_0_or_at_0_already_a_part_is_damaged(stamina: int | str) -> None:
    game = struck(*TO_ARM, STAMINA=stamina)
    assert "3 damage (STAMINA" in game.state.questions[0].words
    assert "→ 0, Arm is damaged" in game.state.questions[0].words
    game.do("Ana", "take", dice=[(6, 4)])
    assert (pools(game, "Rhea")[0], damaged(game, "Rhea")) == (0, ["Arm"])


def test_ad_17_a_damaged_part_is_rolled_again_and_the_dropped_dice_are_shown() -> None:
    """Prove AD-17."""
    game = struck(*TO_ARM, (6, 2), (4, 1), DAMAGED="Arm")
    kept = [die.kept for die in drawn(game)]
    assert kept == [True, True, False, False, True, True]
    game.do("Ana", "take", dice=[(6, 4)])
    assert damaged(game, "Rhea") == ["Arm", "Hand"]


def test_ad_17_an_area_without_parts_is_rolled_again_and_one_part_needs_no_second_die() -> None:
    game = duel(early=False, rhea={"STAMINA": 1, "abilities": ()})
    game.do("Gwen", "encounter options", tables={"parts": ["Arm"]})
    hit(game, "Ogre", "Rhea", (6, 1), (6, 2))
    game.do("Ana", "take", dice=[(6, 2)])
    assert damaged(game, "Rhea") == ["Arm"]


def test_ad_17_with_no_part_left_the_character_dies() -> None:
    game = duel(early=False, rhea={"STAMINA": 1, "abilities": ()})
    game.do("Gwen", "encounter options", tables={"parts": ["Arm"]})
    game.do("Gwen", "gm set", target="Rhea", pool="damaged", value="Arm")
    hit(game, "Ogre", "Rhea")
    game.do("Ana", "take", dice=[])
    assert conditions(game, "Rhea") == ["Dead"]
    assert "Rhea" not in export(game)["legal"]


@pytest.mark.parametrize(
    ("options", "face", "alive"), [("", 3, True), ("", 2, True), ("death_tie=dead", 2, False), ("", 1, False)]
)
def test_ad_19_the_death_check_against_the_number_of_damaged_parts(options: str, face: int, *, alive: bool) -> None:
    """Prove AD-19."""
    game = struck(*TO_ARM, options=options, DAMAGED="Eyes")
    game.do("Ana", "take", dice=[(6, face)])
    if not alive:
        assert asked(game) == [("Rhea", "death check", ["willpower", "accept"])]
        assert timeout_action(game, "Rhea") == "willpower"  # a life is worth more than Willpower
        game.do("Ana", "accept")
    assert conditions(game, "Rhea") == ([] if alive else ["Dead"])


def test_ad_20_breaking_a_weapon_cancels_the_check() -> None:
    game = struck(*TO_ARM, abilities=(SWORD,), DAMAGED="Eyes")
    game.do("Ana", "take", dice=[])
    assert asked(game) == [("Rhea", "body damage", ["death-check", "break-weapon"])]
    game.do("Ana", "break-weapon", using="Sword", dice=[])
    assert (conditions(game, "Rhea"), asked(game)) == ([], [])
    assert game.state.combatant("Rhea").abilities == ()


def test_ad_20_willpower_down_to_0_saves_and_makes_helpless() -> None:
    game = struck(*TO_ARM, WILLPOWER=2, DAMAGED=["Eyes", "Ears"], abilities=(SWORD,))
    game.do("Ana", "take")
    game.do("Ana", "death-check", dice=[(6, 1)])
    game.refused("Ana", "willpower", rule="AD-20", amount=3)
    game.do("Ana", "willpower", amount=1)
    assert asked(game) == [("Rhea", "death check", ["willpower", "accept"])]
    game.do("Ana", "willpower", amount=1, dice=[])
    assert conditions(game, "Rhea") == ["Helpless"]


def test_ad_21_other_enemies_die_at_0_or_are_helpless_if_the_gm_says_so() -> None:
    """Prove AD-21."""
    game = duel(ogre={"STAMINA": 3})
    hit(game, "Rhea", "Ogre")
    game.do("Gwen", "take", character="Ogre", dice=[])
    assert conditions(game, "Ogre") == ["Dead"]
    game.do("Gwen", "gm choose", what="helpless", value="Ogre")
    assert (conditions(game, "Ogre"), pools(game, "Ogre")[1]) == (["Helpless"], 0)
    game = duel(ogre={"STAMINA": 3})
    game.do("Gwen", "gm choose", what="helpless", value="Ogre")
    hit(game, "Rhea", "Ogre")
    game.do("Gwen", "take", character="Ogre", dice=[])
    assert conditions(game, "Ogre") == ["Helpless"]


def boss(**changes: Any) -> dict[str, Any]:
    return {"KIND": "boss", "LEVEL": 1, "STAMINA": 3, "SPECIALTIES": ["Arm", "Yell"], **changes}


def test_ad_21_a_boss_rolls_at_exactly_0_and_takes_body_damage_below() -> None:
    game = duel(ogre=boss(DAMAGED=["Eyes", "Ears"]))
    hit(game, "Rhea", "Ogre")
    game.do("Gwen", "take", character="Ogre")
    assert asked(game) == [("Ogre", "body damage", ["death-check", "break-weapon"])]
    game.do("Gwen", "death-check", character="Ogre", dice=[(6, 2)])
    assert conditions(game, "Ogre") == []
    game.do("Gwen", "pass", character="Ogre", dice=ARM)
    game.do("Ana", "initiative", dice=check(3, 3))
    hit(game, "Rhea", "Ogre", *TO_ARM)
    game.do("Gwen", "take", character="Ogre")
    assert damaged(game, "Ogre") == ["Eyes", "Ears", "Arm"]


def test_ad_23_full_power_through_to_death() -> None:
    throw = ability("Throw", type="Attack", specialty="Arm", damage="1", rebound="3")
    game = duel(ogre=boss(WILLPOWER="2/4", abilities=(throw,), DAMAGED=["Eyes", "Ears"]))
    game.refused("Gwen", "full-power", rule="AD-23", character="Ogre")
    game.refused("Ana", "full-power", rule="AD-23")
    game.do("Gwen", "gm set", target="Ogre", pool="WILLPOWER", value="1")
    game.do("Gwen", "full-power", character="Ogre")
    assert export(game)["combatants"]["Ogre"]["facts"]["full_power"] is True
    game.do("Gwen", "gm set", target="Ogre", pool="STAMINA", value="1")
    hit(game, "Rhea", "Ogre", *TO_ARM)
    assert "needs 5" in game.state.questions[0].words  # 7 and 0 spaces, 2 lower
    game.do("Gwen", "take", character="Ogre", dice=[(6, 1)])
    assert conditions(game, "Ogre") == ["Dead"]  # no Willpower in Full Power


def test_ad_23_full_power_frees_rebounds_and_brings_one_more_action_in_step_e() -> None:
    throw = ability("Throw", type="Attack", specialty="Arm", damage="1", rebound="3")
    game = duel(ogre=boss(WILLPOWER="1/4", abilities=(throw,)))
    game.do("Ana", "pass")
    game.do("Gwen", "full-power", character="Ogre")
    hit(game, "Ogre", "Rhea", using="Throw")
    game.do("Ana", "take")
    assert (game.state.phase, pools(game, "Ogre")[1]) == ("extra", 1)
    assert export(game)["turn"] == ["Ogre"]


def test_ad_23_willpower_is_refused_in_full_power_even_after_the_question_is_open() -> None:
    game = duel(ogre=boss(STAMINA=1, WILLPOWER="1/4", DAMAGED=["Eyes", "Ears"]))
    hit(game, "Rhea", "Ogre", *TO_ARM)
    game.do("Gwen", "take", character="Ogre")
    game.do("Gwen", "full-power", character="Ogre")
    game.refused("Gwen", "willpower", rule="AD-23", character="Ogre", amount=1)


def test_ad_24_a_helpless_boss_yells_once_a_round_in_step_c() -> None:
    game = duel(ogre=boss(WILLPOWER="0/4"))
    game.refused("Gwen", "yell", rule="AD-24", character="Ogre")
    game.do("Ana", "pass")
    assert export(game)["turn"] == ["Ogre"]
    game.refused("Gwen", "attack", rule="AD-29", character="Ogre", target="Rhea", using="Sword")
    game.do("Gwen", "yell", character="Ogre", dice=[*check(3, 3), *ARM])
    assert (pools(game, "Ogre")[1], conditions(game, "Ogre")) == (1, [])
    assert game.state.round == 2


def test_ad_28_the_same_ailment_does_not_stack_and_the_sufferer_chooses_the_cure() -> None:
    """Prove AD-28."""
    aid = ability("Aid", type="Assist", cure="any")
    game = trio(pip={"abilities": (aid,)})
    game.do("Gwen", "condition add", target="Rhea", name="Dazed")
    game.do("Gwen", "condition add", target="Rhea", name="Dazed", source="Ogre")
    game.do("Gwen", "condition add", target="Rhea", name="Poisoned")
    assert conditions(game, "Rhea") == ["Dazed", "Poisoned"]
    game.do("Bo", "assist", using="Aid", target="Rhea")
    assert asked(game) == [("Rhea", "cure", ["cure"])]
    game.do("Ana", "cure", using="Poisoned")
    assert conditions(game, "Rhea") == ["Dazed"]
    game.do("Gwen", "encounter end")
    assert conditions(game, "Rhea") == []


def test_ad_10_assist_with_an_ability_an_item_or_what_the_gm_allows() -> None:
    tonic = ability("Tonic", "item", heal="2", uses="1")
    game = trio(rhea={"abilities": (tonic,), "STAMINA": "5/10"}, pip={"abilities": (SWORD,)})
    game.do("Ana", "assist", using="Tonic")
    assert pools(game, "Rhea")[0] == 7
    assert game.state.combatant("Rhea").ability("Tonic") is None
    game.refused("Bo", "assist", rule="AD-10", using="Sword")
    game.do("Gwen", "gm set", target="Pip", pool="mark:assist", value="throw sand")
    game.do("Bo", "assist", target="Ogre")
    assert "throw sand" in game.said()
    assert game.state.done == ("Rhea", "Pip")


def carrying() -> Game:
    knife = ability("Knife", "weapon", specialty="Arm", damage="1", bag="Pack")
    rope = ability("Rope", "item")
    return trio(rhea={"abilities": (knife, rope, ability("Pack", "bag"))}, pip={"abilities": (CRY,)})


def names(game: Game, who: str) -> list[str]:
    return [each.name for each in game.state.combatant(who).abilities]


def test_ad_12_equip_takes_a_weapon_out_of_a_bag() -> None:
    game = carrying()
    game.do("Ana", "equip", using="Knife")
    knife = game.state.combatant("Rhea").ability("Knife")
    assert knife is not None
    assert "bag" not in knife.fields
    game.refused("Bo", "equip", rule="AD-12")


def test_ad_13_giving_and_taking_one_item() -> None:
    """Prove AD-13."""
    game = carrying()
    game.do("Ana", "exchange", target="Pip", using="Rope", note="give")
    assert (names(game, "Rhea"), names(game, "Pip")) == (["Knife", "Pack"], ["Cry", "Rope"])
    game = carrying()
    game.do("Gwen", "encounter options", set="consent=on")
    game.do("Bo", "exchange", target="Rhea", using="Rope", note="take")
    assert asked(game) == [("Rhea", "exchange", ["accept", "pass"])]
    game.do("Ana", "pass")
    assert game.state.done == ()
    game.do("Bo", "exchange", target="Rhea", using="Rope", note="take")
    game.do("Ana", "accept")
    assert (names(game, "Pip"), game.state.done) == (["Cry", "Rope"], ("Pip",))


def test_ad_14_store_puts_in_and_takes_out() -> None:
    game = carrying()
    game.refused("Bo", "store", rule="AD-14", using="Cry", note="in")
    game.do("Ana", "store", using="Rope", to="Pack", note="in")
    rope = game.state.combatant("Rhea").ability("Rope")
    assert rope is not None
    assert rope.field("bag") == "Pack"
    game = carrying()
    game.do("Ana", "store", using="Knife", note="out")
    knife = game.state.combatant("Rhea").ability("Knife")
    assert knife is not None
    assert knife.field("bag") == ""


def test_a_removed_combatant_leaves_no_question_behind() -> None:
    game = trio()
    hit(game, "Rhea", "Ogre")
    game.do("Gwen", "gm remove", target="Ogre")
    assert (asked(game), open_blow(game.state)) == ([], None)


def test_ad_19_a_second_blow_leaves_the_first_check_its_number() -> None:
    game = duel(rhea={"STAMINA": 5, "DAMAGED": "Eyes"})
    game.do("Gwen", "gm damage", target="Rhea", amount="6")
    game.do("Gwen", "gm damage", target="Rhea", amount="1")
    assert [each.damaged for each in game.state.deaths] == [2, 3]
    assert len(damaged(game, "Rhea")) == 3
    game.do("Ana", "death-check", dice=[(6, 2)])
    assert [each.damaged for each in game.state.deaths] == [3], "two is enough against the two of the first blow"
