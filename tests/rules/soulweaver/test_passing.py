"""Passing in advance, and passing by the clock: SW-22, SW-23, design 4."""

from __future__ import annotations

from rules.core.command import Command
from rules.core.registry import system_of
from rules.core.values import Question, Seat
from rules.core.verbs import decide
from rules.dice.source import Dice, ScriptedFaces
from tests.rules.soulweaver.scene import Scene, running

TIMER = Seat(user=None, gm=True)


def attack() -> Scene:
    """It is the second round, and Ana has attacked Cai; reverse Priority is Soulweaver, Cai, Bo, Ana."""
    scene = running(rounds=1)
    scene.act("Ana", "attack", target="Cai")
    return scene


def question_of(scene: Scene) -> Question:
    question = scene.question()
    assert question is not None
    return question


def by_timer(scene: Scene, action: str, who: str) -> None:
    decision = decide(scene.table, Command(action=action, character=who), TIMER, Dice(ScriptedFaces([])))
    scene.table = decision.table
    scene.decisions.append(decision)


def test_sw_23_one_passes_for_the_stack_before_one_is_asked() -> None:
    scene = attack()
    assert scene.asked() == "Soulweaver"
    scene.act("Bo", "decline", note="stack")
    assert scene.lines("Ana") == ["Bo passes in advance, for all of this stack."]
    assert scene.asked() == "Soulweaver"
    assert "Still to decide: Soulweaver, Cai." in scene.prompt()
    assert scene.decline_all() == ["Soulweaver", "Cai"]
    scene.act("Soulweaver", "miss")
    scene.act("Ana", "minor", note="look")  # the next stack is another
    assert "Bo" in scene.decline_all()


def test_sw_23_who_passes_unless_me_in_advance_is_asked_about_what_is_aimed_at_them_already() -> None:
    scene = attack()
    scene.act("Cai", "decline", note="unless-me")
    scene.act("Bo", "decline", note="unless-me")
    scene.act("Soulweaver", "decline")
    assert scene.asked() == "Cai"  # the attack is aimed at Cai; nothing is at Bo
    scene.act("Cai", "react", note="Dodge", target="attack")
    assert scene.asked() == "Ana"
    scene.act("Ana", "decline")
    scene.act("Soulweaver", "decline")
    assert question_of(scene).about == "completing"  # the whole pass is over: Cai is not asked again


def test_sw_23_who_passes_unless_me_in_advance_is_asked_when_a_reaction_is_aimed_at_them() -> None:
    scene = attack()
    scene.act("Ana", "decline", note="unless-me")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", note="Parry", target="attack")
    assert scene.asked() == "Bo"
    scene.act("Bo", "decline")
    assert scene.asked() == "Ana"  # Cai's reaction answers what Ana does


def test_sw_23_a_pass_in_advance_needs_its_note_a_stack_and_a_first_turn() -> None:
    scene = running(rounds=1)
    scene.refused("Bo", "decline", rule="SW-22", note="stack")
    scene.act("Ana", "attack", target="Cai")
    scene.refused("Bo", "decline", rule="SW-22")
    scene.refused("Bo", "decline", note="for ever")
    scene.act("Bo", "decline", note="stack")
    scene.refused("Bo", "decline", rule="SW-23", note="stack")
    early = running()
    early.end_turns()
    early.act("Bo", "attack", target="Cai")
    early.refused("Cai", "decline", rule="SW-21", note="stack")


def test_sw_23_a_gm_with_several_creatures_declines_for_the_one_who_is_asked() -> None:
    scene = running(rounds=1)
    scene.do("Gwen", "gm add", name="Hound", sheet="ZEAL 1, MINOR 1")
    scene.next_round()
    scene.act("Ana", "attack", target="Hound")
    scene.do("Gwen", "decline")
    assert scene.lines() == ["Soulweaver declines."]
    scene.do("Gwen", "decline", note="stack")
    assert scene.lines() == ["Hound declines, for all of this stack."]
    scene.refused("Gwen", "decline", rule="SW-22")


def test_sw_23_the_prompt_has_one_button_to_pass_in_advance_and_one_for_what_is_prepared() -> None:
    scene = running(rounds=1)
    system = system_of(scene.state)
    assert system.asides(scene.state) == ()
    scene.act("Ana", "prepare", note="somebody speaks")
    scene.act("Ana", "end")
    assert [(each.action, each.who) for each in system.asides(scene.state)] == [("trigger", "Ana")]
    scene.act("Bo", "minor", note="shout")
    assert [(each.action, each.who) for each in system.asides(scene.state)] == [("trigger", "Ana"), ("decline", "")]
    (offer,) = [each for each in system.offers(scene.state, "Ana") if each.action == "trigger"]
    assert (offer.label, offer.params) == ("It happens: somebody speaks", ())
    scene.act("Ana", "trigger")
    assert [(each.action, each.who) for each in system.asides(scene.state)] == [("decline", "")]


def test_sw_23_the_clock_passes_and_reads_like_any_decline() -> None:
    scene = attack()
    scene.do("Gwen", "gm aware", who="Bo", of="Ana", yes=False)
    scene.act("Soulweaver", "decline")
    assert (question_of(scene).who, question_of(scene).silent) == ("Cai", False)
    scene.act("Cai", "decline")
    assert (question_of(scene).who, question_of(scene).silent) == ("Bo", True)
    by_timer(scene, "decline", "Bo")
    assert scene.lines("Ana")[0] == "Bo declines."  # as public as anybody's: nothing tells it from one


def test_sw_23_the_mildest_answer_is_a_pass() -> None:
    scene = attack()
    mildest = system_of(scene.state).mildest(scene.state, "Soulweaver")
    assert mildest == Command(action="decline", character="Soulweaver")


def test_sw_23_the_question_names_the_latest_trigger() -> None:
    scene = attack()
    assert question_of(scene).words == "attack (Ana → Cai): react, or decline?"
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", note="Dodge.")
    assert question_of(scene).words == "Dodge. (Cai, answers attack), or an earlier one: react, or decline?"
