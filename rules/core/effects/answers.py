"""The forms of what answers a blow that meets its bearer: `reaction; +5 AC` (effects 4.8 and 4.9).

An ability is an answer if it says nothing else; one that says more is left to the GM whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from rules.core.blow import Response


class Answering(NamedTuple):
    """A head: what follows answers a blow that meets its bearer."""


def _answering(_found: re.Match[str], _dialect: object) -> Answering:
    return Answering()


def _higher(match: re.Match[str], _dialect: object) -> Response | None:
    return Response(against=int(match["signed"])) if match["signed"][0] == "+" else None


def _added(match: re.Match[str], _dialect: object) -> Response:
    return Response(against=int(match["number"]))


def _halved(_found: re.Match[str], _dialect: object) -> Response:
    return Response(halves=True)


def _reduced(match: re.Match[str], _dialect: object) -> Response:
    return Response(reduces=match["amount"])


_WHEN_HIT = (
    "(when|if) [(i am|you are)] (hit|attacked|targeted|damaged)"
    " [(by|with) (an attack|a weapon attack|a melee attack|a ranged attack|a weapon)]"
)
_IT = "(it|this attack|that attack|the attack|one attack|the triggering attack)"
ANSWER_FORMS: tuple[tuple[str, Callable[[re.Match[str], object], Answering | Response | None]], ...] = (
    ("[as a] reaction [to (a hit|being hit)] [(:|,)]", _answering),
    (f"[[as a] reaction [(:|,)]] {_WHEN_HIT} [,] [(i|you) can use (my|your) reaction to]", _answering),
    (f"[(gain|i gain|you gain)] {{signed}} [to] [(my|your)] {{number_to_reach}} [against {_IT}]", _higher),
    (f"[(i|you)] (add|adds) {{number}} to (my|your|its) {{number_to_reach}} [against {_IT}]", _added),
    ("[(i|you)] [take] half [of] [the] damage", _halved),
    ("[(i|you)] halve the damage", _halved),
    ("(it|the damage) is halved", _halved),
    ("[(i|you)] (reduce|reduces) (it|damage|the damage) by {amount}", _reduced),
    ("(it|the damage) is reduced by {amount}", _reduced),
)


def answer_words(part: Answering | Response, number: str = "AC") -> str:
    """Say a part of an answer back, in words that are read as the same.

    >>> answer_words(Response(reduces="1d10"))
    'reduces the damage by 1d10'
    """
    if isinstance(part, Answering):
        return "as a reaction to a hit"
    if part.against:
        return f"{part.against:+d} {number}"
    return f"reduces the damage by {part.reduces}" if part.reduces else "half the damage"
