"""What each standard, minor and free action needs and does, whenever it comes: in its phase, late, or readied.

Rule: BE-05, BE-10, BE-11, BE-14 to BE-18.
"""

from __future__ import annotations

from functools import lru_cache

from rules.core.conditions import add_condition, end_condition
from rules.core.errors import Illegal
from rules.core.events import ConditionAdded
from rules.core.model import per_state
from rules.core.names import find_name, shown
from rules.core.values import Condition
from rules.systems.beacon.attacks import aims, can_be_named, declare, refuse_attack, tell_text
from rules.systems.beacon.harm import change_pool, deal, pay, rolled, unaffordable
from rules.systems.beacon.movement import declare_move
from rules.systems.beacon.release import channel, refuse_channel
from rules.systems.beacon.sheet import (
    ANY,
    ATTACKS,
    DEFENDING,
    DISCORD,
    FOCUS,
    HEALTH,
    HIDDEN,
    MAGIC,
    MARKED,
    PHASE_OF,
    RECOVERIES,
    STRESS,
    BeaconStep,
    activation,
    among,
    attack_kinds,
    beyond,
    cost,
    is_channel,
    pair_of,
    spaces,
    tagged,
    within,
)
from rules.systems.beacon.state import BeaconState, Happened, Limited, Order, SpentSet, StackSet, TurnSet

REFRESH_FIRST = ("hp", "stress", "mp")
REFRESH_THEN = ("reload", "discord", "condition")
_REFRESH = f"One of {', '.join(REFRESH_FIRST)}, then one of {', '.join(REFRESH_THEN)}, as in hp, reload."
CHOICES = {
    "search": ("reveal", "learn"),
    "shove": ("push", "prone"),
    "rush": ("move", "free"),
}


@lru_cache(maxsize=1024)
def parse_order(text: str) -> Order:
    """Read an action written as `volley:Bow`, `shove:prone` or `fight`. Rule: BE-18, BE-19."""
    head, _, rest = text.strip().partition(":")
    action = head.strip().casefold().replace(" ", "-")
    given = rest.strip() or None
    if action in CHOICES:
        return Order(action=action, choice=None if given is None else given.casefold())
    if action in ("refresh", "full-attack"):
        return Order(action=action, choice=given)
    return Order(action=action, ability=given)


@lru_cache(maxsize=1024)
def split(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())


def named(state: BeaconState, who: str, order: Order) -> Order:
    """Return the order with its ability spelled as on the sheet. Raises: Illegal for one that is unknown."""
    if order.ability is None:
        return order
    names = tuple(ability.name for ability in state.combatant(who).abilities)
    found = find_name(order.ability, names)
    if found is None:
        raise Illegal(
            f"{who} has no ability {order.ability[:40]}.", rule="BE-05", instead=f"Abilities: {shown(names) or 'none'}."
        )
    return order.evolve(ability=found)


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
        return _refuse_refresh(state, who, order)
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
        if not within(state, who, target, limit):
            return beyond(state, who, target, limit, in_scope(state, who), rule="BE-14", what=f"SCOPE is {limit}")
        if order.action == "search" and order.choice == "reveal" and not state.combatant(target).has(HIDDEN):
            return Illegal(f"{target} is not HIDDEN.", rule="BE-14", instead="using learn, or another target.")
    return None


def in_scope(state: BeaconState, who: str) -> tuple[str, ...]:
    return among(state, who, can_be_named(state, who), state.combatant(who).number("SCOPE") or None)


# Refresh (BE-11)


def clearable(state: BeaconState, bearer: str) -> tuple[str, ...]:
    """Return the conditions on somebody that they did not cause themselves."""
    return tuple(dict.fromkeys(held.name for held in state.combatant(bearer).conditions if held.source != bearer))


def helped(state: BeaconState, who: str) -> tuple[str, ...]:
    """Return the adjacent allies from whom a condition could be cleared."""
    side = state.combatant(who).side
    return tuple(
        each.name
        for each in state.combatants
        if each.conditions and each.side == side and each.name != who
        if clearable(state, each.name) and within(state, who, each.name, 1)
    )


def _refuse_refresh(state: BeaconState, who: str, order: Order) -> Illegal | None:
    chosen = tuple(part.casefold() for part in split(order.choice))
    if len(chosen) != 2 or chosen[0] not in REFRESH_FIRST or chosen[1] not in REFRESH_THEN:
        return Illegal("Refresh needs its two choices (option using).", rule="BE-11", instead=_REFRESH)
    combatant = state.combatant(who)
    if chosen[0] == "hp":
        pool = combatant.pools.get(RECOVERIES)
        if pool is None or pool.now < 1:
            return Illegal(f"{who} has no RECOVERIES left.", rule="BE-11", instead="stress or mp remain possible.")
    if chosen[1] != "condition":
        if order.targets or order.note:
            return Illegal("That choice takes no target and no note.", rule="BE-11", instead=_REFRESH)
        return None
    bearer = order.targets[0] if order.targets else who
    if len(order.targets) > 1 or (bearer != who and bearer not in helped(state, who)):
        return Illegal(
            f"No condition of {order.targets[0]} can be cleared.",
            rule="BE-11",
            instead=f"Adjacent allies with one: {shown(helped(state, who)) or 'nobody'}.",
        )
    names = clearable(state, bearer)
    if order.note is None or find_name(order.note, names) is None:
        return Illegal(
            f"{bearer} has no such condition from somebody else.",
            rule="BE-11",
            instead=f"Name one (option note): {shown(names) or 'none'}.",
        )
    return None


