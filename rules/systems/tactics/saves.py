"""Saving throws against conditions: at the end of each round, and when a power says so. Rule: TA-17."""

from __future__ import annotations

import re

from rules.core.blow import Save
from rules.core.blows.health import change_health
from rules.core.conditions import end_condition, parse_save, set_left
from rules.core.effects.bonuses import on_saves
from rules.core.step import Step
from rules.core.values import HEALTH, Condition
from rules.systems.tactics.abilities import EACH_ROUND, deed_of
from rules.systems.tactics.sources import edge_dice
from rules.systems.tactics.state import TacticsState

_ONGOING = re.compile(rf"([0-9]{{1,3}}) (?:([a-z]+) )?damage {EACH_ROUND}", re.IGNORECASE)


def take_ongoing(step: Step[TacticsState], who: str) -> None:
    """Let somebody take the damage that conditions bring as a round ends. Rule: TA-17."""
    for condition in step.combatant(who).conditions:
        match = _ONGOING.fullmatch(condition.name)
        if match is not None and HEALTH in step.combatant(who).pools:
            change_health(step, who, -int(match[1]), match[2])


def save_now(step: Step[TacticsState], who: str) -> None:
    """Roll a saving throw for each condition that one ends."""
    for condition in step.combatant(who).conditions:
        if condition.save is not None:
            _save(step, who, condition)


def _save(step: Step[TacticsState], bearer: str, condition: Condition) -> None:
    """Roll one saving throw, for one effect. Rule: TA-17."""
    expression, high, target = parse_save(condition.save or "")
    edge, more, _ = on_saves(step.state, bearer, Save(key="", against=str(target)), deed_of)
    expression = f"{edge_dice(edge) if expression == '2d6' else expression}{more}"
    total, roll = step.roll(expression, who=bearer, purpose=f"save {condition.name}")
    ends = total >= target if high else total <= target
    words = "{who}, saving throw for {condition}: {roll} against {target}, it {outcome}."
    outcome = "ends" if ends else "goes on"
    if not high:
        outcome = "ends" if ends else "is sustained"
    aim = target if high else target + 1
    step.tell(words, who=bearer, condition=condition.name, roll=roll, target=aim, outcome=outcome, good=ends)
    if ends:
        end_condition(step, bearer, condition)
    elif condition.left is not None:
        if condition.left <= 1:
            end_condition(step, bearer, condition)
        else:
            set_left(step, bearer, condition, condition.left - 1)
