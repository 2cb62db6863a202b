"""Triggers, the deciding in reverse Priority, and the stack that comes down last in, first out.

Rule: SW-04, SW-14, SW-16, SW-21, SW-22, SW-23.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rules.core.blows.todo import leave_to_gm, leave_whole
from rules.core.model import per_state
from rules.core.registry import option_value
from rules.core.turns.fallen import is_out
from rules.core.typed.names import shown
from rules.core.values import Ability, Question
from rules.systems.soulweaver import blows, conflict
from rules.systems.soulweaver.abilities import NO_REACTIONS, changes_another
from rules.systems.soulweaver.creatures import (
    MINOR,
    TRIGGER,
    Soul,
    as_public,
    can_pay,
    is_aware,
    is_conflict_action,
    shown_name,
)
from rules.systems.soulweaver.stack import SOULWEAVER, Item, Kind, Outcome
from rules.systems.soulweaver.state import Pause, SoulState

ABOUT_REACTION = "reaction"
ABOUT_ATTACK = "attack"
_HIT_OR_MISS = "; the GM says hit or miss."
QUIET = frozenset({"speak", "look", "step"})  # Minors that nobody reacts to, unless a Response names them


def declared(
    step: Soul,
    kind: Kind,
    action: str,
    who: str,
    *,
    name: str | None = None,
    using: str | None = None,
    aimed: str | None = None,
    others: tuple[str, ...] = (),
    answers: int | None = None,
    outcome: Outcome = "",
) -> Item:
    """Return what somebody does as an item of the stack. It is named by its note, else by its action."""
    stack = step.state.stack
    item = Item(
        id=stack.next_id,
        kind=kind,
        action=action,
        who=who,
        name=stack.unique_name(name or using or action),
        using=using,
        ability=ability_of(step.state, who, using),
        aimed=aimed,
        others=others,
        answers=answers,
        outcome=outcome,
    )
    if not blows.is_attack(item) or aimed is None:
        return item
    return item.evolve(ambush=conflict.ambush_on(step.state, who, aimed))


def push(step: Soul, item: Item) -> Item:
    """Put a trigger on the stack, which opens the deciding."""
    step.change(stack=step.state.stack.pushed(item), pause=None)
    return item


def ability_of(state: SoulState, who: str, name: str | None) -> Ability | None:
    """Return an ability of a sheet as it is now; None if there is no such thing."""
    creature = state.find(who)
    return None if creature is None or name is None else creature.ability(name)


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


def can_react(state: SoulState, who: str) -> bool:
    """Tell whether a creature could react at all: a turn had, and a Minor or a Major left. Rule: SW-21, SW-13."""
    creature = state.find(who)
    is_kept = creature is not None and creature.has(NO_REACTIONS)
    return has_had_turn(state, who) and not is_kept and can_pay(state, who, MINOR)


def reactable(state: SoulState, who: str) -> tuple[Item, ...]:
    """Return the open triggers that this creature is aware of and has not reacted to, the latest first."""
    return tuple(item for item in state.stack.open_to(who) if is_aware(state, who, item.who))


def passes_at_once(state: SoulState, who: str) -> bool:
    """Tell whether somebody has publicly nothing to decide, or has passed in advance. Rule: SW-21, SW-23.

    With option `auto_pass` off, those who only lack an action are asked nevertheless.
    """
    stack = state.stack
    if not has_had_turn(state, who) or is_out(state, who):
        return True
    if all(item.who == who for item in stack.open_to(who)):
        return True  # nobody is asked about what they do themselves
    if stack.passes_in_advance(who) and who not in stack.asked:
        return True
    return option_value(state, "auto_pass") == "on" and not can_react(as_public(state), who)


def passes_silently(state: SoulState, who: str) -> bool:
    """Tell whether somebody is asked only because the table must not learn that they cannot react. Rule: SW-23."""
    if option_value(state, "auto_pass") != "on":
        return False
    return not reactable(state, who) or not can_react(state, who)


def to_ask(state: SoulState) -> tuple[str, ...]:
    """Return who the present deciding asks now, in the order in which their answers count. Rule: SW-22."""
    if state.pause is not None or not state.stack.deciding:
        return ()
    return state.stack.next_asked(state.priority, lambda who: passes_at_once(state, who))


def still_to_decide(state: SoulState) -> tuple[str, ...]:
    """Return who is asked in this deciding, in order; nothing tells who has answered."""
    return tuple(question.who for question in state.questions if question.about == ABOUT_REACTION)


# The stack comes down


def resolve_one(step: Soul) -> bool:
    """Do the next thing that needs nobody: end a pass in which nobody has reacted, complete what is on top.

    Returns False if the table waits for somebody.
    """
    state = step.state
    if state.stack.deciding:
        asked = still_to_decide(state)
        passed = tuple(who for who in state.stack.asked if who not in asked)
        if passed:
            step.change(stack=state.stack.let_pass_by(passed))
            return True
        if asked or to_ask(state):
            return False
        step.change(stack=state.stack.resolving())
        return True
    item = state.stack.top
    if item is None or awaits_action(state):
        return False
    if blows.is_attack(item):
        return _complete_attack(step, item)
    is_of_use = _close(step, item)
    if item.ready:
        return True  # who it was aimed at has left
    if item.kind == "prepared":
        step.tell("The turn goes on after {name}.", name=item.name)
    elif item.kind != "event":
        _complete(step, item, is_of_use=is_of_use)
    return True


def attackers(state: SoulState, questions: Iterable[Question]) -> tuple[str, ...]:
    """Return whose attacks these questions are about."""
    about = (state.stack.find(_item_of(question)) for question in questions)
    return tuple(item.who for item in about if item is not None)


def _item_of(question: Question) -> int | None:
    number = question.data.get("item")
    return number if isinstance(number, int) else None


def awaits_outcome(state: SoulState) -> bool:
    """Tell whether an attack has completed and waits for the GM's word."""
    return state.stack.top is not None and state.stack.top.ready


