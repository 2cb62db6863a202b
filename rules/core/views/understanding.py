"""What a system understood of a sheet: the one answer of `/character …`, `/join` and `/gm add` (design 2.9, 3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rules.core.model import Frozen
from rules.core.sheets.abilities import Reading, of_sheet
from rules.core.sheets.blocks.block import BLOCK
from rules.core.sheets.fields import Fault
from rules.core.sheets.forms import value_text
from rules.core.sheets.numbers import with_own_numbers
from rules.core.sheets.reading import reading_of
from rules.core.sheets.sheet import Character
from rules.core.system import System
from rules.core.typed.names import shown
from rules.core.values import Combatant, Pool
from rules.errors import Malformed


class Unused(Frozen):
    """A key that no rule reads, as `NOTE` or `Sword: damge`, and the one that was probably meant."""

    key: str
    near: str | None = None


class AbilityRead(Frozen):
    name: str
    reading: Reading


class Understanding(Frozen):
    """Pools, values and abilities as they will be; what is missing, cannot be taken, or is read by no rule.

    `example` is what may be typed for what is missing.
    """

    title: str
    pools: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    spent: tuple[str, ...] = ()
    no_attack: str = ""
    missing: tuple[str, ...] = ()
    example: str = ""
    faults: tuple[str, ...] = ()
    unused: tuple[Unused, ...] = ()
    from_block: int = 0  # what else a stat block says, which is kept as it is there
    abilities: tuple[AbilityRead, ...] = ()


def combatant_of(system: System[Any], character: Character) -> Combatant:
    """Return a character as it would join, before anything is checked."""
    combatant = Combatant(
        name=character.name,
        owner=character.owner or None,
        character=character.name,
        fields=dict(character.fields),
        abilities=of_sheet(character.abilities, character.name, system.sheet.spoken),
        conditions=character.conditions,
        used=character.used,
    )
    return with_own_numbers(combatant.evolve(kind=system.sheet.kind(combatant)))


def understand(system: System[Any], combatant: Combatant, state: object = None) -> Understanding:
    """Say what a system makes of a combatant. `state` None: at a table with no rules and tables of its own."""
    sheet = system.sheet
    fresh = system.state_type(id="", channel="", system=system.id, name=system.title)
    missing = sheet.missing(combatant)
    pools = combatant.pools or sheet.pools(combatant)
    faults = tuple(_told(sheet.faults(combatant, state or fresh), combatant.name))
    unread = tuple(sheet.unread(combatant))
    is_block = BLOCK in combatant.fields
    silent = {*pools, *(each.key for each in unread if not each.ability)}
    return Understanding(
        title=system.title,
        pools=tuple(f"{key} {_points(pool)}" for key, pool in pools.items()),
        values=tuple(f"{key} {value_text(value)}" for key, value in combatant.fields.items() if key not in silent),
        spent=tuple(key for key, pool in pools.items() if key == system.health and pool.now <= 0),
        no_attack="" if missing or faults or system.blows is None else system.blows.no_attack(combatant),
        missing=missing,
        example=sheet.example(missing),
        faults=faults,
        unused=tuple(
            Unused(key=f"{each.ability}: {each.key}" if each.ability else each.key, near=each.near)
            for each in (() if is_block else unread)
            if each.near or not each.ability  # what else is not read of an ability is asked
        ),
        from_block=len(unread) if is_block else 0,
        abilities=tuple(
            AbilityRead(name=ability.name, reading=reading_of(ability, sheet)) for ability in combatant.abilities
        ),
    )


def require_saveable(system: System[Any], before: Character | None, after: Character) -> None:
    """Refuse what no table of the system could take, unless it was there before. Raises: Malformed."""
    known = set() if before is None else {_name(each) for each in system.sheet.faults(combatant_of(system, before))}
    for fault in system.sheet.faults(combatant_of(system, after)):
        if _name(fault) not in known:
            raise fault.refused


def _told(faults: Iterable[Fault], whose: str) -> Iterator[str]:
    """Say each fault once, with all the abilities that have it."""
    abilities: dict[tuple[str, str], list[str]] = {}
    for fault in faults:
        refused = fault.refused
        said = refused.reason.removeprefix(f"{whose}, {fault.ability}" if fault.ability else f"{whose}: ")
        rule = f" ({refused.rule})" if refused.rule else ""
        abilities.setdefault((said, f"{refused.instead or ''}{rule}".strip()), []).append(fault.ability)
    for (said, instead), names in abilities.items():
        yield f"{shown(names)}{said} {instead}".strip()


def _name(fault: Fault) -> tuple[str, str, str]:
    refused: Malformed = fault.refused
    return fault.ability, fault.key, refused.reason


def _points(pool: Pool) -> str:
    return str(pool.now) if pool.top is None else f"{pool.now}/{pool.top}"
