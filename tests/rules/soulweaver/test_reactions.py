"""SW-21 to SW-23: who may react, the order of deciding, the stack, passing in advance and silently."""

from __future__ import annotations

from rules.core.command import Command
from rules.core.registry import system_of
from rules.core.views.export import export_view
from rules.core.views.view import view_of
from tests.rules.soulweaver.attacks import attack_of_ana
from tests.rules.soulweaver.scene import Scene, join, running


def asked_until(scene: Scene, who: str) -> None:
    """Let those before somebody decline."""
    while scene.asked() != who:
        asked = scene.asked()
        assert asked is not None
        scene.act(asked, "decline")


# The ledger's worked example


def test_the_worked_example_word_for_word() -> None:
    """Rule: SW-21, SW-22, SW-23."""
    scene = running(rounds=1)
    assert scene.order() == ("Ana", "Bo", "Cai", "Soulweaver")
    scene.do("Ana", "attack", target="Cai")
    assert [item.name for item in scene.state.stack.items] == ["attack"]
    scene.do("Gwen", "decline")
    scene.do("Cai", "react", note="Dodge", target="attack")
    scene.do("Bo", "react", note="Trip", target="Dodge")
    assert scene.asked() == "Ana"  # she may react to any of the three
    (react,) = (offer for offer in system_of(scene.state).offers(scene.state, "Ana") if offer.action == "react")
    assert react.params[0].choices == ("Trip", "Dodge", "attack")
    scene.do("Ana", "decline")
    for who in ("Soulweaver", "Cai", "Bo"):
        assert scene.asked() == who
        scene.act(who, "decline")
    assert scene.lines() == ["Soulweaver, Cai, Bo do not react.", "Trip completes (Bo's reaction)."]
    scene.do("Gwen", "go-on")
    assert scene.lines()[-1] == "Dodge completes (Cai's reaction)."
    scene.do("Gwen", "go-on")
    assert scene.lines()[-1].startswith("Attack completes")
    scene.do("Gwen", "miss")
    assert scene.left("Cai") == (1, 0)
    scene.act("Ana", "minor", note="look")
    asked_until(scene, "Cai")
    scene.do("Cai", "react", note="Hide")  # another reaction takes the Major
    assert "Major for a Minor" in scene.said()
    assert scene.left("Cai") == (0, 0)
    scene.decline_all()
    scene.do("Gwen", "trigger", note="the roof falls")
    assert "Cai" not in scene.decline_all()  # nothing left, nothing to decide


# SW-21


def test_sw_21_nobody_reacts_before_their_first_turn_in_this_priority() -> None:
    scene = running()
    scene.act("Ana", "major", note="push")
    assert "Push completes (Ana)." in scene.lines()  # all others, the Soulweaver too, are still before it
    scene.act("Ana", "end")
    scene.act("Bo", "major", note="pull")
    scene.refused("Cai", "react", rule="SW-21", note="Dodge")
    scene.refused("Gwen", "react", rule="SW-21", character="Soulweaver")
    assert scene.decline_all() == ["Ana"]


def test_sw_21_a_latecomer_reacts_only_after_the_own_first_turn() -> None:
    scene = running(rounds=1)
    scene.users["Dee"] = "900"
    join(scene, "Dee")
    scene.act("Ana", "major", note="push")
    scene.refused("Dee", "react", rule="SW-21")
    assert scene.decline_all() == ["Soulweaver", "Cai", "Bo"]
    scene.next_round()
    scene.act("Ana", "major", note="push")
    assert scene.decline_all() == ["Soulweaver", "Dee", "Cai", "Bo"]


def test_sw_21_somebody_who_acts_is_not_asked_about_it_but_about_what_it_provokes() -> None:
    scene = running(rounds=1)
    scene.act("Ana", "attack", target="Cai")
    assert scene.decline_pass() == ["Soulweaver", "Cai", "Bo"]
    scene.act("Soulweaver", "miss")
    scene.next_round()
    scene.act("Ana", "attack", target="Cai")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", note="Parry")
    assert "Ana" in scene.decline_pass()


def test_sw_21_nothing_nameless_is_spent_on_a_reaction() -> None:
    dodge, trip = {"name": "Dodge", "kind": "response"}, {"name": "Trip", "kind": "response"}
    for abilities in ((), (dodge, trip)):
        scene = attack_of_ana(abilities=abilities)
        scene.act("Soulweaver", "decline")
        scene.refused("Cai", "react")
        scene.act("Cai", "react", **({"using": "Trip"} if abilities else {"note": "duck"}))
        assert scene.left("Cai") == (1, 0)
    scene = attack_of_ana(abilities=(dodge,))
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react")  # there is exactly one
    assert scene.state.stack.items[-1].name == "Dodge"


