"""Actions as people write them: typed as a command, or in one text as in `volley:Bow`, `shove:prone`.

Rule: BE-06, BE-18, BE-19.
"""

from __future__ import annotations

from functools import lru_cache

from rules.core.command import Command
from rules.core.errors import Illegal
from rules.core.typed.names import find_name, shown
from rules.systems.beacon.sheet import PHASE_OF, activation
from rules.systems.beacon.state import BeaconState, Order

IMPROVISED = "improvised"
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


def order_from(state: BeaconState, who: str, command: Command) -> Order:
    """Return the order that a command of a standard action gives. Raises: Illegal."""
    action = command.action
    ability = choice = None
    if action in ("volley", "fight", "channel", "ability", "minor", "free"):
        ability = None if command.using in (None, IMPROVISED) else command.using
    else:
        choice = command.using
    return named(
        state,
        who,
        Order(
            action=action,
            ability=ability,
            choice=choice if choice is None else choice.casefold() if action != "full-attack" else choice,
            targets=split(command.target),
            to=command.to,
            amount=command.amount,
            note=command.note,
        ),
    )


def written(state: BeaconState, who: str, command: Command) -> Order:
    """Return the order that `using` writes, as in `volley:Bow` or a bare ability. Raises: Illegal."""
    text = command.using or ""
    order = parse_order(text)
    combatant = state.combatant(who)
    if order.action not in PHASE_OF and order.action not in ("ability", "minor", "free"):
        found = find_name(text, [ability.name for ability in combatant.abilities])
        ability = None if found is None else combatant.ability(found)
        if ability is None:
            raise Illegal(
                f"{text[:40]} is no action.", rule="BE-06", instead="As in volley:Bow, shove:prone, or defend."
            )
        given = activation(ability)
        order = Order(action=given if given in ("minor", "free") else "ability", ability=ability.name)
    order = order.evolve(targets=split(command.target), to=command.to, amount=command.amount)
    if order.choice is not None and order.action != "full-attack":
        order = order.evolve(choice=order.choice.casefold())
    return named(state, who, order)
