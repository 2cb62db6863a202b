"""Rolls a tree: draws the dice of each term, then its rerolls and explosions, and works out the value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import chain, compress
from typing import Any

from rules.dice import tree
from rules.dice.arithmetic import calculate, call
from rules.dice.grammar import refuse_too_many
from rules.dice.reading import stored_expression
from rules.dice.refused import BeyondLimit
from rules.dice.rolled import Changes, Compared, RolledDice, RolledSet, Slot, as_records, kept_sum
from rules.dice.source import Dice, Die
from rules.dice.text import faces_written, written
from rules.errors import Illegal

MOST_RESULTS = 1000


@dataclass(slots=True)
class Rolled:
    """The outcome of a roll: one result, or several if the expression or the caller repeats it.

    `values` are the exact results, `totals` the same with the fraction cut off (towards zero); `total` is the
    sum of `totals`. `records` are its dice in drawing order. `compared` has both sides of each result if the whole
    expression is a comparison.
    """

    expression: tree.Expression
    values: tuple[tree.Number, ...]
    slots: list[list[Slot]]
    records: list[Die]
    compared: tuple[Compared, ...] = ()

    @property
    def totals(self) -> tuple[int, ...]:
        return tuple(map(int, self.values))

    @property
    def total(self) -> int:
        values = self.values
        return int(values[0]) if len(values) == 1 else sum(map(int, values))

    @property
    def succeeds(self) -> bool | None:
        """Say how a comparison ends; None if nothing is compared, or several times."""
        return bool(self.values[0]) if len(self.compared) == 1 else None

    @property
    def comment(self) -> str:
        return self.expression.comment

    def text(self, limit: int = 1000) -> str:
        """Return Discord markdown with every face: kept bold, dropped struck through, and the total.

        Beyond `limit` characters long runs are shortened with a count.
        """
        return written(self.expression, self.values, self.slots, limit, self.compared)

    def faces(self, limit: int = 1000) -> str:
        """Return the dice alone as Discord markdown, without what is added to them and without the total."""
        return faces_written(self.expression, self.slots, limit)


def roll_expression(
    expression: tree.Expression | str,
    dice: Dice,
    *,
    who: str | None = None,
    purpose: str = "",
    seen_by: tuple[str, ...] | None = None,
    times: int = 1,
) -> Rolled:
    """Roll an expression, `times` over; the record of its dice goes into `dice`.

    Raises: Malformed and Illegal, as parsing does; Illegal if a result breaks a limit or is none.
    """
    if not isinstance(expression, tree.Expression):
        expression = stored_expression(expression)
    repeats = expression.repeats * times
    if repeats != 1:
        refuse_too_many(expression.dice_count * times, expression.exploding * times)
        if not 1 <= repeats <= MOST_RESULTS:
            raise BeyondLimit(f"One command can give 1 to {MOST_RESULTS} results; this asks for {repeats:,}.")
    _spend(expression.dice_count * times, dice)
    typed = len(dice.typed)
    root = expression.root
    slots: list[list[Slot]] = [[] for _ in range(repeats)]
    compared: tuple[Compared, ...] = ()
    values: tuple[tree.Number, ...]
    if expression.compares:
        compared = tuple([_both_sides(root, dice, inside) for inside in slots])
        values = tuple([int(each.succeeds) for each in compared])
    else:
        values = tuple([_ROLL[root.__class__](root, dice, inside) for inside in slots])
    records = [die for inside in slots for die in as_records(inside, iter(expression.terms), (who, purpose, seen_by))]
    for die in records[:typed]:
        die.physical = True
    dice.records += records
    return Rolled(expression, values, slots, records, compared)


def _too_many() -> Illegal:
    return Illegal(
        f"One command can roll {tree.MOST_DICE} dice, with rerolls and explosions; this needs more.",
        instead="Roll fewer dice, or let fewer of them reroll or explode.",
    )


def _roll_literal(node: tree.Literal, _dice: Dice, _slots: list[Slot]) -> tree.Number:
    return node.value


def _roll_unary(node: tree.Unary, dice: Dice, slots: list[Slot]) -> tree.Number:
    operand = node.operand
    value = _ROLL[operand.__class__](operand, dice, slots)
    return -value if node.sign == "-" else value


def _roll_chain(node: tree.Chain, dice: Dice, slots: list[Slot]) -> tree.Number:
    first = node.first
    value = _ROLL[first.__class__](first, dice, slots)
    for sign, operand in node.rest:
        value = calculate(value, sign, _ROLL[operand.__class__](operand, dice, slots))
    return value


def _both_sides(root: Any, dice: Dice, slots: list[Slot]) -> Compared:
    """Roll both sides of a comparison."""
    first, ((sign, second),) = root.first, root.rest
    left = _ROLL[first.__class__](first, dice, slots)
    return Compared(left, sign, _ROLL[second.__class__](second, dice, slots))


def _roll_call(node: tree.Call, dice: Dice, slots: list[Slot]) -> tree.Number:
    return call(node.name, [_ROLL[argument.__class__](argument, dice, slots) for argument in node.arguments])


def _roll_dice(term: tree.DiceTerm, dice: Dice, slots: list[Slot], more: tree.Operators = ()) -> tree.Number:
    faces = dice.draw(term.number, term.sides)
    if not (term.operators or more or term.edge or term.faces):
        slots.append(faces)
        return sum(faces)
    rolled = RolledDice(term, faces)
    slots.append(rolled)
    rolled.values = term.shown(faces)
    if term.edge:
        _add_edge_die(rolled, dice)
    for operator in term.operators + more:
        _OPERATE[operator.name](rolled, operator, dice)
    return kept_sum(rolled) if rolled.counted is None else sum(rolled.counted)


def _roll_pool(node: tree.RolledPool, dice: Dice, slots: list[Slot], more: tree.Operators = ()) -> tree.Number:
    """Roll how many dice there are, then these."""
    number = _ROLL[node.number.__class__](node.number, dice, slots)
    term = pool_of(node, number)
    _spend(term.number, dice)
    return _roll_dice(term, dice, slots, more)


def pool_of(node: tree.RolledPool, number: tree.Number) -> tree.DiceTerm:
    """Return as many dice as a roll came to; a fraction is cut off. Raises: Illegal below 0."""
    if number < 0:
        raise Illegal(f"{node} would roll {int(number)} dice.", instead="Roll a number that can't be below 0.")
    return replace(node.dice, number=int(number))


def _add_edge_die(rolled: RolledDice, dice: Dice) -> None:
    """Roll one more die and keep the two highest, or lowest. Rule: TA-01, TA-02."""
    term = rolled.term
    rolled.faces += dice.draw(1, term.additional_sides)
    _keep(rolled, tree.Operator("k", (tree.Selector("h" if term.edge > 0 else "l", term.number),)))


# which of these places a selector takes; of equal values the first
_TAKE: dict[str, Callable[[list[Any], Iterable[int], int], list[int]]] = {
    "h": lambda values, places, number: sorted(places, key=values.__getitem__, reverse=True)[:number],
    "l": lambda values, places, number: sorted(places, key=values.__getitem__)[:number],
    "<": lambda values, places, number: [place for place in places if values[place] < number],
    ">": lambda values, places, number: [place for place in places if values[place] > number],
    "": lambda values, places, number: [place for place in places if values[place] == number],
}


def _select(slot: RolledDice | RolledSet, selectors: tuple[tree.Selector, ...]) -> list[int]:
    """Return the places that an operator takes among what is kept, in the selectors' order, each once."""
    values, alive = slot.values, slot.alive
    places: Iterable[int] = range(len(values))
    if alive is not None:
        places = list(compress(places, alive))
    if len(selectors) == 1:
        ((category, number),) = selectors
        return _TAKE[category](values, places, number)
    taken = [_TAKE[category](values, places, number) for category, number in selectors]
    return list(dict.fromkeys(chain.from_iterable(taken)))