def as_beginning(name: str) -> str:
    return name[:1].upper() + name[1:]


def _complete_attack(step: Soul, item: Item) -> bool:
    """Let an attack complete; it stays on the stack until the GM has said whether it hits. Rule: SW-07, SW-11."""
    is_rolled = blows.is_rolled(step.state, item)
    if item.ready and (item.outcome or is_rolled):
        decide_attack(step, item, "" if is_rolled else item.outcome)
        return True
    if item.ready:
        return False
    more = "" if is_rolled else blows.counting(step.state, item)
    step.tell(
        "{name} completes: {who} against {target}"
        + _penalty(item)
        + ", with {more} on its roll" * bool(more)
        + ("." if item.outcome or is_rolled else _HIT_OR_MISS),
        name=as_beginning(item.name),
        who=item.who,
        target=item.aimed,
        pips=item.pips or None,
        more=more or None,
    )
    if blows.is_contest(item):
        blows.roll_contest(step, item)
    lost = conflict.roll_ambush(step, item)
    step.change(stack=step.state.stack.changed(item.evolve(ready=True, lost=lost)))
    return True


def decide_attack(step: Soul, item: Item, outcome: Outcome) -> None:
    """Close an attack with what the GM, or (without `outcome`) the dice say, and do what its ability says then.

    Who is hit out of Conflict is asked about it at last. Rule: SW-07.
    """
    _close(step, item)
    if outcome:
        step.tell(f"{{who}} against {{target}}: {outcome}.", who=item.who, target=item.aimed, good=outcome == "hit")
    if outcome and item.aimed is not None:
        blows.use_up(step, item.who, item.aimed)
    degree = blows.carry_out(step, item, outcome)
    target = item.aimed or ""
    if degree:
        leave_to_gm(step, item.who, item.using, (target,), degrees=(degree,))
    if item.kind == "reaction":
        _after_reaction(step, item)
    if degree == "hit" and target not in step.state.conflict:
        owed = () if step.state.pause is None else (step.state.pause,)  # the GM is asked after them
        step.change(pause=Pause(kind="conflict", item=item, who=target), owed=(*step.state.owed, *owed))


