"""Rolls a tree: draws the dice of each term, then its rerolls and explosions, and works out the value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.core.errors import Illegal
from rules.dice.grammar import LARGEST, MOST_DICE, parse_expression, refuse_too_many
from rules.dice.rolled import Changes, Circumstance, RolledDice, RolledSet, Slot
from rules.dice.source import Dice, Die
from rules.dice.text import written
from rules.dice.tree import (
    Chain,
    DiceTerm,
    Expression,
    Group,
    Literal,
    Number,
    NumberSet,
    Operator,
    Operators,
    Selector,
    Unary,
)

MOST_RESULTS = 1000


class Rolled:
    """The outcome of a roll: one result, or several where the expression or the caller repeats it.

    `values` are the exact results, `totals` the same with the fraction cut off (towards zero); `total` is the
    sum of `totals`.
    """

    __slots__ = ("circumstance", "expression", "slots", "values")

    def __init__(
        self,
        expression: Expression,
        values: tuple[Number, ...],
        slots: list[list[Slot]],
        circumstance: Circumstance,
    ) -> None:
        self.expression = expression
        self.values = values
        self.slots = slots
        self.circumstance = circumstance

    @property
    def totals(self) -> tuple[int, ...]:
        return tuple(map(int, self.values))

    @property
    def total(self) -> int:
        values = self.values
        return int(values[0]) if len(values) == 1 else sum(map(int, values))

    @property
    def comment(self) -> str:
        return self.expression.comment

    def text(self, limit: int = 1000) -> str:
        """Return Discord markdown with every face: kept bold, dropped struck through, and the total.

        Beyond `limit` characters long runs are shortened with a count.
        """
        return written(self.expression, self.values, self.slots, limit)

    def as_records(self) -> list[Die]:
        circumstance = self.circumstance
        return [die for slots in self.slots for slot in slots for die in slot.as_records(circumstance)]

    def __repr__(self) -> str:
        return f"Rolled({self.expression.text!r}, {self.values})"


def roll_expression(
    expression: Expression | str,
    dice: Dice,
    *,
    who: str | None = None,
    purpose: str = "",
    seen_by: tuple[str, ...] | None = None,
    times: int = 1,
) -> Rolled:
    """Roll an expression, `times` over; the record of its dice goes into `dice`.

    Raises: Malformed and Illegal, as parsing does; Illegal where a result breaks a limit or is none.
    """
    if not isinstance(expression, Expression):
        expression = parse_expression(expression)
    repeats = expression.repeats * times
    if repeats != 1:
        refuse_too_many(expression.dice_count * times, expression.exploding * times)
        if not 1 <= repeats <= MOST_RESULTS:
            raise Illegal(f"One command gives 1 to {MOST_RESULTS} results, and this asks for {repeats:,}.")
    dice.expression_dice += expression.dice_count * times
    if dice.expression_dice > MOST_DICE:
        raise _too_many()
    root = expression.root
    roll = _ROLL[root.__class__]
    cast = _Cast(dice)
    values: tuple[Number, ...] = (roll(root, cast),)
    slots = [cast.slots]
    while len(values) < repeats:
        cast.slots = []
        values += (roll(root, cast),)
        slots.append(cast.slots)
    rolled = Rolled(expression, values, slots, (who, purpose, seen_by))
    dice.keep(rolled)
    return rolled


class _Cast:
    """One roll under way: where dice come from, and the rolled terms so far, from left to right."""

    __slots__ = ("dice", "slots")

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.slots: list[Slot] = []


def _too_many() -> Illegal:
    return Illegal(
        f"One command rolls at most {MOST_DICE} dice, rerolls and explosions included, and this needs more.",
        instead="Roll fewer dice, or narrow what is rerolled or explodes.",
    )


def _roll_literal(node: Literal, _cast: _Cast) -> Number:
    return node.value


def _roll_unary(node: Unary, cast: _Cast) -> Number:
    value: Number = _ROLL[node.operand.__class__](node.operand, cast)
    return -value if node.sign == "-" else value


def _roll_chain(node: Chain, cast: _Cast) -> Number:
    first, rest = node
    value: Number = _ROLL[first.__class__](first, cast)
    for sign, operand in rest:
        other = _ROLL[operand.__class__](operand, cast)
        if sign == "+":
            value += other
        elif sign == "-":
            value -= other
        else:
            value = calculate(value, sign, other)
        if not -LARGEST <= value <= LARGEST:
            raise Illegal("The results of a dice expression go up to 10¹⁵, and this one goes beyond.")
    return value


_SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / right,
    "//": lambda left, right: left // right,
    "%": lambda left, right: left % right,
    "==": lambda left, right: int(left == right),
    "!=": lambda left, right: int(left != right),
    "<": lambda left, right: int(left < right),
    ">": lambda left, right: int(left > right),
    "<=": lambda left, right: int(left <= right),
    ">=": lambda left, right: int(left >= right),
}


def calculate(left: Number, sign: str, right: Number) -> Number:
    """Work out one sign; a comparison gives 1 or 0.

    Raises: Illegal for a division by zero or a result beyond the limit.
    """
    try:
        value: Number = _SIGNS[sign](left, right)
    except ZeroDivisionError:
        raise Illegal(
            f"{left:g} {sign} 0 has no value: nothing can be divided by zero.",
            instead="Divide by something that cannot be 0.",
        ) from None
    if not -LARGEST <= value <= LARGEST:
        raise Illegal("The results of a dice expression go up to 10¹⁵, and this one goes beyond.")
    return value


def _roll_dice(term: DiceTerm, cast: _Cast, more: Operators = ()) -> int:
    number, sides, operators, _, edge, fate = term
    dice = cast.dice
    typed = dice.unused_typed() if dice.has_typed else 0
    faces = dice.draw(number, sides)
    rolled = RolledDice(term, faces)
    cast.slots.append(rolled)
    if typed:
        rolled.physical = min(typed, number)
    if fate:
        rolled.values = [face - 2 for face in faces]
    elif edge:
        _add_edge_die(rolled, dice)
    elif not operators and not more:
        rolled.is_plain = True
        return sum(faces)
    for operator in operators + more:
        _OPERATE[operator.name](rolled, operator, dice)
    return rolled.total


def _add_edge_die(rolled: RolledDice, dice: Dice) -> None:
    """Roll one more die and keep the two highest, or lowest. Rule: TA-01, TA-02."""
    term = rolled.term
    sides = term.additional_sides
    rolled.physical += min(1, dice.unused_typed())
    rolled.faces += dice.draw(1, sides)
    rolled.sizes = [term.sides] * term.number + [sides]
    places = range(len(rolled.values))
    rolled.keep_only(set(_ranked(rolled.values, places, term.number, highest=term.edge > 0)))


def _ranked(values: list[Any], places: Any, number: int, *, highest: bool) -> list[int]:
    """Return the places of the highest or lowest values; of equal ones the first."""
    return sorted(places, key=values.__getitem__, reverse=highest)[:number]


def _select(slot: Slot, selectors: tuple[Selector, ...]) -> list[int]:
    """Return the places that an operator takes among what is kept, in the selectors' order, each once."""
    values = slot.values
    alive = slot.alive
    places: Any = range(len(values))
    if alive is not None:
        places = [place for place in places if alive[place]]
    found: dict[int, None] = {}
    for category, number in selectors:
        if category == "h":
            taken = _ranked(values, places, number, highest=True)
        elif category == "l":
            taken = _ranked(values, places, number, highest=False)
        elif category == "<":
            taken = [place for place in places if values[place] < number]
        elif category == ">":
            taken = [place for place in places if values[place] > number]
        else:
            taken = [place for place in places if values[place] == number]
        if len(selectors) == 1:
            return taken
        found.update(dict.fromkeys(taken))
    return list(found)


