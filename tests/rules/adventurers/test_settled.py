"""What playing whole fights showed. Rule: AD-04, AD-07 to AD-10, AD-13, AD-16, AD-19 to AD-23, AD-25, AD-28."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.registry import system_of
from tests.rules.adventurers.scene import (
    ARM,
    BLESSING,
    CRY,
    SWORD,
    ability,
    add,
    asked,
    check,
    conditions,
    damaged,
    duel,
    hit,
    pools,
    trio,
)
from tests.rules.table import Game

TO_ARM = ((6, 2), (4, 3))  # area 2: Hand, Fingers, Arm, Shoulder
BASH = ability("Shield Bash", type="Attack", specialty="Arm", damage="1")
LOUD_CRY = ability("Cry", type="Support", damage="5")
LENT_BASH = ability("Shield Bash", type="Support", damage="4")


def using(game: Game, who: str, action: str = "attack") -> tuple[str, ...]:
    offers = system_of(game.state).offers(game.state, who)
    return next(param.choices or () for offer in offers if offer.action == action for param in offer.params)


# AD-04


def rolled(options: str = "") -> Game:
    game = Game("adventurers", options)
    add(game, "Rhea", owner="Ana")
    add(game, "Pip", owner="Bo", WILLPOWER="0/3")
    add(game, "Ogre")
    return game


def test_ad_04_the_check_is_rolled_for_everybody_at_once_in_the_order_of_joining() -> None:
    game = rolled()
    game.do("Gwen", "encounter begin", dice=[*ARM, *check(1, 2), *check(4, 4)])
    assert game.state.passed == {"Rhea": False, "Pip": True}
    assert game.state.phase == "enemies"  # Pip is early, but Helpless
    assert game.waits_for() == ("Ogre",)
    assert "success: Advance, but Helpless." in game.said("Ana")


def test_ad_04_the_gm_names_the_next_rounds_specialty_even_before_the_first() -> None:
    game = rolled()
    game.do("Gwen", "gm choose", what="specialty", value="Courage")
    game.do("Gwen", "encounter begin", dice=[*check(1, 2), *check(1, 2)])
    assert game.state.specialty == "Courage"
    game.do("Gwen", "gm choose", what="specialty", value="Run")
    assert game.state.specialty == "Courage"
    game.do("Gwen", "pass", character="Ogre")
    game.do("Ana", "pass", dice=[*check(1, 2), *check(1, 2)])
    assert (game.state.round, game.state.specialty) == (2, "Run")


def test_ad_04_with_checks_asked_a_skip_rolls_the_check_too() -> None:
    game = rolled("checks=asked")
    game.do("Gwen", "encounter begin", dice=ARM)
    game.do("Gwen", "gm skip", target="Rhea", dice=check(6, 6))
    assert game.state.passed == {"Rhea": True}
    game.do("Gwen", "gm next-phase", dice=check(1, 1))
    assert game.state.passed == {"Rhea": True, "Pip": False}


def test_ad_04_nobody_is_put_into_a_step_that_is_over() -> None:
    game = duel(early=False)
    assert game.state.phase == "enemies"
    refusal = game.refused("Gwen", "gm set", rule="AD-04", target="Rhea", pool="initiative", value="advance")
    assert "/gm turn target:Rhea" in str(refusal)
    game.do("Gwen", "gm set", target="Rhea", pool="initiative", value="late")


# AD-07


def test_ad_07_somebody_who_leaves_and_comes_back_in_a_round_acts_once() -> None:
    game = trio()
    game.do("Ana", "pass")
    document = {"name": "Rhea", "owner": "101", "fields": {"STAMINA": 10, "WILLPOWER": 4}, "abilities": [SWORD]}
    game.do("Ana", "remove", target="Rhea")
    game.do("Ana", "join", document=document)
    assert "Rhea has already had this round's turn." in game.lines("Bo")
    game.refused("Ana", "pass", rule="AD-07")
    game.do("Bo", "pass")
    game.do("Gwen", "pass", character="Ogre", dice=ARM)
    assert game.state.round == 2  # nobody was waited for in Late


def test_g_01_a_skip_that_would_change_nothing_is_refused() -> None:
    game = trio()
    game.do("Ana", "pass")
    game.refused("Gwen", "gm skip", rule="G-01", target="Rhea")
    game.do("Gwen", "gm skip", target="Ogre")
    game.do("Bo", "pass", dice=ARM)
    assert game.state.round == 2


# AD-08, AD-09


def test_ad_08_a_target_limit_is_that_of_the_whole_name() -> None:
    whirl = ability("Whirl", type="Attack", specialty="Arm", damage="1")
    strike = ability("Whirlwind Strike", type="Attack", specialty="Arm", damage="1", targets="3")
    game = trio(rhea={"abilities": (whirl, strike)})
    game.refused("Ana", "attack", rule="AD-08", target="Ogre, Pip", using="Whirl")
    hit(game, "Rhea", "Ogre, Pip", using="Whirlwind Strike")


def test_ad_09_ones_own_support_and_a_lent_one_of_the_same_name_are_both_to_choose() -> None:
    game = trio(
        rhea={"abilities": (SWORD, CRY)}, pip={"abilities": ({**CRY, "fields": {**CRY["fields"], "damage": "5"}},)}
    )
    game.do("Bo", "cooperate", target="Rhea", using="Cry")
    assert set(using(game, "Rhea")) == {"Sword", "Sword, Cry", "Sword, Cry (Pip)", "Sword, Cry, Cry (Pip)"}
    hit(game, "Rhea", "Ogre", using="Sword, Cry (Pip)")
    game.do("Gwen", "take", character="Ogre")
    assert pools(game, "Ogre")[0] == 2  # 3 and 5


def test_ad_09_a_lent_support_does_not_take_the_attack_of_its_name_away() -> None:
    game = trio(rhea={"abilities": (SWORD, BASH)}, pip={"abilities": (LENT_BASH,)})
    game.do("Bo", "cooperate", target="Rhea")
    assert {"Shield Bash", "Shield Bash, Shield Bash (Pip)"} <= set(using(game, "Rhea"))
    hit(game, "Rhea", "Ogre", using="Shield Bash")
    game.do("Gwen", "take", character="Ogre")
    assert pools(game, "Ogre")[0] == 9


def test_ad_09_a_cooperative_attack_goes_with_the_next_attack_or_not_at_all() -> None:
    game = trio(rhea={"abilities": (SWORD,)}, pip={"abilities": (BLESSING,)})
    game.do("Bo", "cooperate", target="Rhea")
    game.do("Ana", "attack", target="Ogre", using="Sword", dice=check(1, 3))
    assert "The cooperative attack of Pip for Rhea is lost." in game.lines("Bo")
    assert (game.state.cooperations, pools(game, "Pip")) == ((), (10, 4))


def test_ad_09_somebody_who_is_dead_lends_nothing_and_pays_nothing() -> None:
    game = trio(rhea={"abilities": (SWORD,)}, pip={"abilities": (BLESSING,)})
    game.do("Bo", "cooperate", target="Rhea")
    game.do("Gwen", "gm choose", what="dead", value="Pip")
    assert using(game, "Rhea")[0] == "Ogre"  # the sword alone: nothing is asked but the target
    hit(game, "Rhea", "Ogre")
    assert pools(game, "Pip") == (10, 4)


def test_ad_09_lending_says_what_it_costs_and_that_the_last_point_makes_helpless() -> None:
    game = trio(pip={"abilities": (BLESSING, CRY), "WILLPOWER": "1/4"})
    offers = system_of(game.state).offers(game.state, "Pip")
    notes = next(p.notes for offer in offers if offer.action == "cooperate" for p in offer.params if p.name == "using")
    assert notes["Blessing"] == "damage 2 · costs 1 Willpower (1 → 0: Helpless) when it is used"


# AD-10


def test_ad_10_an_item_that_hurts_asks_for_a_target_and_hurts_it() -> None:
    bomb = ability("Bomb", "item", damage="1d6", ailment="Dazed", uses="1")
    game = duel(rhea={"abilities": (bomb,)})
    game.refused("Ana", "assist", rule="AD-10", using="Bomb")
    game.do("Ana", "assist", using="Bomb", target="Ogre", dice=[(6, 4)])
    assert (pools(game, "Ogre")[0], conditions(game, "Ogre")) == (6, ["Dazed"])
    assert game.state.combatant("Rhea").abilities == ()


def test_ad_28_a_cure_for_one_ailment_cures_no_other() -> None:
    tonic = ability("Tonic", "item", cure="Poisoned", uses="2")
    game = duel(rhea={"abilities": (tonic,)})
    game.do("Gwen", "condition add", target="Rhea", name="Bleeding")
    game.do("Ana", "assist", using="Tonic")
    assert conditions(game, "Rhea") == ["Bleeding"]
    assert "Rhea is not Poisoned, so there is nothing to cure." in game.lines("Ana")


# AD-13


def carrying(**pip: Any) -> Game:
    return trio(rhea={"abilities": (SWORD, ability("Rope", "item"))}, pip={"abilities": (), **pip})


def test_ad_13_a_take_asks_nobody_unless_the_table_says_so() -> None:
    game = carrying()
    game.do("Bo", "exchange", target="Rhea", using="Rope", note="take")
    assert (asked(game), game.state.done) == ([], ("Pip",))
    assert game.state.combatant("Pip").ability("Rope") is not None


def test_ad_13_a_weapon_that_is_received_is_equipped_by_an_action_of_its_own() -> None:
    game = carrying()
    game.do("Ana", "exchange", target="Pip", using="Sword", note="give")
    assert "Rhea gives Sword to Pip (not in hand)." in game.lines("Bo")
    assert "attack" not in game.legal("Pip")
    game.do("Bo", "equip", using="Sword")
    assert "Pip equips Sword." in game.lines("Bo")
    game = carrying(abilities=(ability("Pack", "bag"),))
    game.do("Ana", "exchange", target="Pip", using="Sword", note="give")
    sword = game.state.combatant("Pip").ability("Sword")
    assert sword is not None
    assert sword.field("bag") == "Pack"


# AD-16, AD-19, AD-20


def test_ad_13_with_consent_a_request_freezes_nobody_and_ends_with_what_the_asker_does_instead() -> None:
    game = carrying()
    game.do("Gwen", "encounter options", set="consent=on")
    game.do("Bo", "exchange", target="Rhea", using="Rope", note="take")
    assert set(game.waits_for()) == {"Rhea", "Pip"}
    game.do("Bo", "pass")
    assert "Pip is no longer asking Rhea for Rope." in game.lines("Ana")
    assert asked(game) == []
    game.do("Ana", "pass")


def test_ad_16_a_hit_down_to_exactly_0_may_be_taken_for_somebody() -> None:
    game = duel(early=False, rhea={"STAMINA": 3, "DAMAGED": ["Eyes", "Ears"]})
    hit(game, "Ogre", "Rhea")
    command = system_of(game.state).timeout_action(game.state, "Rhea")
    assert command is not None
    assert command.action == "take"


def test_ad_19_a_death_check_that_cannot_fail_is_rolled_without_asking() -> None:
    game = duel(early=False, rhea={"STAMINA": 2})
    hit(game, "Ogre", "Rhea", *TO_ARM)
    game.do("Ana", "take", dice=[(6, 1)])
    assert (damaged(game, "Rhea"), asked(game), conditions(game, "Rhea")) == (["Arm"], [], [])
    assert game.state.combatant("Rhea").ability("Sword") is not None


def test_ad_20_breaking_a_weapon_is_never_the_first_answer_and_says_what_is_lost() -> None:
    game = duel(early=False, rhea={"STAMINA": 2, "DAMAGED": "Eyes"})
    hit(game, "Ogre", "Rhea", *TO_ARM)
    game.do("Ana", "take", dice=[])
    question = game.state.questions[0]
    assert question.choices == ("death-check", "break-weapon")
    assert "break a weapon (Sword)" in question.words
    assert "gone for good" in question.words


# AD-21


def test_ad_21_a_spared_enemy_can_be_killed_by_the_next_blow() -> None:
    game = trio(ogre={"STAMINA": 3})
    game.do("Gwen", "gm choose", what="helpless", value="Ogre")
    add(game, "Goblin")
    hit(game, "Rhea", "Ogre")
    game.do("Gwen", "take", character="Ogre")
    assert conditions(game, "Ogre") == ["Helpless"]
    hit(game, "Pip", "Ogre")
    assert "Dead" in conditions(game, "Ogre")


def test_ad_21_when_no_enemy_is_left_the_fight_is_over_and_nobody_is_waited_for() -> None:
    game = trio(ogre={"STAMINA": 3})
    hit(game, "Rhea", "Ogre")
    game.do("Gwen", "take", character="Ogre", dice=[])
    assert game.state.over == "no enemy is left."
    assert "End it with /encounter end." in game.said("Gwen")
    assert "/encounter end" not in game.said("Ana")
    assert (game.waits_for(), game.legal("Pip")) == ((), ())
    game.refused("Gwen", "gm next-phase", rule="AD-21")
    add(game, "Troll")
    assert game.state.over is None
    assert game.waits_for() == ("Pip",)


def test_ad_21_if_all_of_a_side_are_helpless_the_gm_ends_it_or_goes_on() -> None:
    game = trio()
    game.do("Gwen", "gm set", target="Ogre", pool="WILLPOWER", value="0")
    assert "every enemy left is Helpless" in str(game.state.over)
    game.do("Gwen", "gm next-phase")
    assert game.state.over is None
    assert game.waits_for() == ("Rhea", "Pip")
    game.do("Ana", "pass")
    assert game.state.over is None
    game.do("Gwen", "gm set", target="Ogre", pool="WILLPOWER", value="1")
    game.do("Gwen", "gm set", target="Ogre", pool="WILLPOWER", value="0")
    assert game.state.over is not None


def test_ad_21_without_any_enemy_yet_the_fight_goes_on() -> None:
    game = Game("adventurers")
    add(game, "Rhea", owner="Ana")
    game.do("Gwen", "encounter begin")
    assert (game.state.over, game.waits_for()) == (None, ("Rhea",))


# AD-22, AD-23, AD-25


@pytest.mark.parametrize(("faces", "afflicted"), [((3, 4), ["Dazed"]), ((1, 2), [])])
def test_ad_22_a_bosss_assist_afflicts_its_target_when_it_hits(faces: tuple[int, int], afflicted: list[str]) -> None:
    curse = ability("Curse", type="Assist", ailment="Dazed")
    game = duel(early=False, ogre={"KIND": "boss", "LEVEL": 1, "abilities": (SWORD, curse)})
    game.do("Gwen", "attack", character="Ogre", target="Rhea", using="Sword, Curse", dice=check(*faces))
    if afflicted:
        game.do("Ana", "take")
    assert (conditions(game, "Rhea"), conditions(game, "Ogre")) == (afflicted, [])


def full(**changes: Any) -> dict[str, Any]:
    return {"KIND": "boss", "WILLPOWER": "1/4", **changes}


def test_ad_23_full_power_declared_meanwhile_changes_what_the_evasion_is_said_to_need() -> None:
    game = duel(ogre=full())
    hit(game, "Rhea", "Ogre")
    assert "needs 7" in game.state.questions[0].words
    game.do("Gwen", "full-power", character="Ogre")
    assert "needs 5" in game.state.questions[0].words
    game.do("Gwen", "evade", character="Ogre", dice=check(2, 3))
    assert pools(game, "Ogre")[0] == 10


def test_ad_23_full_power_after_a_failed_death_check_says_first_that_it_kills() -> None:
    game = duel(ogre=full(STAMINA=1, DAMAGED=["Eyes", "Ears"], abilities=()))
    hit(game, "Rhea", "Ogre", *TO_ARM)
    game.do("Gwen", "take", character="Ogre", dice=[(6, 1)])
    assert asked(game) == [("Ogre", "death check", ["willpower", "accept"])]
    assert "dies at once" in str(game.refused("Gwen", "full-power", rule="AD-23", character="Ogre"))
    game.do("Gwen", "full-power", character="Ogre", note="die")
    assert "Dead" in conditions(game, "Ogre")


def test_ad_25_the_whole_effect_of_a_critical_is_told_before_the_hit_is_answered() -> None:
    game = duel()
    game.do("Ana", "attack", target="Ogre", dice=[*check(6, 6), (6, 4)])
    words = game.state.questions[0].words
    assert "Bleeding" in words
    assert "Critical: The cut goes deep" in words


# What /gm set takes


@pytest.mark.parametrize(
    ("key", "value", "rule"),
    [
        ("KIND", "wizard", "AD-21"),
        ("SPECIALTIES", "Foo + Arm", "AD-01"),
        ("Cry type", "Suport", "AD-08"),
        ("Tonic uses", "two", "AD-10"),
    ],
)
def test_gm_set_checks_what_joining_checks(key: str, value: str, rule: str) -> None:
    game = duel(ogre={"abilities": (CRY, ability("Tonic", "item", uses="2"))})
    game.refused("Gwen", "gm set", rule=rule, target="Ogre", pool=key, value=value)


def test_gm_set_refuses_what_no_rule_would_read() -> None:
    game = duel()
    refusal = game.refused("Gwen", "gm set", rule="AD-10", target="Ogre", pool="Sword uses", value="2")
    assert "No rule reads uses of Sword" in str(refusal)


def test_ad_04_somebody_who_becomes_an_adventurer_in_mid_round_acts_late() -> None:
    game = duel()
    game.do("Gwen", "gm set", target="Ogre", pool="KIND", value="adventurer")
    assert game.state.passed["Ogre"] is False
    add(game, "Goblin")
    game.do("Ana", "pass")
    game.do("Gwen", "pass", character="Goblin")
    assert game.waits_for() == ("Ogre",)


def test_ad_21_a_kind_that_is_set_is_one() -> None:
    game = duel(ogre={"WILLPOWER": "1/4"})
    game.do("Gwen", "gm set", target="Ogre", pool="KIND", value="Boss")
    assert "full-power" in game.legal("Ogre")
