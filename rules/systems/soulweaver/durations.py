"""Effects and what is left of them: the creator's turn counts, not the bearer's. Rule: SW-06, SW-12."""

from __future__ import annotations

from rules.core.conditions import add_condition, end_condition, set_left, tick, tick_round_end, try_save
from rules.core.turns.fallen import is_out
from rules.core.values import Condition
from rules.systems.soulweaver.creatures import Soul
from rules.systems.soulweaver.stack import SOULWEAVER
from rules.systems.soulweaver.state import SoulState, with_name

EFFECT = "effect"
SINCE = "since"  # the round in which it was put on
RITUAL = "ritual"
ROUNDS = "rounds"
UNITS = (ROUNDS, "minutes", "hours", "days")
ROUND_SECONDS = 5


def is_effect(condition: Condition) -> bool:
    return condition.data.get(EFFECT) is not None


def is_ritual(condition: Condition) -> bool:
    return condition.data.get(EFFECT) == RITUAL


def put(step: Soul, creator: str, name: str, bearer: str, duration: int, *, kind: str, save: str | None = None) -> None:
    """Put an effect on a creature. `kind` is `ritual`, a unit, or empty for rounds; no unit counts in Conflict.

    A `save` of its bearer's as a turn of theirs ends may end it.
    """
    condition = Condition(
        name=name,
        source=creator,
        left=duration,
        ticks=None if kind == RITUAL else "source-start",
        save=save,
        data={EFFECT: kind, SINCE: step.state.round},
    )
    add_condition(step, bearer, condition)


def fall(step: Soul, creator: str) -> None:
    """Take 1 off every effect that this creature created and that is no Ritual, if it is in Conflict. Rule: SW-12.

    The Soulweaver's own fall while any creature is in Conflict.
    """
    if not is_in_conflict(step.state, creator):
        return
    step.change(fell=with_name(step.state.fell, creator))
    for bearer in step.state.names:
        for condition in step.combatant(bearer).conditions:
            if condition.source == creator and is_effect(condition) and not is_ritual(condition):
                _lose_one(step, bearer, condition)


def fall_with_round(step: Soul) -> None:
    """Take 1 off the effects in rounds whose creator's turn does not: out of Conflict, dead, or gone. Rule: SW-12."""
    state = step.state
    for bearer in state.names:
        for held in step.combatant(bearer).conditions:
            by_turn = held.source is not None and (held.source in state.fell or is_in_conflict(state, held.source))
            if is_effect(held) and held.data[EFFECT] in ("", ROUNDS) and not by_turn:
                _lose_one(step, bearer, held)
    tick_round_end(step, only=lambda condition: not is_effect(condition))


def _lose_one(step: Soul, bearer: str, condition: Condition) -> None:
    if condition.left is None:
        return
    if condition.left <= 1:
        end_condition(step, bearer, condition)
        return
    set_left(step, bearer, condition, condition.left - 1)
    step.tell("{condition} on {who}: {left} left.", condition=condition.name, who=bearer, left=condition.left - 1)


def is_in_conflict(state: SoulState, creator: str) -> bool:
    """Tell whether what somebody created falls as their turn begins; of who is dead or gone no turn does."""
    if creator == SOULWEAVER:
        return bool(state.conflict)
    return creator in state.conflict and not is_out(state, creator)


def clocks(state: SoulState) -> tuple[str, ...]:
    """Return the effects in minutes or more whose creator is out of Conflict: the GM lets them end. Rule: SW-12."""
    found = []
    for creature in state.combatants:
        for condition in creature.conditions:
            unit, since = condition.data.get(EFFECT), condition.data.get(SINCE)
            if unit not in UNITS[1:] or not isinstance(since, int) or is_in_conflict(state, condition.source or ""):
                continue
            seconds = (state.round - since) * ROUND_SECONDS
            gone = f"{seconds // 60}:{seconds % 60:02d} gone"
            found.append(
                f"{condition.name} on {creature.name}: {condition.left} {unit}, {gone}; /condition remove ends it."
            )
    return tuple(found)


def roll_saves(step: Soul, who: str) -> None:
    """Let somebody whose turn ends roll against the effects on them that a roll may end."""
    for condition in step.combatant(who).conditions:
        if is_effect(condition) and condition.save is not None:
            try_save(step, who, condition)


def tick_conditions(step: Soul, who: str, *, start: bool) -> None:
    """Count down conditions put on by hand that hang on this turn; effects have their own count."""
    tick(step, who, "bearer-start" if start else "bearer-end", only=lambda condition: not is_effect(condition))
    if not start and step.state.find(who) is not None:
        roll_saves(step, who)
