"""Abilities that are used as an action of their own, and in which phase that is: `ability`, `minor` and `free`.

Rule: BE-01, BE-03, BE-05, BE-06.
"""

from __future__ import annotations

from rules.core.asking.ask import Effect, Telling, nothing
from rules.core.model import per_state
from rules.core.reach import ranges
from rules.core.reach.vision import asks_sight
from rules.core.typed.names import find_name, shown
from rules.core.values import Ability
from rules.errors import Illegal, Refusal
from rules.systems.beacon import refusals, sheet
from rules.systems.beacon.attacks import BeaconAsk, aimed, aims, can_be_named, declare, let_work, refuse_attack, whom
from rules.systems.beacon.blows import NO_ACTIVATION, OF_THE_BODY, deed_of, far_of, rolled_as
from rules.systems.beacon.harm import pay, unaffordable
from rules.systems.beacon.movement import declare_move
from rules.systems.beacon.sheet import BeaconStep
from rules.systems.beacon.state import DELAY, BeaconState

# In which phase


def phase_of_ability(name: str, state: BeaconState, who: str) -> str | None:
    """Return the phase in which an ability may be used as the standard action."""
    ability = state.combatant(who).ability(name)
    if ability is None:
        return None
    given = sheet.activation(ability)
    if given == f"phase {sheet.ANY}":
        return state.phase
    if given.startswith("phase "):
        return given.removeprefix("phase ")
    return sheet.PHASE_OF.get(given)


def refuse_phase(state: BeaconState, who: str, action: str, ability: str = "") -> Illegal | None:
    """Return why an action is not for this phase, if so; DELAY takes what has passed. Rule: BE-01, BE-03 to BE-06."""
    if not sheet.is_beacon(state.combatant(who)) or not (ability or action in sheet.PHASE_OF):
        return None
    phase = phase_of_ability(ability, state, who) if ability else sheet.PHASE_OF[action]
    if phase in (None, state.phase) or (state.phase == DELAY and phase != DELAY):
        return None
    return Illegal(
        f"{(ability or action).replace('-', ' ')} belongs to {phase.upper()}; this is {(state.phase or '').upper()}.",
        rule="BE-05" if ability else "BE-01",
        instead="In DELAY you can do what has passed."
        if sheet.phase_number(phase) < sheet.phase_number(state.phase)
        else f"Wait for {phase.upper()}, or use it in DELAY.",
    )


# Which


@per_state
def usable_abilities(state: BeaconState, who: str, action: str, phase: str | None) -> tuple[str, ...]:
    """Return the abilities that `ability`, `minor` or `free` could use; `phase` None is any."""
    return tuple(
        ability.name
        for ability in state.combatant(who).abilities
        if _refuse_ability(state, who, action, ability.name) is None
        and (action != "ability" or phase is None or phase_of_ability(ability.name, state, who) == phase)
    )


def _refuse_ability(state: BeaconState, who: str, action: str, name: str) -> Illegal | None:
    """Return why an ability cannot be used by `ability`, `minor` or `free`, if so."""
    ability = state.combatant(who).ability(name)
    if ability is None:
        return refusals.no_ability(who, name[:40], rule="BE-05")
    given = sheet.activation(ability)
    if sheet.is_channel(ability):
        return refusals.channeled(ability.name)
    if sheet.tagged(ability, "slow"):
        return refusals.slow(ability.name)
    if action in ("minor", "free"):
        if given != action:
            return Illegal(f"{ability.name} is not a {action} action.", rule="BE-05", instead=_its_activation(ability))
    elif phase_of_ability(ability.name, state, who) is None:
        words = f"{ability.name} is not a standard action of its own."
        return Illegal(words, rule="BE-05", instead=_its_activation(ability))
    if given in ("volley", "fight"):
        if not aims(state, who, given, ability):
            return Illegal("Nobody is in range.", rule="BE-05")
        return refuse_attack(state, who, given, ability.name)
    return unaffordable(state, who, ability, "BE-05")


def _its_activation(ability: Ability) -> str:
    given = sheet.activation(ability) or ("an attack: volley or fight" if sheet.attack_kinds(ability) else "")
    return f"Its activation is {given}." if given else NO_ACTIVATION


def _attacks(state: BeaconState, who: str, name: str) -> bool:
    ability = state.combatant(who).ability(name)
    return ability is not None and sheet.activation(ability) in ("volley", "fight")


# Using one


def used(kind: str) -> Telling[BeaconState]:
    """Tell of `ability`, `minor` and `free`: an ability by its name. What was readied waits for no phase."""

    def run(ask: BeaconAsk) -> Effect[BeaconState]:
        state, who = ask.state, ask.who
        combatant = state.combatant(who)
        is_bound = sheet.is_beacon(combatant) and state.phase != DELAY and who not in state.readied
        names = usable_abilities(state, who, kind, state.phase if is_bound else None)
        every = tuple(ability.name for ability in combatant.abilities)
        if kind == "ability":  # attacks have their own actions, though this one takes them if they are named
            said = find_name(ask.text("using") or "", every)
            names = tuple(name for name in names if name == said or not _attacks(state, who, name))

        def why(name: str) -> Refusal | None:
            late = refuse_phase(state, who, kind, name) if kind == "ability" and is_bound else None
            return late or _refuse_ability(state, who, kind, name)

        ability = combatant.ability(ask("using", "ability", names, nameable=every, why=why, all_lead=True))
        if ability is None:
            return nothing
        given = sheet.activation(ability)
        if given in ("volley", "fight"):
            targets = aimed(ask, given, ability)
            return lambda step: declare(step, who, given, ability, targets)
        return use(ask, ability)

    return run


def use(ask: BeaconAsk, ability: Ability) -> Effect[BeaconState]:
    """Tell of an ability that says itself what it does, with its possible targets. Rule: BE-05."""
    state, who, kind = ask.state, ask.who, rolled_as(ability)
    far = far_of(state.combatant(who), ability, kind if kind in OF_THE_BODY else None)
    deed = deed_of(ability)
    others = deed.others and deed.aims
    near = ranges.among(state, who, can_be_named(state, who, own=not others), far, sight=asks_sight(ability))

    def beyond(target: str) -> Refusal:
        if target == who:
            return Illegal(
                f"{ability.name} is for others.", rule="BE-05", instead=f"Possible: {shown(near) or 'nobody'}."
            )
        return ranges.beyond(state, who, target, far, near, rule="BE-05", what=f"{ability.name} goes {far}")

    targets = whom(ask, ability, near, beyond, required=others)
    to = ask.text("to")

    def do(step: BeaconStep) -> None:
        if kind is not None and targets:
            declare(step, who, kind, ability, targets)
            return
        words = "{who} uses {ability}" + (" on {target}." if targets else ".")
        step.tell(words, who=who, ability=ability.name, target=", ".join(targets) or None)
        pay(step, who, ability)
        let_work(step, who, ability, targets)
        if to is not None:
            turn = step.state.turn
            free = turn is not None and turn.who == who and turn.free_step
            speed = step.combatant(who).number("SPEED")
            declare_move(step, who, to, None, speed, rule="BE-05", provokes=not free)

    return do
