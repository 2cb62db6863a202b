"""Words of an ability that mean its fields: `VOLLEY, range 8` is `activation volley; range 8` (effects 1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from rules.core.typed.patterns import compiled, plain_words
from rules.core.typed.sentences import Token, sentences_in
from rules.core.values import Ability

JOINED = "tags"  # the field that holds all that is said for it
BEHIND = "behind"  # the slot of a value for what stands behind the colon, as it is written
_PARTS, _STOPS, _ENDS = ",:", ".!;", ".;\n"
_ASIDE = re.compile(r"([^()]+)\(([^()]+)\)")
# What goes on about the words before it: `range 8, 12 from high ground`
_GOES_ON = re.compile(
    r"[,:]?\s*(?:\d+ (?:if|when|from|against|in|on|with)|if|unless|when|while|or|but|except|only|not|instead)\b",
    re.IGNORECASE,
)


class Said(NamedTuple):
    """Words from one place to another that mean fields: their values by key."""

    begins: int
    ends: int
    fields: Mapping[str, str]


class Spoken:
    """The words of a system's fields. A form is as in `typed.patterns`; each has the fields that it means.

    A value may name slots of its form, or `BEHIND`; what a slot in capitals takes is written in capitals. Words count
    as a whole sentence, or as the first of one, up to a comma or a colon; behind them nothing may go on about them.
    A text may imply fields that it does not say (`implies`). A clause that is `formal` says nothing of what happens, so
    that no other changes it.
    """

    def __init__(
        self,
        forms: Sequence[tuple[str, Mapping[str, str]]],
        slots: Mapping[str, str],
        implies: Callable[[Ability], Mapping[str, str]] = lambda _ability: {},
        formal: re.Pattern[str] | None = None,
    ) -> None:
        self._formal = formal
        self.implies = implies
        self._forms = tuple((compiled(form, slots), fields) for form, fields in forms)

    def is_formal(self, words: str) -> bool:
        return self._formal is not None and self._formal.fullmatch(words.strip(" .,;")) is not None

    def fields(self, words: str) -> Mapping[str, str]:
        """Return the fields that words mean, all of them; none if a word is left over."""
        plain = " " + plain_words(words)
        for form, fields in self._forms:
            if (match := form.fullmatch(plain)) is not None and _is_as_written(match, words):
                behind = {BEHIND: words.partition(":")[2].strip()}
                return {key: value.format(**match.groupdict(""), **behind) for key, value in fields.items()}
        key, _, value = words.partition(":")
        for said in (value, f"{key} {value}") if value else ():  # `Type: Attack` and `Rebound: 2`
            key = key.strip().casefold()
            if key in (found := self.fields(said)):
                is_whole = found[key].casefold() == value.strip().casefold()
                return {**found, key: value.strip()} if is_whole else found
        aside = _ASIDE.fullmatch(words.strip(" ."))
        if aside is None:
            return {}
        before, within = self.fields(aside[1]), self.fields(aside[2])
        return {**before, **within} if before and within and before.keys().isdisjoint(within) else {}

    def said(self, source: str) -> tuple[Said, ...]:
        """Find the words of a text that mean fields; what is said twice is said the first time."""
        return _said(self, source)

    def first(self, source: str, fragments: Sequence[tuple[int, int]]) -> Iterator[Said]:
        """Yield what a sentence says, parted into fragments: all of it, or its first ones."""
        begins, ends = (fragments[0][0], fragments[-1][1]) if fragments else (0, 0)
        if whole := self.fields(source[begins:ends]):
            yield Said(begins, ends, whole)
            return
        for first, last in fragments:
            fields = self.fields(source[first:last])
            if not fields or _GOES_ON.match(source, last, ends):
                return
            yield Said(first, last + source.startswith(":", last), fields)


@lru_cache(maxsize=4096)
def _said(spoken: Spoken, source: str) -> tuple[Said, ...]:
    found: list[Said] = []
    taken: set[str] = set()
    for fragments in map(list, map(_fragments, sentences_in(source))):
        for said in spoken.first(source, fragments):
            if not taken.isdisjoint(said.fields.keys() - {JOINED}) or _is_of_what_follows(said, source):
                break
            taken |= said.fields.keys()
            found.append(said)
    return tuple(found)


def _is_of_what_follows(said: Said, source: str) -> bool:
    """Tell whether words may be of what their sentence says alone: `Damage 1d6. 1 Focus: the target is Prone`."""
    return source[said.ends - 1] == ":" and any(sign in source[: said.begins] for sign in _ENDS)


def _is_as_written(match: re.Match[str], words: str) -> bool:
    return all(held.upper() in words for slot, held in match.groupdict("").items() if slot.isupper())


def _fragments(sentence: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Part a sentence at its commas and colons."""
    part: list[Token] = []
    for token in sentence:
        if token.text in _PARTS and not token.held:
            if part:
                yield part[0].begins, part[-1].ends
            part = []
        elif token.text not in _STOPS or token.held:
            part.append(token)
    if part:
        yield part[0].begins, part[-1].ends
