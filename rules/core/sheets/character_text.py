"""A whole character as one text: keys of the sheet, and a line for each ability (`Sword: kind weapon; damage 1d6`)."""

from __future__ import annotations

import re

from rules.core import refusals
from rules.core.sheets.abilities import source_of
from rules.core.sheets.blocks.block import Block
from rules.core.sheets.blocks.reading import read_sheet
from rules.core.sheets.fields import SheetTable
from rules.core.sheets.forms import value_text
from rules.core.sheets.sheet import MAX_ABILITIES
from rules.errors import Malformed

MOST_TEXT = 4000
_NAMED = re.compile(r"([^:;=]{1,40}):(.*)", re.DOTALL)
_ALONE = frozenset({"kind", "text"})  # fields of every ability


def parse_character_text(text: str, table: SheetTable) -> Block:
    r"""Read keys and abilities as they are in somebody's notes, or a stat block.

    Raises: Malformed, naming the line; Ambiguous if an armor class can count both ways.

    >>> read = parse_character_text("HP 20, AC 14\nSword: kind weapon; damage 1d8+2", SheetTable())
    >>> dict(read.fields), [(each.name, each.kind, each.fields) for each in read.abilities]
    ({'HP': 20, 'AC': 14}, [('Sword', 'weapon', {'damage': '1d8+2'})])
    """
    if len(text) > MOST_TEXT:
        raise Malformed(f"That has {len(text)} characters; I read {MOST_TEXT}.")
    read = read_sheet(text, table)
    if len(read.abilities) > MAX_ABILITIES:
        raise refusals.too_many_abilities(MAX_ABILITIES, len(read.abilities))
    return read


def character_text(table: SheetTable) -> str:
    """Write the example of a system's template, to be changed in a form."""
    sheet = table.example_sheet()
    numbers = [f"{key} {value}" for key, value in sheet.items() if isinstance(value, int)]
    others = [f"{key} {value_text(value)}" for key, value in sheet.items() if not isinstance(value, int)]
    abilities = [f"{ability.name}: {source_of(ability)}".rstrip() for ability in table.abilities]
    return "\n".join([", ".join(numbers), *others, *abilities])
