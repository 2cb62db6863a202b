"""Refresh: one of three, then one of four. Rule: BE-11."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.conditions import end_condition, told_apart
from rules.core.typed.names import find_name, shown
from rules.core.typed.skeleton import same
from rules.core.values import Condition
from rules.errors import Illegal
from rules.systems.beacon.harm import change_pool
from rules.systems.beacon.orders import Order
from rules.systems.beacon.sheet import DISCORD, HEALTH, MAGIC, RECOVERIES, STRESS, BeaconStep, within
from rules.systems.beacon.state import BeaconState

REFRESH_FIRST = ("hp", "stress", "mp")
REFRESH_THEN = ("reload", "discord", "condition")
_REFRESH = f"One of {', '.join(REFRESH_FIRST)}, then one of {', '.join(REFRESH_THEN)}, as in hp, reload."


def clearable(state: BeaconState, bearer: str) -> Mapping[str, Condition]:
    """Return the conditions on somebody that they did not cause themselves, by what tells them apart."""
    return told_apart(state, (held for held in state.combatant(bearer).conditions if held.source != bearer))


def helped(state: BeaconState, who: str) -> tuple[str, ...]:
    """Return the adjacent allies from whom a condition could be cleared."""
    side = state.combatant(who).side
    return tuple(
        each.name
        for each in state.combatants
        if each.conditions and each.side == side and each.name != who
        if clearable(state, each.name) and within(state, who, each.name, 1)
    )


def refuse_choices(state: BeaconState, who: str, order: Order) -> Illegal | None:
    """Return why a Refresh cannot make its two choices, whatever it would clear."""
    if order.choice not in REFRESH_FIRST or order.then not in REFRESH_THEN:
        return Illegal("Refresh needs its two choices (option using).", rule="BE-11", instead=_REFRESH)
    pool = state.combatant(who).pools.get(RECOVERIES)
    if order.choice == "hp" and (pool is None or pool.now < 1):
        return Illegal(f"{who} has no RECOVERIES left.", rule="BE-11", instead="stress or mp remain possible.")
    return None


def refuse_refresh(state: BeaconState, who: str, order: Order) -> Illegal | None:
    refusal = refuse_choices(state, who, order)
    if refusal is not None:
        return refusal
    if order.then != "condition":
        if order.targets or order.note:
            return Illegal("That choice takes no target and no note.", rule="BE-11", instead=_REFRESH)
        return None
    bearer = order.targets[0] if order.targets else who
    if len(order.targets) > 1 or (bearer != who and bearer not in helped(state, who)):
        return Illegal(
            f"No condition of {order.targets[0]} can be cleared.",
            rule="BE-11",
            instead=f"Adjacent allies with one: {shown(helped(state, who)) or 'nobody'}.",
        )
    names = clearable(state, bearer)
    if order.note is None or find_name(order.note, names) is None:
        return Illegal(
            f"Which condition of {bearer} that somebody else has caused is cleared?",
            rule="BE-11",
            instead=f"Name one (option note): {shown(names) or 'none'}.",
        )
    return None


def refresh(step: BeaconStep, who: str, order: Order) -> None:
    step.tell("{who} refreshes.", who=who)
    pools = step.combatant(who).pools
    if order.choice == "hp":
        change_pool(step, who, RECOVERIES, -1)
        change_pool(step, who, HEALTH, (pools[HEALTH].top or pools[HEALTH].now) - pools[HEALTH].now)
    elif order.choice == "stress":
        change_pool(step, who, STRESS, -pools[STRESS].now if STRESS in pools else 0)
    elif MAGIC in pools:
        change_pool(step, who, MAGIC, (pools[MAGIC].top or pools[MAGIC].now) - pools[MAGIC].now)
    if order.then == "reload":
        step.change(spent={**step.state.spent, who: ()})
        step.tell("{who} reloads.", who=who)
        return
    bearer = order.targets[0] if order.targets else who
    if order.then == "condition":
        named = clearable(step.state, bearer)
        cleared = [named[label] for label in (find_name(order.note or "", named),) if label is not None]
    else:
        cleared = [held for held in step.combatant(bearer).conditions if same(held.name, DISCORD)]
    for held in cleared:
        end_condition(step, bearer, held, "is cleared")
