"""The state of a beacon encounter, and the events that change it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import Field

from rules.core.encounter import Encounter
from rules.core.events import EncounterEvent
from rules.core.model import Frozen, Name, Names
from rules.systems.beacon.orders import StoredOrder

PHASES = ("bolster", "channel", "skirmish", "reposition", "brawl", "release", "full attack", "delay")
RELEASE = "release"
DELAY = "delay"
PC = "pc"
NPC = "npc"
FIRST = "first"
SURGE = "surge"
GIVEN = "given"
BESIDES = "besides"  # given by the GM, and counts as none of theirs


class Turn(Frozen):
    """The turn under way and what it has used. `one` limits it to one of action, movement, minor. Rule: BE-09.

    `spared` spaces are left of a movement that something unknown, or something in its way, has cut short.
    """

    who: Name
    kind: str
    moved: bool = False
    acted: bool = False
    minor: bool = False
    free_step: bool = False
    one: bool = False
    spared: int = 0


class Channel(Frozen):
    """An ability being channeled; `may_move` keeps the standard movement for the release of that round.

    `settled`: the turn in which it was channeled is over, so that a later movement takes nothing from it. `spared`
    spaces are left of the release's movement, which something unknown, or something in its way, has cut short.
    """

    ability: str
    round: int
    may_move: bool = True
    settled: bool = False
    spared: int = 0


class Ready(Frozen):
    """A readied action: the trigger in words, the effect, and the count of events when it was readied."""

    trigger: str
    order: StoredOrder
    since: int


class Strike(Frozen):
    """One attack roll to come or made; `aimed` is whom it was declared on, `hit` is None before the roll.

    `damaged`: it took something off HP.
    """

    target: Name
    aimed: str
    hit: bool | None = None
    countered: bool = False
    damaged: bool = False

    def without_name(self, who: str) -> Self | None:
        left = super().without_name(who)
        return left.evolve(aimed="") if left is not None and self.aimed == who else left

    def with_name(self, who: str, to: str) -> Self:
        after = super().with_name(who, to)
        return after.evolve(aimed=to) if self.aimed == who else after


Stage = Literal["declared", "before", "after"]


class Attack(Frozen):
    """An attack under way: declared, asked before the roll, rolled, asked after it."""

    what: Literal["attack"]
    who: Name
    kind: str
    ability: str | None = None
    choice: str | None = None
    to: str | None = None
    strikes: tuple[Strike, ...]
    stage: Stage = "declared"
    window: int = 0

    def without_name(self, who: str) -> Self | None:
        left = super().without_name(who)
        return left if left is not None and left.strikes else None


class Movement(Frozen):
    """A movement: its first questions come before the first space is left, the others when it is made.

    `path` is empty without a board; there `left` are those whose reach it leaves, as who moves or the GM says.
    `limit` is how far it goes at most.
    """

    what: Literal["movement"]
    who: Name
    start: str | None = None
    path: tuple[str, ...] = ()
    left: Names = ()
    provokes: bool = True
    limit: int = 0
    stage: Stage = "declared"
    window: int = 0


class Use(Frozen):
    """An action that is being done: when it is, `counts` are what it counts as, for triggers. Rule: BE-20."""

    what: Literal["use"]
    who: Name
    counts: tuple[str, ...]
    stage: Stage = "declared"
    window: int = 0


class Slip(Frozen):
    """A movement without a board: whom it passed may say so until the next event. `since` counts events."""

    who: Name
    since: int
    asked: Names = ()


class Unleash(Frozen):
    """A release after its movement: the effect of the channeled ability."""

    what: Literal["unleash"]
    who: Name
    ability: str
    targets: Names = ()


class Effects(Frozen):
    """Effects at the same moment of a turn; `sorted` are keys already put in order. Rule: BE-07."""

    what: Literal["effects"]
    who: Name
    moment: Literal["start", "end"]
    sorted: tuple[str, ...] = ()
    window: int = 0


class Finish(Frozen):
    """The end of a turn, after the effects at its end.

    `surge` is what was said with it: a phase, or `no`; None in states of before, where it is asked.
    """

    what: Literal["finish"]
    who: Name
    surge: str | None = None


Job = Annotated[
    Attack | Movement | Use | Unleash | Effects | Finish, Field(discriminator="what")
]  # what: always written


class BeaconState(Encounter):
    """`side` has the next chance in this phase. `taken` counts turns, `plans` and `surges` name phases.

    `surges` maps to a phase, `no` or `done`. `passed` is of this phase, and so is `unreleased`: who goes on channeling.
    `reacted` is of this turn; `reactions` and `limits` hold what was used this round of what has a limit. `initiative`
    is what counts for an NPC this round.
    `stack` holds what is under way, the innermost last; `events` counts what a readied trigger may answer; `slip` is
    the last movement without a board.
    """

    side: str = PC
    turn: Turn | None = None
    taken: Mapping[Name, int] = {}
    passed: Names = ()
    unreleased: Names = ()
    plans: Mapping[Name, str] = {}
    surges: Mapping[Name, str] = {}
    levels: Mapping[Name, int] = {}
    surged: Names = ()
    initiative: Mapping[Name, int] = {}
    channels: Mapping[Name, Channel] = {}
    readied: Mapping[Name, Ready] = {}
    spent: Mapping[Name, tuple[str, ...]] = {}
    reacted: Names = ()
    reactions: Mapping[Name, tuple[str, ...]] = {}
    limits: Mapping[Name, tuple[str, ...]] = {}
    stack: tuple[Job, ...] = ()
    events: int = 0
    slip: Slip | None = None


def _without(names: tuple[str, ...], who: str) -> tuple[str, ...]:
    return tuple(name for name in names if name != who)


class RoundOpened(EncounterEvent[BeaconState]):
    """A new round: turns, plans, surges and limits start anew; `initiative` is frozen for it."""

    initiative: Mapping[str, int]

    def change(self, state: BeaconState) -> BeaconState:
        return state.evolve(
            turn=None,
            taken={},
            passed=(),
            unreleased=(),
            plans={},
            surges={},
            reactions={},
            limits={},
            initiative=self.initiative,
        )


class PhaseOpened(EncounterEvent[BeaconState]):
    phase: str
    side: str

    def change(self, state: BeaconState) -> BeaconState:
        return state.evolve(phase=self.phase, side=self.side, passed=(), unreleased=())


class SideSet(EncounterEvent[BeaconState]):
    side: str

    def change(self, state: BeaconState) -> BeaconState:
        return state.evolve(side=self.side)


class TurnBegun(EncounterEvent[BeaconState]):
    """A turn begins: reactions are open to all again; a first turn counts as taken. Rule: BE-20."""

    turn: Turn

    def change(self, state: BeaconState) -> BeaconState:
        who = self.turn.who
        taken = state.taken if self.turn.kind in (SURGE, BESIDES) else {**state.taken, who: state.taken.get(who, 0) + 1}
        surges = {**state.surges, who: "done"} if self.turn.kind == SURGE else state.surges
        surged = (*_without(state.surged, who), who) if self.turn.kind == SURGE else state.surged
        return state.evolve(turn=self.turn, taken=taken, reacted=(), surges=surges, surged=surged)


class TurnSet(EncounterEvent[BeaconState]):
    """The turn goes on with something used, or (None) is over."""

    turn: Turn | None = None

    def change(self, state: BeaconState) -> BeaconState:
        return state.evolve(turn=self.turn)


class TurnLost(EncounterEvent[BeaconState]):
    """A turn is skipped by the GM: it counts as taken."""

    who: str

    def change(self, state: BeaconState) -> BeaconState:
        return state.evolve(taken={**state.taken, self.who: state.taken.get(self.who, 0) + 1})


class Passed(EncounterEvent[BeaconState]):
    """Somebody lets the phase go by; a plan for it is dropped."""

    who: str

    def change(self, state: BeaconState) -> BeaconState:
        plans = {name: phase for name, phase in state.plans.items() if name != self.who or phase != state.phase}
        return state.evolve(passed=(*_without(state.passed, self.who), self.who), plans=plans)


class Unreleased(EncounterEvent[BeaconState]):
    """Somebody goes on channeling in this RELEASE, and gives up nothing else. Rule: BE-13."""

    who: str

    def change(self, state: BeaconState) -> BeaconState:
        return state.evolve(unreleased=(*_without(state.unreleased, self.who), self.who))


class Planned(EncounterEvent[BeaconState]):
    """A phase is named for a turn. Rule: BE-02."""

    who: str
    phase: str

    def change(self, state: BeaconState) -> BeaconState:
        passed = _without(state.passed, self.who) if self.phase == state.phase else state.passed
        return state.evolve(plans={**state.plans, self.who: self.phase}, passed=passed)


class SurgeSet(EncounterEvent[BeaconState]):
    """The answer to "surge later?": a phase, or `no`."""

    who: str
    phase: str

    def change(self, state: BeaconState) -> BeaconState:
        passed = _without(state.passed, self.who) if self.phase == state.phase else state.passed
        return state.evolve(surges={**state.surges, self.who: self.phase}, passed=passed)


class LevelSet(EncounterEvent[BeaconState]):
    who: str
    level: int

    def change(self, state: BeaconState) -> BeaconState:
        return state.evolve(levels={**state.levels, self.who: self.level})


class InitiativeCounts(EncounterEvent[BeaconState]):
    """An NPC's phase of this round."""

    who: str
    initiative: int

    def change(self, state: BeaconState) -> BeaconState:
        return state.evolve(initiative={**state.initiative, self.who: self.initiative})


