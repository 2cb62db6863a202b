"""The state of an encounter that plays a kit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Literal

from rules.core.blow import Blow, Deed, Strike
from rules.core.encounter import Encounter
from rules.core.model import Frozen, Name, Names, per_state
from rules.core.scopes import PHASE, ROUND, PerFight, PerPhase, PerRound, Scope
from rules.core.step import Step
from rules.kits.compiled import NO_PHASE, Kit, PhaseSpec
from rules.kits.library import played_by


class Place(Frozen):
    """What a place in the order comes from: the key, then what parts those who are equal, the highest first.

    `passed` is what this round's turns have added to the key by `again`.
    """

    key: int
    ties: tuple[int, ...] = ()
    card: str = ""
    passed: int = 0


class Rolled(Frozen):
    """A check that was rolled: what it is judged by again, if a reaction makes it harder or easier."""

    total: int
    against: int | None
    faces: tuple[int, ...]
    theirs: tuple[int, ...] = ()  # the faces of the other one, if they rolled too
    succeeds: bool = True
    by: int = 0
    degree: str = ""
    bonus: int = 0  # what answers have added

    @property
    def high(self) -> int:
        return max(self.faces, default=0)


class Planned(Frozen):
    """An action that somebody has planned, with what it takes."""

    action: str
    targets: Names = ()
    using: str = ""
    amount: int = 0
    to: str = ""
    note: str = ""


class Basis(Frozen):
    """The state at the start of a pass in which everything happens at once, as JSON: of each, and the shared pools."""

    combatants: Mapping[Name, str] = {}
    shared: str = "{}"


class KitStrike(Strike):
    """What an action does to one of its targets; an action without targets does it to its user.

    `stage` says what comes next: `aimed`, `roll`, `outcome`, `applied`, `next`, `done`; after a correction `judged` if
    others may answer it anew, else `again`. `result` is its check as it was rolled, `damage` what answers have made of
    the damage. `answered`: who has answered with what. `shift` is what reactions have made of it, more being easier,
    `edges` what they gave or took. If it `is_rerolled`, `keeps` says which dice are not. What is about no target
    happens with the one that `is_first`. `turned` holds what it changed of turns and the like, as JSON before and
    after. `is_final`: what it did goes beyond what a correction can take back.
    """

    stage: str = "aimed"
    result: Rolled | None = None
    damage: int | None = None
    shift: int = 0
    edges: int = 0
    is_first: bool = False
    is_stopped: bool = False
    is_rerolled: bool = False
    keeps: str = ""
    is_final: bool = False
    turned: Mapping[str, tuple[str, str]] = {}
    answered: tuple[str, ...] = ()


class KitBlow(Blow):
    """An action of a kit: one target after the other, each through all its stages.

    It is in the state while it waits for answers, and the last one stays, closed. `total` is the damage as it was
    rolled for all targets. `hurt` and `moved` are who was so far, from which cell to which: they are asked when it is
    over. `part` says of a planned action whether it is done `alone`, or in the `first` or `second` pass of all at once.
    `ends`: what of turn, phase and round its sentences have ended. `is_corrected`: it was over, and a GM puts it right.
    """

    deed: Deed = Deed()  # what it does is in the kit
    strikes: tuple[KitStrike, ...]
    amount: int = 0
    using: str = ""
    to: str = ""
    part: str = ""
    total: int | None = None
    ends: tuple[str, ...] = ()
    is_corrected: bool = False
    hurt: Names = ()
    moved: Mapping[Name, tuple[str, str]] = {}

    @property
    def at(self) -> int:
        """Return the number of the target that it has come to; that of no target if it is done with all."""
        return next((at for at, strike in enumerate(self.strikes) if strike.stage != "done"), len(self.strikes))

    @property
    def now(self) -> KitStrike | None:
        return next((strike for strike in self.strikes if strike.stage != "done"), None)

    def with_strike(self, at: int, **changes: Any) -> KitBlow:
        """Return the blow with something else in one of its strikes."""
        strikes = list(self.strikes)
        strikes[at] = strikes[at].evolve(**changes)
        return self.evolve(strikes=tuple(strikes))


class KitState(Encounter):
    """A round of a kit. `tables` hold the kit: `file`, `source` and `digest`."""

    phase_number: PerRound[int] = -1  # the place of the present phase
    places: PerFight[Mapping[Name, Mapping[str, Place]]] = {}  # by the key that gave them
    side_places: PerFight[Mapping[str, Mapping[str, Place]]] = {}  # the same of sides
    had: PerRound[Mapping[Name, Mapping[str, int]]] = {}  # turns, by what shares them
    owed: PerRound[Mapping[Name, int]] = {}  # turns that sentences added
    current: PerPhase[Names] = ()  # who has the turn for themselves
    begun: PerPhase[Names] = ()  # who has begun a turn and not ended it
    ended: PerPhase[Names] = ()  # who has no more turns
    passed: PerPhase[Names] = ()  # who wants none any more
    side: PerPhase[str] = ""  # which acts
    sides_done: PerPhase[tuple[str, ...]] = ()  # which have acted
    sides_out: PerFight[tuple[str, ...]] = ()  # which have nobody left
    leads: PerRound[str] = ""  # the side that goes through all neighbouring phases before the next one does
    used_turn: PerRound[Mapping[Name, tuple[str, ...]]] = {}  # the actions of their latest turn
    used_round: PerRound[Mapping[Name, tuple[str, ...]]] = {}
    used_fight: PerFight[Mapping[Name, tuple[str, ...]]] = {}
    turns_begun: PerFight[Mapping[Name, int]] = {}
    called: PerFight[Names] = ()  # who acts next, whatever the order says
    called_sides: PerFight[tuple[str, ...]] = ()  # the same of sides
    named: PerFight[Name | None] = None
    kept: PerPhase[int] = 0  # how often in a row a side has kept the lead
    held: PerRound[Names] = ()  # who waits for a place of their own choice
    started: PerRound[Names] = ()  # whose turn goes on after a break
    slots_taken: PerPhase[Names] = ()
    token: PerPhase[Name | None] = None  # whose was drawn
    drawn: PerRound[Mapping[Name, int]] = {}  # tokens
    tokens_more: PerRound[Mapping[Name, int]] = {}
    ticks_taken: PerRound[Mapping[Name, int]] = {}
    blows: tuple[KitBlow, ...] = ()
    plans: PerPhase[Mapping[Name, tuple[Planned, ...]]] = {}
    plan_closed: PerPhase[Names] = ()  # who plans no more
    plan_step: PerPhase[int] = 0
    plan_queue: PerPhase[Names] = ()  # whose plan comes in this step
    plan_dropped: PerPhase[Names] = ()  # whose plan does not
    is_second_pass: PerPhase[bool] = False
    basis: PerPhase[Basis | None] = None
    unfit: PerPhase[Names] = ()  # who takes no part: they failed the phase's gate
    order_by_hand: PerFight[Names] = ()
    lost: PerRound[tuple[str, ...]] = ()  # the sides that have had the lead
    is_stuck: PerFight[bool] = False  # a whole round went by in which nobody could act
    gm_turns: PerPhase[Names] = ()  # who was given one by the GM: no condition takes it, no sentence as it starts

    comes_back: ClassVar[Mapping[str, Scope | None]] = {
        # Who joins gets a place anew, but in the same round, or phase, theirs.
        "places": ROUND,
        "called": PHASE,
        # Leaving gives up a turn that was theirs: it comes to them again, or they have had it.
        **dict.fromkeys(("begun", "started", "current", "gm_turns"), None),
        # Leaving gives up a plan.
        **dict.fromkeys(("plans", "plan_queue", "plan_dropped"), None),
        "order_by_hand": None,  # a word of the GM on who was there
    }

    @cached_property
    def kit(self) -> Kit:
        """Return the kit that is played; nothing can be done by one that this program cannot read."""
        return played_by(self.tables)

    @cached_property
    def this_phase(self) -> PhaseSpec:
        """Return the present phase; one of no kind before the first round."""
        phases = self.kit.phases
        return phases[self.phase_number] if 0 <= self.phase_number < len(phases) else NO_PHASE

    @cached_property
    def is_planning(self) -> bool:
        """Tell whether the present phase still makes its plans."""
        return self.this_phase.plan != "no" and self.plan_step == 0 and not self.current

    @property
    def under_way(self) -> KitBlow | None:
        """Return the action that waits for what others answer."""
        return next((blow for blow in self.blows if blow.is_open), None)


@per_state
def at_basis(state: KitState) -> KitState:
    """Return the state as it was when all that happens at once began; the present one if nothing does."""
    if state.basis is None:
        return state
    held = {name: json.loads(text) for name, text in state.basis.combatants.items()}
    combatants = tuple(
        combatant.evolve(**held[combatant.name]) if combatant.name in held else combatant
        for combatant in state.combatants
    )
    return state.evolve(combatants=combatants, **json.loads(state.basis.shared))


def seen_now(state: KitState) -> KitState:
    """Return the state that numbers, conditions and checks look at."""
    return at_basis(state) if state.is_second_pass else state


def put_under_way(step: Step[KitState], blow: KitBlow | None) -> None:
    """Let an action wait for answers, in the place of the one that waited; the last that was settled stays."""
    settled = tuple(other for other in step.state.blows if not other.is_open)
    step.change(blows=settled if blow is None else (blow, *settled))


# Places, and what is counted


def place_of(state: KitState, who: str, key: str) -> Place | None:
    return state.places.get(who, {}).get(key)


def set_place(
    step: Step[KitState], who: str, key: str, place: Place, of: Literal["side_places", "places"] = "places"
) -> None:
    """Put the place of somebody, or of a side, under a key."""
    places = getattr(step.state, of)
    step.change(**{of: {**places, who: {**places.get(who, {}), key: place}}})


def count_use(step: Step[KitState], who: str, action: str) -> None:
    """Count an action that may be done so often."""

    def more(used: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        return {**used, who: tuple(dict.fromkeys((*used.get(who, ()), action)))}

    state = step.state
    step.change(used_turn=more(state.used_turn), used_round=more(state.used_round), used_fight=more(state.used_fight))
