"""Reading what an ability does, sentence by sentence, into the tree (effects 3 and 9).

A sentence is read whole or not at all: a word that no form takes leaves all of it to the GM. So a negation, a condition
or a third person is never passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from rules.core.blow import Check, Damage, Deed, Effect, Inflict, Response, Save
from rules.core.effects.answers import Answering
from rules.core.effects.forms import (
    Against,
    Concentrates,
    Critical,
    Dialect,
    Half,
    HalfOnSave,
    Head,
    Most,
    Opens,
    Or,
    Part,
    Reach,
)
from rules.core.effects.patterns import plain_words
from rules.core.effects.words import said
from rules.core.sheets.abilities import FLAVOR, pieces


class Clause(NamedTuple):
    """A sentence as it stands in the text from `start` on, and what was understood of it; None: the GM is asked."""

    text: str
    start: int
    says: str | None


class Reading(NamedTuple):
    """What a text comes to."""

    deed: Deed
    clauses: tuple[Clause, ...]

    @property
    def asks(self) -> tuple[str, ...]:
        """Return what is left to the GM, word for word."""
        return tuple(each.text for each in self.clauses if each.says is None)


def read(source: str, dialect: Dialect, head: str = "", behind: int = 0, kind: str = "") -> Reading:
    """Read an ability's text as it was typed.

    `head` is what the reader of a stat block made of the words before `behind`: `hit +4; damage 1d6 cold`. What is of
    the kind reaction answers a blow without a head.
    """
    found, clauses = _headed(source[:behind], head, dialect) if head else (_Draft(), [])
    reading = _read(source, dialect, behind, found, clauses)
    if head or not reading.asks:
        return reading
    answer = _read(source, dialect.for_answers, 0, _Draft(is_answering=kind.casefold() == "reaction"), [])
    return reading if answer.asks or answer.deed.answer is None else answer


def _read(source: str, dialect: Dialect, behind: int, found: _Draft, clauses: list[Clause]) -> Reading:
    """Read the sentences of a text from `behind` on."""
    for text, start, begins_line in _units(source, dialect, behind):
        if begins_line:
            found = replace(found, head="")
        parts = None if _leans(text) and clauses and clauses[-1].says is None else _parts(text, dialect)
        after = None if not parts else _drafted(found, parts)
        clauses.append(Clause(text, start, None if after is None else said(parts or ())))
        found = after or found
    return Reading(found.made(), tuple(clauses))


def _headed(words: str, head: str, dialect: Dialect) -> tuple[_Draft, list[Clause]]:
    """Return what an attack's head comes to; it is one clause, which is asked if one of its parts is not read."""
    draft = _Draft()
    parts: list[Part] = []
    is_whole = True
    for each in head.split("; "):
        read = _parts(each, dialect)
        after = None if read is None else _drafted(draft, read)
        is_whole = is_whole and after is not None
        draft = after or draft
        parts += read or ()
    return draft, [Clause(words.strip(), 0, said(parts) if is_whole else None)]


def _units(source: str, dialect: Dialect, behind: int) -> Iterator[tuple[str, int, bool]]:
    """Return each sentence; one that cannot be read whole is parted at the last `and` before which it can."""
    for text, start, begins_line in _said_in(source, behind):
        rest = _behind_what_is_read(text, dialect)
        yield text[:rest].rstrip(" ,"), start, begins_line
        if rest is not None:
            clause = text[rest:].lstrip(" ,")
            yield clause, start + len(text) - len(clause), False


def _behind_what_is_read(text: str, dialect: Dialect) -> int | None:
    """Return where the longest beginning that can be read ends; None if the sentence is one clause."""
    if _parts(text, dialect):
        return None
    joints = [found.start() for found in _JOINT.finditer(text)]
    return next((joint for joint in reversed(joints) if _parts(text[:joint], dialect)), None)


# A clause of its own begins with `and`, but for what takes back or goes on listing: `and only at night`.
_JOINT = re.compile(
    r",? (?:and|then) (?!(?:only|no|not|never|half|less|nothing|that|this|by|on|with|from)\b)(?=[a-z])", re.IGNORECASE
)
_LEANING = re.compile(r"(?:and )?(?:then|otherwise|if it does|if they do|this|that|these)\b", re.IGNORECASE)
_JOINED = re.compile(r"^[\s.,;]*(?:and\s+(?!\d))?")
_ENDS = re.compile(r"[;\n]|(?<!\bft)\.(?=\s|$)")
_OPEN, _CLOSED = '([{"', ')]}"'


def _leans(text: str) -> bool:
    """Tell whether a sentence says on from the one before: what leans on something asked is asked with it."""
    return _LEANING.match(text) is not None