class ChannelSet(EncounterEvent[BeaconState]):
    who: str
    channel: Channel | None = None

    def change(self, state: BeaconState) -> BeaconState:
        channels = {name: each for name, each in state.channels.items() if name != self.who}
        if self.channel is not None:
            channels[self.who] = self.channel
        return state.evolve(channels=channels)


class ReadySet(EncounterEvent[BeaconState]):
    who: str
    ready: Ready | None = None

    def change(self, state: BeaconState) -> BeaconState:
        readied = {name: each for name, each in state.readied.items() if name != self.who}
        if self.ready is not None:
            readied[self.who] = self.ready
        return state.evolve(readied=readied)


class SpentSet(EncounterEvent[BeaconState]):
    """The Reloading abilities that have to be reloaded."""

    who: str
    abilities: tuple[str, ...] = ()

    def change(self, state: BeaconState) -> BeaconState:
        return state.evolve(spent={**state.spent, self.who: self.abilities})


class Reacted(EncounterEvent[BeaconState]):
    """A reaction is used up for this turn; `limited` counts it against once a round. Rule: BE-20."""

    who: str
    reaction: str
    limited: bool = False

    def change(self, state: BeaconState) -> BeaconState:
        used = state.reactions.get(self.who, ())
        reactions = {**state.reactions, self.who: (*used, self.reaction)} if self.limited else state.reactions
        return state.evolve(reacted=(*_without(state.reacted, self.who), self.who), reactions=reactions)


