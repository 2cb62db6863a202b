"""How far away an ability's words let a target be, in spaces. Rule: G-06."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from rules.core.blow import Go
from rules.core.effects.abilities import reading_in
from rules.core.effects.bearer import Bearer
from rules.core.effects.forms import Dialect
from rules.core.effects.moves import spelled
from rules.core.effects.reading import Reading
from rules.core.model import per_state
from rules.core.sheets.abilities import FLAVOR, KIND, parted, source_of
from rules.core.sheets.blocks.block import head_of
from rules.core.typed.clauses import Clause
from rules.core.typed.patterns import plain_words, spaces_in
from rules.core.values import Ability

_FAR = r"([0-9]{1,4}(?:/[0-9]{1,4})?(?:ft| m)?|scope)"
_SHAPE = r"(?:burst|blast|radius|sphere|circle|square|cube|cylinder|emanation)"
_ITS = re.compile(rf"\b(?:reach|range|ranged|melee) (?:(?:range|reach) )?{_FAR}\b|\brange (touch|self)\b")
_WITHIN = re.compile(rf"\b(?:within|line|cone) (?:(?:range|reach) )?{_FAR}\b|\b{_FAR} (?:cone|line|long)\b")
_BESIDE = re.compile(r"\b(?:adjacent|you touch|touches)\b")
_AREA = re.compile(rf"\b{_SHAPE} {_FAR}\b|\b{_FAR}(?:[ -]spaces?)? {_SHAPE}\b")
_SOMEWHERE = re.compile(
    rf"(?:ft|spaces?) {_SHAPE}\b(?!.* (?:of|on|from|around) (?:you|it)\b)"
)  # nobody says where it goes off
_MELEE = re.compile(r"(?:makes? an? )?melee\b(?! or)")
_MAY_CHANGE = re.compile(r"\b(?:range|reach)\b", re.IGNORECASE)
_ELSEWHERE = re.compile(  # what is measured from may be where these lead
    r"\b(?:point|spot|throws?|hurls?|leaps?|fly|flies|moves?|charges?|dash\w*|teleports?|explo\w*)\b", re.IGNORECASE
)
_OF_ELSE = re.compile(rf"\bwithin {_FAR}(?: spaces?)? of (?!you|me|yourself)")
_WORDS = {"touch": 1, "self": 0}


class Distance(NamedTuple):
    """How many spaces away a target may be, None if only people can say; beyond `usual` a shot is a long one."""

    most: int | None = None
    usual: int | None = None


ANY = Distance()


@per_state  # of the ability: every range in every menu asks for it
def distance_said(ability: Ability, dialect: Dialect, far: int | None = None, scope: int = 0) -> Distance:
    """Return how far away the words that are read let a target be.

    A field may say how `far`: nobody who is said to be within some distance is farther, but an area begins there.
    `scope` is the number of its bearer's that words may name instead.
    """
    known = (KIND, FLAVOR, *dialect.fields)
    clauses = parted(source_of(ability), known, head_of(ability)[1], dialect.does, dialect.spoken)
    in_words = "range" not in dialect.fields
    return distance_in(clauses, reading_in(ability, dialect), far, scope, in_words=in_words, sheet=ability.sheet)


def distance_in(
    clauses: Iterable[Clause],
    reading: Reading,
    far: int | None = None,
    scope: int = 0,
    *,
    in_words: bool = True,
    sheet: str = "",
) -> Distance:
    """Return how far away those clauses that are read let a target be: see `distance_said`.

    If a range is said `in_words` alone, a sentence that the GM is asked about may change it. If its user moves first,
    only people can say.
    """
    says = reading.says
    if far is None and any(isinstance(each, Go) and each.whom == "self" for each in reading.deed.always):
        return ANY
    said = [each for each in clauses if not (each.formal or each.quoted)]
    asked = [each.text for each in said if each.begins not in says]
    if in_words and any(map(_MAY_CHANGE.search, asked)):
        return ANY
    as_you = Bearer(sheet, " ; ".join(each.text for each in said)).as_you
    words = " ; ".join(plain_words(as_you(each.text)) for each in said if each.begins in says)
    spans = _spans(_ITS, words, scope)
    if far is None and not spans and (_OF_ELSE.search(words) or any(map(_ELSEWHERE.search, asked))):
        return ANY
    spans = spans or _spans(_WITHIN, words, scope)
    spans += [(1, 1)] if _BESIDE.search(words) or (not spans and _MELEE.match(words)) else []
    within = max((most for _, most in spans), default=None)
    if within is not None:
        far = within if far is None else min(far, within)
    area = max((most for _, most in _spans(_AREA, words, scope)), default=None)
    if far is None and (area is None or _SOMEWHERE.search(words)):
        return ANY
    usual = max((usual for usual, most in spans if usual < most), default=None)
    return Distance((far or 0) + (area or 0), usual)


def _spans(form: re.Pattern[str], words: str, scope: int) -> list[tuple[int, int]]:
    """Return the distances that words name, the usual one and the most of each: `80/320ft`."""
    found = []
    for far in (next(filter(None, match.groups())) for match in form.finditer(words)):
        unit = far.lstrip("0123456789/")
        parts = far.removesuffix(unit).split("/")
        spaces = [max(1, spaces_in(part + unit) or 0) if part else _WORDS.get(far, scope) for part in parts]
        found.append((min(spaces), max(spaces)))
    return found


def spaces_said(ability: Ability, dialect: Dialect, far: int | None = None, scope: int = 0) -> int | None:
    """Return how many spaces away a target may be by an ability's words; None if nothing says it."""
    return distance_said(ability, dialect, far, scope).most


def with_spaces(words: str, clause: Clause) -> str:
    """Return what is said of a clause with how far away its targets may be, if its own words say that."""
    text = plain_words(clause.text)
    found = _WITHIN.search(text) or _BESIDE.search(text)
    if not words or clause.formal or found is None or _AREA.search(text) or _WITHIN.search(plain_words(words)):
        return words
    far = next(filter(None, found.groups()), "1")
    return f"{words}, within {spelled(far) if far[0].isdigit() else far.upper()}"
