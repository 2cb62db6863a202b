"""The marks, colours and bars of every message: see STYLE.md. Every mark has a word beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from rules.core.typed.skeleton import skeleton
from rules.core.values import Condition
from rules.core.views.view import CombatantView, PoolView, View

NOW = "▶"
DONE = "✓"
WAITS = "⏸"
OUT = "✖"
AHEAD = "◦"
QUESTION = "❓"
DIE = "🎲"
RULING = "⚖️"
VEILED = "🔒"
BACK = "↩️"
CARD = "🃏"
CLOCK = "⏳"
OVER = "🏁"

# Colours say the kind of message at a glance; the first words say the same.
BLUE = 0x3B82F6  # somebody's turn
AMBER = 0xD97706  # a question is open
GREEN = 0x15803D  # success
RED = 0xB91C1C  # failure
VIOLET = 0x7C3AED  # a ruling
GREY = 0x6B7280  # neither: lists, rolls without a target, what is over

NO_BREAK = "\N{NO-BREAK SPACE}"
_BAR = 5
_OUT_OF_IT = frozenset({"dead", "fled", "incapacitated", "out"})
_WAITING = ("delay", "wait")


@lru_cache(maxsize=4096)  # the same few numbers are in every prompt
def bar(now: int, top: int) -> str:
    """Return a pool as a short bar. With 1 left it is not empty.

    >>> bar(12, 20)
    '▰▰▰▱▱'
    """
    if top <= 0:
        return ""
    full = 0 if now <= 0 else max(1, now * _BAR // top)
    return "▰" * min(full, _BAR) + "▱" * max(_BAR - full, 0)


def pool_text(key: str, pool: PoolView, *, is_health: bool = True) -> str | None:
    """Return a pool as this view may show it: numbers (of health with a bar), words, or nothing. Rule: G-08.

    One bar for each person, which no phone parts from its name and numbers: the spaces beside it are no-break ones.
    """
    if pool.words is not None:
        return pool.words if is_health else f"{key} {pool.words}"
    if pool.now is None:
        return None
    if pool.top is None:
        return f"{key} {pool.now}"
    if not is_health:
        return f"{key} {pool.now}/{pool.top}"
    return f"{key}{NO_BREAK}{bar(pool.now, pool.top)}{NO_BREAK}{pool.now}/{pool.top}"


def pool_texts(view: View, each: CombatantView, *, whole: bool = True) -> list[str]:
    """Return a combatant's pools: health with a bar, the others as numbers; unless `whole` only what says something."""
    shown = (
        pool_text(key, pool, is_health=key == view.rules.health)
        for key, pool in each.pools.items()
        if whole or not pool.rests
    )
    return [text for text in shown if text]


_TICK_WORDS = {
    "bearer-start": "own turn's start",
    "bearer-end": "own turn's end",
    "source-start": "source's turn start",
    "source-end": "source's turn end",
    "round-end": "round's end",
}


def condition_texts(every: Sequence[Condition]) -> list[str]:
    """Return conditions with how long they last; two of one name say who each is from."""
    alike = Counter(skeleton(condition.name) for condition in every)
    return [condition_text(condition, with_source=alike[skeleton(condition.name)] > 1) for condition in every]


def condition_text(condition: Condition, *, full: bool = False, with_source: bool = False) -> str:
    """Return a condition with what is left of it; `full` adds when it ticks, its save and its source."""
    inside = [] if condition.left is None else [f"{condition.left} left"]
    if full and condition.ticks:
        inside.append(f"at the {_TICK_WORDS[condition.ticks]}")
    if condition.source and (full or with_source):
        inside.append(f"from {condition.source}")
    if full and condition.concentration:
        inside.append("concentration")
    if condition.save:
        inside.append(f"save {condition.save}")
    return f"{condition.name} ({', '.join(inside)})" if inside else condition.name


def is_out(view: View, each: CombatantView) -> bool:
    """Tell whether a combatant lies out of the fight, as far as this view shows it."""
    health = each.pools.get(view.rules.health)
    if view.rules.out_at_zero and health is not None and (health.now == 0 or health.words == "out"):
        return True
    return bool(each.conditions) and any(condition.name.casefold() in _OUT_OF_IT for condition in each.conditions)


def mark_of(view: View, name: str) -> tuple[str, str]:
    """Return the mark of a combatant in the order, and its word; the word is empty for those still to come."""
    each = view.combatants.get(name)
    if name in view.turn:
        return NOW, "now"
    if each is None:
        return AHEAD, ""
    if is_out(view, each):
        return OUT, "out"
    if name in view.out:
        waits = any(badge.startswith(_WAITING) for badge in each.badges)
        return WAITS, "" if waits else each.elsewhere or "not in the order"
    if each.done:
        return DONE, "done"
    return AHEAD, ""
