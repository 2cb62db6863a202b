"""SW-07 to SW-12: entering and leaving Conflict, Overexertion, Ambush, durations."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.soulweaver.scene import Scene, gathering, running

GUARD = {"name": "Guard", "kind": "stance"}
BLAST = {"name": "Blast", "fields": {"conflict": "yes"}}


def attacked(scene: Scene, *, by: str = "Ana", target: str = "Bo") -> None:
    """Let an attack go through its stack without a reaction, up to the GM's answer."""
    scene.act(by, "attack", target=target)
    scene.decline_all()


# SW-07


def test_sw_07_conflict_is_entered_by_choice_for_a_minor_off_ones_own_turn_too() -> None:
    scene = running(rounds=1)
    scene.act("Bo", "enter-conflict")
    assert scene.facts("Bo")["conflict"] is True
    assert scene.left("Bo") == (1, 0)
    assert scene.turn() == ("Ana",)
    scene.act("Ana", "enter-conflict")
    assert scene.left("Ana") == (1, 0)
    scene.refused("Ana", "enter-conflict", rule="SW-07")
    assert scene.facts("Cai")["conflict"] is False


def test_sw_07_entering_needs_a_minor_or_a_major() -> None:
    scene = running(rounds=1)
    scene.do("Gwen", "gm set", target="Bo", pool="Minor", value="0")
    scene.do("Gwen", "gm set", target="Bo", pool="Major", value="0")
    scene.refused("Bo", "enter-conflict", rule="SW-13")
    scene.do("Gwen", "gm set", target="Bo", pool="Major", value="1")
    scene.act("Bo", "enter-conflict")
    assert scene.left("Bo") == (0, 0)


def test_sw_07_somebody_who_enters_in_the_middle_of_a_stack_and_has_nothing_left_is_passed() -> None:
    scene = running(rounds=1)
    scene.do("Gwen", "gm set", target="Cai", pool="Major", value="0")
    scene.act("Ana", "major", note="push")
    scene.act("Soulweaver", "decline")
    assert scene.asked() == "Cai"
    scene.act("Cai", "enter-conflict")
    assert scene.asked() == "Bo"


@pytest.mark.parametrize("note", ["Blast (conflict)", "conflict: Blast", "Blast, conflict", "[conflict] Blast"])
def test_sw_07_a_conflict_action_by_its_note_puts_its_actor_there(note: str) -> None:
    scene = running(rounds=1)
    scene.act("Ana", "major", note=note)
    assert scene.facts("Ana")["conflict"] is True


def test_sw_07_a_conflict_action_by_its_ability_puts_its_actor_there_and_others_do_not() -> None:
    scene = running(rounds=1, abilities=(BLAST, {"name": "Mend"}))
    scene.act("Ana", "minor", using="Mend")
    assert scene.facts("Ana")["conflict"] is False
    scene.finish()
    scene.act("Ana", "major", using="Blast")
    assert scene.facts("Ana")["conflict"] is True


def test_sw_07_a_reaction_may_be_a_conflict_action_too() -> None:
    scene = running(rounds=1, abilities=(BLAST,))
    scene.act("Ana", "major", note="shout")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", using="Blast")
    assert scene.facts("Cai")["conflict"] is True


def test_sw_07_somebody_who_is_hit_out_of_conflict_is_asked_and_enters_free() -> None:
    scene = running(rounds=1)
    attacked(scene)
    question = scene.question()
    assert question is not None
    assert (question.who, question.choices) == ("Soulweaver", ("hit", "miss"))
    scene.refused("Bo", "hit", rule="SW-07")
    scene.do("Gwen", "hit")
    question = scene.question()
    assert question is not None
    assert (question.who, question.choices) == ("Bo", ("stay-out", "enter-conflict"))
    scene.do("Bo", "enter-conflict")
    assert scene.facts("Bo")["conflict"] is True
    assert scene.left("Bo") == (1, 1)
    assert scene.turn() == ("Ana",)


