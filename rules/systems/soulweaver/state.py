"""The state of a Soulweaver encounter, and the events that change it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Self

from rules.core.encounter import Encounter
from rules.core.events import EncounterEvent
from rules.core.model import Frozen, Name, Names
from rules.core.scopes import PerFight
from rules.systems.soulweaver.stack import Item, Stack

MINUTE = 12  # rounds of 5 seconds (SW-02, SW-10)


class Zeal(Frozen):
    """A Zeal roll: the result and, after ties, what was rolled off. Rule: SW-02."""

    result: int
    rolloffs: tuple[int, ...] = ()


class Long(Frozen):
    """An action longer than a Major: how many of its turns are done. Rule: SW-15."""

    what: str
    turns: int
    done: int = 0


class Pause(Frozen):
    """What an answer is needed for before the stack goes on.

    `completing`: the GM says whether a completed reaction caused a trigger. `conflict`: the creature that was hit keeps
    out or enters. `until` is the prepared event that came first: the question comes back
    once it has left the stack.
    """

    kind: Literal["completing", "conflict"]
    item: Item
    who: Name
    until: int | None = None

    def without_name(self, who: str) -> Self | None:
        return None if self.item.aimed == who else super().without_name(who)


class SoulState(Encounter):
    """`priority` are the creatures; the Soulweaver stands behind them.

    `current` has its place in Priority now; `begun` says that its first action has begun the turn, `extra` that
    the GM gave it besides Priority, `taken` that
    it was waited for: who else waits acts after it. `passed` are
    those whose place has passed this round. `after` had the last turn. `waiting` wait; of them `alert` want to be
    asked after each turn, and `until` says after whose turn somebody acts. `asking` are still to answer whether they
    act now, `coming` have said so. `ticked` waited through the Soulweaver's turn: their durations
    fell there. `acted` have had their first turn in this Priority. `late` joined later and had no place yet.
    `conflict` maps who is in Conflict to the round in which Overexertion is due next, `due` lists those who owe the
    roll. `calm` are the Enemies in sight of whom somebody has kept out of Conflict (SW-08). `fell` are the creators
    whose durations have fallen this round, `words` and `bought` count the round's Speech. `awareness` holds what the GM
    has said, by who and of whom. `owed` are questions to the GM that a prepared event has come before, and `declared`
    is what the next completed reaction of this stack will cause.
    """

    zeal: PerFight[Mapping[Name, Zeal]] = {}
    priority: PerFight[Names] = ()
    current: PerFight[Name | None] = None
    begun: PerFight[bool] = False
    extra: PerFight[bool] = False
    taken: PerFight[bool] = False
    passed: PerFight[Names] = ()
    after: PerFight[Name | None] = None
    waiting: PerFight[Names] = ()
    alert: PerFight[Names] = ()
    until: PerFight[Mapping[Name, Name]] = {}
    asking: PerFight[Names] = ()
    coming: PerFight[Names] = ()
    ticked: PerFight[Names] = ()
    acted: PerFight[Names] = ()
    late: PerFight[Names] = ()
    conflict: PerFight[Mapping[Name, int]] = {}
    due: PerFight[Names] = ()
    calm: PerFight[Mapping[Name, Names]] = {}
    fell: PerFight[Names] = ()
    words: PerFight[Mapping[Name, int]] = {}
    bought: PerFight[Mapping[Name, int]] = {}
    prepared: PerFight[Mapping[Name, str]] = {}
    long: PerFight[Mapping[Name, Long]] = {}
    tricks: PerFight[Mapping[Name, tuple[str, ...]]] = {}
    awareness: PerFight[Mapping[Name, Mapping[Name, bool]]] = {}
    stack: PerFight[Stack] = Stack()
    pause: PerFight[Pause | None] = None
    owed: PerFight[tuple[Pause, ...]] = ()
    declared: PerFight[str | None] = None

    def without_name(self, who: str) -> Self | None:
        """Forget who leaves; where the last turn was theirs, whoever stands before them had it."""
        left = super().without_name(who)
        if left is None or who not in (self.current, self.after):
            return left
        at = self.priority.index(who) if who in self.priority else 0
        before = self.priority[at - 1] if at else None
        return left.evolve(begun=self.begun and self.current != who, after=before if self.after == who else self.after)


def _without(names: tuple[str, ...], who: str) -> tuple[str, ...]:
    return tuple(name for name in names if name != who)


def _with(names: tuple[str, ...], who: str) -> tuple[str, ...]:
    return names if who in names else (*names, who)


# Priority and turns


class ZealSet(EncounterEvent[SoulState]):
    who: str
    zeal: Zeal

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(zeal={**state.zeal, self.who: self.zeal})


class PrioritySet(EncounterEvent[SoulState]):
    """The creatures in Priority; `late` are those who joined later and had no place yet."""

    priority: tuple[str, ...]
    late: tuple[str, ...] | None = None

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(priority=self.priority, late=state.late if self.late is None else self.late)


class PlaceCame(EncounterEvent[SoulState]):
    """Somebody's place has come: one's own, or (`waited`) the one taken by who waited, which nobody takes from them."""

    who: str
    waited: bool = False
    taken: bool = False
    extra: bool = False

    def change(self, state: SoulState) -> SoulState:
        if self.extra:
            return state.evolve(current=self.who, begun=False, extra=True)
        return state.evolve(
            current=self.who,
            begun=False,
            extra=False,
            taken=self.taken,
            waiting=_without(state.waiting, self.who),
            alert=_without(state.alert, self.who),
            until={name: of for name, of in state.until.items() if name != self.who},
            asking=(),  # whoever else was asked is asked after this turn
            coming=_without(state.coming, self.who),
            passed=_without(state.passed, self.who),
            late=_without(state.late, self.who),
            ticked=state.ticked if self.waited else _without(state.ticked, self.who),
        )


class TurnBegun(EncounterEvent[SoulState]):
    """The first action begins the turn: what is prepared lapses, each Trick is free again. Rule: SW-18, SW-20."""

    who: str

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(
            begun=True,
            acted=_with(state.acted, self.who),
            ticked=_without(state.ticked, self.who),
            prepared={name: event for name, event in state.prepared.items() if name != self.who},
            tricks={name: used for name, used in state.tricks.items() if name != self.who},
        )


class TurnOver(EncounterEvent[SoulState]):
    """A turn is over; those of `asking` who wait are asked whether they act now, `coming` do. Rule: SW-05."""

    who: str
    asking: tuple[str, ...] = ()
    coming: tuple[str, ...] = ()

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(
            current=None,
            begun=False,
            extra=False,
            passed=state.passed if state.extra else _with(state.passed, self.who),
            after=state.after if state.extra else self.who,
            asking=self.asking,
            coming=(*state.coming, *self.coming),
        )


class PlacePassed(EncounterEvent[SoulState]):
    """Somebody has no turn this round (a ruling)."""

    who: str

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(passed=_with(state.passed, self.who))


class Waited(EncounterEvent[SoulState]):
    """Somebody waits as the turn would start: to be asked after each turn, or until after somebody's, or neither."""

    who: str
    asks: bool = False
    until: str | None = None

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(
            current=None,
            begun=False,
            passed=_with(state.passed, self.who),
            waiting=_with(state.waiting, self.who),
            alert=_with(state.alert, self.who) if self.asks else state.alert,
            until=state.until if self.until is None else {**state.until, self.who: self.until},
        )


