"""Walks through every course that the dice of a term can take, with the roller itself."""

from __future__ import annotations

from math import lcm

from rules.dice.pools import Ways, Work, too_long
from rules.dice.roll import term_total
from rules.dice.source import Dice
from rules.dice.tree import DiceTerm, Number, Operators

MOST_COURSES = 20_000
_DIE_SECONDS = 2.5e-6  # of one course, and all that is done with it
_CUT_WAYS = 10**15  # a course of so many ways or more is left out
_LARGEST_CUT = 1e-12


class _Course:
    """Faces of one course: those set so far, then ones."""

    def __init__(self) -> None:
        self.path: list[list[int]] = []  # [face, sides]
        self._at = 0

    def begin(self) -> None:
        self._at = 0

    def face(self, sides: int) -> int:
        if self._at == len(self.path):
            if self.ways() >= _CUT_WAYS:
                raise _TooRareError
            self.path.append([1, sides])
        face = self.path[self._at][0]
        self._at += 1
        return face

    def ways(self) -> int:
        ways = 1
        for _, sides in self.path:
            ways *= sides
        return ways

    def advance(self) -> bool:
        """Go to the next course; say whether there is one."""
        path = self.path
        while path and path[-1][0] == path[-1][1]:
            path.pop()
        if not path:
            return False
        path[-1][0] += 1
        return True


class _TooRareError(Exception):
    """The course is so rare that it is left out."""


def course_ways(term: DiceTerm, operators: Operators, work: Work) -> tuple[Ways, int]:
    """Return the ways of a term's sum, and what they add up to with what is cut."""
    least = term.sides**term.number
    if least > MOST_COURSES:
        raise _too_many(term)
    course = _Course()
    found: dict[tuple[Number, int], int] = {}
    cut = 0.0
    courses = 0
    while True:
        courses += 1
        if courses > MOST_COURSES:
            raise _too_many(term)
        course.begin()
        try:
            key = term_total(term, operators, Dice(course)), course.ways()
            found[key] = found.get(key, 0) + 1
        except _TooRareError:
            cut += 1 / course.ways()
        work.spend(_DIE_SECONDS * len(course.path), _limit(term))
        if not course.advance():
            break
    if cut > _LARGEST_CUT:
        raise _too_many(term)
    total = lcm(*(ways for _, ways in found))
    ways: Ways = {}
    for (value, one_of), number in found.items():
        ways[value] = ways.get(value, 0) + number * (total // one_of)
    return ways, total


def _limit(term: DiceTerm) -> str:
    return f"{term.label} has to be walked through course by course, and the limit is {MOST_COURSES:,} courses"


def _too_many(term: DiceTerm) -> Exception:
    return too_long(_limit(term))
