"""G-01: whatever the rules refuse, the GM can do by hand; removal and the end leave nothing behind."""

from __future__ import annotations

from rules.core.registry import system_of
from tests.rules.soulweaver.scene import Scene, running


def in_mid_stack() -> Scene:
    scene = running(rounds=1, minor=2)
    scene.act("Ana", "attack", target="Cai")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", note="Dodge")
    return scene


def test_the_gm_skips_the_one_who_is_asked() -> None:
    scene = in_mid_stack()
    scene.do("Gwen", "gm skip", target="Bo")
    assert scene.asked() == "Ana"
    scene.do("Gwen", "gm skip", target="Ana")
    assert scene.asked() == "Soulweaver"
    scene.refused("Gwen", "gm skip", rule="SW-22", target="Ana")
    scene.do("Gwen", "gm answer", target="Soulweaver", choice="decline")
    scene.do("Gwen", "gm skip", target="Soulweaver")  # goes on
    scene.refused("Gwen", "gm skip", rule="G-01", target="Soulweaver")  # an attack wants its answer
    scene.do("Gwen", "gm answer", target="Soulweaver", choice="hit")
    scene.do("Gwen", "gm skip", target="Cai")
    assert scene.facts("Cai")["conflict"] is True
    assert scene.turn() == ("Soulweaver",), "whoever is skipped has no further part in the round"


def test_the_gm_skips_turns_and_those_who_wait() -> None:
    scene = running(rounds=1)
    scene.act("Ana", "wait", note="ask")
    scene.do("Gwen", "gm skip")
    assert scene.asked() == "Ana"
    scene.do("Gwen", "gm skip")
    assert scene.turn() == ("Cai",)
    assert "Ana" in scene.state.waiting


def test_a_skipped_place_lets_durations_fall() -> None:
    scene = running(rounds=1)
    scene.conflict("Bo")
    scene.do("Gwen", "gm effect", creator="Bo", name="Glow", bearer="Ana", duration=3)
    scene.do("Gwen", "gm skip", target="Bo")
    scene.act("Ana", "end")
    assert scene.effects("Ana") == {"Glow": 2}
    assert scene.turn() == ("Cai",)


def test_the_gm_gives_the_turn_and_drops_an_open_stack() -> None:
    scene = in_mid_stack()
    scene.do("Gwen", "gm turn", target="Cai")
    assert scene.turn() == ("Cai",)
    assert scene.question() is None
    assert not scene.state.stack.items
    scene.act("Cai", "end")
    assert scene.turn() == ("Bo",)


def test_a_turn_not_yet_begun_comes_again_when_the_gm_gives_it_to_somebody_else() -> None:
    scene = running(rounds=1)
    scene.do("Gwen", "gm turn", target="Cai")
    scene.act("Cai", "end")
    assert scene.turn() == ("Ana",)


def test_the_gm_ends_the_round() -> None:
    scene = running(rounds=1)
    scene.conflict("Bo")
    scene.do("Gwen", "gm effect", creator="Bo", name="Glow", bearer="Ana", duration=3)
    scene.do("Gwen", "gm next-phase")
    assert (scene.state.round, scene.turn()) == (3, ("Ana",))
    assert scene.effects("Ana") == {"Glow": 2}
    scene.end_turns(3)
    scene.do("Gwen", "gm next-phase")
    assert (scene.state.round, scene.turn()) == (4, ("Ana",))


def test_the_gm_sets_the_order_and_a_result() -> None:
    scene = running(rounds=1)
    scene.do("Gwen", "gm order", names="Cai, Ana")
    assert scene.order() == ("Cai", "Bo", "Ana", "Soulweaver")
    scene.do("Gwen", "gm set", target="Ana", pool="initiative", value="30")
    assert scene.order()[0] == "Ana"
    scene.refused("Gwen", "gm set", target="Ana", pool="initiative", value="high")


def test_somebody_who_leaves_takes_everything_along_and_the_stack_goes_on() -> None:
    scene = in_mid_stack()
    scene.do("Gwen", "gm remove", target="Cai")
    assert [item.name for item in scene.state.stack.items] == ["attack"]
    assert scene.state.stack.items[0].aimed is None
    assert scene.decline_all()
    assert scene.turn() == ("Ana",)  # nobody is left to be hit
    scene.do("Gwen", "gm remove", target="Ana")
    assert scene.turn() == ("Bo",)
    scene.do("Gwen", "gm remove", target="Bo")
    assert scene.turn() == ("Soulweaver",)


