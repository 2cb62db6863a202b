"""What an expression says, before anything is rolled. Printing it gives the normalised source.

Nodes are shared and nobody writes to them; they are not frozen, since that makes making one five times as slow.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

ADVANTAGE = {1: 6, 2: 8, 3: 10, 4: 12}  # TA-01: the additional die by the number of sources
DISADVANTAGE = {1: 12, 2: 10, 3: 8, 4: 6}  # TA-02
MOST_SOURCES = 4

MOST_DICE = 1000  # of one command
LARGEST = 10**15

COUNTING = frozenset({"s", "f", "ss", "b"})  # operators that count dice: successes, failures taken off, some again
FATE = (-1, 0, 1)  # what the three faces of a fate die show
EXPLODING = frozenset({"e", "eo", "ep", "ec"})
WORTH = {"s": 1, "ss": 1, "f": -1, "b": 0}  # what a die that is taken adds to a count
COMPARISONS = frozenset({"==", ">=", "<=", "!=", "<", ">"})

Number = int | float


class Selector(NamedTuple):
    """Which values an operator takes: `h` `l` the highest or lowest, `<` `>` by size, empty: equal to."""

    category: str
    number: int

    def __str__(self) -> str:
        return f"{self.category}{self.number}"

    def covers(self, lowest: int, highest: int) -> bool:
        """Say whether every value of that range is taken."""
        if self.category == "<":
            return highest < self.number
        if self.category == ">":
            return lowest > self.number
        return not self.category and lowest == highest == self.number


class Operator(NamedTuple):
    """One of k p rr ro ra e eo ep ec mi ma s f ss, with its selectors: neighbours of one name are one (`k1k2`)."""

    name: str
    selectors: tuple[Selector, ...]

    def __str__(self) -> str:
        return _operator_text(self)


@lru_cache(maxsize=256)
def _operator_text(operator: Operator) -> str:
    written = _least_or_most if operator.name in COUNTING else str
    return "".join([f"{operator.name}{written(selector)}" for selector in operator.selectors])


def _least_or_most(selector: Selector) -> str:
    """Write the faces that count as people say them: 7 or more, not more than 6."""
    category, number = selector
    return f"{category}={number + 1 if category == '>' else number - 1}" if category else str(number)


Operators = tuple[Operator, ...]


@dataclass(slots=True, unsafe_hash=True)
class Literal:
    value: Number
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        value = self.value
        shown = str(value) if isinstance(value, int) else format(Decimal(repr(value)), "f")
        return shown + notes_text(self.notes)


@dataclass(slots=True, unsafe_hash=True)
class DiceTerm:
    """`number` dice of one size. `edge` is the n of `adv n`, or −n for `dis n`; `faces` are what own faces show."""

    number: int
    sides: int
    operators: Operators = ()
    notes: tuple[str, ...] = ()
    edge: int = 0
    faces: tuple[int, ...] = ()

    @property
    def highest(self) -> int:
        return max(self.faces) if self.faces else self.sides

    @property
    def lowest(self) -> int:
        return min(self.faces) if self.faces else 1

    @property
    def fate(self) -> bool:
        return self.faces == FATE

    def shown(self, faces: list[int]) -> list[int]:
        """Return what dice show that fell on these faces, counted from 1."""
        own = self.faces
        return [own[face - 1] for face in faces] if own else faces

    @property
    def additional_sides(self) -> int:
        """Return the size of the die that advantage or disadvantage adds. Rule: TA-01, TA-02."""
        if self.edge > 0:
            return ADVANTAGE[min(self.edge, MOST_SOURCES)]
        return DISADVANTAGE[min(-self.edge, MOST_SOURCES)]

    @property
    def dice_count(self) -> int:
        return self.number + (self.edge != 0)

    @property
    def is_counted(self) -> bool:
        """Say whether its dice are counted as successes instead of added."""
        return bool(self.operators) and self.operators[-1].name in COUNTING

    @property
    def label(self) -> str:
        """Return the term as typed, without its notes."""
        faces = "F" if self.fate else f"{{{', '.join(map(str, self.faces))}}}" if self.faces else self.sides
        shown = f"{self.number}d{faces}"
        if self.edge:
            return f"{shown} {'adv' if self.edge > 0 else 'dis'} {abs(self.edge)}"
        if not self.operators:
            return shown
        on_highest = (("", self.highest),)
        return shown + "".join(
            ["!" if one.name == "e" and one.selectors == on_highest else str(one) for one in self.operators]
        )

    def __str__(self) -> str:
        return self.label + notes_text(self.notes)


@dataclass(slots=True, unsafe_hash=True)
class Group:
    """Something in parentheses. Its operators act on the dice or set inside, else on the value as a whole."""

    inside: Node
    operators: Operators = ()
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"({self.inside}){operators_text(self.operators)}{notes_text(self.notes)}"


@dataclass(slots=True, unsafe_hash=True)
class NumberSet:
    elements: tuple[Node, ...]
    operators: Operators = ()
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        inside = ", ".join(map(str, self.elements))
        comma = "," if len(self.elements) == 1 else ""
        return f"({inside}{comma}){operators_text(self.operators)}{notes_text(self.notes)}"


@dataclass(slots=True, unsafe_hash=True)
class Unary:
    sign: str
    operand: Node

    def __str__(self) -> str:
        return f"{self.sign}{self.operand}"


@dataclass(slots=True, unsafe_hash=True)
class Chain:
    """Operands joined by operators of one precedence, to be worked off from the left."""

    first: Node
    rest: tuple[tuple[str, Node], ...]

    def __str__(self) -> str:
        return f"{self.first}" + "".join(f" {sign} {operand}" for sign, operand in self.rest)


@dataclass(slots=True, unsafe_hash=True)
class Call:
    """A function of its arguments: floor, ceil or abs of one, min or max of several."""

    name: str
    arguments: tuple[Node, ...]
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.arguments))}){notes_text(self.notes)}"


@dataclass(slots=True, unsafe_hash=True)
class RolledPool:
    """As many dice as a roll comes to: (1d4)d6. The dice term itself has the number 0."""

    number: Node
    dice: DiceTerm

    def __str__(self) -> str:
        return f"({self.number}){str(self.dice)[1:]}"


Node = Literal | DiceTerm | RolledPool | Group | NumberSet | Unary | Chain | Call


class Expression:
    """A whole expression as parsed. Cached and shared, so nobody writes to it.

    `terms` are its dice in the order in which they are drawn. `dice_count` is what it draws for certain, all repeats
    together, and `exploding` how many of these may explode. `compares` is the sign if the whole is one comparison:
    such a roll succeeds or fails. `is_count` says that the total is a number of successes. `warnings` are words for
    the one who typed it, of what may not be what they meant.
    """

    __slots__ = (
        "comment",
        "compares",
        "dice_count",
        "exploding",
        "is_count",
        "repeats",
        "root",
        "terms",
        "warnings",
    )

    def __init__(self, root: Node, terms: tuple[DiceTerm, ...], repeats: int, comment: str) -> None:
        self.root = root
        self.terms = terms
        self.repeats = repeats
        self.comment = comment
        self.warnings: tuple[str, ...] = ()
        self.compares = ""
        if isinstance(root, Chain) and len(root.rest) == 1 and root.rest[0][0] in COMPARISONS:
            self.compares = root.rest[0][0]
        dice = exploding = counted = 0
        for term in terms:
            dice += term.number + 1 if term.edge else term.number
            for operator in term.operators:
                if operator.name in EXPLODING:
                    exploding += term.number
                elif operator.name == "s":
                    counted += 1
        self.is_count = 0 < counted == len(terms)
        self.dice_count = dice * repeats
        self.exploding = exploding * repeats

    @property
    def text(self) -> str:
        """Return the normalised source; parsing it gives an equal expression."""
        root = str(self.root)
        if self.repeats > 1:
            root = f"{self.repeats}x{root}" if isinstance(self.root, (Group, NumberSet)) else f"{self.repeats}x {root}"
        return f"{root} # {self.comment}" if self.comment else root

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Expression({self.text!r})"

    @property
    def bare(self) -> Expression:
        """Return the same dice without the reason that comes after them."""
        return Expression(self.root, self.terms, self.repeats, "") if self.comment else self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Expression):
            return NotImplemented
        return (self.root, self.repeats, self.comment) == (other.root, other.repeats, other.comment)

    def __hash__(self) -> int:
        return hash((self.root, self.repeats, self.comment))


def operators_text(operators: Operators) -> str:
    return "".join(map(str, operators))


def notes_text(notes: tuple[str, ...]) -> str:
    return "".join(f" [{note}]" for note in notes)
