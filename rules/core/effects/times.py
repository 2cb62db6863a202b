"""Parts of sentences that say how long something lasts, and what turns start with (effects 4.3, 4.8)."""

from __future__ import annotations

import re
from typing import NamedTuple

from rules.core.blow import Effect, Inflict

THEN = "then"  # the unit of what lasts as long as the condition before it
OPEN = "open"  # the unit of what lasts as long as its sentence says: if that says nothing, it is not read
OF_ANOTHER = re.compile(r"\b(?:target|its|their|his|her)\b")  # whose turn it is


class Lasts(NamedTuple):
    """How long what the rest of a sentence says lasts: as this does."""

    like: Inflict


class Spared(NamedTuple):
    """What does not happen to who has saved."""


class Ended(NamedTuple):
    """What ends on a success of the save that is repeated."""


class Starts(NamedTuple):
    """What happens by itself as its bearer's turns start."""

    effect: Effect


class Stops(NamedTuple):
    """Damage of these types stops that once."""

    types: tuple[str, ...]
