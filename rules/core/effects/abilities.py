"""What an ability does, as the dialect of a system reads it: read once, and kept."""

from __future__ import annotations

from functools import lru_cache

from rules.core.blow import Deed
from rules.core.effects.forms import Dialect
from rules.core.effects.reading import Reading, read
from rules.core.model import per_state
from rules.core.sheets.abilities import FLAVOR, KIND, counting, parted, pieces, source_of
from rules.core.sheets.blocks.block import head_of
from rules.core.typed.clauses import Clause
from rules.core.values import Ability


@lru_cache(maxsize=4096)
def _read(
    source: str,
    sheet: str,
    head: str,
    behind: int,
    kind: str,
    values: tuple[tuple[str, str], ...],
    dialect: Dialect,
) -> Reading:
    known = [piece for piece in pieces(source) if piece.key in (KIND, FLAVOR)]
    fields = [piece for piece in pieces(source) if piece.key in dialect.fields and piece.begins >= behind]
    clauses = tuple(parted(source, (KIND, FLAVOR, *dialect.fields), behind))
    limited = {clause.begins for clause in clauses if clause.restricted}
    left_out = {field.key for field in fields if field.begins in limited}
    does = {key: value for key, value in values if key not in left_out}
    begun, asked = dialect.fields_do(Ability(name="", kind=kind, fields=does))
    counts = counting(source, dialect.fields)
    says = {each.begins: each.key if counts[each.key] == each and each.key not in asked else "" for each in fields}
    left = [piece.begins for piece in known]
    words = (clause for clause in clauses if clause.begins not in left)
    return read(words, dialect, head, kind, sheet=sheet, begun=begun, fields=says)


@per_state  # of the ability: every menu asks for it again and again
def reading_in(ability: Ability, dialect: Dialect) -> Reading:
    """Return what an ability's text comes to."""
    values = tuple((key, value) for key, value in ability.fields.items() if key in dialect.fields)
    return _read(source_of(ability), ability.sheet, *head_of(ability), ability.kind, values, dialect)


def deed_in(ability: Ability, dialect: Dialect) -> Deed:
    """Return what an ability does."""
    return reading_in(ability, dialect).deed


def says_in(ability: Ability, clause: Clause, dialect: Dialect) -> str:
    """Say what a clause of an ability does; nothing if the GM is asked."""
    return reading_in(ability, dialect).says.get(clause.begins, "")
