"""The state of a beacon encounter, and the changes that several actions make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from rules.core.blow import Blow
from rules.core.blows.opened import open_blow
from rules.core.encounter import Encounter
from rules.core.model import Frozen, Name, Names, without, without_key
from rules.core.scopes import FIGHT, PerFight, PerPhase, PerRound, PerTurn, Scope
from rules.core.step import Step

PHASES = ("bolster", "channel", "skirmish", "reposition", "brawl", "release", "full attack", "delay")
RELEASE = "release"
DELAY = "delay"
PC = "pc"
NPC = "npc"
FIRST = "first"
SURGE = "surge"
GIVEN = "given"
BESIDES = "besides"  # given by the GM, and counts as none of theirs
# A turn and what comes before the next, in a later phase as well; a release begins it anew (BE-13, BE-20).
REACTIONS = Scope("reactions", FIGHT)


class Turn(Frozen):
    """The turn under way and what it has used."""

    who: Name
    kind: str
    moved: bool = False
    acted: bool = False
    minor: bool = False
    free_step: bool = False
    one: bool = False  # True: it has only one of action, movement, minor (BE-09)
    spared: int = 0  # spaces left of a movement that something unknown, or something in its way, has cut short


class Channel(Frozen):
    """An ability being channeled."""

    ability: str
    round: int
    may_move: bool = True  # the standard movement is kept for the release of that round
    settled: bool = False  # the turn in which it was channeled is over: a later movement takes nothing from it
    spared: int = 0  # spaces left of the release's movement, cut short as that of a turn


class Choice(Frozen):
    """An action that somebody has chosen, with what they have said of it."""

    action: str
    using: str = ""
    targets: Names = ()


class Ready(Frozen):
    """A readied action."""

    trigger: str  # in words
    choice: Choice
    since: int  # the count of events when it was readied


Stage = Literal["declared", "before", "after"]


class Movement(Frozen):
    """A movement: its first questions come before the first space is left, the others when it is made."""

    what: Literal["movement"]
    who: Name
    start: str | None = None
    path: tuple[str, ...] = ()  # empty without a board
    left: Names = ()  # without a board: whose reach it leaves, as who moves or the GM says
    provokes: bool = True
    limit: int = 0  # how far it goes at most
    stage: Stage = "declared"
    window: int = 0


class Use(Frozen):
    """An action that is being done."""

    what: Literal["use"]
    who: Name
    counts: tuple[str, ...]  # what it counts as for triggers, once it is done (BE-20)
    stage: Stage = "declared"
    window: int = 0


class Slip(Frozen):
    """A movement without a board: those it passed may say so until the next event."""

    who: Name
    since: int  # the count of events when it was made
    asked: Names = ()


class Unleash(Frozen):
    """A release after its movement: the effect of the channeled ability."""

    what: Literal["unleash"]
    who: Name
    ability: str
    targets: Names = ()


class Effects(Frozen):
    """Effects at the same moment of a turn. Rule: BE-07."""

    what: Literal["effects"]
    who: Name
    moment: Literal["start", "end"]
    sorted: tuple[str, ...] = ()  # keys that are in order already
    window: int = 0


class Finish(Frozen):
    """The end of a turn, after the effects at its end."""

    what: Literal["finish"]
    who: Name
    surge: str | None = None  # what was said with it: a phase, or `no`; None: it is asked


Job = Annotated[Movement | Use | Unleash | Effects | Finish, Field(discriminator="what")]  # what: always written


class BeaconState(Encounter):
    """The rounds of a beacon encounter, and what is under way in them."""

    side: PerPhase[str] = PC  # which has the next chance
    turn: PerTurn[Turn | None] = None
    taken: PerRound[Mapping[Name, int]] = {}  # turns they have had: no surges, none that the GM gave besides
    passed: PerPhase[Names] = ()
    unreleased: PerPhase[Names] = ()  # who goes on channeling
    plans: PerRound[Mapping[Name, str]] = {}  # the phase of a turn to come
    surges: PerRound[Mapping[Name, str]] = {}  # a phase, `no` or `done`
    levels: PerFight[Mapping[Name, int]] = {}
    surged: PerFight[Names] = ()
    initiative: PerRound[Mapping[Name, int]] = {}  # what counts for an NPC
    channels: PerFight[Mapping[Name, Channel]] = {}
    readied: PerFight[Mapping[Name, Ready]] = {}
    spent: PerFight[Mapping[Name, tuple[str, ...]]] = {}  # Reloading abilities that have to be reloaded
    reacted: Annotated[Names, REACTIONS] = ()
    reactions: PerRound[Mapping[Name, tuple[str, ...]]] = {}  # used ones that are limited
    limits: PerRound[Mapping[Name, tuple[str, ...]]] = {}  # what else was done that is possible once
    stack: PerFight[tuple[Job, ...]] = ()  # what is under way besides blows, the innermost last
    events: PerFight[int] = 0  # what a readied trigger may answer
    slip: PerFight[Slip | None] = None  # the last movement without a board

    @property
    def is_busy(self) -> bool:
        """Tell whether something is under way: a blow, or a job of the stack."""
        return bool(self.stack) or open_blow(self) is not None

    comes_back: ClassVar[Mapping[str, Scope | None]] = {
        # Leaving gives up what they channel or hold ready.
        **dict.fromkeys(("channels", "readied"), None),
    }


def is_asked(state: Encounter, blow: Blow) -> bool:
    """Tell whether somebody has still to answer a blow."""
    return any(question.data.get("blow") == blow.number for question in state.questions)


# Changes that are made in several places


def put_under_way(step: Step[BeaconState], *jobs: Job) -> None:
    """Put jobs on the stack; the last of them goes on first."""
    step.change(stack=(*step.state.stack, *jobs))


def replace_top(step: Step[BeaconState], job: Job) -> None:
    """Put the innermost job as it is now in its place."""
    step.change(stack=(*step.state.stack[:-1], job))


def end_top(step: Step[BeaconState]) -> None:
    """Take the innermost job off the stack: it is done."""
    step.change(stack=step.state.stack[:-1])


def note_event(step: Step[BeaconState]) -> None:
    """Count an action, movement or reaction that is done: readied triggers may be called until the next one."""
    step.change(events=step.state.events + 1)


def set_channel(step: Step[BeaconState], who: str, channel: Channel | None) -> None:
    others = without_key(step.state.channels, who)
    step.change(channels=others if channel is None else {**others, who: channel})


def drop_ready(step: Step[BeaconState], who: str) -> None:
    step.change(readied=without_key(step.state.readied, who))


def count_turn(step: Step[BeaconState], who: str) -> None:
    step.change(taken={**step.state.taken, who: step.state.taken.get(who, 0) + 1})


def plan(step: Step[BeaconState], who: str, phase: str) -> None:
    """Name the phase of a turn to come. Rule: BE-02."""
    state = step.state
    step.change(plans={**state.plans, who: phase}, passed=_back_in(state, who, phase))


def set_surge(step: Step[BeaconState], who: str, phase: str) -> None:
    """Keep the answer to "surge later?": a phase, or `no`. Rule: BE-08."""
    state = step.state
    step.change(surges={**state.surges, who: phase}, passed=_back_in(state, who, phase))


def _back_in(state: BeaconState, who: str, phase: str) -> tuple[str, ...]:
    """Return who has passed, without somebody who names this very phase."""
    return without(state.passed, who) if phase == state.phase else state.passed
