"""Reads dice expressions: text in, tree out, or a refusal with the place and what was expected.

    expression  = [count "x"] chain ["#" comment]
    chain       = comparisons of sums of products of powers of signed numbers, each worked off from the left
    number      = (literal | dice | set | call) {"[" note "]"}
    dice        = [count | "(" chain ")"] "d" sides (("adv" | "dis") n | {operator})
    sides       = number | "%" | "F" | "{" face {"," face} "}"
    set         = "(" [chain {"," chain} [","]] ")" {("k" | "p") selector}
    call        = ("floor" | "ceil" | "abs" | "min" | "max") "(" chain {"," chain} ")"

Operators are read in `operators.py`. What people type beyond this grammar is brought into it in `typed.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rules.dice import tree
from rules.dice.operators import clean, quoted, read_operators, refuse_endless
from rules.dice.refused import THE_END, BeyondLimit, UnreadableDice, beyond_largest
from rules.dice.tree import (
    LARGEST,
    MOST_DICE,
    Call,
    Chain,
    DiceTerm,
    Expression,
    Group,
    Literal,
    Node,
    NumberSet,
    Operators,
    Unary,
)

MOST_CHARACTERS = 500
MOST_SIDES = 1_000_000
MOST_FACES = 100  # of a die that has its own
MOST_NESTING = 50
GRAMMAR = 2
"""Kept in the row of each `/roll`: counted up whenever a text that could be rolled comes to roll other dice."""

_SIDES = r"\d+|%|f|\{[-\d, ]+\}"
_PRIMARY = re.compile(
    rf"\s*(?:(?:(\d+)\s*)?d\s*({_SIDES})|(\d+(?:\.\d*)?|\.\d+)|(\()|([-+−–])|(floor|ceil|abs|min|max)\s*\()",
    re.IGNORECASE | re.ASCII,
)
_POOL = re.compile(rf"\s*d\s*({_SIDES})", re.IGNORECASE | re.ASCII)
_SIGN = re.compile(r"\s*(==|>=|<=|!=|//|\*\*|[-+*/%<>−–×·÷≤≥≠])\s*")
_NOTE = re.compile(r"\s*\[([^\]]*)\]")
_REPEATS = re.compile(r"\s*(\d+)\s*x\s*", re.IGNORECASE | re.ASCII)
_WORD = re.compile(r"\s*(\w{1,20}|\S)")

_SIGN_OF = {"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/", "≤": "<=", "≥": ">=", "≠": "!="}
_PRECEDENCE = dict.fromkeys(("==", ">=", "<=", "!=", "<", ">"), 0)
_PRECEDENCE |= {"+": 1, "-": 1, "*": 2, "/": 2, "//": 2, "%": 2, "**": 3}
_END = -1

_A_NUMBER = "a number, dice such as 2d6, or a parenthesis"
_A_SIGN = "a sign such as +, an operator such as kh1, or the end"
_A_COMMA = "a comma or a closing parenthesis"
_OF_SEVERAL = frozenset({"min", "max"})


def read_grammar(text: str) -> Expression:
    """Read a text of this grammar, without the other forms that people may type.

    Raises: UnreadableDice if it cannot be read, Illegal if it breaks a limit.
    """
    require_length(text)
    return _Reader(text).expression()


def require_length(text: str) -> None:
    """Refuse a text that is longer than any that is read. Raises: BeyondLimit."""
    if len(text) > MOST_CHARACTERS:
        raise BeyondLimit(
            f"A dice expression can have {MOST_CHARACTERS} characters; this one has {len(text)}.",
            instead="Split it into several rolls.",
        )


def require_within(rolls: Sequence[Expression], times: int) -> None:
    """Refuse the rolls of one command that together are sure to break its limit. Raises: BeyondLimit."""
    refuse_too_many(sum(roll.dice_count for roll in rolls) * times, sum(roll.exploding for roll in rolls) * times)


def refuse_too_many(dice: int, exploding: int) -> None:
    """Refuse what is sure to break the limit of a command, before a die is drawn."""
    if dice > MOST_DICE:
        raise BeyondLimit(
            f"One command can roll {MOST_DICE} dice; this asks for {_brief(dice)}.",
            instead="Roll fewer, or in several commands.",
        )
    if exploding >= MOST_DICE:
        raise BeyondLimit(
            f"One command can roll {MOST_DICE} dice with explosions; here {_brief(exploding)} explode.",
            instead=f"Roll fewer than {MOST_DICE} exploding dice.",
        )


class _Reader:
    """Reads one text, from the left."""

    __slots__ = ("_at", "_behind_sign", "_depth", "_level", "_sign", "_terms", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0
        self._level = _END  # of the sign that comes next
        self._sign = ""
        self._behind_sign = 0
        self._terms: list[DiceTerm] = []

    def expression(self) -> Expression:
        text = self._text
        repeats, comment = 1, ""
        if match := _REPEATS.match(text):
            repeats = int(match[1])
            if not 1 <= repeats <= MOST_DICE:
                raise BeyondLimit(f"You can repeat an expression 1 to {MOST_DICE} times, not {_brief(repeats)}.")
            self._at = match.end()
        root = self._chain(0)
        self._skip_space()
        if self._at < len(text):
            if text[self._at] != "#":
                raise self._unexpected(_A_SIGN)
            comment = clean(text[self._at + 1 :])
        expression = Expression(root, tuple(self._terms), repeats, comment)
        refuse_too_many(expression.dice_count, expression.exploding)
        return expression

    def _chain(self, least: int) -> Node:
        """Read operands and the signs between them that bind at least as strongly as `least`."""
        left = self._operand()
        self._peek_sign()
        while self._level >= least:
            here = self._level
            rest = []
            while self._level == here:
                sign = self._sign
                self._at = self._behind_sign
                rest.append((sign, self._chain(here + 1)))
            left = Chain(left, tuple(rest))
        return left

    def _peek_sign(self) -> None:
        match = _SIGN.match(self._text, self._at)
        if match is None:
            self._level = _END
            return
        sign = match[1]
        self._sign = sign = _SIGN_OF.get(sign, sign)
        self._level = _PRECEDENCE[sign]
        self._behind_sign = match.end()

    def _operand(self) -> Node:
        match = _PRIMARY.match(self._text, self._at)
        if match is None:
            raise self._unexpected(_A_NUMBER)
        self._at = match.end()
        number, sides, literal, opening, sign, name = match.groups()
        if sides:
            return self._dice(int(number or 1), sides)
        if literal:
            value = float(literal) if "." in literal else int(literal)
            if value > LARGEST:
                raise beyond_largest()
            return Literal(value, self._notes())
        self._depth += 1
        if self._depth > MOST_NESTING:
            raise BeyondLimit(f"A dice expression can be nested {MOST_NESTING} deep at most.")
        made: Node
        if sign:
            made = Unary("+" if sign == "+" else "-", self._operand())
        else:
            made = self._set() if opening else self._call(name.lower())
        self._depth -= 1
        return made

    def _dice(self, number: int, sides: str) -> DiceTerm:
        faces = tree.FATE if sides in "fF" else _own_faces(sides) if sides[0] == "{" else ()
        size = len(faces) or (100 if sides == "%" else int(sides))
        if not 1 <= size <= MOST_SIDES:
            raise BeyondLimit(f"A die can have 1 to 1,000,000 sides, not {_brief(size)}.")
        refuse_too_many(number, 0)
        begins = self._at
        lowest, highest = (min(faces), max(faces)) if faces else (1, size)
        operators, edge, self._at = read_operators(self._text, begins, highest)
        if edge and (number, size, operators, faces) != (2, 6, (), ()):
            raise UnreadableDice(
                self._at - len(self._text[begins : self._at].lstrip()) + 1,
                "adv or dis",
                "it after a plain 2d6",
                instead="It goes only with 2d6: 2d6 adv 2 + 3. For a d20 write 2d20kh1 or 2d20kl1.",
            )
        for operator in operators:
            if operator.name in {"rr", "e", "ep", "ec"}:
                refuse_endless(operator, lowest, highest, is_first=operator is operators[0])
        term = DiceTerm(number, size, operators, self._notes(), edge, faces)
        self._terms.append(term)
        return term

    def _set(self) -> Node:
        text = self._text
        elements: list[Node] = []
        has_comma = False
        while True:
            self._skip_space()
            if text.startswith(")", self._at) and (has_comma or not elements):
                break
            elements.append(self._chain(0))
            if not self._comma():
                break
            has_comma = True
        if not text.startswith(")", self._at):
            raise self._unexpected(_A_COMMA)
        self._at += 1
        if len(elements) != 1 or has_comma:
            return NumberSet(tuple(elements), self._set_operators(), self._notes())
        inside = elements[0]
        if pool := _POOL.match(text, self._at):
            self._at = pool.end()
            return tree.RolledPool(inside, self._dice(0, pool[1]))
        begins = self._at
        operators = self._set_operators()
        if operators and _is_counted(inside):
            raise UnreadableDice(
                begins + 1,
                quoted(text[begins : self._at]),
                "a sign such as +",
                instead="A count of successes is a number, so you can't keep or drop part of it.",
            )
        return Group(inside, operators, self._notes())

    def _set_operators(self) -> Operators:
        begins = self._at
        operators, edge, self._at = read_operators(self._text, begins, None)
        if edge or any(operator.name not in {"k", "p"} for operator in operators):
            raise UnreadableDice(
                begins + 1,
                quoted(self._text[begins : self._at]),
                "k or p",
                instead="After a parenthesis you can only keep (k) or drop (p) dice; the other operators come right "
                "after dice.",
            )
        return operators

    def _call(self, name: str) -> Call:
        arguments = [self._chain(0)]
        while name in _OF_SEVERAL and self._comma():
            arguments.append(self._chain(0))
        self._skip_space()
        if not self._text.startswith(")", self._at):
            raise self._unexpected("a closing parenthesis" if name not in _OF_SEVERAL else _A_COMMA)
        self._at += 1
        return Call(name, tuple(arguments), self._notes())

    def _comma(self) -> bool:
        self._skip_space()
        is_there = self._text.startswith(",", self._at)
        self._at += is_there
        return is_there

    def _notes(self) -> tuple[str, ...]:
        notes: tuple[str, ...] = ()
        while match := _NOTE.match(self._text, self._at):
            notes += (clean(match[1]),)
            self._at = match.end()
        return notes

    def _skip_space(self) -> None:
        text, at = self._text, self._at
        while text[at : at + 1].isspace():
            at += 1
        self._at = at

    def _unexpected(self, expected: str) -> UnreadableDice:
        self._skip_space()
        match = _WORD.match(self._text, self._at)
        got = quoted(match[1]) if match else THE_END
        instead = None
        if match and match[1][0].isalpha():
            instead = "Put words in [brackets] after a number, or after a # at the end."
        return UnreadableDice(self._at + 1, got, expected, instead=instead)


def _own_faces(text: str) -> tuple[int, ...]:
    """Read the faces of a die that shows other numbers than 1 and on. Raises: BeyondLimit."""
    try:
        faces = tuple(map(int, text.strip("{}").split(",")))
    except ValueError:
        raise BeyondLimit(f"The faces {clean(text)} are not whole numbers with commas between them.") from None
    if len(faces) > MOST_FACES or max(map(abs, faces)) > MOST_SIDES:
        raise BeyondLimit(f"A die can have {MOST_FACES} faces of its own, each 1,000,000 at most.")
    return faces


def _is_counted(node: Node) -> bool:
    while isinstance(node, Group):
        node = node.inside
    if isinstance(node, tree.RolledPool):
        node = node.dice
    return isinstance(node, DiceTerm) and node.is_counted


def _brief(number: int) -> str:
    """Write a number that people typed, unless it would fill the line."""
    shown = f"{number:,}"
    return shown if len(shown) <= 20 else f"a number of {len(str(number))} digits"
