"""Abilities that may not be used at will: how often they were used is counted, and comes back as time goes on."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from rules.core.blow import Limit
from rules.core.effects.limits import SIDES, limit_words
from rules.core.model import without_key
from rules.core.seen.lines import Dice as DiceText
from rules.core.step import GM_ONLY, Step
from rules.core.values import Combatant
from rules.dice.roll import roll_expression
from rules.errors import Illegal, Malformed

Limits = Callable[[Combatant, str], Limit | None]  # of somebody's ability, by its name
_LEFT = re.compile(r"(.+) left", re.IGNORECASE)


def left_of(combatant: Combatant, name: str, limit: Limit | None) -> int | None:
    """Return how often somebody may still use an ability; None for one that is used at will."""
    return None if limit is None else max(0, limit.most - combatant.used.get(name, 0))


def left_words(combatant: Combatant, name: str, limit: Limit | None) -> str:
    """Say in a menu how often somebody may still use an ability; nothing of one that is used at will."""
    left = left_of(combatant, name, limit)
    return "" if limit is None else f"{left} of {limit.most} left"


def used_up(combatant: Combatant, name: str, limit: Limit, rule: str) -> Illegal:
    """Return why somebody may not use an ability now, and what brings it back."""
    comes = {
        "turn": "It comes back with the next turn.",
        "round": "It comes back with the next round.",
        "recharge": f"A die decides as the turn of {combatant.name} starts.",
    }.get(limit.per, "")
    by_hand = f"/gm set target:{combatant.name} pool:{name} left value:1 gives it back."
    return Illegal(f"{name} is used up ({limit_words(limit)}).", rule=rule, instead=f"{comes} {by_hand}".strip())


def spend(step: Step[Any], who: str, name: str, limit: Limit | None, rule: str) -> None:
    """Count that somebody uses an ability. Raises: Illegal if none is left."""
    combatant = step.combatant(who)
    if limit is None:
        return
    if not left_of(combatant, name, limit):
        raise used_up(combatant, name, limit, rule)
    step.change_combatant(who, used={**combatant.used, name: combatant.used.get(name, 0) + 1})


def renew(step: Step[Any], per: str, limits: Limits) -> None:
    """Give back what may be used anew in each turn or round, as one starts."""
    for combatant in step.state.cast:
        kept = {name: count for name, count in combatant.used.items() if _per(limits(combatant, name)) != per}
        if len(kept) < len(combatant.used):
            step.change_combatant(combatant.name, used=kept)


def _per(limit: Limit | None) -> str:
    return "" if limit is None else limit.per


def recharge(step: Step[Any], who: str, limits: Limits) -> None:
    """Roll for what somebody has used that recharges, as their turn starts; of a creature of the GM to the GM alone."""
    combatant = step.combatant(who)
    seen_by = step.dice_seen_by(who) or (GM_ONLY if combatant.owner is None else None)
    for name in combatant.used:
        limit = limits(combatant, name)
        if limit is None or limit.per != "recharge":
            continue
        purpose = f"recharge {name}"[:60]
        rolled = roll_expression(f"1d{SIDES}", step.dice, who=who, purpose=purpose, seen_by=seen_by)
        is_back = rolled.total >= limit.recharge
        text = DiceText(text=rolled.text(limit=300), seen_by=seen_by)
        words = "{who}'s {ability}: {roll}, " + ("it can be used again." if is_back else "not yet.")
        step.tell(words, who=who, ability=name, roll=text, good=is_back, seen_by=seen_by)
        if is_back:
            step.change_combatant(who, used=without_key(step.combatant(who).used, name))


def set_left(step: Step[Any], who: str, key: str, value: str, limits: Limits) -> bool:
    """Set how often somebody may still use an ability (`Fire Breath left`); tell whether the key means that."""
    meant = _LEFT.fullmatch(key.strip())
    combatant = step.combatant(who)
    ability = None if meant is None else combatant.ability(meant[1])
    limit = None if ability is None else limits(combatant, ability.name)
    if ability is None or limit is None:
        return False
    if not value.isdecimal() or int(value) > limit.most:
        raise Malformed(f"{value[:20]} is not a number of uses.", instead=f"Possible: 0 to {limit.most}.")
    step.change_combatant(who, used={**combatant.used, ability.name: limit.most - int(value)})
    seen_by = GM_ONLY if combatant.owner is None else None
    step.tell("{who}: {ability}, {left} left.", who=who, ability=ability.name, left=int(value), seen_by=seen_by)
    return True
