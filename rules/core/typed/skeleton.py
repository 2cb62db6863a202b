"""The skeleton of a name: names of one skeleton are one name, however they were typed (design 3.2).

Two names that only look alike, in letters of different scripts, have different skeletons and one `look`.
"""

from __future__ import annotations

import tomllib
import unicodedata
from functools import cache, lru_cache
from pkgutil import get_data

from rules.core.typed.letters import is_unseen

_APOSTROPHES = (
    "'`´\u02b9\u02bb\u02bc\u02bd\u02c8\u02ca\u02cb\u055a\u05f3\u2018\u2019\u201a\u201b\u2032\u2035\ua78c\uff07"
)
_DASHES = "-\u02d7\u058a\u05be\u1806\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2796\u30a0\ufe58\ufe63\uff0d"
_FOLDED = {**dict.fromkeys(map(ord, _APOSTROPHES), "'"), **dict.fromkeys(map(ord, _DASHES), "-")}


@lru_cache(maxsize=8192)  # the names of a table are compared at every step
def skeleton(text: str) -> str:
    """Return what two ways of typing one name have in common.

    >>> skeleton("O’Neil") == skeleton("o'neil "), skeleton("Jean–Luc") == skeleton("JEAN-LUC")
    (True, True)
    >>> skeleton("Bo\u200bb") == skeleton("Bob"), skeleton("\u0410na") == skeleton("Ana")
    (True, False)
    """
    if text.isascii():
        return " ".join(text.replace("`", "'").casefold().split())
    return unicodedata.normalize("NFKC", " ".join(_seen(text).casefold().split()))


@lru_cache(maxsize=1024)
def look(text: str) -> str:
    """Return a skeleton in which letters of different scripts that look alike are the same letter.

    >>> look("\u0410na") == look("Ana")
    True
    """
    if text.isascii():
        return skeleton(text)
    return skeleton(_seen(text).translate(_look_alikes()))


def same(one: str, other: str) -> bool:
    """Tell whether two names are the same name."""
    return one == other or skeleton(one) == skeleton(other)


def _seen(text: str) -> str:
    """Return a text without what nobody sees, with one apostrophe, one dash and one kind of space."""
    folded = unicodedata.normalize("NFKC", text.translate(_FOLDED)).translate(_FOLDED)
    return "".join(char for char in folded if not is_unseen(char))


@cache
def _look_alikes() -> dict[int, str]:
    table = tomllib.loads((get_data(__name__, "look_alikes.toml") or b"").decode("utf-8"))
    return {ord(letter): shown for shown, letters in table.items() for letter in letters}
