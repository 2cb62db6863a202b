"""The state of a tactics encounter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self

from rules.core.encounter import Encounter
from rules.core.model import Frozen, Name, Names
from rules.core.scopes import PerFight, PerPhase, PerRound, PerTurn, Scope

INITIATIVE = "initiative"
MOVEMENT = "movement"
BATTLE = "battle"
END = "end"


class Initiative(Frozen):
    """A combatant's initiative: the total, and the d6s of ties, the first one first. Rule: TA-05, TA-06."""

    total: int
    ties: tuple[int, ...] = ()


class ShortMovement(Frozen):
    """A movement of a round that something unknown ended: with this power so many squares are left."""

    who: Name
    round: int
    power: str
    squares: int


class Movement(Frozen):
    """A movement under way. `at` is where the mover stands, `rest` the cells still to enter, `provoked` who was.

    Without a board, or off it, `at` is None and `rest` empty. `spared` squares are left where it ends before its goal.
    """

    who: Name
    power: str
    provokes: bool
    at: str | None = None
    rest: tuple[str, ...] = ()
    provoked: Names = ()
    spared: int = 0


class Slip(Frozen):
    """A movement without a board that is over: `by` may think that they were passed, and strike. Rule: TA-11."""

    mover: Name
    by: Names


class OpenAttack(Frozen):
    """The last attack, until somebody does the next thing: its sources can still be taken off (TA-03).

    `faces` are the two d6 and, where there was one, the die of (dis)advantage, of `sides`. `lost` is what the target's
    pools had more before it, `put` the condition that it put on the target.
    """

    who: Name
    target: Name
    power: str
    better: tuple[str, ...]
    worse: tuple[str, ...]
    faces: tuple[int, ...]
    sides: int = 0
    plus: int = 0
    hit: bool = False
    lost: Mapping[str, int] = {}
    put: str | None = None


class TacticsState(Encounter):
    initiative: PerFight[Mapping[Name, Initiative]] = {}
    fixed: PerPhase[Names] = ()  # an order that the GM set
    seized: PerRound[Names] = ()  # in the order of seizing
    done: PerPhase[Names] = ()  # who had their turn
    delayed: PerRound[Names] = ()  # in the order of delaying
    ripe: PerRound[Names] = ()  # of these, after whose delay somebody has finished a turn
    started: PerRound[Names] = ()  # who have begun their battle turn
    current: PerTurn[Name | None] = None  # who has the turn
    begun: PerTurn[bool] = False  # nobody may slip in before it
    extra: PerTurn[Name | None] = None  # who has a turn besides the order, which counts as none
    alert: PerRound[Names] = ()  # who of those who delay are asked after each turn
    asking: PerRound[Names] = ()  # of these, who are asked now
    until: PerRound[Mapping[Name, Name]] = {}  # after whose turn somebody acts who delays
    movement: PerFight[Movement | None] = None  # until it is over
    short: PerFight[ShortMovement | None] = None  # the last movement that something unknown ended; it says its round
    open_attack: PerFight[OpenAttack | None] = None  # the last attack, until the next action
    slip: PerRound[Slip | None] = None  # the last movement without a board, until the next action

    comes_back: ClassVar[Mapping[str, Scope | None]] = {
        "initiative": None,  # who joins rolls
        "fixed": None,  # a word of the GM on who was there
        # Leaving gives up a delay.
        **dict.fromkeys(("delayed", "ripe", "alert", "asking", "until"), None),
    }

    def without_name(self, who: str) -> Self | None:
        left = super().without_name(who)
        return left.evolve(begun=False) if left is not None and self.current == who else left


def without(names: tuple[str, ...], who: str) -> tuple[str, ...]:
    return tuple(name for name in names if name != who)
