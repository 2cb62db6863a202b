"""Writes a roll for Discord: every face shown, kept bold, dropped struck through, then the total.

An expression's fixed parts are made into a template once; a roll fills in its faces.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from rules.dice.rolled import Compared, RolledDice, RolledSet, Slot
from rules.dice.tree import (
    Call,
    Chain,
    DiceTerm,
    Expression,
    Group,
    Literal,
    Node,
    Number,
    NumberSet,
    RolledPool,
    Unary,
    operators_text,
)

_MARKDOWN = re.compile(r"([\\*_~`|<>\[\]()#@:])")
_SIGNS = {"*": "×", "%": "%%", "**": "^"}  # those that mean something in markdown or in a template
_MOST_FACES = (10**9, 60, 25, 10, 4, 1)  # of a term, tried one after the other


class _Marked(dict[int, str]):
    """Numbers between marks: those that most dice and totals show are written beforehand."""

    def __init__(self, marks: str, write: Callable[[int], str]) -> None:
        self._marks = marks
        self.write = write
        super().__init__({number: self[number] for number in range(201)})

    def __missing__(self, number: int) -> str:
        return self.around(self.write(number))

    def around(self, words: str) -> str:
        return f"{self._marks}{words}{self._marks}"


def _fate_text(value: int) -> str:
    return f"+{value}" if value > 0 else str(value)


_BOLD, _STRUCK = _Marked("**", str), _Marked("~~", str)
_FATE_BOLD, _FATE_STRUCK = _Marked("**", _fate_text), _Marked("~~", _fate_text)
_as_bold = _BOLD.__getitem__
_AGAINST = {">=": "", ">": "more than ", "<=": "at most ", "<": "less than ", "==": "exactly ", "!=": "not "}


@lru_cache(maxsize=256)
def escape(words: str) -> str:
    """Make what people typed harmless in Discord's markdown: it formats nothing and pings nobody."""
    return _MARKDOWN.sub(r"\\\1", words).replace("@", "@\u200b")


Values = Sequence[Number]
Slots = list[list[Slot]]  # for each value, the rolled terms of the expression from left to right


def written(expression: Expression, values: Values, slots: Slots, limit: int, compared: Sequence[Compared] = ()) -> str:
    """Write a roll, showing fewer faces of each term, with a count, until it fits into `limit`."""
    template: Template = expression.template or _template_of(expression)
    is_one = len(values) == 1
    for most in _MOST_FACES:
        if compared or expression.is_count:
            shown = _judged(expression, template, values, slots, compared, most)
        elif is_one:
            shown = template.text % tuple(template.parts(slots[0], most)) + _value_text(values[0])
        else:
            shown = _lines(template, values, slots, most)
        if len(shown) <= limit:
            return shown
    return _summary(expression, values, slots, limit)


def faces_written(expression: Expression, slots: Slots, limit: int) -> str:
    """Write the dice alone, `2d6 (**3**, **4**)`: no number beside them, and no total."""
    dice = [shown for inside in slots for shown in _faces(iter(expression.terms), inside)]
    shown = ", ".join(dice) or "?"
    return shown if len(shown) <= limit else "dice, too long to show"


def _faces(terms: Iterator[DiceTerm], slots: list[Slot]) -> Iterator[str]:
    for slot in slots:
        if isinstance(slot, RolledSet):
            for inside in slot.inside:
                yield from _faces(terms, inside)
            continue
        term = next(terms)
        label = term.label if term.number else f"{len(slot if isinstance(slot, list) else slot.faces)}{term.label[1:]}"
        parts = list(map(_as_bold, slot)) if isinstance(slot, list) else _dice_parts(slot)
        yield f"{label} ({', '.join(parts)})"


def _lines(template: Template, values: Values, slots: Slots, most: int) -> str:
    lines = [
        f"{at}. {template.filled(inside, most)}{_value_text(value)}"
        for at, (value, inside) in enumerate(zip(values, slots, strict=True), 1)
    ]
    if len(lines) > most:
        lines[most:] = [f"… and {len(lines) - most} more results"]
    return "\n".join([*lines, _together(values)])


