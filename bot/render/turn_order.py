"""The order of an encounter as lines: marks, standing, pools, conditions; a long list keeps those near the turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.render.marks import condition_texts, mark_of, pool_texts
from bot.render.payload import clip_words
from bot.render.words import and_more, escape, shorten
from rules.core.views.view import View

_LINE = 240
_SHORT_LINE = 110
_MANY = 20


def combatant_line(view: View, name: str, *, limit: int = _LINE, whole: bool = True) -> str:
    """Return one combatant's line of the order; if not `whole`, without pools that say nothing at a glance."""
    mark, word = mark_of(view, name)
    each = view.combatants.get(name)
    standing = f"{escape(each.standing)} " if each is not None and each.standing else ""
    head = f"{mark} {standing}**{escape(name)}**" + (f" ({word})" if word else "")
    if each is None:
        return head
    if each.hidden:
        head += " (hidden)"
    parts = [escape(text) for text in pool_texts(view, each, whole=whole)]
    if each.position:
        parts.append(escape(each.position))
    parts += map(escape, condition_texts(each.conditions))
    parts += [escape(clip_words(badge, 80)) for badge in each.badges]
    if not parts:
        return shorten(head, limit)
    return head + " · " + and_more(parts, max(limit - len(head) - 3, 40), parted=" · ")


def order_lines(view: View, limit: int, *, whole: bool = False, most: int | None = None) -> list[str]:
    """Return the order, then those out of it, within `limit` characters and, of a crowd, `most` lines.

    If not all fit, those whose turn it is stay, then those who follow and those just before. `whole` shortens no
    line, however many there are.
    """
    names = [*view.turn_order, *(name for name in view.turn if name not in view.turn_order and name in view.combatants)]
    names += [name for name in view.out if name not in names]
    longest = limit if whole else _SHORT_LINE if len(names) > _MANY else _LINE
    fewest = len(names) if most is None else most
    if len(names) <= fewest:
        lines = [combatant_line(view, name, limit=longest, whole=whole) for name in names]
        if sum(len(line) + 1 for line in lines) <= limit:
            return lines
    turn = next((at for at, name in enumerate(names) if name in view.turn), 0)
    return _window(names, turn, lambda name: combatant_line(view, name, limit=longest, whole=whole), limit, fewest)


def _window(names: Sequence[str], centre: int, line_of: Callable[[str], str], limit: int, most: int) -> list[str]:
    """Keep a stretch of the list around the turn, with a count before and after it; only its lines are written."""
    room = limit - 60
    kept: dict[int, str] = {}

    def take(at: int) -> bool:
        nonlocal room
        if len(kept) >= most:
            return False
        line = line_of(names[at])
        if len(line) + 1 > room:
            return False
        room -= len(line) + 1
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
    shown = [kept[at] for at in sorted(kept)]
    if before >= 0:
        shown.insert(0, f"… {before + 1} before")
    if after < len(names):
        shown.append(f"… and {len(names) - after} more (/init list)")
    return shown
