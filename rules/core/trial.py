"""Trying something on a copy of the table: what becomes of it, or what refuses it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.core.encounter import Table
from rules.core.step import Step
from rules.core.values import Seat
from rules.dice.source import Dice, SeededFaces
from rules.errors import Refusal

_GM = Seat(gm=True)
_NEVER_SEEN = bytes(32)  # the dice are thrown away with the copy


def copied(table: Table, seat: Seat = _GM) -> Step[Any]:
    """Return a step on a copy of the table, with dice that nobody sees."""
    return Step(table, seat, Dice(SeededFaces(_NEVER_SEEN, "trial")))


def tried(table: Table, work: Callable[[Step[Any]], object], seat: Seat = _GM) -> tuple[Step[Any], Refusal | None]:
    """Do something on a copy of the table; return the copy, and what refuses it, if so."""
    scratch = copied(table, seat)
    try:
        work(scratch)
    except Refusal as refusal:
        return scratch, refusal
    return scratch, None
