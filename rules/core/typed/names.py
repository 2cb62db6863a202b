"""Names that people type: cleaning, uniqueness, and finding one among many (design 3.2)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import TypeVar

from rules.errors import Ambiguous, Malformed

T = TypeVar("T")

MAX_NAME = 32
_FORBIDDEN = frozenset(',;`"“”„‟«»')
_SHOWN_CANDIDATES = 10
_CLOSE = 0.6  # how alike a slip and what was meant are
# Controls but tab and line feed, what parts lines or turns the direction of writing, what nobody sees, halves of a
# surrogate pair. Joiners stay: emoji and several scripts need them.
_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)


def clean_text(text: str) -> str:
    """Return what a person gave without control and bidirectional characters; tabs and line feeds stay."""
    if text.isascii() and text.isprintable():
        return text
    return _CONTROLS.sub("", text)


def clean_texts(value: T) -> T:
    """Clean every text of a JSON value, the keys of its objects too."""
    if isinstance(value, str):
        return clean_text(value)  # type: ignore[return-value] # a str comes back for a str
    if isinstance(value, list):
        return [clean_texts(each) for each in value]  # type: ignore[return-value] # a list for a list
    if isinstance(value, dict):
        return {clean_texts(key): clean_texts(each) for key, each in value.items()}  # type: ignore[return-value] # a dict for a dict
    return value


def _is_allowed(char: str) -> bool:
    # Categories: control, format (bidirectional marks live there), surrogate, private use, unassigned.
    if char in "\u200d\ufe0f":  # joiners inside an emoji
        return True
    return char not in _FORBIDDEN and unicodedata.category(char) not in {
        "Cc",
        "Cf",
        "Cs",
        "Co",
        "Cn",
        "Zl",
        "Zp",
    }


def parse_name(text: str, what: str = "name") -> str:
    """Return `text` as a name of 1–32 characters after NFKC and trimming.

    Raises: Malformed, with the characters that are not allowed.
    """
    name = " ".join(unicodedata.normalize("NFKC", text).split(" ")).strip()
    bad = sorted({char for char in name if not _is_allowed(char)})
    if bad:
        shown = " ".join(char if char.isprintable() else f"U+{ord(char):04X}" for char in bad[:5])
        raise Malformed(
            f"A {what} cannot hold {shown}.",
            instead="Letters, digits, spaces, apostrophes and emoji are fine.",
        )
    if not name.strip("\u200d\ufe0f "):
        raise Malformed(f"A {what} needs at least one character.", instead="1 to 32 characters are fine.")
    if len(name) > MAX_NAME:
        raise Malformed(f"That {what} has {len(name)} characters; {MAX_NAME} are allowed.", instead="Shorten it.")
    return name


def clean_name(text: str, fallback: str = "Player") -> str:
    """Make a name out of a display name: what is not allowed is dropped, the rest cut at 32 characters."""
    kept = "".join(char for char in unicodedata.normalize("NFKC", text) if _is_allowed(char))
    return " ".join(kept.split())[:MAX_NAME].strip() or fallback


def same(one: str, other: str) -> bool:
    """Tell whether two names are the same without regard to case."""
    return one.casefold() == other.casefold()


def unique_name(wanted: str, taken: Iterable[str]) -> str:
    """Return `wanted`, or `wanted 2`, `wanted 3` … where it is taken."""
    used = {name.casefold() for name in taken}
    if wanted.casefold() not in used:
        return wanted
    number = 2
    while True:
        ending = f" {number}"
        name = wanted[: MAX_NAME - len(ending)] + ending
        if name.casefold() not in used:
            return name
        number += 1


def find_name(text: str, candidates: Iterable[str]) -> str | None:
    """Return the exact match, else the unique beginning, else None."""
    wanted = unicodedata.normalize("NFKC", text).strip().casefold()
    beginnings = []
    for candidate in candidates:
        folded = candidate.casefold()
        if folded == wanted:
            return candidate
        if wanted and folded.startswith(wanted):
            beginnings.append(candidate)
    return beginnings[0] if len(beginnings) == 1 else None


def in_brief(names: Iterable[str]) -> list[str]:
    """Return names with those of a numbered series drawn together.

    >>> in_brief(["Rhea", "Wolf 1", "Wolf 2", "Wolf 3", "Wolf 5"])
    ['Rhea', 'Wolf 1-3', 'Wolf 5']
    """
    found: list[tuple[str, int, int]] = []
    for name in names:
        head, _, number = name.rpartition(" ")
        at = int(number) if head and number.isdecimal() else 0
        if at and found and found[-1][0] == head and found[-1][2] == at - 1:
            found[-1] = (head, found[-1][1], at)
        else:
            found.append((head, at, at) if at else (name, 0, 0))
    return [
        head if not first else f"{head} {first}" if first == last else f"{head} {first}-{last}"
        for head, first, last in found
    ]


def resolve_name(text: str, candidates: Sequence[str], what: str, *, rule: str | None = None) -> str:
    """Find one of `candidates` by its name or unique beginning.

    Raises: Ambiguous where several begin so; Malformed where none does; both name the candidates.
    """
    found = find_name(text, candidates)
    if found is not None:
        return found
    wanted = unicodedata.normalize("NFKC", text).strip().casefold()
    fitting = [candidate for candidate in candidates if wanted and candidate.casefold().startswith(wanted)]
    if fitting:
        raise Ambiguous(
            f"{text.strip()[:40]} fits several.",
            candidates=tuple(fitting),
            rule=rule,
            instead=f"Which one: {shown(fitting)}?",
        )
    if not candidates:
        raise Malformed(f"There is no {what} that {text.strip()[:40] or 'it'} could name here.", rule=rule)
    raise Malformed(
        f"No {what} is called {text.strip()[:40] or '(nothing)'}.",
        rule=rule,
        instead=f"Try: {shown(_nearest_first(wanted, candidates))}.",
    )


def _nearest_first(wanted: str, candidates: Sequence[str]) -> Iterable[str]:
    """Return the candidates, those before the others that somebody who slipped may have meant."""
    folded = {each.casefold(): each for each in candidates}
    near = [folded[each] for each in get_close_matches(wanted, folded, cutoff=_CLOSE)]
    return dict.fromkeys((*near, *candidates))


def resolve_names(text: str, candidates: Sequence[str], what: str, *, rule: str | None = None) -> tuple[str, ...]:
    """Split a list at commas and find each; doubles count once, in the order typed.

    `Goblin*` is all whose names begin so.
    """
    parts = [part for part in (piece.strip() for piece in text.split(",")) if part]
    if not parts:
        raise Malformed(f"Name at least one {what}.", rule=rule, instead=f"Try: {shown(candidates)}.")
    found: dict[str, None] = {}
    for part in parts:
        several = beginning_with(part, candidates)
        found |= dict.fromkeys(several or (resolve_name(part, candidates, what, rule=rule),))
    return tuple(found)


def beginning_with(text: str, candidates: Sequence[str]) -> tuple[str, ...]:
    """Return all that `Goblin*` names; nothing where the text is no such thing.

    >>> beginning_with("gob*", ["Goblin 1", "Ogre", "Goblin 2"]), beginning_with("Goblin", ["Goblin 1"])
    (('Goblin 1', 'Goblin 2'), ())
    """
    if not text.endswith("*"):
        return ()
    wanted = unicodedata.normalize("NFKC", text[:-1]).strip().casefold()
    return tuple(name for name in candidates if name.casefold().startswith(wanted))


def shown(names: Iterable[str], most: int = _SHOWN_CANDIDATES) -> str:
    """Join names for a sentence; a long list ends with a count."""
    listed = list(names)
    if len(listed) <= most:
        return ", ".join(listed)
    return ", ".join(listed[:most]) + f" and {len(listed) - most} more"
