"""Answers in advance: `when:if-asked` answers the first time that it can, `this-round` and so on let pass for longer.

They are kept like orders. Who lets pass is asked quietly: the name is among those asked until a stored moment, as
with everybody who is passed silently; only the ping is missing (play 5).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.core import refusals
from rules.core.action import QUESTION, Action
from rules.core.command import Command
from rules.core.commands.acting import ALL_MINE, names_several
from rules.core.commands.order_book import (
    MOST_ORDERS,
    actor_of,
    cancel,
    drop_order,
    keep,
    new_order,
    order_words,
    readers,
)
from rules.core.encounter import (
    IF_ASKED,
    STANDING,
    UNLESS_ME,
    Encounter,
    StandingOrder,
    Table,
    is_over,
    lets_pass,
    since,
)
from rules.core.offer import TAKEN, Offer
from rules.core.registry import system_of
from rules.core.step import Step
from rules.core.trial import tried
from rules.core.typed.names import shown
from rules.core.values import Plays, Question, Sealed, Seat
from rules.core.views.whole import WholeAction, ways_of
from rules.errors import Illegal, Malformed

_PASSES = ("decline", "pass")  # words for letting pass, in whichever system
_HOW_LONG = {"this-turn": "in this turn", "this-round": "in this round", "this-fight": "in this fight"}


def give(step: Step[Any], command: Command, when: str, now: Callable[[Step[Any], Command], str]) -> str:
    """Keep an answer in advance, or give it at once if it is asked for now; return the actor. Raises: Refusal."""
    action = _answer(step.state, command.action, when)
    plain = command.evolve(action=action.id, note=_note(step.state, action, command, when))
    _refuse_more(action, plain, when)
    if command.character is None or not names_several(command.character):
        named: tuple[str, ...] = (actor_of(step, plain),)
    elif command.character.strip() == ALL_MINE:
        named = _all_mine(step, action, plain.note, when)
    else:
        named = tuple(actor_of(step, plain.evolve(character=part)) for part in command.character.split(","))
    kept: list[StandingOrder] = []
    for who in named:
        system_of(step.state).actions.refuse_unknown(step, action, who)
        order = _keep_one(step, plain.evolve(character=who), action, when)
        kept += [] if order is None else [order]
    _tell_kept(step, kept, action, when)
    asked = [who for who in named if _is_asked(step.state, who, action, plain.note)]
    if asked:
        now(step, plain.evolve(character=", ".join(asked), note=plain.note if when == IF_ASKED else None))
    return ", ".join(named)


def _note(state: Encounter, action: Action[Any], command: Command, when: str) -> str | None:
    """Return how far an answer says that it goes; a pass for longer goes as far as the system's own words."""
    own = action.params(state, command.character or "", None) if when in STANDING and action.passes else ()
    said = {choice for param in own if param.name == "note" for choice in param.choices or ()} - {UNLESS_ME}
    return None if command.note in said else command.note


def _all_mine(step: Step[Any], action: Action[Any], note: str | None, when: str) -> tuple[str, ...]:
    """Return everybody that somebody acts for; of an answer for once those who are asked now, if any are."""
    system = system_of(step.state)
    mine = [who for who in system.actors(step.state) if system.plays(step.state, who, step.seat) is Plays.OWN]
    if not mine:
        raise refusals.no_character()
    asked = () if when in STANDING else tuple(who for who in mine if _is_asked(step.state, who, action, note))
    return asked or tuple(mine)


def _is_asked(state: Encounter, who: str, action: Action[Any], note: str | None) -> bool:
    """Tell whether somebody has still to answer what such an answer is meant for."""
    question = state.question_to(who, action.id)
    return question is not None and not question.answered and lets_pass(note, question)


def _keep_one(step: Step[Any], command: Command, action: Action[Any], when: str) -> StandingOrder | None:
    who = command.character or ""
    if when == IF_ASKED and _is_asked(step.state, who, action, command.note):
        return None  # it is given now
    for order in step.state.orders:
        is_same = order.who == who and order.when in STANDING and order.command.action == action.id
        if when in STANDING and is_same:
            drop_order(step, who, order.number)
    held = [order for order in step.state.orders if order.who == who]
    if len(held) >= MOST_ORDERS:
        raise refusals.too_many_orders(who, len(held))
    mark = system_of(step.state).turn_mark(step.state)
    order = new_order(step, command, when).evolve(since=since(step.state, when, mark) if when in STANDING else "")
    keep(step, order)
    return order


def _tell_kept(step: Step[Any], kept: list[StandingOrder], action: Action[Any], when: str) -> None:
    """Say what is kept, of everybody that the same people may know of in one line."""
    told: dict[tuple[str, ...], list[StandingOrder]] = {}
    for order in kept:
        told.setdefault(readers(step.state, order), []).append(order)
    for seen_by, orders in told.items():
        who, first = ", ".join(order.who for order in orders), orders[0]
        if when == IF_ASKED:
            step.tell("If {who} is asked: {order}.", who=who, order=order_words(first), seen_by=seen_by)
            continue
        verb = "lets" if len(orders) == 1 else "let"
        unless = ", unless it is aimed at {who}" if first.command.note == UNLESS_ME else ""
        words = f"{{who}} {verb} pass what is asked {_HOW_LONG[when]}: {{order}}{unless}."
        step.tell(words, who=who, order=action.label.casefold(), seen_by=seen_by)


def possible(state: Encounter, who: str) -> tuple[Offer, ...]:
    """Return what may be said now for somebody who is not asked: what they answer, and what lets pass."""
    return (*answers(state, who), *passes(state, who))


