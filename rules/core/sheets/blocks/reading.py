"""Which kind of stat block a text is, if it is one, and what it says."""

from __future__ import annotations

import re

from rules.core.sheets.abilities import of_sheet, parse_ability, require_short
from rules.core.sheets.blocks import fifth, second, third
from rules.core.sheets.blocks.block import BLOCK, Block, folded, usual_words
from rules.core.sheets.blocks.fifth import read_fifth
from rules.core.sheets.blocks.old import is_old, read_old, with_armor
from rules.core.sheets.blocks.plain import ANY_SHEET, has_abilities, is_plain, marked, read_plain
from rules.core.sheets.blocks.second import read_second
from rules.core.sheets.blocks.third import read_third
from rules.core.sheets.fields import SheetTable
from rules.core.sheets.sheet import MAX_ABILITIES, MAX_KEYS, parse_sheet
from rules.core.values import Ability

FIFTH, SECOND, THIRD, OLD, LINES = "5e", "pathfinder", "3.5", "old", "lines"
_READERS = {FIFTH: read_fifth, SECOND: read_second, THIRD: read_third, OLD: read_old, LINES: read_plain}


def kind_of(text: str) -> str:
    """Return which kind of stat block a text is by marks that `KEY VALUE` cannot have; empty if it is none."""
    usual = folded(usual_words(text))
    if third.MARKS.search(usual):
        return THIRD
    if is_old(usual) and not fifth.HEAD.search(usual):
        return OLD
    if fifth.MARKS.search(usual):
        return FIFTH
    if second.MARKS.search(usual):
        return SECOND
    return LINES if is_plain(usual) else ""


def find_block(text: str, table: SheetTable = ANY_SHEET) -> Block | None:
    """Read a stat block, or attack lines between keys; None if a text is neither.

    Raises: Ambiguous if nobody can tell which way round its armor class counts.
    """
    kind = kind_of(text)
    if kind in ("", LINES):
        typed = marked(text, table)
        return read_plain(typed, table) if kind or is_plain(folded(typed)) else None
    return _fitting(_READERS[kind](usual_words(text)), kind)


def read_sheet(text: str, table: SheetTable, *, armor: str | None = None) -> Block:
    """Read a sheet as it is typed, or a stat block as it is pasted.

    Raises: Malformed; Ambiguous if nobody can tell which way round an armor class counts.
    """
    block = find_block(text if armor is None else with_armor(text, armor), table) if table.takes_blocks else None
    typed = marked(text, table) if table.takes_blocks else text
    if block is None and has_abilities(typed, table):
        block = read_plain(typed, table)
    return block or Block(fields=parse_sheet(typed))


def read_ability(name: str, text: str, *, takes_blocks: bool) -> Ability:
    """Read an ability as it is typed, or an attack as a stat block tells it. Raises: Malformed."""
    typed = parse_ability(name, text)
    for whole in (text, f"{name}. {text}", f"{name} {text}") if takes_blocks else ():
        kind = kind_of(whole)
        if kind in (FIFTH, SECOND) or (kind == LINES and ";" not in text):
            block = _READERS[kind](usual_words(whole))
            attacks = [ability for ability in block.abilities if ability.field("hit")]
            if len(attacks) == len(block.abilities) == 1 and not block.fields and not block.unread:
                return attacks[0].evolve(name=typed.name)
    return typed


def _fitting(block: Block, kind: str) -> Block:
    """Return a block with its kind as a fact, and no more than a sheet holds; what is left out is named."""
    fields = dict([(BLOCK, kind), *block.fields.items()][:MAX_KEYS])
    for ability in block.abilities:
        require_short(ability)
    left = tuple(each.name for each in block.abilities[MAX_ABILITIES:])
    abilities = of_sheet(block.abilities[:MAX_ABILITIES], _named(block))
    return block.evolve(fields=fields, abilities=abilities, unread=(*block.unread, *left))


def _named(block: Block) -> str:
    """Return a block's name, with the word for the creature that its own text uses: `Bandit Captain, the bandit`.

    Only what it does with its own turn tells: *the goblin* that a Goblin Slayer hurts is somebody else.
    """
    first = block.name.casefold().partition(" ")[0]
    acts = re.compile(rf"\bthe {re.escape(first)} (?:makes|(?:can )?takes? the)\b", re.IGNORECASE)
    is_called = any(acts.search(ability.source) for ability in block.abilities)
    return f"{block.name}, the {first}" if is_called else block.name
