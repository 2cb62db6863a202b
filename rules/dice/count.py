"""Counts the ways of each result of a tree.

Its parts are independent of each other. Inside dice with operators there are four cases:

- nothing is judged by rank: a die counts for itself, and the term is a power of one die;
- dice are kept or dropped by rank: `pools.ranked_ways` fills the pool from one end; the operators before are settled
  for each die alone, the operators after give what a kept die is worth;
- the same after an explosion (`3d6!kh2`): exploded dice are a group of their own, of every size that matters;
- everything else: all courses are walked through with the roller itself (`courses.py`), within its limit.

Open-ended dice are cut once less than CUT of all ways is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from math import comb, lcm

from rules.dice import tree
from rules.dice.arithmetic import calculate, call
from rules.dice.courses import course_ways
from rules.dice.pools import Group as PoolGroup
from rules.dice.pools import (
    Kept,
    KeptEnds,
    Ways,
    Work,
    add_ways,
    plain_ways,
    power_ways,
    ranked_ways,
    refuse_results,
    too_long,
)
from rules.dice.roll import elements_total, pool_of
from rules.errors import Illegal

CUT = 1e-12
MOST_EXPLOSIONS = 400

Part = tuple[Ways, int]  # the ways, and what they add up to with what was cut


class Counting:
    """One expression's counting: what it may still cost, and how much of a die may be cut."""

    def __init__(self, expression: tree.Expression) -> None:
        self.work = Work()
        self.allowed_cut = CUT / max(1, expression.dice_count // expression.repeats)

    def part(self, node: tree.Node, more: tree.Operators = ()) -> Part:
        """Count a node, with operators from the parentheses around it."""
        if isinstance(node, tree.Literal):
            return {node.value: 1}, 1
        if isinstance(node, tree.DiceTerm):
            return _Term(self, node, node.operators + more).part()
        if isinstance(node, tree.RolledPool):
            return self._pool(node, more)
        if isinstance(node, tree.Unary):
            ways, total = self.part(node.operand)
            return ({-value: number for value, number in ways.items()} if node.sign == "-" else ways), total
        if isinstance(node, tree.Chain):
            return self._chain(node)
        if isinstance(node, tree.Call):
            return self._call(node)
        operators = node.operators + more
        if isinstance(node, tree.NumberSet):
            return self._elements([self.part(element) for element in node.elements], operators)
        if not operators or isinstance(node.inside, (tree.DiceTerm, tree.RolledPool, tree.Group, tree.NumberSet)):
            return self.part(node.inside, operators)
        return self._elements([self.part(node.inside)], operators)

    def _pool(self, node: tree.RolledPool, more: tree.Operators) -> Part:
        """Count as many dice as each result of their number."""
        numbers, total = self.part(node.number)
        parts = [(ways, *self.part(pool_of(node, number), more)) for number, ways in numbers.items()]
        together = lcm(*(part_total for _, _, part_total in parts))
        found: Ways = {}
        for ways, part, part_total in parts:
            for value, number in part.items():
                found[value] = found.get(value, 0) + number * ways * (together // part_total)
        return found, total * together

    def _chain(self, node: tree.Chain) -> Part:
        ways, total = self.part(node.first)
        for sign, operand in node.rest:
            other, other_total = self.part(operand)
            total *= other_total
            if sign in "+-":
                if sign == "-":
                    other = {-value: number for value, number in other.items()}
                ways = add_ways(ways, other, self.work)
                for value in (max(ways), min(ways)):
                    calculate(value, "+", 0)  # refuses what a roll would
                continue
            self.work.pairs(len(ways) * len(other))
            found: Ways = {}
            for left, number in ways.items():
                for right, other_number in other.items():
                    value = calculate(left, sign, right)
                    found[value] = found.get(value, 0) + number * other_number
            ways = found
        return ways, total

    def _call(self, node: tree.Call) -> Part:
        """Count a function: of several arguments it is worked out two by two, as min and max allow."""
        ways, total = self.part(node.arguments[0])
        if len(node.arguments) == 1:
            found: Ways = {}
            for value, number in ways.items():
                result = call(node.name, (value,))
                found[result] = found.get(result, 0) + number
            return found, total
        for argument in node.arguments[1:]:
            other, other_total = self.part(argument)
            total *= other_total
            self.work.pairs(len(ways) * len(other))
            found = {}
            for left, number in ways.items():
                for right, other_number in other.items():
                    result = call(node.name, (left, right))
                    found[result] = found.get(result, 0) + number * other_number
            ways = found
        return ways, total

    def _elements(self, parts: list[Part], operators: tree.Operators) -> Part:
        """Count the sum of a set."""
        total = 1
        for _, ways_of_one in parts:
            total *= ways_of_one
        if not parts or all(map(_is_single, operators)):
            ways: Ways = {0: 1}
            for one, _ in parts:
                ways = add_ways(ways, _keep_single(one, operators), self.work)
            return ways, total
        if all(map(_is_ranking, operators)):
            kept = rank_mask(operators, len(parts))
            number = sum(kept)
            if kept in (rank for rank in (_top(len(parts), number), _top(len(parts), number)[::-1])):
                return self._best_elements([ways for ways, _ in parts], number, is_highest=kept[0]), total
        courses = 1
        for one, _ in parts:
            courses *= len(one)
        self.work.pairs(20 * courses)
        ways = {}
        for course in product(*(one.items() for one, _ in parts)):
            number = 1
            for _, ways_of_one in course:
                number *= ways_of_one
            value = elements_total([value for value, _ in course], operators)
            ways[value] = ways.get(value, 0) + number
        return ways, total

    def _best_elements(self, parts: list[Ways], number: int, *, is_highest: bool) -> Ways:
        """Count the sum of the highest (or lowest) elements: a state is the best ones so far, sorted."""
        states: dict[tuple[int | float, ...], int] = {(): 1}
        for one in parts:
            self.work.pairs(4 * len(states) * len(one))
            following: dict[tuple[int | float, ...], int] = {}
            for best, ways in states.items():
                for value, more in one.items():
                    state = tuple(sorted((*best, value), reverse=is_highest)[:number])
                    following[state] = following.get(state, 0) + ways * more
            states = following
        found: Ways = {}
        for best, ways in states.items():
            value = sum(best)
            found[value] = found.get(value, 0) + ways
        return found


class _Term:
    """The counting of one dice term with all operators that act on it."""

    def __init__(self, counting: Counting, term: tree.DiceTerm, operators: tree.Operators) -> None:
        self.work = counting.work
        self.allowed_cut = counting.allowed_cut
        self.term = term
        self.operators = operators
        self.faces = range(term.lowest, term.highest + 1)

    def part(self) -> Part:
        term, operators = self.term, self.operators
        number = term.number
        if term.edge:
            return course_ways(term, operators, self.work)
        if number == 0:
            return {0: 1}, 1
        if not operators and not term.faces:
            return plain_ways(number, term.sides, self.work), term.sides**number
        if not operators:
            return power_ways(Counter(term.faces), number, self.work), term.sides**number
        if term.faces and not term.fate:
            return course_ways(term, operators, self.work)
        refuse_results(len(self.faces))
        ranked = [at for at, one in enumerate(operators) if not _is_single(one)]
        if not ranked:
            return self._apart()
        first, last = ranked[0], ranked[-1]
        before, ranking, behind = operators[:first], operators[first : last + 1], operators[last + 1 :]
        explodes = any(one.name in tree.EXPLODING for one in before)
        if ranking[0].name == "ra" and len(ranking) == 1 and not behind and not explodes:
            return self._once_more(before, ranking[0])
        is_two_ended = len(ranking) == 1 and _is_two_ended(ranking[0]) and not behind and not term.fate
        if is_two_ended or all(map(_is_ranking, ranking)):
            if not explodes:
                return self._ranked(before, ranking, behind)
            if len(before) == 1:
                return self._ranked_exploding(before[0], ranking, behind)
        return course_ways(term, operators, self.work)

    def _apart(self) -> Part:
        """Count dice that do not depend on each other."""
        number, sides = self.term.number, self.term.sides
        if any(one.name == "ec" for one in self.operators):
            return course_ways(self.term, self.operators, self.work)
        first, *behind = self.operators
        if first.name == "e":
            worth, worth_ways = self._worth(tuple(behind), self.faces)
            stopping, going = self._split(first)
            return self._exploding_sum(_sum_of(worth, stopping), _sum_of(worth, going), worth_ways)
        worth, worth_ways = self._worth(self.operators, self.faces)
        single = _sum_of(worth, self.faces)
        return power_ways(single, number, self.work), (sides * worth_ways) ** number

    def _exploding_sum(self, stopping: Ways, going: Ways, worth_ways: int) -> Part:
        """Count N dice that stop and J that went on: (N+J−1 over J) ways for each J, up to the cut."""
        number = self.term.number
        unit = self.term.sides * worth_ways
        most = self._most_explosions(sum(going.values()) / unit)
        series: Ways = {0: comb(number + most - 1, most)}
        for exploded in range(most - 1, -1, -1):
            series = add_ways(series, going, self.work)
            scale = comb(number + exploded - 1, exploded) * unit ** (most - exploded)
            series[0] = series.get(0, 0) + scale
        ways = add_ways(power_ways(stopping, number, self.work), series, self.work)
        return ways, unit ** (number + most)

    def _most_explosions(self, share: float, dice: int | None = None) -> int:
        """Return beyond how many explosions of all dice less is left than may be cut."""
        number = self.term.number if dice is None else dice
        if share >= 1:
            raise Illegal("These dice would explode forever.", instead="Leave out a face.")
        if share == 0:
            return 0
        chance = (1 - share) ** number  # of exactly so many
        for exploded in range(MOST_EXPLOSIONS):
            ratio = share * (number + exploded) / (exploded + 1)
            if ratio < 1 and chance * ratio / (1 - ratio) < self.allowed_cut * number:
                return exploded
            chance *= ratio
        raise too_long(f"the limit is {MOST_EXPLOSIONS} explosions before the rest may be left out")

    def _split(self, operator: tree.Operator) -> tuple[list[int], list[int]]:
        """Return the faces of a new die that an operator leaves alone, and those that it takes."""
        taken = [face for face in self.faces if _takes(operator, face)]
        left = [face for face in self.faces if not _takes(operator, face)]
        return left, taken

    def _worth(self, operators: tree.Operators, values: Sequence[int]) -> tuple[dict[int, Ways], int]:
        """Return what a die of each value adds to the sum under the operators; all over the same total."""
        if not operators:
            return {value: {value: 1} for value in values}, 1
        operator, behind = operators[0], operators[1:]
        name = operator.name
        if name in tree.COUNTING:
            return {value: {_successes(operators, value): 1} for value in values}, 1
        if name in {"mi", "ma"}:
            bound = _bound(operator)
            worth, total = self._worth(behind, sorted({bound(value) for value in values}))
            return {value: worth[bound(value)] for value in values}, total
        if name in {"k", "p"}:
            worth, total = self._worth(behind, values)
            is_kept = name == "k"
            return {
                value: worth[value] if _takes(operator, value) is is_kept else {0: total} for value in values
            }, total
        worth, total = self._worth(behind, sorted({*values, *self.faces, *(face - 1 for face in self.faces)}))
        stopping, _ = self._split(operator)
        if name == "eo":
            once = _sum_of(worth, self.faces)
            unit = self.term.sides * total
            return {
                value: add_ways(worth[value], once, self.work)
                if _takes(operator, value)
                else {one: ways * unit for one, ways in worth[value].items()}
                for value in values
            }, total * unit
        if name == "ro":
            again = _sum_of(worth, self.faces)
            unit = self.term.sides
        elif name == "rr":
            if not stopping:
                raise _endless()
            again = _sum_of(worth, stopping)
            unit = len(stopping)
        else:
            return self._exploding_worth(operator, values, worth, total)
        self.work.pairs(sum(map(len, worth.values())))
        return {
            value: again if _takes(operator, value) else {one: ways * unit for one, ways in worth[value].items()}
            for value in values
        }, total * unit

    def _exploding_worth(
        self, operator: tree.Operator, values: Sequence[int], worth: dict[int, Ways], total: int
    ) -> tuple[dict[int, Ways], int]:
        stopping, going = self._split(operator)
        unit = self.term.sides * total
        most = self._most_explosions(len(going) / self.term.sides, dice=1)
        less = operator.name == "ep"
        stop, go = (_sum_of(worth, [face - less for face in faces]) for faces in (stopping, going))
        added = stop
        for level in range(1, most + 1):
            added = add_ways(added, go, self.work) if go else {}
            scale = unit**level
            for value, ways in stop.items():
                added[value] = added.get(value, 0) + ways * scale
        unit **= most + 1
        found = {}
        for value in values:
            if _takes(operator, value):
                found[value] = add_ways(worth[value], added, self.work)
            else:
                found[value] = {one: ways * unit for one, ways in worth[value].items()}
        return found, total * unit

    def _settled(self, operators: tree.Operators) -> tuple[Ways, int]:
        """Return the ways of one die to end at each value, and those in which it is dropped."""
        ways: Ways = dict.fromkeys(self.faces, 1)
        dropped = 0
        for operator in operators:
            name = operator.name
            taken = [value for value in ways if _takes(operator, value)]
            if name in {"mi", "ma"}:
                bound = _bound(operator)
                found: Ways = {}
                for value, number in ways.items():
                    found[bound(value)] = found.get(bound(value), 0) + number
                ways = found
            elif name in {"k", "p"}:
                gone = set(taken) if name == "p" else set(ways) - set(taken)
                dropped += sum(ways.pop(value) for value in gone)
            else:
                faces = list(self.faces) if name == "ro" else self._split(operator)[0]
                if not faces:
                    raise _endless()
                again = sum(ways.pop(value) for value in taken)
                dropped *= len(faces)
                ways = {value: number * len(faces) for value, number in ways.items()}
                for face in faces:
                    ways[face] = ways.get(face, 0) + again
        return {value: number for value, number in ways.items() if number}, dropped

    def _ranked(self, before: tree.Operators, ranking: tree.Operators, behind: tree.Operators) -> Part:
        number = self.term.number
        values, dropped = self._settled(before)
        worth, worth_ways = self._worth(behind, sorted(values))
        least = 0 if dropped else number
        masks = {alive: _kept(ranking, alive) for alive in range(least, number + 1)}
        most = max(kept.most for kept in masks.values())
        found: Ways = {}
        for alive, kept in masks.items():
            scale = comb(number, alive) * dropped ** (number - alive) * worth_ways ** (most - kept.most)
            groups = [(alive, values)] if alive else []
            for value, ways in ranked_ways(groups, kept, worth, worth_ways, self.work).items():
                found[value] = found.get(value, 0) + ways * scale
        return found, (sum(values.values()) + dropped) ** number * worth_ways**most

    def _ranked_exploding(self, explosion: tree.Operator, ranking: tree.Operators, behind: tree.Operators) -> Part:
        number, sides = self.term.number, self.term.sides
        worth, worth_ways = self._worth(behind, self.faces)
        stopping, going = self._split(explosion)
        most = self._most_explosions(len(going) / sides)
        masks = [_kept(ranking, number + exploded) for exploded in range(most + 1)]
        most_kept = max(kept.most for kept in masks)
        stops: PoolGroup = (number, dict.fromkeys(stopping, 1))
        found: Ways = {}
        for exploded, kept in enumerate(masks):
            scale = comb(number + exploded - 1, exploded) * sides ** (most - exploded)
            scale *= worth_ways ** (most_kept - kept.most)
            groups = [stops, (exploded, dict.fromkeys(going, 1))] if exploded else [stops]
            for value, ways in ranked_ways(groups, kept, worth, worth_ways, self.work).items():
                found[value] = found.get(value, 0) + ways * scale
        return found, sides ** (number + most) * worth_ways**most_kept

    def _once_more(self, before: tree.Operators, operator: tree.Operator) -> Part:
        """Count one additional die for the whole pool if any die is taken."""
        if not all(map(_is_plain_selector, operator.selectors)):
            return course_ways(self.term, self.operators, self.work)
        number, sides = self.term.number, self.term.sides
        values, dropped = self._settled(before)
        single = dict(values)
        single[0] = single.get(0, 0) + dropped
        untaken = {value: ways for value, ways in values.items() if not _takes(operator, value)}
        untaken[0] = untaken.get(0, 0) + dropped
        ways = power_ways({value: ways for value, ways in single.items() if ways}, number, self.work)
        untaken = {value: ways for value, ways in untaken.items() if ways}
        without = power_ways(untaken, number, self.work) if untaken else {}
        taken = {value: count - without.get(value, 0) for value, count in ways.items()}
        taken = {value: count for value, count in taken.items() if count}
        found = add_ways(taken, dict.fromkeys(self.faces, 1), self.work) if taken else {}
        for value, count in without.items():
            found[value] = found.get(value, 0) + count * sides
        return found, (sum(values.values()) + dropped) ** number * sides


def _endless() -> Illegal:
    return Illegal("These dice would be rerolled forever.", instead="Leave out a face.")


def _is_plain_selector(selector: tree.Selector) -> bool:
    return selector.category not in {"h", "l"}


def _is_single(operator: tree.Operator) -> bool:
    """Say whether the operator judges each die for itself."""
    return operator.name != "ra" and all(map(_is_plain_selector, operator.selectors))


def _is_ranking(operator: tree.Operator) -> bool:
    """Say whether the operator keeps or drops from one end."""
    categories = {one.category for one in operator.selectors}
    return operator.name in {"k", "p"} and len(categories) == 1 and categories <= {"h", "l"}


def _is_two_ended(operator: tree.Operator) -> bool:
    return operator.name in {"k", "p"} and {one.category for one in operator.selectors} == {"h", "l"}


def _ends(operator: tree.Operator) -> tuple[int, int]:
    """Return how many of the highest and of the lowest an operator takes."""
    highest = max((one.number for one in operator.selectors if one.category == "h"), default=0)
    lowest = max((one.number for one in operator.selectors if one.category == "l"), default=0)
    return highest, lowest


def _successes(operators: tree.Operators, value: int) -> int:
    """Return what a die of this value adds to a count of successes."""
    return sum(tree.WORTH[one.name] for one in operators if _takes(one, value))


def _takes(operator: tree.Operator, value: float) -> bool:
    for category, number in operator.selectors:
        if value < number if category == "<" else value > number if category == ">" else value == number:
            return True
    return False


def _bound(operator: tree.Operator) -> Callable[[int], int]:
    limit = operator.selectors[-1].number
    if operator.name == "mi":
        return lambda value: max(value, limit)
    return lambda value: min(value, limit)


def _keep_single(ways: Ways, operators: tree.Operators) -> Ways:
    found: Ways = {}
    for value, number in ways.items():
        is_kept = all(_takes(operator, value) is (operator.name == "k") for operator in operators)
        counted = value if is_kept else 0
        found[counted] = found.get(counted, 0) + number
    return found


def _sum_of(worth: dict[int, Ways], values: Sequence[int]) -> Ways:
    found: Ways = {}
    for value in values:
        for one, ways in worth[value].items():
            found[one] = found.get(one, 0) + ways
    return found


def _top(number: int, kept: int) -> tuple[bool, ...]:
    return (True,) * kept + (False,) * (number - kept)


def rank_mask(operators: tree.Operators, number: int) -> tuple[bool, ...]:
    """Say for each rank of so many values, the highest first, whether the operators leave it."""
    left = list(range(number))
    for operator in operators:
        highest, lowest = _ends(operator)
        taken = {*left[:highest], *left[max(0, len(left) - lowest) :]}
        left = [rank for rank in left if (rank in taken) is (operator.name == "k")]
    kept = set(left)
    return tuple(rank in kept for rank in range(number))


def _kept(ranking: tree.Operators, number: int) -> Kept:
    if _is_two_ended(ranking[0]):
        highest, lowest = _ends(ranking[0])
        return KeptEnds(number, min(highest, number), min(lowest, number), is_keeping=ranking[0].name == "k")
    return Kept(rank_mask(ranking, number))
