"""An ability as it is typed: `key value; key value; text …`. Its text is kept, and the rest is read from it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from rules.core import refusals
from rules.core.model import Frozen, without_key
from rules.core.sheets.spoken import JOINED, Spoken
from rules.core.typed.clauses import Clause, clauses_of
from rules.core.typed.names import MAX_NAME, parse_name
from rules.core.values import Ability
from rules.dice.signs import usual_separators
from rules.errors import Malformed

MOST_FIELDS = 100
KIND = "kind"
TEXT = "text"  # the key in front of words that are no field
DOES = ("damage", "heal", "effect")  # the fields that say what happens; a sentence behind them may limit it
FLAVOR = "flavor"  # the field that is shown, and asks nobody
MAX_ABILITY = 4000  # of its text, and of what is read from it
_KEY = re.compile(r"[^\W\d]\w{0,23}(?![^\s:=])")
_SENTENCE = re.compile(r"[A-Z]\w*(?: [a-z][\w'-]*){3}")  # it begins with a key like any other word
_BETWEEN = re.compile(r"[;\n]")
_GOES_ON = r"^(?![ \t]*flavor\b)([^\n]*"  # a line, but what is only shown
_LONE_HEAD = re.compile(
    rf"{_GOES_ON}:)[ \t]*\n\s*(\S[^\n]*(?:\n[ \t]*[^\s:][^\n:]*(?=\n|\Z))*)", re.IGNORECASE | re.MULTILINE
)
_JOINT_LAST = re.compile(rf"{_GOES_ON}\b(?:or|and|for|until|to))[ \t]*\n\s*", re.IGNORECASE | re.MULTILINE)


class Done(Frozen):
    """What the referee carries out, and the clause that says so, word for word."""

    says: str
    clause: str


class Reading(Frozen):
    """The three lists of an ability, each in the order of its text: every clause is in one of them.

    `degrees` are those of the roll under which a clause is asked: `On a hit: …`. `lacks`: why nothing ever uses it.
    """

    source: str
    does: tuple[Done, ...] = ()
    asks: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    degrees: Mapping[str, str] = {}
    lacks: str = ""


class Piece(NamedTuple):
    """One `key value` of an ability's text, with its place; no `key`: words that are no field.

    `more` are other fields that the same words mean.
    """

    begins: int
    ends: int
    key: str
    value: str
    more: tuple[tuple[str, str], ...] = ()


def pieces(source: str, spoken: Spoken | None = None) -> Iterator[Piece]:
    """Part an ability's text at semicolons and lines; `text` takes the rest. Some words are `spoken` for fields.

    >>> [(piece.key, piece.value) for piece in pieces("damage 1d6; +5 to hit; text Burns; and hurts")]
    [('damage', '1d6'), ('', '+5 to hit'), ('text', 'Burns; and hurts')]
    """
    said = () if spoken is None else spoken.said(source)
    for piece in _typed(source):
        meant = [each for each in said if piece.begins <= each.begins and each.ends <= piece.ends]
        if piece.key == TEXT or not meant:
            yield piece
            continue
        at = piece.begins
        for each in meant:
            yield from _words(source, at, each.begins)
            (key, value), *more = each.fields.items()
            yield Piece(each.begins, each.ends, key, value, tuple(more))
            at = each.ends
        yield from _words(source, at, piece.ends)


def _words(source: str, begins: int, ends: int) -> Iterator[Piece]:
    """Yield the words between two places as no field, without the signs around them."""
    words = source[begins:ends]
    if text := words.strip(" ,:.;"):
        first = begins + words.index(text)
        yield Piece(first, first + len(text), "", text)


def _typed(source: str) -> Iterator[Piece]:
    usual = usual_separators(source)
    at = 0
    while at < len(usual):
        match = _BETWEEN.search(usual, at)
        ends = len(usual) if match is None else match.start()
        begins = at + len(usual[at:ends]) - len(usual[at:ends].lstrip())
        match = _KEY.match(usual, begins, ends)
        key = "" if match is None else match[0].casefold()
        if key == "text":
            ends = len(source)
        piece = source[begins:ends].rstrip(", \t\r")
        value = piece[len(key) :].lstrip()
        if key:
            value = value[value[:1] in (":", "=") :].lstrip()
        if piece:
            yield Piece(begins, begins + len(piece), key, value)
        at = ends + 1


def counting(source: str, known: Collection[str], spoken: Spoken | None = None) -> dict[str, Piece]:
    """Return the field that counts of each `known` key: the last that is no sentence.

    >>> [piece.value for piece in counting("damage 1d6; Damage from fire hurts more", ("damage",)).values()]
    ['1d6']
    """
    counts: dict[str, Piece] = {}
    for piece in pieces(source, spoken):
        if piece.key in known and not (piece.key in counts and _SENTENCE.match(source, piece.begins)):
            counts[piece.key] = piece
    return counts


def parted(
    source: str,
    known: Collection[str] = (KIND, FLAVOR),
    behind: int = 0,
    does: Collection[str] = DOES,
    spoken: Spoken | None = None,
) -> Iterator[Clause]:
    """Part an ability's text into clauses. A field with a `known` key is one, and so are the words up to `behind`.

    A sentence may limit the fields that say what it `does`.

    >>> [each.text for each in parted("kind weapon; Hit: [Burn]; [Stun]. Then it falls; flavor It hums")]
    ['kind weapon', 'Hit: [Burn]', '[Stun].', 'Then it falls', 'flavor It hums']
    """
    every = [piece for piece in pieces(source, spoken) if piece.begins >= behind]
    fields = [piece for piece in every if piece.key in known]
    words = source
    for field in (*fields, *(piece for piece in every if piece.key == TEXT)):
        ends = field.begins + len(TEXT) if field.key == TEXT else field.ends
        words = f"{words[: field.begins]}{' ' * (ends - field.begins)}{words[ends:]}"
    clauses = [
        Clause(field.begins, field.ends, source[field.begins : field.ends], formal=field.key not in does)
        for field in fields
    ]
    if head := source[:behind].strip():
        clauses.append(Clause(0, behind, head))
    said = clauses_of(words, behind)
    if spoken is not None:
        said = (each._replace(formal=spoken.is_formal(each.text)) for each in said)
    yield from sorted((*clauses, *said))


def parse_ability(name: str, source: str) -> Ability:
    """Read an ability's text; words that are no field are read like those after `text`.

    A line that ends with a colon or a joint goes on with the next; a head that has its line to itself governs all lines
    down to another. Raises: Malformed if the text is too long or has too many fields.
    """
    source = _LONE_HEAD.sub(lambda head: f"{head[1]} {head[2].replace(chr(10), '; ')}", source)
    source = _JOINT_LAST.sub(r"\1 ", source)
    values, text = _values(source)
    if len(values) > MOST_FIELDS:
        raise Malformed(f"An ability can have {MOST_FIELDS} fields at most.")
    return require_short(
        Ability(
            name=parse_name(name, "ability's name"),
            source=source.strip(),
            kind=values.pop("kind", "").casefold(),
            fields=values,
            text=text,
        )
    )


def _values(source: str, spoken: Spoken | None = None) -> tuple[dict[str, str], str]:
    """Return the fields of a text, and its other words."""
    values: dict[str, str] = {}
    words = []
    for piece in pieces(source, spoken):
        if piece.key in ("", TEXT):
            words.append(piece.value)
        elif piece.key in values and _SENTENCE.match(source, piece.begins):
            words.append(source[piece.begins : piece.ends])
        else:
            for key, value in ((piece.key, piece.value), *piece.more):
                values[key] = f"{values[key]} + {value}" if key == JOINED and key in values else value
    return values, "; ".join(words)


def as_spoken(ability: Ability, spoken: Spoken | None) -> Ability:
    """Return an ability with the fields that its words mean in a system, or imply."""
    if spoken is None or not ability.source:
        return ability
    said = _with_said(ability, spoken) if spoken.said(ability.source) else ability
    more = dict(spoken.implies(said))
    kind = more.pop(KIND, said.kind)
    return said.evolve(kind=kind, fields={**more, **said.fields}) if more or kind != said.kind else said


def _with_said(ability: Ability, spoken: Spoken) -> Ability:
    (before, _), (after, text) = _values(ability.source), _values(ability.source, spoken)
    kept = {key: value for key, value in ability.fields.items() if before.get(key) != value}
    kind = after.pop(KIND, "").casefold() or ability.kind
    return ability.evolve(kind=kind, fields={**after, **kept}, text=text)


def source_of(ability: Ability) -> str:
    """Return an ability's text as it was typed; of one that was saved as fields, what would have been typed.

    >>> source_of(Ability(name="Sword", kind="weapon", fields={"damage": "1d8"}, text="Sharp."))
    'kind weapon; damage 1d8; text Sharp.'
    """
    if ability.source:
        return ability.source
    typed = {**({"kind": ability.kind} if ability.kind else {}), **ability.fields, **ability.written}
    parts = [_piece(key, value) for key, value in typed.items()]
    return "; ".join([*parts, f"text {ability.text}"] if ability.text else parts)


def of_sheet(abilities: Iterable[Ability], name: str, spoken: Spoken | None = None) -> tuple[Ability, ...]:
    """Return abilities as a system reads them, with the name of the sheet that lists them.

    What a stat block has named keeps its own.
    """
    return tuple(
        ability.evolve(sheet=name) if not ability.sheet and _says(source_of(ability), name) else ability
        for ability in (as_spoken(each, spoken) for each in abilities)
    )


def _says(text: str, name: str) -> bool:
    words = text.casefold()
    return any(word in words for word in name.casefold().split())


def with_field(ability: Ability, key: str, value: str | None, typed: str | None = None) -> Ability:
    """Return an ability with another value of a field, in its text too; None takes the field away.

    `typed` is what was written if `value` has numbers in the place of names.

    >>> with_field(Ability(name="Tonic", source="heal 1d6; uses 2", fields={"heal": "1d6", "uses": "2"}), "uses", "1")
    Ability(name='Tonic', source='heal 1d6; uses 1', kind='', fields={'heal': '1d6', 'uses': '1'}, written={}, text='')
    """
    source = ability.source and _with_piece(ability.source, key, None if value is None else typed or value)
    if key == "kind":
        return ability.evolve(source=source, kind=(value or "").casefold())
    fields = {each: held for each, held in ability.fields.items() if each != key or value is not None}
    written = without_key(ability.written, key)
    if value is not None:
        fields[key] = value
        written |= {key: typed} if typed not in (None, value) else {}
    return ability.evolve(source=source, fields=fields, written=written)


def _piece(key: str, value: str) -> str:
    """Return a field as it is typed; what parts fields in a text parts none within a value."""
    return f"{key} {_BETWEEN.sub(',', usual_separators(value))}".strip()


def _with_piece(source: str, key: str, value: str | None) -> str:
    """Return a text with a field set or taken away; a new one is in front."""
    counts = counting(source, (key,)).get(key)
    named = [piece for piece in pieces(source) if piece.key == key]
    held = [piece for piece in named if piece == counts or not _SENTENCE.match(source, piece.begins)]
    said = "" if value is None else _piece(key, value)
    if said and not held:
        return f"{said}; {source}"
    for piece in reversed(held):
        before, after = source[: piece.begins], source[piece.ends :]
        if not said:
            after = after.lstrip()[1:].lstrip()
            before = before if after else before.rstrip()[:-1].rstrip()
        source = f"{before}{said}{after}"
        if said:
            break
    return source


def require_short(ability: Ability) -> Ability:
    """Return an ability if it is as short as one may be. Raises: Malformed."""
    read = sum(len(key) + len(value) for key, value in ability.fields.items()) + len(ability.text)
    length = max(read, len(ability.source))
    if length > MAX_ABILITY:
        raise refusals.too_long(f"The ability {ability.name[:MAX_NAME]}", " " * length, MAX_ABILITY)
    return ability
