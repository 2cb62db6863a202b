"""SW-01 to SW-06: opinions, Zeal, latecomers, waiting."""

from __future__ import annotations

import pytest

from rules.core.registry import system_of
from rules.core.views.whole import public_actions, whole_actions
from tests.rules.soulweaver.scene import RESULTS, Scene, gathering, join, running


def waiter_scene(note: str | None = None) -> Scene:
    """Return round 2: Ana in Conflict with an effect of hers (5 left) on Bo, and waiting."""
    scene = running(rounds=1)
    scene.conflict("Ana")
    scene.do("Gwen", "gm effect", creator="Ana", name="Shield", bearer="Bo", duration=5)
    scene.act("Ana", "wait", note=note)
    return scene


# SW-01


def test_sw_01_tier_7_makes_an_ally_and_tier_3_an_enemy_without_being_mutual() -> None:
    scene = gathering(sheet={"OPINION Bo": 7, "OPINION Cai": 3, "OPINION Ana": 9})
    facts = scene.facts("Ana", "Ana")
    assert (facts["allies"], facts["enemies"]) == (["Bo"], ["Cai"])
    assert scene.facts("Cai", "Cai")["allies"] == ["Ana", "Bo"]  # Cai likes both, itself it never counts
    assert scene.facts("Cai", "Cai")["enemies"] == []


@pytest.mark.parametrize(("tier", "allies", "enemies"), [(4, [], []), (6, [], []), (5, [], []), (8, ["Bo"], [])])
def test_sw_01_between_the_tiers_nobody_is_either(tier: int, allies: list[str], enemies: list[str]) -> None:
    scene = gathering("Ana", "Bo", sheet={"OPINION Bo": tier})
    facts = scene.facts("Ana", "Ana")
    assert (facts["allies"], facts["enemies"]) == (allies, enemies)


def test_sw_01_only_those_who_hold_an_opinion_and_the_gm_see_it() -> None:
    scene = running(sheet={"OPINION Bo": 2})
    assert "Ana's enemies: Bo." in scene.prompt("Ana")
    assert "enemies" not in scene.prompt("Bo").replace("Bo's enemies", "")
    assert not any("OPINION" in key or key == "enemies" for key in scene.facts("Ana", "Bo"))
    assert scene.facts("Ana", "Gwen")["enemies"] == ["Bo"]
    decision = scene.do("Gwen", "gm set", target="Ana", pool="opinion bo", value="8")
    assert decision.secret
    assert scene.lines("Cai") == []
    assert scene.lines("Ana") == ["Ana's opinion of Bo: Tier 8."]
    assert scene.facts("Ana", "Ana")["allies"] == ["Bo"]


def test_sw_01_an_opinion_of_goblins_counts_for_every_numbered_goblin() -> None:
    scene = gathering("Ana", sheet={"OPINION Goblin": 2, "OPINION Goblin 2": 8})
    scene.do("Gwen", "gm add", name="Goblin", sheet="ZEAL 0, MINOR 1", count=3)
    scene.do("Gwen", "gm add", name="Goblinoid", sheet="ZEAL 0, MINOR 1")
    facts = scene.facts("Ana", "Ana")
    assert (facts["allies"], facts["enemies"]) == (["Goblin 2"], ["Goblin 1", "Goblin 3"])


# SW-02


def test_sw_02_zeal_is_rolled_at_the_beginning_in_the_order_of_joining_the_highest_first() -> None:
    scene = gathering()
    scene.do("Gwen", "encounter begin", dice=[(12, 3), (12, 10), (12, 7)])
    assert scene.order() == ("Bo", "Cai", "Ana", "Soulweaver")
    assert scene.rolled() == [("Ana", "Zeal", 12), ("Bo", "Zeal", 12), ("Cai", "Zeal", 12)]
    assert scene.turn() == ("Bo",)
    assert scene.facts("Bo")["priority"] == 11


def test_sw_02_the_sheet_may_give_its_own_zeal_dice_and_the_option_the_die_of_a_skill() -> None:
    scene = gathering("Ana", "Bo", options="skill=2d6", sheet={"ZEAL": "1d20+2"})
    scene.do("Gwen", "gm set", target="Bo", pool="ZEAL", value="-1")
    scene.do("Gwen", "encounter begin", dice=[(20, 3), (6, 1), (6, 2)])
    assert (scene.facts("Ana")["priority"], scene.facts("Bo")["priority"]) == (5, 2)


