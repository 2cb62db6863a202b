"""How names are written where the font has Latin letters alone: in pictures.

Accents go; Cyrillic, Greek, Hebrew, Arabic, kana, Hangul and the like are spelled in Latin letters; a picture
character becomes its name. What cannot be spelled (Chinese characters) is drawn with a font of this machine where one
has them, and is a number otherwise, which the alternative text explains. No letter becomes an empty box.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache


def _table(letters: str, latin: str) -> dict[str, str]:
    return dict(zip(letters, latin.split(), strict=True))


_LATIN = {
    **dict.fromkeys("–—−‐", "-"),
    **dict.fromkeys("’‘", "'"),
    **dict.fromkeys("“”«»", '"'),
    **dict.fromkeys("•●·", "*"),
    **dict.fromkeys("♀♂", ""),
    **_table("⁄×÷≥≤≠…∞→←€£", "/ x / >= <= =/= ... inf -> <- EUR GBP"),
    **_table("ßæœøłđðþıŋ", "ss ae oe o l d d th i ng"),
}
_CYRILLIC = {
    **_table("абвгдеёжзийклмнопрстуф", "a b v g d e yo zh z i y k l m n o p r s t u f"),
    **_table("хцчшщыэюяіїєґўђјљњћџ", "kh ts ch sh shch y e yu ya i yi ye g u dj j lj nj c dz"),
    "ъ": "",
    "ь": "",
}
_GREEK = _table("αβγδεζηθικλμνξοπρσςτυφχψω", "a b g d e z i th i k l m n x o p r s s t y f ch ps o")
_HEBREW = _table("אבגדהוזחטיכךלמםנןסעפףצץקרשת", "a b g d h v z ch t y k k l m m n n s a p f ts ts k r sh t")
_ARABIC = {
    **_table("اأإآبتثجحخدذرزسشصضط", "a a i a b t th j h kh d dh r z s sh s d t"),
    **_table("ظعغفقكلمنهويىةءئؤ", "z a gh f q k l m n h w y a a a y w"),
}
_SPELLED = {**_LATIN, **_CYRILLIC, **_GREEK, **_HEBREW, **_ARABIC}
_UNSPELLED = "\ufffd"
_UNSPELLABLE = re.compile(r"[^ -~]+")
_NAMED = re.compile(r"(?:LETTER|SYLLABLE|CHARACTER|VOWEL SIGN)(?: SMALL| CAPITAL| LIGATURE)* ([A-Z]+)")


@lru_cache(maxsize=4096)
def spelled(text: str) -> str:
    """Return text in the characters from space to tilde; what has no spelling becomes U+FFFD.

    >>> spelled("Zoë Łęcka"), spelled("Жанна"), spelled("アヤ"), spelled("🐉 7")
    ('Zoe Lecka', 'Zhanna', 'aya', 'Dragon 7')
    """
    return "".join(map(_spelling, unicodedata.normalize("NFKC", text)))


def is_spelled(text: str) -> bool:
    """Tell whether the picture's own font can show a text."""
    return _UNSPELLED not in spelled(text)


class Labels:
    """What a picture writes for each text: a stretch that no font here has becomes a number, the same one each time."""

    def __init__(self, texts: Iterable[str], *, can_draw: Callable[[str], bool]) -> None:
        self.numbers: dict[str, str] = {}
        self._shown = {text: text if is_spelled(text) or can_draw(text) else self._numbered(text) for text in texts}

    def __getitem__(self, text: str) -> str:
        return self._shown.get(text, text)

    def _numbered(self, text: str) -> str:
        def number(match: re.Match[str]) -> str:
            return f" {self.numbers.setdefault(match[0], f'no. {len(self.numbers) + 1}')} "

        return " ".join(_UNSPELLABLE.sub(number, "".join(_kept(char) for char in text)).split()).replace(" :", ":")

    @property
    def words(self) -> str:
        """Say what the numbers stand for; empty where there are none."""
        listed = ", ".join(f"{label} is {text}" for text, label in self.numbers.items())
        return f"In the picture {listed}." if listed else ""


def _kept(char: str) -> str:
    """Return a character as it is drawn; one that cannot be drawn stays for its number."""
    return char if not is_spelled(char) else spelled(char)


def plain_letters(text: str) -> str:
    """Return what of a text can be spelled."""
    return " ".join(spelled(text).replace(_UNSPELLED, "").split())


@lru_cache(maxsize=4096)
def _spelling(char: str) -> str:
    if " " <= char <= "~":
        return char
    known = _SPELLED.get(char)
    if known is not None:
        return known
    lower = _SPELLED.get(char.lower())
    if lower is not None:
        return lower[:1].upper() + lower[1:]
    base = unicodedata.normalize("NFKD", char)
    if base != char:
        return "".join(map(_spelling, base)) if "HANGUL" not in unicodedata.name(char, "") else _by_name(char)
    category = unicodedata.category(char)
    if category[0] in "CM" or char == "\u3000":
        return " " if char.isspace() else ""
    if category[0] == "Z":
        return " "
    return _by_name(char)


def _by_name(char: str) -> str:
    """Spell a character by its Unicode name: the sound of a syllable, the word for a picture character."""
    name = unicodedata.name(char, "")
    found = _NAMED.search(name)
    if found is not None:
        return found[1].lower()
    if unicodedata.category(char) == "So" and name and len(name) <= 24:
        return name.title()
    if unicodedata.category(char)[0] in "PSN" and name:
        return "." if unicodedata.category(char)[0] == "P" else _digit(char)
    return _UNSPELLED


def _digit(char: str) -> str:
    try:
        return f"{unicodedata.numeric(char):g}"
    except ValueError:
        return "*"
