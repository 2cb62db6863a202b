"""The state of an encounter that plays a kit, and what happens to it."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from rules.core.encounter import Encounter
from rules.core.events import EncounterEvent
from rules.core.model import Frozen, Name, Names


class Place(Frozen):
    """What a place in the order comes from: the key, then what parts those who are equal, the highest first.

    `passed` is what this round's turns have added to the key by `again`.
    """

    key: int
    ties: tuple[int, ...] = ()
    card: str = ""
    passed: int = 0


class Rolled(Frozen):
    """A check that was rolled: what it is judged by again, where a reaction makes it harder or easier."""

    total: int
    against: int | None
    faces: tuple[int, ...]
    succeeds: bool
    by: int
    degree: str


class Planned(Frozen):
    """An action that somebody has planned, with what it takes."""

    action: str
    targets: Names = ()
    using: str = ""
    amount: int = 0
    to: str = ""
    note: str = ""


class Basis(Frozen):
    """What stood when a pass began in which everything happens at once, as JSON: of each, and the shared pools."""

    combatants: Mapping[Name, str] = {}
    shared: str = "{}"


class UnderWay(Frozen):
    """An action that waits for what others answer to it. `now` is the target that it has come to, `left` are the rest.

    `stage` says what comes next for that target: `aimed`, `roll`, `outcome`, `after`. `handled` counts the targets.
    `shift` is what reactions have made of it, more being easier. `free`: it was done out of turn.
    `hurt` and `moved` are who was so far, from which cell to which: they are asked when it is over.
    `part` says of a planned action whether it is done `alone`, or in the `first` or `second` pass of all at once.
    """

    action: str
    who: Name
    now: Names = ()
    left: Names = ()
    stage: str = "next"
    handled: int = 0
    amount: int = 0
    using: str = ""
    to: str = ""
    shift: int = 0
    is_stopped: bool = False
    free: bool = False
    part: str = ""
    rolled: Rolled | None = None
    ends: tuple[str, ...] = ()
    hurt: Names = ()
    moved: Mapping[Name, tuple[str, str]] = {}


class KitState(Encounter):
    """`tables` hold the kit: `file`, `source` and `digest`. Sides and shares are words of the kit.

    `phase_number` is the place of the present phase. `places` are by the key that gave them, and `side_places` the same
    of sides. `had` counts the turns of a round by what shares them; `owed` what sentences added to them. `current` have
    the turn for themselves; `begun` have begun one and not ended it, `ended` and `passed` have no more of this phase.
    `side` is the one that acts in it, `sides_done` those that have; `sides_out` have nobody left. `used_…` are the
    actions that one has done. `turns_begun` counts for good. `called` are who acts next, whatever the order says,
    `called_sides` the same of sides. `named` is who was named. `kept` is how often in a row a side has kept the
    lead. `held` wait for a place of their own choice. `unfit` take no part in this phase: they failed its gate.
    `standing` is the side that everything was decided for. `is_stuck`: a whole round went by in which nobody could
    act. `gm_turns` are of those to whom the GM gave one: no condition takes it, and no sentence as it starts.
    """

    phase_number: int = -1
    places: Mapping[Name, Mapping[str, Place]] = {}
    side_places: Mapping[str, Mapping[str, Place]] = {}
    had: Mapping[Name, Mapping[str, int]] = {}
    owed: Mapping[Name, int] = {}
    current: Names = ()
    begun: Names = ()
    ended: Names = ()
    passed: Names = ()
    side: str = ""
    sides_done: tuple[str, ...] = ()
    sides_out: tuple[str, ...] = ()
    leads: str = ""
    used_turn: Mapping[Name, tuple[str, ...]] = {}
    used_round: Mapping[Name, tuple[str, ...]] = {}
    used_fight: Mapping[Name, tuple[str, ...]] = {}
    turns_begun: Mapping[Name, int] = {}
    called: Names = ()
    called_sides: tuple[str, ...] = ()
    named: Name | None = None
    kept: int = 0
    held: Names = ()
    started: Names = ()
    slots_taken: Names = ()
    token: Name | None = None
    drawn: Mapping[Name, int] = {}
    tokens_more: Mapping[Name, int] = {}
    ticks_taken: Mapping[Name, int] = {}
    under_way: UnderWay | None = None
    plans: Mapping[Name, tuple[Planned, ...]] = {}
    plan_closed: Names = ()
    plan_step: int = 0
    plan_queue: Names = ()
    plan_dropped: Names = ()
    is_second_pass: bool = False
    basis: Basis | None = None
    unfit: Names = ()
    order_by_hand: Names = ()
    lost: tuple[str, ...] = ()
    is_stuck: bool = False
    gm_turns: Names = ()


class KitChanged(EncounterEvent[KitState]):
    """Fields of the state that say where a round stands, as they are from now on."""

    fields: Mapping[str, JsonValue]

    def change(self, state: KitState) -> KitState:
        return state.evolve(**self.fields)


class Placed(EncounterEvent[KitState]):
    """Somebody's place under a key."""

    who: str
    key: str
    place: Place

    def change(self, state: KitState) -> KitState:
        held = {**state.places.get(self.who, {}), self.key: self.place}
        return state.evolve(places={**state.places, self.who: held})


