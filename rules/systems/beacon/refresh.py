"""Refresh: one of three, then one of four. Rule: BE-11."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.asking.ask import Effect, nothing, split
from rules.core.blows.health import change_pool
from rules.core.conditions import end_condition, told_apart
from rules.core.offer import Param
from rules.core.reach import ranges
from rules.core.typed.names import find_name, shown
from rules.core.typed.skeleton import same
from rules.core.values import Condition
from rules.errors import Illegal, Refusal
from rules.systems.beacon.attacks import BeaconAsk, whom
from rules.systems.beacon.sheet import DISCORD, HEALTH, MAGIC, RECOVERIES, STRESS, BeaconStep
from rules.systems.beacon.state import BeaconState, note_event

REFRESH_FIRST = ("hp", "stress", "mp")
REFRESH_THEN = ("reload", "discord", "condition")
_REFRESH = f"Choose one of {', '.join(REFRESH_FIRST)}, then one of {', '.join(REFRESH_THEN)}, such as hp, reload."


def clearable(state: BeaconState, bearer: str) -> Mapping[str, Condition]:
    """Return the conditions on somebody that they did not cause themselves, by what tells them apart."""
    return told_apart(
        state, (condition for condition in state.combatant(bearer).conditions if condition.source != bearer)
    )


def helped(state: BeaconState, who: str) -> tuple[str, ...]:
    """Return the adjacent allies with a condition that could be cleared."""
    side = state.combatant(who).side
    return tuple(
        combatant.name
        for combatant in state.combatants
        if combatant.conditions and combatant.side == side and combatant.name != who
        if clearable(state, combatant.name) and ranges.within(state, who, combatant.name, 1)
    )


def refresh(ask: BeaconAsk) -> Effect[BeaconState]:
    state, who = ask.state, ask.who
    pool, allies, own = state.combatant(who).pools.get(RECOVERIES), helped(state, who), clearable(state, who)
    first = REFRESH_FIRST if pool is not None and pool.now > 0 else REFRESH_FIRST[1:]
    then = REFRESH_THEN if own or allies else REFRESH_THEN[:2]
    choices = tuple(f"{one}, {other}" for one in first for other in then)
    ask.take(Param(name="using", label="two choices", choices=choices, free=True))
    said = split((ask.text("using") or "").casefold())
    if not said:
        return nothing
    ask.refuse(_refuse_choices(state, who, said))
    one, other = said
    if other != "condition":
        none = "That choice needs no target and no note."
        ask.require(not (ask.text("target") or ask.text("note")), lambda: Illegal(none, rule="BE-11", instead=_REFRESH))
        return lambda step: _refresh(step, who, one, other, who, None)

    def not_helped(target: str) -> Refusal | None:
        if target == who and own:
            return None
        near = f"Allies next to them who have one: {shown(allies) or 'nobody'}."
        return Illegal(f"{target} has no condition that can be cleared.", rule="BE-11", instead=near)

    bearer = next(iter(whom(ask, None, allies, not_helped, required=not own)), who)
    labels = tuple(clearable(state, bearer))
    if bearer == who and not own:
        labels = tuple(dict.fromkeys(label for ally in allies for label in clearable(state, ally)))

    ask.take(Param(name="note", label="condition", choices=labels, free=True))
    given = ask.text("note")
    label = find_name(given or "", labels)
    which = f"Which condition of {bearer}, caused by somebody else, do you clear?"
    named = f"Name one with the option note: {shown(labels) or 'none'}."
    ask.require(given is None or label is not None, lambda: Illegal(which, rule="BE-11", instead=named))
    return lambda step: _refresh(step, who, one, other, bearer, label)


def _refuse_choices(state: BeaconState, who: str, said: tuple[str, ...]) -> Illegal | None:
    """Return why a Refresh cannot make its two choices, whatever it would clear."""
    if len(said) != 2 or said[0] not in REFRESH_FIRST or said[1] not in REFRESH_THEN:
        return Illegal("Refresh needs its two choices: option using.", rule="BE-11", instead=_REFRESH)
    pool = state.combatant(who).pools.get(RECOVERIES)
    if said[0] == "hp" and (pool is None or pool.now < 1):
        return Illegal(f"{who} has no RECOVERIES left.", rule="BE-11", instead="You can still choose stress or mp.")
    return None


def _refresh(step: BeaconStep, who: str, one: str, other: str, bearer: str, label: str | None) -> None:
    step.tell("{who} refreshes.", who=who)
    pools = step.combatant(who).pools
    if one == "hp":
        change_pool(step, who, RECOVERIES, -1)
        change_pool(step, who, HEALTH, (pools[HEALTH].top or pools[HEALTH].now) - pools[HEALTH].now)
    elif one == "stress":
        change_pool(step, who, STRESS, -pools[STRESS].now if STRESS in pools else 0)
    elif MAGIC in pools:
        change_pool(step, who, MAGIC, (pools[MAGIC].top or pools[MAGIC].now) - pools[MAGIC].now)
    if other == "reload":
        step.change(spent={**step.state.spent, who: ()})
        step.tell("{who} reloads.", who=who)
    else:
        named = clearable(step.state, bearer)
        cleared = [condition for name, condition in named.items() if name == label]
        if other == "discord":
            cleared = [held for held in step.combatant(bearer).conditions if same(held.name, DISCORD)]
        for held in cleared:
            end_condition(step, bearer, held, "is cleared")
    note_event(step)