def _said_in(source: str, behind: int) -> Iterator[tuple[str, int, bool]]:
    """Return the sentences of a text from `behind` on, with where each begins; its kind says nothing that happens."""
    if behind:
        for text, start, begins_line in _sentences(source[behind:]):
            bare = _JOINED.sub("", text)
            if bare:
                yield bare, behind + start + len(text) - len(bare), begins_line and start > 0
        return
    for piece in pieces(source):
        if piece.key in ("kind", FLAVOR):
            continue
        begins = piece.ends - len(piece.value) if piece.key == "text" else piece.begins
        starts_line = source[:begins].rstrip(" ;").endswith("\n") or not source[:begins].strip()
        for text, start, begins_line in _sentences(source[begins : piece.ends]):
            yield text, begins + start, begins_line and (starts_line or start > 0)


def _sentences(source: str) -> Iterator[tuple[str, int, bool]]:
    """Part a text at full stops, semicolons and line breaks; what stands in brackets holds together."""
    start, depth, begins_line = 0, 0, True
    at = 0
    while at <= len(source):
        sign = source[at : at + 1]
        depth += (sign in _OPEN and sign != "") - (sign in _CLOSED and sign not in _OPEN and sign != "")
        if at == len(source) or (depth <= 0 and _ENDS.match(source, at)):
            piece = source[start:at]
            if piece.strip():
                yield piece.strip(), start + len(piece) - len(piece.lstrip()), begins_line
                begins_line = False
            begins_line = begins_line or sign == "\n"
            start = at + 1
        at += 1


_SEPARATOR = re.compile(r"(?: ,)? (?:and|plus)(?= )| ,(?= )")


def _parts(text: str, dialect: Dialect) -> tuple[Part, ...] | None:
    """Read a sentence whole; None where a word of it is left over."""
    words = " " + plain_words(text)
    found: list[Part] = []
    at = 0
    while at < len(words):
        read = _longest(words, at, found, dialect)
        if read is None:
            separator = _SEPARATOR.match(words, at) if found else None
            read = None if separator is None else _longest(words, separator.end(), found, dialect)
        if read is None:
            return None
        part, at = read
        found.append(part)
    starts_bare = isinstance(found[0], Damage) and "damage" not in words.split(",")[0]
    return None if starts_bare and not _carries_damage(found) else _with_saved_damage(found)


def _carries_damage(parts: list[Part]) -> bool:
    """Tell whether a check or a save says what damage in front of it is for: `1d8 slashing, +5 to hit`."""
    return any(isinstance(each, Check | Save) for each in parts)


def _longest(words: str, at: int, before: list[Part], dialect: Dialect) -> tuple[Part, int] | None:
    best: tuple[Part, int] | None = None
    for form, made in dialect.forms:
        found = form.match(words, at)
        if found is None or (best is not None and found.end() <= best[1]):
            continue
        part = made(found, dialect)
        if part is not None and not (_is_bare(part, found[0]) and not _may_be_bare(part, before)):
            best = part, found.end()
    return best


def _is_bare(part: Part, words: str) -> bool:
    """Tell whether nothing but a number or a name says what is meant: `+5`, `1d8+3 slashing`, `prone`."""
    if isinstance(part, Check):
        return "hit" not in words and "attack" not in words
    if isinstance(part, Inflict):
        return not words.split(maxsplit=1)[0].isdecimal() and words.strip().startswith(part.condition.casefold())
    return isinstance(part, Damage) and not any(each in words for each in ("damage", "dmg"))


def _may_be_bare(part: Part, before: list[Part]) -> bool:
    last = before[-1] if before else None
    if isinstance(part, Check):
        return last is None or isinstance(last, Damage | Reach) or (isinstance(last, Opens) and last.head == "attack")
    if isinstance(part, Inflict):
        return isinstance(last, Or | Inflict) or (isinstance(last, Opens) and last.head in ("hit", "miss", "failed"))
    is_under_head = isinstance(last, Opens) and last.head in ("hit", "failed")
    return last is None or is_under_head or isinstance(last, Check | Damage | Save | Reach | Most | Or)


@dataclass(frozen=True)
class _Draft:
    """A deed as far as it has been read. `saves` are those that are open to heads, the last one last."""

    head: Head = ""
    check: Check | None = None
    critical: int = 20
    said: tuple[tuple[Head, Effect], ...] = ()  # in order, each with the head that it stands under
    most: int | None = 1
    reach: str = ""
    concentration: bool = False
    is_answering: bool = False
    answer: Response | None = None

    def made(self) -> Deed:
        """Return the deed. Without a head what is said belongs to the hit if there is a check, else it happens."""
        plain: Head = "always" if self.check is None else "hit"
        under: dict[Head, list[Effect]] = {"hit": [], "miss": [], "always": []}
        for head, effect in self.said:
            under[head or plain].append(effect)
        return Deed(
            check=None if self.check is None else self.check.evolve(critical=self.critical),
            hit=tuple(under["hit"]),
            miss=tuple(under["miss"]),
            always=tuple(under["always"]),
            most=self.most,
            reach=self.reach,
            concentration=self.concentration,
            answer=self.answer,
        )

    def adding(self, effect: Effect, *, to_save: Head = "") -> _Draft | None:
        """Put an effect under the present head, or to the last save's failure or success."""
        if not to_save:
            return replace(self, said=(*self.said, (self.head, effect)))
        at = next((at for at in reversed(range(len(self.said))) if isinstance(self.said[at][1], Save)), None)
        if at is None:
            return None
        head, save = self.said[at]
        assert isinstance(save, Save)  # noqa: S101 - for the type checker
        changed = (
            save.evolve(failed=(*save.failed, effect))
            if to_save == "failed"
            else save.evolve(passed=(*save.passed, effect))
        )
        return replace(self, said=(*self.said[:at], (head, changed), *self.said[at + 1 :]))


