"""Full Attack: a Slow ability, or two attacks. Rule: BE-18."""

from __future__ import annotations

from rules.errors import Illegal
from rules.systems.beacon import refusals
from rules.systems.beacon.attacks import refuse_attack
from rules.systems.beacon.harm import unaffordable
from rules.systems.beacon.orders import ATTACKS, Order, using_of
from rules.systems.beacon.sheet import MAGIC, attack_kinds, cost, is_channel, pair_of, tagged
from rules.systems.beacon.state import BeaconState


def full_orders(state: BeaconState, who: str, order: Order) -> tuple[Order, ...]:
    """Return the attacks of a Full Attack: the Slow ability's, or two."""
    if len(order.halves) == 1 and order.halves[0].action == "ability":
        slow = order.halves[0]
        ability = state.combatant(who).ability(slow.ability or "")
        kinds = () if ability is None else attack_kinds(ability)
        return (slow.evolve(action=kinds[0] if kinds else "ability", targets=order.targets, to=order.to),)
    targets = order.targets  # the first attack is on the first, the second on the second if there is one
    return tuple(
        half.evolve(targets=targets[min(number, len(targets) - 1) :][:1] if targets else (), to=order.to)
        for number, half in enumerate(order.halves)
    )


_POSSIBLE = "A Slow ability, or two of volley, fight, shove, grapple, as in volley:Bow, shove:prone."


def refuse_full(state: BeaconState, who: str, order: Order) -> Illegal | None:
    orders = full_orders(state, who, order)
    refusal = refuse_halves(state, who, order, orders)
    if refusal is not None or not orders or orders[0].action not in ATTACKS:
        return refusal
    if not order.targets or len(order.targets) > len(orders):
        return Illegal(
            f"A Full Attack needs {'one target or two' if len(orders) > 1 else 'one target'}.",
            rule="BE-18",
            instead="Name them (option target).",
        )
    refusals = (refuse_attack(state, who, each, slow=len(orders) == 1) for each in orders)
    return next((each for each in refusals if each is not None), None)


def refuse_halves(state: BeaconState, who: str, order: Order, orders: tuple[Order, ...]) -> Illegal | None:
    """Return why a Full Attack is not possible, whomever it is aimed at. Rule: BE-18."""
    if "full-attack" in state.limits.get(who, ()):
        return Illegal("Full Attack is possible once a round.", rule="BE-18", instead="Next round.")
    if not order.halves:
        return None
    if len(order.halves) == 1:
        ability = state.combatant(who).ability(orders[0].ability or "")
        if ability is None or not tagged(ability, "slow"):
            return Illegal(f"{using_of(order)[:40]} is no Slow ability.", rule="BE-18", instead=_POSSIBLE)
        if is_channel(ability):
            return refusals.channeled(ability.name)
        if orders[0].action in ATTACKS:
            return refuse_attack(state, who, orders[0].evolve(targets=()), slow=True)
        return unaffordable(state, who, ability, "BE-18")
    if len(orders) != 2 or any(each.action not in ATTACKS for each in orders):
        return Illegal("That is no Full Attack.", rule="BE-18", instead=_POSSIBLE)
    for each in orders:
        if each.action == "shove" and each.choice not in ("push", "prone"):
            return Illegal("Say what the Shove does.", rule="BE-17", instead="shove:push, or shove:prone.")
        refusal = refuse_attack(state, who, each.evolve(targets=()))
        if refusal is not None:
            return refusal
    return refuse_pair(state, who, orders)


def refuse_pair(state: BeaconState, who: str, orders: tuple[Order, ...]) -> Illegal | None:
    """Return why two attacks do not make a Full Attack together. Rule: BE-18."""
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
