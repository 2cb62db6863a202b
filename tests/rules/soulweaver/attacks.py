"""Attacks that others may answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.sheets.abilities import parse_ability
from tests.rules.soulweaver.scene import Scene, running

SHEET: Mapping[str, int | str] = {"HP": 30, "BLADES": 3, "DEFENSE": 8}
SPEAR = ("Spear", "kind weapon; hit BLADES; damage 1d6+1; On a hit: It hums.")
D12 = 12


def fight(
    *abilities: tuple[str, str], sheet: Mapping[str, int | str] = SHEET, options: str = "", rounds: int = 1
) -> Scene:
    """Return round 2; all have the abilities, and numbers."""
    held = tuple(parse_ability(*each).model_dump() for each in abilities)
    return running(rounds=rounds, abilities=held, sheet=sheet, minor=3, options=options)


def hp(scene: Scene, who: str = "Cai") -> int:
    return int(scene.state.combatant(who).pools["HP"].now)


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
