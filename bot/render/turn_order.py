"""The order of an encounter as lines: marks, standing, pools, conditions; a long list keeps those near the turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.render.marks import condition_texts, mark_of, pool_texts
from bot.render.payload import clip_words
from bot.render.phone import ROW_WIDE, row_lines, short_name, shown_length
from bot.render.words import and_more, escape, shorten
from rules.core.views.view import View

_LINE = 240
_SHORT_LINE = 110
_MANY = 20
_SHORT_NAME = 12


def combatant_line(view: View, name: str, *, limit: int = _LINE, whole: bool = True, is_placed: bool = True) -> str:
    """Return one combatant's line of the order; if not `whole`, without pools that say nothing at a glance.

    If not `is_placed`, without its cell, which the board shows.
    """
    mark, word = mark_of(view, name)
    each = view.combatants.get(name)
    standing = f"{escape(each.standing)} " if each is not None and each.standing else ""
    head = f"{mark} {standing}**{escape(name)}**" + (f" ({word})" if word else "")
    if each is None:
        return head
    if each.hidden:
        head += " (hidden)"
    parts = [escape(text) for text in pool_texts(view, each, whole=whole)]
    if each.position and is_placed:
        parts.append(escape(each.position))
    parts += map(escape, condition_texts(each.conditions))
    parts += [escape(clip_words(badge, 80)) for badge in each.badges]
    if not parts:
        return shorten(head, limit)
    return head + " · " + and_more(parts, max(limit - len(head) - 3, 40), parted=" · ")


def _short_line(view: View, name: str, *, limit: int, whole: bool) -> str:
    """Return a combatant's line that a phone need not break: if need be without its cell, its long name cut."""
    line = combatant_line(view, name, limit=limit, whole=whole)
    if shown_length(line) > ROW_WIDE:
        line = combatant_line(view, name, limit=limit, whole=whole, is_placed=False)
    over = shown_length(line) - ROW_WIDE
    if over <= 0 or len(name) <= _SHORT_NAME:
        return line
    return line.replace(escape(name), escape(short_name(name, max(len(name) - over, _SHORT_NAME))), 1)


def order_lines(view: View, limit: int, *, whole: bool = False, most: int | None = None) -> list[str]:
    """Return the order, then those out of it, within `limit` characters and, of a crowd, `most` lines of a phone.

    If not all fit, those whose turn it is stay, then those who follow and those just before. `whole` shortens no
    line, however many there are.
    """
    names = [*view.turn_order, *(name for name in view.turn if name not in view.turn_order and name in view.combatants)]
    names += [name for name in view.out if name not in names]
    longest = limit if whole else _SHORT_LINE if len(names) > _MANY else _LINE
    line_of = combatant_line if most is None else _short_line
    if most is None or len(names) <= most:
        lines = [line_of(view, name, limit=longest, whole=whole) for name in names]
        if sum(len(line) + 1 for line in lines) <= limit and (most is None or row_lines("\n".join(lines)) <= most):
            return lines
    turn = next((at for at, name in enumerate(names) if name in view.turn), 0)
    return _window(names, turn, lambda name: line_of(view, name, limit=longest, whole=whole), limit, most)


def _window(
    names: Sequence[str], centre: int, line_of: Callable[[str], str], limit: int, most: int | None
) -> list[str]:
    """Keep a stretch of the list around the turn, with a count of the others; only its lines are written."""
    room, rows = limit - 60, None if most is None else most - 1  # a line counts the others
    kept: dict[int, str] = {}

    def take(at: int) -> bool:
        nonlocal room, rows
        line = line_of(names[at])
        if kept and (len(line) + 1 > room or (rows is not None and row_lines(line) > rows)):
            return False
        room -= len(line) + 1
        rows = rows and rows - row_lines(line)
        kept[at] = line
        return True

    before, after = centre - 1, centre
    while True:
        grew = False
        for _ in range(3):  # who comes next matters more than who was
            if after < len(names) and take(after):
                after += 1
                grew = True
        if before >= 0 and take(before):
            before -= 1
            grew = True
        if not grew:
            break
    return [*(kept[at] for at in sorted(kept)), f"… and {len(names) - len(kept)} more (/init list)"]
