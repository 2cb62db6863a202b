"""A whole character as one text: keys of the sheet, and a line for each ability (`Sword: kind weapon; damage 1d6`)."""

from __future__ import annotations

import re

from rules.core import refusals
from rules.core.sheets.abilities import parse_ability, pieces, source_of
from rules.core.sheets.blocks.block import Block
from rules.core.sheets.blocks.reading import LINES, kind_of, read_sheet
from rules.core.sheets.fields import SheetTable
from rules.core.sheets.forms import value_text
from rules.core.sheets.sheet import MAX_ABILITIES
from rules.core.typed.skeleton import same
from rules.core.values import Ability, SheetValue
from rules.errors import Malformed

MOST_TEXT = 4000
_NAMED = re.compile(r"([^:;=]{1,40}):(.*)", re.DOTALL)
_ALONE = frozenset({"kind", "text"})  # fields of every ability


def parse_character_text(text: str, table: SheetTable) -> Block:
    r"""Read keys and abilities as they stand in somebody's notes, or a stat block.

    Raises: Malformed, naming the line; Ambiguous if an armor class can count both ways.

    >>> read = parse_character_text("HP 20, AC 14\nSword: kind weapon; damage 1d8+2", SheetTable())
    >>> dict(read.fields), [(each.name, each.kind, each.fields) for each in read.abilities]
    ({'HP': 20, 'AC': 14}, [('Sword', 'weapon', {'damage': '1d8+2'})])
    """
    if len(text) > MOST_TEXT:
        raise Malformed(f"That has {len(text)} characters; {MOST_TEXT} are read.")
    if table.takes_blocks and kind_of(text) not in ("", LINES):
        return read_sheet(text, takes_blocks=True)
    fields: dict[str, SheetValue] = {}
    abilities: list[Ability] = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip().lstrip(" \t-•*")
        if not bare:
            continue
        try:
            ability = _ability_in(bare, table)
            if ability is None:
                read = read_sheet(bare, takes_blocks=table.takes_blocks)
                fields.update(read.fields)
                abilities += read.abilities
                continue
        except Malformed as refused:
            raise Malformed(f"Line {number}: {refused.reason}", rule=refused.rule, instead=refused.instead) from None
        abilities = [each for each in abilities if not same(each.name, ability.name)]
        abilities.append(ability)
    if len(abilities) > MAX_ABILITIES:
        raise refusals.too_many_abilities(MAX_ABILITIES, len(abilities))
    return Block(fields=fields, abilities=tuple(abilities))


def _ability_in(line: str, table: SheetTable) -> Ability | None:
    """Return the ability of a line; None where it holds keys of the sheet."""
    found = _NAMED.fullmatch(line)
    if found is None or table.key(found[1].strip()) is not None:
        return None
    known = {field.key for field in table.fields or ()} | _ALONE
    source = found[2].strip()
    is_ability = not source or ";" in source or next(pieces(source)).key in known
    return parse_ability(found[1], source) if is_ability else None


def character_text(table: SheetTable) -> str:
    """Write the example of a system's template, to be changed in a form."""
    sheet = table.example_sheet()
    numbers = [f"{key} {value}" for key, value in sheet.items() if isinstance(value, int)]
    others = [f"{key} {value_text(value)}" for key, value in sheet.items() if not isinstance(value, int)]
    abilities = [f"{each.name}: {source_of(each)}".rstrip() for each in table.abilities]
    return "\n".join([", ".join(numbers), *others, *abilities])
