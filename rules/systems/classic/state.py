"""The state of a classic encounter, and the events that change it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from typing import Self

from rules.core.encounter import Encounter
from rules.core.events import EncounterEvent
from rules.core.model import Frozen, Name, Names

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


class ClassicState(Encounter):
    """`order` is the present order; `current` the set that may act now; `acted` who had their turn this round.

    `delayed` have left the order and may come back after any turn; `delayed_in` says in which round, `until` after
    whose turn they do by themselves; `alert` want to be asked after each turn, `asking` now; a turn has ended since
    those in `ripe` delayed. `started` had their turn's start counted this round. `interrupted` are sets that somebody,
    or the turn of `extra`, set aside, the latest last: the GM gave that one besides the order, and it counts as none.
    `side_results` are by side. `pile`, `dealt` and `dropped` belong to `rolled=cards`: the secret pile, this round's
    cards, the discards. `fought_out`: one side alone has somebody left; the list goes on by hand.
    """

    initiative: Mapping[Name, Initiative] = {}
    side_results: Mapping[str, Initiative] = {}
    order: Names = ()
    current: Names = ()
    acted: Names = ()
    started: Names = ()
    delayed: Names = ()
    delayed_in: Mapping[Name, int] = {}
    until: Mapping[Name, Name] = {}
    alert: Names = ()
    asking: Names = ()
    ripe: Names = ()
    readied: Mapping[Name, str] = {}
    interrupted: tuple[Names, ...] = ()
    extra: Name | None = None
    pile: tuple[str, ...] = ()
    dealt: Mapping[Name, str] = {}
    dropped: tuple[str, ...] = ()
    fought_out: bool = False

    def without_name(self, who: str) -> Self | None:
        """Forget who leaves; their card goes onto the discards."""
        left = super().without_name(who)
        if left is None:
            return None
        dropped = (*self.dropped, self.dealt[who]) if who in self.dealt else self.dropped
        return left.evolve(interrupted=without(self.interrupted, (who,)), dropped=dropped)

    def still_delays(self, who: str) -> bool:
        """Tell whether somebody waits out of the order: till their own place comes round again. Rule: CL-05."""
        return who in self.delayed and self.delayed_in.get(who, self.round) >= self.round

    @property
    def is_fresh(self) -> bool:
        """Tell whether nobody has used the turn under way yet, as far as the list shows."""
        moved = (name for name, move in self.free_moves.items() if move.turn.startswith(f"{self.round} "))
        return not {*self.readied, *moved} & {*self.current}

    @cached_property
    def whose_turn(self) -> str:
        """Say whose turn it is."""
        return " and ".join(f"{name}'s" for name in self.current[:3]) or "nobody's"


def without(sets: tuple[tuple[str, ...], ...], who: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Take names out of sets of names; a set that is empty then is gone."""
    left = (tuple(name for name in names if name not in who) for names in sets)
    return tuple(names for names in left if names)


class InitiativeSet(EncounterEvent[ClassicState]):
    who: str
    initiative: Initiative

    def change(self, state: ClassicState) -> ClassicState:
        return state.evolve(initiative={**state.initiative, self.who: self.initiative})


class SideInitiativeSet(EncounterEvent[ClassicState]):
    side: str
    initiative: Initiative

    def change(self, state: ClassicState) -> ClassicState:
        return state.evolve(side_results={**state.side_results, self.side: self.initiative})


class OrderSet(EncounterEvent[ClassicState]):
    order: tuple[str, ...]

    def change(self, state: ClassicState) -> ClassicState:
        return state.evolve(order=self.order)


class TurnGiven(EncounterEvent[ClassicState]):
    """The turn goes to `who` (all of them at once); with `aside`, those interrupted come back afterwards."""

    who: tuple[str, ...]
    aside: tuple[str, ...] = ()

    def change(self, state: ClassicState) -> ClassicState:
        before = (*state.interrupted, self.aside) if self.aside else state.interrupted
        interrupted = without(before, self.who)
        started = tuple(dict.fromkeys((*state.started, *self.who)))
        readied = {name: words for name, words in state.readied.items() if name not in self.who}
        extra = None if state.extra in self.who else state.extra
        return state.evolve(current=self.who, interrupted=interrupted, started=started, readied=readied, extra=extra)


class ExtraTurn(EncounterEvent[ClassicState]):
    """Somebody has a turn besides the order (a ruling): whoever had theirs goes on afterwards. Rule: CL-03."""

    who: str

    def change(self, state: ClassicState) -> ClassicState:
        if state.current == (self.who,):
            return state.evolve(extra=self.who)
        aside = (state.current,) if state.current else ()
        return state.evolve(current=(self.who,), interrupted=(*state.interrupted, *aside), extra=self.who)


