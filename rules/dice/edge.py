"""Advantage and disadvantage on the one d20 of a roll that is made again."""

from __future__ import annotations

from rules.dice.hints import swapped
from rules.dice.tree import DiceTerm, Expression, Operator, Selector

EDGES = ("", "adv", "dis")  # none, advantage, disadvantage
_BEST = {"adv": Operator("k", (Selector("h", 1),)), "dis": Operator("k", (Selector("l", 1),))}


def with_edge(expression: Expression, kind: str) -> Expression | None:
    """Return the roll with advantage (`adv`) or disadvantage (`dis`); None where it has not one d20."""
    d20s = [term for term in expression.terms if _is_d20(term)]
    if len(d20s) != 1:
        return None
    (term,) = d20s
    others = tuple(one for one in term.operators if one not in _BEST.values())
    edged = DiceTerm(2, 20, (*others, _BEST[kind]), term.notes)
    terms = tuple(edged if one is term else one for one in expression.terms)
    return Expression(swapped(expression.root, term, edged), terms, expression.repeats, expression.comment)


def _is_d20(term: DiceTerm) -> bool:
    """Say whether it is one d20, or two of which one is kept."""
    if term.sides != 20 or term.is_counted or term.edge:
        return False
    return term.number == 1 or (term.number == 2 and any(one in term.operators for one in _BEST.values()))
