"""An action with all that it takes, and the one place that reads and writes it as text: `volley:Bow`, `shove:prone`.

Only what people type, and what menus offer to be typed, is text; everything else passes an `Order` on.
Rule: BE-06, BE-11, BE-18, BE-19.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rules.core.command import Command
from rules.core.encounter import Encounter
from rules.core.model import Frozen, Names
from rules.core.typed.names import find_name, shown
from rules.systems.beacon import refusals

IMPROVISED = "improvised"
ATTACKS = ("volley", "fight", "shove", "grapple")
_CHOOSING = ("search", "shove", "rush")  # of these `using` chooses what is done; of others it names an ability
FULL_ATTACK = "full-attack"
REFRESH = "refresh"


class Order(Frozen):
    """A standard, minor or free action with all that it takes.

    `choice` is what `using` chose besides an ability, `then` the second choice of a Refresh. `halves` are a Full
    Attack's: two attacks, or the Slow ability's, whose targets are the order's own.
    """

    action: str
    ability: str | None = None
    choice: str | None = None
    then: str | None = None
    halves: tuple[Order, ...] = ()
    targets: Names = ()
    to: str | None = None
    amount: int | None = None
    note: str | None = None


@lru_cache(maxsize=1024)
def split(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())


def named_with(text: str) -> tuple[str, str]:
    """Return the two parts of a text as in `counterattack:Sword`; the second is empty where there is none."""
    head, _, rest = text.strip().partition(":")
    return head.strip(), rest.strip()


@lru_cache(maxsize=1024)
def parse_order(text: str) -> Order:
    """Read an action written as `volley:Bow`, `shove:prone` or `fight`. Rule: BE-18, BE-19."""
    head, rest = named_with(text)
    return _order(head.casefold().replace(" ", "-"), rest or None)


def _order(action: str, using: str | None) -> Order:
    if action == FULL_ATTACK:
        return Order(action=action, halves=read_halves(using))
    if action == REFRESH:
        choice, then = _two(using)
        return Order(action=action, choice=choice, then=then)
    if action in _CHOOSING:
        return Order(action=action, choice=None if using is None else using.casefold())
    return Order(action=action, ability=using)


@lru_cache(maxsize=1024)
def read_halves(text: str | None) -> tuple[Order, ...]:
    """Read a Full Attack: a Slow ability by its name, or two attacks. Rule: BE-18."""
    parts = split(text)
    if len(parts) == 1 and named_with(parts[0])[0].casefold() not in ATTACKS:
        return (Order(action="ability", ability=parts[0]),)
    return tuple(parse_order(part) for part in parts)


def _two(text: str | None) -> tuple[str | None, str | None]:
    """Read the two choices of a Refresh. Rule: BE-11."""
    parts = split((text or "").casefold())
    return (parts[0] if parts else None), ", ".join(parts[1:]) or None


def text_of(order: Order) -> str:
    """Write an action as `parse_order` reads it.

    >>> text_of(parse_order("full-attack:volley:Bow, shove:prone")), text_of(parse_order("Refresh: HP,reload"))
    ('full-attack:volley:Bow, shove:prone', 'refresh:hp, reload')
    """
    using = using_of(order)
    return f"{order.action}:{using}" if using else order.action


def using_of(order: Order) -> str:
    """Write what stands in `using`: an ability, choices, or the halves of a Full Attack."""
    if order.action == FULL_ATTACK:
        return texts_of(order.halves)
    return ", ".join(part for part in (order.ability, order.choice, order.then) if part)


def texts_of(halves: Sequence[Order]) -> str:
    return ", ".join(half.ability or "" if half.action == "ability" else text_of(half) for half in halves)


def named(state: Encounter, who: str, order: Order) -> Order:
    """Return the order with its ability spelled as on the sheet. Raises: Illegal for one that is unknown."""
    if order.ability is None:
        return order
    names = tuple(ability.name for ability in state.combatant(who).abilities)
    found = find_name(order.ability, names)
    if found is None:
        raise refusals.no_ability(
            who, order.ability[:40], rule="BE-05", instead=f"Abilities: {shown(names) or 'none'}."
        )
    return order.evolve(ability=found)


def order_from(state: Encounter, who: str, command: Command) -> Order:
    """Return the order that a command of a standard action gives. Raises: Illegal."""
    action = command.action
    if action in (FULL_ATTACK, REFRESH):
        order = _order(action, command.using)
    elif action in ("volley", "fight", "channel", "ability", "minor", "free"):
        order = Order(action=action, ability=None if command.using in (None, IMPROVISED) else command.using)
    else:
        order = Order(action=action, choice=None if command.using is None else command.using.casefold())
    targets = split(command.target)
    return named(state, who, order.evolve(targets=targets, to=command.to, amount=command.amount, note=command.note))
