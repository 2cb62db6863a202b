"""Whose turn it is, and what is left of it: the checks that every action shares.

Rule: BE-01 to BE-04, BE-09, BE-24.
"""

from __future__ import annotations

from collections.abc import Callable

from rules.core.asking.told import Told
from rules.core.command import Command
from rules.core.typed.names import find_name, shown
from rules.errors import Illegal, Malformed, Refusal
from rules.systems.beacon import refusals
from rules.systems.beacon.abilities import refuse_phase
from rules.systems.beacon.effects import needs_order
from rules.systems.beacon.phases import (
    can_act,
    candidates,
    open_turn,
    turn_kind,
)
from rules.systems.beacon.sheet import (
    BeaconStep,
    is_beacon,
    is_out,
    side_of,
)
from rules.systems.beacon.state import (
    PHASES,
    RELEASE,
    BeaconState,
)

May = Callable[[BeaconState, str], Refusal | None]


def shown_name(state: BeaconState, who: str) -> str:
    """Return a name for everybody: a hidden combatant, or the GM deciding, is just the GM."""
    combatant = state.find(who)
    return "the GM" if combatant is None or combatant.hidden else who


def parse_phase(text: str | None, among: tuple[str, ...]) -> str:
    """Read a phase's name or number. Raises: Malformed."""
    wanted = " ".join((text or "").casefold().replace("-", " ").split())
    if wanted in ("fullattack", "full"):
        wanted = "full attack"
    if wanted.isdecimal() and 1 <= int(wanted) <= len(PHASES):
        return PHASES[int(wanted) - 1]
    found = find_name(wanted, (*PHASES, "no")) if wanted else None
    if found is None:
        raise Malformed(f"{(text or '')[:40] or 'That'} is not a phase.", instead=f"Possible: {shown(among)}.")
    return found


# Whose turn it is


def may_turn(state: BeaconState, who: str) -> Refusal | None:
    """Refuse who has no turn now and cannot begin one. Rule: BE-02, BE-03."""
    turn = state.turn
    if turn is not None:
        if turn.who == who:
            return None
        return refusals.turn_of(shown_name(state, turn.who))
    refusal = may_begin(state, who)
    if refusal is None and not can_act(state, who):
        return Illegal(
            f"{who} has no standard action in {(state.phase or '').upper()}, so you would waste the turn.",
            rule="BE-04",
            instead="plan names another phase; begin takes the turn here anyway.",
        )
    if refusal is None and needs_order(state, who):
        return Illegal(
            "You have to choose an order for the effects at the start of the turn.",
            rule="BE-07",
            instead="Use begin first.",
        )
    return refusal


def may_begin(state: BeaconState, who: str) -> Refusal | None:
    combatant = state.combatant(who)
    if is_out(combatant):
        return refusals.out_of_round(who)
    if turn_kind(state, who) is None:
        return no_turn(state, who)
    if side_of(combatant) != state.side:
        names = shown(shown_name(state, name) for name in candidates(state, state.side))
        return refusals.other_side(instead=f"Now: {names or 'nobody'}.")
    return None


def no_turn(state: BeaconState, who: str) -> Refusal:
    now = (state.phase or "").upper()
    if not is_beacon(state.combatant(who)):
        number = state.initiative.get(who, 0)
        phase = PHASES[number - 1].upper() if 1 <= number <= len(PHASES) else "no phase"
        return Illegal(
            f"{who} has no turn in {now}.",
            rule="BE-03",
            instead=f"INITIATIVE {number}: {phase}; once for each of TURNS.",
        )
    if state.taken.get(who, 0):
        named = state.surges.get(who)
        where = f"A surge turn comes in {named.upper()}." if named in PHASES else "Wait for the next round."
        return refusals.has_taken(who, instead=where)
    if who in state.passed:
        return Illegal(
            f"{who} has passed on {now}.", rule="BE-02", instead="Wait for a later phase; you can name it with plan."
        )
    if state.phase == RELEASE:
        return Illegal(
            "RELEASE is for characters who channel.", rule="BE-13", instead="Name RELEASE or a later phase with plan."
        )
    planned = state.plans.get(who, "a later phase").upper()
    return Illegal(f"{who} will act in {planned}.", rule="BE-02", instead="Change that with plan.")


def may_standard(told: Told[BeaconState]) -> May:
    """Return what refuses a standard action: no turn, used up, not of this phase, or not possible whatever is said.

    Rule: BE-01, BE-04, BE-09.
    """
    command = Command(action=told.id)

    def may(state: BeaconState, who: str) -> Refusal | None:
        turn = state.turn
        refusal = may_turn(state, who)
        if refusal is None and turn is not None and turn.acted:
            return Illegal(
                f"{who} has already used the standard action.",
                rule="BE-04",
                instead="You can still move, use minor or free, or end.",
            )
        if refusal is None and turn is not None and turn.one and (turn.moved or turn.minor):
            return only_one()
        return refusal or refuse_phase(state, who, told.id) or told.refusal(state, who, command)

    return may


def only_one() -> Illegal:
    return Illegal(
        "In a partial surge you have only one of action, movement and minor action.",
        rule="BE-09",
        instead="Choose free, or end.",
    )


def use_standard(step: BeaconStep, who: str) -> None:
    turn = open_turn(step, who)
    step.change(turn=turn.evolve(acted=True))