def _keep(slot: RolledDice | RolledSet, operator: tree.Operator, _dice: Dice | None = None) -> None:
    taken = _select(slot, operator.selectors)
    slot.alive = alive = [False] * len(slot.values)
    for place in taken:
        alive[place] = True


def _drop(slot: RolledDice | RolledSet, operator: tree.Operator, _dice: Dice | None = None) -> None:
    taken = _select(slot, operator.selectors)
    slot.alive = alive = slot.alive or [True] * len(slot.values)
    for place in taken:
        alive[place] = False


def _changes(rolled: RolledDice) -> Changes:
    """Start the books of a term whose dice change, with values of its own."""
    if rolled.changes is None:
        rolled.changes = Changes(len(rolled.values))
        rolled.values = list(rolled.values)
    return rolled.changes


def _spend(count: int, dice: Dice) -> None:
    """Count dice that are to fall; those that are too many do not fall, and do not count."""
    if dice.expression_dice + count > tree.MOST_DICE:
        raise _too_many()
    dice.expression_dice += count


def _draw_more(rolled: RolledDice, count: int, dice: Dice) -> tuple[int, list[int]]:
    """Draw further dice of the term; return the place of the first draw, and their values."""
    _spend(count, dice)
    first = len(rolled.faces)
    faces = dice.draw(count, rolled.term.sides)
    rolled.faces += faces
    return first, rolled.term.shown(faces)


