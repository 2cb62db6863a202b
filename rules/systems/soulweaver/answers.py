"""What is decided between actions: waiting, reacting, declining, and the GM's word on what completes.

Rule: SW-05, SW-07, SW-18, SW-21 to SW-23.
"""

from __future__ import annotations

from functools import partial

from pydantic import JsonValue

from rules.core.action import QUESTION, Action, plainly, plainly_ahead
from rules.core.asking.ask import nothing
from rules.core.asking.told import Told
from rules.core.blows.todo import leave_to_gm
from rules.core.command import Command
from rules.core.model import without, without_key
from rules.core.offer import Param
from rules.core.scopes import TURN
from rules.core.turns.delays import AFTER, ASK, when_param
from rules.core.turns.fallen import is_out
from rules.core.typed.input import in_one_line
from rules.core.typed.names import find_name, resolve_name, shown
from rules.core.typed.skeleton import skeleton
from rules.core.values import Question
from rules.errors import Illegal, Malformed
from rules.systems.soulweaver import blows, chances, conflict, priority, reactions
from rules.systems.soulweaver.abilities import is_for_ally
from rules.systems.soulweaver.actions import abilities_left, ability_asked, foretell_use, spend, using_param
from rules.systems.soulweaver.creatures import (
    MINOR,
    RESPONSE,
    Soul,
    SoulAsk,
    SoulEffect,
    is_conflict_action,
    is_creature,
    pay,
)
from rules.systems.soulweaver.reactions import ABOUT_ATTACK
from rules.systems.soulweaver.stack import SOULWEAVER, Item, Outcome
from rules.systems.soulweaver.state import SoulState, with_name

PASSES = ("stack", "unless-me")
_HOW_FAR = {
    "stack": "nothing of this stack is asked of you any more",
    "unless-me": "I ask you about what is aimed at you",
}


# Waiting


def _wait(ask: SoulAsk) -> SoulEffect:
    """Ask when they act, unless they wait on."""
    state, who = ask.state, ask.who
    if state.question_to(who, "wait") is None:
        others = (name for name in (*state.priority, SOULWEAVER) if name != who and not is_out(state, name))
        ask.take(when_param(state, others, "when"))
    note = ask.text("note") or ""
    after = note.removeprefix(AFTER) if note.startswith(AFTER) else None

    def wait(step: Soul) -> None:
        state = step.state
        if step.answered is not None:
            step.change(asking=without(state.asking, who))
            step.tell("{who} waits on.", who=who)
            return
        step.change(
            TURN,
            passed=with_name(state.passed, who),
            waiting=with_name(state.waiting, who),
            alert=with_name(state.alert, who) if note == ASK else state.alert,
            until=state.until if after is None else {**state.until, who: after},
        )
        if after is None:
            step.tell("{who} waits, and can act after any other turn.", who=who)
        else:
            step.tell("{who} waits until after {other}'s turn.", who=who, other=after)

    return wait


def _act_now(step: Soul, who: str, command: Command) -> None:
    """Take the turn at once. If somebody has it and has not begun it, they have it after that."""
    if step.answered is None:
        priority.set_turn_aside(step)
    step.change(asking=without(step.state.asking, who), coming=with_name(step.state.coming, who))


# Reacting


def _responses(state: SoulState, who: str) -> tuple[str, ...]:
    return tuple(ability.name for ability in abilities_left(state, who) if ability.kind == RESPONSE)


def _react(ask: SoulAsk) -> SoulEffect:
    """Ask which trigger is answered, and with what: the latest, and their only Response, if they say nothing."""
    state, who, responses = ask.state, ask.who, _responses(ask.state, ask.who)
    names = tuple(item.name for item in reactions.reactable(state, who))
    target, using, note = ask.text("target"), ask.text("using"), in_one_line(ask.text("note"))
    only = responses[0] if len(responses) == 1 and not ask.in_menu else ""  # a menu names it
    if len(names) != 1 or target is not None:
        ask.take(Param(name="target", label="what it answers", choices=names, required=ask.in_menu, free=True))
    ask.take(using_param(state, who, RESPONSE, implied=only, needed=not (note or only) and bool(responses)))
    ask.take(Param(name="note", label="what", required=using is None and not responses))
    ability = ability_asked(ask, using or (None if note else only or None), RESPONSE)
    foretell_use(ask, reactions.ability_of(state, who, ability))

    def react(step: Soul) -> None:
        answered = _answered(step.state, who, target, step.question.data.get("latest"))
        cost = pay(step, who, MINOR)
        spend(step, who, ability)
        if is_creature(step.state, who) and is_conflict_action(reactions.ability_of(step.state, who, ability), note):
            conflict.enter(step, who)
        meant = answered.who
        if answered.aimed is not None and is_for_ally(reactions.ability_of(step.state, who, ability)):
            meant = answered.aimed
        aimed = meant if is_creature(step.state, meant) else None
        item = reactions.declared(
            step, "reaction", "react", who, name=note or None, using=ability, aimed=aimed, answers=answered.id
        )
        reactions.push(step, item)
        step.tell(
            "{who} reacts to {trigger}: {name}" + (" ({cost})." if cost else "."),
            who=who,
            trigger=answered.name,
            name=item.name.rstrip("."),
            cost=cost or None,
        )
        targets = () if aimed is None else (aimed,)
        leave_to_gm(step, who, ability, targets, degrees=() if blows.is_attack(item) else None)

    return react