def test_sw_02_equal_results_are_rolled_off_until_one_wins() -> None:
    scene = gathering()
    dice = [(12, 5), (12, 5), (12, 5), (12, 8), (12, 8), (12, 2), (12, 1), (12, 12)]
    scene.do("Gwen", "encounter begin", dice=dice)
    assert scene.order() == ("Bo", "Ana", "Cai", "Soulweaver")
    assert "Tie, rolled off: Ana 1, Bo 12." in scene.lines()


def test_sw_02_the_soulweaver_acts_after_all_others_and_ends_the_round() -> None:
    scene = running()
    assert scene.order() == ("Ana", "Bo", "Cai", "Soulweaver")
    for who in ("Ana", "Bo", "Cai", "Soulweaver"):
        assert (scene.turn(), scene.state.round) == ((who,), 1)
        scene.act(who, "end")
    assert (scene.turn(), scene.state.round) == (("Ana",), 2)


def test_sw_02_the_soulweaver_is_no_creature_and_belongs_to_the_gm() -> None:
    scene = running()
    assert "Soulweaver" not in scene.state.names
    assert scene.legal("Soulweaver") == ("trigger",)
    scene.refused("Ana", "trigger", rule="G-03", character="Soulweaver", note="thunder")
    scene.end_turns(3)
    assert {"major", "minor", "attack", "effect", "end", "trigger"} == set(scene.legal("Soulweaver"))
    scene.refused("Gwen", "wait", rule="SW-02", character="Soulweaver")
    scene.refused("Gwen", "stance", rule="SW-02", character="Soulweaver", using="Guard")
    scene.do("Gwen", "end")  # evident: nobody else may
    assert scene.state.round == 2


def test_sw_02_nobody_else_ends_a_turn_and_nobody_bears_the_soulweavers_name() -> None:
    scene = running()
    scene.refused("Bo", "end", rule="SW-02")
    scene.refused("Ana", "end", rule="G-03", character="Bo")
    assert "soulweaver 2" in str(scene.refused("Gwen", "gm add", name="soulweaver", sheet="ZEAL 1, MINOR 1"))


def test_sw_02_the_gms_creatures_hold_places_of_their_own() -> None:
    scene = gathering("Ana")
    scene.do("Gwen", "gm add", name="Wolf", sheet="ZEAL 2, MINOR 1")
    scene.do("Gwen", "encounter begin", dice=[(12, 2), (12, 9)])
    assert scene.order() == ("Wolf", "Ana", "Soulweaver")
    scene.do("Gwen", "end")
    assert scene.turn() == ("Ana",)


def test_a_sheet_that_lacks_what_priority_needs_is_refused_by_name() -> None:
    scene = Scene("soulweaver", people=("Gwen", "Ana"))
    refusal = scene.refused("Gwen", "gm add", name="Wolf", sheet="POISE 1")
    assert "ZEAL" in str(refusal)
    assert "MINOR" in str(refusal)
    assert "MINOR" in str(scene.refused("Gwen", "gm add", name="Wolf", sheet="ZEAL 1, MINOR many"))


# SW-03


def test_sw_03_a_latecomer_comes_last_whatever_the_result() -> None:
    scene = running()
    scene.users["Dee"] = "900"
    join(scene, "Dee", dice=[(12, 12)])
    assert scene.order() == ("Ana", "Bo", "Cai", "Dee", "Soulweaver")
    scene.end_turns(3)
    assert scene.turn() == ("Dee",)


def test_sw_03_latecomers_are_ordered_by_their_results() -> None:
    scene = running()
    scene.do("Gwen", "gm add", name="Wolf", sheet="ZEAL 0, MINOR 1", count=3, dice=[(12, 2), (12, 9), (12, 4)])
    assert scene.order() == ("Ana", "Bo", "Cai", "Wolf 2", "Wolf 3", "Wolf 1", "Soulweaver")
    scene.users["Dee"] = "900"
    join(scene, "Dee", dice=[(12, 4)])  # 5 with the bonus, and nobody of them has had a place yet
    assert scene.order() == ("Ana", "Bo", "Cai", "Wolf 2", "Dee", "Wolf 3", "Wolf 1", "Soulweaver")
    scene.end_turns(4)  # now the places of Wolf 2 and Dee have come
    scene.do("Gwen", "gm add", name="Bear", sheet="ZEAL 5, MINOR 1", dice=[(12, 12)])
    assert scene.order() == ("Ana", "Bo", "Cai", "Wolf 2", "Dee", "Bear", "Wolf 3", "Wolf 1", "Soulweaver")