def test_sw_21_once_for_each_trigger_and_anew_for_the_next() -> None:
    scene = attack_of_ana(minor=3)
    asked_until(scene, "Cai")
    scene.act("Cai", "react", note="Dodge")
    scene.act("Bo", "react", note="Trip")
    asked_until(scene, "Cai")
    scene.refused("Cai", "react", rule="SW-21", note="Jump", target="attack")
    scene.act("Cai", "react", note="Jump", target="Dodge")  # a creature may react to its own reaction
    asked_until(scene, "Cai")
    scene.act("Cai", "react", note="Roll", target="Trip")
    assert [item.name for item in scene.state.stack.items] == ["attack", "Dodge", "Trip", "Jump", "Roll"]
    assert "answers Trip" in scene.prompt()


def test_sw_21_a_response_is_used_as_a_reaction_only() -> None:
    scene = running(rounds=1, abilities=({"name": "Dodge", "kind": "response"}, {"name": "Guard", "kind": "stance"}))
    scene.refused("Ana", "minor", rule="SW-21", using="Dodge")
    scene.refused("Ana", "major", rule="SW-21", using="Dodge")
    scene.act("Ana", "attack", target="Cai")
    scene.act("Soulweaver", "decline")
    scene.refused("Cai", "react", rule="SW-19", using="Guard")
    scene.act("Cai", "react", using="Dodge")
    assert scene.state.stack.items[-1].name == "Dodge"


def test_sw_21_without_a_trigger_there_is_nothing_to_react_to() -> None:
    scene = running(rounds=1)
    scene.refused("Cai", "react", rule="SW-21", note="Dodge")
    scene.refused("Cai", "decline", rule="SW-22")


def test_sw_21_somebody_who_is_not_aware_of_a_trigger_cannot_react_to_it_but_to_others() -> None:
    scene = running(rounds=1)
    scene.do("Gwen", "gm aware", who="Cai", of="Ana", yes=False)
    scene.act("Ana", "attack", target="Cai")
    scene.act("Soulweaver", "decline")
    scene.refused("Cai", "react", rule="SW-21", note="Dodge")
    scene.act("Cai", "decline")
    scene.act("Bo", "react", note="Shout")
    asked_until(scene, "Cai")
    scene.refused("Cai", "react", rule="SW-21", note="Dodge", target="attack")
    scene.act("Cai", "react", note="Duck", target="Shout")


# SW-22


def test_sw_13_without_an_action_left_nobody_reacts() -> None:
    scene = running(rounds=1, options="auto_pass=off")
    for pool in ("Major", "Minor"):
        scene.do("Gwen", "gm set", target="Cai", pool=pool, value="0")
    scene.act("Ana", "attack", target="Cai")
    scene.act("Soulweaver", "decline")
    question = scene.question()
    assert question is not None
    assert (question.who, question.choices) == ("Cai", ("decline",))  # auto_pass is off: asked nevertheless
    scene.refused("Cai", "react", rule="SW-13", note="Dodge")
    scene.act("Cai", "decline")
    assert scene.asked() == "Bo"


def test_sw_22_only_what_the_ledger_names_opens_the_deciding() -> None:
    abilities = ({"name": "Guard", "kind": "stance"}, {"name": "Feint", "kind": "trick"})
    scene = running(rounds=1, minor=6, abilities=abilities)
    for action, given in (
        ("say", {"note": "hello"}),
        ("effect", {"using": "Glow", "target": "Ana", "amount": 2}),
        ("enter-conflict", {}),
        ("stance", {"using": "Guard"}),
        ("drop-stance", {}),
        ("leave-conflict", {}),
    ):
        scene.act("Ana", action, **given)
        assert scene.question() is None, action
    for action, given in (
        ("minor", {"note": "look"}),
        ("trick", {"using": "Feint"}),
        ("attack", {"target": "Bo"}),
    ):
        scene.act("Ana", action, **given)
        assert scene.asked() == "Soulweaver", action
        scene.finish()
    scene.do("Gwen", "trigger", note="thunder")
    assert scene.asked() == "Cai"
    scene.finish()
    scene.act("Ana", "end")
    assert scene.question() is None


