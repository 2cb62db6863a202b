"""Who is dead or fled: no turn, nothing to decide, nobody waits for them. SW-02, SW-22."""

from __future__ import annotations

from rules.core.views.export import export_view
from tests.rules.soulweaver.scene import Scene, running


def falls(scene: Scene, who: str, condition: str = "Dead") -> None:
    scene.do("Gwen", "condition add", target=who, name=condition)


def test_somebody_who_falls_has_no_place_and_is_in_neither_turn_nor_legal() -> None:
    scene = running(rounds=1)
    falls(scene, "Bo")
    scene.act("Ana", "end")
    assert scene.turn() == ("Cai",)
    export = export_view(scene.table, scene.seat("Gwen"))
    assert "Bo" not in export["legal"]
    assert "Bo" in export["order"]
    scene.refused("Bo", "say", rule="SW-02", note="help")
    scene.do("Gwen", "condition remove", target="Bo", name="Dead")
    scene.next_round()
    scene.act("Ana", "end")
    assert scene.turn() == ("Bo",)


def test_somebody_who_falls_in_their_own_turn_ends_it() -> None:
    scene = running(rounds=1)
    falls(scene, "Ana", "Fled")
    assert scene.lines()[-1] == "Ana is out of Priority: the turn is over."
    assert scene.turn() == ("Bo",)


def test_somebody_who_has_fallen_is_not_asked_in_a_stack_and_the_prepared_event_closes() -> None:
    scene = running(rounds=1)
    scene.act("Ana", "prepare", note="a door opens")
    scene.act("Ana", "end")
    scene.act("Bo", "major", note="open it")
    scene.act("Ana", "trigger")
    falls(scene, "Ana")
    assert "a door opens ends: Ana is out of Priority." in scene.lines()
    assert scene.decline_all() == ["Soulweaver", "Cai"]
    assert scene.turn() == ("Bo",)


def test_sw_22_the_attack_of_who_falls_ends_with_a_line_and_asks_neither_hit_nor_miss() -> None:
    scene = running(rounds=1)
    scene.act("Ana", "attack", target="Cai")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", note="Riposte")
    falls(scene, "Ana")
    assert "attack ends: Ana is out of Priority." in scene.lines()
    assert "Ana" not in scene.decline_all()
    assert scene.question() is None
    assert scene.turn() == ("Bo",)


def test_sw_22_somebody_who_falls_as_the_gm_is_asked_hit_or_miss_has_neither() -> None:
    scene = running(rounds=1)
    scene.act("Ana", "attack", target="Cai")
    scene.decline_all()
    falls(scene, "Ana", "Fled")
    assert "attack ends: Ana is out of Priority." in scene.lines()
    assert scene.question() is None


def test_sw_22_the_reaction_of_who_falls_ends_with_a_line() -> None:
    scene = running(rounds=1)
    scene.act("Ana", "attack", target="Cai")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", note="Riposte")
    falls(scene, "Cai")
    assert "Riposte ends: Cai is out of Priority." in scene.lines()
    scene.finish()
    assert scene.turn() == ("Ana",)


def test_somebody_who_falls_to_the_blow_is_not_asked_about_conflict() -> None:
    scene = running(rounds=1)
    scene.act("Ana", "attack", target="Cai")
    scene.decline_all()
    scene.act("Soulweaver", "hit")
    assert scene.asked() == "Cai"
    falls(scene, "Cai")
    assert scene.turn() == ("Ana",)
    scene.act("Ana", "end")
    scene.act("Bo", "wait", note="ask")
    assert scene.turn() == ("Soulweaver",)
    falls(scene, "Bo")
    scene.act("Soulweaver", "end")
    assert scene.turn() == ("Ana",)  # nobody asks Bo whether to act now
