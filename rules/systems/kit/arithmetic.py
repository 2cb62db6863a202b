"""The value of a text without dice, by the grammar of dice."""

from __future__ import annotations

from functools import lru_cache

from rules.dice.grammar import read_grammar
from rules.dice.roll import roll_expression
from rules.dice.source import Dice, SeededFaces
from rules.errors import Refusal


@lru_cache(maxsize=4096)  # costs and bounds of thirty combatants are the same few sums again and again
def worked_out(text: str) -> int | None:
    """Return the value of a sum, cut to a whole number; None if dice are in it or it cannot be read."""
    try:
        read = read_grammar(text)
        if read.terms:
            return None
        return roll_expression(read, Dice(SeededFaces(b"", ""))).total
    except Refusal:
        return None
