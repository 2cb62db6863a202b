"""The systems that there are: each folder under `rules/systems/` is one, found and not listed."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import JsonValue

from rules.core.encounter import Encounter
from rules.core.rulebook import load_encounter, option_value, provide
from rules.core.sheets.abilities import as_spoken
from rules.core.sheets.spoken import Spoken
from rules.core.system import System
from rules.core.values import Combatant
from rules.errors import BrokenInvariant, Unreadable

__all__ = [
    "every_system",
    "load_encounter",
    "made_from",
    "option_value",
    "read_encounter",
    "start_ids",
    "started_as",
    "system_of",
    "systems",
]

SYSTEMS = "rules.systems"  # by name, as they are found: nothing here needs one of them


@cache
def systems() -> Mapping[str, System[Any]]:
    """Return every system that is one by itself, by its id: not what a table's own file makes one of."""
    return {key: system for key, system in every_system().items() if not system.needs_tables}


@cache
def every_system() -> Mapping[str, System[Any]]:
    """Return every system by its id, also one that is nothing without a table's own file."""
    found: dict[str, System[Any]] = {}
    for module in pkgutil.iter_modules(importlib.import_module(SYSTEMS).__path__):
        system = importlib.import_module(f"{SYSTEMS}.{module.name}").SYSTEM
        found[system.id] = system
    return found


def system_of(encounter: Encounter) -> System[Any]:
    """Return the system as an encounter plays it. Raises: BrokenInvariant if the program lacks it."""
    system = every_system().get(encounter.system)
    if system is None:
        raise BrokenInvariant(f"no system {encounter.system!r}")
    return system.for_state(encounter)


def start_ids() -> tuple[str, ...]:
    """Return every id under which an encounter can be started: the systems, and the kits that ship."""
    return tuple(start for system in every_system().values() for start in system.starts())


def started_as(start_id: str) -> System[Any]:
    """Return the system that one of `start_ids` starts."""
    system = next(each for each in every_system().values() if start_id in each.starts())
    return system.bound_to(system.own_tables.of_shipped(start_id))


def made_from(tables: Mapping[str, JsonValue]) -> System[Any]:
    """Return the system that a table's own file makes. Raises: Malformed with its mistakes."""
    system = next(each for each in every_system().values() if each.needs_tables)
    return system.bound_to(system.own_tables.read(tables))


def read_encounter(data: str | bytes, system_id: str) -> Encounter:
    """Read a state from JSON text, in its system's own type. Raises: Unreadable."""
    system = every_system().get(system_id)
    if system is None:
        raise Unreadable
    state: Encounter = system.state_type.from_store(data)
    return _as_spoken(state, system.sheet.spoken)


def _as_spoken(state: Encounter, spoken: Spoken | None) -> Encounter:
    """Return a state whose abilities have the fields that their words mean: one of version 1.0.0 kept none for them."""
    if spoken is None:
        return state

    def read(combatant: Combatant) -> Combatant:
        said = tuple(as_spoken(each, spoken) for each in combatant.abilities)
        return combatant if said == combatant.abilities else combatant.evolve(abilities=said)

    hidden = tuple(each.evolve(combatant=read(each.combatant)) for each in state.hidden)
    return state.evolve(combatants=tuple(map(read, state.combatants)), hidden=hidden)


provide(every_system)
