"""`python -m tests.meta.architecture` draws `docs/architecture.svg` from the imports of the code."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from html import escape
from pathlib import Path

from tests.meta.sources import ROOT, imports_of, python_files

PICTURE = ROOT / "docs" / "architecture.svg"
AREAS = ("cogs", "bot", "data", "rules")
COLOURS = {"cogs": "#56b4e9", "bot": "#e8e2d0", "data": "#f0e442", "rules": "#9ad4b8"}
ALONE = {"cogs", "data"}  # these two are small enough to be one room each
# The life of a press: each step with the file that does it.
PRESS = (
    ("bot/discord/client.py", "The gateway hands an interaction to the client."),
    ("bot/discord/presses.py", "The press is read: which table, which turn, which action."),
    ("bot/replies/referee.py", "The referee asks the table for the step."),
    ("bot/table/service.py", "One lock for the channel; the state is loaded."),
    ("rules/core/commands/__init__.py", "The rules decide: a new state and lines, or a refusal."),
    ("data/steps.py", "State, log, reminders and messages are saved in one transaction."),
    ("bot/posting/live.py", "What the channel should show now is planned."),
    ("bot/render/prompt.py", "The prompt is written from the state."),
    ("bot/discord/carrier.py", "The interaction carries the answer; the outbox brings the rest."),
)
_WIDTH, _ROW = 1080, 56


def room_of(path: Path) -> str | None:
    """Return the room that a file is in: a folder of `bot` or `rules`, or a whole area; None for a file beside them."""
    parts = path.relative_to(ROOT).parts
    if parts[0] in ALONE:
        return parts[0]
    return "/".join(parts[:2]) if len(parts) > 2 else None


@cache
def floors() -> tuple[tuple[str, ...], ...]:
    """Return the rooms by floors, the lowest first: each imports from rooms below it alone."""
    needs: dict[str, set[str]] = defaultdict(set)
    for path in python_files(*AREAS):
        room = room_of(path)
        if room is None:
            continue
        for _, module in imports_of(path):
            other = _room_of_module(module)
            needs[room] |= {other} if other is not None and other != room else set()
        needs.setdefault(room, set())
    levels: dict[str, int] = {}
    while len(levels) < len(needs):
        ready = {room for room, below in needs.items() if room not in levels and below <= levels.keys()}
        assert ready, "a room needs itself through its neighbours (tests/meta/test_circles.py names it)"
        levels |= dict.fromkeys(sorted(ready), 1 + max(levels.values(), default=-1))
    found: list[list[str]] = [[] for _ in range(1 + max(levels.values()))]
    for room in sorted(levels, key=lambda room: (AREAS.index(_area(room)), room)):
        found[levels[room]].append(room)
    return tuple(tuple(rooms) for rooms in found)


def _room_of_module(module: str) -> str | None:
    parts = module.split(".")
    path = ROOT / parts[0] / (parts[1] if len(parts) > 1 else "")
    if parts[0] in ALONE:
        return parts[0]
    return "/".join(parts[:2]) if parts[0] in AREAS and len(parts) > 1 and path.is_dir() else None


def _area(room: str) -> str:
    return room.split("/", maxsplit=1)[0]


def drawn() -> str:
    """Return the picture: floors from top to bottom on the left, the steps of a press on the right."""
    rows = floors()[::-1]
    height = _ROW * len(rows) + 40
    steps: dict[str, list[int]] = defaultdict(list)
    for number, (file, _) in enumerate(PRESS, 1):
        steps[room_of(ROOT / file) or ""].append(number)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}"'
    parts = [
        f'{head} font-family="DejaVu Sans, sans-serif">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
    ]
    for row, rooms in enumerate(rows):
        for column, room in enumerate(rooms):
            left, top = 20 + column * 210, 20 + row * _ROW
            parts += [
                f'<rect x="{left}" y="{top}" width="200" height="{_ROW - 10}" rx="8" fill="{COLOURS[_area(room)]}"/>',
                _text(left + 12, top + 29, room, 17),
                *(_mark(left + 182 - 28 * place, top + 23, number) for place, number in enumerate(steps[room][::-1])),
            ]
    for place, (file, words) in enumerate(PRESS):
        top = 30 + place * (height - 40) // len(PRESS)
        parts += [_mark(470, top + 14, place + 1), _text(492, top + 20, words, 16), _text(492, top + 42, file, 13)]
    return "\n".join((*parts, "</svg>", ""))


def _text(left: int, top: int, words: str, size: int) -> str:
    return f'<text x="{left}" y="{top}" font-size="{size}" fill="#111">{escape(words)}</text>'


def _mark(left: int, top: int, number: int) -> str:
    circle = f'<circle cx="{left}" cy="{top}" r="12" fill="#111"/>'
    return f'{circle}<text x="{left}" y="{top + 5}" font-size="14" fill="#fff" text-anchor="middle">{number}</text>'


if __name__ == "__main__":
    PICTURE.write_text(drawn(), "utf-8")
