"""Somebody's numbers by name, as dice may hold them: `1d20+STR` (design 7)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from rules.core.errors import Refusal
from rules.core.sheet import pool_from
from rules.core.values import Combatant, Pool, SheetValue
from rules.dice.grammar import read_grammar


def numbers_of(combatant: Combatant) -> dict[str, str]:
    """Return a combatant's numbers and dice: those of the sheet, pools as they stand now."""
    return numbers_in(combatant.fields, combatant.pools)


def numbers_in(fields: Mapping[str, SheetValue], pools: Mapping[str, Pool] | None = None) -> dict[str, str]:
    """Return the numbers of a sheet; words and lists are none."""
    found: dict[str, str] = {}
    for key, value in fields.items():
        held = pool_from(value) if isinstance(value, str) else None
        if isinstance(value, int):
            found[key] = str(value)
        elif held is not None:
            found[key] = str(held.now)
        elif isinstance(value, str):
            with suppress(Refusal):
                found[key] = str(read_grammar(value).root)
    found.update({name: str(pool.now) for name, pool in (pools or {}).items()})
    return found