def _close(step: Soul, item: Item) -> bool:
    """Take an item off the stack; what a reaction lay on is to be judged again, with what a Response changes of it.

    Returns False for a Response that would change something and finds nothing to change.
    """
    stack = step.state.stack
    left = stack.without((item.id,))
    if item.kind == "reaction":
        left = left.reacted_by(item.id)
    answered = left.find(item.answers)
    changed = None if answered is None else blows.answered_by(step, answered, item)
    step.change(stack=left if changed is None else left.changed(changed))
    return changed is not None or not changes_another(item.ability)


def _penalty(item: Item) -> str:
    return ", with a penalty of {pips} on its skill roll" if item.pips else ""


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


def _complete(step: Soul, item: Item, *, is_of_use: bool) -> None:
    whose = "({who}'s reaction)" if item.kind == "reaction" else "({who})"
    words = f"{{name}} completes {whose}{_penalty(item)}."
    step.tell(words, name=as_beginning(item.name), who=item.who, pips=item.pips or None)
    if not is_of_use and item.ability is not None:
        leave_whole(step, item.who, item.ability)
    blows.carry_out(step, item)
    if item.kind == "reaction":
        _after_reaction(step, item)


def _after_reaction(step: Soul, item: Item) -> None:
    """Ask the GM what a completed reaction has caused, unless it was declared or the option goes on. Rule: SW-22."""
    declared = step.state.declared
    if declared is not None:
        step.change(declared=None)
        event(step, declared)
    elif step.option("completing") == "ask":
        step.change(pause=Pause(kind="completing", item=item, who=SOULWEAVER))


def event(step: Soul, note: str) -> Item:
    """Put an event that has happened on the stack; it opens the deciding and is never undone. Rule: SW-22."""
    item = push(step, declared(step, "event", "trigger", SOULWEAVER, name=note))
    step.tell("Trigger: {name}.", name=item.name.rstrip("."))
    return item


def tell_end(step: Soul, item: Item) -> None:
    """Say that what somebody did ends with them. Rule: SW-22."""
    step.tell("{name} ends: {who} is out of Priority.", name=item.name.rstrip("."), who=item.who)


def aimed_at(state: SoulState) -> tuple[str, ...]:
    """Return who the open triggers are aimed at."""
    return tuple(dict.fromkeys(who for item in state.stack.items for who in item.targets))


# In words


def decider_words(state: SoulState) -> str:
    """Return who is asked, for a refusal."""
    asked = tuple(dict.fromkeys(shown_name(state, who) for who in still_to_decide(state)))
    return f"{shown(asked)} {'is' if len(asked) == 1 else 'are'} asked" if asked else "nobody is asked just now"


def latest_words(state: SoulState) -> str:
    """Return what the question is about: the latest trigger, and that earlier ones are open."""
    items = state.stack.items
    return headed(state, items[-1], secret=False) + (", or an earlier one" if len(items) > 1 else "")


def seen_name(state: SoulState, who: str, *, secret: bool) -> str:
    return who if secret else shown_name(state, who)


def headed(state: SoulState, item: Item, *, secret: bool) -> str:
    """Return an item with whose it is, and who or what it is aimed at."""
    who = "the GM" if item.kind == "event" else seen_name(state, item.who, secret=secret)
    at = ""
    if item.answers is not None:
        answered = state.stack.find(item.answers)
        at = f", answers {answered.name}" if answered is not None else ""
    elif item.aimed is not None:
        at = f" → {', '.join(seen_name(state, who, secret=secret) for who in item.targets)}"
    return f"{item.name} ({who}{at})"


def item_words(state: SoulState, item: Item, *, secret: bool) -> str:
    """Return one line of the stack: what it is, whose, what it waits on, who has reacted to it."""
    parts = [headed(state, item, secret=secret)]
    if item.kind == "prepared":
        parts.append(", prepared" if not item.used else ", prepared, its action taken")
    reacted = ", ".join(seen_name(state, name, secret=secret) for name in item.reacted)
    parts.append(f" · reacted: {reacted or 'nobody yet'}")
    return "".join(parts)
