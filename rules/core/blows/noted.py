"""What a blow has changed, so that a correction can take back exactly that (effects 9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.core.blow import Strike
from rules.core.board.fog import place_fact
from rules.core.conditions import CONCENTRATION, add_condition, end_condition
from rules.core.encounter import Encounter
from rules.core.reach.free_moves import count_moved, spaces_spared, spaces_spent
from rules.core.reach.shoves import occupied
from rules.core.registry import system_of
from rules.core.seen.pools import readers_of_pool, readers_of_shared
from rules.core.space.cells import covered, parse_cell
from rules.core.step import GM_ONLY, Step
from rules.core.values import Change, Moved, Pool, Put


def noted(strike: Strike, before: Encounter, after: Encounter) -> Strike:
    """Return a strike that also knows what has changed between two states: on everybody, and of shared pools."""
    changes, puts, moves = [*strike.changes], [*strike.puts], [*strike.moves]
    for combatant in after.cast:
        was, who = before.find(combatant.name), combatant.name
        if was is None or was is combatant:
            continue
        changes += (Change(who=who, pool=pool, by=by) for pool, by in _changed(was.pools, combatant.pools))
        gone = (condition for condition in was.conditions if condition not in combatant.conditions)
        puts += (Put(who=who, condition=condition, is_lifted=True) for condition in gone)
        new = (condition for condition in combatant.conditions if condition not in was.conditions)
        puts += (Put(who=who, condition=condition) for condition in new)
        if was.cell and combatant.cell and was.cell != combatant.cell:
            moves.append(Moved(who=who, before=was.cell, after=combatant.cell))
    for side in (None, *after.side_pools):
        pools = _changed(_shared(before, side), _shared(after, side))
        changes += (Change(who="", side=side, pool=pool, by=by) for pool, by in pools)
    allowed = (who for who, free in after.free_moves.items() if before.free_moves.get(who) != free)
    return strike.evolve(
        changes=tuple(changes),
        puts=tuple(puts),
        moves=tuple(moves),
        allowed=tuple(dict.fromkeys((*strike.allowed, *allowed))),
    )


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
    _take_back_moves(step, strike.moves)
    for who in strike.allowed:
        if spaces_spared(step.state, who):
            count_moved(step, who, spaces_spent(step.state, who))
    for put in reversed(strike.puts):
        bearer = step.state.find(put.who)
        if bearer is None:
            continue
        if put.is_lifted:
            source = step.state.find(put.condition.source or "")
            held_by = "" if source is None else source.marks.get(CONCENTRATION, "")
            add_condition(step, put.who, put.condition, held_by)
        elif any(each.name == put.condition.name and each.source == put.condition.source for each in bearer.conditions):
            end_condition(step, put.who, put.condition, "is taken back")


def _take_back_moves(step: Step[Any], moves: tuple[Moved, ...]) -> None:
    """Put tokens back where they were, if they have stayed where they were moved to and nobody else is there now."""
    names = [moved.who for moved in moves]
    for moved in reversed(moves):
        bearer = step.state.find(moved.who)
        if bearer is None or bearer.cell != moved.after:
            continue
        if {*occupied(step.state, *names)} & {*covered(parse_cell(moved.before), bearer.size)}:
            words = "{who} stays on {cell}: somebody is on {before} now."
            step.tell(words, seen_by=GM_ONLY, who=moved.who, cell=moved.after, before=moved.before)
            continue
        cell = place_fact(step.state, moved.who, moved.before)
        step.tell("{who} is back on {cell} (taken back).", who=moved.who, cell=cell)
        step.change_combatant(moved.who, cell=moved.before)


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
