"""Attacks, help for them, evasion, Criticals and Fumbles. Rule: AD-08, AD-09, AD-22, AD-25, AD-26, AD-30."""

from __future__ import annotations

import pytest

from tests.rules.adventurers.scene import (
    ARM,
    BLESSING,
    CRY,
    SWORD,
    ability,
    asked,
    check,
    conditions,
    drawn,
    duel,
    hit,
    pools,
    timeout_action,
    trio,
)


def test_ad_08_an_attack_names_its_weapon_and_at_most_one_support() -> None:
    game = duel(rhea={"abilities": (SWORD, BLESSING, CRY)})
    game.refused("Ana", "attack", rule="AD-08", target="Ogre", using="Sword, Blessing, Cry")
    game.refused("Ana", "attack", rule="AD-08", target="Rhea", using="Sword")
    hit(game, "Rhea", "Ogre", using="Sword, Blessing")
    assert pools(game, "Rhea") == (10, 3)  # the Support's rebound
    assert asked(game) == [("Ogre", "hit", ["evade", "take"])]
    game.do("Gwen", "take", character="Ogre")
    assert pools(game, "Ogre")[0] == 5  # 3 and 2


def test_ad_08_a_miss_does_nothing_and_is_the_action() -> None:
    game = duel()
    game.do("Ana", "attack", target="Ogre", dice=check(1, 3))
    assert "miss" in game.said()
    assert asked(game) == []
    assert game.state.phase == "enemies"


def test_ad_08_one_target_unless_the_ability_says_more_and_nobody_who_is_out() -> None:
    game = trio()
    game.refused("Ana", "attack", rule="AD-08", target="Ogre, Pip", using="Sword")
    game.do("Gwen", "gm choose", what="dead", value="Pip")
    game.refused("Ana", "attack", rule="AD-08", target="Pip", using="Sword")


def test_ad_08_a_weapon_in_a_bag_does_not_attack() -> None:
    knife = ability("Knife", "weapon", specialty="Arm", damage="1", bag="Pack")
    game = duel(rhea={"abilities": (SWORD, knife, ability("Pack", "bag"))})
    game.refused("Ana", "attack", rule="AD-12", target="Ogre", using="Knife")


def test_ad_08_several_targets_are_asked_at_the_same_time() -> None:
    storm = ability("Storm", type="Attack", specialty="Arm", damage="1d6", targets="all")
    game = trio(ogre={"abilities": (storm,)})
    game.do("Ana", "pass")
    game.do("Bo", "pass")
    hit(game, "Ogre", "Pip, Rhea", (6, 4), using="Storm")
    assert [who for who, _, _ in asked(game)] == ["Rhea", "Pip"]
    game.do("Bo", "take")  # sealed: Rhea comes first
    assert pools(game, "Pip")[0] == 10
    game.do("Ana", "take")
    assert asked(game) == []
    assert (pools(game, "Rhea")[0], pools(game, "Pip")[0]) == (6, 6)


def test_ad_08_one_check_for_several_targets_does_once_what_it_does_for_its_user() -> None:
    roar = ability("Roar", type="Attack", specialty="Arm", damage="1d6", targets="all", text="You lose 2 [Stamina].")
    game = trio(ogre={"abilities": (roar,)})
    before = pools(game, "Ogre")[0]
    game.do("Ana", "pass")
    game.do("Bo", "pass")
    hit(game, "Ogre", "Pip, Rhea", (6, 4), using="Roar")
    for name in ("Bo", "Ana"):
        game.do(name, "take")
    assert pools(game, "Ogre")[0] == before - 2
    assert (pools(game, "Rhea")[0], pools(game, "Pip")[0]) == (6, 6)


def test_ad_09_a_cooperative_attack_is_used_beside_ones_own_support_and_paid_by_the_helper_then() -> None:
    game = trio(rhea={"abilities": (SWORD, CRY)}, pip={"abilities": (BLESSING,)})
    game.do("Bo", "cooperate", target="Rhea", using="Blessing", dice=[])
    assert pools(game, "Pip") == (10, 4)
    hit(game, "Rhea", "Ogre", using="Sword, Cry, Blessing")
    assert (pools(game, "Pip"), pools(game, "Rhea")) == ((10, 3), (10, 4))
    game.do("Gwen", "take", character="Ogre")
    assert pools(game, "Ogre")[0] == 4
    assert game.state.cooperations == ()


