"""Conditions whose names say what they do to rolls, damage and speed: those that abilities put, and the GM too.

`Advantage on next attack`, `+1d4 on attacks and saves`, `-2 AC`, `+2d6 fire damage on next hit`, `Resistant to cold`.
Rule: CL-11 to CL-13.
"""

from __future__ import annotations

import re
from typing import Any

from rules.core.blow import Damage, Deed, Effect, Lift
from rules.core.conditions import end_condition
from rules.core.encounter import Encounter
from rules.core.step import Step
from rules.core.values import Combatant, Condition

_OTHERS = "on attacks at others"
_OWN = ("on attacks", "on next attack", "on attacks and saves", _OTHERS)
_AGAINST = ("to attackers", "to next attacker")
_SAVES = ("on saves", "on attacks and saves")
_HELPS, _HINDERS = "Advantage", "Disadvantage"
NO_HEALING, NO_REACTIONS, OF_SPEED = "No healing", "No reactions", "Speed"
EACH_TURN, EACH_SOURCE = "each turn", "each turn of its source"
_ARMOR = re.compile(r"([+-][0-9]{1,2}) AC")
_ON_HITS = re.compile(r"\+(\S+?)(?: ([a-z]+))? damage on (?:next hit|hits)")


def _counting(state: Encounter, who: str, target: str) -> list[tuple[str, Condition]]:
    """Return the conditions that count in an attack, each with who bears it."""
    return [
        (bearer, condition)
        for bearer, kinds in ((who, _OWN), (target, _AGAINST))
        for condition in state.combatant(bearer).conditions
        if (kind := condition.name.partition(" ")[2]) in kinds and not (kind == _OTHERS and condition.source == target)
    ]


def edges_of(state: Encounter, who: str, target: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what helps and what hinders an attack."""
    names = [condition.name for _, condition in _counting(state, who, target)]
    better, worse = (tuple(name for name in names if name.partition(" ")[0] == edge) for edge in (_HELPS, _HINDERS))
    return better, worse


def added_to_attack(state: Encounter, who: str, target: str) -> str:
    """Return the dice and numbers that conditions add to an attack, with their signs."""
    return _added(condition for _, condition in _counting(state, who, target))


def on_saves(combatant: Combatant) -> tuple[int, str]:
    """Return the edge that conditions give to saves, and what they add."""
    counting = [each for each in combatant.conditions if each.name.partition(" ")[2] in _SAVES]
    names = [each.name.partition(" ")[0] for each in counting]
    return names.count(_HELPS) - names.count(_HINDERS), _added(counting)


def _added(conditions: Any) -> str:
    return "".join(each.name.partition(" ")[0] for each in conditions if each.name[0] in "+-")


def more_armor(combatant: Combatant) -> int:
    """Return what conditions add to armor class."""
    return sum(int(match[1]) for each in combatant.conditions if (match := _ARMOR.fullmatch(each.name)))


def stronger(combatant: Combatant, deed: Deed) -> Deed:
    """Return an attack with the damage that conditions add to a hit; what was for the next one ends with it."""
    more: list[Effect] = []
    for each in combatant.conditions if deed.check is not None else ():
        if match := _ON_HITS.fullmatch(each.name):
            more.append(Damage(damage=match[1], type=match[2] or ""))
            more += [Lift(lifts=each.name, whom="self")] if " next " in each.name else []
    return deed.evolve(hit=(*deed.hit, *more)) if more else deed


def use_up(step: Step[Any], who: str, target: str) -> None:
    """End what was for one attack alone, as its dice have fallen."""
    for bearer, condition in _counting(step.state, who, target):
        if " next " in condition.name:
            end_condition(step, bearer, condition)