class SidePlaced(EncounterEvent[KitState]):
    """A side's place under a key."""

    side: str
    key: str
    place: Place

    def change(self, state: KitState) -> KitState:
        held = {**state.side_places.get(self.side, {}), self.key: self.place}
        return state.evolve(side_places={**state.side_places, self.side: held})


class TurnBegun(EncounterEvent[KitState]):
    """Somebody's turn begins; `alone`: the table waits for nobody else until it has ended."""

    who: str
    alone: bool = False

    def change(self, state: KitState) -> KitState:
        return state.evolve(
            begun=tuple(dict.fromkeys((*state.begun, self.who))),
            current=tuple(dict.fromkeys((*state.current, self.who))) if self.alone else state.current,
            called=tuple(name for name in state.called if name != self.who),
            used_turn={
                name: used for name, used in state.used_turn.items() if name != self.who or name in state.started
            },
            turns_begun={**state.turns_begun, self.who: state.turns_begun.get(self.who, 0) + 1},
            is_stuck=False,
        )


class TurnEnded(EncounterEvent[KitState]):
    """Somebody's turn is over, and counts for what shares it; `more`: another one of this phase is left."""

    who: str
    share: str
    more: bool = False

    def change(self, state: KitState) -> KitState:
        had = state.had.get(self.who, {})
        counted = {**had, self.share: had.get(self.share, 0) + 1}
        called_within = self.who in state.begun  # the call that brought this turn went as it began
        return state.evolve(
            begun=tuple(name for name in state.begun if name != self.who),
            current=tuple(name for name in state.current if name != self.who),
            called=state.called if called_within else tuple(name for name in state.called if name != self.who),
            started=tuple(name for name in state.started if name != self.who),
            gm_turns=tuple(name for name in state.gm_turns if name != self.who),
            ended=state.ended if self.more else tuple(dict.fromkeys((*state.ended, self.who))),
            had={**state.had, self.who: counted},
        )


class Used(EncounterEvent[KitState]):
    """Somebody has done an action that may be done so often."""

    who: str
    action: str

    def change(self, state: KitState) -> KitState:
        def more(held: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
            return {**held, self.who: tuple(dict.fromkeys((*held.get(self.who, ()), self.action)))}

        return state.evolve(
            used_turn=more(state.used_turn), used_round=more(state.used_round), used_fight=more(state.used_fight)
        )


class PhaseOpened(EncounterEvent[KitState]):
    """A phase opens: nobody of it has acted."""

    number: int

    def change(self, state: KitState) -> KitState:
        return state.evolve(
            **dict.fromkeys(("current", "begun", "ended", "passed", "sides_done", "unfit", "plan_closed"), ()),
            gm_turns=(),
            phase_number=self.number,
            side="",
            plans={},
            plan_step=0,
        )


class RoundCleared(EncounterEvent[KitState]):
    """A round begins: nobody has had a turn."""

    def change(self, state: KitState) -> KitState:
        return state.evolve(
            **{key: {} for key in ("had", "used_round", "used_turn", "owed", "drawn", "tokens_more", "ticks_taken")},
            **dict.fromkeys(("current", "begun", "held", "started", "gm_turns"), ()),
            phase_number=-1,
            token=None,
        )
