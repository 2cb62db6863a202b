"""Passing in advance, and passing by the clock: SW-22, SW-23, design 4."""

from __future__ import annotations

import pytest

from bot.waiting.waits import TURN, wanted
from rules.core.command import Command
from rules.core.registry import system_of
from rules.core.seen.lines import plain
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
    assert system.offers_of_others(scene.state) == ()
    scene.act("Ana", "prepare", note="somebody speaks")
    scene.act("Ana", "end")
    assert [(each.action, each.who) for each in system.offers_of_others(scene.state)] == [("trigger", "Ana")]
    scene.act("Bo", "minor", note="shout")
    assert [(each.action, each.who) for each in system.offers_of_others(scene.state)] == [("trigger", "Ana")]
    (offer,) = [each for each in system.offers(scene.state, "Ana") if each.action == "trigger"]
    assert (offer.label, offer.params) == ("It happens: somebody speaks", ())
    scene.act("Ana", "trigger")
    assert system.offers_of_others(scene.state) == ()


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
    timeout_action = system_of(scene.state).timeout_action(scene.state, "Soulweaver")
    assert timeout_action == Command(action="decline", character="Soulweaver")


def test_sw_23_the_question_names_the_latest_trigger() -> None:
    scene = attack()
    assert question_of(scene).words == "attack (Ana → Cai): react, or decline?"
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", note="Dodge.")
    assert question_of(scene).words == "Dodge. (Cai, answers attack), or an earlier one: react, or decline?"


def test_sw_23_a_pass_for_the_next_stack_is_said_beforehand_and_ends_with_it() -> None:
    scene = running(rounds=1)
    scene.act("Bo", "decline", when="if-asked", note="stack")
    scene.act("Ana", "attack", target="Cai")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", note="Dodge")
    asked = [each.who for each in scene.state.questions if each.about == "reaction" and not each.answered]
    assert "Bo" not in asked, "neither about the attack nor about what answers it"
    scene.finish()
    scene.act("Ana", "minor", note="look")
    assert "Bo" in scene.decline_all(), "the next stack is another"


@pytest.mark.parametrize("when", ["this-turn", "this-round", "this-fight"])
def test_sw_23_somebody_who_passes_for_longer_passes_every_stack_of_that_time(when: str) -> None:
    scene = running(rounds=1)
    scene.act("Bo", "decline", when=when, note="stack")
    for _ in range(2):
        scene.act("Ana", "minor" if scene.state.stack.next_id > 1 else "attack", **_what(scene))
        assert {each.who: each.quiet for each in scene.state.questions if each.about == "reaction"}["Bo"]
        for who in ("Soulweaver", "Cai"):
            scene.act(who, "decline")
        by_timer(scene, "decline", "Bo")
        scene.finish()


def _what(scene: Scene) -> dict[str, str]:
    return {"note": "look"} if scene.state.stack.next_id > 1 else {"target": "Cai"}


@pytest.mark.parametrize("when", ["if-asked", "this-round"])
def test_sw_23_unless_me_beforehand_lets_nothing_pass_that_is_aimed_at_oneself(when: str) -> None:
    scene = running(rounds=1)
    scene.act("Cai", "decline", when=when, note="unless-me")
    scene.act("Ana", "attack", target="Cai")
    assert not question_to(scene, "Cai").answered
    assert not question_to(scene, "Cai").quiet
    scene.act("Cai", "decline", when=when, note="unless-me")
    assert not question_to(scene, "Cai").answered, "said while the attack is open, it is no answer to it"
    scene.finish()
    scene.act("Ana", "minor", note="shove", target="Bo")
    assert question_to(scene, "Cai").answered or question_to(scene, "Cai").quiet, "that is aimed at somebody else"


def question_to(scene: Scene, who: str) -> Question:
    found: Question | None = scene.state.question_to(who)
    assert found is not None
    return found