def _keep(slot: Slot, operator: Operator, _dice: Dice | None = None) -> None:
    if slot.alive is None and len(operator.selectors) == 1 and operator.selectors[0].category in {"h", "l"}:
        ((category, number),) = operator.selectors  # by far the most usual: fresh dice, one rank
        slot.alive = alive = [False] * len(slot.values)
        for place in _ranked(slot.values, range(len(alive)), number, highest=category == "h"):
            alive[place] = True
        return
    slot.keep_only(set(_select(slot, operator.selectors)))


def _drop(slot: Slot, operator: Operator, _dice: Dice | None = None) -> None:
    slot.keep_only(set(range(len(slot.values))) - set(_select(slot, operator.selectors)))


def _changes(rolled: RolledDice) -> Changes:
    """Start the books of a term whose dice change, with values of its own."""
    if rolled.changes is None:
        rolled.changes = Changes(len(rolled.values))
        rolled.values = list(rolled.values)
    return rolled.changes


def _draw_more(rolled: RolledDice, count: int, dice: Dice) -> tuple[int, list[int]]:
    """Draw further dice of the term; return the place of the first draw, and their values."""
    dice.expression_dice += count
    if dice.expression_dice > MOST_DICE:
        raise _too_many()
    first = len(rolled.faces)
    rolled.physical += min(count, dice.unused_typed())  # typed faces come first, so these follow on
    faces = dice.draw(count, rolled.term.sides)
    rolled.faces += faces
    return first, [face - 2 for face in faces] if rolled.term.fate else faces