def test_sw_07_a_miss_and_a_hit_on_somebody_in_conflict_ask_nothing() -> None:
    scene = running(rounds=1)
    attacked(scene)
    scene.do("Gwen", "miss")
    assert "Ana against Bo: miss." in scene.lines()
    assert scene.facts("Bo")["conflict"] is False
    assert scene.turn() == ("Ana",)
    scene.do("Gwen", "gm set", target="Ana", pool="Major", value="1")
    scene.conflict("Bo")
    attacked(scene)
    scene.do("Gwen", "hit")
    assert "Ana against Bo: hit." in scene.lines()
    assert scene.turn() == ("Ana",)


def test_sw_07_the_gm_puts_creatures_there_and_takes_them_out() -> None:
    scene = running()
    scene.conflict("Bo")
    assert scene.facts("Bo")["conflict"] is True
    scene.do("Gwen", "gm set", target="Bo", pool="conflict", value="off")
    assert scene.facts("Bo")["conflict"] is False
    scene.refused("Gwen", "gm set", target="Bo", pool="conflict", value="perhaps")


def test_sw_07_one_who_sees_an_enemy_as_it_begins_is_asked_together_and_pays_nothing() -> None:
    scene = gathering(sheet={"OPINION Cai": 2})
    scene.do("Gwen", "encounter begin")
    asked = {question.who: question for question in scene.state.questions}
    assert set(asked) == {"Ana", "Bo"}
    assert {question.choices for question in asked.values()} == {("stay-out", "enter-conflict")}
    assert "Cai" not in asked["Ana"].words
    assert "Cai" in asked["Ana"].inside
    scene.do("Ana", "enter-conflict")
    scene.do("Bo", "stay-out", dice=[(12, 9)])
    assert (scene.facts("Ana")["conflict"], scene.facts("Bo")["conflict"]) == (True, False)
    assert (scene.left("Ana"), scene.left("Bo")) == ((1, 1), (1, 1))
    assert not scene.state.questions
    scene.next_round()
    assert not scene.state.questions  # it lasts


def test_sw_08_it_lasts_until_something_new_draws_the_creature_into_conflict() -> None:
    scene = running(rounds=1, sheet={"OPINION Wolf": 2})
    scene.do("Gwen", "gm aware", who="Bo, Cai", of="Ana", yes=False)
    scene.do("Gwen", "gm add", name="Wolf", sheet="ZEAL 0, MINOR 1")
    assert {question.who for question in scene.state.questions} == {"Ana", "Bo", "Cai"}
    for who in ("Ana", "Bo", "Cai"):
        scene.act(who, "stay-out", dice=[(12, 12)])
    scene.do("Gwen", "gm aware", who="Ana", of="Wolf", yes=False)
    scene.do("Gwen", "gm aware", who="Ana", of="Wolf", yes=True)
    assert [question.who for question in scene.state.questions] == ["Ana"]  # it becomes aware of one
    scene.do("Gwen", "gm skip", target="Ana")
    assert scene.facts("Ana")["conflict"] is True
    scene.do("Gwen", "gm add", name="Wolf", sheet="ZEAL 0, MINOR 1")
    assert {question.who for question in scene.state.questions} == {"Bo", "Cai"}
    scene.do("Gwen", "gm remove", target="Wolf 2")
    assert not scene.state.questions


def test_sw_08_somebody_who_leaves_conflict_in_sight_of_an_enemy_is_not_asked_again() -> None:
    scene = running(rounds=1, sheet={"OPINION Bo": 2})
    scene.do("Ana", "leave-conflict", dice=[(12, 12)])
    assert scene.facts("Ana")["conflict"] is False
    assert not scene.state.questions


# SW-08


