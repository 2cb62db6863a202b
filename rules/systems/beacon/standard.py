"""What each standard, minor and free action needs and does, whenever it comes: in its phase, late, or readied.

Rule: BE-05, BE-10, BE-11, BE-14 to BE-18.
"""

from __future__ import annotations

from rules.core.blows.todo import leave_to_gm
from rules.core.conditions import add_condition, end_condition, put_condition
from rules.core.model import per_state
from rules.core.values import Condition
from rules.errors import Illegal
from rules.systems.beacon import refusals, sheet
from rules.systems.beacon.attacks import aims, can_be_named, declare, refuse_attack
from rules.systems.beacon.full_attack import full_orders, refuse_full
from rules.systems.beacon.harm import change_pool, deal, note_limited, pay, rolled, unaffordable
from rules.systems.beacon.movement import declare_move
from rules.systems.beacon.orders import ATTACKS, Order
from rules.systems.beacon.refresh import refresh, refuse_refresh
from rules.systems.beacon.release import channel, refuse_channel
from rules.systems.beacon.state import BeaconState, Use, note_event, put_under_way
from rules.systems.beacon.triggers import counts_as, trigger_of


def refuse(state: BeaconState, who: str, order: Order) -> Illegal | None:
    """Return why an action is not possible, whatever its phase; None where it is."""
    action = order.action
    if action in ATTACKS:
        return refuse_attack(state, who, order)
    if action == "channel":
        return refuse_channel(state, who, order.ability)
    if action in ("mark", "search"):
        return _refuse_scope(state, who, order)
    if action == "refresh":
        return refuse_refresh(state, who, order)
    if action == "full-attack":
        return refuse_full(state, who, order)
    if action in ("ability", "minor", "free"):
        return refuse_ability(state, who, order)
    if action == "rush" and order.choice not in ("move", "free", None):
        return Illegal("Rush moves, or frees your movement.", rule="BE-14", instead="using move, or free.")
    return None


def _refuse_scope(state: BeaconState, who: str, order: Order) -> Illegal | None:
    limit = state.combatant(who).number("SCOPE") or None
    for target in order.targets:
        if not sheet.within(state, who, target, limit):
            return sheet.beyond(state, who, target, limit, in_scope(state, who), rule="BE-14", what=f"SCOPE is {limit}")
        if order.action == "search" and order.choice == "reveal" and not state.combatant(target).has(sheet.HIDDEN):
            return Illegal(f"{target} is not HIDDEN.", rule="BE-14", instead="using learn, or another target.")
    return None


def in_scope(state: BeaconState, who: str) -> tuple[str, ...]:
    return sheet.among(state, who, can_be_named(state, who), state.combatant(who).number("SCOPE") or None)


# Abilities (BE-05)


@per_state
def usable_abilities(state: BeaconState, who: str, action: str, phase: str | None) -> tuple[str, ...]:
    """Return the abilities that `ability`, `minor` or `free` could use; `phase` None is any."""
    return tuple(
        ability.name
        for ability in state.combatant(who).abilities
        if refuse_ability(state, who, Order(action=action, ability=ability.name)) is None
        and (action != "ability" or phase is None or phase_of_ability(ability.name, state, who) == phase)
    )


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


def refuse_ability(state: BeaconState, who: str, order: Order) -> Illegal | None:
    """Return why an ability cannot be used by `ability`, `minor` or `free`, if so."""
    ability = state.combatant(who).ability(order.ability or "")
    if ability is None:
        return refusals.no_ability(who, (order.ability or "")[:40], rule="BE-05")
    given = sheet.activation(ability)
    if sheet.is_channel(ability):
        return refusals.channeled(ability.name)
    if sheet.tagged(ability, "slow"):
        return refusals.slow(ability.name)
    if order.action in ("minor", "free"):
        if given != order.action:
            return Illegal(
                f"{ability.name} is no {order.action} action.",
                rule="BE-05",
                instead=f"Its activation is {given or 'an attack'}.",
            )
    elif phase_of_ability(ability.name, state, who) is None:
        return Illegal(
            f"{ability.name} is not used as a standard action of its own.",
            rule="BE-05",
            instead=f"Its activation is {given or 'an attack: volley or fight'}.",
        )
    if given in ("volley", "fight"):
        if not order.targets and not aims(state, who, given, ability):
            return Illegal("Nobody is in range.", rule="BE-05")
        return refuse_attack(state, who, order.evolve(action=given))
    refusal = unaffordable(state, who, ability, "BE-05")
    if refusal is not None:
        return refusal
    far = sheet.far_of(ability)
    for target in order.targets:
        if not sheet.within(state, who, target, far, ability):
            near = sheet.among(state, who, can_be_named(state, who, own=True), far, ability)
            return sheet.beyond(state, who, target, far, near, rule="BE-05", what=f"{ability.name} goes {far}")
    return None


