"""Reads dice expressions: text in, tree out, or a refusal that says where and what was expected.

    expression  = [count "x"] chain ["#" comment]
    chain       = comparisons of sums of products of powers of signed numbers, each worked off from the left
    number      = (literal | dice | set | call) {"[" note "]"}
    dice        = [count | "(" chain ")"] "d" sides (("adv" | "dis") n | {operator})
    sides       = number | "%" | "F" | "{" face {"," face} "}"
    set         = "(" [chain {"," chain} [","]] ")" {("k" | "p") selector}
    call        = ("floor" | "ceil" | "abs" | "min" | "max") "(" chain {"," chain} ")"

Operators are read in `operators.py`. What people type beyond this grammar is brought into it in `typed.py`.

Texts that differ in nothing but digits have one *shape* and are read once: the reader finds what stands where, and
gives a function that makes the tree of any text of that shape. The function reads the numbers and refuses those
beyond a limit; the reader refuses what is no expression.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rules.dice import tree
from rules.dice.operators import Slip, clean, end_of_operators, quoted, read_operators, refuse_endless
from rules.dice.refused import BeyondLimit, RefusedDice, beyond_largest
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
from rules.errors import Malformed

MOST_CHARACTERS = 500
MOST_SIDES = 1_000_000
MOST_FACES = 100  # of a die that has its own
MOST_NESTING = 50
GRAMMAR = 2
"""Kept in the row of each `/roll`: counted up whenever a text that could be rolled comes to roll other dice."""
MOST_KEPT = 256  # shapes read lately

_SIDES = r"\d+|%|f|\{[-\d, ]+\}"
_PRIMARY = re.compile(
    rf"\s*(?:(?:(\d+)\s*)?d\s*({_SIDES})|(\d+(?:\.\d*)?|\.\d+)|(\()|([-+−–])|(floor|ceil|abs|min|max)\s*\()",
    re.IGNORECASE | re.ASCII,
)
_POOL = re.compile(rf"(\s*)d\s*({_SIDES})", re.IGNORECASE | re.ASCII)
_SIGN = re.compile(r"\s*(==|>=|<=|!=|//|\*\*|[-+*/%<>−–×·÷≤≥≠])\s*")
_NOTE = re.compile(r"\s*\[([^\]]*)\]")
_REPEATS = re.compile(r"\s*(\d+)\s*x\s*", re.IGNORECASE | re.ASCII)
_WORD = re.compile(r"\s*(\w{1,20}|\S)")

_DIGITS_AS_ZERO = "".join("0" if "0" <= chr(code) <= "9" else chr(code) for code in range(128))

_SIGN_OF = {"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/", "≤": "<=", "≥": ">=", "≠": "!="}
_PRECEDENCE = dict.fromkeys(("==", ">=", "<=", "!=", "<", ">"), 0)
_PRECEDENCE |= {"+": 1, "-": 1, "*": 2, "/": 2, "//": 2, "%": 2, "**": 3}
_END = -1

_A_NUMBER = "a number, dice such as 2d6, or a parenthesis"
_A_SIGN = "a sign such as +, an operator such as kh1, or the end"
_A_COMMA = "a comma or a closing parenthesis"
_OF_SEVERAL = frozenset({"min", "max"})


class UnreadableDice(RefusedDice, Malformed):
    """A slip in an expression: `position` counts characters from 1."""

    def __init__(
        self,
        position: int,
        got: str,
        expected: str,
        *,
        instead: str | None = None,
        marked: str = "",
    ) -> None:
        place = f": {marked}." if marked else "."
        super().__init__(
            f"At character {position} of the dice I got {got} where I expected {expected}{place}",
            instead=instead or "For example: 2d20kh1 + 5.",
        )
        self.position = position
        self.got = got
        self.expected = expected


Maker = Callable[[str], Expression]
NodeMaker = Callable[[str, list[DiceTerm]], Node]  # makes a part of the tree, and lists the dice terms in it
Places = tuple[slice, ...]

_makers: dict[str, Maker] = {}  # by shape


def read_grammar(text: str) -> Expression:
    """Read a text of this grammar, and of nothing else that people may type.

    Raises: UnreadableDice where it cannot be read, Illegal where it breaks a limit.
    """
    require_length(text)
    shape = text.translate(_DIGITS_AS_ZERO)
    make = _makers.get(shape)
    if make is None:
        make = _Reader(text).expression()
        if len(_makers) >= MOST_KEPT:
            _makers.clear()  # one step, and so safe where threads read at the same time
        _makers[shape] = make
    return make(text)


def require_length(text: str) -> None:
    """Refuse a text that is longer than any that is read. Raises: BeyondLimit."""
    if len(text) > MOST_CHARACTERS:
        raise BeyondLimit(
            f"A dice expression has at most {MOST_CHARACTERS} characters, and this one has {len(text)}.",
            instead="Split it into several rolls.",
        )


def require_within(rolls: Sequence[Expression], times: int) -> None:
    """Refuse the rolls of one command that together are sure to break its limit. Raises: BeyondLimit."""
    refuse_too_many(sum(each.dice_count for each in rolls) * times, sum(each.exploding for each in rolls) * times)


def refuse_too_many(dice: int, exploding: int) -> None:
    """Refuse what is sure to break the limit of a command, before a die is drawn."""
    if dice > MOST_DICE:
        raise BeyondLimit(
            f"One command rolls at most {MOST_DICE} dice, and this asks for {_brief(dice)}.",
            instead="Roll fewer, or in several commands.",
        )
    if exploding >= MOST_DICE:
        raise BeyondLimit(
            f"One command rolls at most {MOST_DICE} dice with explosions, and {_brief(exploding)} explode.",
            instead=f"Roll fewer than {MOST_DICE} exploding dice.",
        )


class _Reader:
    """Reads one text and finds the makers of its shape."""

    __slots__ = ("_at", "_behind_sign", "_depth", "_level", "_sign", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0
        self._level = _END  # of the sign that comes next
        self._sign = ""
        self._behind_sign = 0

    def expression(self) -> Maker:
        text = self._text
        repeats: slice | None = None
        if ("x" in text or "X" in text) and (found := _REPEATS.match(text)):
            repeats = slice(*found.span(1))
            self._at = found.end()
            _repeats(text[repeats])
        root = self._chain(0)
        comment: slice | None = None
        self._skip_space()
        if self._at < len(text):
            if text[self._at] != "#":
                raise self._unexpected(_A_SIGN)
            comment = slice(self._at + 1, None)
        return _expression_maker(repeats, root, comment)

    def _chain(self, least: int) -> NodeMaker:
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
            left = _chain_maker(left, rest)
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

    def _operand(self) -> NodeMaker:
        found = _PRIMARY.match(self._text, self._at)
        if found is None:
            raise self._unexpected(_A_NUMBER)
        kind = found.lastindex
        self._at = found.end()
        if kind == 2:
            return self._within_limits(_dice_maker(found, self._operators(), self._notes()))
        if kind == 3:
            return self._within_limits(_literal_maker(found, self._notes()))
        self._depth += 1
        if self._depth > MOST_NESTING:
            raise BeyondLimit(f"A dice expression nests at most {MOST_NESTING} deep.")
        if kind == 5:
            make = _unary_maker("+" if found[5] == "+" else "-", self._operand())
        else:
            make = self._set() if kind == 4 else self._call(found[6].lower())
        self._depth -= 1
        return make

    def _operators(self) -> slice:
        begins, self._at = self._at, end_of_operators(self._text, self._at)
        return slice(begins, self._at)

    def _within_limits(self, make: NodeMaker) -> NodeMaker:
        """Refuse a number beyond a limit before what stands behind it is read."""
        make(self._text, [])
        return make

    def _set(self) -> NodeMaker:
        text = self._text
        elements: list[NodeMaker] = []
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
            raise self._unexpected(_A_COMMA)
        if len(elements) == 1 and not has_comma and (pool := _POOL.match(text, self._at + 1)):
            self._at = pool.end()
            return _pool_maker(elements[0], self._within_limits(_dice_maker(pool, self._operators(), self._notes())))
        self._at += 1
        operators = self._operators()
        _set_operators(text, operators)
        if len(elements) == 1 and not has_comma:
            return _group_maker(elements[0], operators, self._notes())
        return _set_maker(elements, operators, self._notes())

    def _call(self, name: str) -> NodeMaker:
        arguments = [self._chain(0)]
        self._skip_space()
        while name in _OF_SEVERAL and self._text.startswith(",", self._at):
            self._at += 1
            arguments.append(self._chain(0))
            self._skip_space()
        if not self._text.startswith(")", self._at):
            raise self._unexpected("a closing parenthesis" if name not in _OF_SEVERAL else _A_COMMA)
        self._at += 1
        return _call_maker(name, arguments, self._notes())

    def _notes(self) -> Places:
        text = self._text
        if "[" not in text:
            return ()
        notes = []
        while found := _NOTE.match(text, self._at):
            notes.append(slice(*found.span(1)))
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
        got = quoted(found[1]) if found else "the end"
        instead = None
        if found and found[1][0].isalpha():
            instead = "Words go into [brackets] behind a number, or behind a # at the end."
        return UnreadableDice(self._at + 1, got, expected, instead=instead)


def _expression_maker(repeats: slice | None, root: NodeMaker, comment: slice | None) -> Maker:
    def make(text: str) -> Expression:
        times = 1 if repeats is None else _repeats(text[repeats])
        terms: list[DiceTerm] = []
        made = root(text, terms)
        expression = Expression(made, tuple(terms), times, "" if comment is None else clean(text[comment]))
        refuse_too_many(expression.dice_count, expression.exploding)
        return expression

    return make


def _repeats(digits: str) -> int:
    repeats = int(digits)
    if not 1 <= repeats <= MOST_DICE:
        raise BeyondLimit(f"An expression is repeated 1 to {MOST_DICE} times, not {_brief(repeats)}.")
    return repeats


def _literal_maker(found: re.Match[str], notes: Places) -> NodeMaker:
    at = slice(*found.span(3))
    read = float if "." in found[3] else int

    def make(text: str, _terms: list[DiceTerm]) -> Literal:
        value = read(text[at])
        if value > LARGEST:
            raise beyond_largest()
        return Literal(value, _words(text, notes))

    return make


def _unary_maker(sign: str, operand: NodeMaker) -> NodeMaker:
    return lambda text, terms: Unary(sign, operand(text, terms))


def _chain_maker(first: NodeMaker, rest: list[tuple[str, NodeMaker]]) -> NodeMaker:
    def make(text: str, terms: list[DiceTerm]) -> Chain:
        return Chain(first(text, terms), tuple([(sign, operand(text, terms)) for sign, operand in rest]))

    return make


def _call_maker(name: str, arguments: list[NodeMaker], notes: Places) -> NodeMaker:
    def make(text: str, terms: list[DiceTerm]) -> Call:
        return Call(name, tuple([argument(text, terms) for argument in arguments]), _words(text, notes))

    return make


def _group_maker(inside: NodeMaker, operators: slice, notes: Places) -> NodeMaker:
    def make(text: str, terms: list[DiceTerm]) -> Group:
        group = Group(inside(text, terms), _set_operators(text, operators), _words(text, notes))
        if group.operators and _is_counted(group.inside):
            raise UnreadableDice(
                operators.start + 1,
                f"“{text[operators].strip()}”",
                "a sign such as +",
                instead="A count of successes is a number: nothing of it can be kept or dropped.",
            )
        return group

    return make


def _pool_maker(number: NodeMaker, dice: NodeMaker) -> NodeMaker:
    def make(text: str, terms: list[DiceTerm]) -> tree.RolledPool:
        how_many = number(text, terms)
        term = dice(text, terms)
        assert isinstance(term, DiceTerm)  # noqa: S101 - a maker of dice makes no other node
        return tree.RolledPool(how_many, term)

    return make


def _own_faces(text: str) -> tuple[int, ...]:
    """Read the faces of a die that shows other numbers than 1 and on. Raises: BeyondLimit."""
    try:
        faces = tuple(map(int, text.strip("{}").split(",")))
    except ValueError:
        raise BeyondLimit(f"The faces {clean(text)} are not whole numbers with commas between.") from None
    if len(faces) > MOST_FACES or max(map(abs, faces)) > MOST_SIDES:
        raise BeyondLimit(f"A die has at most {MOST_FACES} faces of its own, each at most 1,000,000.")
    return faces


def _is_counted(node: Node) -> bool:
    while isinstance(node, Group):
        node = node.inside
    if isinstance(node, tree.RolledPool):
        node = node.dice
    return isinstance(node, DiceTerm) and node.is_counted


def _set_maker(elements: list[NodeMaker], operators: slice, notes: Places) -> NodeMaker:
    def make(text: str, terms: list[DiceTerm]) -> NumberSet:
        inside = tuple([element(text, terms) for element in elements])
        return NumberSet(inside, _set_operators(text, operators), _words(text, notes))

    return make


def _dice_maker(found: re.Match[str], chained_at: slice, notes: Places) -> NodeMaker:
    number_at, sides_at = slice(*found.span(1)), slice(*found.span(2))
    is_own = found[2][0] == "{"
    fixed = 100 if found[2] == "%" else 0
    is_pool = found.re is _POOL
    has_operators = chained_at.stop > chained_at.start

    def make(text: str, terms: list[DiceTerm]) -> DiceTerm:
        number = 0 if is_pool else int(text[number_at] or 1)
        faces = tree.FATE if found[2] in "fF" else _own_faces(text[sides_at]) if is_own else ()
        sides = len(faces) or fixed or int(text[sides_at])
        if not 1 <= sides <= MOST_SIDES:
            raise BeyondLimit(f"A die has 1 to 1,000,000 sides, not {_brief(sides)}.")
        refuse_too_many(number, 0)
        operators: Operators = ()
        edge = 0
        if has_operators:
            lowest, highest = (min(faces), max(faces)) if faces else (1, sides)
            operators, edge = _operators_at(text, chained_at, highest)
            if edge and (number, sides, operators, faces) != (2, 6, (), ()):
                raise UnreadableDice(
                    chained_at.stop - len(text[chained_at].lstrip()) + 1,
                    "adv or dis",
                    "it after a plain 2d6",
                    instead="It goes with 2d6 alone: 2d6 adv 2 + 3. For a d20 write 2d20kh1 or 2d20kl1.",
                )
            for operator in operators:
                if operator.name in {"rr", "e", "ep", "ec"}:
                    refuse_endless(operator, lowest, highest, is_first=operator is operators[0])
        term = DiceTerm(number, sides, operators, _words(text, notes), edge, faces)
        terms.append(term)
        return term

    return make


def _set_operators(text: str, at: slice) -> Operators:
    operators, edge = _operators_at(text, at, None)
    if edge or any(operator.name not in {"k", "p"} for operator in operators):
        raise UnreadableDice(
            at.start + 1,
            f"“{text[at].strip()}”",
            "k or p",
            instead="Behind a parenthesis only dice can be kept (k) or dropped (p); "
            "the other operators stand behind dice.",
        )
    return operators


def _operators_at(text: str, at: slice, highest: int | None) -> tuple[Operators, int]:
    """Read the operators at a place. The highest face matters to `!` alone, so that others are read once for all."""
    chained = text[at]
    try:
        return read_operators(chained, highest if highest is None or "!" in chained else 0)
    except Slip as slip:
        raise UnreadableDice(at.start + slip.offset + 1, slip.got, slip.expected, instead=slip.instead) from None


def _words(text: str, places: Places) -> tuple[str, ...]:
    return tuple([clean(text[at]) for at in places]) if places else ()


def _brief(number: int) -> str:
    """Write a number that people typed, unless it would fill the line."""
    shown = f"{number:,}"
    return shown if len(shown) <= 20 else f"a number of {len(str(number))} digits"