def _judged(
    expression: Expression, template: Template, values: Values, slots: Slots, compared: Sequence[Compared], most: int
) -> str:
    """Write successes: those of a comparison with by how much, or those counted on dice."""
    if len(compared) == 1:
        return _comparison(expression, template, slots[0], compared[0], most)
    if compared:
        shown = [
            _comparison(expression, template, inside, each, most) for inside, each in zip(slots, compared, strict=True)
        ]
    else:
        shown = [
            template.filled(inside, most) + _number(expression, value)
            for inside, value in zip(slots, values, strict=True)
        ]
    if len(shown) == 1:
        return shown[0]
    lines = [f"{at}. {line}" for at, line in enumerate(shown, 1)]
    if len(lines) > most:
        lines[most:] = [f"… and {len(lines) - most} more results"]
    successes = sum(map(int, values))
    together = f"**{successes}** of {len(values)} succeed" if compared else _number(expression, successes)
    return "\n".join([*lines, f"Together {together}"])


def _comparison(expression: Expression, template: Template, slots: list[Slot], compared: Compared, most: int) -> str:
    """Fill in a comparison: the dice of its left side and their total, those of its right side, and how it ends."""
    left, _, right = compared
    at = template.left
    total = _number(expression, left) if at and expression.is_count else _value_text(left)
    parts = template.parts(slots, most)
    if len(parts) == at:
        return template.text % (*parts, total, outcome(compared))
    return template.text % (*parts[:at], total, *parts[at:], _value_text(right), outcome(compared))


@lru_cache(maxsize=1024)
def outcome(compared: Compared) -> str:
    """Say how a comparison ends: success or failure, and by how much if that can be said."""
    margin = compared.margin
    word = "success" if compared.succeeds else "failure"
    return f"**{word}** by {_plain(abs(margin))}" if margin else f"**{word}**"


def _plain(number: Number) -> str:
    return str(number) if isinstance(number, int) else f"{number:.10g}"


def _number(expression: Expression, value: Number) -> str:
    """Write a total, of counted dice as so many successes."""
    if not expression.is_count:
        return _value_text(value)
    return f"{_value_text(value)} {'success' if value == 1 else 'successes'}"


def _together(values: Values) -> str:
    return f"Together **{sum(map(int, values))}**"


