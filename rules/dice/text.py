"""Writes a roll for Discord: every face shown, kept bold, dropped struck through, then the total."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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
_SIGNS = {"*": "×", "**": "^"}  # those that mean something in markdown
_MOST_FACES = (10**9, 60, 25, 10, 4, 1)  # of a term, tried one after the other


def _bold(words: object) -> str:
    return f"**{words}**"


def _struck(words: object) -> str:
    return f"~~{words}~~"


def _fate_text(value: int) -> str:
    return f"+{value}" if value > 0 else str(value)


_AGAINST = {">=": "", ">": "more than ", "<=": "at most ", "<": "less than ", "==": "exactly ", "!=": "not "}


@lru_cache(maxsize=256)
def escape(words: str) -> str:
    """Make what people typed harmless in Discord's markdown: it formats nothing and pings nobody."""
    return _MARKDOWN.sub(r"\\\1", words).replace("@", "@\u200b")


Values = Sequence[Number]
Slots = list[list[Slot]]  # for each value, the rolled terms of the expression from left to right


def written(expression: Expression, values: Values, slots: Slots, limit: int, compared: Sequence[Compared] = ()) -> str:
    """Write a roll, showing fewer faces of each term, with a count, until it fits into `limit`."""
    for most in _MOST_FACES:
        shown = _whole(expression, values, slots, compared, most)
        if len(shown) <= limit:
            return shown
    return _summary(expression, values, slots, limit)


