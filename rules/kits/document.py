"""A kit's file as data: size, encoding, TOML or JSON, and what no kit may hold. Nothing here knows the keys."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any, NamedTuple

from rules.core.typed.names import clean_texts
from rules.kits.mistakes import Faults, Mistake, MistakenKit, within

MOST_BYTES = 16 * 1024
MOST_DOTS = 500  # of a line, that a key of many parts could have
MOST_DEPTH = 6
MOST_LISTED = 60
MOST_TEXT = 400
LARGEST = 10**6


class Document(NamedTuple):
    """What a file says, and the text as it was given."""

    content: Mapping[str, Any]
    source: str


class _Fraction(NamedTuple):
    """A number with a fraction, which no key takes; kept till its path is known."""

    text: str


class _Doubled(NamedTuple):
    """An object of JSON that has a key twice."""

    key: str
    held: dict[str, Any]


def read_document(data: bytes, name: str) -> Document:
    """Read a file by its name's ending. Raises: MistakenKit."""
    if len(data) > MOST_BYTES:
        raise MistakenKit([Mistake("", f"This file is {-(-len(data) // 1024)} KiB; a kit can be 16 at most.")])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        line = data[: wrong.start].count(b"\n") + 1
        raise MistakenKit([Mistake("", f"Line {line}: this file is not UTF-8 text. Save it as UTF-8.")]) from None
    ending = name.rpartition(".")[2].casefold()
    if ending not in ("toml", "json"):
        raise MistakenKit([Mistake("", "A kit is a .toml or a .json file; this one is neither.")])
    return read_text(text, is_json=ending == "json")


def read_text(text: str, *, is_json: bool = False) -> Document:
    """Read a text of TOML or JSON. Raises: MistakenKit."""
    text = text.replace("\r\n", "\n")
    content = _read_json(text) if is_json else _read_toml(text)
    faults = Faults()
    cleaned = _looked_through(content, "", 1, faults)
    faults.require_none()
    if not isinstance(cleaned, dict):
        raise MistakenKit([Mistake("", "A kit is one table of keys: kit, id, order and others.")])
    return Document(clean_texts(cleaned), text)


def read_kept(text: str) -> Document:
    """Read a text that was kept without its file's name: JSON begins with a brace, which no TOML does."""
    return read_text(text, is_json=text.lstrip().startswith("{"))


def digest_of(content: Mapping[str, Any]) -> str:
    """Return the digest of a file: that of its canonical JSON, 64 hexadecimal digits."""
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode("utf-8")).hexdigest()


def _looked_through(value: Any, path: str, depth: int, faults: Faults) -> Any:
    """Return the data without what no kit may hold, which is told."""
    if isinstance(value, _Doubled):
        faults.add(within(path, value.key), "this key is there twice.")
        value = value.held
    if isinstance(value, dict | list):
        if depth > MOST_DEPTH:
            faults.add(path, f"this is nested deeper than {MOST_DEPTH} tables and lists.")
            return {} if isinstance(value, dict) else []
        if len(value) > MOST_LISTED:
            faults.add(path, f"this has {len(value)} entries; it can have {MOST_LISTED} at most.")
            return {} if isinstance(value, dict) else []
    if isinstance(value, dict):
        return {key: _looked_through(each, within(path, key[:40]), depth + 1, faults) for key, each in value.items()}
    if isinstance(value, list):
        return [_looked_through(each, within(path, number), depth + 1, faults) for number, each in enumerate(value)]
    if isinstance(value, _Fraction):
        faults.add(path, f"{value.text[:30]} is a fraction; use whole numbers.")
        return 0
    if isinstance(value, datetime | date | time):
        faults.add(path, f"{value} is a date; if you mean a text, put it in quotes.")
        return ""
    if isinstance(value, str) and len(value) > MOST_TEXT:
        faults.add(path, f"this text has {len(value)} characters; it can have {MOST_TEXT} at most.")
        return ""
    if isinstance(value, int) and abs(value) > LARGEST:
        faults.add(path, "this number is larger than a million.")
        return 0
    if value is None:
        faults.add(path, "null says nothing; leave out the key.")
        return ""
    return value


# JSON


def _too_deep() -> MistakenKit:
    return MistakenKit([Mistake("", f"This is nested deeper than {MOST_DEPTH} tables and lists.")])


def _too_large() -> MistakenKit:
    return MistakenKit([Mistake("", "A number here is larger than a million.")])