def _drafted(draft: _Draft, parts: tuple[Part, ...]) -> _Draft | None:
    """Return the deed with what a sentence says; None if its parts do not belong together."""
    kept = draft.head
    under_or = False
    now: _Draft | None = draft
    for part in parts:
        if now is None:
            return None
        if isinstance(part, Opens):
            now = replace(now, head=part.head)
            kept = part.head if part.is_lasting else kept
        elif isinstance(part, Or):
            under_or = True
        elif isinstance(part, Half):
            now = _halved(now, part)
        elif isinstance(part, HalfOnSave):
            now = None  # half of what?
        elif isinstance(part, Against):
            now = _numbered(now, part.number)
        elif isinstance(part, Check):
            now = None if now.check is not None else replace(now, check=part)
        elif isinstance(part, Reach | Most | Critical | Concentrates):
            now = _with_fact(now, part)
        elif isinstance(part, Answering):
            now = replace(now, is_answering=True)
        elif isinstance(part, Response):
            now = replace(now, answer=part) if now.is_answering and now.answer is None else None
        else:
            now = _with_effect(now, part, under_or=under_or)
    if now is None or any(isinstance(each, Save) and not each.against for _, each in now.said):
        return None
    return replace(now, head="" if kept == "attack" else kept)


def _with_saved_damage(parts: list[Part]) -> tuple[Part, ...]:
    """Put the damage that a save is about into the save: `DC 14 DEX save, 8d6 fire, half on a success`.

    It stands behind the save; before it only if no attack has it, and half of it is said to be left.
    """
    at = next((at for at, each in enumerate(parts) if isinstance(each, Save)), None)
    if at is None:
        return tuple(parts)
    ends = next((end for end in range(at, len(parts)) if isinstance(parts[end], Opens | Or)), len(parts))
    halves = [each for each in parts if isinstance(each, HalfOnSave)]
    meant = [each for each in parts[at:ends] if isinstance(each, Damage)]
    if not meant and halves and not any(isinstance(each, Check) for each in parts):
        meant = [each for each in parts[:at] if isinstance(each, Damage)]
    save = parts[at]
    if not meant or not isinstance(save, Save):
        return tuple(parts)
    passed = tuple(each.evolve(half=True) for each in meant) if halves else ()
    full = save.evolve(failed=(*save.failed, *meant), passed=(*save.passed, *passed))
    return tuple(full if each is save else each for each in parts if each not in meant and each not in halves)


def _with_fact(draft: _Draft, part: Reach | Most | Critical | Concentrates) -> _Draft:
    if isinstance(part, Reach):
        return replace(draft, reach=part.words)
    if isinstance(part, Most):
        return replace(draft, most=part.number or None)
    if isinstance(part, Critical):
        return replace(draft, critical=part.at)
    return replace(draft, concentration=True)


def _with_effect(draft: _Draft, effect: Effect, *, under_or: bool) -> _Draft | None:
    if under_or:
        return draft.adding(effect, to_save="failed")
    if draft.head in ("failed", "passed"):
        return draft.adding(effect, to_save=draft.head)
    return replace(draft, head="").adding(effect) if draft.head == "attack" else draft.adding(effect)


def _halved(draft: _Draft, part: Half) -> _Draft | None:
    """Put half of the damage said before under a miss, or under a save's success."""
    if part.on_a_miss or draft.head == "miss":
        wholes = [each for head, each in draft.said if isinstance(each, Damage) and head in ("", "hit")]
        on_a_miss: Head = "miss"
        halves = tuple((on_a_miss, each.evolve(half=True)) for each in wholes)
        return replace(draft, said=(*draft.said, *halves)) if halves else None
    saves = [each for _, each in draft.said if isinstance(each, Save)]
    if draft.head != "passed" or not saves:
        return None
    now: _Draft | None = draft
    for each in saves[-1].failed:
        if isinstance(each, Damage) and now is not None:
            now = now.adding(each.evolve(half=True), to_save="passed")
    return now


def _numbered(draft: _Draft, number: str) -> _Draft | None:
    """Give the save whose head stood alone its number."""
    if not draft.said or not isinstance(draft.said[-1][1], Save) or draft.said[-1][1].against:
        return None
    head, save = draft.said[-1]
    return replace(draft, said=(*draft.said[:-1], (head, save.evolve(against=number))))
