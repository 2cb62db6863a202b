"""When somebody acts: plans, passing, the beginning of a turn, surges and rest.

Rule: BE-02, BE-03, BE-08, BE-09.
"""

from __future__ import annotations

from rules.core.action import Action, Param, always
from rules.core.command import Command
from rules.core.errors import Illegal, Refusal
from rules.core.names import shown
from rules.systems.beacon.phases import (
    begin_turn,
    may_release,
    surge_phases,
    turn_kind,
)
from rules.systems.beacon.rights import (
    may_begin,
    no_turn,
    parse_phase,
    shown_name,
)
from rules.systems.beacon.sheet import (
    PHASE_OF,
    BeaconStep,
    is_beacon,
    is_out,
    phase_number,
)
from rules.systems.beacon.state import (
    DELAY,
    PHASES,
    RELEASE,
    BeaconState,
    LevelSet,
    Passed,
    Planned,
    SurgeSet,
)

# Planning and passing


def _actions_of(phases: tuple[str, ...]) -> dict[str, str]:
    """Return the standard actions of each phase, for whoever chooses one."""
    listed = {phase: [action for action, its in PHASE_OF.items() if its == phase] for phase in phases}
    return {phase: ", ".join(action.replace("-", " ").title() for action in found) for phase, found in listed.items()}


def _may_plan(state: BeaconState, who: str) -> Refusal | None:
    combatant = state.combatant(who)
    if not is_beacon(combatant):
        return Illegal("An NPC acts in the phase of its INITIATIVE.", rule="BE-03", instead="/gm set INITIATIVE.")
    if is_out(combatant):
        return Illegal(f"{who} is out of the round.", rule="BE-02")
    if state.taken.get(who, 0):
        return Illegal(
            f"{who} has taken the turn of this round.", rule="BE-02", instead="Next round; surge may be open."
        )
    return None


def _plan_params(state: BeaconState, who: str) -> tuple[Param, ...]:
    choices = PHASES[phase_number(state.phase) :]
    return (Param(name="note", label="phase", choices=choices, free=True, notes=_actions_of(choices)),)


def _plan(step: BeaconStep, who: str, command: Command) -> None:
    possible = PHASES[phase_number(step.state.phase) :]
    phase = parse_phase(command.note, possible)
    if phase not in possible:
        raise Illegal(f"{phase.upper()} has passed.", rule="BE-02", instead=f"Possible: {shown(possible)}.")
    step.emit(Planned(who=who, phase=phase))
    step.tell("{who} will act in {phase}.", who=who, phase=phase.upper())


def _may_pass(state: BeaconState, who: str) -> Refusal | None:
    if state.turn is not None and state.turn.who == who:
        return Illegal(f"{who} is taking a turn.", rule="BE-02", instead="end closes it.")
    if state.phase == RELEASE and may_release(state, who):
        return None
    if not is_beacon(state.combatant(who)):
        return Illegal("An NPC acts in its phase.", rule="BE-03", instead="begin, then end, for an empty turn.")
    return None if turn_kind(state, who) is not None else no_turn(state, who)


def _pass(step: BeaconStep, who: str, command: Command) -> None:
    state = step.state
    surge = turn_kind(state, who) == "surge"
    step.emit(Passed(who=who))
    if surge:
        step.emit(SurgeSet(who=who, phase="no"))
    if state.phase == RELEASE and who in state.channels:
        step.tell("{who} goes on channeling.", who=who)
    else:
        words = "{who} lets the turn of this round go." if state.phase == DELAY else "{who} passes on {phase}."
        step.tell(words, who=who, phase=None if state.phase == DELAY else (state.phase or "").upper())


def _may_begin_now(state: BeaconState, who: str) -> Refusal | None:
    if state.turn is not None:
        return Illegal(
            f"{shown_name(state, state.turn.who)} has the turn.", rule="BE-02", instead="Others act when it has ended."
        )
    return may_begin(state, who)


def _begin(step: BeaconStep, who: str, command: Command) -> None:
    begin_turn(step, who, turn_kind(step.state, who) or "given")


# Surge and rest


def _may_surge(state: BeaconState, who: str) -> Refusal | None:
    if state.options.get("surge") == "restricted" and who in state.surged:
        return Illegal(f"{who} has surged in this scene.", rule="BE-09", instead="In the next encounter.")
    return None


def _surge_params(state: BeaconState, who: str) -> tuple[Param, ...]:
    phases = surge_phases(state)
    return (Param(name="note", label="phase or no", choices=("no", *phases), free=True, notes=_actions_of(phases)),)


def _surge(step: BeaconStep, who: str, command: Command) -> None:
    possible = (*surge_phases(step.state), "no")
    phase = parse_phase(command.note, possible)
    if phase not in possible:
        raise Illegal(f"{phase.upper()} has passed.", rule="BE-08", instead=f"Possible: {shown(possible)}.")
    step.emit(SurgeSet(who=who, phase=phase))
    words = "{who} will not surge." if phase == "no" else "{who} will surge in {phase}."
    step.tell(words, who=who, phase=None if phase == "no" else phase.upper())


def _may_rest(state: BeaconState, who: str) -> Refusal | None:
    if not is_beacon(state.combatant(who)):
        return Illegal("Only beacons have a surge level.", rule="BE-08")
    if state.turn is not None and state.turn.who == who:
        return Illegal(f"{who} is taking a turn.", rule="BE-08", instead="end, then rest.")
    return None


def _rest(step: BeaconStep, who: str, command: Command) -> None:
    step.emit(LevelSet(who=who, level=0))
    step.tell("{who} takes a Long Rest: surge level 0.", who=who)


def planning_actions() -> tuple[Action[BeaconState], ...]:
    """Return the actions that say when somebody acts, in the order in which they are offered."""
    return (
        Action(id="begin", label="Begin the turn", do=_begin, may=_may_begin_now, usual=1),
        Action(id="pass-phase", label="Pass", do=_pass, may=_may_pass, beside=always, usual=8, ends=True),
        Action(
            id="plan",
            label="Plan",
            do=_plan,
            may=_may_plan,
            takes=("note",),
            params=_plan_params,
            beside=always,
            usual=9,
        ),
        Action(
            id="surge",
            label="Surge",
            do=_surge,
            may=_may_surge,
            takes=("note",),
            params=_surge_params,
            usual=1,
            answer=True,
            rule="BE-08",
            mild=lambda _state, _who: {"note": "no"},
        ),
        Action(id="long-rest", label="Long Rest", do=_rest, may=_may_rest),
    )
