"""What an ability does, as the dialect of a system reads it: read once, and kept."""

from __future__ import annotations

from functools import lru_cache

from rules.core.blow import Deed
from rules.core.effects.forms import Dialect
from rules.core.effects.reading import Reading, read
from rules.core.model import per_state
from rules.core.sheets.abilities import FLAVOR, KIND, counting, parted, pieces, source_of
from rules.core.sheets.blocks.block import head_of
from rules.core.sheets.spoken import JOINED
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
    every = tuple(pieces(source, dialect.spoken))
    known = [piece for piece in every if piece.key in (KIND, FLAVOR)]
    fields = [piece for piece in every if piece.key in dialect.fields and piece.begins >= behind]
    clauses = tuple(parted(source, (KIND, FLAVOR, *dialect.fields), behind, dialect.does, dialect.spoken))
    counts = counting(source, dialect.fields, dialect.spoken)
    left = [piece.begins for piece in known]
    words = tuple(clause for clause in clauses if clause.begins not in left)
    written = {key for piece in every for key in (piece.key, *dict(piece.more))}
    does = {key: value for key, value in values if key in written or key not in dialect.does}  # else a sentence says it
    while True:
        begun, asked = dialect.fields_do(Ability(name="", kind=kind, fields=does))
        meant = [each for each in fields if counts[each.key] == each or each.key == JOINED]
        says = {each.begins: each.key if each in meant and each.key not in asked else "" for each in fields}
        reading = read(words, dialect, head, kind, sheet=sheet, begun=begun, fields=says, is_used=bool(values))
        changed = {each.key for each in fields if says[each.begins] and not reading.says.get(each.begins)}
        if not changed & {*does}:
            return reading
        does = {key: value for key, value in does.items() if key not in changed}


@per_state  # of the ability: every menu asks for it again and again
def reading_in(ability: Ability, dialect: Dialect) -> Reading:
    """Return what an ability's text comes to."""
    values = tuple((key, value) for key, value in ability.fields.items() if key in dialect.fields)
    return _read(source_of(ability), ability.sheet, *head_of(ability), ability.kind, values, dialect.of(ability))


def deed_in(ability: Ability, dialect: Dialect) -> Deed:
    """Return what an ability does."""
    return reading_in(ability, dialect).deed


def says_in(ability: Ability, clause: Clause, dialect: Dialect) -> str:
    """Say what a clause of an ability does; nothing if the GM is asked."""
    return reading_in(ability, dialect).says.get(clause.begins, "")
