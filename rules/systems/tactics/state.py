"""The state of a tactics encounter."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.model import Frozen, Name, Names
from rules.core.scopes import PerFight, PerRound
from rules.core.turns.state import InOrderState

MOVEMENT = "movement"
BATTLE = "battle"
END = "end"


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


class TacticsState(InOrderState):
    seized: PerRound[Names] = ()  # in the order of seizing
    movement: PerFight[Movement | None] = None  # until it is over
    short: PerFight[ShortMovement | None] = None  # the last movement that something unknown ended; it says its round
    open_attack: PerFight[OpenAttack | None] = None  # the last attack, until the next action
    slip: PerRound[Slip | None] = None  # the last movement without a board, until the next action
