"""What a stat block says of an attack is what classic plays: its bonus, its damage, its type."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from rules.core.blow import Damage, Effect, Inflict, Save
from rules.core.sheets.blocks.reading import find_block
from rules.core.sheets.reading import reading_of
from rules.core.values import Ability, Combatant
from rules.systems.classic.abilities import deed_of
from rules.systems.classic.blows import ClassicBlows
from rules.systems.classic.keys import SHEET

FOLDER = Path(__file__).parent / "blocks"
KINDS = ("fifth", "second", "third", "old", "plain", "unseen", "fresh")
USABLE = 95  # of 100
_ATTACK = re.compile(r"(?P<name>[^:]+): (?:hit \+?(?P<hit>-?\d+);? ?)?.*?(?:damage (?P<damage>[^;(]+?) ?(?:\(|;|$))")


def _cases() -> list[dict[str, Any]]:
    found = [tomllib.loads((FOLDER / f"{kind}.toml").read_text())["block"] for kind in KINDS]
    return [case for cases in found for case in cases if not case.get("asks")]


def _damages(effects: tuple[Effect, ...]) -> list[str]:
    inner = [each for effect in effects for each in (effect.failed if isinstance(effect, Save) else (effect,))]
    return [f"{each.damage} {each.type}".strip() for each in inner if isinstance(each, Damage)]


def _wrong(ability: Ability, said: re.Match[str]) -> tuple[bool, bool]:
    """Return whether an attack is played as it says, and whether anything is played that it does not say."""
    deed = deed_of(ability)
    bonus = "" if deed.check is None or deed.check.bonus is None else str(int(deed.check.bonus))
    played = _damages((*deed.hit, *deed.always))
    wanted = said["damage"].split(" plus ")
    usable = bonus == (said["hit"] or "") and played[: len(wanted)] == wanted
    wrong = (bonus not in ("", said["hit"] or "")) or any(each not in wanted for each in played[:1])
    return usable, wrong


def test_95_of_a_hundred_stat_block_attacks_are_played_as_they_say_and_none_otherwise() -> None:
    usable, wrong, total = 0, [], 0
    lost = []
    for case in _cases():
        block = find_block(case["text"])
        assert block is not None
        abilities = {each.name: each for each in block.abilities}
        for said in filter(None, map(_ATTACK.match, case["does"])):
            total += 1
            is_usable, is_wrong = _wrong(abilities[said["name"]], said)
            usable += is_usable
            lost += [] if is_usable else [said[0]]
            wrong += [said[0]] if is_wrong else []
    assert wrong == []
    assert total > 100
    assert usable * 100 >= total * USABLE, lost


@pytest.mark.parametrize(
    "text",
    [
        "Hit: 7 (2d6) cold damage unless it is undead.",
        "Hit: 7 (2d6) cold damage if the target is drunk.",
        "Hit: 7 (2d6) cold or fire damage.",
        "Hit: 7 (2d6) cold damage, or 10 (3d6) cold damage if it is wet.",
        "Hit: 7 (2d6) cold damage (only at night).",
        "Hit: 7 (2d6) cold damage to each creature in the room.",
    ],
)
def test_damage_that_depends_on_something_is_not_done_by_itself(text: str) -> None:
    block = find_block(
        f"Ice Imp\nArmor Class 12\nHit Points 9\nTouch. Melee Weapon Attack: +4 to hit, reach 5 ft. {text}"
    )
    assert block is not None
    (touch,) = block.abilities
    deed = deed_of(touch)
    assert deed.check is not None
    assert deed.check.bonus == "4"
    assert _damages(deed.hit) == []
    assert reading_of(touch, SHEET).asks


def test_what_comes_after_the_damage_is_carried_out_or_asked() -> None:
    block = find_block(
        "Ice Imp\nArmor Class 12\nHit Points 9\nTouch. Melee Weapon Attack: +4 to hit, reach 5 ft., one target. "
        "Hit: 7 (2d6) cold damage, and the target is grappled (escape DC 13). The target turns blue."
    )
    assert block is not None
    ability = block.abilities[0]
    deed = deed_of(ability)
    asks = reading_of(ability, SHEET).asks
    assert _damages(deed.hit) == ["2d6 cold"]
    assert [each.condition for each in deed.hit if isinstance(each, Inflict)] == ["Grappled (escape DC 13)"]
    assert list(asks) == ["The target turns blue."]


@pytest.mark.parametrize(
    "source",
    [
        "hit +5; damage 1d8+3 slashing, 1d10+3 two-handed",
        "hit +5; damage 1d8+3 slashing (1d10+3 two-handed)",
        (
            "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 7 (1d8 + 3) slashing damage, or 8 "
            "(1d10 + 3) slashing damage if used with two hands."
        ),
    ],
)
def test_a_versatile_weapon_has_damage_for_both_hands(source: str) -> None:
    deed = deed_of(Ability(name="Sword", source=source))
    assert _damages(deed.hit) == ["1d8+3 slashing"]
    assert deed.in_both_hands is not None
    assert _damages(deed.in_both_hands.hit) == ["1d10+3 slashing"]


@pytest.mark.parametrize(
    "source",
    [
        (
            "Each creature in a 15-foot cone must make a DC 13 Dexterity saving throw, taking 24 (7d6) fire damage "
            "on a failed save, or half as much damage on a successful one."
        ),
        (
            "Dexterity Saving Throw: DC 13, each creature in a 15-foot Cone. Failure: 24 (7d6) Fire damage. "
            "Success: Half damage."
        ),
        (
            "Each creature within 30 feet makes a DC 13 Dexterity saving throw. On a failed save 7d6 fire damage. "
            "On a success half damage."
        ),
    ],
)
def test_an_area_is_aimed_at_any_number_and_each_saves(source: str) -> None:
    ability = Ability(name="Breath", source=source)
    deed = deed_of(ability)
    assert reading_of(ability, SHEET).asks == ()
    assert deed.most is None
    assert _damages(deed.always) == ["7d6 fire"]


def test_damage_that_is_added_has_no_type_called_plus() -> None:
    deed = deed_of(Ability(name="Sword", source="hit +5; damage 1d8+3 plus 1d6 fire"))
    assert _damages(deed.hit) == ["1d8+3", "1d6 fire"]


def test_a_save_is_made_with_the_save_that_the_block_gives() -> None:
    """Rule: CL-13."""
    rules = ClassicBlows()
    imp = Combatant(name="Imp", fields={"DEX": 2, "DEX_SAVE": 5, "REF": 7})
    assert (rules.save_bonus(imp, "DEX"), rules.save_bonus(imp, "REF")) == (5, 7)