def test_sw_22_a_declared_action_completes_last_and_an_event_is_never_undone() -> None:
    scene = attack_of_ana()
    asked_until(scene, "Bo")
    scene.act("Bo", "react", note="Trip")
    scene.decline_all()
    assert scene.lines()[-1].startswith("Attack completes")
    scene.act("Soulweaver", "miss")
    scene.do("Gwen", "trigger", note="thunder")
    scene.act("Cai", "react", note="Duck")
    scene.decline_all()
    assert not scene.state.stack.items
    assert not any(line.startswith("thunder") for line in scene.lines())


def test_sw_22_three_deep_with_a_new_trigger_born_in_the_resolution() -> None:
    scene = attack_of_ana(minor=2)
    asked_until(scene, "Cai")
    scene.act("Cai", "react", note="Dodge")
    scene.act("Bo", "react", note="Trip", target="Dodge")
    for who in ("Ana", "Soulweaver", "Cai", "Bo"):
        scene.act(who, "decline")
    assert scene.lines()[-1].startswith("Trip completes")
    scene.do("Gwen", "trigger", note="Cai falls")
    assert [item.name for item in scene.state.stack.items] == ["attack", "Dodge", "Cai falls"]
    assert scene.asked() == "Soulweaver"  # the deciding starts again, from the beginning
    scene.act("Soulweaver", "decline")
    scene.refused("Cai", "react", rule="SW-22", note="Up", target="Trip")  # what is completed is closed
    scene.refused("Cai", "react", rule="SW-21", note="Up", target="attack")
    scene.act("Cai", "react", note="Up", target="Cai falls")
    scene.act("Bo", "react", note="Kick", target="attack")  # or to an earlier trigger
    for who in ("Ana", "Soulweaver", "Cai", "Bo"):
        scene.act(who, "decline")
    completed = [scene.lines()[-1].split(" ")[0]]
    while scene.asked() == "Soulweaver" and "go-on" in scene.question().choices:  # type: ignore[union-attr] # somebody is asked
        scene.do("Gwen", "go-on")
        completed.append(scene.lines()[-1].split(" ")[0])
    assert completed == ["Kick", "Up", "Dodge", "Attack"]
    assert scene.question().choices == ("hit", "miss")  # type: ignore[union-attr] # the GM is asked


def test_sw_22_four_deep_comes_down_last_in_first_out_with_two_triggers_born() -> None:
    scene = running("Ana", "Bo", "Cai", "Dee", rounds=1, minor=3)
    scene.act("Ana", "attack", target="Dee")
    scene.act("Soulweaver", "decline")
    scene.act("Dee", "react", note="One")
    scene.act("Cai", "react", note="Two")
    scene.act("Bo", "react", note="Three")
    scene.act("Ana", "react", note="Four")
    assert [item.answers for item in scene.state.stack.items] == [None, 1, 2, 3, 4]
    for who in ("Soulweaver", "Dee", "Cai", "Bo", "Ana"):
        assert scene.asked() == who
        scene.act(who, "decline")
    completed: list[str] = []
    for born in ("", "smoke", "", "fire", "", ""):
        completed.extend(line.split(" ")[0] for line in scene.lines() if " completes" in line)
        question = scene.question()
        assert question is not None
        if question.about != "completing":
            break
        if born:
            scene.do("Gwen", "trigger", note=born)
            assert scene.decline_pass() == ["Soulweaver", "Dee", "Cai", "Bo", "Ana"]
        else:
            scene.do("Gwen", "go-on")
    assert completed == ["Four", "Three", "Two", "One", "Attack"]


def test_sw_22_with_option_go_on_the_stack_comes_down_at_once_unless_a_trigger_was_declared() -> None:
    scene = attack_of_ana(options="completing=go-on", minor=2)
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", note="Dodge")
    scene.act("Bo", "react", note="Trip")
    scene.do("Gwen", "trigger", note="Cai falls")  # declared before
    scene.refused("Gwen", "trigger", rule="SW-22", note="and again")
    assert scene.asked() == "Ana"
    assert "Declared" in scene.prompt()
    assert "Cai falls" not in scene.prompt("Bo")
    for who in ("Ana", "Soulweaver", "Cai"):
        scene.act(who, "decline")
    scene.act("Bo", "decline")
    assert "Trip completes (Bo's reaction)." in scene.lines()
    assert scene.asked() == "Soulweaver"
    assert [item.name for item in scene.state.stack.items] == ["attack", "Dodge", "Cai falls"]
    scene.decline_all()
    assert [line.split(" ")[0] for line in scene.lines() if "completes" in line] == ["Dodge", "Attack"]
    scene.do("Gwen", "miss")
    assert scene.turn() == ("Ana",)


