"""The state of an adventurers' encounter, and the changes that several actions make."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar

from rules.core.encounter import Encounter
from rules.core.model import Frozen, Name, Names, without, without_key
from rules.core.scopes import PerFight, PerRound, Scope
from rules.core.step import Step
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


class DeathCheck(Frozen):
    """A death check to be made. Rule: AD-19."""

    who: Name
    damaged: int = 0  # parts, with the blow that called for it: a later one calls for a check of its own
    asked: bool = False
    result: int | None = None  # once it is rolled, with the Willpower spent on it


class AdventurersState(Encounter):
    """The rounds of an adventurers' encounter, and what waits for answers in them."""

    specialty: PerRound[str | None] = None  # of the initiative check
    next_specialty: PerFight[str | None] = None  # the GM's for the next initiative check
    passed: PerRound[Mapping[Name, bool]] = {}  # the initiative checks
    done: PerRound[Names] = ()  # who had their action
    extra: PerRound[Mapping[Name, int]] = {}  # actions of step E to come
    extras: PerRound[Mapping[Name, int]] = {}  # actions of step E that were taken
    cooperations: PerRound[tuple[Cooperation, ...]] = ()  # those that nobody has used lapse (AD-09)
    full_power: PerFight[Names] = ()
    given: PerRound[Name | None] = None  # who may act now by the GM's word
    besides: PerRound[Name | None] = None  # the same one, if it does not use up their action of the round
    parts: PerFight[Mapping[Name, str]] = {}  # body parts rolled for hits that are not taken yet
    deaths: PerFight[tuple[DeathCheck, ...]] = ()  # the first one is next
    packs: PerFight[Mapping[Name, tuple[str, ...]]] = {}  # names of the belongings with which saved characters came
    met: PerFight[bool] = False  # both sides were here: the fight is over if one has nobody left (AD-21)
    played_on: PerFight[bool] = False  # the GM goes on although a whole side is Helpless, until it no longer is (AD-21)

    comes_back: ClassVar[Mapping[str, Scope | None]] = {"packs": None}  # they come with what they have now

    @cached_property
    def held_tables(self) -> Tables:
        return tables_of(self.tables)


def spend_action(step: Step[AdventurersState], who: str) -> None:
    """Use up somebody's action of the round, the one that the GM gave, or in step E one of their extra actions."""
    state = step.state
    if state.given == who:
        is_besides = state.besides == who
        step.change(given=None, besides=None)
        if is_besides:
            return
    elif state.phase == EXTRA:
        left = max(0, state.extra.get(who, 0) - 1)
        others = without_key(state.extra, who)
        step.change(
            extra={**others, who: left} if left else others,
            extras={**state.extras, who: state.extras.get(who, 0) + 1},
        )
        return
    step.change(done=tuple(dict.fromkeys((*state.done, who))))


def set_full_power(step: Step[AdventurersState], who: str, *, on: bool) -> None:
    """Let a Boss enter Full Power, or (a ruling) leave it. Rule: AD-23."""
    others = without(step.state.full_power, who)
    step.change(full_power=(*others, who) if on else others)