def _whole(expression: Expression, values: Values, slots: Slots, compared: Sequence[Compared], most: int) -> str:
    """Write all results, each on a line of its own if there are several."""
    if compared:
        shown = [_comparison(expression, inside, each, most) for inside, each in zip(slots, compared, strict=True)]
    else:
        shown = [
            f"{_Writer(inside, most).of(expression.root)}{_comment(expression)} = {_number(expression, value)}"
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
        parts = list(map(_bold, slot)) if isinstance(slot, list) else _dice_parts(slot)
        yield f"{label} ({', '.join(parts)})"


def _comparison(expression: Expression, slots: list[Slot], compared: Compared, most: int) -> str:
    """Write a comparison: the dice of its left side and their total, those of its right side, and how it ends."""
    assert isinstance(expression.root, Chain)  # noqa: S101 - a comparison is one
    writer = _Writer(slots, most)
    first = writer.of(expression.root.first)
    of_left = writer.dice
    first = f"{first} = {_number(expression, compared.left)}" if of_left else _value_text(compared.left)
    second = writer.of(expression.root.rest[0][1])
    if writer.dice > of_left:
        second = f"{second} = {_value_text(compared.right)}"
    against = _AGAINST[expression.compares]
    return f"{first} against {against}{second}{_comment(expression)}: {outcome(compared)}"


def _comment(expression: Expression) -> str:
    return f" # {escape(expression.comment)}" if expression.comment else ""


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


def _summary(expression: Expression, values: Values, slots: Slots, limit: int) -> str:
    """Name the expression in short, and give the totals: what is left when faces do not fit."""
    source = escape(expression.text)
    dice = sum(_count_dice(slot) for inside in slots for slot in inside)
    together = f"{len(values)} results. Together {_bold(sum(map(int, values)))}"
    result = _value_text(values[0]) if len(values) == 1 else together
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
    whole = int(value)
    return _bold(whole) if value == whole else f"{_bold(whole)} ({value:.6g})"


class _Writer:
    """Writes a node with the dice of one result, from left to right; `dice` counts the terms and sets so far."""

    def __init__(self, slots: list[Slot], most: int) -> None:
        self.slots = slots
        self.most = most
        self.dice = 0

    def _next(self) -> Slot:
        self.dice += 1
        return self.slots[self.dice - 1]

    def _dice(self) -> str:
        slot = self._next()
        assert not isinstance(slot, RolledSet)  # noqa: S101 - it was rolled by the same term
        parts = list(map(_bold, slot)) if isinstance(slot, list) else _dice_parts(slot)
        return ", ".join(parts) if len(parts) <= self.most else _shortened(parts, self.most)

    def of(self, node: Node, *, is_operated: bool = False) -> str:
        if isinstance(node, DiceTerm):
            return f"{node.label} ({self._dice()}){_notes(node.notes)}"
        if isinstance(node, RolledPool):
            return f"({self.of(node.number)}){self.of(node.dice)[1:]}"
        if isinstance(node, Literal):
            shown = str(node.value) if isinstance(node.value, int) else str(replace(node, notes=()))
            return shown + _notes(node.notes)
        if isinstance(node, Chain):
            shown = self.of(node.first)
            for sign, operand in node.rest:
                shown += f" {_SIGNS.get(sign, sign)} {self.of(operand)}"
            return shown
        if isinstance(node, Unary):
            return node.sign + self.of(node.operand)
        if isinstance(node, Call):
            inside = ", ".join([self.of(argument) for argument in node.arguments])
            return f"{node.name}({inside}){_notes(node.notes)}"
        is_operated = is_operated or bool(node.operators)
        tail = operators_text(node.operators) + _notes(node.notes)
        if isinstance(node, Group):
            if not is_operated or node.inside.__class__ in {DiceTerm, RolledPool, Group, NumberSet}:
                return f"({self.of(node.inside, is_operated=is_operated)}){tail}"
            return f"({self._set((node.inside,))}){tail}"
        inside = self._set(node.elements) if is_operated else ", ".join(map(self.of, node.elements))
        comma = "," if len(node.elements) == 1 else ""
        return f"({inside}{comma}){tail}"

    def _set(self, elements: tuple[Node, ...]) -> str:
        """Write what operators work on, each element with its own dice; what is dropped is struck through."""
        rolled = self._next()
        assert isinstance(rolled, RolledSet)  # noqa: S101 - it was rolled by the same node
        alive = rolled.alive or [True] * len(elements)
        parts = []
        for element, inside, is_alive in zip(elements, rolled.inside, alive, strict=True):
            part = _Writer(inside, self.most).of(element)
            parts.append(part if is_alive else _struck(part.replace("**", "").replace("~~", "")))
        return ", ".join(parts)


def _notes(notes: Sequence[str]) -> str:
    return "".join([f" [{escape(note)}]" for note in notes])


def _shortened(parts: list[str], most: int) -> str:
    return f"{', '.join(parts[:most])}, … and {len(parts) - most} more"


def _dice_parts(rolled: RolledDice) -> list[str]:
    """Write each die, with what became of it."""
    values, alive, changes = rolled.values, rolled.alive, rolled.changes
    write = _fate_text if rolled.term.fate else str
    alive = alive or [True] * len(values)
    parts = [(_bold if is_alive else _struck)(write(value)) for value, is_alive in zip(values, alive, strict=True)]
    if rolled.counted is not None:
        return _counted_parts(rolled)
    if changes is None:
        return parts
    for place in sorted({*changes.replaced, *changes.forced, *changes.exploded}, reverse=True):
        shown = write(values[place])
        if place in changes.forced:
            shown = f"{write(changes.forced[place])}→{shown}"
        if place in changes.exploded:
            shown = f"{shown}!"
        before = [_struck(write(old)) for old in changes.replaced.get(place, ())]
        parts[place : place + 1] = [*before, (_bold if alive[place] else _struck)(shown)]
    return parts


def _counted_parts(rolled: RolledDice) -> list[str]:
    """Write the dice of a count: successes bold with a tick, failures with a cross, the others plain."""
    parts = []
    replaced = {} if rolled.changes is None else rolled.changes.replaced
    exploded = set() if rolled.changes is None else rolled.changes.exploded
    for place, (value, adds) in enumerate(zip(rolled.values, rolled.counted or (), strict=True)):
        parts += [_struck(old) for old in replaced.get(place, ())]
        shown = f"{value}!" if place in exploded else str(value)
        if rolled.alive is not None and not rolled.alive[place]:
            parts.append(_struck(shown))
        else:
            parts.append(_bold(f"{shown}✓") if adds > 0 else f"{shown}✗" if adds < 0 else shown)
    return parts