def _react_ahead(state: SoulState, who: str) -> tuple[Param, ...]:
    """Return what a reaction takes before there is a trigger: to an attack alone, or to whatever comes first."""
    only = Param(name="target", label="only to", choices=("attack",), free=True, required=False)
    if not _responses(state, who):
        return (Param(name="note", label="what"), only)
    return (using_param(state, who, RESPONSE, needed=True), only)


def _answered(state: SoulState, who: str, named: str | None, latest: JsonValue) -> Item:
    """Return the trigger that a reaction answers: by its name or its action; else the latest as one was asked."""
    possible = reactions.reactable(state, who)
    if named is None:
        return next((item for item in possible if item.id == latest), possible[0])
    every = tuple(reversed(state.stack.items))
    name = find_name(named, [item.name for item in every])
    found = next((item for item in every if item.name == name), None)
    if found is None:
        # A note marked as a Conflict Action, or a trigger known by its action or its ability.
        wanted = skeleton(named.strip())
        found = next((item for item in every if wanted in (item.action, skeleton((item.using or "")))), None)
    if found is None:
        resolve_name(named, [item.name for item in possible], "open trigger", rule="SW-22")
        raise Malformed(f"There is no open trigger called {named[:40]}.", rule="SW-22")
    if who in found.reacted:
        raise Illegal(
            f"{who} has already reacted to {found.name}.",
            rule="SW-21",
            instead=f"You can react once to each trigger. Still open: {shown(item.name for item in possible)}.",
        )
    if found not in possible:
        raise Illegal(
            f"{who} is not aware of that.",
            rule="SW-21",
            instead=f"Still open: {shown(item.name for item in possible)}.",
        )
    return found


def _decline(ask: SoulAsk) -> SoulEffect:
    far = ask("note", "how far", PASSES, required=False, notes=_HOW_FAR, all_lead=True)
    if not far:
        return nothing
    return lambda step: step.change(stack=step.state.stack.standing_by(ask.who, far))


def _who_declines(state: SoulState, able: tuple[str, ...], command: Command) -> str | None:
    """Name the first of several that somebody plays: whose answer counts first."""
    return able[0]


# Triggers and the GM's answers


def _trigger(ask: SoulAsk) -> SoulEffect:
    who = ask.who
    if who == SOULWEAVER:
        note = ask.note("the trigger")
        return lambda step: declare(step, note or None)
    event = ask.state.prepared.get(who, "")
    if ask.text("using") is not None and event:
        ask("using", "what is prepared", (event,), required=False, all_lead=True)

    def interrupt(step: Soul) -> None:
        state = step.state
        step.change(prepared=without_key(state.prepared, who))
        if state.pause is not None:  # the GM is asked again once the event has left the stack
            step.change(pause=None, owed=(*state.owed, state.pause.evolve(until=state.stack.next_id)))
        reactions.push(step, reactions.declared(step, "prepared", "trigger", who, name=event))
        step.tell(
            "It happens: {event}. {who} interrupts: move, or move 1 space and take one action at no cost.",
            event=event.rstrip("."),
            who=who,
        )

    return interrupt


def declare(step: Soul, note: str | None) -> None:
    """Let the GM's trigger open the deciding now, or once the reaction that causes it completes. Rule: SW-22."""
    if note is None:
        raise Malformed("Describe the trigger with the option note.", instead="For example note:the door falls shut.")
    state = step.state
    if state.stack.deciding:
        step.change(declared=note)
        step.tell("When the next reaction completes: {name}.", name=note.rstrip("."))
        return
    reactions.event(step, note)


