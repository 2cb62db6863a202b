"""The state of a tactics encounter."""

from __future__ import annotations

from rules.core.model import Frozen, Name, Names
from rules.core.scopes import PerFight, PerRound
from rules.core.turns.state import InOrderState

MOVEMENT = "movement"
BATTLE = "battle"
END = "end"
OPPORTUNITY = "opportunity"
SEIZING = "seizing"  # what the question is about that the first mover waits for


class ShortMovement(Frozen):
    """A movement of a round that something unknown ended: with this power so many squares are left."""

    who: Name
    round: int
    power: str
    squares: int


class Movement(Frozen):
    """A movement under way. `at` is the mover's cell, `rest` the cells still to enter, `provoked` who was.

    Without a board, or off it, `at` is None and `rest` empty. `spared` squares are left if it ends before its goal.
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


class TacticsState(InOrderState):
    has_gathered: PerRound[bool] = False  # whether others were asked, before the first move, if they seize
    seized: PerRound[Names] = ()  # in the order of seizing
    movement: PerFight[Movement | None] = None  # until it is over
    short: PerFight[ShortMovement | None] = None  # the last movement that something unknown ended; it says its round
    open_attack: PerFight[bool] = False  # sources can be taken off the last blow, until the next action
    slip: PerRound[Slip | None] = None  # the last movement without a board, until the next action