def _read_json(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_as_object, parse_float=_Fraction, parse_constant=_Fraction)
    except json.JSONDecodeError as wrong:
        what = "the file ends too early" if wrong.pos >= len(text.rstrip()) else _json_words(wrong.msg)
        raise MistakenKit([Mistake("", f"Line {wrong.lineno}, character {wrong.colno}: {what}.")]) from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError:  # a number of thousands of digits
        raise _too_large() from None


def _as_object(pairs: list[tuple[str, Any]]) -> Any:
    held = dict(pairs)
    if len(held) == len(pairs):
        return held
    seen: set[str] = set()
    return _Doubled(next(key for key, _ in pairs if key in seen or seen.add(key)), held)  # type: ignore[func-returns-value] # add returns None, which lets the first one of a key go on


def _json_words(words: str) -> str:
    for start, meaning in (
        ("Expecting value", "a value is missing"),
        ("Expecting property name", "a key in quotes is missing"),
        ("Expecting ':'", "a colon is missing after the key"),
        ("Expecting ','", "a comma is missing"),
        ("Extra data", "there is something after the end"),
        ("Unterminated string", "a text has no closing quote"),
        ("Invalid control character", "a text can't contain a line break"),
        ("Invalid \\", "there is no such backslash sign"),
    ):
        if words.startswith(start):
            return meaning
    return "this is not JSON"


# TOML

_AT = re.compile(r"(?P<what>.*?) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.DOTALL)
_TOML: tuple[tuple[str, str], ...] = (
    ("Invalid value", "a value is missing"),
    ("Invalid statement", "a line begins with a key or with a table in brackets"),
    (
        "Expected newline",
        "there is something after the value; put texts in quotes, and each key on its own line",
    ),
    ("Expected '=' after a key", "an equals sign is missing after the key, which is one word"),
    ("Expected ']'", "a closing bracket is missing"),
    ("Invalid initial character for a key", "a key can have letters, digits, dashes and underscores"),
    ("Cannot declare", "this table is there twice"),
    ("Cannot overwrite", "this key is there twice"),
    ("Cannot mutate", "what is in braces or brackets is complete, and can't take more keys"),
    ("Cannot redefine", "this key is there twice"),
    ("Duplicate inline table key", "this key is there twice"),
    ("Unclosed array", "a list has no closing bracket"),
    ("Unclosed inline table", "a table in braces has no closing brace, or a line break in it"),
    ("Unterminated string", "a text has no closing quote"),
    ("Unescaped", "there is no such backslash sign"),
    ("Illegal character", "a text in single or double quotes has to end on its line"),
    ("Found invalid character '\\n'", "a text in single or double quotes has to end on its line"),
    ("Found invalid character", "this character is not allowed here"),
    ("Invalid date", "this is not a date, and a kit needs none"),
    ("Invalid hex", "this is not the number of a character"),
    ("Escaped character", "this is not the number of a character"),
    ("Expected '\"'", "a text has no closing quote"),
    ('Expected "', "a text has no closing quote"),
)


def _read_toml(text: str) -> Any:
    if any(line.count(".") > MOST_DOTS for line in text.split("\n")):  # the reader's time grows by their square
        raise _too_deep()
    try:
        return tomllib.loads(text, parse_float=_Fraction)
    except tomllib.TOMLDecodeError as wrong:
        raise MistakenKit([Mistake("", _toml_words(str(wrong), text))]) from None
    except RecursionError:
        raise _too_deep() from None
    except (ValueError, OverflowError):  # a number of thousands of digits, a time that there is not
        raise _too_large() from None


def _toml_words(words: str, text: str) -> str:
    match = _AT.fullmatch(words)
    what = words if match is None else match["what"]
    meaning = next((said for start, said in _TOML if what.startswith(start)), "this is not TOML")
    if match is None or match["line"] is None:
        end = text.rstrip("\n").split("\n")
        return f"Line {len(end)}, character {len(end[-1]) + 1}: {meaning}."
    line, column = int(match["line"]), int(match["column"])
    lines = text.split("\n")
    said = lines[line - 1] if line <= len(lines) else ""
    before, rest = said[: column - 1], said[column - 1 :].strip()
    digits = before[len(before.rstrip("0123456789")) :]  # dice without quotes begin as a number
    is_value = what.startswith("Invalid value") or (digits and rest[:1].isalpha())
    if is_value and rest and not rest.startswith("#"):
        word = digits + re.split(r"[\s,\]}]", rest)[0]
        word = word[:30] or rest[:1]
        column -= len(digits)
        meaning = f"{word} is not a value; put a text in quotes"
    return f"Line {line}, character {column}: {meaning}."
