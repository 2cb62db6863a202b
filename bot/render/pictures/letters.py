"""How names are written in pictures: Latin, Greek and Cyrillic letters as they are, all others in Latin letters.

The font of the pictures (`bot/render/fonts`) has what is kept, in plain and in bold. Other scripts want letters that
join, or lines from right to left, or a font of ten megabytes: `anyascii` spells them, and an emoji is its name.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from anyascii import anyascii

# Latin, Greek and Cyrillic; more of these with punctuation; arrows and signs of arithmetic; signs like suits and stars.
KEPT = (
    range(0x20, 0x2B0),
    range(0x370, 0x526),
    range(0x1E00, 0x1EFC),
    range(0x1F00, 0x2060),
    range(0x2190, 0x2300),
    range(0x25A0, 0x2670),
)


@lru_cache(maxsize=4096)
def readable(text: str) -> str:
    """Return a text in letters that the pictures' font has.

    >>> readable("Zoë Łęcka"), readable("Жанна"), readable("アヤ"), readable("🐉🐉 7")
    ('Zoë Łęcka', 'Жанна', 'aya', 'Dragon Dragon 7')
    """
    text = unicodedata.normalize("NFKC", text)
    if all(map(is_kept, text)):
        return text
    return " ".join("".join(char if is_kept(char) else _spelled(char) for char in text).split())


def is_kept(char: str) -> bool:
    """Tell whether a character shows as it is: no mark over others, nothing invisible."""
    return any(ord(char) in each for each in KEPT) and unicodedata.category(char)[0] not in "CM"


def _spelled(char: str) -> str:
    if unicodedata.category(char)[0] == "C":  # nobody sees it
        return " " if char.isspace() else ""
    latin = anyascii(char)
    return f" {latin.strip(':').replace('_', ' ').title()} " if latin.startswith(":") else latin
