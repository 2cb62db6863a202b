"""Orders in advance (`/act … when:`): kept by the table, carried out when the turn comes, or the question.

An order is part of the state, so that undo takes it away and redo brings it back. Several for one's turn are a list,
done one after the other until one is no longer legal: the rest is cancelled with a private word. Each is tried on a
copy first. Answers in advance (`rules.core.commands.ahead`) are given and taken back here too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from rules.core import refusals
from rules.core.board.fog import as_seen
from rules.core.command import Command, command_words
from rules.core.commands import ahead
from rules.core.commands.order_book import (
    MOST_ORDERS,
    NUMBER,
    actor_of,
    cancel,
    drop_order,
    keep,
    new_order,
    order_words,
    owner_of,
    readers,
    running,
)
from rules.core.commands.rights import Role
from rules.core.commands.spec import CommandSpec
from rules.core.encounter import IF_ASKED, MY_TURN, STANDING, THIS_ROUND, Encounter, StandingOrder, Table
from rules.core.offer import Offer
from rules.core.registry import system_of
from rules.core.space.board import Unseen
from rules.core.step import Step
from rules.core.trial import copied, tried
from rules.core.turns.questions import settle
from rules.core.typed.names import resolve_name, shown
from rules.core.values import Seat
from rules.core.views.view import offers_for
from rules.core.views.whole import WholeAction, ways_of, whole_actions
from rules.dice.source import Draw
from rules.errors import Ambiguous, BrokenInvariant, Illegal, Malformed, Refusal

ORDERED = "ordered"  # marks the command that carries out an order
MOST_CLAIMS = 3


def give(step: Step[Any], command: Command, now: Callable[[Step[Any], Command], str]) -> str:
    """Keep an order, or do it at once if its time is now; return the actor. Raises: Refusal."""
    when = resolve_name((command.text("when") or "").replace(" ", "-"), (MY_TURN, IF_ASKED, *STANDING), "time")
    state = running(step)
    if command.faces:
        raise Illegal(
            "You can't type physical dice for an order in advance.",
            instead="Your own command rolls it when its time comes.",
        )
    plain = command.evolve(args={key: value for key, value in command.args.items() if key != "when"})
    if when != MY_TURN:
        return ahead.give(step, plain, when, now)
    system = system_of(state)
    plain = _with_its_action(step, plain)
    action = system.actions.find(plain.action)
    if action.answer and not action.unasked:
        raise Illegal(
            f"{action.label} answers a question, and nobody has asked it yet.",
            instead=f"To answer the first time that you can, use when:{IF_ASKED}; to let a whole round pass, use "
            f"when:{THIS_ROUND}.",
        )
    if action.off_turn:
        raise Illegal(
            f"{action.label} never happens on your own turn, so this order would wait forever.",
            rule=action.rule,
            instead="Do it when the prompt offers it.",
        )
    who = actor_of(step, plain)
    system.actions.refuse_unknown(step, action, who)
    listed = state.turn_orders(who)
    if not listed and has_turn(state, who) and _is_legal_now(step.table, who, action.id):
        return _on_claimed_turn(step, who, plain.evolve(action=action.id, character=who), now)
    if len(listed) >= MOST_ORDERS:
        raise refusals.too_many_orders(who, len(listed))
    order = new_order(step, plain.evolve(action=action.id, character=who), MY_TURN)
    refusal, phase = _tried(step.table, (*listed, order), with_turn=True)
    if isinstance(refusal, (Malformed, Ambiguous)):
        raise refusal
    order = order.evolve(probed=refusal is None, phase=phase)
    named = system.order_phase(state, order)
    waits = named is not None and phase is not None and isinstance(refusal, Illegal)
    keep(step, order.evolve(refused_in=(phase,), round=state.round) if waits else order)
    where = None if named is None else named.upper()
    words = ("Then, when" if listed else "When") + " it is {who}'s turn" + (" in {phase}: " if where else ": ")
    step.tell(words + "{order}.", who=who, phase=where, order=order_words(order), seen_by=readers(state, order))
    if waits and refusal is not None:
        _say_why_it_waits(step, order, str(refusal))
    return who


def _with_its_action(step: Step[Any], command: Command) -> Command:
    """Read a power's name in the place of the action that uses it, in whichever phase. Raises: Malformed."""
    system = system_of(step.state)
    try:
        system.actions.find(command.action)
    except Malformed:
        who = actor_of(step, command)
        found = system.actions.using(step.state, who, command.action.strip())
        if found is None or command.using is not None:
            raise
        return command.evolve(action=found[0], using=found[1])
    return command


