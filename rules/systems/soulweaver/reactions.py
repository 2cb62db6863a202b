"""Triggers, the deciding in reverse Priority, and the stack that comes down last in, first out.

Rule: SW-04, SW-14, SW-16, SW-21, SW-22, SW-23.
"""

from __future__ import annotations

import re

from rules.core.model import per_state
from rules.core.registry import option_value
from rules.core.values import Ability
from rules.systems.soulweaver import conflict
from rules.systems.soulweaver.creatures import (
    MINOR,
    TRIGGER,
    Soul,
    can_pay,
    is_aware,
    is_conflict_action,
    is_creature,
    is_out,
    shown_name,
)
from rules.systems.soulweaver.stack import SOULWEAVER, Ambush, Item, Kind
from rules.systems.soulweaver.state import (
    Declined,
    ItemClosed,
    PassDone,
    Pause,
    PauseSet,
    Pushed,
    SoulState,
    TriggerDeclared,
)

QUIET = frozenset({"speak", "look", "step"})  # Minors that nobody reacts to, unless a Response names them


def push(
    step: Soul,
    kind: Kind,
    action: str,
    who: str,
    *,
    name: str | None = None,
    using: str | None = None,
    aimed: str | None = None,
    answers: int | None = None,
    ambush: Ambush = "",
) -> Item:
    """Put a trigger on the stack, which opens the deciding. It is named by its note, else by its action."""
    stack = step.state.stack
    item = Item(
        id=stack.next_id,
        kind=kind,
        action=action,
        who=who,
        name=stack.unique_name(name or using or action),
        using=using,
        aimed=aimed,
        answers=answers,
        ambush=ambush,
    )
    step.emit(Pushed(item=item))
    return item


# What opens the deciding


def opens(state: SoulState, action: str, who: str, ability: Ability | None, note: str | None, at: str | None) -> bool:
    """Tell whether others may react to an action: option `reactions`, or a Response that names it. Rule: SW-21."""
    mode = option_value(state, "reactions")
    if mode == "all" or action == "attack" or (mode == "major" and action == "major"):
        return True
    words = " ".join((action, note or "", "" if ability is None else ability.name)).casefold()
    if any(re.search(rf"\b{re.escape(named)}\b", words) for named in _named_by_responses(state)):
        return True
    quiet = action == "minor" and ability is None and (note or "").casefold().partition(" ")[0] in QUIET
    return not quiet and (at not in (None, who) or is_conflict_action(ability, note))


@per_state
def _named_by_responses(state: SoulState) -> tuple[str, ...]:
    """Return what the Responses of those present name as their triggers."""
    return tuple(
        named.strip().casefold()
        for creature in state.combatants
        for ability in creature.abilities
        if ability.kind == "response" and not is_out(state, creature.name)
        for named in ability.field(TRIGGER).split("+")
        if named.strip()
    )


# Who has something to decide


def has_had_turn(state: SoulState, who: str) -> bool:
    """Tell whether the first turn in this Priority has come; before it nobody reacts. Rule: SW-21."""
    return who in state.acted


def can_react(state: SoulState, who: str, *, public: bool = False) -> bool:
    """Tell whether a creature could react at all: a turn had, and a Minor or a Major left. Rule: SW-21, SW-13."""
    return has_had_turn(state, who) and can_pay(state, who, MINOR, public=public)


def reactable(state: SoulState, who: str) -> tuple[Item, ...]:
    """Return the open triggers that this creature is aware of and has not reacted to, the latest first."""
    return tuple(item for item in state.stack.open_to(who) if is_aware(state, who, item.who))


def current_decider(state: SoulState) -> str | None:
    """Return who decides now, if a deciding is open."""
    return None if state.pause is not None else state.stack.next_to_decide(state.priority)


def passes_at_once(state: SoulState, who: str) -> bool:
    """Tell whether somebody has publicly nothing to decide, or has passed in advance. Rule: SW-21, SW-23.

    With option `auto_pass` off, those who only lack an action are asked nevertheless.
    """
    stack = state.stack
    if not has_had_turn(state, who) or is_out(state, who):
        return True
    if all(item.who == who for item in stack.open_to(who)) or stack.passes_in_advance(who):
        return True  # nobody is asked about what they do themselves
    return option_value(state, "auto_pass") == "on" and not can_pay(state, who, MINOR, public=True)


def passes_silently(state: SoulState, who: str) -> bool:
    """Tell whether somebody is asked only because the table must not learn that they cannot react. Rule: SW-23."""
    if option_value(state, "auto_pass") != "on":
        return False
    return not reactable(state, who) or not can_react(state, who)


def still_to_decide(state: SoulState) -> tuple[str, ...]:
    """Return who is still to be asked in this pass, in order, as everybody may know."""
    if state.pause is not None:
        return ()
    return tuple(who for who in state.stack.still_to_decide(state.priority) if not passes_at_once(state, who))


# The stack comes down