class ReactionsOpened(EncounterEvent[BeaconState]):
    """A release is resolved as a turn would be: everybody may react to it. Rule: BE-13, BE-20."""

    def change(self, state: BeaconState) -> BeaconState:
        return state.evolve(reacted=())


class ReactionsRenewed(EncounterEvent[BeaconState]):
    """An elite's reaction limits start anew. Rule: BE-03."""

    who: str

    def change(self, state: BeaconState) -> BeaconState:
        return state.evolve(reactions={name: used for name, used in state.reactions.items() if name != self.who})


class Limited(EncounterEvent[BeaconState]):
    """Something that is possible once a round was done."""

    who: str
    thing: str

    def change(self, state: BeaconState) -> BeaconState:
        return state.evolve(limits={**state.limits, self.who: (*state.limits.get(self.who, ()), self.thing)})


class StackSet(EncounterEvent[BeaconState]):
    """What is under way, the innermost last."""

    stack: tuple[Job, ...] = ()

    def change(self, state: BeaconState) -> BeaconState:
        return state.evolve(stack=self.stack)


class Happened(EncounterEvent[BeaconState]):
    """An action, movement or reaction is done: readied triggers may be called until the next one."""

    def change(self, state: BeaconState) -> BeaconState:
        return state.evolve(events=state.events + 1)


class Slipped(EncounterEvent[BeaconState]):
    """Somebody has moved without a board. Rule: BE-23."""

    slip: Slip

    def change(self, state: BeaconState) -> BeaconState:
        return state.evolve(slip=self.slip)
