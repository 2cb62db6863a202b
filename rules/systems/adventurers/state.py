"""The state of an adventurers' encounter, and the events that change it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Self

from rules.core.encounter import Encounter
from rules.core.events import EncounterEvent
from rules.core.model import Frozen, Name, Names
from rules.systems.adventurers.grid import Tables, tables_of

INITIATIVE = "initiative"
ADVANCE = "advance"
ENEMIES = "enemies"
LATE = "late"
EXTRA = "extra"
PHASES = (INITIATIVE, ADVANCE, ENEMIES, LATE, EXTRA)


class Cooperation(Frozen):
    """A cooperative attack that waits on its target. Rule: AD-09."""

    helper: Name
    target: Name
    ability: str


class Hit(Frozen):
    """One target of an attack that has hit: what it would do. `part` is the body part already rolled."""

    target: Name
    damage: int | None = None
    part: str | None = None


class Attack(Frozen):
    """An attack whose hits wait for answers, in the order of joining. `result` is the hit check's."""

    who: Name
    name: str
    specialty: str
    result: int
    ailments: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()
    critical: str | None = None
    landed: bool = False
    hits: tuple[Hit, ...] = ()

    def without_name(self, who: str) -> Self | None:
        left = super().without_name(who)
        return left if left is not None and left.hits else None


class DeathCheck(Frozen):
    """A death check to be made; `result` once it is rolled (with Willpower spent on it). Rule: AD-19.

    `damaged` parts are those of the blow that called for it: a later one calls for a check of its own.
    """

    who: Name
    damaged: int = 0
    asked: bool = False
    result: int | None = None


class AdventurersState(Encounter):
    """`passed` are this round's initiative checks. `done` had their action; `extra` counts actions of step E.

    `extras` counts those that were taken this round. `given` may act now by the GM's word, `besides` without using up
    their action of the round. `attack` and `deaths` are
    what waits for answers. `packs` are the names of the belongings with which players' saved characters came.
    `next_specialty` is the GM's for the next check. `met`: both sides were here; `played_on`: the GM goes on although
    all of a side are Helpless.
    """

    specialty: str | None = None
    next_specialty: str | None = None
    passed: Mapping[Name, bool] = {}
    done: Names = ()
    extra: Mapping[Name, int] = {}
    extras: Mapping[Name, int] = {}
    cooperations: tuple[Cooperation, ...] = ()
    full_power: Names = ()
    given: Name | None = None
    besides: Name | None = None
    attack: Attack | None = None
    deaths: tuple[DeathCheck, ...] = ()
    packs: Mapping[Name, tuple[str, ...]] = {}
    met: bool = False
    played_on: bool = False

    @cached_property
    def held_tables(self) -> Tables:
        return tables_of(self.tables)


class SpecialtyNamed(EncounterEvent[AdventurersState]):
    """The specialty of this round's initiative check. Rule: AD-04."""

    specialty: str

    def change(self, state: AdventurersState) -> AdventurersState:
        return state.evolve(specialty=self.specialty, next_specialty=None)


class NextSpecialtyNamed(EncounterEvent[AdventurersState]):
    """The specialty of the next initiative check, which the GM names. Rule: AD-04."""

    specialty: str

    def change(self, state: AdventurersState) -> AdventurersState:
        return state.evolve(next_specialty=self.specialty)


class Met(EncounterEvent[AdventurersState]):
    """Both sides are here: from now on the fight is over where one has nobody left. Rule: AD-21."""

    def change(self, state: AdventurersState) -> AdventurersState:
        return state.evolve(met=True)


class PlayedOn(EncounterEvent[AdventurersState]):
    """The GM goes on although all of a side are Helpless, until one of them is no more. Rule: AD-21."""

    on: bool

    def change(self, state: AdventurersState) -> AdventurersState:
        return state.evolve(played_on=self.on)


class RoundCleared(EncounterEvent[AdventurersState]):
    """A new round: nobody has rolled or acted, cooperative attacks have lapsed. Rule: AD-09."""

    def change(self, state: AdventurersState) -> AdventurersState:
        return state.evolve(
            specialty=None,
            passed={},
            done=(),
            extra={},
            extras={},
            cooperations=(),
            given=None,
        )


class InitiativeMade(EncounterEvent[AdventurersState]):
    who: str
    passed: bool

    def change(self, state: AdventurersState) -> AdventurersState:
        return state.evolve(passed={**state.passed, self.who: self.passed})


class ActionSpent(EncounterEvent[AdventurersState]):
    """Somebody's action of the round, or in step E one of their extra actions."""

    who: str

    def change(self, state: AdventurersState) -> AdventurersState:
        if state.given == self.who:
            spent = () if state.besides == self.who else (self.who,)
            return state.evolve(given=None, besides=None, done=tuple(dict.fromkeys((*state.done, *spent))))
        if state.phase == EXTRA:
            left = {name: count for name, count in state.extra.items() if name != self.who}
            if state.extra.get(self.who, 0) > 1:
                left[self.who] = state.extra[self.who] - 1
            return state.evolve(extra=left, extras={**state.extras, self.who: state.extras.get(self.who, 0) + 1})
        return state.evolve(done=tuple(dict.fromkeys((*state.done, self.who))))


class ActionBack(EncounterEvent[AdventurersState]):
    """The GM gives somebody an action now; `extra`: besides the one of the round."""

    who: str | None
    extra: bool = False

    def change(self, state: AdventurersState) -> AdventurersState:
        return state.evolve(given=self.who, besides=self.who if self.extra else None)


class ExtraGained(EncounterEvent[AdventurersState]):
    """Extra actions for step E. Rule: AD-27."""

    who: str
    count: int = 1

    def change(self, state: AdventurersState) -> AdventurersState:
        count = state.extra.get(self.who, 0) + self.count
        extra = {name: held for name, held in state.extra.items() if name != self.who}
        if count > 0:
            extra[self.who] = count
        return state.evolve(extra=extra)


class Cooperated(EncounterEvent[AdventurersState]):
    cooperation: Cooperation

    def change(self, state: AdventurersState) -> AdventurersState:
        return state.evolve(cooperations=(*state.cooperations, self.cooperation))


class CooperationUsed(EncounterEvent[AdventurersState]):
    cooperation: Cooperation

    def change(self, state: AdventurersState) -> AdventurersState:
        left = list(state.cooperations)
        left.remove(self.cooperation)
        return state.evolve(cooperations=tuple(left))


class FullPowered(EncounterEvent[AdventurersState]):
    """A Boss enters Full Power, or (a ruling) leaves it. Rule: AD-23."""

    who: str
    on: bool = True

    def change(self, state: AdventurersState) -> AdventurersState:
        others = tuple(name for name in state.full_power if name != self.who)
        return state.evolve(full_power=(*others, self.who) if self.on else others)


class Packed(EncounterEvent[AdventurersState]):
    """The belongings that a saved character brings along. Rule: AD-13, AD-20."""

    who: str
    names: tuple[str, ...]

    def change(self, state: AdventurersState) -> AdventurersState:
        return state.evolve(packs={**state.packs, self.who: self.names})


class AttackSet(EncounterEvent[AdventurersState]):
    """An attack hits, goes on to its next target, or (None) is over."""

    attack: Attack | None = None

    def change(self, state: AdventurersState) -> AdventurersState:
        return state.evolve(attack=self.attack)


class DeathsSet(EncounterEvent[AdventurersState]):
    """The death checks that wait, the first one first."""

    deaths: tuple[DeathCheck, ...] = ()

    def change(self, state: AdventurersState) -> AdventurersState:
        return state.evolve(deaths=self.deaths)
