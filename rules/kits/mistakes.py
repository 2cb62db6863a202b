"""Mistakes of a kit's file: each with its path, what was found, what was expected and the nearest right word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

MOST_TOLD = 10
_SHOWN = 60
_KEY = 40
_LONGEST = 600  # of one mistake


class Mistake(NamedTuple):
    """`path` is where it is, counted from 1 in lists; empty if the file as a whole cannot be read."""

    path: str
    words: str

    def __str__(self) -> str:
        return f"{self.path}: {self.words}" if self.path else self.words


class MistakenKit(Exception):  # noqa: N818 - named for what it is, as a refusal is
    """A file that is no kit: up to ten of its mistakes, and how many there are."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        found = tuple(dict.fromkeys(mistakes))
        self.mistakes = found[:MOST_TOLD]
        self.count = len(found)
        super().__init__("\n".join(map(str, self.mistakes)))


class Faults:
    """The mistakes that are found as a file is read; nothing stops at the first."""

    def __init__(self) -> None:
        self.found: list[Mistake] = []

    def add(self, path: str, words: str) -> None:
        self.found.append(Mistake(path, words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…"))

    def require_known(self, path: str, word: str | None, known: Iterable[str], what: str) -> None:
        """Tell of a word that is none of the known ones; None if there is none."""
        words = tuple(known)
        if word is not None and word not in words:
            self.add(path, f"{as_written(word)} is not {what}.{meant(word, words)}")

    def __bool__(self) -> bool:
        return bool(self.found)

    def require_none(self) -> None:
        """Stop if something is wrong. Raises: MistakenKit."""
        if self.found:
            raise MistakenKit(self.found)


def as_written(value: object) -> str:
    """Return a value as a file shows it, cut to what fits into a sentence."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list | tuple):
        return "a list"
    text = " ".join(str(value).split())
    return (text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…") or "an empty text"


def within(path: str, key: object) -> str:
    """Return the path of what lies under a key; a number counts from 1."""
    if isinstance(key, int):
        return f"{path}[{key + 1}]"
    name = " ".join(str(key).split())
    name = name if len(name) <= _KEY else f"{name[:_KEY]}…"
    return f"{path}.{name}" if path else name


def meant(word: str, known: Iterable[str], form: str = "{}") -> str:
    """Return ` Did you mean type?`, or nothing if no known word is near.

    >>> meant("typ", ("type", "key")), meant("DXE", ("DEX", "ATK"), "{{{}}}"), meant("zz", ("type",))
    (' Did you mean type?', ' Did you mean {DEX}?', '')
    """
    near = " or ".join(form.format(each) for each in nearest(word, known))
    return f" Did you mean {near}?" if near else ""


def meant_or_all(word: str, known: Iterable[str], what: str) -> str:
    """Return ` Did you mean type?`; if no known word is near, all of them; nothing if there is none.

    >>> meant_or_all("HEAT", ("HP", "FEAR"), "Pools"), meant_or_all("HQ", ("HP", "FEAR"), "Pools")
    (' Pools here: HP, FEAR.', ' Did you mean HP?')
    """
    words = tuple(known)
    return meant(word, words) or (f" {what} here: {', '.join(words)}." if words else "")


def nearest(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the words that are nearest: of an edit distance up to 2, or the one that begins with it.

    >>> nearest("looses", ("gains", "loses", "is")), nearest("atk", ("ATK",)), nearest("su", ("success", "failure"))
    (('loses',), ('ATK',), ('success',))
    """
    words = tuple(dict.fromkeys(known))
    wanted = word[:_SHOWN].casefold()
    apart = {each: _distance(wanted, each.casefold(), 2) for each in words}
    least = min(apart.values(), default=3)
    if least <= 2 and least < max(len(wanted), 1):
        return tuple(each for each in words if apart[each] == least)[:2]
    begun = [each for each in words if wanted and each.casefold().startswith(wanted)]
    return (begun[0],) if len(begun) == 1 else ()


def _distance(one: str, other: str, most: int) -> int:
    """Return how many letters differ, a swapped pair counting one; `most` + 1 if there are more."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    rows: list[list[int]] = [list(range(len(other) + 1))]
    for row, letter in enumerate(one, 1):
        line = [row]
        for column, char in enumerate(other, 1):
            cost = min(rows[row - 1][column] + 1, line[column - 1] + 1, rows[row - 1][column - 1] + (letter != char))
            if row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == char:
                cost = min(cost, rows[row - 2][column - 2] + 1)
            line.append(cost)
        rows.append(line)
    return min(rows[-1][-1], most + 1)


def as_list(value: object) -> str:
    """Return `; write ["so"]` behind a text that should be a list, and nothing behind anything else."""
    return f'; write ["{as_written(value)}"]' if isinstance(value, str) else ""


def numbered(path: str, values: Iterable[object]) -> Iterator[tuple[str, object]]:
    """Go through a list with the path of each."""
    for number, value in enumerate(values):
        yield within(path, number), value
