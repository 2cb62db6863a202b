"""Names that people type: cleaning, uniqueness, and finding one among many (design 3.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import count
from typing import TypeVar

from rules.core.typed import letters
from rules.core.typed.skeleton import look, skeleton
from rules.errors import Ambiguous, LookAlike, Malformed

T = TypeVar("T")

MAX_NAME = 32
_MOST_WORDS = 4
_SHOWN_CANDIDATES = 10
_CLOSE = 0.6  # how alike a slip and what was meant are


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# What says more than a name
_NO_NAME = _set(
    """
    if unless when while until for or and by on against but except plus from to with instead only then once twice not
    no never none isn't aren't can't cannot won't don't doesn't may must each every all any both either half double x
    i you it its your my they their them self target targets ally allies enemy enemies foe foes
    deal deals damage gain gains lose loses take takes roll pay spend cost costs hp armor ignore ignores limit recharge
    shift shifts push pushes pull pulls slide slides move moves teleport teleports regain regains heal heals
    remove removes cure cures
    next again later
    adjacent range reach melee ranged area line cone burst blast aura attack attacks critical crit hit miss
    """
)


def is_one_name(text: str) -> bool:
    """Tell whether a text may be somebody's word for one thing: four words at most, and none that says on.

    >>> is_one_name("Off Balance"), is_one_name("Off Balance unless it is large")
    (True, False)
    """
    words = text.casefold().replace("’", "'").split()
    return 0 < len(words) <= _MOST_WORDS and _NO_NAME.isdisjoint(words) and not any(sign in text for sign in ".;:,?!")


def clean_text(text: str) -> str:
    """Return what a person gave without control and bidirectional characters; tabs and line feeds stay."""
    return letters.without_controls(text)


def clean_texts(value: T) -> T:
    """Clean every text of a JSON value, the keys of its objects too."""
    if isinstance(value, str):
        return clean_text(value)  # type: ignore[return-value] # a str comes back for a str
    if isinstance(value, list):
        return [clean_texts(each) for each in value]  # type: ignore[return-value] # a list for a list
    if isinstance(value, dict):
        return {clean_texts(key): clean_texts(each) for key, each in value.items()}  # type: ignore[return-value] # a dict for a dict
    return value


def parse_name(text: str, what: str = "name") -> str:
    """Return `text` as a name of 1–32 characters after NFKC and trimming.

    Raises: Malformed, with the characters that are not allowed.
    """
    name = letters.normalized(text)
    bad = letters.misplaced(name)
    if bad:
        shown = " ".join(char if char.isprintable() else f"U+{ord(char):04X}" for char in bad[:5])
        raise Malformed(
            f"A {what} can't have {shown} in it.",
            instead="You can use letters, digits, spaces, apostrophes and emoji.",
        )
    if not letters.is_visible(name):
        raise Malformed(
            f"A {what} needs a letter, a digit or an emoji that people can see.", instead="Use 1 to 32 characters."
        )
    if name[0] in letters.LEADING:
        raise Malformed(f"A {what} can't begin with {name[0]}.", instead="Begin with a letter, a digit or an emoji.")
    if len(name) > MAX_NAME:
        raise Malformed(f"That {what} has {len(name)} characters; {MAX_NAME} are allowed.", instead="Shorten it.")
    return name


def parse_called(text: str, sides: Iterable[str] = ()) -> str:
    """Return `text` as what somebody, or an encounter, is to be called from now on. Raises: Malformed."""
    name = parse_name(text)
    taken = [*letters.RESERVED, *sides]
    if any(skeleton(name) == skeleton(word) for word in taken):
        raise Malformed(
            f"Nobody can be called {name}: commands use that word.", instead=f"You can use {unique_name(name, taken)}."
        )
    return name


def require_apart(name: str, others: Iterable[str], option: str = "name") -> None:
    """Ask about a new name, which that option gives, if only the script tells it from another. Raises: LookAlike."""
    alike = [other for other in others if look(other) == look(name)]
    if alike and all(skeleton(other) != skeleton(name) for other in alike):
        raise LookAlike(name, alike[0], option)


def clean_name(text: str, fallback: str = "Player") -> str:
    """Make a name out of a display name: what is not allowed is dropped, the rest cut at 32 characters."""
    fitting = letters.normalized(letters.fitting(letters.normalized(text)))  # what was apart may now come together
    name = " ".join(fitting.split()).lstrip(letters.LEADING + " ")
    kept = letters.fitting(name[:MAX_NAME]).strip()  # a cut through an emoji leaves half of it
    return kept if letters.is_visible(kept) else fallback


def unique_name(wanted: str, taken: Iterable[str]) -> str:
    """Return `wanted`, or `wanted 2`, `wanted 3` … if it is taken."""
    used = {skeleton(name) for name in taken}
    if skeleton(wanted) not in used:
        return wanted
    endings = (f" {number}" for number in count(2))
    names = (wanted[: MAX_NAME - len(ending)].rstrip() + ending for ending in endings)
    return next(name for name in names if skeleton(name) not in used)


def find_name(text: str, candidates: Iterable[str]) -> str | None:
    """Return the exact match, else the unique beginning, else None."""
    wanted = skeleton(text)
    beginnings = []
    for candidate in candidates:
        folded = skeleton(candidate)
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

    Raises: Ambiguous if several begin so; Malformed if none does; both name the candidates.
    """
    found = find_name(text, candidates)
    if found is not None:
        return found
    wanted = skeleton(text)
    fitting = [candidate for candidate in candidates if wanted and skeleton(candidate).startswith(wanted)]
    if fitting:
        raise Ambiguous(
            f"{text.strip()[:40]} could be several.",
            candidates=tuple(fitting),
            rule=rule,
            instead=f"Which one: {shown(fitting)}?",
        )
    if not candidates:
        raise Malformed(f"There is no {what} here that {text.strip()[:40] or 'it'} could mean.", rule=rule)
    several = [name for name in candidates if (folded := skeleton(name)) and folded in wanted]
    advice = f"Put commas between them: {', '.join(several)}" if len(several) > 1 else ""
    raise Malformed(
        f"No {what} is called {text.strip()[:40] or '(nothing)'}.",
        rule=rule,
        instead=f"{advice or f'Try: {shown(_nearest_first(wanted, candidates))}'}.",
    )


def _nearest_first(wanted: str, candidates: Sequence[str]) -> Iterable[str]:
    """Return the candidates, those before the others that somebody who slipped may have meant."""
    folded = {skeleton(candidate): candidate for candidate in candidates}
    near = [folded[match] for match in get_close_matches(wanted, folded, cutoff=_CLOSE)]
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
    """Return all that `Goblin*` names; nothing if the text is no such thing.

    >>> beginning_with("gob*", ["Goblin 1", "Ogre", "Goblin 2"]), beginning_with("Goblin", ["Goblin 1"])
    (('Goblin 1', 'Goblin 2'), ())
    """
    if not text.endswith("*"):
        return ()
    wanted = skeleton(text[:-1])
    return tuple(name for name in candidates if skeleton(name).startswith(wanted))


def shown(names: Iterable[str], most: int = _SHOWN_CANDIDATES) -> str:
    """Join names for a sentence; a long list ends with a count."""
    listed = list(names)
    if len(listed) <= most:
        return ", ".join(listed)
    return ", ".join(listed[:most]) + f" and {len(listed) - most} more"
