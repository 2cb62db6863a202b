"""Kits that somebody has damaged: bytes, values and keys of good files, changed at random."""

from __future__ import annotations

import copy
import json
import random
import string
from collections.abc import Iterator
from typing import Any

from rules.kits.compiler import compile_kit
from rules.kits.document import read_document
from rules.kits.library import library
from rules.kits.mistakes import MistakenKit

WORDS = (
    *("", "1d20+", "{DXE}", "{target.X}", "self gains", "target is stunned for turns", "-1", "99999999", "cards 9-1"),
    *("list", "yes", "…", "\x00", "a" * 401, "1d6+{amount}", "if if", "unless self makes", "Players", "turn", "𝟙d6"),
)
VALUES: tuple[Any, ...] = (None, True, 0, -1, 10**30, 1.5, [], {}, [[]], [{}], {"a": {}}, ["x"] * 70, *WORDS)


def damaged(rng: random.Random) -> tuple[bytes, str]:
    """Return a damaged file and its name."""
    document = library()[rng.choice(sorted(library()))]
    if rng.random() < 0.4:
        return _bytes(document.source.encode(), rng), "kit.toml"
    content = json.loads(json.dumps(document.content))
    for _ in range(rng.randint(1, 4)):
        _change(content, rng)
    return json.dumps(content).encode(), "kit.json"


def _bytes(data: bytes, rng: random.Random) -> bytes:
    found = bytearray(data)
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(found) + 1)
        how = rng.randrange(4)
        if how == 0:
            del found[at : at + rng.randint(1, 40)]
        elif how == 1:
            found[at:at] = rng.choice(
                (b'"', b"[", b"{", b"}", b"\n", b"=", b"\xff", b"\x00", b"9" * 5000, b"9" * 14_000, b"1.5")
            )
        elif how == 2:
            found[at : at + 1] = rng.choice(string.printable).encode()
        else:
            found[at:at] = found[max(0, at - 60) : at]
    return bytes(found)


def _change(content: Any, rng: random.Random) -> None:
    places: list[tuple[Any, Any]] = []
    _collect(content, places)
    holder, key = rng.choice(places)
    how = rng.randrange(5)
    if how == 0:
        del holder[key]
    elif how == 1:
        holder[key] = _value(rng)
    elif how == 2 and isinstance(holder[key], str):
        text = holder[key]
        at = rng.randrange(len(text) + 1)
        holder[key] = text[:at] + rng.choice(WORDS) + text[at + rng.randrange(3) :]
    elif how == 3 and isinstance(holder, dict):
        holder[rng.choice(("typ", "HP", "end", "x" * 30, "order", "a.b", "[1]"))] = _value(rng)
    elif isinstance(holder, list):
        holder.append(_value(rng))


def _value(rng: random.Random) -> Any:
    return copy.deepcopy(rng.choice(VALUES))


def _collect(value: Any, places: list[tuple[Any, Any]]) -> None:
    for key in value if isinstance(value, dict) else range(len(value)):
        places.append((value, key))
        if isinstance(value[key], dict | list):
            _collect(value[key], places)


def told(data: bytes, name: str) -> tuple[str, ...]:
    """Return the mistakes of a file; none if it is a kit. Whatever else is raised is a fault of the reader."""
    try:
        compile_kit(read_document(data, name).content)
    except MistakenKit as mistaken:
        return tuple(map(str, mistaken.mistakes))
    return ()


def damaged_kits(number: int, seed: int) -> Iterator[tuple[bytes, str]]:
    """Go through so many damaged files, each from a seed of its own."""
    for each in range(number):
        yield damaged(random.Random(f"{seed} {each}"))
