"""When somebody acts: plans, passing, the beginning of a turn, surges and rest.

Rule: BE-02, BE-03, BE-08, BE-09.
"""

from __future__ import annotations

from rules.core.action import Action, always
from rules.core.asking.ask import Effect, nothing
from rules.core.asking.told import Told
from rules.core.command import Command
from rules.core.encounter import MY_TURN, StandingOrder
from rules.core.model import without
from rules.core.offer import Param, Prospect
from rules.core.typed.names import shown
from rules.core.values import Ability
from rules.errors import Illegal, Refusal
from rules.systems.beacon import refusals
from rules.systems.beacon.abilities import phase_of_ability
from rules.systems.beacon.attacks import BeaconAsk
from rules.systems.beacon.phases import (
    begin_turn,
    may_release,
    name_surge,
    pass_on,
    rest,
    restricted,
    surge_cost,
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
    activation,
    attack_kinds,
    is_beacon,
    is_out,
    phase_number,
)
from rules.systems.beacon.state import DELAY, PHASES, RELEASE, SURGE, BeaconState, plan

# Planning and passing


def _actions_of(phases: tuple[str, ...]) -> dict[str, str]:
    """Return the standard actions of each phase, for the person who chooses one."""
    listed = {phase: [action for action, its in PHASE_OF.items() if its == phase] for phase in phases}
    return {phase: ", ".join(action.replace("-", " ").title() for action in found) for phase, found in listed.items()}


def _may_plan(state: BeaconState, who: str) -> Refusal | None:
    combatant = state.combatant(who)
    if not is_beacon(combatant):
        return Illegal(
            "An NPC acts in the phase of its INITIATIVE.", rule="BE-03", instead="Change it with /gm set INITIATIVE."
        )
    if is_out(combatant):
        return refusals.out_of_round(who)
    if state.taken.get(who, 0):
        return refusals.has_taken(who, instead="Wait for the next round; surge may still be open.")
    return None


def foretell_surge(ask: BeaconAsk) -> None:
    """Say what a surge costs. Rule: BE-08, BE-09."""
    if ask.text("note") in PHASES:
        ask.prospect = lambda: Prospect(price=f"{surge_cost(ask.state, ask.who)} Stress")


def _plan_prospect(state: BeaconState, who: str, phase: str | None) -> Prospect:
    """Rank the phases of one's own weapons and spells first, this very phase last."""
    own = {PHASE_OF.get(kind) for ability in state.combatant(who).abilities for kind in _uses_of(ability)}
    rank = 2 if phase == state.phase else 0 if phase in own else 1
    return Prospect(rank=rank)


def _uses_of(ability: Ability) -> tuple[str, ...]:
    return attack_kinds(ability) or (activation(ability),)


def _plannable(state: BeaconState, who: str) -> tuple[str, ...]:
    """Return the phases that somebody could plan anew; DELAY too, if it was planned for them in their absence."""
    now = None if state.is_absent(who) else state.plans.get(who)
    return tuple(phase for phase in PHASES[phase_number(state.phase) :] if phase != now)


def _plan(ask: BeaconAsk) -> Effect[BeaconState]:
    state, who, named = ask.state, ask.who, ask.text("note")
    possible = _plannable(state, who)
    ask.take(Param(name="note", label="phase", choices=possible, free=True, notes=_actions_of(possible)))
    ask.prospect = lambda: _plan_prospect(state, who, named)
    if named is None:
        return nothing
    phase = parse_phase(named, possible)
    if phase not in possible:
        why = (
            f"{who} has already planned {phase.upper()}."
            if phase == state.plans.get(who)
            else f"{phase.upper()} has passed."
        )
        raise Illegal(why, rule="BE-02", instead=f"Possible: {shown(possible)}.")
    return lambda step: _plan_phase(step, who, phase)


def _plan_phase(step: BeaconStep, who: str, phase: str) -> None:
    plan(step, who, phase)
    step.tell("{who} will act in {phase}.", who=who, phase=phase.upper())


def plan_orders(step: BeaconStep) -> None:
    """Let an order in advance name the phase of its giver's turn, if no plan does: the first that can take it."""
    for order in step.state.orders:
        who, state = order.who, step.state
        if order.when != MY_TURN or order != state.turn_orders(who)[0] or not _is_unplanned(state, who):
            continue
        phase = phase_of_order(state, order)
        if phase is None or phase in (state.phase, RELEASE):
            continue
        _plan_phase(step, who, phase)


def _is_unplanned(state: BeaconState, who: str) -> bool:
    if state.find(who) is None or not is_beacon(state.combatant(who)):
        return False
    if state.turn is not None and state.turn.who == who:
        return False
    return who not in state.plans and not state.taken.get(who, 0) and who not in state.passed


def phase_of_order(state: BeaconState, order: StandingOrder) -> str | None:
    """Return the phase in which an order can be done: that of its action, DELAY if that has passed. Rule: BE-06."""
    command = order.command
    named = command.using or ""
    phase = phase_of_ability(named, state, order.who) if command.action == "ability" else PHASE_OF.get(command.action)
    if phase is None or phase == RELEASE:
        return phase
    return DELAY if phase_number(phase) < phase_number(state.phase) else phase


