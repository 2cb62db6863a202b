"""SW-21, SW-22, play 4: what asks others, all at the same time, and answers that are sealed till their place."""

from __future__ import annotations

import pytest

from rules.core.commands.standing_orders import offers_on_turn
from rules.core.registry import system_of
from rules.core.seen.lines import plain
from tests.rules.soulweaver.attacks import attack_of_ana
from tests.rules.soulweaver.scene import gathering, running


def test_sw_22_somebody_who_is_not_asked_is_refused_and_reads_who_is() -> None:
    scene = attack_of_ana()
    for action, given in (("react", {"note": "Press"}), ("decline", {})):
        refusal = scene.refused("Ana", action, rule="SW-22", **given)
        assert "Soulweaver, Cai, Bo are asked" in str(refusal)


def test_sw_22_all_are_asked_at_once_and_each_answer_is_sealed_until_its_place_comes() -> None:
    scene = attack_of_ana()
    assert scene.turn() == ("Soulweaver", "Cai", "Bo")
    scene.act("Bo", "react", note="Trip")  # before his place
    assert scene.lines("Ana") == []
    assert scene.left("Bo") == (1, 1)
    assert [item.name for item in scene.state.stack.items] == ["attack"]
    assert scene.turn() == ("Soulweaver", "Cai", "Bo")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "decline")
    assert "Bo reacts to attack: Trip (Minor)." in scene.lines("Ana")
    assert scene.left("Bo") == (1, 0)


def test_sw_22_a_sealed_reaction_answers_what_it_was_asked_about() -> None:
    scene = attack_of_ana()
    scene.act("Bo", "react", note="Trip")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", note="Dodge")  # comes first
    assert [(item.name, item.answers) for item in scene.state.stack.items] == [
        ("attack", None),
        ("Dodge", 1),
        ("Trip", 1),
    ]


def test_sw_22_somebody_who_has_let_pass_is_asked_again_when_somebody_before_them_reacts() -> None:
    scene = attack_of_ana()
    scene.act("Bo", "decline")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", note="Dodge")
    assert [who for who in scene.turn() if who != "Soulweaver"] == ["Bo", "Ana"]
    reacting = [each.who for each in scene.state.questions if each.about == "reaction"]
    assert reacting == ["Bo", "Ana"]  # those who come later, and only they
    scene.act("Bo", "decline")
    scene.act("Ana", "decline")
    reacting = [each.who for each in scene.state.questions if each.about == "reaction"]
    assert reacting == ["Soulweaver"]  # then the order goes round
    scene.decline_pass()
    assert "Dodge completes (Cai's reaction)." in scene.lines()


def test_sw_07_hit_or_miss_is_asked_at_the_same_time_and_counts_when_its_place_comes() -> None:
    scene = attack_of_ana()
    scene.act("Soulweaver", "hit")
    assert scene.lines("Ana") == []
    assert scene.facts("Cai")["conflict"] is False
    scene.act("Soulweaver", "decline")
    scene.decline_pass()
    assert "Ana against Cai: hit." in scene.lines("Ana")
    assert scene.asked() == "Cai"  # about Conflict


def test_sw_07_for_a_creature_of_the_gms_it_is_part_of_the_attack() -> None:
    scene = running("Ana", "Bo", rounds=0)
    scene.do("Gwen", "gm add", name="Wolf", sheet="ZEAL 0, MINOR 1")
    scene.end_turns(2)
    scene.act("Wolf", "attack", target="Ana", using="misses")
    assert {each.who for each in scene.state.questions} == {"Ana", "Bo"}
    scene.decline_all()
    assert "Wolf against Ana: miss." in scene.lines("Ana")
    assert scene.turn() == ("Wolf",)
    scene.next_round()
    scene.refused("Ana", "attack", target="Wolf", using="hits")


def test_play_4_one_attack_that_nobody_answers_waits_once() -> None:
    scene = attack_of_ana()
    steps = len(scene.decisions)
    for who in ("Bo", "Cai", "Soulweaver"):
        scene.act(who, "decline")
    scene.act("Soulweaver", "miss")
    assert len(scene.decisions) - steps == 4
    assert scene.turn() == ("Ana",)


def test_play_4_the_gm_ends_a_deciding() -> None:
    scene = attack_of_ana()
    scene.act("Cai", "react", note="Dodge")  # sealed: it counts
    scene.do("Gwen", "gm skip", target="all")
    assert "Cai reacts to attack: Dodge (Minor)." in scene.lines()


