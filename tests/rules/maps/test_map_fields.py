"""Every field of every format, missing or wrong, is read or refused in words (maps 2.2 and 10)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from rules.core.maps.file import map_file
from rules.core.maps.imports import read_map
from rules.errors import Malformed
from tests.rules.maps.files import dungeon, tiled, uvtt

MISSING = object()
WRONG: tuple[object, ...] = (
    MISSING, None, True, -1, 0.5, 1e308, float("inf"), float("nan"), 10**400, "", "\ud800", "9" * 999, [[]], {"x": 1},
    [None, 1, "a"],
)  # fmt: skip
FORMATS = {
    "uvtt": uvtt(),
    "dungeon": dungeon(),
    "tiled": tiled(),
    "own": json.loads(map_file("Crypt", read_map(json.dumps(uvtt())).board)),
}
Path = tuple[str | int, ...]


def _paths(data: object, path: Path = ()) -> Iterator[Path]:
    """Return the places of all that a file holds; of a list's members the first ones."""
    held: list[tuple[str | int, object]] = []
    if isinstance(data, dict):
        held = list(data.items())
    elif isinstance(data, list):
        held = list(enumerate(data[:3]))
    for name, below in held:
        yield (*path, name)
        yield from _paths(below, (*path, name))


def _with(data: object, path: Path, value: object) -> str:
    changed = json.loads(json.dumps(data))
    place: Any = changed
    for name in path[:-1]:
        place = place[name]
    if value is MISSING:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return json.dumps(changed)


@pytest.mark.parametrize("kind", FORMATS)
def test_each_field_missing_or_wrong_is_read_or_refused_in_words(kind: str) -> None:
    data = FORMATS[kind]
    refusals = []
    for path in _paths(data):
        for value in WRONG:
            try:
                found = read_map(_with(data, path, value))
            except Malformed as refusal:
                refusals.append(str(refusal))
            else:
                assert found.words, (path, value)
                map_file(found.name, found.board).encode()
    assert len(refusals) > 100
    assert [said for said in refusals if not 8 < len(said) < 400 or "Traceback" in said or "Error" in said] == []
