"""Orders in advance (`/act … when:my-turn`): kept by the table, carried out when the turn comes.

An order is part of the state, so that undo takes it away and redo brings it back. It is tried on a copy first: what is
no longer legal is cancelled with a private word. It never answers a question that was not yet asked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.core.action import Offer
from rules.core.command import Command, command_words
from rules.core.encounter import Encounter, StandingOrder, Table
from rules.core.errors import Ambiguous, BrokenInvariant, Illegal, Malformed, Refusal
from rules.core.events import OrderDropped, OrderGiven, OrderWaits
from rules.core.names import resolve_name, resolve_names, shown
from rules.core.registry import system_of
from rules.core.rights import Role
from rules.core.step import Step
from rules.core.values import Plays, Seat
from rules.core.verbs.verb import Verb
from rules.core.view import offers_for
from rules.dice.source import Dice, SeededFaces

MY_TURN = "my-turn"
ORDERED = "ordered"  # marks the command by which an order is carried out
_NEVER_SEEN = bytes(32)  # dice of a trial: thrown away with it


def give(step: Step[Any], command: Command, now: Callable[[Step[Any], Command], str]) -> str:
    """Keep an order for the actor's next turn, or do it at once where that turn is now; return the actor.

    Raises: Refusal.
    """
    when = command.text("when") or ""
    if when.casefold() != MY_TURN:
        raise Malformed(f"{when[:40]} is no time for an order.", instead="when:my-turn is the only one.")
    state = _running(step)
    system = system_of(state)
    action = system.find_action(command.action)
    plain = command.evolve(args={key: value for key, value in command.args.items() if key not in {"when", "id"}})
    if action.answer:
        raise Illegal(
            f"{action.label} answers a question, and it has not been asked yet.",
            instead="A question is answered when it comes; the prompt has its buttons.",
        )
    if command.faces:
        raise Illegal("An order in advance takes no physical dice.", instead="It is rolled from your own command.")
    who = _actor(step, plain)
    system.actions.refuse_unknown(step, action, who)
    if has_turn(state, who) and system.actions.is_legal(state, who, action.id):
        return now(step, plain.evolve(character=who))
    order = StandingOrder(
        who=who,
        command=plain.evolve(action=action.id, character=who),
        by=step.seat.user or "",
        by_name=step.seat.name,
        interaction=str(command.args.get("id") or ""),
        targets=_named(state, plain.target, step.seat),
    )
    refusal = trial(step.table, order, with_turn=True)
    if isinstance(refusal, (Malformed, Ambiguous)):
        raise refusal
    step.secret = True
    step.emit(OrderGiven(order=order.evolve(probed=refusal is None)))
    step.tell("When it is {who}'s turn: {order}.", who=who, order=order_words(order), seen_by=readers(state, order))
    return who


def _named(state: Encounter, target: str | None, seat: Seat) -> tuple[str, ...]:
    """Return the combatants that a target names; what names something else is the system's to read."""
    if not target:
        return ()
    try:
        return resolve_names(target, state.visible_names(seat), "target")
    except Refusal:
        return ()


def carry_out(step: Step[Any], command: Command, now: Callable[[Step[Any], Command], str]) -> str:
    """Do what was ordered, now that the turn has come; return the actor. Raises: Refusal."""
    step.emit(OrderDropped(who=command.character or ""))
    return now(step, command)


def _actor(step: Step[Any], command: Command) -> str:
    state = step.state
    system = system_of(state)
    actors = tuple(who for who in system.actors(state) if system.plays(state, who, step.seat))
    if command.character is not None:
        visible = frozenset(state.visible_names(step.seat)) | (frozenset(system.actors(state)) - frozenset(state.names))
        who = resolve_name(command.character, [each for each in system.actors(state) if each in visible], "character")
        if who not in actors:
            raise Illegal(f"{who} is not yours.", rule="G-03", instead="Only its player, a stand-in or the GM acts.")
        return who
    own = [who for who in actors if system.plays(state, who, step.seat) is Plays.OWN]
    if len(own) == 1:
        return own[0]
    if not actors:
        raise Illegal("You have no character here.", rule="G-03", instead="/join brings one in.")
    named = tuple(own or actors)
    raise Ambiguous("Several could be meant.", candidates=named, instead=f"Say which with character: {shown(named)}.")


def drop(step: Step[Any], command: Command) -> None:
    """Take an order back. Args: reason (why the referee does it)."""
    state = _running(step)
    own = {order.who: order for order in state.orders if _is_theirs(state, order, step.seat)}
    if not own:
        raise Illegal("There is no order of yours.", instead="/act … when:my-turn gives one.")
    named = command.character or (next(iter(own)) if len(own) == 1 else "")
    who = resolve_name(named, tuple(own), "one with an order")
    step.secret = True
    cancel(step, own[who], command.text("reason"))


def _is_theirs(state: Encounter, order: StandingOrder, seat: Seat) -> bool:
    return seat.user is None or system_of(state).reads_orders(state, order.who, seat)


