"""SW-13 to SW-20: pools and pips, long actions, Speech, Prepare, Stances, Tricks."""

from __future__ import annotations

import pytest

from tests.rules.soulweaver.scene import Scene, running

FEINT = {"name": "Feint", "kind": "trick"}
GUARD = {"name": "Guard", "kind": "stance"}
CRANE = {"name": "Crane", "kind": "stance"}
DODGE = {"name": "Dodge", "kind": "response"}


def done(scene: Scene, who: str, action: str, **given: object) -> None:
    scene.act(who, action, **given)
    scene.finish()


# SW-13


def test_sw_13_a_major_pool_of_1_and_a_minor_pool_from_the_sheet() -> None:
    scene = running("Ana", minor=3)
    pools = scene.state.combatant("Ana").pools
    assert {name: (pool.now, pool.top) for name, pool in pools.items()} == {"Major": (1, 1), "Minor": (3, 3)}


def test_sw_13_an_ability_is_used_with_the_action_that_it_costs() -> None:
    blast = {"name": "Blast", "source": "Major Action, Spell. The ground shakes."}
    scene = running(rounds=1, minor=2, abilities=(blast, {"name": "Mend", "kind": "minor"}))
    scene.refused("Ana", "minor", rule="SW-13", using="Blast")
    scene.refused("Ana", "major", rule="SW-13", using="Mend")
    done(scene, "Ana", "major", using="Blast")
    assert scene.left("Ana") == (0, 2)


def test_sw_13_an_action_costs_one_of_its_kind_and_a_major_pays_for_a_minor() -> None:
    scene = running(rounds=1, minor=1)
    done(scene, "Ana", "minor", note="look")
    assert scene.left("Ana") == (1, 0)
    scene.act("Ana", "minor", note="reach")
    assert "Major for a Minor" in scene.said()
    scene.finish()
    assert scene.left("Ana") == (0, 0)
    scene.refused("Ana", "minor", rule="SW-13", note="more")
    scene.refused("Ana", "major", rule="SW-13", note="more")
    scene.refused("Ana", "attack", rule="SW-13", target="Bo")
    assert scene.facts("Ana")["pips"] == 2


def test_sw_13_a_minor_never_pays_for_a_major() -> None:
    scene = running(rounds=1, minor=2)
    done(scene, "Ana", "major", note="push")
    scene.refused("Ana", "major", rule="SW-13", note="push again")
    done(scene, "Ana", "minor", note="look")


def test_sw_13_all_pips_go_as_the_own_turn_begins() -> None:
    scene = running(rounds=1)
    done(scene, "Ana", "major", note="push")
    done(scene, "Ana", "minor", note="look")
    scene.next_round()
    assert scene.left("Ana") == (0, 0)  # the turn has not begun yet
    assert {"major", "minor", "attack"} <= set(scene.legal("Ana"))
    scene.act("Ana", "minor", note="look")
    assert scene.left("Ana") == (1, 0)


def test_sw_13_actions_belong_to_the_own_turn() -> None:
    scene = running(rounds=1, abilities=(FEINT, GUARD))
    for action, given in (
        ("major", {"note": "push"}),
        ("minor", {"note": "look"}),
        ("attack", {"target": "Ana"}),
        ("trick", {"using": "Feint"}),
        ("stance", {"using": "Guard"}),
        ("prepare", {"note": "a door opens"}),
        ("long", {"note": "a rite", "amount": 3}),
    ):
        refusal = scene.refused("Bo", action, rule="SW-13", **given)
        assert "It is Ana's turn." in str(refusal)
        assert action not in scene.legal("Bo")


def test_sw_13_the_own_turn_waits_while_triggers_are_open() -> None:
    scene = running(rounds=1, minor=2)
    scene.act("Ana", "minor", note="look")
    for action, given in (("minor", {"note": "look"}), ("end", {})):
        refusal = scene.refused("Ana", action, rule="SW-22", **given)
        assert "I ask Soulweaver first" in str(refusal)


