"""The specialty grid and the other tables as data: ours as shipped, or a table's own in their place.

Rule: AD-01, AD-17, AD-18, AD-26, AD-28.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache

from pydantic import JsonValue

from rules.core.model import Frozen
from rules.core.refusals import too_long
from rules.core.typed.names import parse_name, shown
from rules.core.typed.skeleton import skeleton
from rules.errors import Malformed
from rules.systems.adventurers.shipped import shipped_table

AREAS = 6
FIRST_ROW = 2
ROWS = 11
FLEE = "Flee"
YELL = "Yell"
FATE = ("hit-critical", "hit-fumble", "evasion-critical", "evasion-fumble")
KEYS = ("grid", "parts", "ailments", "initiative", *FATE)
WHOLE_GRID = "grid"
MAX_ENTRIES = 60
MAX_TEXT = 300

SHIPPED: Mapping[str, JsonValue] = shipped_table(__package__ or "", "tables.toml")


class Cell(Frozen):
    """A cell of the grid: area 1 to 6, row 2 to 12."""

    area: int
    row: int

    def __str__(self) -> str:
        return f"{chr(ord('A') + self.area - 1)}{self.row}"


class Tables(Frozen):
    """The tables in force. `initiative` None: any cell of the grid; else a list of specialties."""

    grid: tuple[tuple[str, ...], ...]
    parts: tuple[str, ...]
    ailments: Mapping[str, str]
    initiative: tuple[str, ...] | None = None
    fate: Mapping[str, tuple[str, ...]]

    def at(self, cell: Cell) -> str:
        return self.grid[cell.area - 1][cell.row - FIRST_ROW]

    def name(self, text: str) -> str | None:
        """Return a specialty as the grid writes it, None if it has none of that name."""
        folded = skeleton(text.strip())
        return next((name for area in self.grid for name in area if skeleton(name) == folded), None)

    def cell(self, specialty: str) -> Cell:
        """Return a specialty's place in the grid."""
        for number, area in enumerate(self.grid, 1):
            if specialty in area:
                return Cell(area=number, row=area.index(specialty) + FIRST_ROW)
        raise KeyError(specialty)

    def parts_of(self, area: int) -> tuple[str, ...]:
        """Return an area's body parts, the lowest row first."""
        return tuple(name for name in self.grid[area - 1] if name in self.parts)

    def distance(self, one: str, other: str, filled: frozenset[int] = frozenset()) -> int:
        """Count the spaces between two specialties. `filled` holds gaps by the area on their left. Rule: AD-01."""
        start, end = self.cell(one), self.cell(other)
        low, high = sorted((start.area, end.area))
        gaps = sum(1 for gap in range(low, high) if gap not in filled)
        return abs(start.row - end.row) + (high - low) + gaps

    def is_beside(self, one: Cell, part: str) -> bool:
        """Tell whether a cell is one of the 8 around a body part; gaps do not count. Rule: AD-18."""
        if self.name(part) is None:  # another grid was put in place since
            return False
        other = self.cell(part)
        return max(abs(one.area - other.area), abs(one.row - other.row)) == 1


def parse_cell(text: str) -> Cell | None:
    """Read `C7` (area 3, row 7); None if it is no cell of the grid."""
    match = re.fullmatch(r"([A-Fa-f])\s*(\d{1,2})", text.strip())
    if not match or not FIRST_ROW <= int(match[2]) < FIRST_ROW + ROWS:
        return None
    return Cell(area=ord(match[1].upper()) - ord("A") + 1, row=int(match[2]))


def parse_gap(text: str) -> int | None:
    """Read `1-2`, the gap between areas 1 and 2; None if it is no gap."""
    match = re.fullmatch(r"([1-6])\s*[-–]\s*([1-6])", text.strip())
    if not match or abs(int(match[1]) - int(match[2])) != 1:
        return None
    return min(int(match[1]), int(match[2]))


# A table's own file: every refusal begins with the path of what is wrong, as in `grid[1][3]`