def cancel(step: Step[Any], order: StandingOrder, reason: str | None = None) -> None:
    """Cancel an order with a word to those who may read it."""
    seen_by = readers(step.state, order)
    step.emit(OrderDropped(who=order.who))
    if reason is None:
        step.tell("{who}'s order is taken back: {order}.", who=order.who, order=order_words(order), seen_by=seen_by)
    else:
        words = "{who}'s order is cancelled: {order}. {reason}"
        step.tell(words, who=order.who, order=order_words(order), reason=reason.replace("**", ""), seen_by=seen_by)


def review(step: Step[Any]) -> None:
    """Cancel what is no longer legal. An order for another phase of the turn waits for it, once round."""
    active = step.table.active
    if active is None or not active.orders or active.status != "running":
        return
    for order in active.orders:
        state = step.state
        if order.who not in system_of(state).actors(state):
            cancel(step, order, f"{order.who} is gone.")
            continue
        gone = [name for name in order.targets if name not in state.names]
        if gone:
            cancel(step, order, f"{shown(gone)} {'is' if len(gone) == 1 else 'are'} gone.")
            continue
        turn = has_turn(state, order.who)
        if not turn and not order.probed:
            continue
        refusal = trial(step.table, order, with_turn=not turn)
        if refusal is None or isinstance(refusal, BrokenInvariant):
            continue
        if turn and isinstance(refusal, Illegal) and state.phase is not None:
            if state.phase not in order.refused_in:
                step.emit(OrderWaits(who=order.who, phase=state.phase, round=state.round))
                continue
            if state.round == order.round and state.phase == order.refused_in[-1]:
                continue  # the same phase, still
        cancel(step, order, str(refusal))


def has_turn(state: Encounter, who: str) -> bool:
    """Tell whether an actor's turn is now; while a question is open nobody's is."""
    return not state.held_up(who) and who in system_of(state).waits_for(state)


def due_order(table: Table) -> StandingOrder | None:
    """Return the order that is to be carried out now: its turn has come, and it is legal."""
    state = table.active
    if state is None or state.status != "running":
        return None
    return next(
        (
            order
            for order in state.orders
            if has_turn(state, order.who) and trial(table, order, with_turn=False) is None
        ),
        None,
    )


def on_turn(table: Table, who: str) -> Table | None:
    """Return the table as if an actor's turn were now.

    None where that cannot be told: what would be drawn or rolled as the turn begins is nobody's to see yet.
    """
    if table.active is not None and table.active.lurker(who) is not None:
        return None  # the GM acts for whom players do not know when their place comes
    scratch: Step[Any] = Step(table, Seat(gm=True), Dice(SeededFaces(_NEVER_SEEN, "trial")))
    try:
        system_of(scratch.state).rule_turn(scratch, who)
    except Refusal:
        return None
    return scratch.table if has_turn(scratch.state, who) and not scratch.dice.records else None


def offers_on_turn(table: Table, who: str, seat: Seat) -> tuple[Offer, ...]:
    """Return what an actor could do if its turn were now, as this seat may know; no answers to questions."""
    ahead = on_turn(table, who)
    if ahead is None or ahead.active is None:
        return ()
    answers = {action.id for action in system_of(ahead.active).actions.all if action.answer}
    return tuple(offer for offer in offers_for(ahead, who, seat) if offer.action not in answers)


def trial(table: Table, order: StandingOrder, *, with_turn: bool) -> Refusal | BrokenInvariant | None:
    """Try an order on a copy: None where it would be accepted, the refusal, or BrokenInvariant where none can tell.

    `with_turn`: as if the actor's turn were now.
    """
    ahead = on_turn(table, order.who) if with_turn else table
    if ahead is None:
        return BrokenInvariant("the turn cannot be given for a trial")
    owner = None if ahead.active is None else owner_of(ahead.active, order.who)
    scratch: Step[Any] = Step(ahead, Seat(user=owner or order.by, gm=True), Dice(SeededFaces(_NEVER_SEEN, "trial")))
    try:
        system_of(scratch.state).actions.perform(scratch, order.command, lambda _who, _seat: Plays.OWN)
    except Refusal as refusal:
        return refusal
    return None


def readers(state: Encounter, order: StandingOrder) -> tuple[str, ...]:
    """Return who may know of an order: whoever gave it, its owner, and the GMs who play no side (play.md 5)."""
    system = system_of(state)
    if order.who not in system.actors(state):
        return (order.by,)
    gms = (gm for gm in state.gms if system.reads_orders(state, order.who, Seat(user=gm, gm=True)))
    return tuple(dict.fromkeys(user for user in (order.by, owner_of(state, order.who), *gms) if user))


def owner_of(state: Encounter, who: str) -> str | None:
    """Return the user whose actor this is; None where it is the GMs'."""
    combatant = state.find(who)
    return None if combatant is None else combatant.owner


def order_words(order: StandingOrder) -> str:
    """Return an order in words: `attack Goblin using Bow`."""
    return command_words(order.command)


def _running(step: Step[Any]) -> Encounter:
    state: Encounter = step.state
    if state.status != "running":
        raise Illegal("The encounter has not begun.", instead="/encounter begin opens it.")
    return state


VERBS = (Verb("order drop", drop, Role.ANYONE),)  # one's own, or any for a GM