def _reroll_places(rolled: RolledDice, places: list[int], dice: Dice) -> None:
    changes = _changes(rolled)
    places.sort()
    first, values = _draw_more(rolled, len(places), dice)
    for at, (place, value) in enumerate(zip(places, values, strict=True), first):
        changes.replaced.setdefault(place, []).append(rolled.values[place])
        changes.places[place] = at
        changes.forced.pop(place, None)
        rolled.values[place] = value


def _reroll(rolled: RolledDice, operator: Operator, dice: Dice) -> None:
    while places := _select(rolled, operator.selectors):
        _reroll_places(rolled, places, dice)


def _reroll_once(rolled: RolledDice, operator: Operator, dice: Dice) -> None:
    if places := _select(rolled, operator.selectors):
        _reroll_places(rolled, places, dice)


def _explode_places(rolled: RolledDice, places: list[int], dice: Dice) -> None:
    changes = _changes(rolled)
    changes.exploded.update(places)
    first, values = _draw_more(rolled, len(places), dice)
    changes.places.extend(range(first, first + len(values)))
    rolled.values += values
    if rolled.alive is not None:
        rolled.alive += [True] * len(values)


def _explode(rolled: RolledDice, operator: Operator, dice: Dice) -> None:
    done: set[int] = set()
    while places := [place for place in _select(rolled, operator.selectors) if place not in done]:
        done.update(places)
        _explode_places(rolled, places, dice)


def _explode_once(rolled: RolledDice, operator: Operator, dice: Dice) -> None:
    """Add one die for the first that fits: one in all, not one for each."""
    if places := _select(rolled, operator.selectors):
        _explode_places(rolled, places[:1], dice)


def _bound(rolled: RolledDice, operator: Operator, _dice: Dice) -> None:
    """Lift kept values to a minimum, or lower them to a maximum."""
    bound = operator.selectors[-1].number
    is_minimum = operator.name == "mi"
    values = rolled.values
    alive = rolled.alive
    places = [
        place
        for place, value in enumerate(values)
        if (value < bound if is_minimum else value > bound) and (alive is None or alive[place])
    ]
    if not places:
        return
    changes = _changes(rolled)
    for place in places:
        changes.forced.setdefault(place, rolled.values[place])
        rolled.values[place] = bound


_OPERATE: dict[str, Callable[[Any, Operator, Dice], None]] = {
    "k": _keep,
    "p": _drop,
    "rr": _reroll,
    "ro": _reroll_once,
    "e": _explode,
    "ra": _explode_once,
    "mi": _bound,
    "ma": _bound,
}


def _roll_group(node: Group, cast: _Cast, more: Operators = ()) -> Number:
    inside = node.inside
    kind = inside.__class__
    operators = node.operators + more
    value: Number
    if not operators:
        value = _ROLL[kind](inside, cast)
    elif kind in _OPERATED:
        value = _OPERATED[kind](inside, cast, operators)
    else:
        value = _roll_elements((inside,), cast, operators)
    return value


def _roll_set(node: NumberSet, cast: _Cast, more: Operators = ()) -> Number:
    operators = node.operators + more
    if operators:
        return _roll_elements(node.elements, cast, operators)
    values: list[Number] = [_ROLL[element.__class__](element, cast) for element in node.elements]
    return sum(values)


def _roll_elements(elements: tuple[Any, ...], cast: _Cast, operators: Operators) -> Number:
    outer = cast.slots
    values: list[Number] = []
    inside: list[list[Slot]] = []
    for element in elements:
        cast.slots = []
        values.append(_ROLL[element.__class__](element, cast))
        inside.append(cast.slots)
    cast.slots = outer
    rolled = RolledSet(elements, values, inside)
    outer.append(rolled)
    for operator in operators:
        (_keep if operator.name == "k" else _drop)(rolled, operator)
    return rolled.total


_ROLL: dict[type, Callable[[Any, _Cast], Any]] = {
    Literal: _roll_literal,
    DiceTerm: _roll_dice,
    Group: _roll_group,
    NumberSet: _roll_set,
    Unary: _roll_unary,
    Chain: _roll_chain,
}
_OPERATED: dict[type, Callable[[Any, _Cast, Operators], Any]] = {
    DiceTerm: _roll_dice,
    Group: _roll_group,
    NumberSet: _roll_set,
}


def term_total(term: DiceTerm, operators: Operators, dice: Dice) -> int:
    """Roll one term under these operators instead of its own; for the odds."""
    return _roll_dice(term._replace(operators=()), _Cast(dice), operators)


def elements_total(values: list[Number], operators: Operators) -> Number:
    """Return what set operators leave of elements with these values; for the odds."""
    rolled = RolledSet((), values, [[] for _ in values])
    for operator in operators:
        (_keep if operator.name == "k" else _drop)(rolled, operator)
    return rolled.total