class WaiterAnswered(EncounterEvent[SoulState]):
    """Who waits has said whether they act now."""

    who: str
    now: bool

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(
            asking=_without(state.asking, self.who),
            coming=_with(state.coming, self.who) if self.now else state.coming,
        )


class WaiterTicked(EncounterEvent[SoulState]):
    """Durations fell after the Soulweaver's turn. Rule: SW-06."""

    who: str

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(ticked=_with(state.ticked, self.who))


class RoundOpened(EncounterEvent[SoulState]):
    def change(self, state: SoulState) -> SoulState:
        return state.evolve(passed=(), fell=(), words={}, bought={})


class DurationsFell(EncounterEvent[SoulState]):
    """What somebody created has lost 1 this round, or a turn of theirs was missed. Rule: SW-12."""

    who: str

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(fell=_with(state.fell, self.who))


class TurnSetAside(EncounterEvent[SoulState]):
    """The GM has given the turn to somebody else (a ruling): nobody has it, nobody is asked."""

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(current=None, begun=False, extra=False, asking=(), coming=())


# Conflict


class ConflictSet(EncounterEvent[SoulState]):
    """Somebody enters Conflict (`due`: the round of the next Overexertion) or leaves it."""

    who: str
    due: int | None

    def change(self, state: SoulState) -> SoulState:
        conflict = {name: due for name, due in state.conflict.items() if name != self.who}
        if self.due is None:
            return state.evolve(conflict=conflict, due=_without(state.due, self.who))
        return state.evolve(conflict={**conflict, self.who: self.due})


class CalmSet(EncounterEvent[SoulState]):
    """Somebody keeps out of Conflict in sight of these Enemies. Rule: SW-08."""

    who: str
    of: tuple[str, ...]

    def change(self, state: SoulState) -> SoulState:
        others = {name: of for name, of in state.calm.items() if name != self.who}
        return state.evolve(calm={**others, self.who: self.of} if self.of else others)


class OverexertionDue(EncounterEvent[SoulState]):
    who: str
    owed: bool

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(due=_with(state.due, self.who) if self.owed else _without(state.due, self.who))


class AwarenessSet(EncounterEvent[SoulState]):
    who: str
    of: str
    yes: bool

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(
            awareness={**state.awareness, self.who: {**state.awareness.get(self.who, {}), self.of: self.yes}}
        )


# Acting


class Spoke(EncounterEvent[SoulState]):
    who: str
    words: int

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(words={**state.words, self.who: state.words.get(self.who, 0) + self.words})


class WordsBought(EncounterEvent[SoulState]):
    who: str
    words: int

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(bought={**state.bought, self.who: state.bought.get(self.who, 0) + self.words})


class PreparedSet(EncounterEvent[SoulState]):
    who: str
    event: str | None

    def change(self, state: SoulState) -> SoulState:
        prepared = {name: event for name, event in state.prepared.items() if name != self.who}
        return state.evolve(prepared=prepared if self.event is None else {**prepared, self.who: self.event})


class LongSet(EncounterEvent[SoulState]):
    who: str
    long: Long | None

    def change(self, state: SoulState) -> SoulState:
        others = {name: long for name, long in state.long.items() if name != self.who}
        return state.evolve(long=others if self.long is None else {**others, self.who: self.long})


class TrickUsed(EncounterEvent[SoulState]):
    who: str
    name: str

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(tricks={**state.tricks, self.who: (*state.tricks.get(self.who, ()), self.name)})


class PipsSuffered(EncounterEvent[SoulState]):
    """Somebody suffers pips while actions of theirs are not complete. Rule: SW-16."""

    who: str
    count: int

    def change(self, state: SoulState) -> SoulState:
        items = tuple(
            item.evolve(pips=item.pips + self.count) if item.who == self.who else item for item in state.stack.items
        )
        return state.evolve(stack=state.stack.evolve(items=items))