def _say_why_it_waits(step: Step[Any], order: StandingOrder, why: str) -> None:
    """Tell those who may know of an order why it is not done in the turn that is planned, and what to do."""
    words = "{who}'s order waits: {order}. {why} Another plan, or another order, can change that."
    why = why.replace("**", "")
    step.tell(words, who=order.who, order=order_words(order), why=why, seen_by=readers(step.state, order))


def carry_out(step: Step[Any], command: Command, now: Callable[[Step[Any], Command], str]) -> str:
    """Do what was ordered, now that the turn has come; return the actor. Raises: Refusal."""
    who = command.character or ""
    drop_order(step, who, command.number(NUMBER) or 0)
    return _on_claimed_turn(step, who, command, now)


def _on_claimed_turn(step: Step[Any], who: str, command: Command, now: Callable[[Step[Any], Command], str]) -> str:
    """Act, the turn claimed if it must be; return the actor. Raises: Refusal.

    What the claim draws stays drawn if the action fails: else refusals would tell what lies on the pile.
    """
    _claim(step, who, command.action)
    if any(isinstance(record, Draw) for record in step.dice.records):
        refusal = tried(step.table, lambda scratch: now(scratch, command), step.seat)[1]
        if isinstance(refusal, Malformed):
            raise refusal  # whatever was drawn
        if refusal is not None:
            args = {key: value for key, value in command.args.items() if key not in (ORDERED, NUMBER)}
            meant = system_of(step.state).actions.find(command.action)
            action = command_words(command.evolve(args=args), meant.label, meant.pattern)
            reason = str(refusal).replace("**", "")
            words = "{who} does not do it: {action}. {reason}"
            step.tell(words, who=who, action=action, reason=reason, seen_by=_readers(step, who))
            step.unsaid = True
            for order in step.state.turn_orders(who):
                cancel(step, order, f"It depends on this coming first: {action}.")
            return who
    return now(step, command)


def _readers(step: Step[Any], who: str) -> tuple[str, ...]:
    """Return who reads why an action fails: its owner, and who commands it."""
    return tuple(user for user in dict.fromkeys((step.seat.user, owner_of(step.state, who))) if user)


def _claim(step: Step[Any], who: str, action: str) -> None:
    """Begin a turn that must be claimed, if the action is not legal before. Raises: Refusal."""
    for _ in range(MOST_CLAIMS):
        system = system_of(step.state)
        is_ready = step.state.find(who) is None or system.actions.is_legal(step.state, who, action)
        claims = () if is_ready else system.actions.claims
        claim = system.first_of(step.state, who, *claims)
        if claim is None:
            return
        system.actions.perform(step, claim)
        settle(step)


def drop(step: Step[Any], command: Command) -> None:
    """Take an order back, or all of an actor. Args: number (which), reason (why the referee does it)."""
    state = running(step)
    theirs = tuple(order for order in state.orders if _is_theirs(state, order, step.seat))
    if not theirs:
        raise Illegal("You have no order like that.", instead="Give one with /act … when:my-turn.")
    number = command.number(NUMBER)
    if number is not None:
        standing_orders = tuple(order for order in theirs if order.number == number)
        if not standing_orders:
            raise Illegal("That order is gone.", instead="/turn shows your orders.")
    else:
        owners = tuple(dict.fromkeys(order.who for order in theirs))
        who = resolve_name(command.character or (owners[0] if len(owners) == 1 else ""), owners, "one with an order")
        standing_orders = tuple(order for order in theirs if order.who == who)
    step.secret = True
    cancel(step, standing_orders[0], command.text("reason"))
    if command.text("reason") is not None and standing_orders[0].probed:
        _cancel_rest(step, standing_orders[0])
    for order in standing_orders[1:]:
        cancel(step, order)


def _is_theirs(state: Encounter, order: StandingOrder, seat: Seat) -> bool:
    return seat.user is None or system_of(state).reads_orders(state, order.who, seat)


def _cancel_rest(step: Step[Any], first: StandingOrder) -> None:
    """Cancel what was to be done after an order that is cancelled."""
    if first.when != MY_TURN:
        return
    for order in step.state.turn_orders(first.who):
        if order.number > first.number:
            cancel(step, order, f"It depends on this coming first: {order_words(first)}.")


