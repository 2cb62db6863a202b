"""What a sheet does when its owner calls a moment that no rule sees: at any time, and even when down. Rule: G-12."""

from __future__ import annotations

from typing import Any

from rules.core import refusals
from rules.core.action import Action, plainly
from rules.core.asking.ask import Ask, Effect
from rules.core.asking.told import Told
from rules.core.blow import Moment
from rules.core.blows import flow
from rules.core.blows.aiming import ask_targets
from rules.core.blows.limits import give_back, refusal, spend, use_words
from rules.core.blows.opened import rules_in, rules_of
from rules.core.blows.todo import leave_to_gm
from rules.core.blows.verdicts import called_blow
from rules.core.command import Command
from rules.core.encounter import Encounter
from rules.core.model import Names, per_state
from rules.core.offer import Prospect
from rules.core.registry import system_of
from rules.core.step import Step
from rules.core.typed.names import find_name
from rules.core.values import HEALTH, Ability
from rules.errors import BrokenInvariant, Illegal, Refusal

CALL, GRANT, DENY = "call", "grant", "deny"
RULE = "G-12"
_RANK = 400  # behind what somebody does in their own turn


def _moment(state: Encounter, ability: Ability) -> Moment | None:
    return rules_in(state).deed_of(ability).moment


@per_state
def _moments(state: Encounter, who: str) -> Names:
    """Return the abilities of somebody that are used at a moment which they call."""
    return tuple(each.name for each in state.combatant(who).abilities if _moment(state, each) is not None)


def _not_now(state: Encounter, who: str, name: str) -> Refusal | None:
    """Refuse an ability whose moment has not come, as far as rules can tell."""
    combatant, rules, system = state.combatant(who), rules_in(state), system_of(state)
    ability = combatant.ability(name)
    moment = None if ability is None else _moment(state, ability)
    if ability is None or moment is None:
        return Illegal(f"{name} is for no moment that {who} calls.", rule=RULE)
    if moment.reacts and not rules.has_reaction(state, who):
        why = f"{who} cannot react now, or has already done so."
        return Illegal(why, rule=rules.reaction_rule, instead="It comes back when your turn starts.")
    if not moment.falls:
        return refusals.is_out(who, rule=RULE) if system.is_out(state, who) else None
    if combatant.is_out or HEALTH not in combatant.pools:
        return None
    return Illegal(f"{name} is for a fall ({moment.words}), and {who} stands.", rule=RULE, instead="Call it then.")


@per_state
def _now(state: Encounter, who: str) -> Names:
    """Return what somebody can call at this moment, used up or not."""
    return tuple(name for name in _moments(state, who) if _not_now(state, who, name) is None)


def _may(state: Encounter, who: str) -> Refusal | None:
    combatant = state.find(who)
    if combatant is None or not _moments(state, who):
        return _nothing_to_call(state, who)
    if combatant.hidden:
        return refusals.unknown(who, rule=RULE)
    names = _now(state, who)
    if not names:
        return _not_now(state, who, _moments(state, who)[0])
    whys = [_unpaid(state, who, name) for name in names]
    return None if None in whys else whys[0]


def _unpaid(state: Encounter, who: str, name: str) -> Refusal | None:
    """Refuse what is used up, or cannot be paid for."""
    ability = state.combatant(who).ability(name)
    why = None if ability is None else rules_in(state).unpaid(state, who, ability)
    return why or refusal(state, who, ability)


def _nothing_to_call(_state: Encounter, who: str) -> Refusal:
    """Refuse in public terms: nobody learns from an offer what somebody else could call."""
    words = "A sheet says what moment it is for: “When a foe leaves my reach, …”."
    return Illegal(f"{who} has no moment to call.", rule=RULE, instead=words)


def _meant(state: Encounter, who: str, said: str | None) -> Ability | None:
    names = _now(state, who)
    name = names[0] if said is None and len(names) == 1 else find_name(said or "", _moments(state, who))
    return None if name is None else state.combatant(who).ability(name)