def test_ad_09_the_same_support_of_another_and_of_ones_own_both_join() -> None:
    game = trio(rhea={"abilities": (SWORD, CRY)}, pip={"abilities": (CRY,)})
    game.do("Bo", "cooperate", target="Rhea", using="Cry")
    game.refused("Ana", "attack", rule="AD-08", target="Ogre", using="Sword, Cry, Cry, Cry")
    hit(game, "Rhea", "Ogre", using="Sword, Cry, Cry")
    game.do("Gwen", "take", character="Ogre")
    assert pools(game, "Ogre")[0] == 5


def test_ad_08_without_means_attack_is_no_legal_action() -> None:
    game = trio(rhea={"abilities": ()})
    assert "attack" not in game.legal("Rhea")
    game.refused("Ana", "attack", rule="AD-08", target="Ogre")


def test_ad_09_it_lapses_with_the_round_unpaid() -> None:
    game = trio(pip={"abilities": (BLESSING,)})
    game.do("Bo", "cooperate", target="Rhea")
    game.do("Ana", "pass")
    game.do("Gwen", "pass", character="Ogre", dice=ARM)
    assert "is lost" in game.said()
    assert (game.state.cooperations, pools(game, "Pip")) == ((), (10, 4))


def test_ad_09_only_another_adventurer_is_helped_and_only_with_a_support() -> None:
    game = trio(pip={"abilities": (SWORD, BLESSING)})
    game.refused("Bo", "cooperate", target="Ogre", using="Blessing")
    game.refused("Bo", "cooperate", rule="AD-09", target="Rhea", using="Sword")
    game.refused("Gwen", "cooperate", rule="AD-09", character="Ogre", target="Rhea")


def test_ad_22_a_boss_joins_as_many_abilities_as_its_level() -> None:
    aid = ability("Aid", type="Assist", heal="2")
    mob = {"KIND": "boss", "LEVEL": 2, "STAMINA": "5/10", "abilities": (SWORD, BLESSING, CRY, aid)}
    game = duel(early=False, ogre=mob)
    game.refused("Gwen", "attack", rule="AD-22", character="Ogre", target="Rhea", using="Sword, Blessing, Cry, Aid")
    hit(game, "Ogre", "Rhea", using="Sword, Cry, Aid")
    game.do("Ana", "take")
    assert (pools(game, "Rhea")[0], pools(game, "Ogre")[0]) == (6, 7)


def test_ad_25_an_evasion_costs_1_willpower_and_must_reach_the_hit_and_the_spaces() -> None:
    game = duel(early=False, rhea={"SPECIALTIES": ["Shoulder", "Arm"], "DAMAGED": "Arm"})
    hit(game, "Ogre", "Rhea")
    question = game.state.questions[0]
    assert "Shoulder → Arm: 3 spaces, needs 10" in question.words  # the hit check's 7 and 3 spaces
    game.do("Ana", "evade", dice=check(4, 6))
    assert pools(game, "Rhea") == (10, 3)
    game.do("Ana", "pass", dice=ARM)
    game.do("Ana", "initiative", dice=check(1, 2))
    hit(game, "Ogre", "Rhea")
    game.do("Ana", "evade", dice=check(4, 5))
    assert pools(game, "Rhea") == (7, 2)
    game.refused("Ana", "evade", rule="AD-25")


def test_ad_25_without_willpower_nobody_is_asked_and_the_hit_takes_effect() -> None:
    game = trio(rhea={"WILLPOWER": "0/3"})
    game.do("Bo", "pass")
    hit(game, "Ogre", "Rhea", *ARM)
    assert (asked(game), pools(game, "Rhea")[0]) == ([], 7)


def test_ad_25_the_round_waits_and_the_gm_answers_for_the_absent() -> None:
    game = trio()
    hit(game, "Rhea", "Ogre")
    assert game.waits_for() == ("Ogre",)
    game.refused("Bo", "pass", rule="AD-25")
    assert timeout_action(game, "Ogre") == "take"
    game.do("Gwen", "gm answer", target="Ogre", choice="take")
    assert pools(game, "Ogre")[0] == 7


