"""Whose turn it is, somebody's place in the order, and what becomes of one that passed without them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from rules.core.encounter import Encounter
from rules.core.step import Step
from rules.core.values import Condition, PlaceOfTurn

S = TypeVar("S", bound=Encounter)


class Turn(NamedTuple):
    """The present turn: who may act if no question is open, and how.

    `number` is how many turns somebody has had in this phase before the one that is theirs now or comes next. If two
    of the same actor can follow each other, it gives the second its own prompt and its own time; any number that
    differs between the two will do.
    """

    names: tuple[str, ...] = ()
    is_free: bool = False  # each of them has a turn of their own, in any order
    is_claimed: bool = False  # it goes to the first of them who takes it
    is_endless: bool = False  # they act when they like, as often as they like: nobody has to in some time
    begun_by: str | None = None  # whose turn goes on once all have answered: its end can be ordered meanwhile
    is_done: Callable[[str], bool] = lambda _who: False  # whether somebody has nothing more to do in this part
    number: Callable[[str], int] = lambda _who: 0


class Places(Generic[S]):
    """The places of a system. Subclasses override what differs."""

    def turn_order(self, state: S) -> tuple[str, ...]:
        """Return the order of the present phase."""
        return state.names

    def present(self, state: S) -> Turn:
        """Return the present turn."""
        raise NotImplementedError  # every system says it: there is no turn that all would share

    def turn(self, state: S) -> tuple[str, ...]:
        """Return the actors that the table waits for if no question is open."""
        return self.present(state).names

    def is_done(self, state: S, who: str) -> bool:
        """Tell whether a combatant has nothing more to do in this phase or round."""
        return self.present(state).is_done(who)

    def is_out(self, state: S, who: str) -> bool:
        """Tell whether somebody lies out of the fight."""
        raise NotImplementedError

    # Combatants hidden from players (rules.core.hiding)

    def roll_place(self, step: Step[S], who: str) -> None:
        """Roll what a hidden's place hangs on, in a round that has begun; the state holds nobody else."""

    def placed(self, state: S, who: str) -> S:
        """Return the state with somebody in the order who has joined and has no place yet; nothing is rolled."""
        return state

    def part_of_round(self, state: S) -> str:
        """Return the part of the round in which everybody has a place: the round, or the phase too."""
        return str(state.round)

    def has_come(self, state: S, who: str) -> bool:
        """Tell whether a place in the order has come: it comes before that of all who have the turn."""
        order = self.turn_order(state)
        turn = [name for name in self.turn(state) if name in order and name != who]
        return bool(turn) and who in order and all(order.index(who) < order.index(name) for name in turn)

    def missed_place(self, step: Step[S], who: str) -> None:
        """Let somebody act from the next round on whose place in this one has passed without them. Rule: CL-04."""

    # Whose place alone is left (rules.core.turns.echoes)

    def has_turns(self, state: S, who: str) -> bool:
        """Tell whether somebody's turns are still counted."""
        return not self.is_out(state, who)

    def place_of_turn(self, state: S, who: str) -> PlaceOfTurn:
        """Tell how far this round has come at somebody's place in the order."""
        if self.has_come(state, who) or self.is_done(state, who):
            return PlaceOfTurn.OVER
        return PlaceOfTurn.BEGUN if who in self.turn(state) else PlaceOfTurn.AHEAD

    def hangs_on_turns(self, condition: Condition) -> bool:
        """Tell whether a condition that names its source's turns is counted by them."""
        return True
