"""What a blow has changed, so that a correction can take back exactly that (effects 9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.core.blow import Change, Put, Strike
from rules.core.conditions import add_condition, end_condition
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.seen.pools import readers_of_pool, readers_of_shared
from rules.core.step import Step
from rules.core.values import Pool


def noted(strike: Strike, before: Encounter, after: Encounter) -> Strike:
    """Return a strike that also knows what has changed between two states: on everybody, and of shared pools."""
    changes, puts = [*strike.changes], [*strike.puts]
    for combatant in after.cast:
        was, who = before.find(combatant.name), combatant.name
        if was is None or was is combatant:
            continue
        changes += (Change(who=who, pool=pool, by=by) for pool, by in _changed(was.pools, combatant.pools))
        gone = (condition for condition in was.conditions if condition not in combatant.conditions)
        puts += (Put(who=who, condition=condition, is_lifted=True) for condition in gone)
        new = (condition for condition in combatant.conditions if condition not in was.conditions)
        puts += (Put(who=who, condition=condition) for condition in new)
    for side in (None, *after.side_pools):
        pools = _changed(_shared(before, side), _shared(after, side))
        changes += (Change(who="", side=side, pool=pool, by=by) for pool, by in pools)
    return strike.evolve(changes=tuple(changes), puts=tuple(puts))


def _changed(before: Mapping[str, Pool], after: Mapping[str, Pool]) -> Iterator[tuple[str, int]]:
    """Yield the pools that have changed, with by how much."""
    for name, pool in after.items():
        if name not in before or pool.now != before[name].now:
            yield name, pool.now - (before[name].now if name in before else 0)


def _shared(state: Encounter, side: str | None) -> Mapping[str, Pool]:
    return state.table_pools if side is None else state.side_pools.get(side, {})


def take_back(step: Step[Any], strike: Strike, *, follows: bool = True) -> None:
    """Take back exactly what a strike did, the last thing first; with what `follows` from a pool that changes."""
    for change in reversed(strike.changes):
        if not change.who:
            _take_back_shared(step, change)
            continue
        combatant = step.state.find(change.who)
        if combatant is None or change.pool not in combatant.pools:
            continue
        before, after = step.set_pool(change.who, change.pool, combatant.pools[change.pool].now - change.by)
        step.tell(
            "{who}: {change} (taken back).",
            who=change.who,
            change=step.pool_fact(change.who, change.pool, before, after),
            seen_by=readers_of_pool(step.state, change.who, change.pool),
        )
        if before != after and follows:
            system_of(step.state).pool_changed(step, change.who, change.pool, before, after)
    for put in reversed(strike.puts):
        bearer = step.state.find(put.who)
        if bearer is None:
            continue
        if put.is_lifted:
            add_condition(step, put.who, put.condition)
        elif any(each.name == put.condition.name and each.source == put.condition.source for each in bearer.conditions):
            end_condition(step, put.who, put.condition, "is taken back")


def _take_back_shared(step: Step[Any], change: Change) -> None:
    side, name = change.side, change.pool
    pool = _shared(step.state, side).get(name)
    if pool is not None:
        before, after = step.set_shared_pool(side, name, pool.now - change.by)
        step.tell(
            "{whose}: {change} (taken back).",
            whose=side or "The table",
            change=f"{name} {before} → {after}",
            seen_by=readers_of_shared(step.state, side, name),
        )
