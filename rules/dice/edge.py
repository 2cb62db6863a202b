"""Advantage and disadvantage on the one d20 of a roll that is made again."""

from __future__ import annotations

from rules.dice.tree import (
    Call,
    Chain,
    DiceTerm,
    Expression,
    Group,
    Node,
    NumberSet,
    Operator,
    RolledPool,
    Selector,
    Unary,
)

EDGES = ("", "adv", "dis")  # none, advantage, disadvantage
_BEST = {"adv": Operator("k", (Selector("h", 1),)), "dis": Operator("k", (Selector("l", 1),))}


def with_edge(expression: Expression, kind: str) -> Expression | None:
    """Return the roll with advantage (`adv`) or disadvantage (`dis`); None if it has not one d20."""
    d20s = [term for term in expression.terms if _is_d20(term)]
    if len(d20s) != 1:
        return None
    (term,) = d20s
    others = tuple(one for one in term.operators if one not in _BEST.values())
    edged = DiceTerm(2, 20, (*others, _BEST[kind]), term.notes)
    terms = tuple(edged if one is term else one for one in expression.terms)
    return Expression(_swapped(expression.root, term, edged), terms, expression.repeats, expression.comment)


def _is_d20(term: DiceTerm) -> bool:
    """Say whether it is one d20, or two of them with one kept."""
    if term.sides != 20 or term.is_counted or term.edge:
        return False
    return term.number == 1 or (term.number == 2 and any(one in term.operators for one in _BEST.values()))


def _swapped(node: Node, term: DiceTerm, other: DiceTerm) -> Node:
    """Return a tree with another dice term in the place of this one."""
    if node is term:
        return other
    if isinstance(node, Chain):
        rest = tuple((sign, _swapped(operand, term, other)) for sign, operand in node.rest)
        return Chain(_swapped(node.first, term, other), rest)
    if isinstance(node, RolledPool):
        return RolledPool(_swapped(node.number, term, other), node.dice)
    if isinstance(node, Unary):
        return Unary(node.sign, _swapped(node.operand, term, other))
    if isinstance(node, Group):
        return Group(_swapped(node.inside, term, other), node.operators, node.notes)
    if isinstance(node, NumberSet):
        inside = tuple(_swapped(element, term, other) for element in node.elements)
        return NumberSet(inside, node.operators, node.notes)
    if isinstance(node, Call):
        return Call(node.name, tuple(_swapped(argument, term, other) for argument in node.arguments), node.notes)
    return node