def _reroll_places(rolled: RolledDice, places: list[int], dice: Dice) -> None:
    changes = _changes(rolled)
    places.sort()
    first, values = _draw_more(rolled, len(places), dice)
    for at, (place, value) in enumerate(zip(places, values, strict=True), first):
        changes.replaced.setdefault(place, []).append(rolled.values[place])
        changes.places[place] = at
        changes.forced.pop(place, None)
        rolled.values[place] = value


def _reroll(rolled: RolledDice, operator: tree.Operator, dice: Dice) -> None:
    while places := _select(rolled, operator.selectors):
        _reroll_places(rolled, places, dice)


def _reroll_once(rolled: RolledDice, operator: tree.Operator, dice: Dice) -> None:
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


def _explode(rolled: RolledDice, operator: tree.Operator, dice: Dice) -> None:
    done: set[int] = set()
    while places := [place for place in _select(rolled, operator.selectors) if place not in done]:
        done.update(places)
        _explode_places(rolled, places, dice)


def _explode_once(rolled: RolledDice, operator: tree.Operator, dice: Dice) -> None:
    """Add one die for the first that fits: one in all, not one for each."""
    if places := _select(rolled, operator.selectors):
        _explode_places(rolled, places[:1], dice)


def _explode_each_once(rolled: RolledDice, operator: tree.Operator, dice: Dice) -> None:
    """Add one die for each that fits; those that are added add none."""
    if places := _select(rolled, operator.selectors):
        _explode_places(rolled, places, dice)


def _goes_on(operator: tree.Operator, value: int) -> bool:
    return any(one.covers(value, value) for one in operator.selectors)


def _explode_less(rolled: RolledDice, operator: tree.Operator, dice: Dice) -> None:
    """Add a die for each that fits, again and again; each that is added counts one less than it shows."""
    places = _select(rolled, operator.selectors)
    while places:
        first = len(rolled.values)
        _explode_places(rolled, places, dice)
        added = range(first, len(rolled.values))
        places = [place for place in added if _goes_on(operator, rolled.values[place])]
        for place in added:
            rolled.values[place] -= 1


