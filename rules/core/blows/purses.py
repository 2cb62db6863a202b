"""What somebody pays with: a pool, or a number of their sheet. Without either they count it on paper."""

from __future__ import annotations

from typing import Any

from rules.core.blows.health import change_pool
from rules.core.step import GM_ONLY, Step
from rules.core.typed.skeleton import skeleton
from rules.core.values import Combatant


def purse_of(combatant: Combatant, name: str) -> str | None:
    """Return the pool or the key of the sheet that somebody has such points in; None if they have none."""
    if name in combatant.pools:
        return name
    meant = {skeleton(each) for each in (name, f"{name} points", f"{name}s")}
    counted = (key for key, value in combatant.fields.items() if isinstance(value, int))
    return next((key for key in (*combatant.pools, *counted) if skeleton(key) in meant), None)


def left_in(combatant: Combatant, name: str) -> int | None:
    """Return how many such points somebody has; None if no number says it."""
    key = purse_of(combatant, name)
    pool = None if key is None else combatant.pools.get(key)
    return None if key is None else combatant.number(key) if pool is None else pool.now


def pay(step: Step[Any], who: str, name: str, costs: int) -> None:
    """Take points off what somebody has of them, or give them back if there are fewer than none to pay."""
    combatant = step.combatant(who)
    key = purse_of(combatant, name)
    if key is None or key in combatant.pools:
        change_pool(step, who, key or name, -costs)
        return
    before = combatant.number(key)
    step.set_field(who, key, before - costs)
    seen_by = GM_ONLY if combatant.owner is None else None
    step.tell("{who}: {key} {before} → {left}.", who=who, key=key, before=before, left=before - costs, seen_by=seen_by)