def test_sw_22_with_option_ask_a_trigger_waits_for_the_question_but_a_ruling_is_kept() -> None:
    scene = attack_of_ana(minor=2)
    scene.refused("Gwen", "trigger", rule="SW-22", note="thunder")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", note="Dodge")
    scene.do("Gwen", "gm trigger", note="thunder")
    assert scene.asked() == "Bo"
    for who in ("Bo", "Ana", "Soulweaver"):
        scene.act(who, "decline")
    assert [item.name for item in scene.state.stack.items] == ["attack", "thunder"]


def test_sw_22_a_trigger_is_named_by_its_note_else_by_its_action_and_names_do_not_clash() -> None:
    scene = running(rounds=1, minor=3)
    scene.act("Ana", "minor")
    assert scene.state.stack.items[-1].name == "minor"
    scene.act("Soulweaver", "react", note="Roar", target="minor")
    scene.act("Cai", "react", note="roar", target="Roar")
    assert scene.state.stack.items[-1].name == "roar 2"
    scene.act("Bo", "react", note="Hush", target="roar 2")
    refusal = scene.refused("Ana", "react", note="x", target="Dodge")
    assert "Hush" in str(refusal)


# SW-23


def asked_of(scene: Scene, reader: str = "Gwen") -> list[str]:
    """Return who is asked, as a reader's prompt says it."""
    view = view_of(scene.table, scene.seat(reader))
    assert view is not None
    return sorted({question.who for question in view.questions})


def test_sw_23_the_prompt_shows_the_stack_who_has_reacted_and_who_is_to_decide() -> None:
    scene = attack_of_ana()
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", note="Dodge")
    assert scene.prompt("Bo").splitlines()[:3] == [
        "Stack, the last one in completes first:",
        "2. Dodge (Cai, answers attack) · reacted: nobody yet",
        "1. attack (Ana → Cai) · reacted: Cai",
    ]
    assert {"Ana", "Bo"} <= {*asked_of(scene, "Bo")}


def test_sw_23_the_export_holds_all_who_are_asked_and_not_who_has_answered() -> None:
    scene = attack_of_ana()
    reaction = {"for": "reaction", "choices": ["react", "decline"]}
    expected = [
        {"who": "Soulweaver", "for": "attack", "choices": ["hit", "miss"]},
        {"who": "Soulweaver", **reaction},
        {"who": "Cai", **reaction},
        {"who": "Bo", **reaction},
    ]
    for _ in range(2):
        content = export_view(scene.table, scene.seat("Ana"))
        assert content["waiting"] == expected
        assert content["turn"] == ["Soulweaver", "Cai", "Bo"]
        scene.act("Bo", "decline")
    assert content["order"] == ["Ana", "Bo", "Cai", "Soulweaver"]
    assert "Soulweaver" not in content["combatants"]
    assert content["combatants"]["Ana"]["pools"] == {"Major": [0, 1], "Minor": [1, 1]}


def test_sw_23_somebody_who_passes_unless_me_is_asked_when_something_new_is_aimed_at_them() -> None:
    scene = attack_of_ana(minor=3)
    scene.act("Soulweaver", "decline", note="unless-me")
    scene.act("Cai", "decline", note="unless-me")
    scene.act("Bo", "react", note="Shout")
    assert scene.asked() == "Ana"  # it answers what she does
    scene.act("Ana", "react", note="Press")  # not aimed at Cai or the Soulweaver
    assert scene.asked() == "Bo"
    scene.act("Bo", "decline")
    assert scene.lines()[-1].startswith("Press completes")


def test_sw_23_a_reaction_to_what_one_does_is_aimed_at_one() -> None:
    scene = running("Ana", "Bo", "Cai", "Dee", rounds=1, minor=3)
    scene.act("Ana", "major", note="shout")
    scene.act("Soulweaver", "decline", note="stack")
    scene.act("Dee", "decline", note="unless-me")
    scene.act("Cai", "react", note="Point")  # at Ana
    scene.act("Bo", "decline", note="unless-me")
    assert scene.asked() == "Ana"
    scene.act("Ana", "react", note="Wink")  # at Cai
    assert scene.asked() == "Cai"
    scene.act("Cai", "decline")
    assert question_about(scene) == "completing"


