"""What else players of other bots may have meant by a text that is rolled as d20 reads it: told in private."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rules.dice.tree import (
    Call,
    Chain,
    DiceTerm,
    Expression,
    Group,
    Node,
    NumberSet,
    Operator,
    Selector,
    Unary,
)


class OtherReading(NamedTuple):
    """`words` say what was done and what the other reading is; `text` is how that one is written."""

    words: str
    text: str


def other_readings(expression: Expression) -> tuple[OtherReading, ...]:
    """Return the other readings of a roll, those of `k3` and of a pool compared with a face."""
    found = [*_bare_keeps(expression), *_compared_pools(expression), *_bare_successes(expression)]
    return tuple(dict.fromkeys(found))


def _bare_keeps(expression: Expression) -> Iterator[OtherReading]:
    """Find `4d6k3`: elsewhere it keeps the three highest."""
    for term in expression.terms:
        for operator in term.operators:
            bare = [one for one in operator.selectors if not one.category]
            if operator.name == "k" and len(bare) == len(operator.selectors) == 1 and bare[0].number:
                number = bare[0].number
                kept = Operator("k", (Selector("h", number),))
                other = _with(term, tuple(kept if one is operator else one for one in term.operators))
                what = f"the {number} highest dice" if number > 1 else "the highest die"
                yield OtherReading(
                    f"{term.label} keeps the dice that show {number}. To keep {what}, write {other.label}.",
                    _swapped_text(expression, term, other),
                )


def _compared_pools(expression: Expression) -> Iterator[OtherReading]:
    """Find `6d10>=7`: elsewhere it counts the dice of 7 or more."""
    root = expression.root
    if not expression.compares or not isinstance(root, Chain) or expression.compares == "!=":
        return
    term, ((sign, bound),) = root.first, root.rest
    if not isinstance(term, DiceTerm) or term.number < 2 or term.edge or term.fate or term.is_counted:
        return
    is_face = str(bound).isdecimal() and int(str(bound)) <= term.sides
    if not is_face or any(one.name in {"k", "p"} for one in term.operators):
        return
    number = int(str(bound))
    selector = {
        ">=": Selector(">", number - 1),
        ">": Selector(">", number),
        "<=": Selector("<", number + 1),
        "<": Selector("<", number),
        "==": Selector("", number),
    }[sign]
    other = _with(term, (*term.operators, Operator("s", (selector,))))
    yield OtherReading(
        f"{term.label}{sign}{number} compares the total. To count the dice, write {other.label}.",
        _made(expression, str(other)),
    )


def _bare_successes(expression: Expression) -> Iterator[OtherReading]:
    """Find `6d10s7`: elsewhere it counts the dice of 7 or more, here those that show 7."""
    for term in expression.terms:
        for operator in term.operators:
            if operator.name == "s" and len(operator.selectors) == 1 and not operator.selectors[0].category:
                number = operator.selectors[0].number
                if number >= term.sides:
                    continue
                more = Operator("s", (Selector(">", number - 1),))
                other = _with(term, tuple(more if one is operator else one for one in term.operators))
                yield OtherReading(
                    f"{term.label} counts the dice that show {number}. For {number} or more, write {other.label}.",
                    _swapped_text(expression, term, other),
                )


def _with(term: DiceTerm, operators: tuple[Operator, ...]) -> DiceTerm:
    return DiceTerm(term.number, term.sides, operators, term.notes, term.edge, term.fate)


def _swapped_text(expression: Expression, term: DiceTerm, other: DiceTerm) -> str:
    return _made(expression, str(swapped(expression.root, term, other)))


def _made(expression: Expression, root: str) -> str:
    repeats = f"{expression.repeats}x " if expression.repeats > 1 else ""
    return f"{repeats}{root}" + (f" # {expression.comment}" if expression.comment else "")


def swapped(node: Node, term: DiceTerm, other: DiceTerm) -> Node:
    """Return a tree with another dice term in the place of this one."""
    if node is term:
        return other
    if isinstance(node, Chain):
        rest = tuple((sign, swapped(operand, term, other)) for sign, operand in node.rest)
        return Chain(swapped(node.first, term, other), rest)
    if isinstance(node, Unary):
        return Unary(node.sign, swapped(node.operand, term, other))
    if isinstance(node, Group):
        return Group(swapped(node.inside, term, other), node.operators, node.notes)
    if isinstance(node, NumberSet):
        inside = tuple(swapped(element, term, other) for element in node.elements)
        return NumberSet(inside, node.operators, node.notes)
    if isinstance(node, Call):
        return Call(node.name, tuple(swapped(each, term, other) for each in node.arguments), node.notes)
    return node
