"""A whole character as one text: keys of the sheet, and a line for each ability (`Sword: kind weapon; damage 1d6`)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rules.core import refusals
from rules.core.sheets.fields import SheetTable
from rules.core.sheets.forms import value_text
from rules.core.sheets.sheet import MAX_ABILITIES, parse_ability, parse_sheet
from rules.core.typed.skeleton import same
from rules.core.values import Ability, SheetValue
from rules.errors import Malformed

MOST_TEXT = 4000
_NAMED = re.compile(r"(?P<name>[^:;=]{1,40}):\s*(?P<fields>(?P<key>[^\W\d]\w*)(?:\W.*)?)?", re.DOTALL)
_ALONE = frozenset({"kind", "text"})  # fields of every ability


def parse_character_text(text: str, table: SheetTable) -> tuple[dict[str, SheetValue], tuple[Ability, ...]]:
    r"""Read keys and abilities as they stand in somebody's notes. Raises: Malformed, naming the line.

    >>> parse_character_text("HP 20, AC 14\nSword: kind weapon; damage 1d8+2", SheetTable())
    ({'HP': 20, 'AC': 14}, (Ability(name='Sword', kind='weapon', fields={'damage': '1d8+2'}, written={}, text=''),))
    """
    if len(text) > MOST_TEXT:
        raise Malformed(f"That has {len(text)} characters; {MOST_TEXT} are read.")
    fields: dict[str, SheetValue] = {}
    abilities: list[Ability] = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip(" \t-•*")
        if not bare:
            continue
        try:
            ability = _ability_in(bare, table)
            if ability is None:
                fields.update(parse_sheet(bare))
                continue
        except Malformed as refused:
            raise Malformed(f"Line {number}: {refused.reason}", rule=refused.rule, instead=refused.instead) from None
        abilities = [each for each in abilities if not same(each.name, ability.name)]
        abilities.append(ability)
    if len(abilities) > MAX_ABILITIES:
        raise refusals.too_many_abilities(MAX_ABILITIES, len(abilities))
    return fields, tuple(abilities)


def _ability_in(line: str, table: SheetTable) -> Ability | None:
    """Return the ability of a line; None where it holds keys of the sheet."""
    found = _NAMED.fullmatch(line)
    if found is None or table.key(found["name"].strip()) is not None:
        return None
    known = {field.key for field in table.fields or ()} | _ALONE
    rest = found["fields"] or ""
    is_ability = not rest or ";" in rest or (found["key"] or "").casefold() in known
    return parse_ability(found["name"], rest) if is_ability else None


def character_text(template: Mapping[str, object]) -> str:
    """Write the example of a system's template, to be changed in a form."""
    sheet, abilities = template["sheet"], template["abilities"]
    assert isinstance(sheet, Mapping)  # noqa: S101 - for the type checker; a template has both
    assert isinstance(abilities, list)  # noqa: S101 - for the type checker; a template has both
    numbers = [f"{key} {value}" for key, value in sheet.items() if isinstance(value, int)]
    others = [
        f"{key} {value_text(tuple(map(str, value)) if isinstance(value, list) else value)}"
        for key, value in sheet.items()
        if not isinstance(value, int)
    ]
    return "\n".join([", ".join(numbers), *others, *map(_ability_text, abilities)])


def _ability_text(each: Mapping[str, object]) -> str:
    fields = each["fields"]
    assert isinstance(fields, Mapping)  # noqa: S101 - for the type checker; an ability of a template has them
    parts = [f"kind {each['kind']}"] if each["kind"] else []
    parts += [f"{key} {value}" for key, value in fields.items()]
    parts += [f"text {each['text']}"] if each["text"] else []
    return f"{each['name']}: {'; '.join(parts)}".rstrip()