def test_an_attack_needs_somebody_else_as_its_target() -> None:
    scene = running(rounds=1)
    scene.refused("Ana", "attack")
    scene.refused("Ana", "attack", target="Ana")
    scene.refused("Ana", "attack", target="Soulweaver")


# SW-14, SW-18


def prepared() -> Scene:
    """Return Ana's turn in round 3, Bo having prepared in round 2."""
    scene = running(rounds=1, minor=2, abilities=(GUARD,))
    scene.act("Ana", "end")
    scene.act("Bo", "prepare", note="the gate opens")
    scene.next_round()
    return scene


def test_sw_18_prepare_is_a_major_that_names_an_event() -> None:
    scene = running(rounds=1)
    scene.refused("Ana", "prepare")
    scene.act("Ana", "prepare", note="the gate opens")
    assert scene.question() is None
    assert scene.left("Ana") == (0, 1)
    assert scene.facts("Bo").get("prepared") is None
    assert scene.facts("Ana", "Bo")["prepared"] == "the gate opens"
    scene.refused("Ana", "trigger", rule="SW-18")  # your own turn cannot be interrupted
    scene.refused("Cai", "trigger", rule="SW-18")


def test_sw_14_sw_18_what_is_prepared_interrupts_the_turn_with_one_action_at_no_cost_and_gives_it_back() -> None:
    scene = prepared()
    assert scene.turn() == ("Ana",)
    done(scene, "Ana", "minor", note="open the gate")
    before = scene.left("Bo")
    scene.act("Bo", "trigger", using="the gate opens")
    assert scene.asked() == "Soulweaver"  # the event is a trigger
    scene.decline_all()
    assert scene.turn() == ("Bo",)
    scene.refused("Ana", "minor", rule="SW-22", note="walk")
    scene.act("Bo", "attack", target="Ana")
    assert scene.left("Bo") == before
    scene.decline_all()
    scene.act("Soulweaver", "miss")
    assert scene.turn() == ("Ana",)
    assert scene.question() is None
    assert not scene.state.stack.items
    scene.refused("Bo", "minor", rule="SW-13", note="more")
    done(scene, "Ana", "minor", note="walk")  # then the turn goes on
    assert scene.left("Ana") == (1, 0)
    scene.act("Ana", "end")
    assert scene.turn() == ("Bo",)


def test_sw_18_the_action_may_come_at_once_and_then_lies_on_the_event() -> None:
    scene = prepared()
    scene.act("Bo", "trigger")
    scene.act("Bo", "major", note="bar the gate")
    assert [item.name for item in scene.state.stack.items] == ["the gate opens", "bar the gate"]
    assert scene.asked() == "Soulweaver"
    scene.refused("Bo", "major", rule="SW-13", note="once more")
    scene.decline_all()
    assert scene.turn() == ("Ana",)


def test_sw_18_an_action_without_a_stack_ends_the_interruption_too_and_counts_as_its_type() -> None:
    scene = prepared()
    before = scene.left("Bo")
    scene.act("Bo", "trigger")
    scene.act("Bo", "stance", using="Guard")
    assert scene.left("Bo") == before
    scene.decline_all()
    assert scene.turn() == ("Ana",)
    assert scene.facts("Bo")["stance"] == "Guard"


def test_sw_18_one_may_move_instead_and_a_long_action_is_too_much() -> None:
    scene = prepared()
    scene.act("Bo", "trigger")
    scene.decline_all()
    scene.refused("Bo", "long", rule="SW-18", note="a rite", amount=2)
    scene.act("Bo", "end")
    assert scene.turn() == ("Ana",)
    assert scene.state.passed == ()  # Bo's own turn is still to come


