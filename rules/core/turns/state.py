"""What a state holds of whose turn it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self

from rules.core.encounter import Encounter
from rules.core.model import Frozen, Name, Names
from rules.core.scopes import PerFight, PerPhase, PerRound, PerTurn, Scope


class DelayingState(Encounter):
    """Who has put their turn off, and until when."""

    delayed: PerRound[Names] = ()  # in the order of delaying
    ripe: PerRound[Names] = ()  # of these, after whose delay somebody has finished a turn
    alert: PerRound[Names] = ()  # of these, who wants to be asked after each turn
    asking: PerRound[Names] = ()  # of those, who is asked now
    until: PerRound[Mapping[Name, Name]] = {}  # after whose turn somebody acts by themselves


class Initiative(Frozen):
    """What a place in the order comes from: the total, and the faces of roll-offs, the first one first."""

    total: int
    ties: tuple[int, ...] = ()


class InOrderState(DelayingState):
    """Whose turn it is, who had theirs, and who waits."""

    initiative: PerFight[Mapping[Name, Initiative]] = {}
    fixed: PerPhase[Names] = ()  # an order that the GM set
    done: PerPhase[Names] = ()  # who had their turn
    started: PerRound[Names] = ()  # who have begun their turn of the phase that ticks
    current: PerTurn[Name | None] = None  # who has the turn
    begun: PerTurn[bool] = False  # nobody may slip in before it
    extra: PerTurn[Name | None] = None  # who has a turn besides the order, which counts as none

    comes_back: ClassVar[Mapping[str, Scope | None]] = {
        "initiative": None,  # who joins rolls
        "fixed": None,  # the GM says who was there
        # Leaving gives up a delay.
        **dict.fromkeys(("delayed", "ripe", "alert", "asking", "until"), None),
    }

    def without_name(self, who: str) -> Self | None:
        left = super().without_name(who)
        return left.evolve(begun=False) if left is not None and self.current == who else left