def passes(state: Encounter, who: str) -> tuple[Offer, ...]:
    """Return what lets pass whatever somebody may be asked, as far as a menu offers it."""
    return tuple(
        Offer(action=action.id, who=who, label=action.label)
        for action in _actions(state, who)
        if _is_pass(action) and action.ahead(state, who) is not None
    )


def _actions(state: Encounter, who: str) -> tuple[Action[Any], ...]:
    """Return what may be said ahead at all; a GM without turns, who is only asked, says nothing."""
    system = system_of(state)
    return system.actions.all if system.gm_has_turns or state.find(who) is not None else ()


def _is_pass(action: Action[Any]) -> bool:
    return action.answer and (action.passes or (action.default_answer is not None and not action.unasked))


def answers(state: Encounter, who: str) -> tuple[Offer, ...]:
    """Return what somebody may say now that they answer the first time that they can, with what that takes."""
    offers = []
    for action in _actions(state, who):
        params = None if _is_pass(action) else action.ahead(state, who)
        if params is not None and not any(param.required and param.choices == () for param in params):
            offers.append(Offer(action=action.id, who=who, label=action.label, params=params))
    return tuple(offers)


def answers_offered(state: Encounter, who: str, seat: Seat) -> tuple[Offer, ...]:
    """Return the same as a menu offers it: nothing if no more can be kept, as far as this seat may know that."""
    held = sum(order.who == who for order in state.orders)
    is_full = held >= MOST_ORDERS and system_of(state).reads_orders(state, who, seat)
    return () if is_full else answers(state, who)


def answer_ways(table: Table, offer: Offer) -> tuple[WholeAction, ...]:
    """Return every way to say what somebody answers the first time that they can, in words that say when."""
    said = (f"[, {param.label} {{{param.name}}}]" for param in offer.params if param.name != "using")
    pattern = f"{{label}}[ with {{using}}]{''.join(said)}"
    return tuple(way._replace(pattern=pattern) for way in ways_of(table, offer, is_ahead=True))


def _answer(state: Encounter, text: str, when: str) -> Action[Any]:
    """Return the answer that is meant, in which `decline` is what lets pass. Raises: Malformed, Ambiguous, Illegal."""
    actions = system_of(state).actions
    default_answer = tuple(action for action in actions.all if action.answer and action.default_answer is not None)
    word = text.casefold()
    passes = next((action for action in default_answer if action.passes), None)
    if word in _PASSES and passes is not None and (word not in actions.by_id or not actions.by_id[word].answer):
        return passes
    action = actions.find(text)
    if not action.answer and not _is_asked_for(state, action):
        raise Illegal(
            f"{action.label} is not an answer to a question.", instead="To order it for your turn, use when:my-turn."
        )
    if when in STANDING and action not in default_answer:
        possible = shown(each.id for each in default_answer)
        raise Illegal(
            f"{action.label} can't be ordered for longer than that.",
            instead=f"Possible: {possible}." if possible else None,
        )
    return action


def _is_asked_for(state: Encounter, action: Action[Any]) -> bool:
    """Tell whether something that is done unasked as well may be an answer to somebody."""
    return any(action.ahead(state, who) is not None for who in system_of(state).actors(state))


def _refuse_more(action: Action[Any], command: Command, when: str) -> None:
    """Refuse what an answer does not take, which would keep it from ever being legal. Raises: Malformed."""
    if when in STANDING and command.note not in (None, UNLESS_ME):
        raise Malformed(
            f"{str(command.note)[:40]} means nothing here.", instead=f"Write note:{UNLESS_ME}, or leave out note."
        )
    taken = ("note",) if when in STANDING else action.takes
    for name in TAKEN:
        if name not in taken and getattr(command, name) not in (None, ""):
            raise Malformed(f"{action.label} can't take {name}.", instead=f"It takes {shown(taken) or 'nothing more'}.")


def review(step: Step[Any]) -> None:
    """Let go of what has had its time, and use the answers in advance of those who are asked now."""
    active = step.table.active
    if active is None or active.status != "running" or not active.orders:
        return
    mark = system_of(active).turn_mark(active)
    for order in active.orders:
        if is_over(active, order, mark):
            drop_order(step, order.who, order.number)
    for order in active.orders:
        if order.when == IF_ASKED:
            _use(step, order)


def _use(step: Step[Any], order: StandingOrder) -> None:
    """Seal an answer in advance to the first question that it is a legal answer to; it counts in its place."""
    for question in step.state.questions:
        if question.who != order.who or question.answered or order.command.action not in question.choices:
            continue
        if not lets_pass(order.command.note, question):
            continue
        if _is_legal(step, order, question):
            sealed = Sealed(command=order.command, by=order.by, by_name=order.by_name, interaction=order.interaction)
            drop_order(step, order.who, order.number)
            step.answer(question, sealed)
            return


def _is_legal(step: Step[Any], order: StandingOrder, question: Question) -> bool:
    """Try an answer on a copy, as if its place among the others' had come; what waits for longer is only sealed."""
    table = step.table
    if question.place and system_of(step.state).kind_of(question).may_count(step.state, question):
        table = table.evolve(encounter=step.state.evolve(questions=(question.evolve(place=0),)))
    command = order.command.evolve(args={QUESTION: question.id})
    actions = system_of(step.state).actions
    return tried(table, lambda scratch: actions.perform(scratch, command), Seat(user=order.by, gm=True))[1] is None


def forget(step: Step[Any], who: str) -> None:
    """Cancel what an old owner has said in advance."""
    for order in step.state.orders:
        if order.who == who:
            cancel(step, order, f"{who} now belongs to somebody else.")