def _explode_together(rolled: RolledDice, operator: tree.Operator, dice: Dice) -> None:
    """Add to each die that fits another, again and again, which is one die with it."""
    changes = _changes(rolled)
    going = dict.fromkeys(_select(rolled, operator.selectors), 0)
    changes.exploded.update(going)
    while going:
        first, values = _draw_more(rolled, len(going), dice)
        after: dict[int, int] = {}
        for draw, (place, value) in enumerate(zip(going, values, strict=True), first):
            changes.added.setdefault(place, []).append(draw)
            rolled.values[place] += value
            if _goes_on(operator, value):
                after[place] = value
        going = after


def _bound(rolled: RolledDice, operator: tree.Operator, _dice: Dice) -> None:
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


def _count(rolled: RolledDice, operator: tree.Operator, _dice: Dice) -> None:
    """Count the kept dice that are taken: successes, or failures against them."""
    if rolled.counted is None:
        rolled.counted = [0] * len(rolled.values)
    for place in _select(rolled, operator.selectors):
        rolled.counted[place] += tree.WORTH[operator.name]


_OPERATE: dict[str, Callable[[Any, tree.Operator, Dice], None]] = {
    "k": _keep,
    "p": _drop,
    "rr": _reroll,
    "ro": _reroll_once,
    "e": _explode,
    "eo": _explode_each_once,
    "ep": _explode_less,
    "ec": _explode_together,
    "ra": _explode_once,
    "mi": _bound,
    "ma": _bound,
    "s": _count,
    "f": _count,
    "ss": _count,
    "b": _count,
}


def _roll_group(node: tree.Group, dice: Dice, slots: list[Slot], more: tree.Operators = ()) -> tree.Number:
    """Roll what is in parentheses. Dice, groups and sets in it take the operators; the rest is a set of one."""
    inside = node.inside
    operators = node.operators + more
    kind = inside.__class__
    if not operators:
        return _ROLL[kind](inside, dice, slots)
    if kind in _OPERATED:
        return _ROLL[kind](inside, dice, slots, operators)
    return _roll_elements((inside,), dice, slots, operators)


def _roll_set(node: tree.NumberSet, dice: Dice, slots: list[Slot], more: tree.Operators = ()) -> tree.Number:
    operators = node.operators + more
    if operators:
        return _roll_elements(node.elements, dice, slots, operators)
    return sum([_ROLL[element.__class__](element, dice, slots) for element in node.elements])


def _roll_elements(
    elements: tuple[tree.Node, ...], dice: Dice, slots: list[Slot], operators: tree.Operators
) -> tree.Number:
    values: list[tree.Number] = []
    inside: list[list[Slot]] = []
    for element in elements:
        own: list[Slot] = []
        values.append(_ROLL[element.__class__](element, dice, own))
        inside.append(own)
    rolled = RolledSet(values, inside)
    slots.append(rolled)
    for operator in operators:
        _OPERATE[operator.name](rolled, operator, dice)
    return kept_sum(rolled)


_ROLL: dict[type, Callable[..., tree.Number]] = {
    tree.Literal: _roll_literal,
    tree.DiceTerm: _roll_dice,
    tree.RolledPool: _roll_pool,
    tree.Group: _roll_group,
    tree.NumberSet: _roll_set,
    tree.Unary: _roll_unary,
    tree.Chain: _roll_chain,
    tree.Call: _roll_call,
}
_OPERATED = frozenset({tree.DiceTerm, tree.RolledPool, tree.Group, tree.NumberSet})


def term_total(term: tree.DiceTerm, operators: tree.Operators, dice: Dice) -> tree.Number:
    """Roll one term under these operators instead of its own; for the odds."""
    return _roll_dice(replace(term, operators=()), dice, [], operators)


def elements_total(values: list[tree.Number], operators: tree.Operators) -> tree.Number:
    """Return what set operators leave of elements with these values; for the odds."""
    rolled = RolledSet(values, [])
    for operator in operators:
        (_keep if operator.name == "k" else _drop)(rolled, operator)
    return kept_sum(rolled)
