"""Orders and answers in advance as they are kept: whose they are, who may know of them, taken back or cancelled."""

from __future__ import annotations

from typing import Any

from rules.core import refusals
from rules.core.command import Command, command_words
from rules.core.encounter import Encounter, StandingOrder
from rules.core.registry import system_of
from rules.core.several import several
from rules.core.step import Step
from rules.core.typed.names import resolve_name
from rules.core.values import Plays, Seat
from rules.errors import Refusal

NUMBER = "order"  # which order a command carries out or takes back
MOST_ORDERS = 10  # of one actor


def new_order(step: Step[Any], command: Command, when: str) -> StandingOrder:
    """Return an order of the one who types it."""
    action = system_of(step.state).actions.find(command.action)
    return StandingOrder(
        who=command.character or "",
        command=command,
        by=step.seat.user or "",
        by_name=step.seat.name,
        interaction=step.interaction,
        targets=_named(step.state, command.target, step.seat),
        number=step.state.next_order,
        when=when,
        label=action.label,
        words=action.pattern,
    )


def keep(step: Step[Any], order: StandingOrder) -> None:
    """Keep an order, which nobody else learns."""
    step.secret = True
    orders = (*step.state.orders, order)
    step.change(orders=orders, next_order=max(step.state.next_order, order.number + 1))


def drop_order(step: Step[Any], who: str, number: int) -> None:
    """Let go of an order: it is carried out, taken back, or cancelled."""
    step.change(orders=tuple(order for order in step.state.orders if (order.who, order.number) != (who, number)))


def _named(state: Encounter, target: str | None, seat: Seat) -> tuple[str, ...]:
    """Return the combatants that a target names; what names something else is the system's to read."""
    if not target:
        return ()
    try:
        return several(state, target, state.visible_names(seat), "target")
    except Refusal:
        return ()


def actor_of(step: Step[Any], command: Command) -> str:
    """Return the actor that an order is for: as named, or one's only one. Raises: Refusal."""
    state = step.state
    system = system_of(state)
    actors = tuple(who for who in system.actors(state) if system.plays(state, who, step.seat))
    if command.character is not None:
        visible = frozenset(state.visible_names(step.seat)) | (frozenset(system.actors(state)) - frozenset(state.names))
        who = resolve_name(
            command.character, [actor for actor in system.actors(state) if actor in visible], "character"
        )
        if who not in actors:
            raise refusals.not_yours(who)
        return who
    own = [who for who in actors if system.plays(state, who, step.seat) is Plays.OWN]
    if len(own) == 1:
        return own[0]
    if not actors:
        raise refusals.no_character()
    named = tuple(own or actors)
    raise refusals.several_meant(named)


def cancel(step: Step[Any], order: StandingOrder, reason: str | None = None) -> None:
    """Cancel an order and tell those who may read it."""
    if not any(other.number == order.number and other.who == order.who for other in step.state.orders):
        return
    seen_by = readers(step.state, order)
    drop_order(step, order.who, order.number)
    if reason is None:
        step.tell("{who} takes back an order: {order}.", who=order.who, order=order_words(order), seen_by=seen_by)
    else:
        words = "{who}'s order is cancelled: {order}. {reason}"
        step.tell(words, who=order.who, order=order_words(order), reason=reason.replace("**", ""), seen_by=seen_by)


def readers(state: Encounter, order: StandingOrder) -> tuple[str, ...]:
    """Return who may know of an order: its author, its owner, and the GMs who play no side (play 5)."""
    system = system_of(state)
    if order.who not in system.actors(state):
        return (order.by,)
    gms = (gm for gm in state.gms if system.reads_orders(state, order.who, Seat(user=gm, gm=True)))
    return tuple(dict.fromkeys(user for user in (order.by, owner_of(state, order.who), *gms) if user))


def owner_of(state: Encounter, who: str) -> str | None:
    """Return the user whose actor this is; None if it is the GMs'."""
    combatant = state.find(who)
    return None if combatant is None else combatant.owner


def order_words(order: StandingOrder) -> str:
    """Return an order in words: `attack Goblin with Bow`."""
    return command_words(order.command, order.label, order.words)


def running(step: Step[Any]) -> Encounter:
    """Return the encounter that runs. Raises: Illegal."""
    state: Encounter = step.state
    if state.status != "running":
        raise refusals.not_begun()
    return state