def review(step: Step[Any]) -> None:
    """Cancel what is no longer legal. An order for another phase of the turn waits for it, once round."""
    active = step.table.active
    if active is None or not active.orders or active.status != "running":
        return
    for order in active.orders:
        if order not in step.state.orders:
            continue  # cancelled with an earlier one
        why = _hindrance(step, order)
        if why is not None:
            cancel(step, order, why)
            if order.probed:  # the rest was to come after it; what could never be done leads to nothing
                _cancel_rest(step, order)


def _hindrance(step: Step[Any], order: StandingOrder) -> str | None:
    """Return why an order is to be cancelled, if so; let it wait for another phase of the turn."""
    state = step.state
    if order.who not in system_of(state).actors(state):
        return f"{order.who} is gone."
    gone = [name for name in order.targets if name not in state.names]
    if gone:
        return f"{shown(gone)} {'is' if len(gone) == 1 else 'are'} gone."
    if order.when != MY_TURN or order != state.turn_orders(order.who)[0]:
        return None
    turn = has_turn(state, order.who)
    if not turn and not order.probed:
        return None
    refusal, phase = _tried(step.table, (order,), with_turn=not turn)
    if refusal is None or isinstance(refusal, BrokenInvariant):
        return None
    if not turn:
        if phase == order.phase:
            return str(refusal)
        if phase and phase not in order.refused_in and system_of(state).order_phase(state, order) is not None:
            _wait(step, order, phase)
            _say_why_it_waits(step, order, str(refusal))
        return None  # what another phase forbids says nothing
    if isinstance(refusal, Illegal) and state.phase is not None:
        if state.phase not in order.refused_in:
            _wait(step, order, state.phase)
            if system_of(state).order_phase(state, order) is not None:
                _say_why_it_waits(step, order, str(refusal))
            return None
        if state.round == order.round and state.phase == order.refused_in[-1]:
            return None  # the same phase, still
    return str(refusal)


def _wait(step: Step[Any], order: StandingOrder, phase: str) -> None:
    """Let an order wait that does not fit this phase of the turn."""
    waits = order.evolve(refused_in=(*order.refused_in, phase), round=step.state.round)
    step.change(orders=tuple(waits if each == order else each for each in step.state.orders))


def has_turn(state: Encounter, who: str) -> bool:
    """Tell whether an actor's turn is now; while a question is open nobody's is."""
    return not state.held_up(who) and who in system_of(state).waits_for(state)


def due_order(table: Table) -> StandingOrder | None:
    """Return the order that is to be carried out now: its turn has come, and it is legal."""
    state = table.active
    if state is None or state.status != "running":
        return None
    first: dict[str, StandingOrder] = {}
    for order in state.orders:
        if order.when == MY_TURN:
            first.setdefault(order.who, order)
    return next(
        (
            order
            for order in first.values()
            if has_turn(state, order.who) and _tried(table, (order,), with_turn=False)[0] is None
        ),
        None,
    )


def _is_legal_now(table: Table, who: str, action: str) -> bool:
    """Tell whether an action would be legal now, with the turn claimed if need be."""
    state = table.active
    if state is None:
        return False
    if system_of(state).actions.is_legal(state, who, action):
        return True
    scratch, refusal = tried(table, lambda scratch: _claim(scratch, who, action))
    return refusal is None and system_of(scratch.state).actions.is_legal(scratch.state, who, action)


def on_turn(table: Table, who: str, seat: Seat) -> Table | None:
    """Return the table as if an actor's turn were now, as far as it can be told: without what the turn will draw.

    What was ordered before is done, as far as it is sure and this seat may know of it. None if what would be rolled
    as the turn begins decides what it offers, if no more can be ordered, and for who is no combatant.
    """
    state = table.active
    if state is None or state.find(who) is None:
        return None
    listed = state.turn_orders(who) if system_of(state).reads_orders(state, who, seat) else ()
    there = None if len(listed) >= MOST_ORDERS else _at_turn(table, who, system_of(state).to_told_turn)
    return there if there is None or not listed else _after(there, listed, seat)


def _after(table: Table, orders: Sequence[StandingOrder], seat: Seat) -> Table:
    """Return the table after orders that roll nothing, ask nobody and leave the turn; else as it is before the first.

    What their owner does not know has no part in it: a menu that knew of a hidden wall would tell of it.
    """
    known = table.evolve(encounter=_as_owned(table.encounter, seat))
    for order in orders:
        scratch, refusal = tried(known, partial(_carried_out, order=order), Seat(user=seat.user, gm=True))
        after = scratch.table.active
        if refusal is not None or after is None or after.status != "running" or after.over is not None:
            break
        if scratch.dice.records or after.questions or not has_turn(after, order.who):
            break
        known = scratch.table
        table = known
    return table


