"""Exact odds of an expression: every way of falling is counted, nothing is sampled.

Ways are whole numbers over a common total, so that nothing is rounded before the last division.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt

from rules.dice.count import Counting
from rules.dice.pools import Ways, refuse_results
from rules.dice.reading import stored_expression
from rules.dice.tree import Expression


@dataclass(frozen=True)
class Distribution:
    """The results of one roll of an expression (of a repeated one: of one of its results).

    `ways` are exact counts by result, ascending; together with what is cut they add up to `total_ways`. `cut` is
    the share that was left out of open-ended dice: 0, or below 10⁻¹².
    """

    expression: Expression
    ways: Mapping[int, int]
    total_ways: int
    counted: int = field(repr=False)

    @property
    def cut(self) -> float:
        return (self.total_ways - self.counted) / self.total_ways

    @property
    def outcomes(self) -> dict[int, float]:
        """Return the probability of each result, ascending."""
        total = self.counted
        return {value: ways / total for value, ways in self.ways.items()}

    def probability(self, value: int) -> float:
        return self.ways.get(value, 0) / self.counted

    def at_least(self, least: int) -> float:
        return sum(ways for value, ways in self.ways.items() if value >= least) / self.counted

    @property
    def mean(self) -> float:
        return sum(value * ways for value, ways in self.ways.items()) / self.counted

    @property
    def deviation(self) -> float:
        counted = self.counted
        first = sum(value * ways for value, ways in self.ways.items())
        second = sum(value * value * ways for value, ways in self.ways.items())
        return sqrt((second * counted - first * first) / (counted * counted))

    @property
    def lowest(self) -> int:
        return next(iter(self.ways))

    @property
    def highest(self) -> int:
        return next(reversed(self.ways))


def distribution(expression: Expression | str) -> Distribution:
    """Count an expression's odds.

    Raises: Malformed and Illegal, as parsing does; Illegal if it would take too long, or if some course has
    no result (a division by zero).
    """
    if not isinstance(expression, Expression):
        expression = stored_expression(expression)
    exact, total_ways = Counting(expression).part(expression.root)
    refuse_results(len(exact))
    ways: Ways = {}
    for value in sorted(exact):
        whole = int(value)  # as a roll shows it
        ways[whole] = ways.get(whole, 0) + exact[value]
    return Distribution(expression, ways, total_ways, sum(ways.values()))
