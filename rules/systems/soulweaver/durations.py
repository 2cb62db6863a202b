"""Effects and what is left of them: the creator's turn counts, not the bearer's. Rule: SW-06, SW-12."""

from __future__ import annotations

from rules.core.conditions import add_condition, end_condition, tick
from rules.core.events import ConditionTicked
from rules.core.values import Condition
from rules.systems.soulweaver.creatures import Soul
from rules.systems.soulweaver.stack import SOULWEAVER
from rules.systems.soulweaver.state import SoulState

EFFECT = "effect"
RITUAL = "ritual"
UNITS = ("rounds", "minutes", "hours", "days")


def is_effect(condition: Condition) -> bool:
    return condition.data.get(EFFECT) is not None


def put(step: Soul, creator: str, name: str, bearer: str, duration: int, *, kind: str) -> None:
    """Put an effect on a creature. `kind` is `ritual`, a unit, or empty; the unit changes nothing (SW-12)."""
    condition = Condition(
        name=name,
        source=creator,
        left=duration,
        ticks=None if kind == RITUAL else "source-start",
        data={EFFECT: kind},
    )
    add_condition(step, bearer, condition)


def fall(step: Soul, creator: str) -> None:
    """Take 1 off every effect that this creature created and that is no Ritual, if it is in Conflict. Rule: SW-12.

    The Soulweaver's own fall while any creature is in Conflict.
    """
    if not _in_conflict(step.state, creator):
        return
    for bearer in step.state.names:
        for held in step.combatant(bearer).conditions:
            if held.source != creator or not is_effect(held) or held.ticks is None or held.left is None:
                continue
            if held.left <= 1:
                end_condition(step, bearer, held)
            else:
                step.emit(ConditionTicked(who=bearer, name=held.name, source=creator, left=held.left - 1))
                step.tell("{condition} on {who}: {left} left.", condition=held.name, who=bearer, left=held.left - 1)


def _in_conflict(state: SoulState, creator: str) -> bool:
    return bool(state.conflict) if creator == SOULWEAVER else creator in state.conflict


def tick_conditions(step: Soul, who: str, *, start: bool) -> None:
    """Count down conditions put on by hand that hang on this turn; effects have their own count."""
    tick(step, who, "bearer-start" if start else "bearer-end", only=lambda condition: not is_effect(condition))