def _carried_out(step: Step[Any], order: StandingOrder) -> None:
    _claim(step, order.who, order.command.action)
    system_of(step.state).actions.perform(step, order.command)
    settle(step)


def _as_owned(state: Encounter, seat: Seat) -> Encounter:
    """Return the state without what a player does not know: who hides, what lies hidden, what fog covers."""
    if seat.gm:
        return state
    board = None if state.board is None else state.board.evolve(unseen=Unseen())
    return as_seen(state.evolve(hidden=(), board=board), seat)


def _on_trial(table: Table, who: str, ordered: StandingOrder) -> Table | None:
    """Return the same for a trial, in the phase that what is `ordered` for it plans; None if anything is drawn."""
    return _at_turn(table, who, system_of(table.active).to_next_turn, ordered) if table.active is not None else None


def _at_turn(
    table: Table, who: str, bring: Callable[[Step[Any], str], None], ordered: StandingOrder | None = None
) -> Table | None:
    if table.active is not None and table.active.hidden_named(who) is not None:
        return None  # the GM acts for combatants hidden from players when their place comes

    def bring_there(step: Step[Any]) -> None:
        if ordered is not None:
            keep(step, ordered)
        step.close(*step.state.questions)  # what is asked now is over by then
        bring(step, who)

    scratch, refusal = tried(table, bring_there)
    is_sure = refusal is None and has_turn(scratch.state, who) and not scratch.dice.records
    return scratch.table if is_sure else None


def offers_on_turn(table: Table, who: str, seat: Seat) -> tuple[Offer, ...]:
    """Return what an actor could do if its turn were now, as this seat may know; no answers to questions."""
    ahead = on_turn(table, who, seat)
    return () if ahead is None else _of_turn(ahead, who, seat)


def _of_turn(table: Table, who: str, seat: Seat) -> tuple[Offer, ...]:
    if table.active is None:
        return ()
    answers = {action.id for action in system_of(table.active).actions.all if action.answer}
    return tuple(offer for offer in offers_for(table, who, seat) if offer.action not in answers)


def wholes_on_turn(table: Table, who: str, seat: Seat) -> tuple[WholeAction, ...]:
    """Return the same with all that each takes, the most useful first."""
    ahead = on_turn(table, who, seat)
    return () if ahead is None else whole_actions(ahead, who, seat, _of_turn(ahead, who, seat))


def ways_on_turn(table: Table, offer: Offer, seat: Seat) -> tuple[WholeAction, ...]:
    """Return every way to do what is offered for an actor's turn."""
    ahead = on_turn(table, offer.who, seat)
    return () if ahead is None else ways_of(ahead, offer)


def _tried(
    table: Table, orders: Sequence[StandingOrder], *, with_turn: bool
) -> tuple[Refusal | BrokenInvariant | None, str | None]:
    """Try orders of one actor on a copy, one after the other, and return what becomes of the last, with its phase.

    None if it would be accepted, the refusal, or BrokenInvariant if none can tell. `with_turn`: as if the actor's
    turn were now.
    """
    last = orders[-1]
    start = _on_trial(table, last.who, orders[0]) if with_turn else table
    if start is None or start.active is None:
        return BrokenInvariant("the turn cannot be given for a trial"), None
    owner = owner_of(start.active, last.who)
    scratch = copied(start, Seat(user=owner or last.by, gm=True))
    phase = scratch.state.phase
    for order in orders:
        phase = scratch.state.phase
        try:
            _claim(scratch, order.who, order.command.action)
            if any(isinstance(record, Draw) for record in scratch.dice.records):
                return (None if order is last else BrokenInvariant("what would be drawn is not known")), phase
            if not has_turn(scratch.state, order.who):
                return BrokenInvariant("it waits for others, or for another turn"), phase
            system_of(scratch.state).actions.perform(scratch, order.command)
        except Refusal as refusal:
            return (refusal if order is last else BrokenInvariant("an earlier order fails")), phase
        if order is not last:
            settle(scratch)
            if scratch.state.status != "running" or scratch.state.over is not None:
                return BrokenInvariant("the fight would be over"), phase
    return None, phase


COMMAND_SPECS = (CommandSpec("order drop", drop, Role.ANYONE),)  # your own, or any for a GM
