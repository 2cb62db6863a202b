"""Health as it changes: temporary points first, and what a system makes of damage."""

from __future__ import annotations

import re
from typing import Any

from rules.core import hiding
from rules.core.registry import system_of
from rules.core.seen.pools import readers_of_pool
from rules.core.step import Step
from rules.core.values import Pool
from rules.errors import Illegal

TEMPORARY = ("TEMP", "THP")
_TEMPORARY = frozenset({"temp", "thp", "temporary"})  # as people write it, behind it HP or hit points, or nothing


def is_temporary(key: str) -> bool:
    """Tell whether somebody means the points that damage takes first: `temp`, `THP`, `temporary hit points`."""
    letters = re.sub(r"[\W_]", "", key.casefold())
    return letters in _TEMPORARY or any(letters.removesuffix(each) in _TEMPORARY for each in ("hp", "hitpoints"))


def give_temporary(step: Step[Any], who: str, amount: int) -> None:
    """Give points that damage takes first. They do not add up: the higher number counts."""
    pools = step.combatant(who).pools
    name = next((each for each in TEMPORARY if each in pools), TEMPORARY[0])
    before = pools[name].now if name in pools else 0
    step.put_pool(who, name, Pool(now=max(before, amount)))
    step.tell(
        "{who}: {change}" + ("." if amount > before else "; the higher number stays."),
        who=who,
        change=step.pool_fact(who, name, before, max(before, amount)),
        seen_by=readers_of_pool(step.state, who, name),
    )


def change_health(step: Step[Any], who: str, by: int, kind: str | None = None) -> int:
    """Change a combatant's health, temporary points first, and tell it; return the damage that they took."""
    system = system_of(step.state)
    pools = step.combatant(who).pools
    if system.health not in pools:
        raise Illegal(
            f"{who} has no {system.health}.",
            instead=f"/gm set target:{who} pool:{system.health} value:20 gives it some.",
        )
    if by < 0:
        taken = hiding.ruled(step, who, lambda own: _taken(own, who, -by, kind or ""))
        by = -spend_temporary(step, who, taken)
        if by < 0 and hiding.ruled(step, who, lambda own: system.by_hand.damage(own, who, -by, kind)):
            return taken
    else:
        taken = 0
        by = by if system.blows is None else system.blows.healed(step, who, by)
        if not by:
            return 0
    before, after = step.set_pool(who, system.health, step.combatant(who).pools[system.health].now + by)
    step.tell(
        "{who}: {change}" + (" ({kind})." if kind else "."),
        who=who,
        change=step.pool_fact(who, system.health, before, after),
        kind=kind,
        seen_by=readers_of_pool(step.state, who, system.health),
    )
    if before != after:
        hiding.ruled(step, who, lambda own: system.pool_changed(own, who, system.health, before, after))
    rules = system.blows
    if taken and rules is not None:
        hiding.ruled(step, who, lambda own: rules.was_hurt(own, who, taken, before))
    return taken


def _taken(step: Step[Any], who: str, amount: int, kind: str) -> int:
    rules = system_of(step.state).blows
    return amount if rules is None else rules.taken(step, who, amount, kind)


def change_pool(step: Step[Any], who: str, pool: str, by: int) -> None:
    """Change a pool by a number of points. If a combatant has no such pool, the line alone says it."""
    if pool not in step.combatant(who).pools:
        step.tell("{who} " + ("gains" if by > 0 else "loses") + " {amount} {pool}.", who=who, amount=abs(by), pool=pool)
        return
    before, after = step.set_pool(who, pool, step.combatant(who).pools[pool].now + by)
    step.tell(
        "{who}: {change}.",
        who=who,
        change=step.pool_fact(who, pool, before, after),
        seen_by=readers_of_pool(step.state, who, pool),
    )
    if before != after:
        hiding.ruled(step, who, lambda own: system_of(step.state).pool_changed(own, who, pool, before, after))


def spend_temporary(step: Step[Any], who: str, amount: int) -> int:
    """Take damage off temporary points first; return what is left of it."""
    pools = step.combatant(who).pools
    for name in TEMPORARY:
        if name in pools and pools[name].now > 0:
            used = min(amount, pools[name].now)
            before, after = step.set_pool(who, name, pools[name].now - used)
            step.tell(
                "{who}: {change}.",
                who=who,
                change=step.pool_fact(who, name, before, after),
                seen_by=readers_of_pool(step.state, who, name),
            )
            amount -= used
    return amount