def test_sw_18_an_interruption_in_mid_stack_completes_before_what_it_interrupts() -> None:
    scene = prepared()
    scene.act("Ana", "attack", target="Cai")
    scene.act("Soulweaver", "decline")
    scene.act("Bo", "trigger")
    assert "reacted: nobody yet" in scene.prompt()
    scene.act("Bo", "major", note="parry")
    asked = []
    while (question := scene.question()) is not None and "decline" in question.choices:
        asked.append(question.who)
        scene.act(question.who, "decline")
    assert asked == ["Soulweaver", "Cai", "Bo", "Ana"]  # the deciding starts again
    lines = scene.lines()
    assert lines.index("Parry completes (Bo).") < lines.index(
        "Attack completes: Ana against Cai; the GM says hit or miss."
    )


def test_sw_04_of_two_who_have_prepared_for_one_event_the_first_in_priority_interrupts_first() -> None:
    scene = running("Ana", "Bo", "Cai", "Dee", rounds=1, minor=2)
    scene.end_turns()
    for who in ("Bo", "Cai"):
        scene.act(who, "prepare", note=f"the gate opens for {who}")
        scene.act(who, "end")
    scene.next_round()
    scene.act("Ana", "attack", target="Dee")
    scene.act("Bo", "trigger")
    scene.act("Cai", "trigger")  # pressed last
    scene.refused("Cai", "major", rule="SW-13", note="second")
    scene.act("Bo", "major", note="first")
    scene.decline_all()
    assert "First completes (Bo)." in scene.lines()
    assert scene.turn() == ("Cai", "Soulweaver")  # the GM may say beside it whether the attack hits
    scene.act("Cai", "major", note="second")
    scene.decline_all()
    assert [line for line in scene.lines() if " completes" in line][-1].startswith("Attack completes")


def test_sw_18_the_gm_is_still_asked_what_a_reaction_caused_when_something_prepared_interrupts() -> None:
    scene = prepared()
    scene.act("Ana", "attack", target="Cai")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", note="Dodge")
    scene.decline_pass()
    assert scene.question().about == "completing"  # type: ignore[union-attr] # the GM is asked
    scene.act("Bo", "trigger")
    scene.act("Bo", "major", note="bar the gate")
    scene.decline_pass()
    question = scene.question()
    assert question is not None
    assert (question.about, question.choices) == ("completing", ("go-on", "trigger"))
    assert "Dodge is complete" in question.words
    scene.act("Soulweaver", "go-on")
    scene.finish()
    assert scene.turn() == ("Ana",)


def test_sw_18_what_is_prepared_lapses_as_the_own_next_turn_begins() -> None:
    scene = prepared()
    scene.act("Ana", "end")
    assert scene.facts("Bo")["prepared"] == "the gate opens"
    scene.act("Bo", "minor", note="look")
    assert "lapses" in scene.said()
    assert "prepared" not in scene.facts("Bo")


def test_sw_18_the_gm_calls_what_a_creature_of_theirs_has_prepared_by_naming_it() -> None:
    scene = running("Ana", rounds=0)
    scene.do("Gwen", "gm add", name="Wolf", sheet="ZEAL 0, MINOR 1")
    scene.next_round()
    scene.act("Ana", "end")
    scene.act("Wolf", "prepare", note="somebody runs")
    scene.next_round()
    scene.do("Gwen", "trigger", using="somebody runs")
    assert scene.state.stack.items[-1].who == "Wolf"
    scene.act("Wolf", "end")
    scene.decline_all()
    scene.do("Gwen", "trigger", note="a horn sounds")
    assert scene.state.stack.items[-1].who == "Soulweaver"


# SW-15


def test_sw_15_a_long_action_takes_the_whole_of_each_turn_until_complete() -> None:
    scene = running(rounds=1)
    scene.act("Ana", "long", note="the rite", amount=3)
    assert scene.question() is None
    for action in ("major", "minor"):
        scene.refused("Ana", action, rule="SW-15", note="push")
    scene.act("Ana", "end")
    assert scene.facts("Ana")["long"] == {"what": "the rite", "done": 1, "turns": 3}
    scene.next_round()
    scene.refused("Ana", "minor", rule="SW-15", note="look")
    scene.act("Ana", "end")
    assert "Ana's the rite: turn 2 of 3." in scene.lines()
    scene.next_round()
    scene.act("Ana", "end")
    assert "Ana's the rite is complete after 3 turns." in scene.lines()
    scene.next_round()
    done(scene, "Ana", "minor", note="look")


