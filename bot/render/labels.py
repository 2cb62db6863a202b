"""The words of buttons and entries of menus: what is done, at whom and with what, whose it is, its price (play 9)."""

from __future__ import annotations

from collections.abc import Iterable

from bot.render.components import LABEL
from bot.render.words import clip
from rules.core.views.whole import WholeAction

WIDE = 44  # characters of a button that is as wide as a phone
_SHORTEST = 9  # characters that are left of a name


def button_label(
    words: str, names: Iterable[str] = (), *, end: str = "", who: str = "", price: str = "", most: int = WIDE
) -> str:
    """Return a label of `most` characters: words, whose it is, the end, the price.

    If it is too long, the longest names in it are shortened first, then a price does not say how long it lasts; then
    it may take all that Discord allows. If that is not enough the words are cut: never what follows.
    """
    known = {*names, *([who] if who else [])}
    for price_said in dict.fromkeys((price, price.partition(" until ")[0])):
        for length in range(max((_SHORTEST, *map(len, known))), _SHORTEST - 1, -1):
            said = [words, f" ({who}){end}" if who else end]
            for name in known:
                if len(name) > length:
                    said = [part.replace(name, short_name(name, length)) for part in said]
            rest = said[1] + (f" · {price_said}" if price_said else "")
            if len(said[0]) + len(rest) <= most:
                return said[0] + rest
    return clip(said[0], max(LABEL - len(rest), 1)) + rest


def action_label(whole: WholeAction, *, end: str = "", who: str = "", most: int = WIDE) -> str:
    """Return the label of a whole action with its odds; `who` is said if it could be somebody else's."""
    odds = f" ({whole.odds})" if whole.odds else ""
    names = [name for value in whole.given.values() for name in value.split(", ")]
    return button_label(whole.label + odds, names, end=end, who=who, price=whole.price, most=most)


def short_name(name: str, most: int) -> str:
    """Cut a name in its middle: its last word tells it from those that begin alike.

    >>> short_name("Cultist of the Deep 12", 15)
    'Cultist… Deep 12'
    """
    words = name.split(" ")
    tail = " ".join(words[-2:]) if words[-1].isdecimal() else words[-1]
    if len(tail) > most // 2:
        tail = words[-1] if words[-1].isdecimal() else ""
    if len(words) == 1 or not tail:
        return clip(name, most)
    return f"{clip(name.removesuffix(tail).rstrip(), most - len(tail) - 1)} {tail}"