def resolve_one(step: Soul) -> bool:
    """Do the next thing that needs nobody: pass who has nothing to decide, complete what is on top.

    Returns False where the table waits for somebody.
    """
    state = step.state
    if state.stack.deciding:
        who = state.stack.next_to_decide(state.priority)
        if who is None:
            step.emit(PassDone())
            return True
        if passes_at_once(state, who):
            step.emit(Declined(who=who))
            return True
        return False
    item = state.stack.top
    if item is None or awaits_action(state):
        return False
    step.emit(ItemClosed(id=item.id))
    if item.kind == "prepared":
        step.tell("The turn goes on after {name}.", name=item.name)
    elif item.kind != "event":
        _complete(step, item)
    return True


def awaits_action(state: SoulState) -> bool:
    """Tell whether the one whose prepared event has come is to take the action now. Rule: SW-18."""
    item = state.stack.top
    if item is None or item.kind != "prepared" or state.stack.deciding:
        return False
    return interrupter(state) is not None


def interrupter(state: SoulState) -> Item | None:
    """Return the prepared event whose action may be taken now: it has come, and nothing lies on it but its reactions.

    Its holder need not wait for the others to decide. Of several on one event the first in Priority acts first.
    Rule: SW-04, SW-18.
    """
    if state.pause is not None:
        return None
    waiting: list[Item] = []
    for item in reversed(state.stack.items):
        if item.kind == "action" or (waiting and item.kind != "prepared"):
            break
        if item.kind == "prepared" and not item.used:
            waiting.append(item)
    return min(waiting, key=lambda item: state.priority.index(item.who), default=None)


def _complete(step: Soul, item: Item) -> None:
    penalty = f", with a penalty of {item.pips} on its skill roll" if item.pips else ""
    if item.kind == "reaction":
        step.tell("{name} completes ({who}'s reaction){penalty}.", name=item.name, who=item.who, penalty=penalty)
        _after_reaction(step, item)
        return
    if item.action == "attack" and item.aimed is not None:
        step.tell(
            "{name} completes: {who} against {target}{penalty}; the GM says hit or miss.",
            name=item.name,
            who=item.who,
            target=item.aimed,
            penalty=penalty,
        )
        step.emit(PauseSet(pause=conflict.ambushed(step, item)))
        return
    step.tell("{name} completes ({who}){penalty}.", name=item.name, who=item.who, penalty=penalty)


def _after_reaction(step: Soul, item: Item) -> None:
    """Ask the GM what a completed reaction has caused, unless it was declared or the option goes on. Rule: SW-22."""
    declared = step.state.declared
    if declared is not None:
        step.emit(TriggerDeclared(note=None))
        event(step, declared)
    elif step.option("completing") == "ask":
        step.emit(PauseSet(pause=Pause(kind="completing", item=item, who=SOULWEAVER)))


def event(step: Soul, note: str) -> Item:
    """Put an event that has happened on the stack; it opens the deciding and is never undone. Rule: SW-22."""
    item = push(step, "event", "trigger", SOULWEAVER, name=note)
    step.tell("Trigger: {name}.", name=item.name.rstrip("."))
    return item


def tell_end(step: Soul, item: Item) -> None:
    """Say that what somebody did ends with them. Rule: SW-22."""
    step.tell("{name} ends: {who} is out of Priority.", name=item.name.rstrip("."), who=item.who)


# In words


def decider_words(state: SoulState) -> str:
    """Return whose decision it is, for a refusal."""
    who = current_decider(state)
    return "nobody decides just now" if who is None else f"{shown_name(state, who)} decides now"


def latest_words(state: SoulState) -> str:
    """Return what the question is about: the latest trigger, and that earlier ones are open."""
    items = state.stack.items
    return headed(state, items[-1], secret=False) + (", or an earlier one" if len(items) > 1 else "")


def _seen_name(state: SoulState, who: str, *, secret: bool) -> str:
    return who if secret or not is_creature(state, who) else shown_name(state, who)


def headed(state: SoulState, item: Item, *, secret: bool) -> str:
    """Return an item with whose it is, and whom or what it is aimed at."""
    who = "the GM" if item.kind == "event" else _seen_name(state, item.who, secret=secret)
    at = ""
    if item.answers is not None:
        answered = state.stack.find(item.answers)
        at = f", answers {answered.name}" if answered is not None else ""
    elif item.aimed is not None:
        at = f" → {_seen_name(state, item.aimed, secret=secret)}"
    return f"{item.name} ({who}{at})"


def item_words(state: SoulState, item: Item, *, secret: bool) -> str:
    """Return one line of the stack: what it is, whose, what it waits on, who has reacted to it."""
    parts = [headed(state, item, secret=secret)]
    if item.kind == "prepared":
        parts.append(", prepared" if not item.used else ", prepared, its action taken")
    reacted = ", ".join(_seen_name(state, each, secret=secret) for each in item.reacted)
    parts.append(f" · reacted: {reacted or 'nobody yet'}")
    return "".join(parts)