def _refresh(step: BeaconStep, who: str, order: Order) -> None:
    first, then = (part.casefold() for part in split(order.choice))
    step.tell("{who} refreshes.", who=who)
    pools = step.combatant(who).pools
    if first == "hp":
        change_pool(step, who, RECOVERIES, -1)
        change_pool(step, who, HEALTH, (pools[HEALTH].top or pools[HEALTH].now) - pools[HEALTH].now)
    elif first == "stress":
        change_pool(step, who, STRESS, -pools[STRESS].now if STRESS in pools else 0)
    elif MAGIC in pools:
        change_pool(step, who, MAGIC, (pools[MAGIC].top or pools[MAGIC].now) - pools[MAGIC].now)
    if then == "reload":
        step.emit(SpentSet(who=who))
        step.tell("{who} reloads.", who=who)
        return
    bearer = order.targets[0] if order.targets else who
    wanted = DISCORD if then == "discord" else find_name(order.note or "", clearable(step.state, bearer))
    for held in step.combatant(bearer).conditions:
        same_name = held.name.casefold() == (wanted or "").casefold()
        if same_name and (then == "discord" or held.source != bearer):
            end_condition(step, bearer, held, "is cleared")
            if then == "condition":
                break


# Full Attack (BE-18)


def full_orders(state: BeaconState, who: str, order: Order) -> tuple[Order, ...]:
    """Return the attacks of a Full Attack: the Slow ability's, or two."""
    parts = split(order.choice)
    if len(parts) == 1 and parts[0].partition(":")[0].strip().casefold() not in ATTACKS:
        ability = state.combatant(who).ability(parts[0])
        kinds = () if ability is None else attack_kinds(ability)
        action = kinds[0] if kinds else "ability"
        return (Order(action=action, ability=parts[0], targets=order.targets, to=order.to),)
    return _orders_of(parts, order.targets, order.to)


@lru_cache(maxsize=1024)
def _orders_of(parts: tuple[str, ...], targets: tuple[str, ...], to: str | None) -> tuple[Order, ...]:
    """Return the attacks as written: the first on the first target, the second on the second if there is one."""
    return tuple(
        parse_order(part).evolve(targets=targets[min(number, len(targets) - 1) :][:1] if targets else (), to=to)
        for number, part in enumerate(parts)
    )


@lru_cache(maxsize=1024)
def full_attack(choice: str, targets: tuple[str, ...] = ()) -> Order:
    return Order(action="full-attack", choice=choice, targets=targets)


def refuse_full(state: BeaconState, who: str, order: Order) -> Illegal | None:
    possible = "A Slow ability, or two of volley, fight, shove, grapple, as in volley:Bow, shove:prone."
    if "full-attack" in state.limits.get(who, ()):
        return Illegal("Full Attack is possible once a round.", rule="BE-18", instead="Next round.")
    if order.choice is None:
        return None
    orders = full_orders(state, who, order)
    combatant = state.combatant(who)
    if len(split(order.choice)) == 1:
        ability = combatant.ability(orders[0].ability or "")
        if ability is None or not tagged(ability, "slow"):
            return Illegal(f"{split(order.choice)[0][:40]} is no Slow ability.", rule="BE-18", instead=possible)
        if is_channel(ability):
            return Illegal(f"{ability.name} is channeled.", rule="BE-12", instead="channel it, then release.")
        if orders[0].action in ATTACKS:
            if not order.targets:
                return Illegal(f"{ability.name} needs a target.", rule="BE-18", instead="Name one (option target).")
            return refuse_attack(state, who, orders[0], slow=True)
        return unaffordable(state, who, ability, "BE-18")
    if len(orders) != 2 or any(each.action not in ATTACKS for each in orders):
        return Illegal("That is no Full Attack.", rule="BE-18", instead=possible)
    if not order.targets or len(order.targets) > 2:
        return Illegal("A Full Attack needs one target or two.", rule="BE-18", instead="Name them (option target).")
    for each in orders:
        if each.action == "shove" and each.choice not in ("push", "prone"):
            return Illegal("Say what the Shove does.", rule="BE-17", instead="shove:push, or shove:prone.")
        refusal = refuse_attack(state, who, each)
        if refusal is not None:
            return refusal
    return _refuse_pair(state, who, orders)