@pytest.mark.parametrize(("face", "out"), [(3, False), (4, True), (12, True)])
def test_sw_08_a_poise_roll_of_6_keeps_out_of_conflict(face: int, out: bool) -> None:
    scene = running(rounds=1)
    attacked(scene)
    scene.do("Gwen", "hit")
    scene.do("Bo", "stay-out", dice=[(12, face)])  # Poise +2
    assert scene.facts("Bo")["conflict"] is not out
    assert scene.left("Bo") == (1, 1)
    assert scene.turn() == ("Ana",)
    scene.act("Ana", "end")
    assert scene.turn() == ("Bo",)  # one still acts in Priority


def test_sw_08_poise_may_be_dice_of_the_sheets_own() -> None:
    scene = running(rounds=1, sheet={"POISE": "1d8"})
    attacked(scene)
    scene.do("Gwen", "hit")
    scene.do("Bo", "stay-out", dice=[(8, 6)])
    assert scene.facts("Bo")["conflict"] is False


def test_sw_08_one_keeps_out_only_before_entering_with_an_enemy_in_sight() -> None:
    scene = running(rounds=1)
    scene.refused("Bo", "stay-out", rule="SW-08")
    scene.do("Gwen", "gm set", target="Bo", pool="OPINION Cai", value="3")
    scene.refused("Cai", "stay-out", rule="SW-08")
    scene.act("Bo", "stay-out", dice=[(12, 4)])  # Poise +2
    assert scene.facts("Bo")["conflict"] is False
    scene.refused("Bo", "stay-out", rule="SW-08")  # it lasts: Cai draws nobody there a second time
    scene.conflict("Ana")
    scene.refused("Ana", "stay-out", rule="SW-08")


# SW-09


def test_sw_09_without_a_threat_leaving_is_a_minor() -> None:
    scene = running(rounds=1)
    scene.conflict("Ana", "Bo")
    scene.refused("Bo", "leave-conflict", rule="SW-13")
    scene.do("Ana", "leave-conflict", dice=())
    assert scene.facts("Ana")["conflict"] is False
    assert scene.left("Ana") == (1, 0)
    scene.refused("Ana", "leave-conflict", rule="SW-09")


@pytest.mark.parametrize(("face", "left"), [(9, False), (10, True)])
def test_sw_09_with_a_threat_it_is_a_major_and_poise_against_9_plus_grit_pips(face: int, left: bool) -> None:
    scene = running(rounds=1, sheet={"GRIT": 3, "OPINION Bo": 2})
    scene.conflict("Ana")
    scene.do("Ana", "leave-conflict", dice=[(12, face)])  # Poise +2 against 12
    assert scene.facts("Ana")["conflict"] is not left
    assert scene.left("Ana") == (0, 1)
    assert "against 12" in scene.said()


def test_sw_09_leaving_for_free_or_for_a_minor_is_refused_with_a_threat_in_sight() -> None:
    scene = running(rounds=1, minor=2, sheet={"OPINION Bo": 2})
    scene.conflict("Ana")
    scene.act("Ana", "major", note="shove")
    scene.finish()
    refusal = scene.refused("Ana", "leave-conflict", rule="SW-09")
    assert "Bo" in str(refusal)
    scene.do("Gwen", "gm aware", who="Ana", of="Bo", yes=False)
    scene.do("Ana", "leave-conflict", dice=())  # a threat is an Enemy that one is aware of
    assert scene.left("Ana") == (0, 1)


def test_sw_09_others_cannot_tell_from_the_offers_whether_a_threat_is_seen() -> None:
    from rules.core.registry import system_of

    scene = running(rounds=1, minor=2, sheet={"OPINION Bo": 2})
    scene.conflict("Ana")
    scene.act("Ana", "major", note="shove")
    scene.finish()
    public = [offer.action for offer in system_of(scene.state).offers(scene.state, "Ana", public=True)]
    assert "leave-conflict" in public
    assert "leave-conflict" not in scene.legal("Ana")


# SW-10