def test_sw_03_a_latecomers_result_by_ruling_rolls_off_with_latecomers_alone() -> None:
    scene = running()
    scene.do("Gwen", "gm add", name="Wolf", sheet="ZEAL 0, MINOR 1", count=2, dice=[(12, 2), (12, 9)])
    scene.do("Gwen", "gm set", target="Wolf 1", pool="initiative", value="11", dice=())  # Ana has 11
    assert scene.order() == ("Ana", "Bo", "Cai", "Wolf 1", "Wolf 2", "Soulweaver")
    scene.do("Gwen", "gm set", target="Wolf 2", pool="initiative", value="11", dice=[(12, 3), (12, 8)])
    assert scene.order() == ("Ana", "Bo", "Cai", "Wolf 2", "Wolf 1", "Soulweaver")
    scene.do("Gwen", "gm set", target="Bo", pool="initiative", value="20", dice=())
    assert scene.order() == ("Bo", "Ana", "Cai", "Wolf 2", "Wolf 1", "Soulweaver")


def test_sw_03_nobody_hears_of_a_latecomer_who_is_hidden() -> None:
    scene = running()
    scene.do("Gwen", "gm add", name="Lurker", sheet="ZEAL 0, MINOR 1", hidden=True)
    assert scene.said("Ana") == ""
    assert "Lurker: Zeal" in scene.said()


def test_sw_03_somebody_who_joins_in_the_soulweavers_turn_acts_in_the_next_round() -> None:
    scene = running()
    scene.end_turns(3)
    scene.do("Gwen", "gm add", name="Wolf", sheet="ZEAL 0, MINOR 1")
    assert scene.turn() == ("Soulweaver",)
    scene.end_turns()
    assert scene.turn() == ("Ana",)
    scene.end_turns(3)
    assert scene.turn() == ("Wolf",)


# SW-04, SW-05


def test_sw_05_one_may_wait_and_act_after_another_and_the_place_moves_for_good() -> None:
    scene = running(rounds=1)
    scene.act("Ana", "wait", note="ask")
    assert scene.turn() == ("Bo",)
    assert "Waiting, and can act after any turn: Ana." in scene.prompt()
    scene.act("Bo", "end")
    question = scene.question()
    assert question is not None
    assert (question.who, question.choices) == ("Ana", ("act-now", "wait"))
    scene.do("Ana", "act-now")
    assert scene.turn() == ("Ana",)
    assert scene.order() == ("Bo", "Ana", "Cai", "Soulweaver")
    scene.act("Ana", "end")
    assert scene.turn() == ("Cai",)
    scene.next_round()
    assert scene.turn() == ("Bo",)
    scene.end_turns()
    assert scene.turn() == ("Ana",)


def test_sw_05_waiting_costs_nothing_and_keeps_the_pips_until_one_acts() -> None:
    scene = running(rounds=1)
    scene.act("Ana", "end")
    scene.act("Bo", "major", note="push")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "decline")
    scene.act("Ana", "react", note="brace")
    scene.finish()
    scene.next_round()
    assert scene.left("Ana") == (1, 0)
    scene.act("Ana", "wait")
    assert scene.left("Ana") == (1, 0)
    scene.act("Bo", "end")
    scene.act("Ana", "act-now")
    assert scene.left("Ana") == (1, 0)
    scene.act("Ana", "minor", note="look")
    assert scene.left("Ana") == (1, 0)  # cleared, then spent anew
    assert scene.facts("Ana")["pips"] == 1


def test_sw_05_waiting_is_refused_once_the_turn_has_begun_and_for_others() -> None:
    scene = running(rounds=1)
    scene.refused("Bo", "wait", rule="SW-05")
    scene.refused("Bo", "act-now", rule="SW-05")
    scene.act("Ana", "minor", note="look")
    scene.refused("Ana", "wait", rule="SW-05")
    scene.finish()
    scene.refused("Ana", "wait", rule="SW-05")
    scene.act("Ana", "end")
    scene.refused("Ana", "act-now", rule="SW-05")


def test_sw_05_ones_own_menu_has_one_entry_for_waiting_which_asks_until_when() -> None:
    scene = running(rounds=1)
    menu = whole_actions(scene.table, "Ana", scene.seat("Ana"))
    (wait,) = [each for each in menu if each.offer.action == "wait"]
    assert not wait.is_whole
    assert wait.offer.params[0].choices == ("ask", "after Bo", "after Cai", "after Soulweaver")
    found = [whole for whole in public_actions(scene.table, "Ana") if whole.offer.action == "wait"]
    assert [(whole.label, whole.is_whole) for whole in found] == [("Wait", True)]


