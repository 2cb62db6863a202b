"""Sheets as people type them, abilities, and saved characters (design 3.2)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import zip_longest
from typing import Any, TypeVar

from pydantic import ValidationError

from rules.core import refusals
from rules.core.model import Frozen
from rules.core.sheets.abilities import parse_ability, require_short
from rules.core.typed.names import MAX_NAME, clean_texts, parse_called, parse_name, shown
from rules.core.values import Ability, Condition, Pool, SheetValue
from rules.dice.signs import usual_separators, usual_signs
from rules.errors import Malformed

T = TypeVar("T", SheetValue, str)

MAX_KEYS = 100
MOST_BYTES = 256 * 1024  # of an imported character
MAX_KEY = 24 + 1 + MAX_NAME  # `OPINION Bo`
MAX_ABILITIES = 60
MAX_VALUE = 400
MAX_NUMBER = 10**9
_KEY = re.compile(r"[^\W\d]\w{0,23}", re.UNICODE)
_SAID = ("kind", "fields", "text")  # the source of a file's ability without one
_NUMBER_FIRST = re.compile(r"^([+-]?\d+(?: ?/ ?\d+)?) ?([^\W\d_]{2,4}|[A-Z]{2,24})$")
_INTEGER = re.compile(r"[+-]?\d+")
_BEFORE_VALUE = re.compile(r"\s*[^\W\d]\w{0,23}\s*[:=\s]")
_AFTER_NUMBER = re.compile(r"(?<=\d)\s+(?=[^\W\d]\w{0,23}\s+\S)")  # beginnings of entries that no comma parts
_ENTRIES = re.compile(r"[^\W\d]\w{0,23}\s+[+-]?\d+(/\d+)?\s+[^\W\d]\w{0,23}\s+[+-]?\d.*")
_BETWEEN = re.compile(r"[,\n;]")
_BRACKETS = re.compile(r"([()\[\]{}])")
_AFTER_KEY = re.compile(r"(?<![<>=!\d])[:=](?!=)")
_WORD_OF_DICE = re.compile(r"(?<![^\s:=])\d*d[\d%][^\s,;]*", re.IGNORECASE)
_DICE = re.compile(r"(?<![^\W\d])\d*d[\d%]", re.IGNORECASE)
_POOL = re.compile(r"(\d{1,10})\s*/\s*(\d{1,10})")


class Character(Frozen):
    """A saved character: what `/character add` keeps for its owner in one server.

    `used` counts how often abilities were used that come back with a day or a rest.
    """

    name: str
    owner: str
    system: str = ""
    fields: Mapping[str, SheetValue] = {}
    abilities: tuple[Ability, ...] = ()
    conditions: tuple[Condition, ...] = ()
    used: Mapping[str, int] = {}

    def with_dice_as(self, written: Callable[[str], str]) -> Character:
        """Return the character with the dice of its sheet and its abilities as a function writes them."""
        abilities = tuple(ability.evolve(fields=_values_as(ability.fields, written)) for ability in self.abilities)
        return self.evolve(fields=_values_as(self.fields, written), abilities=abilities)


def _values_as(fields: Mapping[str, T], written: Callable[[str], str]) -> dict[str, T]:
    return {key: written(value) if isinstance(value, str) else value for key, value in fields.items()}


def parse_value(text: str) -> SheetValue:
    """Read one value: an integer, `now/max`, a list with `+` between words, else words or an expression."""
    cleaned = " ".join(text.split())
    if len(cleaned) > MAX_VALUE:
        raise Malformed(f"A value on a sheet can have {MAX_VALUE} characters at most.")
    usual = usual_signs(cleaned)
    if _INTEGER.fullmatch(usual) or _POOL.fullmatch(usual) or _DICE.search(usual):
        cleaned = usual
    if _INTEGER.fullmatch(cleaned):
        number = int(cleaned)
        if abs(number) > MAX_NUMBER:
            raise Malformed(f"{cleaned[:40]} is too large for a sheet.", instead=f"Use {MAX_NUMBER} at most.")
        return number
    pool = _POOL.fullmatch(cleaned)
    if pool:
        return f"{int(pool[1])}/{int(pool[2])}"
    if "+" in cleaned and not re.search(r"\d*d[\d%F]", cleaned):
        return tuple(part for part in (piece.strip() for piece in cleaned.split("+")) if part)
    return cleaned


def parse_sheet(text: str) -> dict[str, SheetValue]:
    """Read `KEY VALUE` pairs parted by commas or lines, or by nothing if numbers part them; keys become upper case.

    A key with a name repeats (`OPINION Bo 8` is kept as `OPINION Bo`). `7 hp` is HP 7. Raises: Malformed.
    """
    fields: dict[str, SheetValue] = {}
    for entry in _entries(text):
        key, _, rest = _NUMBER_FIRST.sub(r"\2 \1", entry).partition(" ")
        if not _KEY.fullmatch(key):
            raise Malformed(f"{entry[:40]} is not a sheet entry.", instead="Write KEY VALUE, such as HP 20, SPD 5.")
        if not rest:
            raise Malformed(f"{key.upper()} has no value.", instead=f"For example, write {key.upper()} 3.")
        name, _, last = rest.rpartition(" ")
        is_value = _INTEGER.fullmatch(name) or "+" in name or "/" in name or _DICE.search(name)
        named = name and _INTEGER.fullmatch(last) and not is_value
        if named:
            fields[f"{key.upper()} {parse_name(name)}"] = parse_value(last)
        else:
            fields[key.upper()] = parse_value(rest)
    if len(fields) > MAX_KEYS:
        raise refusals.too_many_keys(MAX_KEYS, len(fields))
    return fields


def _pieces(text: str) -> list[str]:
    """Part a text at commas, semicolons and lines, but for what is in brackets.

    >>> _pieces("HP 3, PLUS max(1, 2); SPD 5")
    ['HP 3', ' PLUS max(1, 2)', ' SPD 5']
    """
    found = [""]
    parts = iter(_BRACKETS.split(text))
    for words, bracket in zip_longest(parts, parts, fillvalue=""):
        first, *others = [words] if bracket and bracket in ")]}" else _BETWEEN.split(words)
        found[-1] += first
        found += others
        found[-1] += bracket
    return found


def with_dice_as(text: str, written: Callable[[str], str]) -> str:
    """Write the dice of a sheet or a cast as a function does: each value, and dice among words; all else stays.

    >>> with_dice_as("HP 7, INITIATIVE 2d20k1", lambda dice: dice.replace("k1", "kh1"))
    'HP 7, INITIATIVE 2d20kh1'
    """
    if not _DICE.search(text):
        return text
    for piece in _pieces(text):
        value = _BEFORE_VALUE.sub("", piece, count=1).strip()
        text = text.replace(value, written(value)) if value else text
    return _WORD_OF_DICE.sub(lambda match: written(match[0]), text)


def _entries(text: str) -> Iterator[str]:
    """Part a sheet at commas and lines, and if written as in `INT 1 AGI 2`, between the entries too."""
    for piece in _pieces(usual_separators(text)):
        entry = " ".join(_AFTER_KEY.sub(" ", piece, count=1).split())
        if _ENTRIES.fullmatch(entry):
            yield from _AFTER_NUMBER.split(entry)
        elif entry:
            yield entry


def require_fit(character: Character) -> Character:
    """Return a character, read from a file or kept before, if what it holds is as short as what people type.

    Raises: Malformed, with what is too long.
    """
    if len(character.fields) > MAX_KEYS:
        raise refusals.too_many_keys(MAX_KEYS, len(character.fields))
    if len(character.abilities) > MAX_ABILITIES:
        raise refusals.too_many_abilities(MAX_ABILITIES, len(character.abilities))
    for key, value in character.fields.items():
        _require_short("A key of the sheet", key, MAX_KEY)
        _require_short(key, " + ".join(value) if isinstance(value, tuple) else str(value), MAX_VALUE)
    for ability in character.abilities:
        _require_short("An ability's name", ability.name, MAX_NAME)
        _require_short(f"The kind of {ability.name}", ability.kind, MAX_NAME)
        require_short(ability)
    for condition in character.conditions:
        for text in (condition.name, condition.save or "", condition.source or ""):
            _require_short("What a condition says", text, MAX_VALUE)
    return character


def _require_short(what: str, text: str, most: int) -> None:
    if len(text) > most:
        raise refusals.too_long(what, text, most)


def pool_from(value: SheetValue | None) -> Pool | None:
    """Make a pool out of a sheet's value: `20` is 20 of 20, `12/20` is 12 of 20."""
    if isinstance(value, int):
        return Pool(now=value, top=value)
    if isinstance(value, str):
        match = _POOL.fullmatch(value)
        if match:
            return Pool(now=min(int(match[1]), int(match[2])), top=int(match[2]))
    return None