def _summary(expression: Expression, values: Values, slots: Slots, limit: int) -> str:
    """Name the expression in short, and give the totals: what is left when faces do not fit."""
    source = escape(expression.text)
    dice = sum(_count_dice(slot) for inside in slots for slot in inside)
    result = _value_text(values[0]) if len(values) == 1 else f"{len(values)} results. {_together(values)}"
    tail = f" ({dice} dice, too long to show) = {result}"
    room = limit - len(tail)
    if len(source) > room:
        shown = escape(expression.text[: max(room // 2 - 20, 0)])
        source = f"{shown}… ({len(expression.text)} characters)"
    return source + tail


def _count_dice(slot: Slot) -> int:
    if isinstance(slot, RolledSet):
        return sum(_count_dice(inner) for inside in slot.inside for inner in inside)
    return len(slot if isinstance(slot, list) else slot.faces)


def _value_text(value: Number) -> str:
    if isinstance(value, int):
        return _BOLD[value]
    whole = int(value)
    return _BOLD[whole] if value == whole else f"{_BOLD[whole]} ({value:.6g})"


class Template:
    """A node's text with %s for the dice of each term, and for the whole of each operated set.

    `sets` has for each of these places the templates of the set's elements; for dice it is empty.
    """

    __slots__ = ("left", "sets", "text")

    def __init__(self, node: Node) -> None:
        self.left = 0  # how many places belong to the left side of a comparison
        self.sets: list[list[Template]] = []
        self.text = self._of(node)

    def filled(self, slots: list[Slot], most: int) -> str:
        return self.text % tuple(self.parts(slots, most))

    def parts(self, slots: list[Slot], most: int) -> list[str]:
        """Return what belongs into each place."""
        shown: list[str] = []
        for slot in slots:
            if isinstance(slot, list):
                parts = list(map(_as_bold, slot))
            elif isinstance(slot, RolledDice):
                parts = _dice_parts(slot)
            else:
                shown.append(_set_text(slot, self.sets[len(shown)], most))
                continue
            shown.append(", ".join(parts) if len(parts) <= most else _shortened(parts, most))
        return shown

    def _of(self, node: Node, *, is_operated: bool = False) -> str:
        if isinstance(node, DiceTerm):
            self.sets.append([])
            shown = f"{node.label} (%s)"
            return shown + _notes(node.notes) if node.notes else shown
        if isinstance(node, RolledPool):
            return f"({self._of(node.number)}){self._of(node.dice)[1:]}"
        if isinstance(node, Literal):
            shown = str(node.value) if isinstance(node.value, int) else str(replace(node, notes=()))
            return shown + _notes(node.notes) if node.notes else shown
        if isinstance(node, Chain):
            shown = self._of(node.first)
            for sign, operand in node.rest:
                shown += f" {_SIGNS.get(sign, sign)} {self._of(operand)}"
            return shown
        if isinstance(node, Unary):
            return node.sign + self._of(node.operand)
        if isinstance(node, Call):
            inside = ", ".join([self._of(argument) for argument in node.arguments])
            return f"{node.name}({inside}){_notes(node.notes)}"
        is_operated = is_operated or bool(node.operators)
        tail = operators_text(node.operators) + _notes(node.notes)
        if isinstance(node, Group):
            if not is_operated or node.inside.__class__ in {DiceTerm, RolledPool, Group, NumberSet}:
                return f"({self._of(node.inside, is_operated=is_operated)}){tail}"
            return f"({self._set((node.inside,))}){tail}"
        if is_operated:
            inside = self._set(node.elements)
        else:
            inside = ", ".join([self._of(element) for element in node.elements])
        comma = "," if len(node.elements) == 1 else ""
        return f"({inside}{comma}){tail}"

    def _set(self, elements: tuple[Node, ...]) -> str:
        self.sets.append([Template(element) for element in elements])
        return "%s"


def _template_of(expression: Expression) -> Template:
    root = expression.root
    comment = f" # {escape(expression.comment)}".replace("%", "%%") if expression.comment else ""
    if expression.compares and isinstance(root, Chain):
        template, right = Template(root.first), Template(root.rest[0][1])
        template.left = len(template.sets)
        first = f"{template.text} = %s" if template.sets else "%s"
        second = f"{right.text} = %s" if right.sets else right.text
        template.text = f"{first} against {_AGAINST[expression.compares]}{second}{comment}: %s"
        template.sets += right.sets
    else:
        template = Template(root)
        template.text += f"{comment} = "
    expression.template = template
    return template


def _notes(notes: Sequence[str]) -> str:
    return "".join([f" [{escape(note)}]" for note in notes]).replace("%", "%%")


def _shortened(parts: list[str], most: int) -> str:
    return f"{', '.join(parts[:most])}, … and {len(parts) - most} more"


def _dice_parts(rolled: RolledDice) -> list[str]:
    """Write each die, with what became of it."""
    values, alive, changes = rolled.values, rolled.alive, rolled.changes
    bold, struck = (_FATE_BOLD, _FATE_STRUCK) if rolled.term.fate else (_BOLD, _STRUCK)
    parts = list(map(bold.__getitem__, values))
    for place, is_alive in enumerate(alive or ()):
        if not is_alive:
            parts[place] = struck[values[place]]
    if rolled.counted is not None:
        return _counted_parts(rolled)
    if changes is None:
        return parts
    for place in sorted({*changes.replaced, *changes.forced, *changes.exploded}, reverse=True):
        shown = bold.write(values[place])
        if place in changes.forced:
            shown = f"{bold.write(changes.forced[place])}→{shown}"
        if place in changes.exploded:
            shown = f"{shown}!"
        marked = bold if alive is None or alive[place] else struck
        before = [struck[old] for old in changes.replaced.get(place, ())]
        parts[place : place + 1] = [*before, marked.around(shown)]
    return parts


def _counted_parts(rolled: RolledDice) -> list[str]:
    """Write the dice of a count: successes bold with a tick, failures with a cross, the others plain."""
    parts = []
    replaced = {} if rolled.changes is None else rolled.changes.replaced
    exploded = set() if rolled.changes is None else rolled.changes.exploded
    for place, (value, adds) in enumerate(zip(rolled.values, rolled.counted or (), strict=True)):
        parts += [_STRUCK[old] for old in replaced.get(place, ())]
        shown = f"{value}!" if place in exploded else str(value)
        if rolled.alive is not None and not rolled.alive[place]:
            parts.append(_STRUCK.around(shown))
        else:
            parts.append(_BOLD.around(f"{shown}✓") if adds > 0 else f"{shown}✗" if adds < 0 else shown)
    return parts


def _set_text(rolled: RolledSet, elements: list[Template], most: int) -> str:
    parts = [element.filled(inside, most) for element, inside in zip(elements, rolled.inside, strict=True)]
    for place, is_alive in enumerate(rolled.alive or ()):
        if not is_alive:
            parts[place] = f"~~{parts[place].replace('**', '').replace('~~', '')}~~"
    return ", ".join(parts)