def test_sw_05_of_two_who_want_to_be_asked_the_first_who_answers_has_the_turn_at_once() -> None:
    scene = running(rounds=1)
    scene.act("Ana", "wait", note="ask")
    scene.act("Bo", "wait", note="ask")
    scene.act("Cai", "end")
    assert scene.turn() == ("Ana", "Bo")  # asked at the same time
    scene.act("Bo", "act-now")
    assert scene.turn() == ("Bo",)
    scene.refused("Ana", "act-now", rule="SW-05")
    scene.act("Bo", "end")
    assert scene.turn() == ("Ana",)  # asked after that turn
    scene.act("Ana", "act-now")
    scene.act("Ana", "end")
    assert scene.order() == ("Cai", "Bo", "Ana", "Soulweaver")
    assert scene.turn() == ("Soulweaver",)


def test_sw_05_of_two_who_are_asked_one_may_act_and_the_other_go_on_waiting() -> None:
    scene = running(rounds=1)
    scene.act("Ana", "wait", note="ask")
    scene.act("Bo", "wait", note="ask")
    scene.act("Cai", "end")
    scene.act("Ana", "wait")
    assert scene.turn() == ("Bo",)
    scene.act("Bo", "act-now")
    scene.act("Bo", "end")
    assert scene.turn() == ("Ana",)  # Bo's turn was another creature's turn
    scene.act("Ana", "act-now")
    assert scene.order() == ("Cai", "Bo", "Ana", "Soulweaver")


def test_sw_05_somebody_who_waits_is_not_asked_and_acts_before_the_next_turn_begins() -> None:
    scene = running(rounds=1)
    scene.refused("Bo", "act-now", rule="SW-05")
    scene.act("Ana", "wait")
    assert [(each.action, each.who) for each in system_of(scene.state).offers_of_others(scene.state)] == [
        ("act-now", "Ana")
    ]
    scene.act("Bo", "minor", note="look")
    refusal = scene.refused("Ana", "act-now", rule="SW-05")
    assert "can act after a turn, not during it" in str(refusal)
    scene.finish()
    scene.act("Bo", "end")
    assert (scene.turn(), scene.question()) == (("Cai",), None)
    scene.act("Ana", "act-now")
    assert scene.turn() == ("Ana",)
    assert scene.order() == ("Bo", "Ana", "Cai", "Soulweaver")
    scene.act("Ana", "end")
    assert scene.turn() == ("Cai",)  # whose turn had not begun


def test_sw_05_one_waits_until_after_a_turn_and_of_two_who_name_the_same_the_first_in_priority_acts() -> None:
    scene = running("Ana", "Bo", "Cai", "Dee", rounds=1)
    scene.refused("Ana", "wait", note="after Ana")
    scene.act("Ana", "wait", note="after Cai")
    assert scene.lines() == ["Ana waits until after Cai's turn."]
    scene.act("Bo", "wait", note="after Cai")
    scene.act("Cai", "end")
    assert scene.turn() == ("Ana",)
    scene.act("Ana", "end")
    assert scene.turn() == ("Dee",)  # Bo has Act now, and is not asked
    scene.act("Bo", "act-now")
    assert scene.order() == ("Cai", "Ana", "Bo", "Dee", "Soulweaver")


def test_sw_05_when_ones_own_place_comes_again_one_acts_or_waits_anew_and_the_missed_turn_is_lost() -> None:
    scene = running(rounds=1)
    scene.act("Ana", "wait", note="ask")
    for who in ("Bo", "Cai", "Soulweaver"):
        scene.act(who, "end")
        assert scene.asked() == "Ana"
        scene.act("Ana", "wait")
    assert scene.state.round == 3
    assert scene.turn() == ("Ana",)
    assert scene.question() is None  # her own place, not the turn she waited with
    scene.act("Ana", "wait")
    assert scene.turn() == ("Bo",)
    scene.act("Bo", "end")
    scene.act("Ana", "act-now")
    scene.act("Ana", "end")
    assert scene.turn() == ("Cai",)
    scene.next_round()
    assert scene.turn() == ("Bo",)  # one turn a round, no second one for the turn that was missed


