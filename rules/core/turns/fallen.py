"""The GM's fallen: creatures without an owner that are dead, or whose health is gone."""

from __future__ import annotations

from rules.core.command import Command
from rules.core.encounter import Encounter
from rules.core.registry import system_of


def is_out(state: Encounter, who: str) -> bool:
    """Tell whether somebody lies out of the fight, by the rules of the system that is played."""
    return system_of(state).is_out(state, who)


def fallen_of(state: Encounter) -> tuple[str, ...]:
    """Return the GM's creatures that are down, in the order of joining."""
    system = system_of(state)
    return tuple(
        each.name
        for each in state.combatants
        if each.owner is None
        and (system.is_out(state, each.name) or (system.kept_by is None and _is_spent(state, each.name)))
    )


def _is_spent(state: Encounter, who: str) -> bool:
    """Tell whether somebody's health is gone; not every system lets them lie."""
    pool = state.combatant(who).pools.get(system_of(state).health)
    return pool is not None and pool.now <= 0


def keepable_of(state: Encounter) -> tuple[str, ...]:
    """Return those of the fallen who may be kept in the fight."""
    return tuple(name for name in fallen_of(state) if keep_command(state, name) is not None)


def keep_command(state: Encounter, who: str) -> Command | None:
    """Return the ruling that keeps a fallen creature in the fight; None where there is none, or none is needed."""
    kept = system_of(state).kept_by
    if kept is None or not state.combatant(who).is_down:
        return None
    pool, value = kept
    return Command(action="gm set", target=who, args={"pool": pool, "value": value})
