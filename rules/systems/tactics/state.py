"""The state of a tactics encounter, and the events that change it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from rules.core.encounter import Encounter
from rules.core.events import EncounterEvent
from rules.core.model import Frozen, Name, Names

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
    """`current` has the turn; `begun` says that nobody may slip in before it. `done` had theirs of this phase.

    `extra` has a turn besides the order, which counts as none. `seized` stand in the order of seizing. `delayed` in the
    order of delaying; `ripe` are those of them after whose delay somebody has finished a turn. `started` have begun
    their battle turn this round. `fixed` is an order that the GM set for this phase. Of those who delay `alert` are
    asked after each turn, `asking` now, and `until` says after whose turn somebody acts. `short` is the last movement
    that something unknown ended. `open_attack` is the last attack and `slip` the last movement without a board, until
    the next action.
    """

    initiative: Mapping[Name, Initiative] = {}
    fixed: Names = ()
    seized: Names = ()
    done: Names = ()
    delayed: Names = ()
    ripe: Names = ()
    started: Names = ()
    current: Name | None = None
    begun: bool = False
    extra: Name | None = None
    alert: Names = ()
    asking: Names = ()
    until: Mapping[Name, Name] = {}
    movement: Movement | None = None
    short: ShortMovement | None = None
    open_attack: OpenAttack | None = None
    slip: Slip | None = None

    def without_name(self, who: str) -> Self | None:
        left = super().without_name(who)
        return left.evolve(begun=False) if left is not None and self.current == who else left


def _without(names: tuple[str, ...], who: str) -> tuple[str, ...]:
    return tuple(name for name in names if name != who)


class InitiativeSet(EncounterEvent[TacticsState]):
    """Somebody's initiative; None where it is to be rolled anew."""

    who: str
    initiative: Initiative | None = None

    def change(self, state: TacticsState) -> TacticsState:
        initiative = {name: held for name, held in state.initiative.items() if name != self.who}
        if self.initiative is not None:
            initiative[self.who] = self.initiative
        return state.evolve(initiative=initiative)


class AttackOpened(EncounterEvent[TacticsState]):
    """An attack has been made, and stands open until the next action; None closes it. Rule: TA-03."""

    attack: OpenAttack | None

    def change(self, state: TacticsState) -> TacticsState:
        return state.evolve(open_attack=self.attack)


class RoundCleared(EncounterEvent[TacticsState]):
    """A new round: nobody has seized, moved, delayed or acted. Rule: TA-04, TA-07."""

    def change(self, state: TacticsState) -> TacticsState:
        cleared = state.evolve(seized=(), done=(), delayed=(), ripe=(), started=(), current=None, begun=False, fixed=())
        return cleared.evolve(extra=None, alert=(), asking=(), until={}, slip=None)


class PhaseCleared(EncounterEvent[TacticsState]):
    """A new phase: everybody's turn is to come."""

    def change(self, state: TacticsState) -> TacticsState:
        return state.evolve(done=(), current=None, begun=False, extra=None, fixed=())


class Seized(EncounterEvent[TacticsState]):
    """Somebody takes the turn to move before all others. Rule: TA-07."""

    who: str

    def change(self, state: TacticsState) -> TacticsState:
        fixed = (self.who, *_without(state.fixed, self.who)) if state.fixed else ()
        return state.evolve(seized=(*state.seized, self.who), current=self.who, begun=False, fixed=fixed)


class TurnGiven(EncounterEvent[TacticsState]):
    """The turn is somebody's; `begun` where nobody may slip in before it (act-now, a ruling).

    `extra`: it is one besides the order (a ruling), and leaves their own as it is.
    """

    who: str
    begun: bool = False
    extra: bool = False

    def change(self, state: TacticsState) -> TacticsState:
        if self.extra:
            return state.evolve(current=self.who, begun=True, extra=self.who)
        return state.evolve(
            current=self.who,
            begun=self.begun,
            extra=None,
            done=_without(state.done, self.who),
            delayed=_without(state.delayed, self.who) if self.begun else state.delayed,
            ripe=_without(state.ripe, self.who) if self.begun else state.ripe,
        )


class BattleTurnStarted(EncounterEvent[TacticsState]):
    who: str

    def change(self, state: TacticsState) -> TacticsState:
        return state.evolve(started=(*state.started, self.who))


class TurnDone(EncounterEvent[TacticsState]):
    """Somebody's turn of this phase is over; those who delayed may act now. Rule: TA-14."""

    who: str

    def change(self, state: TacticsState) -> TacticsState:
        if state.extra == self.who and state.current == self.who:
            return state.evolve(current=None, begun=False, extra=None)
        delayed = _without(state.delayed, self.who)
        ends = state.current in (self.who, None)
        return state.evolve(
            done=(*_without(state.done, self.who), self.who),
            delayed=delayed,
            ripe=delayed,
            alert=_without(state.alert, self.who),
            asking=tuple(name for name in delayed if name in state.alert),
            until={name: other for name, other in state.until.items() if name != self.who},
            current=None if ends else state.current,
            begun=False if ends else state.begun,
        )


class Delayed(EncounterEvent[TacticsState]):
    """Somebody puts their action off: until after somebody's turn (`until`), to be asked after each, or neither."""

    who: str
    until: str | None = None
    asks: bool = False

    def change(self, state: TacticsState) -> TacticsState:
        return state.evolve(
            delayed=(*state.delayed, self.who),
            current=None,
            begun=False,
            alert=(*state.alert, self.who) if self.asks else state.alert,
            until=state.until if self.until is None else {**state.until, self.who: self.until},
        )


class WaitersAsked(EncounterEvent[TacticsState]):
    """Those who delay and want to be asked have been asked after this turn. Rule: TA-14."""

    def change(self, state: TacticsState) -> TacticsState:
        return state.evolve(asking=())


class MovementSet(EncounterEvent[TacticsState]):
    """A movement begins, stops for an answer, or (None) is over."""

    movement: Movement | None = None

    def change(self, state: TacticsState) -> TacticsState:
        return state.evolve(movement=self.movement)


class Slipped(EncounterEvent[TacticsState]):
    """Who may still strike at somebody who has moved without a board; None: nobody any more. Rule: TA-11."""

    slip: Slip | None = None

    def change(self, state: TacticsState) -> TacticsState:
        return state.evolve(slip=self.slip)


class CutShort(EncounterEvent[TacticsState]):
    """A movement that something unknown ended: the rest of it is not spent."""

    short: ShortMovement

    def change(self, state: TacticsState) -> TacticsState:
        return state.evolve(short=self.short)


class OrderFixed(EncounterEvent[TacticsState]):
    """The GM's order for this phase."""

    order: tuple[str, ...]

    def change(self, state: TacticsState) -> TacticsState:
        return state.evolve(fixed=self.order, current=state.current if state.begun else None)
