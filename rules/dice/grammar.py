"""Reads dice expressions: text in, tree out, or a refusal that says where and what was expected.

    expression  = [count "x"] chain ["#" comment]
    chain       = comparisons of sums of products of signed numbers, each worked off from the left
    number      = (literal | dice | set) {"[" note "]"}
    dice        = [count] "d" (sides | "%" | "F") (("adv" | "dis") n | {operator})
    set         = "(" [chain {"," chain} [","]] ")" {("k" | "p") selector}
    operator    = ("k" | "p" | "rr" | "ro" | "ra" | "e" | "!" | "mi" | "ma") selector
    selector    = ["h" | "l" | "<" | ">" | "<=" | ">="] integer

`kh kl dh dl` are `k` or `p` with `h` or `l`, and may leave the number out for 1. `!` without a selector
explodes on the highest face. A bare number selects the values equal to it: `k3` keeps the threes.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rules.core.errors import Illegal, Malformed
from rules.dice.tree import (
    Chain,
    DiceTerm,
    Expression,
    Group,
    Literal,
    Node,
    NumberSet,
    Operator,
    Operators,
    Selector,
    Unary,
)

MOST_CHARACTERS = 500
MOST_DICE = 1000
MOST_SIDES = 1_000_000
MOST_NESTING = 50
LARGEST = 10**15

_OPERATOR = r"(?:[kpd][hl]\s*\d*|(?:adv|dis|rr|ro|ra|mi|ma|[kpe]|!(?!=))\s*(?:[<>]=?|[hl])?\s*\d*)"
# kh and its like leave their number out, so a comparison may follow them: 2d20kh >= 15
_CHAINED = rf"(?:\s*(?:[kpd][hl](?=\s*[<>])|{_OPERATOR}))*"
_PRIMARY = re.compile(
    rf"\s*(?:(\d*)\s*d\s*(\d+|%|f)({_CHAINED})|(\d+\.?\d*|\.\d+)|(\()|([-+−–]))",
    re.IGNORECASE | re.ASCII,
)
_SET_OPERATORS = re.compile(_CHAINED, re.IGNORECASE | re.ASCII)
_ONE_OPERATOR = re.compile(
    r"\s*(adv|dis|rr|ro|ra|mi|ma|[kpd][hl]|[kpe!])\s*((?:(?<![hl])(?:[<>]=?|[hl]))?)\s*(\d*)",
    re.IGNORECASE | re.ASCII,
)
_SIGN = re.compile(r"\s*(==|>=|<=|!=|//|[-+*/%<>−–×·÷≤≥≠])\s*")
_NOTE = re.compile(r"\s*\[([^\]]*)\]")
_REPEATS = re.compile(r"\s*(\d+)\s*x\s*", re.IGNORECASE | re.ASCII)
_NOT_SHOWN = re.compile(r"[\x00-\x1f\x7f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_WORD = re.compile(r"\s*(\w{1,20}|\S)")

_SIGN_OF = {"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/", "≤": "<=", "≥": ">=", "≠": "!="}
_PRECEDENCE = dict.fromkeys(("==", ">=", "<=", "!=", "<", ">"), 0)
_PRECEDENCE |= {"+": 1, "-": 1, "*": 2, "/": 2, "//": 2, "%": 2}
_END = -1

_A_NUMBER = "a number, dice such as 2d6, or a parenthesis"
_A_SIGN = "a sign such as +, an operator such as kh1, or the end"


class UnreadableDice(Malformed):
    """A slip in an expression: `position` counts characters from 1."""

    def __init__(self, position: int, got: str, expected: str, *, instead: str | None = None) -> None:
        super().__init__(
            f"At character {position} of the dice I got {got} where I expected {expected}.",
            instead=instead or "For example: 2d20kh1 + 5.",
        )
        self.position = position
        self.got = got
        self.expected = expected


@lru_cache(maxsize=4096)
def parse_expression(text: str) -> Expression:
    """Read an expression.

    Raises: UnreadableDice where it cannot be read, Illegal where it breaks a limit.
    """
    if len(text) > MOST_CHARACTERS:
        raise Illegal(
            f"A dice expression has at most {MOST_CHARACTERS} characters, and this one has {len(text)}.",
            instead="Split it into several rolls.",
        )
    return _Reader(text).expression()


def refuse_too_many(dice: int, exploding: int) -> None:
    """Refuse what is sure to break the limit of a command, before a die is drawn."""
    if dice > MOST_DICE:
        raise Illegal(
            f"One command rolls at most {MOST_DICE} dice, and this asks for {_brief(dice)}.",
            instead="Roll fewer, or in several commands.",
        )
    if exploding >= MOST_DICE:
        raise Illegal(
            f"One command rolls at most {MOST_DICE} dice with explosions, and {_brief(exploding)} explode.",
            instead=f"Roll fewer than {MOST_DICE} exploding dice.",
        )


class _Reader:
    __slots__ = (
        "_at",
        "_behind_sign",
        "_depth",
        "_dice",
        "_exploding",
        "_level",
        "_open_ended",
        "_sign",
        "_text",
    )

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0
        self._dice = 0
        self._exploding = 0
        self._open_ended = False
        self._level = _END  # of the sign that comes next
        self._sign = ""
        self._behind_sign = 0

    def expression(self) -> Expression:
        text = self._text
        repeats = 1
        if ("x" in text or "X" in text) and (found := _REPEATS.match(text)):
            repeats = int(found[1])
            self._at = found.end()
            if not 1 <= repeats <= MOST_DICE:
                raise Illegal(f"An expression is repeated 1 to {MOST_DICE} times, not {_brief(repeats)}.")
        root = self._chain(0)
        comment = ""
        rest = text[self._at :].strip()
        if rest:
            if rest[0] != "#":
                raise self._unexpected(_A_SIGN)
            comment = _clean(rest[1:])
        dice = self._dice * repeats
        refuse_too_many(dice, self._exploding * repeats)
        return Expression(
            root,
            repeats=repeats,
            comment=comment,
            dice_count=dice,
            exploding=self._exploding * repeats,
            is_open_ended=self._open_ended,
        )

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
        found = _SIGN.match(self._text, self._at)
        if found is None:
            self._level = _END
            return
        sign = found[1]
        self._sign = sign = _SIGN_OF.get(sign, sign)
        self._level = _PRECEDENCE[sign]
        self._behind_sign = found.end()

    def _operand(self) -> Node:
        found = _PRIMARY.match(self._text, self._at)
        if found is None:
            raise self._unexpected(_A_NUMBER)
        kind = found.lastindex
        self._at = found.end()
        if kind == 3:
            count, sides, operators, *_ = found.groups()
            return self._dice_term(count, sides, operators, found)
        if kind == 4:
            digits = found[4]
            value = float(digits) if "." in digits else int(digits)
            if value > LARGEST:
                raise Illegal("Numbers in a dice expression go up to 10¹⁵.")
            return Literal(value, self._notes())
        self._depth += 1
        if self._depth > MOST_NESTING:
            raise Illegal(f"A dice expression nests at most {MOST_NESTING} deep.")
        node = self._set() if kind == 5 else Unary("+" if found[6] == "+" else "-", self._operand())
        self._depth -= 1
        return node

    def _dice_term(self, count_text: str, sides_text: str, chained: str, found: re.Match[str]) -> DiceTerm:
        count = int(count_text) if count_text else 1
        fate = sides_text in "fF"
        sides = 3 if fate else 100 if sides_text == "%" else int(sides_text)
        if not 1 <= sides <= MOST_SIDES:
            raise Illegal(f"A die has 1 to 1,000,000 sides, not {_brief(sides)}.")
        self._dice += count
        refuse_too_many(count, 0)
        notes = self._notes()
        if not chained:
            return DiceTerm(count, sides, (), notes, 0, fate)
        highest = 1 if fate else sides
        try:
            operators, edge = _read_operators(chained, highest)
        except _Slip as slip:
            raise self._slip(slip, found.start(3)) from None
        if edge:
            if (count, sides, operators, fate) != (2, 6, (), False):
                raise UnreadableDice(
                    found.start(3) + 1 + len(chained) - len(chained.lstrip()),
                    "adv or dis",
                    "it after a plain 2d6",
                    instead="It goes with 2d6 alone: 2d6 adv 2 + 3. For a d20 write 2d20kh1 or 2d20kl1.",
                )
            self._dice += 1
            return DiceTerm(count, sides, (), notes, edge)
        for operator in operators:
            if operator.name in {"rr", "ro", "ra", "e"}:
                self._open_ended = True
            if operator.name in {"rr", "e"}:
                self._exploding += count if operator.name == "e" else 0
                _refuse_endless(operator, 1 - 2 * fate, highest, is_first=operator is operators[0])
        return DiceTerm(count, sides, operators, notes, 0, fate)

    def _set(self) -> Node:
        text = self._text
        elements: list[Node] = []
        has_comma = False
        while True:
            self._skip_space()
            if text.startswith(")", self._at) and (has_comma or not elements):
                break
            elements.append(self._chain(0))
            self._skip_space()
            if not text.startswith(",", self._at):
                break
            has_comma = True
            self._at += 1
        if not text.startswith(")", self._at):
            raise self._unexpected("a comma or a closing parenthesis")
        self._at += 1
        operators = self._set_operators()
        notes = self._notes()
        if len(elements) == 1 and not has_comma:
            return Group(elements[0], operators, notes)
        return NumberSet(tuple(elements), operators, notes)

    def _set_operators(self) -> Operators:
        found = _SET_OPERATORS.match(self._text, self._at)
        assert found is not None  # noqa: S101 - the pattern matches the empty string
        chained = found[0]
        if not chained:
            return ()
        try:
            operators, edge = _read_operators(chained, None)
        except _Slip as slip:
            raise self._slip(slip, self._at) from None
        if edge or any(operator.name not in {"k", "p"} for operator in operators):
            raise UnreadableDice(
                self._at + 1,
                f"“{chained.strip()}”",
                "k or p",
                instead="Behind a parenthesis only dice can be kept (k) or dropped (p); "
                "the other operators stand behind dice.",
            )
        self._at = found.end()
        return operators

    def _notes(self) -> tuple[str, ...]:
        text = self._text
        if "[" not in text:
            return ()
        notes = []
        while found := _NOTE.match(text, self._at):
            notes.append(_clean(found[1]))
            self._at = found.end()
        return tuple(notes)

    def _skip_space(self) -> None:
        text, at = self._text, self._at
        while text[at : at + 1].isspace():
            at += 1
        self._at = at

    def _unexpected(self, expected: str) -> UnreadableDice:
        self._skip_space()
        found = _WORD.match(self._text, self._at)
        got = _quoted(found[1]) if found else "the end"
        instead = None
        if found and found[1][0].isalpha():
            instead = "Words go into [brackets] behind a number, or behind a # at the end."
        return UnreadableDice(self._at + 1, got, expected, instead=instead)

    @staticmethod
    def _slip(slip: _Slip, start: int) -> UnreadableDice:
        return UnreadableDice(start + slip.offset + 1, slip.got, slip.expected, instead=slip.instead)


class _Slip(Exception):  # noqa: N818 - never leaves this module
    """What is wrong with a run of operators, at an offset in it."""

    def __init__(self, offset: int, got: str, expected: str, instead: str | None = None) -> None:
        super().__init__(got)
        self.offset = offset
        self.got = got
        self.expected = expected
        self.instead = instead


@lru_cache(maxsize=4096)
def _read_operators(chained: str, highest: int | None) -> tuple[Operators, int]:
    """Read operators behind dice (or behind a set: `highest` None), and the sources of adv (+) or dis (−)."""
    read: list[Operator] = []
    edge = 0
    at = 0
    while at < len(chained):
        found = _ONE_OPERATOR.match(chained, at)
        assert found is not None  # noqa: S101 - `chained` was matched by the same alternatives
        name, category, digits = found[1].lower(), found[2].lower(), found[3]
        start, at = found.start(1), found.end()
        if edge:
            raise _Slip(start, _quoted(name), "a sign such as +", "Behind adv and dis only a modifier may follow.")
        if name in {"adv", "dis"}:
            sources = int(digits or 1)
            if category or not 1 <= sources <= 9:
                raise _Slip(
                    found.end(1),
                    _quoted(category + digits[:20]),
                    "a number from 1 to 9",
                    "For example: 2d6 adv 2.",
                )
            edge = sources if name == "adv" else -sources
            if read:
                raise _Slip(start, _quoted(name), "it after a plain 2d6", "For example: 2d6 adv 2 + 3.")
            continue
        if name[-1] in "hl":
            name, category, digits = ("k" if name[0] == "k" else "p"), name[-1], digits or "1"
        elif name == "!":
            name = "e"
            if not digits and not category and highest is not None:
                digits = str(highest)
        if not digits:
            raise _Slip(
                at,
                _quoted(chained[at : at + 1]) if at < len(chained) else "nothing",
                f"a number behind {_quoted(found[0].strip())}",
                "For example: 4d6kh3, 4d6rr<3, 2d6e6.",
            )
        number = int(digits)
        if number > LARGEST:
            raise Illegal("Numbers in a dice expression go up to 10¹⁵.")
        if category in {"<=", ">="}:
            number += 1 if category == "<=" else -1
            category = category[0]
        if name in {"mi", "ma"} and category:
            raise _Slip(start, _quoted(found[0].strip()), f"a plain number behind {name}", "For example: 4d6mi2.")
        selector = Selector(category, number)
        if read and read[-1].name == name and name not in {"mi", "ma"}:
            read[-1] = Operator(name, (*read[-1].selectors, selector))
        else:
            read.append(Operator(name, (selector,)))
    return tuple(read), edge


def _refuse_endless(operator: Operator, lowest: int, highest: int, *, is_first: bool) -> None:
    """Refuse what would roll for ever, before a die is drawn."""
    name, selectors = operator
    by_rank = name == "rr" and any(one.category in "hl" and one.category and one.number for one in selectors)
    everything = is_first and any(one.covers(lowest, highest) for one in selectors)
    if not everything and is_first and highest - lowest < MOST_DICE:
        everything = all(any(_takes(one, value) for one in selectors) for value in range(lowest, highest + 1))
    if by_rank or everything:
        what = "rolled again" if name == "rr" else "followed by another die"
        raise Illegal(
            f"With {operator} every die would be {what} for ever.",
            instead="Choose a selector that leaves a face out" + (", or ro for once." if name == "rr" else "."),
        )


def _takes(selector: Selector, value: int) -> bool:
    return selector.covers(value, value)


def _clean(words: str) -> str:
    return _NOT_SHOWN.sub("", words).strip()


def _quoted(words: str) -> str:
    shown = _clean(words).replace("`", "'")
    return f"`{shown}`" if shown else "nothing"


def _brief(number: int) -> str:
    """Write a number that people typed, unless it would fill the line."""
    shown = f"{number:,}"
    return shown if len(shown) <= 20 else f"a number of {len(str(number))} digits"