def _refuse_pair(state: BeaconState, who: str, orders: tuple[Order, ...]) -> Illegal | None:
    combatant = state.combatant(who)
    first, second = (None if each.ability is None else combatant.ability(each.ability) for each in orders)
    if first is not None and second is not None:
        if first.name == second.name:
            return Illegal(
                f"{first.name} cannot be used twice in a Full Attack.",
                rule="BE-18",
                instead="The same action with another ability is fine.",
            )
        pair = pair_of(first)
        if pair is not None and pair == pair_of(second):
            return Illegal(
                f"{first.name} and {second.name} are a linked pair.",
                rule="BE-18",
                instead="One of them, and something else.",
            )
    plain = [each for each in orders if each.action == "volley" and each.ability is None]
    needed = len(plain)
    for ability in (first, second):
        if ability is not None:
            needed += cost(ability)[0]
    pool = combatant.pools.get(MAGIC)
    if needed and (pool is None or pool.now < needed):
        return Illegal(f"Both cost {needed} MP together.", rule="BE-18", instead="refresh regains MP.")
    return None


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
    given = activation(ability)
    if given == f"phase {ANY}":
        return state.phase
    if given.startswith("phase "):
        return given.removeprefix("phase ")
    return PHASE_OF.get(given)


def refuse_ability(state: BeaconState, who: str, order: Order) -> Illegal | None:
    """Return why an ability cannot be used by `ability`, `minor` or `free`, if so."""
    ability = state.combatant(who).ability(order.ability or "")
    if ability is None:
        return Illegal(f"{who} has no ability {(order.ability or '')[:40]}.", rule="BE-05")
    given = activation(ability)
    if is_channel(ability):
        return Illegal(f"{ability.name} is channeled.", rule="BE-12", instead="channel it, then release.")
    if tagged(ability, "slow"):
        return Illegal(f"{ability.name} is Slow.", rule="BE-18", instead="full-attack takes it.")
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
    far = spaces(ability, "range") if spaces(ability, "range") is not None else spaces(ability, "reach")
    for target in order.targets:
        if not within(state, who, target, far):
            near = among(state, who, can_be_named(state, who, own=True), far)
            return beyond(state, who, target, far, near, rule="BE-05", what=f"{ability.name} goes {far}")
    return None


def _ability(step: BeaconStep, who: str, order: Order) -> None:
    ability = step.combatant(who).ability(order.ability or "")
    if ability is None:
        return
    given = activation(ability)
    if given in ("volley", "fight") and order.targets:
        declare(step, who, order.evolve(action=given))
        return
    step.tell(
        "{who} uses {ability}" + (" on {target}." if order.targets else "."),
        who=who,
        ability=ability.name,
        target=", ".join(order.targets) or None,
    )
    pay(step, who, ability)
    tell_text(step, ability)
    for target in order.targets:
        deal(step, who, target, ability)
    step.emit(Happened())
    if order.to is not None:
        turn = step.state.turn
        free = turn is not None and turn.who == who and turn.free_step
        speed = step.combatant(who).number("SPEED")
        declare_move(step, who, order.to, None, speed, rule="BE-05", provokes=not free)


# Doing it


def execute(step: BeaconStep, who: str, order: Order, *, words: str = "") -> None:
    """Do an action's effect; whether it is possible was asked before."""
    action = order.action
    if action in ATTACKS:
        declare(step, who, order, words=words)
        return
    if action == "full-attack":
        step.emit(Limited(who=who, thing="full-attack"))
        orders = full_orders(step.state, who, order)
        if orders[0].action not in ATTACKS:
            _ability(step, who, orders[0])
            return
        below = len(step.state.stack)
        for each in orders:
            declare(step, who, each)
        stack = step.state.stack
        step.emit(StackSet(stack=(*stack[:below], *reversed(stack[below:]))))  # the first is on top
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
        _refresh(step, who, order)
    elif action == "mark":
        for target in order.targets:
            add_condition(step, target, Condition(name=MARKED, source=who))
    elif action == "hide":
        add_condition(step, who, Condition(name=HIDDEN, source=who))
    elif action == "search":
        _search(step, who, order)
    step.emit(Happened())


def _defend(step: BeaconStep, who: str) -> None:
    die, roll = step.roll("1d3", who=who, purpose="focus")
    step.tell("{who} defends: FOCUS {roll} and ARMOR; attacks against them have one bane.", who=who, roll=roll)
    change_pool(step, who, FOCUS, die + max(0, step.combatant(who).number("ARMOR")))
    step.emit(ConditionAdded(who=who, condition=Condition(name=DEFENDING, source=who, left=1, ticks="bearer-start")))


def _rush(step: BeaconStep, who: str, order: Order) -> None:
    turn = step.state.turn
    own = turn is not None and turn.who == who
    if order.choice == "free":
        if turn is not None and own:
            step.emit(TurnSet(turn=turn.evolve(free_step=True)))
        step.tell("{who} rushes: no ENGAGEMENT and no reactions to movement until the end of the turn.", who=who)
        step.emit(Happened())
        return
    speed = step.combatant(who).number("SPEED")
    free = turn is not None and own and turn.free_step
    declare_move(step, who, order.to, order.amount, speed, what="rushes", rule="BE-14", provokes=not free)


def _search(step: BeaconStep, who: str, order: Order) -> None:
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
            if held.name.casefold() == HIDDEN.casefold():
                end_condition(step, target, held, "is over")
