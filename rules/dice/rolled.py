"""What was rolled: the dice of each term, or the elements of a set, with what became of them."""

from __future__ import annotations

import operator as signs
from collections.abc import Callable, Iterator
from itertools import compress, repeat
from typing import NamedTuple

from rules.dice.source import Die
from rules.dice.tree import DiceTerm, Number

Circumstance = tuple[str | None, str, tuple[str, ...] | None]  # who, purpose, seen_by: the same for a whole roll


class Changes:
    """What rerolls, explosions, minimum and maximum did to the dice of a term, by place.

    `places` are the draws that now count, `replaced` the values they took the place of, `added` further draws that
    are one die with the one of that place.
    """

    __slots__ = ("added", "exploded", "forced", "places", "replaced")

    def __init__(self, count: int) -> None:
        self.places = list(range(count))
        self.replaced: dict[int, list[int]] = {}
        self.exploded: set[int] = set()
        self.added: dict[int, list[int]] = {}
        self.forced: dict[int, int] = {}


_COMPARE: dict[str, Callable[[Number, Number], bool]] = {
    "==": signs.eq,
    "!=": signs.ne,
    "<": signs.lt,
    ">": signs.gt,
    "<=": signs.le,
    ">=": signs.ge,
}


class Compared(NamedTuple):
    """Both sides of a comparison of a total."""

    left: Number
    sign: str
    right: Number

    @property
    def succeeds(self) -> bool:
        return _COMPARE[self.sign](self.left, self.right)

    @property
    def margin(self) -> Number | None:
        """Return by how much it succeeds, or below 0 fails; None if only being equal counts."""
        if self.sign in {"==", "!="}:
            return None
        return self.right - self.left if self.sign[0] == "<" else self.left - self.right


class RolledDice:
    """The dice of a term: `faces` as drawn, `values` as they count now, `alive` None while all are kept.

    `counted`, if successes are counted, has for each die what it adds: 1, 0, or −1 for a failure.
    """

    __slots__ = ("alive", "changes", "counted", "faces", "term", "values")

    def __init__(self, term: DiceTerm, faces: list[int]) -> None:
        self.term = term
        self.faces = faces
        self.values = faces
        self.alive: list[bool] | None = None
        self.changes: Changes | None = None
        self.counted: list[int] | None = None

    @property
    def kept_draws(self) -> list[bool]:
        """Say of each draw whether it counts in the end."""
        alive = self.alive or [True] * len(self.values)
        if self.changes is None:
            return alive
        kept = set(compress(self.changes.places, alive))
        for place, draws in self.changes.added.items():
            kept.update(draws if alive[place] else ())
        return [at in kept for at in range(len(self.faces))]


class RolledSet:
    """A set that operators work on: each element with its value and the rolled terms inside it."""

    __slots__ = ("alive", "inside", "values")

    def __init__(self, values: list[Number], inside: list[list[Slot]]) -> None:
        self.values = values
        self.alive: list[bool] | None = None
        self.inside = inside


Slot = list[int] | RolledDice | RolledSet  # the faces of a term to which nothing is done are kept as they fall


def kept_sum(slot: RolledDice | RolledSet) -> Number:
    return sum(slot.values) if slot.alive is None else sum(compress(slot.values, slot.alive))


def as_records(
    slots: list[Slot], terms: Iterator[DiceTerm], circumstance: Circumstance, *, is_dropped: bool = False
) -> list[Die]:
    """Return the dice in drawing order, for the log; `terms` are those of the expression in the same order."""
    who, purpose, seen_by = circumstance
    records: list[Die] = []
    for slot in slots:
        if isinstance(slot, RolledSet):
            for inside, is_alive in zip(slot.inside, slot.alive or repeat(True), strict=False):
                records += as_records(inside, terms, circumstance, is_dropped=is_dropped or not is_alive)
            continue
        term = next(terms)
        faces, kept = (slot, repeat(True)) if isinstance(slot, list) else (slot.faces, slot.kept_draws)
        sides = term.sides
        records += [
            Die(sides, face, who, purpose, is_kept and not is_dropped, seen_by)
            for face, is_kept in zip(faces, kept, strict=False)
        ]
        if term.edge:
            records[-1].sides = term.additional_sides
    return records
