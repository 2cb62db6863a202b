"""The state of a classic encounter."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar, Self

from rules.core.model import Frozen, Name, Names, without
from rules.core.scopes import ROUND, PerFight, PerRound, Scope
from rules.core.turns.state import DelayingState

_PLACES = 6  # behind the point


class Initiative(Frozen):
    """A combatant's initiative: the result, the bonus that breaks ties first, then the roll-offs.

    `bonus` is added to `dice`; `within` is the bonus that the dice carry themselves, as in `1d20+2`. `fraction` is what
    was typed behind the point, as in 12.03: it parts equal results first.
    """

    result: int
    fraction: float = 0.0
    bonus: int = 0
    within: int = 0
    rolloffs: tuple[int, ...] = ()
    dice: str = ""

    @property
    def total(self) -> float:
        """Return the result as it was typed or rolled."""
        return round(self.result + self.fraction, _PLACES) if self.fraction else self.result

    def totalling(self, total: float) -> Self:
        """Return the same with another result."""
        whole = math.floor(total)
        return self.evolve(result=whole, fraction=round(total - whole, _PLACES))


class Dying(Frozen):
    """What somebody at 0 HP has rolled between life and death."""

    saved: int = 0
    failed: int = 0


class ClassicState(DelayingState):
    """The order, and whose turn it is."""

    initiative: PerFight[Mapping[Name, Initiative]] = {}
    side_results: PerFight[Mapping[str, Initiative]] = {}  # by side
    order: PerFight[Names] = ()
    current: PerRound[Names] = ()  # who may act now
    acted: PerRound[Names] = ()  # who had their turn
    started: PerRound[Names] = ()  # whose turn's start has counted
    delayed: PerFight[Names] = ()  # who has left the order and may come back after any turn, also in the next round
    delayed_in: PerFight[Mapping[Name, int]] = {}  # in which round they did
    until: PerFight[Mapping[Name, Name]] = {}  # after whose turn they come back by themselves
    alert: PerFight[Names] = ()  # who wants to be asked after each turn
    ripe: PerFight[Names] = ()  # a turn has ended since they delayed, and nobody has used the next one yet
    readied: PerFight[Mapping[Name, str]] = {}  # trigger and action, until their next turn
    interrupted: PerRound[tuple[Names, ...]] = ()  # whose turns were set aside, the latest last
    extra: PerRound[Name | None] = None  # whose turn the GM gave besides the order: it counts as none
    attacked: PerRound[Mapping[Name, int]] = {}  # how often, in their turn
    dying: PerFight[Mapping[Name, Dying]] = {}  # `death=saves`
    pile: PerFight[tuple[str, ...]] = ()  # `rolled=cards`: secret, index 0 on top
    dealt: PerFight[Mapping[Name, str]] = {}  # the cards of this round, which are collected as the next one begins
    dropped: PerFight[tuple[str, ...]] = ()  # the discards

    comes_back: ClassVar[Mapping[str, Scope | None]] = {
        # Who joins gets a place by a roll or a card of their own (CL-04).
        **dict.fromkeys(("initiative", "order", "dealt"), None),
        # They come back after a turn of the same round; in a later one they join again (CL-04, CL-05).
        **dict.fromkeys(("delayed", "delayed_in", "alert"), ROUND),
        # Leaving gives up what they held ready, who they waited for, what they were asked, and a turn under way.
        **dict.fromkeys(("readied", "until", "asking", "ripe", "current"), None),
    }

    def without_name(self, who: str) -> Self | None:
        """Forget who leaves; their card goes onto the discards."""
        left = super().without_name(who)
        if left is None:
            return None
        dropped = (*self.dropped, self.dealt[who]) if who in self.dealt else self.dropped
        return left.evolve(interrupted=sets_without(self.interrupted, (who,)), dropped=dropped)

    def still_delays(self, who: str) -> bool:
        """Tell whether somebody waits out of the order: until their own place comes round again. Rule: CL-05."""
        return who in self.delayed and self.delayed_in.get(who, self.round) >= self.round

    @property
    def set_aside(self) -> Names:
        """Return whose turns were interrupted."""
        return tuple(name for names in self.interrupted for name in names)

    @property
    def is_fresh(self) -> bool:
        """Tell whether nobody has moved in the turn under way yet."""
        moved = (name for name, move in self.free_moves.items() if move.turn.startswith(f"{self.round} "))
        return {*self.current}.isdisjoint(moved)

    @cached_property
    def whose_turn(self) -> str:
        """Say whose turn it is."""
        return " and ".join(f"{name}'s" for name in self.current[:3]) or "nobody's"


def sets_without(sets: tuple[Names, ...], who: Names) -> tuple[Names, ...]:
    """Take names out of sets of names; a set that is empty then is gone."""
    left = (without(names, *who) for names in sets)
    return tuple(names for names in left if names)
