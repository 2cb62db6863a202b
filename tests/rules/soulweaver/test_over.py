"""After the last foe has fallen nobody is asked any more, and no timer plays on; the stack is done first. SW-22."""

from __future__ import annotations

from bot.waiting.waits import wanted
from tests.rules.soulweaver.scene import Scene, running


def outcome(scene: Scene) -> str | None:
    over: str | None = scene.state.over
    return over


def hunt() -> Scene:
    """Ana, Bo and Cai against one Wolf, in the second round."""
    scene = running(rounds=0, options="reactions=conflict")
    scene.do("Gwen", "gm add", name="Wolf", sheet="ZEAL 1, MINOR 1, HP 9")
    scene.next_round()
    return scene


def test_with_the_last_foe_the_fight_is_over_and_nobody_is_waited_for() -> None:
    scene = hunt()
    scene.do("Gwen", "gm set", target="Wolf", pool="mark:dead", value="on")
    assert outcome(scene) == "Nobody of GM is left."
    assert scene.turn() == ()
    assert wanted(scene.state) == ()
    assert [line for line in scene.lines("Gwen") if "/gm next-phase" in line] != []
    assert [line for line in scene.lines("Bo") if "/gm next-phase" in line] == []
    assert "The fight is over" in str(scene.refused("Ana", "end"))


def test_sw_22_what_has_been_declared_is_done_before_the_fight_is_over() -> None:
    scene = hunt()
    scene.act("Ana", "attack", target="Wolf")
    scene.act("Bo", "react", note="Trip")
    scene.do("Gwen", "gm set", target="Wolf", pool="mark:dead", value="on")
    assert outcome(scene) is None
    scene.decline_all()
    scene.finish()
    assert outcome(scene) == "Nobody of GM is left."
    assert scene.turn() == ()


def test_sw_02_the_world_may_go_on_without_foes() -> None:
    scene = hunt()
    scene.do("Gwen", "gm set", target="Wolf", pool="mark:dead", value="on")
    scene.do("Gwen", "gm next-phase")
    assert outcome(scene) is None
    assert scene.turn() == ("Ana",)
    scene.next_round()
    assert scene.turn() == ("Ana",)
    scene.do("Gwen", "gm set", target="Wolf", pool="mark:dead", value="off")
    assert scene.state.unopposed is False