def test_sw_05_a_turn_taken_after_the_soulweavers_is_the_first_of_the_next_round() -> None:
    scene = running(rounds=1)
    scene.act("Ana", "end")
    scene.act("Bo", "wait")
    scene.act("Cai", "end")
    scene.act("Soulweaver", "end")
    scene.act("Bo", "act-now")
    assert scene.order() == ("Bo", "Ana", "Cai", "Soulweaver")
    scene.act("Bo", "end")
    assert (scene.turn(), scene.state.round) == (("Ana",), 3)
    scene.end_turns(2)
    assert scene.turn() == ("Soulweaver",)


# SW-06


def test_sw_06_somebody_who_waits_through_the_soulweavers_turn_has_durations_reduced_after_it_once() -> None:
    scene = waiter_scene("ask")
    for who in ("Bo", "Cai"):
        scene.act(who, "end")
        scene.act("Ana", "wait")
    assert scene.effects("Bo") == {"Shield": 5}
    scene.act("Soulweaver", "end")
    assert scene.effects("Bo") == {"Shield": 4}
    scene.act("Ana", "act-now")
    scene.act("Ana", "minor", note="look")
    assert scene.effects("Bo") == {"Shield": 4}
    scene.finish()
    scene.act("Ana", "end")
    scene.next_round()
    scene.act("Ana", "minor", note="look")
    assert scene.effects("Bo") == {"Shield": 3}


def test_sw_06_a_new_turn_reduces_durations_even_if_the_soulweavers_did() -> None:
    scene = waiter_scene()
    for who in ("Bo", "Cai", "Soulweaver"):
        scene.act(who, "end")
    assert scene.effects("Bo") == {"Shield": 4}
    scene.act("Ana", "minor", note="look")  # her own place has come round again
    assert scene.effects("Bo") == {"Shield": 3}


def test_sw_06_somebody_who_acts_before_the_soulweaver_has_them_reduced_as_the_turn_begins() -> None:
    scene = waiter_scene()
    scene.act("Bo", "end")
    scene.act("Ana", "act-now")
    assert scene.effects("Bo") == {"Shield": 5}
    scene.act("Ana", "end")
    assert scene.effects("Bo") == {"Shield": 4}
    scene.act("Cai", "end")
    scene.act("Soulweaver", "end")
    assert scene.effects("Bo") == {"Shield": 4}


def test_sw_06_out_of_conflict_waiting_changes_nothing_and_the_round_takes_one() -> None:
    scene = waiter_scene()
    scene.do("Gwen", "gm set", target="Ana", pool="conflict", value="no")
    for who in ("Bo", "Cai"):
        scene.act(who, "end")
    assert scene.effects("Bo") == {"Shield": 5}
    scene.act("Soulweaver", "end")
    assert scene.effects("Bo") == {"Shield": 4}


def test_sw_03_one_who_appears_rolls_off_with_those_who_were_there_and_comes_before_latecomers() -> None:
    scene = gathering()
    scene.do("Gwen", "gm add", name="Owl", sheet="ZEAL 0, MINOR 1", hidden=True)
    for name, value in {**RESULTS, "Owl": 2}.items():
        if name != "Dee":
            scene.do("Gwen", "gm set", target=name, pool="initiative", value=str(value))
    scene.do("Gwen", "encounter begin", dice=())
    scene.do("Gwen", "gm add", name="Late", sheet="ZEAL 0, MINOR 1", dice=[(12, 11)])  # as much as Ana
    scene.do("Gwen", "gm reveal", target="Owl", dice=())
    assert scene.order() == ("Ana", "Bo", "Cai", "Owl", "Late", "Soulweaver")


def test_sw_02_one_who_comes_to_two_that_have_rolled_off_rolls_against_the_faces_that_lie_there() -> None:
    scene = gathering()
    scene.do("Gwen", "gm add", name="Owl", sheet="ZEAL 0, MINOR 1", hidden=True)
    for name, value in {"Ana": 9, "Bo": 9, "Cai": 4, "Owl": 9}.items():
        scene.do("Gwen", "gm set", target=name, pool="initiative", value=str(value))
    scene.do("Gwen", "encounter begin", dice=[(12, 8), (12, 3)])
    assert scene.order() == ("Ana", "Bo", "Cai", "Soulweaver")
    scene.do("Gwen", "gm reveal", target="Owl", dice=[(12, 5)])
    assert "Tie, rolled off: Owl 5." in scene.lines()
    assert scene.order() == ("Ana", "Owl", "Bo", "Cai", "Soulweaver")
