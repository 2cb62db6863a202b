"""A blow: what somebody does to somebody, from the first word to the last point (effects 2).

It goes through its stages in one step, or waits in the state for what somebody is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from rules.core.effects.tree import Deed, Effect
from rules.core.model import Frozen, Name
from rules.core.values import Ability

Degree = Literal["", "miss", "hit", "critical"]


class Check(Frozen):
    """The dice of an attack as they lie: a d20 or two (`edge` above 0 keeps the higher), and what is added."""

    faces: tuple[int, ...]
    edge: int = 0
    added: int = 0

    @property
    def natural(self) -> int:
        """Return the face that counts."""
        if not self.edge:
            return self.faces[0]
        return max(self.faces) if self.edge > 0 else min(self.faces)

    @property
    def total(self) -> int:
        return self.natural + self.added


class Change(Frozen):
    """What a blow did to a pool, so that a correction can take back exactly that."""

    who: Name
    pool: str
    by: int


class Put(Frozen):
    """A condition that a blow has put on somebody."""

    who: Name
    name: str


class Strike(Frozen):
    """A blow at one of its targets. `left` is what is still to be carried out, the first thing first.

    `degree` is empty until it is decided. `against` is the number that the check was compared with. `saved` are totals
    of saves that were rolled, by what was saved: a correction rolls none of them again. `amount` is damage that a
    person said.
    """

    target: Name
    check: Check | None = None
    against: int | None = None
    degree: Degree = ""
    amount: int | None = None
    left: tuple[Effect, ...] = ()
    saved: Mapping[str, int] = {}
    changes: tuple[Change, ...] = ()
    puts: tuple[Put, ...] = ()


class Blow(Frozen):
    """What `source` does with an ability, as it stood when it began: an edit in its midst changes nothing.

    `rolled` holds the totals of amounts by their dice, rolled once for all targets. `ends_turn`: the turn ends when
    the blow is over. `number` tells it from other blows of this encounter.
    """

    number: int
    source: Name
    ability: Ability
    deed: Deed
    strikes: tuple[Strike, ...]
    rolled: Mapping[str, int] = {}
    edge: int = 0
    is_open: bool = True
    ends_turn: bool = False

    def strike_at(self, target: str) -> Strike | None:
        return next((each for each in self.strikes if each.target == target), None)
