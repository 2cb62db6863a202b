"""Attacks that others may answer."""

from __future__ import annotations

from typing import Any

from tests.rules.soulweaver.scene import Scene, running


def attack_of_ana(**given: Any) -> Scene:
    """Return round 2 with Ana's attack on Cai open."""
    scene = running(rounds=1, **given)
    scene.act("Ana", "attack", target="Cai")
    return scene


def attack() -> Scene:
    """It is the second round, and Ana has attacked Cai; reverse Priority is Soulweaver, Cai, Bo, Ana."""
    scene = running(rounds=1)
    scene.act("Ana", "attack", target="Cai")
    return scene