def test_sw_15_it_needs_a_turn_that_nothing_was_spent_of_and_can_be_given_up() -> None:
    scene = running(rounds=1)
    done(scene, "Ana", "minor", note="look")
    scene.refused("Ana", "long", rule="SW-15", note="the rite", amount=3)
    scene.next_round()
    scene.act("Ana", "long", note="the rite", amount=3)
    scene.refused("Ana", "long", note="another rite", amount=2)
    scene.act("Ana", "long", note="stop")
    assert "long" not in scene.facts("Ana")
    done(scene, "Ana", "minor", note="look")


def test_sw_15_nothing_takes_less_than_a_turn() -> None:
    scene = running(rounds=1)
    scene.refused("Ana", "long", rule="SW-15", note="the rite", amount=0)


# SW-16


def test_sw_16_pips_suffered_while_an_action_is_taken_are_a_penalty_on_its_roll() -> None:
    scene = running(rounds=1, minor=2)
    scene.act("Ana", "attack", target="Bo")
    for who in ("Soulweaver", "Cai"):
        scene.act(who, "decline")
    scene.act("Bo", "react", note="Dodge")
    scene.act("Ana", "react", note="Press", target="Dodge")
    scene.decline_all()
    assert "Attack completes: Ana against Bo, with a penalty of 1 on its skill roll" in scene.said()
    assert "penalty of 1 on the skill roll" in scene.prompt()


def test_sw_16_the_own_cost_is_no_penalty_and_other_pips_count_grit_and_rulings_too() -> None:
    scene = running(rounds=1, minor=2)
    done(scene, "Ana", "minor", note="look")  # a pip from before is none either
    scene.act("Ana", "attack", target="Bo")
    scene.decline_all()
    assert "penalty" not in scene.said()
    scene.act("Soulweaver", "miss")
    scene.next_round()
    scene.act("Ana", "attack", target="Bo")
    scene.do("Gwen", "gm set", target="Ana", pool="GRIT", value="2")
    scene.do("Gwen", "gm set", target="Ana", pool="Minor", value="1")
    scene.decline_all()
    assert "penalty of 3" in scene.said()


# SW-17


def test_sw_17_five_words_a_round_in_conflict_at_any_time() -> None:
    scene = running(rounds=1)
    scene.conflict("Bo")
    scene.act("Bo", "say", note="look out behind")
    assert scene.lines("Cai") == ["Bo says: look out behind (2 words left)"]
    refusal = scene.refused("Bo", "say", rule="SW-17", note="one two three")
    assert "2 at most" in str(refusal)
    scene.act("Bo", "say", note="one two")
    assert scene.facts("Bo")["words_left"] == 0
    scene.refused("Bo", "say", rule="SW-17", note="more")
    scene.next_round()
    scene.refused("Bo", "say", rule="SW-17", note="one two three four five six")
    scene.act("Bo", "say", note="one two three four five")


def test_sw_17_a_minor_buys_five_more_words_for_that_round() -> None:
    scene = running(rounds=1)
    scene.conflict("Ana")
    scene.act("Ana", "minor", note="speak")
    scene.act("Ana", "say", note="one two three four five six seven eight nine ten")
    scene.refused("Ana", "say", rule="SW-17", note="eleven")
    scene.finish()
    scene.next_round()
    assert scene.facts("Ana")["words_left"] == 5


def test_sw_17_out_of_conflict_speech_is_free_and_speaking_is_no_trigger() -> None:
    scene = running(rounds=1)
    scene.act("Cai", "say", note="one two three four five six seven eight")
    assert scene.lines("Bo") == ["Cai says: one two three four five six seven eight"]
    assert scene.question() is None
    scene.refused("Cai", "say", note="   ")
    scene.refused("Gwen", "say", rule="SW-17", character="Soulweaver", note="thunder")