class TurnEnded(EncounterEvent[ClassicState]):
    """Turns are over; one besides the order leaves their own as it is."""

    who: tuple[str, ...]

    def change(self, state: ClassicState) -> ClassicState:
        if state.extra is not None and state.extra in state.current and state.extra in self.who:
            rest = state.evolve(current=tuple(name for name in state.current if name != state.extra), extra=None)
            others = tuple(name for name in self.who if name != state.extra)
            return self.evolve(who=others).change(rest) if others else rest
        return state.evolve(
            current=tuple(name for name in state.current if name not in self.who),
            acted=tuple(dict.fromkeys((*state.acted, *self.who))),
            interrupted=without(state.interrupted, self.who),
            asking=state.alert if any(name in state.current for name in self.who) else state.asking,
            ripe=state.delayed if any(name in state.current for name in self.who) else state.ripe,
        )


class TurnResumed(EncounterEvent[ClassicState]):
    """Who was interrupted by a joker goes on."""

    def change(self, state: ClassicState) -> ClassicState:
        return state.evolve(current=state.interrupted[-1], interrupted=state.interrupted[:-1])


class RoundCleared(EncounterEvent[ClassicState]):
    """A new round: nobody has acted; who delays still does."""

    def change(self, state: ClassicState) -> ClassicState:
        return state.evolve(acted=(), started=(), current=(), interrupted=(), asking=(), extra=None)


class Delayed(EncounterEvent[ClassicState]):
    """Somebody leaves the order until they come back: by themselves, (`until`) after somebody's turn, or asked."""

    who: str
    round: int
    until: str | None = None
    asks: bool = False

    def change(self, state: ClassicState) -> ClassicState:
        return state.evolve(
            delayed=(*state.delayed, self.who),
            delayed_in={**state.delayed_in, self.who: self.round},
            until=state.until if self.until is None else {**state.until, self.who: self.until},
            alert=(*state.alert, self.who) if self.asks else state.alert,
            current=tuple(name for name in state.current if name != self.who),
            extra=None if state.extra == self.who else state.extra,
        )


class CameBack(EncounterEvent[ClassicState]):
    """Who delayed stands in the order again, at the place given in `order`."""

    who: str
    order: tuple[str, ...]

    def change(self, state: ClassicState) -> ClassicState:
        return state.evolve(
            delayed=tuple(name for name in state.delayed if name != self.who),
            delayed_in={name: number for name, number in state.delayed_in.items() if name != self.who},
            until={name: other for name, other in state.until.items() if name != self.who},
            alert=tuple(name for name in state.alert if name != self.who),
            asking=tuple(name for name in state.asking if name != self.who),
            ripe=tuple(name for name in state.ripe if name != self.who),
            acted=tuple(name for name in state.acted if name != self.who),
            order=self.order,
        )


class WaitersAsked(EncounterEvent[ClassicState]):
    """Those who delay and want to be asked have been asked after this turn. Rule: CL-05."""

    def change(self, state: ClassicState) -> ClassicState:
        return state.evolve(asking=())


class Readied(EncounterEvent[ClassicState]):
    """An action held with its trigger; None lets it go or uses it."""

    who: str
    words: str | None

    def change(self, state: ClassicState) -> ClassicState:
        readied = {name: words for name, words in state.readied.items() if name != self.who}
        if self.words is not None:
            readied[self.who] = self.words
        return state.evolve(readied=readied)


class FoughtOut(EncounterEvent[ClassicState]):
    """One side alone has somebody left, or (False) another has again, or the GM goes on all the same."""

    on: bool

    def change(self, state: ClassicState) -> ClassicState:
        return state.evolve(fought_out=self.on)


class PileShuffled(EncounterEvent[ClassicState]):
    """The initiative deck is shuffled: the pile as given, nothing dropped."""

    pile: tuple[str, ...]

    def change(self, state: ClassicState) -> ClassicState:
        return state.evolve(pile=self.pile, dropped=())


class PileReordered(EncounterEvent[ClassicState]):
    """The pile is shuffled as it is: the dropped cards stay dropped."""

    pile: tuple[str, ...]

    def change(self, state: ClassicState) -> ClassicState:
        return state.evolve(pile=self.pile)


class CardDealt(EncounterEvent[ClassicState]):
    who: str
    card: str

    def change(self, state: ClassicState) -> ClassicState:
        return state.evolve(pile=state.pile[1:], dealt={**state.dealt, self.who: self.card})


class CardsCollected(EncounterEvent[ClassicState]):
    """The round's cards go onto the discards."""

    def change(self, state: ClassicState) -> ClassicState:
        return state.evolve(dropped=(*state.dropped, *state.dealt.values()), dealt={})