def test_somebody_who_leaves_while_the_gm_is_asked_about_them_ends_the_question() -> None:
    scene = running(rounds=1)
    scene.act("Ana", "attack", target="Cai")
    scene.decline_all()
    scene.do("Cai", "remove")
    assert scene.question() is None
    assert scene.turn() == ("Ana",)


def test_a_creature_that_leaves_while_others_wait_loses_no_place_for_them() -> None:
    scene = running(rounds=1)
    scene.act("Ana", "wait", note="ask")
    scene.act("Bo", "end")
    scene.do("Gwen", "gm remove", target="Bo")
    assert scene.asked() == "Ana"
    scene.act("Ana", "act-now")
    assert scene.order() == ("Ana", "Cai", "Soulweaver")


def test_a_trigger_of_the_gm_waits_for_the_answer_to_an_attack() -> None:
    scene = running(rounds=1)
    scene.act("Ana", "attack", target="Cai")
    scene.decline_all()
    scene.refused("Gwen", "trigger", note="thunder")
    scene.refused("Gwen", "gm trigger", note="thunder")
    scene.act("Soulweaver", "miss")
    scene.refused("Gwen", "gm trigger", note="  ")
    scene.do("Gwen", "gm trigger", note="thunder")
    assert scene.asked() == "Cai"  # not the GM, whose trigger it is


def test_sw_22_a_declared_trigger_ends_with_the_stack_in_which_it_was_declared() -> None:
    scene = running(rounds=1)
    scene.act("Ana", "attack", target="Cai")
    scene.do("Gwen", "gm trigger", note="the roof falls")  # when the next reaction completes
    scene.finish()
    assert "What was declared lapses: the roof falls." in scene.lines()
    assert scene.state.declared is None
    scene.act("Ana", "end")
    scene.act("Bo", "attack", target="Cai")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", note="Dodge")
    scene.decline_all()
    assert not any("roof" in item.name for item in scene.state.stack.items)


def test_the_end_gives_pools_back_and_ends_stances_while_effects_stay() -> None:
    scene = running(rounds=1, minor=2, abilities=({"name": "Guard", "kind": "stance"},))
    scene.act("Ana", "stance", using="Guard")
    scene.do("Gwen", "gm effect", creator="Bo", name="Blessing", bearer="Ana", duration=30, ritual=True)
    scene.do("Gwen", "encounter end")
    assert scene.left("Ana") == (1, 2)
    assert scene.effects("Ana") == {"Blessing": 30}


def test_a_pause_in_mid_stack_brings_the_same_question_back() -> None:
    scene = in_mid_stack()
    question = scene.question()
    scene.do("Gwen", "encounter pause")
    scene.do("Gwen", "encounter resume")
    assert scene.question() == question
    scene.act("Bo", "decline")
    assert scene.asked() == "Ana"


def test_the_mildest_action_loses_nothing_and_never_decides_an_attack() -> None:
    scene = running(rounds=1)
    system = system_of(scene.state)

    def timeout_action(who: str) -> str | None:
        command = system.timeout_action(scene.state, who)
        return None if command is None else command.action

    assert (timeout_action("Ana"), timeout_action("Bo")) == ("end", None)  # the turn is over, and the place stays
    scene.act("Ana", "attack", target="Cai")
    assert (timeout_action("Soulweaver"), timeout_action("Ana")) == ("decline", None)
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", note="Dodge")
    scene.decline_pass()
    assert timeout_action("Soulweaver") == "go-on"
    scene.act("Soulweaver", "go-on")
    assert timeout_action("Soulweaver") is None
    scene.act("Soulweaver", "hit")
    assert timeout_action("Cai") == "enter-conflict"
    scene.act("Cai", "stay-out")
    assert timeout_action("Ana") == "end"
    scene.act("Ana", "end")
    scene.act("Bo", "wait", note="ask")
    scene.act("Cai", "end")
    assert timeout_action("Bo") == "wait"
    scene.act("Bo", "wait")
    assert timeout_action("Soulweaver") == "end"
