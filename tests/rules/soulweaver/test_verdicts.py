"""SW-07: what the GM says of an attack counts for that attack, and for the reactions that it knew of."""

from __future__ import annotations

from rules.core.seen.lines import plain
from rules.core.turns.decisions import decisions
from tests.rules.soulweaver.attacks import attack_of_ana
from tests.rules.soulweaver.scene import Scene, running


def verdicts(scene: Scene) -> list[str]:
    """Return all that was said of attacks so far."""
    told = [text for each in scene.decisions for line in each.lines if (text := plain(line, scene.seat("Cai")))]
    return [text for text in told if text.endswith((": miss.", ": hit."))]


def dodged(scene: Scene) -> None:
    """Let Cai dodge, and nobody else react."""
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", note="Dodge")
    scene.decline_pass()
    scene.act("Soulweaver", "go-on")


def test_sw_07_a_verdict_given_before_a_reaction_is_asked_again_once_it_has_completed() -> None:
    """Rule: G-10."""
    scene = attack_of_ana()
    scene.act("Soulweaver", "hit")
    dodged(scene)
    assert verdicts(scene) == []
    scene.act("Soulweaver", "miss")
    assert verdicts(scene) == ["Ana against Cai: miss."]


def test_sw_16_a_verdict_given_before_the_attacker_suffers_a_pip_is_asked_again() -> None:
    """Rule: G-10."""
    scene = attack_of_ana()
    scene.act("Soulweaver", "hit")
    assert [each.sealed is None for each in scene.state.questions if each.about == "attack"] == [False]
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", note="Dodge")
    scene.act("Bo", "decline")
    scene.act("Ana", "react", note="Press", target="Dodge")
    (asked,) = [each for each in scene.state.questions if each.about == "attack"]
    assert asked.sealed is None
    assert "penalty of 1" in asked.inside


def test_sw_07_a_verdict_that_belongs_to_the_attack_is_asked_after_a_reaction_too() -> None:
    scene = running("Ana", "Bo", "Cai")
    scene.do("Gwen", "gm add", name="Wolf", sheet="ZEAL 0, MINOR 1")
    scene.end_turns(3)
    scene.act("Wolf", "attack", target="Cai", using="hits")
    scene.act("Cai", "react", note="Dodge")
    scene.decline_all()
    assert verdicts(scene) == []
    scene.act("Soulweaver", "miss")
    assert verdicts(scene) == ["Wolf against Cai: miss."]


def test_sw_07_a_verdict_outlives_a_reaction_that_never_completes() -> None:
    scene = attack_of_ana()
    scene.act("Soulweaver", "hit")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "decline")
    scene.act("Bo", "react", note="Trip")
    scene.do("Gwen", "gm remove", target="Bo")
    scene.decline_all()
    assert verdicts(scene) == ["Ana against Cai: hit."]


def test_sw_07_of_two_attacks_nobody_can_decide_the_wrong_one() -> None:
    """Rule: G-10."""
    scene = running(rounds=1)
    scene.act("Ana", "prepare", note="somebody attacks")
    scene.act("Ana", "end")
    scene.act("Bo", "attack", target="Cai")
    scene.act("Ana", "trigger")
    scene.act("Ana", "attack", target="Cai")
    scene.refused("Gwen", "hit", character="Soulweaver")
    scene.act("Soulweaver", "hit", target="Bo")  # it waits below the other
    scene.act("Soulweaver", "miss")  # one is left, and nobody needs to say which
    scene.decline_all()
    assert verdicts(scene) == ["Ana against Cai: miss.", "Bo against Cai: hit."]


def test_sw_07_whose_turn_it_is_stays_in_the_prompt_while_others_are_asked_about_an_enemy() -> None:
    scene = running()
    scene.do("Gwen", "gm set", target="Cai", pool="OPINION Bo", value="1")
    assert [each.who for each in scene.state.questions] == ["Cai"]
    assert "attack" in scene.legal("Ana")
    assert scene.waits_for() == ("Cai", "Ana")
    assert {each.who for each in decisions(scene.state)} == {"Cai", "Ana"}