def test_sw_10_overexertion_is_due_in_every_twelfth_round_in_conflict_and_blocks_nothing() -> None:
    scene = running(rounds=1)  # round 2
    scene.act("Ana", "enter-conflict")
    for _ in range(11):
        scene.next_round()
        scene.refused("Ana", "overexertion", rule="SW-10")
    assert scene.state.round == 13
    scene.next_round()
    assert "A roll for Overexertion is due: Ana." in scene.prompt()
    assert "overexertion" in scene.legal("Ana")
    assert scene.facts("Ana")["overexertion"] is True
    scene.end_turns()  # it does not block end
    assert scene.turn() == ("Bo",)
    scene.do("Ana", "overexertion", dice=[(12, 7)])
    scene.refused("Ana", "overexertion", rule="SW-10")
    for _ in range(12):
        scene.next_round()
    assert scene.state.round == 26
    assert "overexertion" in scene.legal("Ana")


def test_sw_10_leaving_conflict_starts_the_minute_anew() -> None:
    scene = running(rounds=1)
    scene.conflict("Ana")
    for _ in range(6):
        scene.next_round()
    scene.do("Gwen", "gm set", target="Ana", pool="conflict", value="no")
    scene.conflict("Ana")
    for _ in range(6):
        scene.next_round()
    scene.refused("Ana", "overexertion", rule="SW-10")


# SW-11


def test_sw_11_out_of_conflict_an_ambushed_target_has_defenses_of_tier_0() -> None:
    scene = running(rounds=1)
    scene.do("Gwen", "gm aware", who="Bo", of="Ana", yes=False)
    scene.act("Ana", "attack", target="Bo", dice=())
    scene.decline_all()
    assert "defenses count as Tier 0" in scene.said()
    assert "ambush: defenses count as Tier 0" in scene.prompt()
    assert scene.decisions[-1].dice.records == []


def test_sw_11_in_conflict_an_ambushed_target_loses_1d12_of_its_defenses() -> None:
    scene = running(rounds=1)
    scene.conflict("Bo")
    scene.do("Gwen", "gm aware", who="Bo", of="Ana", yes=False)
    scene.act("Ana", "attack", target="Bo")
    for who in ("Soulweaver", "Cai"):
        scene.act(who, "decline")
    scene.do("Bo", "decline", dice=[(12, 7)])  # the step that closes the stack rolls
    assert "its defenses lose 7 (1d12)" in scene.said()
    assert "ambush: defenses lose 7" in scene.prompt()
    assert scene.rolled() == [("Ana", "ambush", 12)]


def test_sw_11_somebody_who_is_aware_is_not_ambushed_and_what_the_gm_says_stays_with_the_gm() -> None:
    scene = running(rounds=1)
    decision = scene.do("Gwen", "gm aware", who="Bo", of="Ana", yes=False)
    assert decision.secret
    assert scene.lines("Bo") == []
    assert scene.lines("Gwen") == ["Bo is not aware of Ana."]
    assert "unaware_of" not in scene.facts("Bo", "Bo")
    assert scene.facts("Bo")["unaware_of"] == ["Ana"]
    scene.do("Gwen", "gm aware", who="Bo", of="Ana", yes=True)
    scene.act("Ana", "attack", target="Bo", dice=())
    scene.decline_all()
    assert "Ambush" not in scene.said()
    assert "ambush" not in scene.prompt()


def test_sw_11_an_ambush_is_judged_as_one_attacks() -> None:
    scene = running(rounds=1)
    scene.do("Gwen", "gm aware", who="Bo", of="Ana", yes=False)
    scene.act("Ana", "attack", target="Bo")
    scene.do("Gwen", "gm aware", who="Bo", of="Ana", yes=True)  # too late
    scene.conflict("Bo")
    scene.decline_all()
    assert "ambush: defenses count as Tier 0" in scene.prompt()
    scene.act("Soulweaver", "miss")
    scene.next_round()
    scene.act("Ana", "attack", target="Bo")
    scene.do("Gwen", "gm aware", who="Bo", of="Ana", yes=False)
    scene.decline_all()
    assert "ambush" not in scene.prompt()


