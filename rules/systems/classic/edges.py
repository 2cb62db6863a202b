"""Advantage and disadvantage that an ability gives: conditions that count in the next attacks. Rule: CL-11."""

from __future__ import annotations

import re
from typing import Any, Literal

from rules.core.blow import Inflict
from rules.core.conditions import end_condition
from rules.core.effects.forms import Dialect, inflicted
from rules.core.encounter import Encounter
from rules.core.step import Step
from rules.core.values import Condition

_OWN = ("on attacks", "on next attack")
_AGAINST = ("to attackers", "to next attacker")
_HELPS, _HINDERS = "Advantage", "Disadvantage"
_EDGE = "(advantage|disadvantage)"
_ATTACKS = "(attacks|attack rolls)"
_HAS = "[{who}] (has|have|gains|gain)"


class _Gives:
    """What makes a sentence a condition that gives an edge."""

    def __init__(self, words: str) -> None:
        self._words = words

    def __call__(self, match: re.Match[str], dialect: Dialect) -> Inflict | None:
        edge = _HINDERS if " disadvantage" in match[0] else _HELPS
        whose = match["who"] or ("you" if re.match(r" (?:have|gain) ", match[0]) else "it")
        whom: Literal["target", "self"] = "self" if whose in ("you", "i", "self", "yourself", "myself") else "target"
        return inflicted(f"{edge} {self._words}", match["lasting"] or "", dialect, whom)


EDGE_FORMS = (
    (f"{_HAS} {_EDGE} on (its|their|your|the) next attack [roll] [{{lasting}}]", _Gives(_OWN[1])),
    (f"{_HAS} {_EDGE} on {_ATTACKS} {{lasting}}", _Gives(_OWN[0])),
    (f"the next attack [roll] [made] against (this target|{{who}}) [{{lasting}}] has {_EDGE}", _Gives(_AGAINST[1])),
    (f"{_ATTACKS} [made] against {{who}} have {_EDGE} {{lasting}}", _Gives(_AGAINST[0])),
)


def _counting(state: Encounter, who: str, target: str) -> list[tuple[str, Condition]]:
    """Return the conditions that give an attack an edge, each with who bears it."""
    return [
        (bearer, condition)
        for bearer, kinds in ((who, _OWN), (target, _AGAINST))
        for condition in state.combatant(bearer).conditions
        if condition.name.partition(" ")[2] in kinds
    ]


def edges_of(state: Encounter, who: str, target: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what helps and what hinders an attack."""
    names = [condition.name for _, condition in _counting(state, who, target)]
    better, worse = (tuple(name for name in names if name.partition(" ")[0] == edge) for edge in (_HELPS, _HINDERS))
    return better, worse


def use_up(step: Step[Any], who: str, target: str) -> None:
    """End what was for one attack alone, as its dice have fallen."""
    for bearer, condition in _counting(step.state, who, target):
        if " next " in condition.name:
            end_condition(step, bearer, condition)