def question_about(scene: Scene) -> str | None:
    question = scene.question()
    return None if question is None else question.about


def test_sw_23_an_attack_aimed_at_somebody_who_passes_unless_me_asks_them_in_an_interruption() -> None:
    scene = running(rounds=1, minor=3)
    scene.act("Ana", "prepare", note="somebody moves")
    scene.next_round()
    scene.act("Ana", "wait")
    scene.act("Bo", "minor", note="walk")
    scene.act("Soulweaver", "decline", note="stack")
    scene.act("Cai", "decline", note="unless-me")
    scene.act("Ana", "trigger")
    scene.act("Ana", "attack", target="Cai")
    assert scene.asked() == "Cai"


def test_sw_23_somebody_who_has_no_action_left_is_passed_at_once_with_auto_pass() -> None:
    scene = running(rounds=1)
    for pool in ("Major", "Minor"):
        scene.do("Gwen", "gm set", target="Cai", pool=pool, value="0")
    scene.act("Ana", "attack", target="Cai")
    assert "Cai" not in asked_of(scene)
    assert scene.decline_all() == ["Soulweaver", "Bo"]


def test_sw_23_somebody_who_is_not_aware_is_asked_silently_and_nobody_can_tell() -> None:
    views = []
    for is_aware in (True, False):
        scene = running(rounds=1)
        scene.do("Gwen", "gm aware", who="Cai", of="Ana", yes=is_aware)
        scene.act("Ana", "attack", target="Cai")
        (question,) = (each for each in scene.state.questions if each.who == "Cai")
        assert question.silent is not is_aware
        veiled = export_view(scene.table, scene.seat("Bo"))
        views.append({key: veiled[key] for key in ("waiting", "legal", "turn", "combatants")})
        assert asked_of(scene, "Bo") == ["Bo", "Cai", "Soulweaver"]
        assert system_of(scene.state).timeout_action(scene.state, "Cai") == Command(action="decline", character="Cai")
    assert views[0] == views[1]


def test_sw_23_with_auto_pass_off_who_is_not_aware_decides_alone() -> None:
    scene = running(rounds=1, options="auto_pass=off")
    scene.do("Gwen", "gm aware", who="Cai", of="Ana", yes=False)
    scene.act("Ana", "attack", target="Cai")
    scene.act("Soulweaver", "decline")
    question = scene.question()
    assert question is not None
    assert (question.who, question.silent) == ("Cai", False)
    scene.act("Cai", "decline")


def test_sw_23_veiled_numbers_do_not_show_in_who_is_asked() -> None:
    scene = running("Ana", "Bo", rounds=0, options="npc_pools=hidden")
    scene.do("Gwen", "gm add", name="Wolf", sheet="ZEAL 0, MINOR 1")
    scene.next_round()
    for pool in ("Major", "Minor"):
        scene.do("Gwen", "gm set", target="Wolf", pool=pool, value="0")
    scene.act("Ana", "attack", target="Wolf")
    scene.act("Soulweaver", "decline")
    question = scene.question()
    assert question is not None
    assert (question.who, question.choices, question.silent) == ("Wolf", ("react", "decline"), True)
    scene.refused("Gwen", "react", rule="SW-13", character="Wolf")
    assert "pips" not in scene.facts("Wolf", "Bo")
    content = export_view(scene.table, scene.seat("Bo"))
    assert content["combatants"]["Wolf"]["pools"] == {}
    assert {"react", "decline"} <= set(content["legal"]["Wolf"])


def test_a_hidden_creature_is_not_asked_and_leaves_no_trace() -> None:
    scene = running("Ana", "Bo", rounds=0)
    scene.do("Gwen", "gm add", name="Lurker", sheet="ZEAL 0, MINOR 1", hidden=True)
    scene.next_round()
    scene.act("Ana", "major", note="shout")
    assert "Lurker" not in {question.who for question in scene.state.questions}
    for reader in ("Ana", "Bo"):
        assert "Lurker" not in scene.prompt(reader)
        assert "Lurker" not in scene.said(reader)
        assert "Lurker" not in str(export_view(scene.table, scene.seat(reader)))
    assert "Lurker" not in str(scene.refused("Ana", "end"))
