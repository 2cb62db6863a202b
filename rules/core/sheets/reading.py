"""What becomes of each clause of an ability: it is done, asked of the GM, or shown.

Nothing here knows a system: the table of the sheet says which fields its rules carry out, and which clauses of a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rules.core.sheets.abilities import (
    FLAVOR,
    KIND,
    TEXT,
    Done,
    Piece,
    Reading,
    as_spoken,
    counting,
    parted,
    pieces,
    source_of,
)
from rules.core.sheets.blocks.block import head_of
from rules.core.sheets.fields import SheetTable, value_of
from rules.core.sheets.sheet import parse_value
from rules.core.sheets.spoken import JOINED
from rules.core.typed.clauses import Clause, restricted, settled
from rules.core.values import Ability
from rules.errors import Malformed

_DEGREE = re.compile(
    r"(?![^,:]* or )(?:on (?:an? )?(critical|fumble|hit|miss)\b|(critical|fumble|hit|miss)(?: hit)?:)", re.IGNORECASE
)
# What an attack that misses does to nobody
_MEETS = re.compile(
    r"(?:the |each )?targets? (?:is|are|becomes?|takes?|loses?|falls?|suffers?|gets?)\b"
    r"(?!.*\b(?:fail|sav(?:e|ing)|to AC|parry|cover|reaction|chosen|allowed|any)\b)",
    re.IGNORECASE,
)
_EITHER_WAY = re.compile(  # what may hold of an attack that misses, or has to be known before it is rolled
    r"\b(?:miss\w*|otherwise|hit or|whether|whatever|no matter|either way|any case|regardless|even|always"
    r"|(?:the|this) (?:attack|weapon|roll))\b",
    re.IGNORECASE,
)
_STRUCK = re.compile(r"\bHit:", re.IGNORECASE)


def reading_of(ability: Ability, sheet: SheetTable) -> Reading:
    """Read an ability as the rules of a sheet's system carry it out now."""
    ability = as_spoken(ability, sheet.spoken)
    source = source_of(ability)
    key = next(
        (piece for piece in pieces(source) if piece.key == TEXT), None
    )  # it belongs to the first clause after it
    does: list[Done] = []
    asks: list[str] = []
    shows: list[str] = []
    degrees: dict[str, str] = {}
    degree = ""
    behind = head_of(ability)[1]
    is_of_hit = _STRUCK.search(source[:behind]) is not None  # what a stat block says behind the dice of a hit
    asked: Clause | None = None  # what is asked of the same sentence, just before
    known = (KIND, FLAVOR, *(field.key for field in sheet.fields or ()))
    clauses = parted(source, known, behind, sheet.does, sheet.spoken)
    for clause, says in _settled(tuple(clauses), _saying(ability, source, sheet)):
        own = _DEGREE.match(clause.text)
        if own is None and _EITHER_WAY.search(clause.text):
            degree = ""
        elif (head := own or _DEGREE.match(clause.head)) is not None:
            degree = (head[1] or head[2]).casefold()
        elif clause.opens:
            is_met = (is_of_hit and clause.begins >= behind) or _MEETS.match(clause.text) is not None
            degree = "hit" if is_met else ""
        text = clause.text
        if key is not None and clause.begins >= key.begins:
            text, key = source[key.begins : clause.ends], None
        if clause.quoted or says == FLAVOR:
            asked = None
            shows.append(text)
        elif says:
            asked = None
            does.append(Done(says=says, clause=text))
        else:
            if asked is not None and not clause.opens and degrees.get(asked.text, "") == degree:
                degrees.pop(asks.pop(), "")
                asked = asked.with_next(clause)
            else:
                asked = clause._replace(text=text)
            asks.append(asked.text)
            degrees |= {asked.text: degree} if degree else {}
    if key is not None:  # with nothing after it
        asks.append(source[key.begins :].rstrip())
    return Reading(
        source=source,
        does=tuple(does),
        asks=tuple(asks),
        shows=tuple(shows),
        degrees=degrees,
        lacks=sheet.unused(ability),
    )


def _settled(clauses: tuple[Clause, ...], says: Callable[[Clause], str]) -> list[tuple[Clause, str]]:
    """Take clauses with what is done of each; what a clause changes that the GM is asked about is asked with it."""
    while True:
        read = list(settled(clauses, says))
        limited = restricted(clauses, [clause.begins for clause, said in read if said])
        if limited == clauses:
            return read
        clauses = limited


def _saying(ability: Ability, source: str, sheet: SheetTable) -> Callable[[Clause], str]:
    """Return what says what the rules do of a clause: nothing if it is asked."""
    every = pieces(source, sheet.spoken)
    fields = {piece.begins: piece for piece in every if piece.key in (KIND, FLAVOR) or sheet.field(piece.key)}
    counts = counting(source, [piece.key for piece in fields.values()], sheet.spoken)
    refused = _refused(ability, sheet)
    is_unused = sheet.unused(ability) != ""

    def says(clause: Clause) -> str:
        field = fields.get(clause.begins)
        if field is not None and field.key == FLAVOR:
            return FLAVOR
        if is_unused and (field is None or field.key != KIND):
            return ""
        if field is not None:
            is_meant = counts[field.key] == field or field.key == JOINED
            return _says(ability, field, sheet) if is_meant and field.key not in refused else ""
        return sheet.says(ability, clause)

    return says


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


def _says(ability: Ability, piece: Piece, sheet: SheetTable) -> str:
    """Say what a field does, or several; nothing if a value cannot be read, or is of no use to this ability."""
    said = [_says_one(ability, key, sheet) for key, _ in ((piece.key, piece.value), *piece.more)]
    return ", ".join(said) if all(said) else ""


def _says_one(ability: Ability, key: str, sheet: SheetTable) -> str:
    field = sheet.field(key)
    value = value_of(ability, key)
    if key == KIND and any(sign in value for sign in ".:"):
        return ""  # `Kind: power. Phase: battle` is one field, up to the next semicolon
    if field is None:
        return f"its kind is {value}" if value else ""
    if (not value and not field.bare) or not field.only(ability):
        return ""
    try:
        if value:
            field.form.read(parse_value(value))
    except Malformed:
        return ""
    return field.says_of(value)
