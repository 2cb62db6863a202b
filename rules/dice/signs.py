"""The signs that people use for minus, plus, times, comma, semicolon and quotes, each as the one that programs know.

Phones, PDFs and spreadsheets make them. Whatever reads an amount or dice folds its text here first, and nowhere else.
"""

from __future__ import annotations

import re
from unicodedata import decimal, east_asian_width, normalize

_SIGNS = {
    "-": "‐‑‒–—―−˗⁃⁻₋﹘﹣➖⸺⸻\u058a\u05be\u1400\u1806\u2e17\u2e1a\u2e40\u2e5d\ufe31\ufe32\U00010d6e\U00010ead",
    "+": "⁺₊﬩﹢➕",
    "*": "×✕✖⨯⨉·⋅∙⁎∗﹡✱⸱",
    "/": "÷∕⁄➗",
    ",": "、،﹐‚",
    ";": "\u061b\ufe54\u037e",
    ":": "﹕∶ː",
    '"': "“”„‟«»〝〞〟❝❞",
    "'": "‘’‛′´`ʼ‹›❛❜",
    "%": "٪﹪",
    " ": "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
}
_UNSEEN = re.compile(r"(?<![^\x00-\x7f])[\u00ad\u200b-\u200d\u2060\ufeff\ufe0e\ufe0f]+(?![^\x00-\x7f])")
_FOLDED = {ord(odd): usual for usual, all_of_it in _SIGNS.items() for odd in all_of_it}


_SEPARATORS = {ord(odd): usual for usual in ",;" for odd in _SIGNS[usual]} | {ord("，"): ",", ord("；"): ";"}


def visible(text: str) -> str:
    """Return a text without what is not seen between usual letters, digits and signs."""
    return text if text.isascii() else _UNSEEN.sub("", text)


def usual_signs(text: str) -> str:
    """Return a text with usual signs, digits and full-width letters; all else stays as it was typed.

    Of a text that is `visible`, each character stays in its place.

    >>> usual_signs("１d20 – 2"), usual_signs("2d6×2; “fire”"), usual_signs("1d20\u200b+\u00a05")
    ('1d20 - 2', '2d6*2; "fire"', '1d20+ 5')
    """
    if text.isascii():
        return text
    some = visible(text).translate(_FOLDED)
    return some if some.isascii() else "".join(map(_usual, some))


def usual_separators(text: str) -> str:
    """Return a text with usual commas and semicolons; all else, words above all, stays as it was typed."""
    return text if text.isascii() else text.translate(_SEPARATORS)


def _usual(letter: str) -> str:
    if letter.isdecimal():
        return str(decimal(letter))
    if east_asian_width(letter) == "F":
        usual = normalize("NFKC", letter)
        return usual if len(usual) == 1 else letter
    return letter
