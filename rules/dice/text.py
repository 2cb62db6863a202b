"""Writes a roll for Discord: every face shown, kept bold, dropped struck through, then the total.

An expression's fixed parts are made into a template once; a roll fills in its faces.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

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
_SHORTER = (60, 25, 10, 4, 1)  # so many faces of a term are tried one after the other
_ALL = 10**9


def escape(words: str) -> str:
    """Make what people typed harmless in Discord's markdown: it formats nothing and pings nobody."""
    return _MARKDOWN.sub(r"\\\1", words).replace("@", "@\u200b")


Values = tuple[Number, ...]
Slots = list[list[Slot]]  # for each value, the rolled terms of the expression from left to right


def written(expression: Expression, values: Values, slots: Slots, limit: int) -> str:
    """Write a roll, showing fewer faces of each term, with a count, until it fits into `limit`."""
    whole = _lines(expression, values, slots, _ALL)
    if len(whole) <= limit:
        return whole
    for most in _SHORTER:
        shown = _lines(expression, values, slots, most)
        if len(shown) <= limit:
            return shown
    return _summary(expression, values, slots, limit)


def _lines(expression: Expression, values: Values, slots: Slots, most: int) -> str:
    template: Template = expression.template or _template_of(expression)
    if len(values) == 1:
        return template.filled(slots[0], most) + _value_text(values[0])
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
    if isinstance(slot, RolledDice):
        return len(slot.faces)
    return sum(_count_dice(inner) for inside in slot.inside for inner in inside)


def _value_text(value: float) -> str:
    if value == int(value):
        return f"**{int(value)}**"
    return f"**{int(value)}** ({value:.6g})"


class Template:
    """A node's text with %s for the dice of each term, and for the whole of each operated set.

    `sets` has for each of these places the templates of the set's elements; for dice it is empty.
    """

    __slots__ = ("sets", "text")

    def __init__(self, node: Node) -> None:
        self.sets: list[list[Template]] = []
        self.text = self._of(node, is_operated=False)

    def filled(self, slots: list[Slot], most: int) -> str:
        shown = []
        for place, slot in enumerate(slots):
            if isinstance(slot, RolledDice):
                values = slot.values
                if slot.is_plain and len(values) <= most:
                    shown.append(f"**{'**, **'.join(map(str, values))}**" if values else "")
                else:
                    shown.append(_dice_text(slot, most))
            else:
                shown.append(_set_text(slot, self.sets[place], most))
        return self.text % tuple(shown)

    def _of(self, node: Node, *, is_operated: bool) -> str:
        if isinstance(node, DiceTerm):
            self.sets.append([])
            return f"{_plain(node.label)} (%s){_notes(node.notes)}"
        if isinstance(node, Literal):
            return f"{node.value}{_notes(node.notes)}" if isinstance(node.value, int) else _decimal(node)
        if isinstance(node, Chain):
            parts = [self._of(node.first, is_operated=False)]
            for sign, operand in node.rest:
                parts.append(f"{_plain(sign)} {self._of(operand, is_operated=False)}")
            return " ".join(parts)
        if isinstance(node, Unary):
            return node.sign + self._of(node.operand, is_operated=False)
        is_operated = is_operated or bool(node.operators)
        tail = f"{_plain(operators_text(node.operators))}{_notes(node.notes)}"
        if isinstance(node, Group):
            if not is_operated or node.inside.__class__ in {DiceTerm, Group, NumberSet}:
                return f"({self._of(node.inside, is_operated=is_operated)}){tail}"
            return f"({self._set((node.inside,))}){tail}"
        if is_operated:
            inside = self._set(node.elements)
        else:
            inside = ", ".join([self._of(element, is_operated=False) for element in node.elements])
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


def _decimal(node: Literal) -> str:
    return f"{node._replace(notes=())}{_notes(node.notes)}"


def _plain(words: str) -> str:
    """Keep the grammar's own signs from meaning something in markdown or in a template."""
    return words.replace("*", "×").replace("%", "%%")


def _notes(notes: Sequence[str]) -> str:
    return "".join([f" [{escape(note)}]" for note in notes]).replace("%", "%%") if notes else ""


def _dice_text(rolled: RolledDice, most: int) -> str:
    values: list[Any] = rolled.values
    alive = rolled.alive
    if rolled.term.fate:
        values = [_fate_text(value) for value in values]
    if rolled.changes is not None:
        parts = _changed_parts(rolled, values)
    elif alive is None:
        parts = [f"**{value}**" for value in values]
    else:
        parts = [f"**{value}**" if is_alive else f"~~{value}~~" for value, is_alive in zip(values, alive, strict=True)]
    return _joined(parts, most)


def _joined(parts: list[str], most: int) -> str:
    if len(parts) <= most:
        return ", ".join(parts)
    return f"{', '.join(parts[:most])}, … and {len(parts) - most} more"


def _fate_text(value: int) -> str:
    return f"+{value}" if value > 0 else str(value)


def _changed_parts(rolled: RolledDice, values: list[Any]) -> list[str]:
    changes = rolled.changes
    assert changes is not None  # noqa: S101 - the caller looked
    alive = rolled.alive
    is_fate = rolled.term.fate
    parts: list[str] = []
    for place, value in enumerate(values):
        parts.extend(f"~~{_fate_text(old) if is_fate else old}~~" for old in changes.replaced.get(place, ()))
        shown = value
        if place in changes.forced:
            before = changes.forced[place]
            shown = f"{_fate_text(before) if is_fate else before}→{shown}"
        if place in changes.exploded:
            shown = f"{shown}!"
        parts.append(f"**{shown}**" if alive is None or alive[place] else f"~~{shown}~~")
    return parts


def _set_text(rolled: RolledSet, elements: list[Template], most: int) -> str:
    parts = []
    for element, inside, is_alive in zip(elements, rolled.inside, rolled.alive, strict=True):
        shown = element.filled(inside, most)
        parts.append(shown if is_alive else f"~~{shown.replace('**', '').replace('~~', '')}~~")
    return ", ".join(parts)