@pytest.mark.parametrize(("parts", "answer"), [((), "take"), (("Eyes",), "evade")])
def test_ad_25_a_reminder_evades_what_could_kill(parts: tuple[str, ...], answer: str) -> None:
    game = duel(early=False, rhea={"STAMINA": 2, "abilities": (), "DAMAGED": list(parts)})
    hit(game, "Ogre", "Rhea", (6, 2), (4, 1))
    assert timeout_action(game, "Rhea") == answer


@pytest.mark.parametrize(
    ("face", "extra", "afflicted"), [(1, {"Rhea": 1}, []), (3, {}, ["Dazed"]), (4, {}, ["Bleeding"]), (6, {}, [])]
)
def test_ad_26_a_critical_hit_adds_a_roll_on_its_table(face: int, extra: dict[str, int], afflicted: list[str]) -> None:
    game = duel()
    game.do("Ana", "attack", target="Ogre", dice=[*check(6, 6), (6, face)])
    game.do("Gwen", "take", character="Ogre")
    assert (dict(game.state.extra), conditions(game, "Ogre")) == (extra, afflicted)


def test_ad_26_an_evaded_critical_has_no_effect() -> None:
    game = duel()
    game.do("Ana", "attack", target="Ogre", dice=[*check(6, 6), (6, 4)])
    game.do("Gwen", "evade", character="Ogre", dice=[*check(6, 6), (6, 2)])
    assert (pools(game, "Ogre"), conditions(game, "Ogre")) == ((10, 4), [])  # 1 spent, 1 back by the Critical


def test_ad_26_fumbles_have_tables_too() -> None:
    game = duel()
    game.do("Ana", "attack", target="Ogre", dice=[*check(1, 1), (6, 1)])
    assert conditions(game, "Rhea") == ["Off Balance"]
    hit(game, "Ogre", "Rhea")
    game.do("Ana", "evade", dice=[*check(1, 1), (6, 2), *ARM])
    assert pools(game, "Rhea") == (7, 2)


def test_ad_26_a_tables_own_texts_are_read_instead() -> None:
    game = duel()
    game.do("Gwen", "encounter options", tables={"hit-critical": ["[damage +4] Ours."] * 6})
    game.do("Ana", "attack", target="Ogre", dice=[*check(6, 6), (6, 1)])
    assert "Ours." in game.said()
    game.do("Gwen", "take", character="Ogre")
    assert pools(game, "Ogre")[0] == 3


def test_ad_30_rebound_above_willpower_cannot_be_paid_and_the_last_point_makes_helpless() -> None:
    throw = ability("Throw", type="Attack", specialty="Arm", damage="2", rebound="2")
    game = duel(rhea={"WILLPOWER": "1/4", "abilities": (throw,)})
    game.refused("Ana", "attack", rule="AD-30", target="Ogre", using="Throw")
    game.do("Gwen", "gm set", target="Rhea", pool="WILLPOWER", value="2")
    hit(game, "Rhea", "Ogre", using="Throw")
    assert conditions(game, "Rhea") == ["Helpless"]
    game.do("Gwen", "take", character="Ogre")
    assert pools(game, "Ogre")[0] == 8


def test_ad_30_option_stamina() -> None:
    throw = ability("Throw", type="Attack", specialty="Arm", damage="2", rebound="2")
    game = duel("rebound=stamina", rhea={"abilities": (throw,)})
    hit(game, "Rhea", "Ogre", using="Throw")
    assert pools(game, "Rhea") == (8, 4)


def test_g_02_the_dice_of_an_attack_come_in_a_stated_order() -> None:
    game = duel(
        early=False,
        rhea={"STAMINA": 1},
        ogre={"abilities": (ability("Club", "weapon", specialty="Arm", damage="1d6"),)},
    )
    game.do("Gwen", "attack", character="Ogre", target="Rhea", dice=[*check(3, 4), (6, 5), (6, 2), (4, 3)])
    assert [die.purpose for die in drawn(game)] == ["hit", "hit", "damage", "area", "body part"]


def test_g_08_hidden_numbers_of_the_gm_stay_hidden() -> None:
    game = duel("npc_pools=hidden")
    hit(game, "Rhea", "Ogre")
    assert "needs" not in game.state.questions[0].words
    game.do("Gwen", "evade", character="Ogre", dice=check(1, 2))
    assert "needs" not in game.said("Ana")
    assert "needs" in game.said("Gwen")
