"""What becomes of each clause of an ability: it is done, asked of the GM, or shown.

Nothing here knows a system: the table of the sheet says which fields its rules carry out, and which clauses of a text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rules.core.sheets.abilities import FLAVOR, Done, Piece, Reading, pieces, source_of
from rules.core.sheets.fields import SheetTable, value_of
from rules.core.sheets.sheet import parse_value
from rules.core.typed.clauses import Clause, clauses_of, settled
from rules.core.values import Ability
from rules.errors import Malformed


def reading_of(ability: Ability, sheet: SheetTable) -> Reading:
    """Read an ability as the rules of a sheet's system carry it out now."""
    if sheet.reads is not None:
        return sheet.reads(ability)
    source = source_of(ability)
    does: list[Done] = []
    asks: list[str] = []
    shows: list[str] = []
    for clause, says in settled(_read(ability, source, sheet)):
        if clause.quoted or says == FLAVOR:
            shows.append(clause.text)
        elif says:
            does.append(Done(says=says, clause=clause.text))
        else:
            asks.append(clause.text)
    return Reading(source=source, does=tuple(does), asks=tuple(asks), shows=tuple(shows))


def _read(ability: Ability, source: str, sheet: SheetTable) -> Iterator[tuple[Clause, str]]:
    """Return the clauses with what the rules do of each: nothing where it is asked."""
    parts = tuple(pieces(source))
    refused = _refused(ability, sheet)
    last = {piece.key: piece for piece in parts}
    for piece in parts:
        whole = Clause(piece.begins, piece.ends, source[piece.begins : piece.ends])
        is_declared = piece.key == "kind" or sheet.field(piece.key) is not None
        if piece.key == FLAVOR:
            yield whole, FLAVOR
        elif is_declared:
            is_meant = last[piece.key] is piece and piece.key not in refused
            yield whole, _says(ability, piece, sheet) if is_meant else ""
        else:
            for clause in clauses_of(source, piece.begins, piece.ends):
                words = clause._replace(text=piece_words(piece, clause))
                yield clause, sheet.says(ability, words)


def _refused(ability: Ability, sheet: SheetTable) -> tuple[str, ...]:
    """Return the fields with which the ability could not be read in play any more."""
    if sheet.read_whole is None or _is_read(sheet.read_whole, ability):
        return ()
    found: list[str] = []
    kept = ability.evolve(fields={}, written={})
    for key, value in ability.fields.items():
        more = kept.evolve(fields={**kept.fields, key: value})
        if _is_read(sheet.read_whole, kept) and not _is_read(sheet.read_whole, more):
            found.append(key)
        else:
            kept = more
    return tuple(found)


def _is_read(read_whole: Callable[[Ability], object], ability: Ability) -> bool:
    try:
        read_whole(ability)
    except Malformed:
        return False
    return True


def piece_words(piece: Piece, clause: Clause) -> str:
    """Return the words of a clause without the key `text` in front of the first."""
    if piece.key == "text" and clause.begins == piece.begins:
        return clause.text[len("text") :].lstrip(": ")
    return clause.text


def _says(ability: Ability, piece: Piece, sheet: SheetTable) -> str:
    """Say what a field does; nothing where its value cannot be read, or is of no use to this ability."""
    field = sheet.field(piece.key)
    value = value_of(ability, piece.key)
    if field is None:
        return f"is of kind {value}" if value else ""
    if (not value and not field.bare) or not field.only(ability):
        return ""
    try:
        if value:
            field.form.read(parse_value(value))
    except Malformed:
        return ""
    return field.says_of(value)
