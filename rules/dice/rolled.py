"""What was rolled: the dice of each term, or the elements of a set, with what became of them."""

from __future__ import annotations

from itertools import compress

from rules.dice.source import Die
from rules.dice.tree import DiceTerm, Node, Number

Circumstance = tuple[str | None, str, tuple[str, ...] | None]  # who, purpose, seen_by: the same for a whole roll


class Changes:
    """What rerolls, explosions, minimum and maximum did to the dice of a term, by place.

    `places` are the draws that now count, `replaced` the values they took the place of.
    """

    __slots__ = ("exploded", "forced", "places", "replaced")

    def __init__(self, count: int) -> None:
        self.places = list(range(count))
        self.replaced: dict[int, list[int]] = {}
        self.exploded: set[int] = set()
        self.forced: dict[int, int] = {}


class RolledDice:
    """The dice of one term: `faces` as drawn, `values` as they count now, `alive` None while all are kept."""

    __slots__ = ("alive", "changes", "faces", "is_plain", "physical", "sizes", "term", "values")

    def __init__(self, term: DiceTerm, faces: list[int]) -> None:
        self.term = term
        self.faces = faces
        self.values = faces
        self.alive: list[bool] | None = None
        self.changes: Changes | None = None
        self.is_plain = False  # nothing has been done to them, so all are kept as they fell
        self.physical = 0  # so many of the first were typed in
        self.sizes: list[int] | None = None  # where they are not all of the term's size

    @property
    def total(self) -> int:
        if self.alive is None:
            return sum(self.values)
        return sum(compress(self.values, self.alive))

    def keep_only(self, places: set[int]) -> None:
        alive = self.alive
        self.is_plain = False
        if alive is None:
            self.alive = [place in places for place in range(len(self.values))]
        else:
            self.alive = [is_alive and place in places for place, is_alive in enumerate(alive)]

    def drop(self) -> None:
        """Drop all of them, with the set element that they stand in."""
        self.alive = [False] * len(self.values)
        self.is_plain = False

    def as_records(self, circumstance: Circumstance) -> list[Die]:
        """Return the dice in drawing order, for the log."""
        who, purpose, seen_by = circumstance
        sizes = self.sizes or [self.term.sides] * len(self.faces)
        alive = self.alive or [True] * len(self.values)
        places = self.changes.places if self.changes else range(len(self.values))
        kept = {place for place, is_alive in zip(places, alive, strict=True) if is_alive}
        return [
            Die(sides, face, who, purpose, at in kept, seen_by, at < self.physical)
            for at, (sides, face) in enumerate(zip(sizes, self.faces, strict=True))
        ]


class RolledSet:
    """A set that operators worked on: each element with its value and the rolled terms inside it."""

    __slots__ = ("alive", "elements", "inside", "values")

    def __init__(self, elements: tuple[Node, ...], values: list[Number], inside: list[list[Slot]]) -> None:
        self.elements = elements
        self.values = values
        self.inside = inside
        self.alive = [True] * len(values)

    @property
    def total(self) -> Number:
        return sum(compress(self.values, self.alive))

    def keep_only(self, places: set[int]) -> None:
        for place, is_alive in enumerate(self.alive):
            if is_alive and place not in places:
                self.alive[place] = False
                for slot in self.inside[place]:
                    slot.drop()

    def drop(self) -> None:
        self.keep_only(set())

    def as_records(self, circumstance: Circumstance) -> list[Die]:
        return [die for slots in self.inside for slot in slots for die in slot.as_records(circumstance)]


Slot = RolledDice | RolledSet
