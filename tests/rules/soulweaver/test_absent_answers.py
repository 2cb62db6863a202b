"""Answers of those who are absent, in the midst of what others do (play 6)."""

from __future__ import annotations

from tests.rules.soulweaver.scene import running


def test_somebody_who_is_absent_makes_no_secret_of_what_somebody_else_commands() -> None:
    scene = running(rounds=1)
    for who in ("Ana", "Bo", "Cai"):
        scene.do("Gwen", "gm away", target=who)
    scene.act("Soulweaver", "trigger", note="a bell rings")
    assert "Trigger: a bell rings." in scene.lines("Ana")
    assert "Cai, Bo, Ana do not react." in scene.lines("Ana"), "they let it pass in the same step"
    assert not scene.decisions[-1].secret