def parse_character_json(data: bytes | str, *, owner: str) -> Character:
    """Read an imported character (the template's JSON, filled in).

    Raises: Malformed: too large, no JSON, unknown keys (each with its path), wrong types.
    """
    if len(data) > MOST_BYTES:
        raise Malformed(f"That file is {len(data) // 1024} KB; it can be {MOST_BYTES // 1024} KB at most.")
    try:
        content: Any = clean_texts(json.loads(data))
    except (ValueError, RecursionError):
        raise refusals.no_json(instead="Start from /character template.") from None
    if not isinstance(content, dict):
        raise Malformed("There is no character in that file.", instead="Start from /character template.")
    known = {"name", "system", "sheet", "abilities", "conditions"}
    unknown = [key for key in content if key not in known and key != "about"]
    if unknown:
        raise Malformed(
            f"A character has no key called {unknown[0][:60]}.",
            instead=f"Its keys are {shown(sorted(known))}.",
        )
    sheet = content.get("sheet", {})
    if not isinstance(sheet, dict):
        raise Malformed("sheet has to be an object of KEY: value.")
    if len(sheet) > MAX_KEYS:
        raise refusals.too_many_keys(MAX_KEYS, len(sheet))
    fields: dict[str, SheetValue] = {}
    for key, value in sheet.items():
        head, _, tail = str(key).partition(" ")
        if not _KEY.fullmatch(head):
            raise Malformed(
                f"sheet.{str(key)[:40]} is not a key.", instead="Use letters and digits, and begin with a letter."
            )
        stored = f"{head.upper()} {parse_name(tail)}" if tail else head.upper()
        fields[stored] = _json_value(f"sheet.{stored}", value)
    return require_fit(
        Character(
            name=parse_called(str(content.get("name", ""))),
            owner=owner,
            system=str(content.get("system", ""))[:40],
            fields=fields,
            abilities=_json_abilities(content.get("abilities", [])),
            conditions=_json_conditions(content.get("conditions", [])),
        )
    )