# SW-12


def test_sw_12_durations_fall_on_the_creators_turn_in_whatever_unit_and_rituals_do_not() -> None:
    scene = running(rounds=1)
    scene.refused("Ana", "effect", rule="SW-12", using="Shield", target="Bo", amount=0)
    scene.act("Ana", "effect", using="Shield", target="Bo", amount=3)
    scene.act("Ana", "effect", using="Light", target="Cai", amount=2, note="minutes")
    scene.act("Ana", "effect", using="Ward", target="Ana", amount=2, note="ritual")
    scene.conflict("Ana", "Bo", "Cai")
    assert [held.ticks for held in scene.state.combatant("Ana").conditions] == [None]
    scene.act("Ana", "end")
    scene.act("Bo", "end")  # the bearer's turn does not count
    assert scene.effects("Bo") == {"Shield": 3}
    scene.next_round()
    assert scene.effects("Bo") == {"Shield": 3}  # her turn begins with its first action
    scene.act("Ana", "minor", note="look")
    assert (scene.effects("Bo"), scene.effects("Cai")) == ({"Shield": 2}, {"Light": 1})
    scene.finish()
    scene.next_round()
    scene.act("Ana", "end")
    assert (scene.effects("Bo"), scene.effects("Cai")) == ({"Shield": 1}, {})
    assert "Light on Cai ends." in scene.lines()
    scene.next_round()
    scene.act("Ana", "end")
    assert scene.effects("Bo") == {}
    assert scene.effects("Ana") == {"Ward": 2}


def test_sw_12_out_of_conflict_an_effect_in_rounds_falls_as_each_round_ends() -> None:
    scene = running(rounds=1)
    scene.act("Ana", "effect", using="Shield", target="Bo", amount=3)
    scene.act("Ana", "effect", using="Haste", target="Cai", amount=3, note="rounds")
    scene.conflict("Bo")  # the bearer's Conflict is not the creator's
    scene.next_round()
    assert "Shield on Bo: 2 left." in scene.lines()
    scene.act("Ana", "end")
    assert (scene.effects("Bo"), scene.effects("Cai")) == ({"Shield": 2}, {"Haste": 2})
    scene.next_round()
    scene.next_round()
    assert (scene.effects("Bo"), scene.effects("Cai")) == ({}, {})


def test_sw_12_an_effect_falls_once_in_a_round_in_which_its_creator_leaves_conflict() -> None:
    scene = running(rounds=1)
    scene.conflict("Ana")
    scene.act("Ana", "effect", using="Shield", target="Bo", amount=5)
    scene.next_round()
    scene.act("Ana", "leave-conflict")
    assert scene.effects("Bo") == {"Shield": 4}
    scene.next_round()
    assert scene.effects("Bo") == {"Shield": 4}
    scene.next_round()
    assert scene.effects("Bo") == {"Shield": 3}


def test_sw_12_out_of_conflict_an_effect_in_minutes_shows_its_clock_to_the_gm_who_lets_it_end() -> None:
    scene = running(rounds=1)
    scene.act("Ana", "effect", using="Light", target="Cai", amount=2, note="minutes")
    scene.next_round()
    scene.next_round()
    assert scene.effects("Cai") == {"Light": 2}
    assert "Light on Cai: 2 minutes, 0:10 gone; /condition remove ends it." in scene.prompt()
    assert "gone" not in scene.prompt("Ana")
    scene.conflict("Ana")
    assert "gone" not in scene.prompt()
    scene.do("Gwen", "condition remove", target="Cai", name="Light")
    assert scene.effects("Cai") == {}


