"""Writes a roll for Discord: every face shown, kept bold, dropped struck through, then the total.

An expression's fixed parts are made into a template once; a roll fills in its faces.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

from rules.dice.rolled import RolledDice, RolledSet, Slot
from rules.dice.tree import (
    Chain,
    DiceTerm,
    Expression,
    Group,
    Literal,
    Node,
    Number,
    NumberSet,
    Unary,
    operators_text,
)

_MARKDOWN = re.compile(r"([\\*_~`|<>\[\]()#@:])")
_SIGNS = {"*": "×", "%": "%%"}  # those that mean something in markdown or in a template
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


@lru_cache(maxsize=256)
def escape(words: str) -> str:
    """Make what people typed harmless in Discord's markdown: it formats nothing and pings nobody."""
    return _MARKDOWN.sub(r"\\\1", words).replace("@", "@\u200b")


Values = Sequence[Number]
Slots = list[list[Slot]]  # for each value, the rolled terms of the expression from left to right


def written(expression: Expression, values: Values, slots: Slots, limit: int) -> str:
    """Write a roll, showing fewer faces of each term, with a count, until it fits into `limit`."""
    template: Template = expression.template or _template_of(expression)
    for most in _MOST_FACES:
        if len(values) == 1:
            shown = template.filled(slots[0], most) + _value_text(values[0])
        else:
            shown = _lines(template, values, slots, most)
        if len(shown) <= limit:
            return shown
    return _summary(expression, values, slots, limit)


def _lines(template: Template, values: Values, slots: Slots, most: int) -> str:
    lines = [
        f"{at}. {template.filled(inside, most)}{_value_text(value)}"
        for at, (value, inside) in enumerate(zip(values, slots, strict=True), 1)
    ]
    if len(lines) > most:
        lines[most:] = [f"… and {len(lines) - most} more results"]
    return "\n".join([*lines, _together(values)])


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

    __slots__ = ("sets", "text")

    def __init__(self, node: Node) -> None:
        self.sets: list[list[Template]] = []
        self.text = self._of(node)

    def filled(self, slots: list[Slot], most: int) -> str:
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
        return self.text % tuple(shown)

    def _of(self, node: Node, *, is_operated: bool = False) -> str:
        if isinstance(node, DiceTerm):
            self.sets.append([])
            shown = f"{node.label} (%s)"
            return shown + _notes(node.notes) if node.notes else shown
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
        is_operated = is_operated or bool(node.operators)
        tail = operators_text(node.operators) + _notes(node.notes)
        if isinstance(node, Group):
            if not is_operated or node.inside.__class__ in {DiceTerm, Group, NumberSet}:
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
    template = Template(expression.root)
    comment = f" # {escape(expression.comment)}".replace("%", "%%") if expression.comment else ""
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


def _set_text(rolled: RolledSet, elements: list[Template], most: int) -> str:
    parts = [element.filled(inside, most) for element, inside in zip(elements, rolled.inside, strict=True)]
    for place, is_alive in enumerate(rolled.alive or ()):
        if not is_alive:
            parts[place] = f"~~{parts[place].replace('**', '').replace('~~', '')}~~"
    return ", ".join(parts)
