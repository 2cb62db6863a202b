"""Signs and functions of numbers, as far as results go."""

from __future__ import annotations

import operator as signs
from collections.abc import Callable, Sequence
from math import ceil, floor, log10
from typing import Any

from rules.dice import tree
from rules.errors import Illegal

_FUNCTIONS: dict[str, Callable[..., tree.Number]] = {"floor": floor, "ceil": ceil, "abs": abs, "min": min, "max": max}


def call(name: str, arguments: Sequence[tree.Number]) -> tree.Number:
    """Work out a function of numbers."""
    return _FUNCTIONS[name](*arguments) if len(arguments) > 1 or name not in {"min", "max"} else arguments[0]


def _worked_out(sign: str, work_out: Callable[[Any, Any], Any]) -> Callable[[tree.Number, tree.Number], tree.Number]:
    def result(left: tree.Number, right: tree.Number) -> tree.Number:
        try:
            value: tree.Number = work_out(left, right)
        except ZeroDivisionError:
            raise Illegal(
                f"{left:g} {sign} 0 has no value: you can't divide by zero.",
                instead="Divide by something that can't be 0.",
            ) from None
        if not -tree.LARGEST <= value <= tree.LARGEST:
            raise Illegal("The result of a dice expression can be 10¹⁵ at most; this one would be larger.")
        return value

    return result


def _power(base: tree.Number, exponent: tree.Number) -> tree.Number:
    """Raise to a power, as far as the result may be."""
    if exponent < 0 or exponent > 64 or (abs(base) > 1 and exponent * log10(abs(base)) > len(str(tree.LARGEST))):
        raise Illegal("The result of a dice expression can be 10¹⁵ at most; this power would be larger.")
    return base**exponent


_WORK_OUT = {
    sign: _worked_out(sign, work_out)
    for sign, work_out in (
        ("+", signs.add),
        ("-", signs.sub),
        ("*", signs.mul),
        ("/", signs.truediv),
        ("//", signs.floordiv),
        ("%", signs.mod),
        ("**", _power),
        ("==", lambda left, right: int(left == right)),
        ("!=", lambda left, right: int(left != right)),
        ("<", lambda left, right: int(left < right)),
        (">", lambda left, right: int(left > right)),
        ("<=", lambda left, right: int(left <= right)),
        (">=", lambda left, right: int(left >= right)),
    )
}


def calculate(left: tree.Number, sign: str, right: tree.Number) -> tree.Number:
    """Work out one sign; a comparison gives 1 or 0.

    Raises: Illegal for a division by zero or a result beyond the limit.
    """
    return _WORK_OUT[sign](left, right)
