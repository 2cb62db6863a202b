"""What using an ability takes: how often it may be used is counted (`renewal` gives it back), and it is paid for."""

from __future__ import annotations

import re
from typing import Any

from rules.core.blow import Limit
from rules.core.blows.purses import left_in, pay, purse_of
from rules.core.effects.limits import limit_words, price_words
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.step import GM_ONLY, Step
from rules.core.values import Ability, Combatant
from rules.errors import Illegal, Malformed

_LEFT = re.compile(r"(.+) left", re.IGNORECASE)


def left_of(combatant: Combatant, name: str, limit: Limit | None) -> int | None:
    """Return how often somebody may still use an ability; None for one that is used at will."""
    return None if limit is None else max(0, limit.most - combatant.used.get(name, 0))


def use_words(state: Encounter, combatant: Combatant, ability: Ability) -> str:
    """Say in a menu what using an ability costs, and how often that is still possible; nothing if it is free."""
    deed = system_of(state).deed_of(ability)
    left = left_of(combatant, ability.name, deed.limit)
    words = [price_words(deed.prices), "" if deed.limit is None else f"{left} of {deed.limit.most} left"]
    return " · ".join(filter(None, words))


def refusal(state: Encounter, who: str, *abilities: Ability | None) -> Illegal | None:
    """Return why somebody may not use an ability now, or several at once: it is used up, or they cannot pay.

    None if they may.
    """
    rules = system_of(state).blows
    combatant = state.find(who)
    if rules is None or combatant is None:
        return None
    costs: dict[str, int] = {}
    for ability in filter(None, abilities):
        deed, name = rules.deed_of(ability), ability.name
        if deed.limit is not None and deed.limit.per == "own turn" and who not in system_of(state).turn(state):
            why = f"{name} is for the turns of {who} alone."
            return Illegal(why, rule=rules.limit_rule, instead="Use it when the prompt names them.")
        if deed.limit is not None and not left_of(combatant, name, deed.limit):
            return _used_up(who, name, deed.limit, rules.limit_rule)
        for price in deed.prices:
            costs[price.pool] = costs.get(price.pool, 0) + price.costs
            has = left_in(combatant, price.pool)
            if has is not None and has < costs[price.pool]:
                left = has - costs[price.pool] + price.costs
                said = f"{name} costs {price.costs} {price.pool}; {who} has {left}."
                key, enough = purse_of(combatant, price.pool), costs[price.pool]
                by_hand = f"/gm set target:{who} pool:{key} value:{enough} gives them enough."
                return Illegal(said, rule=rules.limit_rule, instead=by_hand)
    return None


def _used_up(who: str, name: str, limit: Limit, rule: str) -> Illegal:
    comes = {
        "turn": "It comes back with the next turn.",
        "own turn": "It comes back with their next turn.",
        "round": "It comes back with the next round.",
        "day": "/character rest gives it back after the fight.",
        "rest": "/character rest gives it back after the fight.",
        "recharge": f"A die decides as the turn of {who} starts.",
    }.get(limit.per, "")
    by_hand = f"/gm set target:{who} pool:{name} left value:1 gives it back."
    return Illegal(f"{name} is used up ({limit_words(limit)}).", rule=rule, instead=f"{comes} {by_hand}".strip())


def is_left(state: Encounter, who: str, name: str) -> bool:
    """Tell whether somebody may use an ability, as far as its limit and its price go."""
    return refusal(state, who, state.combatant(who).ability(name)) is None


def spend(step: Step[Any], who: str, ability: Ability | None) -> None:
    """Count that somebody uses an ability, and let them pay. Raises: Illegal if they may not."""
    why = refusal(step.state, who, ability)
    if why is not None:
        raise why
    deed = None if ability is None else system_of(step.state).deed_of(ability)
    if ability is None or deed is None:
        return
    if deed.limit is not None:
        used = step.combatant(who).used
        step.change_combatant(who, used={**used, ability.name: used.get(ability.name, 0) + 1})
    for price in deed.prices:
        pay(step, who, price.pool, price.costs)


def give_back(step: Step[Any], who: str, ability: Ability) -> None:
    """Take back that somebody has used an ability, with what they paid for it."""
    deed, used = system_of(step.state).deed_of(ability), step.combatant(who).used
    if deed.limit is not None:
        left = {**used, ability.name: used.get(ability.name, 0) - 1}
        step.change_combatant(who, used={name: count for name, count in left.items() if count > 0})
    for price in deed.prices:
        pay(step, who, price.pool, -price.costs)


def set_left(step: Step[Any], who: str, key: str, value: str) -> bool:
    """Set how often somebody may still use an ability (`Fire Breath left`); tell whether the key means that."""
    meant = _LEFT.fullmatch(key.strip())
    combatant = step.combatant(who)
    ability = None if meant is None else combatant.ability(meant[1])
    limit = None if ability is None else system_of(step.state).deed_of(ability).limit
    if ability is None or limit is None:
        return False
    if not value.isdecimal() or int(value) > limit.most:
        raise Malformed(f"{value[:20]} is not a number of uses.", instead=f"Possible: 0 to {limit.most}.")
    step.change_combatant(who, used={**combatant.used, ability.name: limit.most - int(value)})
    seen_by = GM_ONLY if combatant.owner is None else None
    step.tell("{who}: {ability}, {left} left.", who=who, ability=ability.name, left=int(value), seen_by=seen_by)
    return True