def _prepared_words(state: SoulState, who: str) -> str:
    return f"It happens: {state.prepared[who]}"[:60] if who in state.prepared else "Trigger"


def _evident_trigger(state: SoulState, able: tuple[str, ...], command: Command) -> str | None:
    """Tell the GM's own trigger (note) from one that a creature of the GM's has prepared (using)."""
    if command.using is None:
        return SOULWEAVER if SOULWEAVER in able else None
    creatures = without(able, SOULWEAVER)
    event = find_name(command.using, [state.prepared[who] for who in creatures])
    return next((who for who in creatures if state.prepared[who] == event), None)


def _go_on(step: Soul, who: str, command: Command) -> None:
    name = "" if step.state.pause is None else step.state.pause.item.name
    step.change(pause=None)
    step.tell("{name} causes nothing more.", name=reactions.as_beginning(name))


_WHOSE = Param(name="target", label="the attack of", required=False)


def _is_meant(state: SoulState, question: Question, command: Command) -> bool:
    """Tell whether a question about an attack is the one that a verdict names."""
    return command.target is None or command.target in reactions.attackers(state, (question,))


def _decide(ask: SoulAsk, *, outcome: Outcome) -> SoulEffect:
    """Ask whose attack is decided, if several are still to be; it is the one on top. Rule: G-10."""
    state, whose = ask.state, ask.text("target")
    undecided = tuple(
        question for question in state.questions if question.about == ABOUT_ATTACK and not question.answered
    )
    if len(undecided) > 1 and QUESTION not in ask.args:
        ask.take(_WHOSE.evolve(choices=reactions.attackers(state, undecided), required=True))
    elif whose is not None:
        ask.take(_WHOSE.evolve(choices=tuple(item.who for item in state.stack.items if blows.is_attack(item))))

    def decide(step: Soul) -> None:
        top = step.state.stack.top
        if top is None or not top.ready:
            raise Illegal("No attack is complete.", rule="SW-07")
        if whose not in (None, top.who):
            raise Illegal(f"That is {top.who}'s attack.", rule="SW-07")
        reactions.decide_attack(step, top, outcome)

    return decide


def _attack_ahead(state: SoulState, who: str) -> tuple[Param, ...] | None:
    """Return whose attack the GM may decide before it is declared, if they like: the next one, or a player's."""
    players = tuple(
        combatant.name
        for combatant in state.combatants
        if combatant.owner is not None and not is_out(state, combatant.name)
    )
    return (_WHOSE.evolve(choices=players),) if who == SOULWEAVER else None


def _verdict(id_: str, outcome: Outcome, button_rank: int) -> Action[SoulState]:
    return Told(id_, id_.title(), partial(_decide, outcome=outcome), ("target",)).action(
        is_meant=_is_meant,
        is_open=True,
        ahead=_attack_ahead,
        button_rank=button_rank,
        answer=True,
        rule="SW-07",
    )


def answer_actions() -> tuple[Action[SoulState], ...]:
    """Return what answers questions, and what interrupts."""
    return (
        Told("react", "React", _react, ("target", "note", "using"), foretells=True).action(
            chances.react,
            ahead=_react_ahead,
            button_rank=1,
            answer=True,
            rule="SW-22",
        ),
        Told("decline", "Decline", _decline, ("note",)).action(
            chances.may_decline,
            passes=True,
            button_rank=2,
            answer=True,
            rule="SW-22",
            default_answer=plainly,
            ahead=plainly_ahead,
            infer_actor=_who_declines,
        ),
        Action(
            id="act-now",
            off_turn=True,
            on_prompt=True,
            label="Act now",
            do=_act_now,
            may=chances.may_act_now,
            button_rank=1,
            answer=True,
            unasked=True,
            rule="SW-05",
        ),
        Told("wait", "Wait", _wait, ("note",)).action(
            chances.may_wait,
            is_open=True,
            is_one_entry=True,
            button_rank=2,
            answer=True,
            unasked=True,
            rule="SW-05",
            default_answer=plainly,
            ends=True,
            keeps=True,
        ),
        _verdict("hit", "hit", button_rank=1),
        _verdict("miss", "miss", button_rank=2),
        Action(id="go-on", label="Go on", do=_go_on, button_rank=1, answer=True, rule="SW-22", default_answer=plainly),
        Told("trigger", "Trigger", _trigger, ("note", "using")).action(
            chances.may_trigger,
            label_now=_prepared_words,
            on_prompt=True,
            button_rank=2,
            infer_actor=_evident_trigger,
        ),
    )