def _json_value(path: str, value: object) -> SheetValue:
    if isinstance(value, bool) or not isinstance(value, (int, str, list)):
        raise Malformed(f"{path} has to be a number, a text or a list of texts.")
    if isinstance(value, list):
        if len(value) > MAX_KEYS or not all(isinstance(part, str) for part in value):
            raise Malformed(f"{path} has to be a list of texts.")
        return tuple(value)
    return parse_value(str(value))


def _json_abilities(entries: object) -> tuple[Ability, ...]:
    if not isinstance(entries, list):
        raise Malformed("abilities has to be a list.")
    if len(entries) > MAX_ABILITIES:
        raise refusals.too_many_abilities(MAX_ABILITIES, len(entries))
    abilities: list[Ability] = []
    for number, entry in enumerate(entries):
        path = f"abilities[{number}]"
        if not isinstance(entry, dict):
            raise Malformed(f"{path} has to be an object.")
        unknown = [key for key in entry if key not in {"name", *_SAID, "source"}]
        if unknown:
            known = shown(("name", *_SAID, "source"))
            raise Malformed(f"There is no key {path}.{str(unknown[0])[:40]}.", instead=f"The keys are {known}.")
        source = str(entry.get("source", ""))
        if source:
            if any(entry.get(key) for key in _SAID):
                raise Malformed(f"{path} says the same thing twice.", instead="Write only source, or only fields.")
            abilities.append(parse_ability(str(entry.get("name", "")), source))
            continue
        fields = entry.get("fields", {})
        if not isinstance(fields, dict) or len(fields) > MAX_KEYS:
            raise Malformed(f"{path}.fields has to be an object with {MAX_KEYS} keys at most.")
        abilities.append(
            Ability(
                name=parse_name(str(entry.get("name", "")), "ability's name"),
                kind=str(entry.get("kind", "")).casefold(),
                fields={str(key).casefold(): str(value) for key, value in fields.items()},
                text=str(entry.get("text", "")),
            )
        )
    return tuple(abilities)


def _json_conditions(entries: object) -> tuple[Condition, ...]:
    if not isinstance(entries, list) or len(entries) > MAX_KEYS:
        raise Malformed("conditions has to be a short list.")
    try:
        conditions = tuple(Condition.model_validate(entry) for entry in entries)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise Malformed(f"conditions: I can't read {where or 'an entry'}.") from None
    return tuple(condition.evolve(name=parse_name(condition.name, "condition's name")) for condition in conditions)
