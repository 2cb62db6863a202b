"""What an action takes: abilities that can be used, targets in range, cells in reach, written as people write them.

Rule: G-07, BE-06, BE-18, BE-19.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement

from rules.core import refusals
from rules.core.command import Command
from rules.core.model import per_state
from rules.core.offer import Param
from rules.core.typed.names import find_name
from rules.errors import Illegal, Refusal
from rules.systems.beacon.attacks import aims, can_be_named, push_cells, usable
from rules.systems.beacon.full_attack import full_orders, refuse_halves, refuse_pair
from rules.systems.beacon.movement import ends, left_params, where_params
from rules.systems.beacon.orders import (
    ATTACKS,
    FULL_ATTACK,
    IMPROVISED,
    REFRESH,
    Order,
    named,
    parse_order,
    split,
    text_of,
    using_of,
)
from rules.systems.beacon.refresh import REFRESH_FIRST, clearable, helped, refuse_choices
from rules.systems.beacon.release import channelable
from rules.systems.beacon.sheet import (
    HIDDEN,
    PHASE_OF,
    activation,
    among,
    far_of,
    is_beacon,
    is_weapon,
    phase_number,
    tagged,
)
from rules.systems.beacon.standard import in_scope, phase_of_ability, refuse, usable_abilities
from rules.systems.beacon.state import DELAY, BeaconState

# Targets


@lru_cache(maxsize=1024)  # one validation for all actions that can be aimed at the same
def target_param(names: tuple[str, ...], every: tuple[str, ...], *, many: bool = False, required: bool = True) -> Param:
    return Param(name="target", label="target", choices=names, universe=every, many=many, required=required)


def target_params(state: BeaconState, who: str, order: Order) -> tuple[Param, ...]:
    """Return what an order still takes besides its action and ability."""
    action = order.action
    combatant = state.combatant(who)
    every = can_be_named(state, who, own=True)
    ability = None if order.ability is None else combatant.ability(order.ability)
    if action in ATTACKS:
        many = ability is not None and not is_weapon(ability)
        return (target_param(aims(state, who, action, ability), every, many=many),)
    if action == "mark":
        return (target_param(in_scope(state, who), every),)
    if action == "search":
        found = in_scope(state, who)
        if order.choice == "reveal":
            found = tuple(name for name in found if state.combatant(name).has(HIDDEN))
        return (target_param(found, every),)
    if action in ("ability", "minor", "free") and ability is not None:
        kind = activation(ability)
        if kind in ("volley", "fight"):
            many = not is_weapon(ability)
            return (target_param(aims(state, who, kind, ability), every, many=many),)
        far = far_of(ability)
        near = among(state, who, every, far, ability)
        return (target_param(near, every, many=True, required=False),)
    if action == "rush" and order.choice == "move":
        return where_params(state, who, combatant.number("SPEED"), rule="BE-14")
    if action == "refresh":
        return refresh_params(state, who, order)
    if action == "full-attack":
        return (full_targets(state, who, order),)
    return ()


def refresh_params(state: BeaconState, who: str, order: Order) -> tuple[Param, ...]:
    if order.then != "condition":
        return ()
    bearer = order.targets[0] if order.targets else who
    allies = helped(state, who)
    own = clearable(state, who)
    target = target_param(allies, can_be_named(state, who), required=not own)
    names = tuple(clearable(state, bearer)) if state.find(bearer) is not None else ()
    if not order.targets and not own:
        names = tuple(dict.fromkeys(name for ally in allies for name in clearable(state, ally)))
    return (target, Param(name="note", label="condition", choices=names, free=True))


def refresh_choices(state: BeaconState, who: str) -> tuple[str, ...]:
    return tuple(using_of(order) for order in refreshes(state, who))


@per_state
def refreshes(state: BeaconState, who: str) -> tuple[Order, ...]:
    """Return what Refresh could be now. Rule: BE-11."""
    then = ["reload", "discord"]
    if clearable(state, who) or helped(state, who):
        then.append("condition")
    found = []
    for first in REFRESH_FIRST:
        for second in then:
            plain = Order(action=REFRESH, choice=first, then="reload" if second == "condition" else second)
            if refuse(state, who, plain) is None:
                found.append(plain.evolve(then=second))
    return tuple(found)


# Full Attack


_BARE = (Order(action="shove", choice="push"), Order(action="shove", choice="prone"), Order(action="grapple"))


@per_state
def attacks_now(state: BeaconState, who: str) -> tuple[Order, ...]:
    """Return the attacks that could be made on somebody now."""
    combatant = state.combatant(who)
    found = [
        order
        for order in _armed(state, who)
        if aims(state, who, order.action, None if order.ability is None else combatant.ability(order.ability))
    ]
    return (*found, *(_BARE if aims(state, who, "grapple", None) else ()))


def _armed(state: BeaconState, who: str) -> tuple[Order, ...]:
    return tuple(Order(action=kind, ability=name) for kind in ("volley", "fight") for name in usable(state, who, kind))


def full_choices(state: BeaconState, who: str) -> tuple[str, ...]:
    return tuple(using_of(order) for order in full_attacks(state, who))


@per_state
def full_attacks(state: BeaconState, who: str) -> tuple[Order, ...]:
    """Return what a Full Attack could be now. Rule: BE-18."""
    slow = [ability.name for ability in state.combatant(who).abilities if tagged(ability, "slow")]
    found = []
    for name in slow:
        order = Order(action=FULL_ATTACK, halves=(Order(action="ability", ability=name),))
        names, _, required = _serving(state, who, order)
        targets = names[:1] if required else ()
        if (targets or not required) and refuse(state, who, order.evolve(targets=targets)) is None:
            found.append(order)
    if FULL_ATTACK in state.limits.get(who, ()):
        return tuple(found)
    pairs = combinations_with_replacement(attacks_now(state, who), 2)
    able = (each for each in pairs if refuse_pair(state, who, each) is None and all(_aims_of(state, who, each)))
    return (*found, *(Order(action=FULL_ATTACK, halves=halves) for halves in able))


def _aims_of(state: BeaconState, who: str, orders: tuple[Order, ...]) -> tuple[tuple[str, ...], ...]:
    """Return whom each of some attacks can be aimed at."""
    combatant = state.combatant(who)
    return tuple(
        aims(state, who, each.action, None if each.ability is None else combatant.ability(each.ability))
        for each in orders
    )


def _pairs_of_targets(state: BeaconState, who: str, orders: tuple[Order, ...]) -> tuple[str, ...]:
    """Return whom two attacks can be aimed at: one who serves both, then the first on one and the second on another."""
    first, second = _aims_of(state, who, orders)
    both = [name for name in first if name in second]
    return (*both, *(f"{one}, {other}" for one in first for other in second if one != other))


def full_targets(state: BeaconState, who: str, order: Order) -> Param:
    """Return the targets that serve a Full Attack: one, or for two attacks one each."""
    orders = full_orders(state, who, order)
    if len(orders) == 2 and all(each.action in ATTACKS for each in orders):
        pairs = _pairs_of_targets(state, who, orders)
        every = can_be_named(state, who, own=True)
        label = "target, or one for each"
        return Param(name="target", label=label, choices=pairs, universe=every, free=True, rule="BE-18")
    names, many, required = _serving(state, who, order)
    return target_param(names, can_be_named(state, who, own=True), many=many, required=required)


def _serving(state: BeaconState, who: str, order: Order) -> tuple[tuple[str, ...], bool, bool]:
    """Return whom every attack of a Full Attack reaches, whether several may be named, and whether one must be."""
    orders = full_orders(state, who, order)
    names = every = can_be_named(state, who, own=True)
    attack = False
    many = len(orders) > 1
    for each in orders:
        ability = None if each.ability is None else state.combatant(who).ability(each.ability)
        if each.action in ATTACKS:
            attack = True
            reached = aims(state, who, each.action, ability)
            if names is every:
                names = reached
            elif names is not reached:
                names = tuple(name for name in names if name in reached)
            many = many or (ability is not None and not is_weapon(ability))
        elif ability is not None:
            many = True
            far = far_of(ability)
            names = among(state, who, names, far, ability)
    return names, many, attack


# Late and readied actions


def phase_allows(state: BeaconState, who: str, order: Order, *, late: bool) -> Illegal | None:
    """Return why an action is not for this phase, if so. Rule: BE-01, BE-03, BE-05, BE-06."""
    action = order.action
    if not is_beacon(state.combatant(who)) or action in ("minor", "free"):
        return None
    phase = phase_of_ability(order.ability or "", state, who) if action == "ability" else PHASE_OF.get(action)
    if phase == state.phase:
        return None
    if late and state.phase == DELAY and phase not in (None, DELAY):
        return None
    return Illegal(
        f"{(order.ability or action).replace('-', ' ')} belongs to {(phase or 'no phase').upper()}; "
        f"this is {(state.phase or '').upper()}.",
        rule="BE-05" if action == "ability" else "BE-01",
        instead="In DELAY, what has passed can be done."
        if phase is not None and phase_number(phase) < phase_number(state.phase)
        else f"Wait for {(phase or 'its phase').upper()}, or take it in DELAY.",
    )


@per_state
def order_texts(state: BeaconState, who: str, *, late: bool) -> tuple[str, ...]:
    """Return the actions that could be done now by Delay (`late`) or readied, as they are written."""
    found = [*(attacks_now(state, who) if late else (*_armed(state, who), *_BARE))]
    found += [Order(action="defend"), Order(action="hide")]
    if in_scope(state, who):
        found += [Order(action="mark"), Order(action="search", choice="learn")]
    found += [*refreshes(state, who), *full_attacks(state, who)]
    if late:
        found += [Order(action="channel", ability=name) for name in channelable(state, who)]
        cells = ends(state, who, state.combatant(who).number("SPEED"))
        if state.combatant(who).number("SPEED") > 0 and (cells is None or cells):
            found.append(Order(action="rush", choice="move"))
    else:
        found += [Order(action="minor", ability=name) for name in usable_abilities(state, who, "minor", None)]
    found.append(Order(action="rush", choice="free"))
    found += [Order(action="ability", ability=name) for name in usable_abilities(state, who, "ability", None)]
    return tuple(
        text_of(order)
        for order in found
        if phase_allows(state, who, order, late=True) is None and (late or refuse_ready(state, who, order) is None)
    )


def refuse_ready(state: BeaconState, who: str, order: Order) -> Illegal | None:
    """Return why an action cannot be readied now; target and reach are looked at as it is used. Rule: BE-19."""
    if order.action in ("channel", "release", "delay", "ready", "free"):
        rule = "BE-12" if order.action == "channel" else "BE-19"
        return Illegal(
            f"{order.action} cannot be readied.", rule=rule, instead="An action of this phase, or minor:NAME."
        )
    turn = state.turn
    if order.action == "minor" and turn is not None and turn.who == who and turn.minor:
        return Illegal(f"{who} has used the minor action of this turn.", rule="BE-19", instead="A standard action.")
    return refuse_late(state, who, order)


def refuse_late(state: BeaconState, who: str, order: Order) -> Illegal | None:
    """Return why what was readied is not possible at all now, whomever it is aimed at. Rule: BE-19."""
    plain = order.evolve(targets=())
    if order.action == FULL_ATTACK and order.halves:
        orders = full_orders(state, who, plain)
        return refuse_halves(state, who, plain, orders)
    if order.action == "refresh":
        return refuse_choices(state, who, plain)
    return refuse(state, who, plain)


def written(state: BeaconState, who: str, command: Command) -> Order:
    """Return the order that `using` writes, as in `volley:Bow` or a bare ability. Raises: Illegal."""
    text = command.using or ""
    order = parse_order(text)
    combatant = state.combatant(who)
    if order.action not in PHASE_OF and order.action not in ("ability", "minor", "free"):
        found = find_name(text, [ability.name for ability in combatant.abilities])
        ability = None if found is None else combatant.ability(found)
        if ability is None:
            raise refusals.no_action(text[:40], rule="BE-06", instead="As in volley:Bow, shove:prone, or defend.")
        given = activation(ability)
        order = Order(action=given if given in ("minor", "free") else "ability", ability=ability.name)
    return named(state, who, order.evolve(targets=split(command.target), to=command.to, amount=command.amount))


def order_params(state: BeaconState, who: str, command: Command, *, late: bool) -> tuple[Param, ...]:
    """Return `using`, and what the action that it names takes."""
    using = Param(name="using", label="action", choices=order_texts(state, who, late=late), free=True)
    if command.using is None:
        return (using,)
    try:
        order = written(state, who, command)
    except Refusal:
        return (using,)
    return (using, *target_params(state, who, order))


def _attacks(state: BeaconState, who: str, name: str) -> bool:
    ability = state.combatant(who).ability(name)
    return ability is not None and activation(ability) in ("volley", "fight")


def abilities_params(state: BeaconState, who: str, command: Command) -> tuple[Param, ...]:
    """Return what `ability`, `minor` and `free` take."""
    combatant = state.combatant(who)
    bound = command.action == "ability" and is_beacon(combatant) and state.phase != DELAY
    phase = state.phase if bound else None
    names = usable_abilities(state, who, command.action, phase)
    if command.action == "ability":  # what attacks has its own actions, though this one takes it too
        names = tuple(name for name in names if not _attacks(state, who, name))
    every = tuple(ability.name for ability in combatant.abilities)
    using = Param(name="using", label="ability", choices=names, universe=every)
    if command.using is None:
        return (using,)
    found = find_name(command.using, every)
    return (using, *target_params(state, who, Order(action=command.action, ability=found)))


def attack_params(state: BeaconState, who: str, command: Command) -> tuple[Param, ...]:
    """Return what `volley` and `fight` take: an ability, unless improvised, and a target in range."""
    kind = command.action
    combatant = state.combatant(who)
    names = [
        name
        for name in usable(state, who, kind)
        if aims(state, who, kind, None if name is None else combatant.ability(name))
    ]
    every = (IMPROVISED, *(ability.name for ability in combatant.abilities))
    choices = tuple(IMPROVISED if name is None else name for name in names)
    using = Param(name="using", label="ability", choices=choices, universe=every, required=None not in names)
    if command.using is None and None not in names:
        found = [aims(state, who, kind, combatant.ability(name or "")) for name in names]
        reached = tuple(dict.fromkeys(each for part in found for each in part))
        return (using, target_param(reached, can_be_named(state, who)))
    ability = None if command.using is None else find_name(command.using, every)
    params = target_params(state, who, Order(action=kind, ability=None if ability == IMPROVISED else ability))
    return params if choices == (IMPROVISED,) and command.using is None else (using, *params)


def attack_offer(state: BeaconState, who: str, kind: str) -> tuple[Param, ...]:
    """Return what the buttons ask for: with what, improvised among it; the targets follow from it."""
    params = attack_params(state, who, Command(action=kind))
    if params[0].name == "using":
        several = len(params[0].choices or ()) > 1
        params = (params[0].evolve(required=True), *(() if several else params[1:]))
    return params


def shove_params(state: BeaconState, who: str, command: Command) -> tuple[Param, ...]:
    target = target_param(aims(state, who, "shove", None), can_be_named(state, who))
    using = Param(name="using", label="push or prone", choices=("push", "prone"))
    if command.using == "push" and command.target is not None:
        found = find_name(command.target, can_be_named(state, who))
        cells = () if found is None else push_cells(state, who, found)
        if cells:
            return (target, using, Param(name="to", label="cell", choices=cells, free=True, required=False))
    if command.using is None:
        return (target, using, Param(name="to", label="cell", choices=(), free=True, required=False))
    return (target, using)


def rush_params(state: BeaconState, who: str, command: Command) -> tuple[Param, ...]:
    speed = state.combatant(who).number("SPEED")
    where = where_params(state, who, speed, required=command.using == "move", rule="BE-14")
    able = speed > 0 and where[0].choices != ()
    using = Param(
        name="using", label="move or free", choices=("move", "free") if able else ("free",), universe=("move", "free")
    )
    away = left_params(state, who) if able else ()
    return (using, *where, *away) if command.using in (None, "move") and able else (using,)