def _call(ask: Ask[Any]) -> Effect[Any]:
    """Tell of a call: of what, and its target if it is not oneself alone."""
    state, who = ask.state, ask.who
    ability, names = _meant(state, who, ask.text("using")), _now(state, who)
    left = tuple(name for name in names if _unpaid(state, who, name) is None)
    ask(
        "using",
        "moment",
        left,
        nameable=_moments(state, who),
        why=lambda name: _not_now(state, who, name),
        implied=left[0] if len(names) == 1 and left else "",
        all_lead=True,
    )
    deed = None if ability is None else rules_in(state).deed_of(ability)
    targets: Names = ()
    if deed is None or deed.aims:
        targets = ask_targets(ask, ability, deed)
    return lambda step: _begin(step, who, ability, targets)


def _begin(step: Step[Any], who: str, ability: Ability | None, named: Names) -> None:
    if ability is None:
        raise BrokenInvariant("nobody said what is called")
    rules = rules_of(step)
    deed = rules.deed_of(ability)
    if deed.most is not None and len(named) > deed.most:
        many = f"{deed.most} {'target' if deed.most == 1 else 'targets'}"
        raise Illegal(f"{ability.name} can have {many}, no more.", rule=RULE, instead="Name fewer, or call it again.")
    on = " on {targets}" if named else ""
    step.tell("{who} uses {ability}" + on + ".", who=who, ability=ability.name, targets=", ".join(named) or None)
    spend(step, who, ability)
    rules.pay(step, who, ability)
    if deed.moment is not None and deed.moment.reacts:
        rules.spend_reaction(step, who)
    leave_to_gm(step, who, ability.name, named or (who,), degrees=None if deed.check is None else ())
    at_whom = named if deed.aims else (who,)
    does = rules.numbered(step.state, who, ability, deed)
    # Where players may damage by hand, they may also call (CL-17)
    needs_grant = step.combatant(who).owner is not None and at_whom != (who,) and step.option("hands") == "gm"
    flow.begin(step, flow.Act(who, ability, does, at_whom, action=CALL, called=needs_grant))


def _words(state: Encounter, who: str) -> str:
    """Return the words of a call, which name the ability even if it is implied."""
    names = _now(state, who)
    return "{label} " + (names[0] if len(names) == 1 else "{using}") + "[ on {target}]"


def _prospect(state: Encounter, who: str, command: Command) -> Prospect:
    ability = _meant(state, who, command.using)
    moment = None if ability is None else _moment(state, ability)
    if ability is None or moment is None:
        return Prospect(rank=_RANK)
    words = use_words(state, state.combatant(who), ability)
    return Prospect(rank=_RANK, notes=" · ".join(filter(None, (moment.words, words))))


def grant(step: Step[Any], _who: str, _command: Command) -> None:
    flow.grant(step, called_blow(step.state, step.question))


def deny(step: Step[Any], _who: str, _command: Command) -> None:
    blow = called_blow(step.state, step.question)
    step.tell("The moment for {ability} has not come.", who=blow.source, ability=blow.ability.name)
    step.change(blows=tuple(each for each in step.state.blows if each.number != blow.number))
    give_back(step, blow.source, blow.ability)
    rules_of(step).pay(step, blow.source, blow.ability, back=True)
    flow.go_on(step)


def call_action() -> Action[Any]:
    """Return how somebody calls a moment."""
    return Told("call", "Call", _call, ("target", "using")).action(
        _may,
        public_may=_nothing_to_call,
        prospect=_prospect,
        words=_words,
        rule=RULE,
    )


def call_actions() -> tuple[Action[Any], ...]:
    """Return how somebody calls a moment, and how the GM answers a player who does."""
    return (
        call_action(),
        Action(id=GRANT, label="It has come", do=grant, answer=True, rule=RULE, button_rank=1),
        Action(id=DENY, label="It has not", do=deny, answer=True, rule=RULE, button_rank=2, default_answer=plainly),
    )