def check_content(content: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Read a table's own file; what is missing stays as shipped. Raises: Malformed with the path."""
    unknown = [key for key in content if key not in KEYS]
    if unknown:
        raise Malformed(f"{unknown[0][:40]} is not a table.", instead=f"Known: {shown(KEYS)}.")
    if not content:
        raise Malformed("That file has no tables in it.", instead=f"Known: {shown(KEYS)}.")
    checked: dict[str, JsonValue] = {}
    if "grid" in content:
        checked["grid"] = _check_grid(content["grid"])
    whole = {**SHIPPED, **checked}
    names = [str(name) for area in _list("grid", whole["grid"]) for name in _list("grid", area)]
    for key in ("parts", "initiative"):
        if key == "initiative" and content.get(key) == WHOLE_GRID:
            checked[key] = WHOLE_GRID
        elif key in content:
            checked[key] = _check_listed(key, content[key], names)
    # Of our own parts those stay that the grid still has.
    parts = checked.setdefault("parts", [part for part in _list("parts", whole["parts"]) if part in names])
    if not parts:
        why = "parts is empty" if "parts" in content else "parts: none of the built-in parts is on this grid"
        raise Malformed(f"{why}.", rule="AD-17", instead='"parts": ["Arm", …] names cells of the grid.')
    if "ailments" in content:
        checked["ailments"] = _check_ailments(content["ailments"])
    for key in FATE:
        if key in content:
            texts = _texts(key, content[key])
            if len(texts) != 6:
                raise Malformed(f"{key} has {len(texts)} texts, but it is rolled with 1D6.", rule="AD-26")
            checked[key] = [*texts]
    return {**SHIPPED, **checked}


def _list(path: str, value: JsonValue) -> list[JsonValue]:
    if not isinstance(value, list):
        raise Malformed(f"{path} has to be a list.")
    return value


def _texts(path: str, value: JsonValue) -> tuple[str, ...]:
    entries = _list(path, value)
    if len(entries) > MAX_ENTRIES * 2:
        raise Malformed(f"{path} has {len(entries)} entries; {MAX_ENTRIES * 2} are allowed.")
    return tuple(_text(f"{path}[{at}]", entry) for at, entry in enumerate(entries))


def _text(path: str, value: JsonValue) -> str:
    if not isinstance(value, str) or not value.strip():
        raise Malformed(f"{path} has to be a text.")
    text = value.strip()
    if len(text) > MAX_TEXT:
        raise too_long(path, text, MAX_TEXT)
    return text


def _name(path: str, text: str, what: str) -> str:
    try:
        return parse_name(text, what)
    except Malformed as refusal:
        raise Malformed(f"{path}: {refusal.reason}", instead=refusal.instead) from None


def _check_grid(value: JsonValue) -> list[JsonValue]:
    areas = _list("grid", value)
    if len(areas) != AREAS:
        raise Malformed(f"grid has {len(areas)} areas, not {AREAS}.", rule="AD-01")
    grid: list[list[str]] = []
    seen: set[str] = set()
    for number, area in enumerate(areas):
        path = f"grid[{number}]"
        texts = _texts(path, area)
        if len(texts) != ROWS:
            raise Malformed(f"{path} has {len(texts)} rows, not {ROWS} (2 to 12).", rule="AD-01")
        for at, text in enumerate(texts):
            if skeleton(text) in seen:
                raise Malformed(f"{path}[{at}]: {text[:40]} is already on the grid.", rule="AD-01")
            seen.add(skeleton(text))
        grid.append([_name(f"{path}[{at}]", text, "specialty") for at, text in enumerate(texts)])
    return [[*area] for area in grid]


def _check_listed(key: str, value: JsonValue, names: list[str]) -> list[JsonValue]:
    folded = {skeleton(name): name for name in names}
    found: list[JsonValue] = []
    for at, text in enumerate(_texts(key, value)):
        name = folded.get(skeleton(text))
        if name is None:
            raise Malformed(f"{key}[{at}]: {text[:40]} is not on the grid.", rule="AD-01")
        if name in found and key == "parts":
            raise Malformed(f"{key}[{at}]: {name} is already there.")
        found.append(name)
    if not found and key == "initiative":
        raise Malformed("initiative is empty.", rule="AD-04", instead='Leave out initiative, or write "grid".')
    return found


def _check_ailments(value: JsonValue) -> dict[str, JsonValue]:
    if not isinstance(value, dict) or len(value) > MAX_ENTRIES:
        raise Malformed(f"ailments has to be an object of name: text, with {MAX_ENTRIES} at most.", rule="AD-28")
    return {
        _name(f"ailments.{str(name)[:40]}", str(name), "ailment"): _text(f"ailments.{str(name)[:40]}", text)
        for name, text in value.items()
    }


def content_of(tables: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return the tables in force in the form of a table's own file."""
    return {key: tables.get(key, SHIPPED[key]) for key in KEYS}


def origins(tables: Mapping[str, JsonValue]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the keys of the tables in force that are as shipped, and of those that are a table's own."""
    own = tuple(key for key in KEYS if key in tables and tables[key] != SHIPPED[key])
    return tuple(key for key in KEYS if key not in own), own


@lru_cache(maxsize=32)
def _read(text: str) -> Tables:
    content = json.loads(text)
    initiative = content["initiative"]
    return Tables(
        grid=tuple(tuple(area) for area in content["grid"]),
        parts=tuple(part for part in content["parts"] if any(part in area for area in content["grid"])),
        ailments=content["ailments"],
        initiative=None if initiative == WHOLE_GRID else tuple(initiative),
        fate={key: tuple(content[key]) for key in FATE},
    )


@lru_cache(maxsize=1)
def _shipped() -> Tables:
    return _read(json.dumps(SHIPPED))


def tables_of(tables: Mapping[str, JsonValue]) -> Tables:
    """Return the tables of an encounter, shipped if it has none of its own."""
    return _read(json.dumps(content_of(tables))) if tables else _shipped()
