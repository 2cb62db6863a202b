"""Passing in advance, and passing by the clock: SW-22, SW-23, design 4."""

from __future__ import annotations

from bot.waiting.waits import TURN, wanted
from rules.core.command import Command
from rules.core.registry import system_of
from rules.core.values import Question
from tests.rules.soulweaver.attacks import attack
from tests.rules.soulweaver.scene import Scene, running


def question_of(scene: Scene) -> Question:
    question = scene.question()
    assert question is not None
    return question


def by_timer(scene: Scene, action: str, who: str) -> None:
    scene.decided(Command(action=action, character=who), dice=[])


def test_sw_23_one_passes_for_the_stack_and_is_not_asked_again_in_it() -> None:
    scene = attack()
    scene.act("Bo", "decline", note="stack")
    assert scene.lines("Ana") == []  # sealed
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", note="Dodge")
    assert "Bo" not in scene.turn()
    scene.finish()
    scene.act("Ana", "minor", note="look")  # the next stack is another
    assert "Bo" in scene.decline_all()


def test_sw_23_who_passes_unless_me_is_asked_when_a_reaction_is_aimed_at_them() -> None:
    scene = attack()
    scene.act("Soulweaver", "decline", note="unless-me")
    scene.act("Cai", "decline", note="unless-me")
    scene.act("Bo", "react", note="Parry", target="attack")
    scene.act("Ana", "react", note="Press", target="Parry")  # aimed at Bo
    assert [each.who for each in scene.state.questions if each.about == "reaction"] == ["Bo"]


def test_sw_23_a_pass_takes_its_two_notes_and_no_other() -> None:
    scene = running(rounds=1)
    scene.refused("Bo", "decline", rule="SW-22", note="stack")
    scene.act("Ana", "attack", target="Cai")
    scene.refused("Bo", "decline", note="for ever")
    early = running()
    early.end_turns()
    early.act("Bo", "attack", target="Cai")
    early.refused("Cai", "decline", rule="SW-21", note="stack")


def test_play_5_a_standing_pass_is_asked_quietly_and_looks_like_a_silent_one() -> None:
    scene = running(rounds=1)
    scene.act("Bo", "decline", when="this-round")
    scene.act("Ana", "attack", target="Cai")
    (question,) = (each for each in scene.state.questions if each.who == "Bo")
    assert (question.silent, question.quiet) == (True, True)
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "decline")
    by_timer(scene, "decline", "Bo")
    assert scene.asked() == "Soulweaver"  # hit or miss


def test_sw_23_a_gm_with_several_creatures_declines_for_the_one_whose_answer_counts_first() -> None:
    scene = running(rounds=1)
    scene.do("Gwen", "gm add", name="Hound", sheet="ZEAL 1, MINOR 1")
    scene.next_round()
    scene.act("Ana", "attack", target="Hound")
    scene.do("Gwen", "decline")
    scene.do("Gwen", "decline", note="stack")
    assert {each.who for each in scene.state.questions if not each.answered and each.about == "reaction"} == {
        "Bo",
        "Cai",
    }
    scene.refused("Ana", "decline", rule="SW-22")


def test_sw_23_the_prompt_has_a_button_for_what_is_prepared() -> None:
    scene = running(rounds=1)
    system = system_of(scene.state)
    assert system.asides(scene.state) == ()
    scene.act("Ana", "prepare", note="somebody speaks")
    scene.act("Ana", "end")
    assert [(each.action, each.who) for each in system.asides(scene.state)] == [("trigger", "Ana")]
    scene.act("Bo", "minor", note="shout")
    assert [(each.action, each.who) for each in system.asides(scene.state)] == [("trigger", "Ana")]
    (offer,) = [each for each in system.offers(scene.state, "Ana") if each.action == "trigger"]
    assert (offer.label, offer.params) == ("It happens: somebody speaks", ())
    scene.act("Ana", "trigger")
    assert system.asides(scene.state) == ()


def test_sw_23_the_clock_passes_and_reads_like_any_decline() -> None:
    scene = running(rounds=1)
    scene.do("Gwen", "gm aware", who="Bo", of="Ana", yes=False)
    scene.act("Ana", "attack", target="Cai")
    assert {each.who: each.silent for each in scene.state.questions if each.about == "reaction"} == {
        "Soulweaver": False,
        "Cai": False,
        "Bo": True,
    }
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "decline")
    by_timer(scene, "decline", "Bo")
    assert scene.lines("Ana")[0] == "Soulweaver, Cai, Bo do not react."  # nothing tells one from another


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


def test_sw_23_unless_me_is_said_beforehand_for_a_whole_round() -> None:
    scene = running(rounds=1)
    for who in ("Bo", "Cai"):
        scene.act(who, "decline", when="this-round", note="unless-me")
    scene.act("Ana", "attack", target="Cai")
    asked = {each.who: each.quiet for each in scene.state.questions if each.about == "reaction"}
    assert asked["Bo"], "it passes quietly"
    assert not asked["Cai"], "whoever is aimed at is asked"


def test_play_6_no_stack_of_the_round_waits_for_whom_the_gm_has_skipped_before() -> None:
    scene = running(rounds=1)
    scene.do("Gwen", "gm skip", target="Bo")
    scene.act("Ana", "attack", target="Cai")
    assert "Bo" not in {each.who for each in wanted(scene.state) if each.kind == TURN}
    scene.act("Soulweaver", "decline")
    assert scene.state.question_to("Bo") is not None, "till then nothing tells who has answered"
    scene.act("Cai", "decline")
    assert [each.about for each in scene.state.questions] == ["attack"]