def test_sw_17_one_speaks_while_others_decide() -> None:
    scene = running(rounds=1)
    scene.conflict("Bo")
    scene.act("Ana", "major", note="push")
    scene.act("Bo", "say", note="stop that")
    assert scene.asked() == "Soulweaver"


# SW-19


def test_sw_19_a_stance_is_a_minor_puts_into_conflict_and_is_replaced_by_another() -> None:
    scene = running(rounds=1, minor=2, abilities=(GUARD, CRANE, FEINT))
    scene.act("Ana", "stance", using="Guard")
    assert scene.question() is None  # a stance opens nothing
    assert scene.facts("Ana")["conflict"] is True
    assert scene.left("Ana") == (1, 1)
    scene.refused("Ana", "stance", rule="SW-19", using="Guard")
    scene.refused("Ana", "stance", rule="SW-19", using="Feint")
    scene.act("Ana", "stance", using="Crane")
    assert list(scene.effects("Ana")) == ["Crane"]
    assert "Guard on Ana is replaced." in scene.lines()


def test_sw_19_it_is_dropped_freely_and_ends_with_conflict() -> None:
    scene = running(rounds=1, minor=2, abilities=(GUARD,))
    scene.refused("Ana", "drop-stance", rule="SW-19")
    scene.act("Ana", "stance", using="Guard")
    scene.act("Ana", "drop-stance")
    assert scene.facts("Ana")["stance"] is None
    assert scene.facts("Ana")["conflict"] is True
    scene.act("Ana", "stance", using="Guard")
    scene.act("Ana", "leave-conflict")
    assert scene.facts("Ana")["stance"] is None


@pytest.mark.parametrize("hindrance", ["Held", "Prone", "Flying"])
def test_sw_19_it_needs_standing_and_not_being_held(hindrance: str) -> None:
    scene = running(rounds=1, minor=2, abilities=(GUARD,))
    scene.act("Ana", "stance", using="Guard")
    scene.do("Gwen", "condition add", target="Ana", name=hindrance)
    assert scene.facts("Ana")["stance"] is None
    assert f"cannot be kept ({hindrance})" in scene.said()
    scene.refused("Ana", "stance", rule="SW-19", using="Guard")
    scene.do("Gwen", "condition add", target="Ana", name="Jumping")
    scene.do("Gwen", "condition remove", target="Ana", name=hindrance)
    scene.act("Ana", "stance", using="Guard")


# SW-20


def test_sw_20_each_named_trick_goes_once_a_turn() -> None:
    scene = running(rounds=1, minor=3, abilities=(FEINT, {"name": "Juggle", "kind": "trick"}, GUARD))
    done(scene, "Ana", "trick", using="Feint")
    scene.refused("Ana", "trick", rule="SW-20", using="feint")
    scene.refused("Ana", "trick", rule="SW-20", using="Guard")
    done(scene, "Ana", "trick", using="Juggle")
    assert scene.left("Ana") == (1, 1)
    scene.refused("Ana", "trick", rule="SW-20", using="Juggle")
    scene.next_round()
    done(scene, "Ana", "trick", using="Feint")


def test_sw_20_if_the_sheet_lists_no_tricks_a_name_is_enough_and_counts_as_well() -> None:
    scene = running(rounds=1, minor=3)
    done(scene, "Ana", "trick", using="Feint")
    scene.refused("Ana", "trick", rule="SW-20", using="FEINT")


def test_an_ability_is_used_as_what_it_is() -> None:
    scene = running(rounds=1, minor=3, abilities=(FEINT, GUARD, DODGE))
    scene.refused("Ana", "major", rule="SW-20", using="Feint")
    scene.refused("Ana", "minor", rule="SW-19", using="Guard")
    scene.refused("Ana", "minor", rule="SW-21", using="Dodge")