def test_sw_12_the_effects_of_who_is_dead_fall_as_the_rounds_end() -> None:
    scene = running(rounds=1)
    scene.conflict("Ana")
    scene.act("Ana", "effect", using="Shield", target="Bo", amount=3)
    scene.do("Gwen", "condition add", target="Ana", name="Dead")
    scene.next_round()
    assert scene.effects("Bo") == {"Shield": 3}  # her own turn counted this round
    scene.next_round()
    assert scene.effects("Bo") == {"Shield": 2}


def test_sw_12_nothing_that_the_gm_skips_makes_a_duration_fall_twice() -> None:
    scene = running(rounds=1)
    scene.conflict("Bo")
    scene.do("Gwen", "gm effect", creator="Bo", name="Glow", bearer="Ana", duration=9)
    scene.do("Gwen", "gm skip", target="Bo")
    scene.refused("Gwen", "gm skip", rule="G-01", target="Bo")
    scene.act("Ana", "end")  # Bo's turn passes by itself
    assert scene.effects("Ana") == {"Glow": 8}
    scene.refused("Gwen", "gm skip", rule="G-01", target="Bo")
    scene.do("Gwen", "gm turn", target="Bo")
    scene.do("Gwen", "gm skip", target="Bo")
    assert scene.effects("Ana") == {"Glow": 8}


def test_sw_12_an_effect_is_put_on_a_list_at_once() -> None:
    scene = running(rounds=1)
    scene.do("Gwen", "gm effect", creator="Cai", name="Hex", bearer="Ana, B*", duration=2)
    assert (scene.effects("Ana"), scene.effects("Bo")) == ({"Hex": 2}, {"Hex": 2})


def test_sw_12_the_gm_notes_effects_of_any_creator_the_soulweavers_too() -> None:
    scene = running(rounds=1)
    scene.do("Gwen", "gm effect", creator="Cai", name="Hex", bearer="Ana", duration=2)
    scene.do("Gwen", "gm effect", creator="Soulweaver", name="Storm", bearer="Ana", duration=2)
    scene.do("Gwen", "gm effect", creator="Cai", name="Oath", bearer="Bo", duration=2, ritual=True)
    scene.conflict("Cai")
    scene.next_round()
    assert scene.effects("Ana") == {"Hex": 1, "Storm": 1}
    scene.next_round()
    assert scene.effects("Ana") == {}
    assert scene.effects("Bo") == {"Oath": 2}


def test_sw_12_an_effect_outlives_a_creator_who_leaves_with_the_rounds() -> None:
    scene = running(rounds=1)
    scene.do("Gwen", "gm effect", creator="Cai", name="Hex", bearer="Ana", duration=2)
    scene.do("Gwen", "gm remove", target="Cai")
    scene.next_round()
    assert scene.effects("Ana") == {"Hex": 1}


@pytest.mark.parametrize("given", [{"amount": 0}, {"amount": 3, "note": "slowly"}, {}, {"amount": 2, "using": "a,b"}])
def test_sw_12_an_effect_needs_a_name_a_bearer_and_a_duration(given: dict[str, Any]) -> None:
    scene = running(rounds=1)
    whole: dict[str, Any] = {"using": "Shield", "target": "Bo", **given}
    scene.refused("Ana", "effect", **whole)
    scene.refused("Bo", "effect", rule="SW-13", using="Shield", target="Bo", amount=2)


def test_conditions_put_on_by_hand_tick_on_their_own_turns() -> None:
    scene = running(rounds=1)
    scene.do("Gwen", "condition add", target="Bo", name="Dazed", duration="1", ticks="bearer-start")
    scene.do("Gwen", "condition add", target="Bo", name="Slowed", duration="1")
    scene.do("Gwen", "condition add", target="Bo", name="Wet", duration="1", ticks="round-end")
    scene.act("Ana", "end")
    scene.act("Bo", "minor", note="look")
    assert set(scene.effects("Bo")) == {"Slowed", "Wet"}
    scene.finish()
    scene.act("Bo", "end")
    assert set(scene.effects("Bo")) == {"Wet"}
    scene.next_round()
    assert scene.effects("Bo") == {}