def test_sw_23_a_pass_without_a_question_says_how_it_is_said_beforehand() -> None:
    scene = running(rounds=1)
    refusal = scene.refused("Bo", "decline", rule="SW-22", note="stack")
    assert "when:if-asked" in str(refusal)


def test_play_5_the_gm_answers_for_the_one_who_is_not_asked_yet() -> None:
    scene = running(rounds=1)
    scene.do("Gwen", "gm answer", target="Bo", choice="decline stack")
    assert "If Bo is asked: decline: stack." in scene.lines("Bo"), "their owner reads it"
    assert scene.lines("Ana") == []
    scene.act("Ana", "attack", target="Cai")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", note="Dodge")
    assert "Bo" not in {each.who for each in scene.state.questions if not each.answered}
    told = len(scene.decisions)
    scene.act("Ana", "decline")
    scene.decline_all()
    assert "⚖️ Gwen let it pass for Bo." in all_lines(scene, told, "Ana"), "a ruling, as all read in the end"


def all_lines(scene: Scene, since: int, reader: str) -> list[str]:
    texts = (plain(line, scene.seat(reader)) for each in scene.decisions[since:] for line in each.lines)
    return [text for text in texts if text is not None]


def test_play_5_the_gm_answers_for_the_one_who_this_event_does_not_ask() -> None:
    scene = running(rounds=1)
    scene.act("Ana", "attack", target="Cai")
    assert scene.state.question_to("Ana") is None
    scene.do("Gwen", "gm answer", target="Ana", choice="react", note="Press")
    assert "If Ana is asked: react: Press." in scene.lines("Ana")
    told = len(scene.decisions)
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", note="Dodge")
    scene.act("Bo", "decline")
    assert "Ana reacts to Dodge: Press (Minor)." in all_lines(scene, told, "Bo")


def test_play_5_the_gm_answers_for_all_who_are_asked_and_for_a_list() -> None:
    scene = running(rounds=1)
    scene.act("Ana", "attack", target="Cai")
    assert {each.who for each in scene.state.questions} == {"Soulweaver", "Bo", "Cai"}
    scene.do("Gwen", "gm answer", target="all", choice="decline")
    assert [each.choices for each in scene.state.questions] == [("hit", "miss")], "the verdict alone is left"
    scene = running(rounds=1)
    scene.do("Gwen", "gm answer", target="Bo, Cai", choice="decline stack")
    assert {order.who for order in scene.state.orders} == {"Bo", "Cai"}


def test_play_5_what_nobody_could_answer_is_no_answer_for_the_one_who_is_not_asked() -> None:
    scene = running(rounds=1)
    assert "decline" in str(scene.refused("Gwen", "gm answer", target="Bo", choice="hit"))
    assert "Nobody" in str(scene.refused("Gwen", "gm answer", target="Nobody", choice="decline"))
    scene.refused("Ana", "gm answer", target="Bo", choice="decline")


def test_sw_23_unless_me_is_said_beforehand_for_a_whole_round() -> None:
    scene = running(rounds=1)
    for who in ("Bo", "Cai"):
        scene.act(who, "decline", when="this-round", note="unless-me")
    scene.act("Ana", "attack", target="Cai")
    asked = {each.who: each.quiet for each in scene.state.questions if each.about == "reaction"}
    assert asked["Bo"], "it passes quietly"
    assert not asked["Cai"], "whoever is aimed at is asked"


def test_play_6_no_later_stack_of_the_round_waits_for_a_creature_the_gm_skipped() -> None:
    scene = running(rounds=1)
    scene.do("Gwen", "gm skip", target="Bo")
    scene.act("Ana", "attack", target="Cai")
    assert "Bo" not in {each.who for each in wanted(scene.state) if each.kind == TURN}
    scene.act("Soulweaver", "decline")
    assert scene.state.question_to("Bo") is not None, "till then nothing tells who has answered"
    scene.act("Cai", "decline")
    assert [each.about for each in scene.state.questions] == ["attack"]
