"""The nearest text that can be rolled, for one that cannot: offered along with the refusal, never rolled unasked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from difflib import get_close_matches
from itertools import chain

from rules.dice.meanings import SeveralMeanings
from rules.dice.operators import quoted
from rules.dice.refused import UnreadableDice
from rules.dice.typed import read_typed
from rules.dice.written.pieces import Dialect, Numbers
from rules.errors import Refusal

_I = re.IGNORECASE

# what people slip into, and how it is written here; each is tried alone and on top of those before
_SLIPS = tuple(
    (re.compile(slip, _I), written)
    for slip, written in (
        (r"(?<![\w.])(\d*)[wt](\d+)", r"\1d\2"),  # Würfel, tirada
        (r"(?<=\d)\s*([hl])([kd])(?![^\W\d])", r"\2\1"),
        (r"(?<=\d)\s*([hl])(?=\s*\d)", r"k\1"),
        (r"\badv\w*[\s,/]+dis\w*|\bdis\w*[\s,/]+adv\w*", ""),
        (r"(\d)\s*(>=|<=|>|<)\s*(\d+)\s*f\s*([<>]?=?\d+)", r"\1s\2\3f\4"),
        (r"(?<=\d)-([hl])\b", r"p\g<1>1"),
        (r"(?:best|highest|top)\s+(\d+)\s+(?:of|from|in)\s+(\d*d\d+)", r"\2kh\1"),
        (r"(?:worst|lowest)\s+(\d+)\s+(?:of|from|in)\s+(\d*d\d+)", r"\2kl\1"),
        (r"(?:best|highest|higher)\s+(?:of|from)\s+(\d*d\d+)", r"\1kh1"),
        (r"(?:worst|lowest|lower)\s+(?:of|from)\s+(\d*d\d+)", r"\1kl1"),
        (r"^\s*(adv|dis)\w*\s*(?=[-+]|$)", r"1d20 \1 "),
        (r"(d\d+)(?=d\d)", r"\1 + "),
        (r"\b(?:an?|one|ein|un)\s+(?=d\d)", "1"),
        (r"(\d)\s*f\s*(\d+)\s*t\s*(\d+)", r"\1s>=\3f\2"),
        (r"(mi|ma)\s*[<>]=?\s*(\d)", r"\1\2"),
        (r"\bkh?\b(?!\s*\d)", "kh1"),
        (r"(?<=\d)(k|p)(?=\s*(?:[-+*]|$))", r"\1h1"),
        (r"(?<=\d)d(?=\s*(?:[-+*/]|$))", "d20"),
        (r"(?<![\w])d(?=\s*(?:[-+*/]|$))", "1d20"),
        (r"\bd(\d+)d\b", r"d\1"),
        (r"(?<=\d)dd(?=\d)", "d"),
        (r"(?<=\d)\s*[dD]\s*[oO](?=\s|$)", "d20"),
        (r"\b[lI](?=d\d)", "1"),
        (r"\+\s*\+", "+"),
        (r"\+\s*-|-\s*\+", "-"),
        (r"(?<![<>=!])=(?!=)", "=="),
        (r"(\d|\))\s*\(", r"\1 * ("),
        (r"(\))\s*(\d)", r"\1 * \2"),
        (r"(\d)\s+(?=\d*d\d)", r"\1 + "),
        (r"(\d)\s+(\d+)\s*$", r"\1 + \2"),
        (r"^([^()]*\d)\s*(?:,|&|\band\b|\bund\b|\by\b|\bet\b|\|)\s*(?=\d*d\d)", r"\1; "),
        (r"\s*[-+*/x]\s*$", ""),
        (r"^\s*[*/x=]\s*", ""),
        (r"[?¿.,:]+\s*$", ""),
    )
)
_OTHER_WORD = re.compile(r"[^\W\d]{2,}")
_ROLLS = re.compile(r"\d*d[\d%f]+|\b(?:and|und|then|plus|et)\b", _I)
_NUMBER = re.compile(r"\d+")
_WORD, _LONG_WORD, _NO_WORD = re.compile(r"[^\W\d_]+"), re.compile(r"[^\W\d_]{3,}"), re.compile(r"(?!)")
_MEANT_OTHERWISE = frozenset(
    ("best", "highest", "higher", "top", "worst", "lowest", "lower", "from", "and", "und", "then", "one", "ein", "adv")
).union(("dis", "advantage", "disadvantage", "disadv", "plus", "minus", "roll"))
_SPLIT = re.compile(r"(?<=[\w)\]])[\s,.]+(?=\d*d\d)", _I)
_FIRST_DICE = re.compile(r"(?<![\w.])\d*d[\d%f]", _I)
_BETWEEN_ROLLS = re.compile(r"\s*[,|/&]\s*|\s+(?:and|und|then|y|et)\s+", _I)
_DICE = re.compile(r"\d*d[\d%]", _I)
_SIDE_BY_SIDE = re.compile(r"(?<=[\d)])\s+(?=\d+d\d)", _I)


def nearest_texts(
    text: str, slip: UnreadableDice, numbers: Numbers, dialect: Dialect, *, several: bool
) -> tuple[str, ...]:
    """Return what the reader knows to have been meant, else the first repair that can be read and keeps all of it.

    `several` rolls may be among them. Empty if nothing comes near.
    """
    known = tuple(each for each in slip.offered if _is_read(each, numbers, dialect))
    if known or (known := _side_by_side(text, numbers, dialect, several=several)):
        return known
    tried = {text}
    stripped = text.strip()
    place = max(0, min(len(stripped), slip.position - 1))
    named = ((name, _NO_WORD) for name in _names(stripped, place, numbers))
    meant = ((each, _LONG_WORD) for each in _meant(stripped, place))
    is_name = slip.got in map(quoted, numbers)  # then it is no word that happens to look like one
    changed = ((each, _WORD) for each in (() if is_name else _changed(stripped, place)))
    for repair, word in chain(named, meant, changed):
        candidate = " ".join(repair.split()).strip(" ;")
        if candidate and candidate not in tried and (several or ";" not in candidate.partition("#")[0]):
            tried.add(candidate)
            if _keeps_all(text, candidate, word) and _is_read(candidate, numbers, dialect):
                return (candidate,)
    return ()


def _side_by_side(text: str, numbers: Numbers, dialect: Dialect, *, several: bool) -> tuple[str, ...]:
    """Return what rolls with nothing between them may mean: one after the other, or their sum."""
    parts = _SIDE_BY_SIDE.split(text.strip())
    ways = ("; ", " + ") if several else (" + ",)
    return tuple(way.join(parts) for way in ways if len(parts) > 1 and _is_read(way.join(parts), numbers, dialect))


def _keeps_all(text: str, candidate: str, word_of: re.Pattern[str]) -> bool:
    """Say whether an offer holds every number and every word of what was typed."""
    numbers = Counter(_NUMBER.findall(text))
    if numbers - Counter(_NUMBER.findall(candidate)) - Counter({"1": numbers["1"]}):
        return False
    kept = set(map(str.casefold, word_of.findall(candidate)))
    words = [word.casefold() for word in word_of.findall(text)]
    return all(word in kept or word in _MEANT_OTHERWISE or get_close_matches(word, kept, 1, 0.6) for word in words)


def _meant(text: str, place: int) -> Iterator[str]:
    yield from _balanced(text)
    if _SPLIT.search(text, max(0, place - 1)):
        cuts = (cut for cut in _SPLIT.finditer(text) if _OTHER_WORD.search(_ROLLS.sub("", text[: cut.start()])))
        yield from (f"{text[: cut.start()]}; {text[cut.end() :]}" for cut in cuts)
    together = text
    for pattern, instead in _SLIPS:
        repaired = pattern.sub(instead, text)
        if repaired != text:
            yield repaired
        together = pattern.sub(instead, together)
        if together not in (repaired, text):
            yield together
    parts = _BETWEEN_ROLLS.split(text)
    if len(parts) > 1 and all(map(_DICE.search, parts)):
        yield "; ".join(map(_label_behind, parts))
    yield _label_behind(text)


def _changed(text: str, place: int) -> Iterator[str]:
    """Change what makes the text unreadable, whatever it is."""
    yield re.sub(r"\s*(?://|--)\s*(?=[^\W\d])|\s+[-–—+*/=]\s+(?=[^\W\d])", " ", text)  # 1d20 - stealth
    yield re.sub(r"\s*[-+*/]\s*[^\W\d][\w ]*", "", text)
    if place and re.match(r"[^\W\d]{3}", text[place:]):
        yield f"{text[:place]} {text[place:]}"
        yield f"{text[:place]} # {text[place:]}"
    yield re.sub(r"([-+*/])\s*(?=[-+*/)]|$)", "", text)
    yield re.sub(r"^\D*?(?=\d*d\d)", "", text)
    yield re.sub(r"[()\[\]{}]", "", text)


def _label_behind(text: str) -> str:
    """Move words from before the dice to after them: Stealth: 1d20+5."""
    dice = _FIRST_DICE.search(text)
    if dice is None:
        return text
    before = text[: dice.start()].rstrip()
    before = before.removesuffix("(").removesuffix("+").removesuffix("-").rstrip()
    label = before.rstrip(":=,-").strip()
    if re.search(r"[\d+*/()#;]", label) or not re.search(r"[^\W\d]{2}", label):
        return text
    return f"{text[len(before) :].strip()} {label}"


def _names(text: str, place: int, numbers: Numbers) -> Iterator[str]:
    """Replace a word that is none of somebody's names with the nearest of them."""
    word = re.match(r"[^\W\d][\w' ]*", text[place:])
    if word is None or not numbers:
        return
    known = {name.casefold(): name for name in numbers}
    written = word[0].strip()
    for tried in (written, written.split()[0]):
        folded = tried.casefold()
        begins = [name for name in known if name.startswith(folded)]
        near = [
            *[name for name in known if name.endswith(f" {folded}")][:1],
            *get_close_matches(folded, known, n=1, cutoff=0.6),
            *(begins if len(begins) == 1 else ()),
            *sorted((name for name in known if len(name) > 1 and folded.startswith(name)), key=len)[-1:],
        ]
        yield from (f"{text[:place]}{known[name]}{text[place + len(tried) :]}" for name in near)


def _balanced(text: str) -> Iterator[str]:
    for opening, closing in ("()", "{}", "[]"):
        missing = text.count(opening) - text.count(closing)
        if missing > 0:
            yield text + closing * missing
        elif missing < 0:
            yield text[::-1].replace(closing, "", -missing)[::-1]
            yield opening * -missing + text


def _is_read(text: str, numbers: Numbers, dialect: Dialect | None = None) -> bool:
    with suppress(Refusal):
        for part in text.split(";"):
            with suppress(SeveralMeanings):
                read_typed(part, numbers, dialect)
        return True
    return False