def _ability(step: sheet.BeaconStep, who: str, order: Order) -> None:
    ability = step.combatant(who).ability(order.ability or "")
    if ability is None:
        return
    kind = sheet.rolled_as(ability)
    if kind is not None and order.targets:
        declare(step, who, order.evolve(action=kind))
        return
    step.tell(
        "{who} uses {ability}" + (" on {target}." if order.targets else "."),
        who=who,
        ability=ability.name,
        target=", ".join(order.targets) or None,
    )
    pay(step, who, ability)
    leave_to_gm(step, who, ability.name, order.targets)
    for target in order.targets:
        deal(step, who, target, ability)
    note_event(step)
    if order.to is not None:
        turn = step.state.turn
        free = turn is not None and turn.who == who and turn.free_step
        speed = step.combatant(who).number("SPEED")
        declare_move(step, who, order.to, None, speed, rule="BE-05", provokes=not free)


# Doing it


def execute(step: sheet.BeaconStep, who: str, order: Order) -> None:
    """Do an action's effect; whether it is possible was asked before. A use is answered when all of it is done."""
    action = order.action
    _note_use(step, who, order)
    if action in ATTACKS:
        declare(step, who, order)
        return
    if action == "full-attack":
        note_limited(step, who, "full-attack")
        orders = full_orders(step.state, who, order)
        if orders[0].action not in ATTACKS:
            _ability(step, who, orders[0])
            return
        below = len(step.state.stack)
        for each in orders:
            declare(step, who, each)
        stack = step.state.stack
        step.change(stack=(*stack[:below], *reversed(stack[below:])))  # the first is on top
        return
    if action in ("ability", "minor", "free"):
        _ability(step, who, order)
        return
    if action == "rush":
        _rush(step, who, order)
        return
    if action == "channel":
        ability = step.combatant(who).ability(order.ability or "")
        if ability is not None:
            turn = step.state.turn
            channel(step, who, ability, moved=turn is not None and turn.who == who and turn.moved)
        return
    if action == "defend":
        _defend(step, who)
    elif action == "refresh":
        refresh(step, who, order)
    elif action == "mark":
        for target in order.targets:
            add_condition(step, target, Condition(name=sheet.MARKED, source=who))
    elif action == "hide":
        add_condition(step, who, Condition(name=sheet.HIDDEN, source=who))
    elif action == "search":
        _search(step, who, order)
    note_event(step)


def _note_use(step: sheet.BeaconStep, who: str, order: Order) -> None:
    """Put the use below what it does, where anybody's sheet answers uses. Rule: BE-20."""
    ability = step.combatant(who).ability(order.ability or "")
    counts = counts_as(order.action, "" if ability is None else sheet.activation(ability))
    watched = any(
        (trigger := trigger_of(reaction)) is not None and trigger.what in counts
        for each in step.state.combatants
        for reaction in sheet.own_reactions(each)
    )
    if watched:
        put_under_way(step, Use(what="use", who=who, counts=counts))


def _defend(step: sheet.BeaconStep, who: str) -> None:
    die, roll = step.roll("1d3", who=who, purpose="focus")
    step.tell("{who} defends: FOCUS {roll} and ARMOR; attacks against them have one bane.", who=who, roll=roll)
    change_pool(step, who, sheet.FOCUS, die + max(0, step.combatant(who).number("ARMOR")))
    put_condition(step, who, Condition(name=sheet.DEFENDING, source=who, left=1, ticks="bearer-start"))


def _rush(step: sheet.BeaconStep, who: str, order: Order) -> None:
    turn = step.state.turn
    own = turn is not None and turn.who == who
    if order.choice == "free":
        if turn is not None and own:
            step.change(turn=turn.evolve(free_step=True))
        step.tell("{who} rushes: no ENGAGEMENT and no reactions to movement until the end of the turn.", who=who)
        note_event(step)
        return
    speed = step.combatant(who).number("SPEED")
    free = turn is not None and own and turn.free_step
    declare_move(
        step,
        who,
        order.to,
        order.amount,
        speed,
        what="rushes",
        rule="BE-14",
        provokes=not free,
        left=order.targets,
    )


def _search(step: sheet.BeaconStep, who: str, order: Order) -> None:
    target = order.targets[0]
    combatant = step.combatant(target)
    if order.choice == "learn":
        owner = step.combatant(who).owner
        seen_by = ("gm",) if owner is None else ("gm", owner)
        step.tell("{who} studies {target}.", who=who, target=target)
        scores = ", ".join(f"{key} {value}" for key, value in combatant.fields.items())
        abilities = "; ".join(
            f"{each.name} ({', '.join(f'{key} {value}' for key, value in each.fields.items())})"
            for each in combatant.abilities
        )
        step.tell(
            "{target}: {scores}. Abilities: {abilities}.",
            target=target,
            scores=scores or "no scores",
            abilities=abilities or "none",
            seen_by=seen_by,
        )
        return
    totals = {}
    rolls = {}
    for name in step.state.names:  # dice of several come in the order of joining
        if name in (who, target):
            score = "MIND" if name == who else "AGILITY"
            totals[name], rolls[name] = rolled(step, name, "1d20", step.combatant(name).number(score), "search")
    found = totals[who] >= totals[target]
    step.tell(
        "{who} searches for {target}: {roll} against {other}, {outcome}.",
        who=who,
        target=target,
        roll=rolls[who],
        other=rolls[target],
        outcome="success" if found else "failure",
        good=found,
    )
    if found:
        for held in combatant.conditions:
            if held.name.casefold() == sheet.HIDDEN.casefold():
                end_condition(step, target, held, "is over")