@pytest.mark.parametrize(
    ("options", "opening", "silent"),
    [
        ("reactions=conflict", ("attack", "at somebody", "marked", "named"), ("major", "look", "speak", "trick")),
        ("reactions=major", ("attack", "at somebody", "marked", "named", "major"), ("look", "speak", "trick")),
        ("reactions=all", ("attack", "at somebody", "marked", "named", "major", "look", "speak", "trick"), ()),
    ],
)
def test_sw_21_which_actions_open_a_deciding_is_an_option(
    options: str, opening: tuple[str, ...], silent: tuple[str, ...]
) -> None:
    ways: dict[str, tuple[str, dict[str, str]]] = {
        "attack": ("attack", {"target": "Bo"}),
        "at somebody": ("minor", {"note": "shove", "target": "Bo"}),
        "marked": ("major", {"note": "blast (conflict)"}),
        "named": ("minor", {"note": "move to the gate"}),
        "major": ("major", {"note": "build"}),
        "look": ("minor", {"note": "look at it", "target": "Bo"}),
        "speak": ("minor", {"note": "speak"}),
        "trick": ("trick", {"using": "Feint"}),
    }
    abilities = (
        {"name": "Feint", "kind": "trick"},
        {"name": "Intercept", "kind": "response", "fields": {"trigger": "move + climb"}},
    )
    for way in (*opening, *silent):
        scene = running(rounds=1, abilities=abilities, options=options)
        action, given = ways[way]
        scene.act("Ana", action, **given)
        assert bool(scene.state.questions) is (way in opening), way
        assert bool(scene.state.stack.items) is (way in opening), way


def test_sw_21_a_table_begins_with_reactions_in_conflict() -> None:
    scene = gathering(options="reactions=conflict")
    assert system_of(scene.state).option_value(scene.state.evolve(options={}), "reactions") == "conflict"


def test_the_end_of_a_turn_can_be_ordered_while_the_others_are_asked() -> None:
    scene = attack_of_ana()
    assert system_of(scene.state).present(scene.state).begun_by == "Ana"
    scene.do("Ana", "end", when="my-turn")
    assert [(order.who, order.command.action) for order in scene.state.orders] == [("Ana", "end")]
    scene.finish()
    assert scene.turn() == ("Ana",), "the table carries the order out"


def test_sw_22_nobody_is_asked_about_a_target_that_has_left() -> None:
    scene = attack_of_ana()
    scene.do("Gwen", "gm remove", target="Cai")
    assert {each.words for each in scene.state.questions} == {"attack (Ana): react, or decline?"}


def test_sw_07_the_gm_says_ahead_whether_somebodys_attack_hits_and_that_decides_no_other() -> None:
    scene = running()
    scene.do("Gwen", "hit", character="Soulweaver", target="Bo", when="if-asked")
    scene.do("Gwen", "miss", character="Soulweaver", target="Ana", when="if-asked")
    scene.act("Ana", "attack", target="Cai")
    assert [order.command.target for order in scene.state.orders] == ["Bo"]
    scene.decline_all()
    assert "Ana against Cai: miss." in scene.lines()
    assert scene.state.question_to("Soulweaver") is None


def test_sw_07_what_is_said_ahead_of_an_attack_is_the_gms_secret() -> None:
    scene = running()
    scene.do("Gwen", "miss", character="Soulweaver", target="Ana", when="if-asked")
    assert [scene.lines(who) for who in ("Ana", "Bo", "Cai")] == [[], [], []]
    scene.refused("Ana", "miss", when="if-asked", character="Soulweaver")


def test_sw_08_whether_one_enters_conflict_can_be_said_before_the_hit() -> None:
    scene = running()
    scene.do("Cai", "enter-conflict", when="if-asked")
    assert "Cai" not in scene.state.conflict
    scene.act("Ana", "attack", target="Cai")
    scene.finish("hit")
    assert "Cai" in scene.state.conflict
    assert scene.state.orders == ()


def test_what_could_be_done_on_a_turn_is_offered_while_others_are_asked() -> None:
    scene = attack_of_ana()
    assert scene.state.questions
    for who in ("Bo", "Cai"):
        offered = {offer.action for offer in offers_on_turn(scene.table, who, scene.seat(who))}
        assert {"attack", "end", "enter-conflict"} <= offered, who
        assert not offered & {"react", "decline", "hit"}, who


def test_sw_07_of_two_attacks_at_once_what_the_gm_says_of_one_says_nothing_of_the_other() -> None:
    scene = running(rounds=1)
    scene.act("Ana", "prepare", note="somebody attacks")
    scene.act("Ana", "end")
    scene.act("Bo", "attack", target="Cai")
    scene.act("Soulweaver", "hit")
    scene.act("Ana", "trigger")
    scene.act("Ana", "attack", target="Cai")
    open_still = [each for each in scene.state.questions if each.about == "attack" and not each.answered]
    assert [each.words for each in open_still] == ["attack 2 (Ana → Cai): hit or miss?"]
    scene.finish("miss")
    told = [text for each in scene.decisions for line in each.lines if (text := plain(line, scene.seat("Cai")))]
    assert [text for text in told if text.endswith((": miss.", ": hit."))] == [
        "Ana against Cai: miss.",
        "Bo against Cai: hit.",
    ]