def _may_pass(state: BeaconState, who: str) -> Refusal | None:
    if state.turn is not None and state.turn.who == who:
        return Illegal(f"{who} is taking a turn.", rule="BE-02", instead="end ends it.")
    if state.phase == RELEASE and may_release(state, who):
        return None
    if not is_beacon(state.combatant(who)):
        return Illegal("An NPC acts in its own phase.", rule="BE-03", instead="For an empty turn use begin, then end.")
    return None if turn_kind(state, who) is not None else no_turn(state, who)


def _pass(step: BeaconStep, who: str, command: Command) -> None:
    pass_on(step, who)


def _may_begin_now(state: BeaconState, who: str) -> Refusal | None:
    if state.turn is not None:
        return refusals.turn_of(shown_name(state, state.turn.who))
    return may_begin(state, who)


def _begin(step: BeaconStep, who: str, command: Command) -> None:
    begin_turn(step, who, turn_kind(step.state, who) or "given")


# Surge and rest


def _may_surge(state: BeaconState, who: str) -> Refusal | None:
    """Refuse a surge that cannot be named or changed any more. Rule: BE-08, BE-09."""
    if restricted(state) and who in state.surged:
        return Illegal(f"{who} has already surged in this scene.", rule="BE-09", instead="Wait for the next encounter.")
    if not is_beacon(state.combatant(who)):
        return Illegal("Only beacons surge.", rule="BE-08", instead="An NPC has its TURNS instead.")
    if not state.taken.get(who, 0) or (state.turn is not None and state.turn.who == who and state.turn.kind != SURGE):
        return Illegal(
            f"{who} has not ended the first turn of this round.", rule="BE-08", instead="For example end note:brawl."
        )
    named = state.surges.get(who)
    if named == "done":
        return Illegal(f"{who} has already surged in this round.", rule="BE-08", instead="Wait for the next round.")
    if named in PHASES and phase_number(named) <= phase_number(state.phase):
        return Illegal(
            f"{named.upper()} has begun, and {who} surges in it.", rule="BE-08", instead="Use begin, or pass-phase."
        )
    return None


def surge_param(state: BeaconState, label: str, choices: tuple[str, ...], implied: str = "") -> Param:
    """Return what says in which phase somebody surges, or that they do not."""
    return Param(
        name="note",
        label=label,
        choices=choices,
        free=True,
        required=not implied,
        implied=implied,
        notes=_actions_of(surge_phases(state)),
    )


def read_surge(text: str | None, possible: tuple[str, ...]) -> str:
    """Read the phase of a surge, or no. Raises: Malformed, Illegal."""
    phase = parse_phase(text, possible)
    if phase not in possible:
        why = "That changes nothing." if phase == "no" else f"{phase.upper()} has passed, or is already named."
        raise Illegal(why, rule="BE-08", instead=f"Possible: {shown(possible)}.")
    return phase


def _surge(ask: BeaconAsk) -> Effect[BeaconState]:
    """Ask for a phase that has not passed, or no; unless they are asked, not for what it is already."""
    state, who, named = ask.state, ask.who, ask.text("note")
    now = "" if ask.question(SURGE) else state.surges.get(who, "no")
    possible = without(("no", *surge_phases(state)), now)
    ask.take(surge_param(state, "phase or no", possible))
    foretell_surge(ask)
    if named is None:
        return nothing
    phase = read_surge(named, possible)
    return lambda step: name_surge(step, who, phase)


def _may_rest(state: BeaconState, who: str) -> Refusal | None:
    if not is_beacon(state.combatant(who)):
        return Illegal("Only beacons have a surge level.", rule="BE-08", instead="/gm set changes an NPC's pools.")
    if state.status == "running":
        return Illegal(
            "You can't take a Long Rest in the middle of a fight.",
            rule="BE-08",
            instead="Take it before or after; the GM can allow it with /gm set pool:long-rest value:yes.",
        )
    return None


def _rest(step: BeaconStep, who: str, command: Command) -> None:
    rest(step, who)


def planning_actions() -> tuple[Action[BeaconState], ...]:
    """Return the actions that say when somebody acts, in the order in which they are offered."""
    return (
        Action(id="begin", label="Begin the turn", do=_begin, may=_may_begin_now, button_rank=1),
        Action(
            id="pass-phase", label="Pass", do=_pass, may=_may_pass, beside=always, button_rank=8, ends=True, keeps=True
        ),
        Told("plan", "Plan", _plan, ("note",), foretells=True).action(
            _may_plan,
            is_open=True,
            words="Plan {note}",
            beside=always,
            button_rank=9,
        ),
        Told("surge", "Surge", _surge, ("note",), foretells=True).action(
            _may_surge,
            words="Surge: {note}",
            button_rank=1,
            answer=True,
            unasked=True,
            beside=always,
            rule="BE-08",
            default_answer=lambda _state, _who: {"note": "no"},
        ),
        Action(id="long-rest", label="Long Rest", do=_rest, may=_may_rest, before=True),
    )
