"""What a system's picture says in words: its alternative text, and all of it for a message."""

from __future__ import annotations

from bot.render.payload import ALT, clip_words
from bot.render.words import bare, escape
from rules.core.seen.pictures import SIGNS, Grid, Picture, Pile, Track


def picture_alt(picture: Picture) -> str:
    """Return a summary within 1,024 characters."""
    return clip_words(" ".join(bare(line) for line in _summary(picture) if line), ALT)


def picture_words(picture: Picture) -> str:
    """Return the whole picture as lines of markdown."""
    lines = _summary(picture)
    if isinstance(picture, Grid):
        lines += [
            f"{heading}: " + ", ".join(f"{row} {cell.words}" for row, cell in zip(picture.rows, column, strict=True))
            for heading, column in zip(picture.columns, picture.cells, strict=True)
        ]
    return "\n".join(escape(line) for line in lines)


def _summary(picture: Picture) -> list[str]:
    if isinstance(picture, Grid):
        return _grid(picture)
    return _track(picture) if isinstance(picture, Track) else _pile(picture)


def _grid(grid: Grid) -> list[str]:
    lines = [f"{grid.title}."]
    for sign in SIGNS:
        meaning = grid.legend.get(sign, "")
        if sign == "hatched" or not meaning:
            continue  # the notes say what it comes to
        rows = [
            f"{cell.words} {heading}{row}"
            for heading, column in zip(grid.columns, grid.cells, strict=True)
            for row, cell in zip(grid.rows, column, strict=True)
            if sign in cell.signs
        ]
        if sign == "ringed" or not rows:
            continue
        lines.append(f"{_capital(meaning)}: {', '.join(rows)}.")
    lying = [
        f"{cell.note} {heading}{row}"
        for heading, column in zip(grid.columns, grid.cells, strict=True)
        for row, cell in zip(grid.rows, column, strict=True)
        if cell.note
    ]
    if lying:
        lines.append(f"On the grid: {', '.join(lying)}.")
    if grid.joined:
        gaps = ", ".join(f"{grid.columns[at]}-{grid.columns[at + 1]}" for at in sorted(grid.joined))
        lines.append(f"{_capital(grid.gap)}: {gaps}.")
    return [*lines, *grid.notes]


def _track(track: Track) -> list[str]:
    lines = [f"{track.title}."]
    for number, stage in enumerate(track.stages):
        state = "" if track.now is None or number > track.now else " (now)" if number == track.now else " (over)"
        who = f": {', '.join(stage.names)}" if stage.names else ""
        lines.append(f"{number + 1} {stage.words}{state}{who}.")
    return [*lines, *track.notes]


def _pile(pile: Pile) -> list[str]:
    lines = [f"{pile.title}, the next one first."]
    lines += [f"{number}. {item.words} ({item.who}): {item.note}." for number, item in enumerate(pile.items, 1)]
    return [*lines, *pile.notes]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
