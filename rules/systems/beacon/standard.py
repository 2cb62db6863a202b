"""The standard, minor and free actions, each told once by the function that asks for what it takes.

Rule: BE-10, BE-12, BE-14, BE-20.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from rules.core.asking.ask import Effect
from rules.core.asking.told import Told
from rules.core.blows.health import change_pool
from rules.core.conditions import add_condition, end_condition, put_condition
from rules.core.reach import ranges
from rules.core.reach.where_to import where_to
from rules.core.values import Condition
from rules.errors import Illegal, Refusal
from rules.systems.beacon import sheet
from rules.systems.beacon.abilities import used
from rules.systems.beacon.attacks import BeaconAsk, can_be_named, whom
from rules.systems.beacon.full_attack import full_attack
from rules.systems.beacon.harm import rolled
from rules.systems.beacon.movement import declare_move, left_params
from rules.systems.beacon.refresh import refresh
from rules.systems.beacon.release import channel, channelable, refuse_channel
from rules.systems.beacon.sheet import BeaconStep
from rules.systems.beacon.state import BeaconState, Use, note_event, put_under_way
from rules.systems.beacon.strikes import STRIKES
from rules.systems.beacon.triggers import counts_as, trigger_of


def _in_scope(state: BeaconState, who: str) -> tuple[str, ...]:
    return ranges.among(state, who, can_be_named(state, who), _scope(state, who))


def _scope(state: BeaconState, who: str) -> int | None:
    return state.combatant(who).number("SCOPE") or None


def _target_of(ask: BeaconAsk, names: tuple[str, ...]) -> str:
    state, who, limit = ask.state, ask.who, _scope(ask.state, ask.who)

    def why(target: str) -> Refusal | None:
        if ranges.within(state, who, target, limit):
            return None
        near = _in_scope(state, who)
        return ranges.beyond(state, who, target, limit, near, rule="BE-14", what=f"SCOPE is {limit}")

    return next(iter(whom(ask, None, names, why)), "")


# What takes nothing, or one target (BE-10, BE-14)


def defend(ask: BeaconAsk) -> Effect[BeaconState]:
    who = ask.who

    def do(step: BeaconStep) -> None:
        die, roll = step.roll("1d3", who=who, purpose="focus")
        step.tell("{who} defends: FOCUS {roll} and ARMOR; attacks against them have one bane.", who=who, roll=roll)
        change_pool(step, who, sheet.FOCUS, die + max(0, step.combatant(who).number("ARMOR")))
        put_condition(step, who, Condition(name=sheet.DEFENDING, source=who, left=1, ticks="bearer-start"))
        note_event(step)

    return do


def hide(ask: BeaconAsk) -> Effect[BeaconState]:
    def do(step: BeaconStep) -> None:
        add_condition(step, ask.who, Condition(name=sheet.HIDDEN, source=ask.who))
        note_event(step)

    return do


def mark(ask: BeaconAsk) -> Effect[BeaconState]:
    target = _target_of(ask, _in_scope(ask.state, ask.who))

    def do(step: BeaconStep) -> None:
        add_condition(step, target, Condition(name=sheet.MARKED, source=ask.who))
        note_event(step)

    return do


def search(ask: BeaconAsk) -> Effect[BeaconState]:
    near = _in_scope(ask.state, ask.who)
    hidden = tuple(name for name in near if ask.state.combatant(name).has(sheet.HIDDEN))
    target = _target_of(ask, hidden if ask.text("using") == "reveal" else near)
    ways = ("reveal", "learn")
    able = ways if target in hidden or (hidden and not target) else ("learn",)

    def why(_way: str) -> Refusal:
        return Illegal(f"{target} is not HIDDEN.", rule="BE-14", instead="Use learn, or choose another target.")

    way = ask("using", "reveal or learn", able, nameable=ways, why=why, all_lead=True)

    def do(step: BeaconStep) -> None:
        if way == "learn":
            _learn(step, ask.who, target)
        else:
            _reveal(step, ask.who, target)
        note_event(step)

    return do


def _learn(step: BeaconStep, who: str, target: str) -> None:
    combatant, owner = step.combatant(target), step.combatant(who).owner
    seen_by = ("gm",) if owner is None else ("gm", owner)
    step.tell("{who} studies {target}.", who=who, target=target)
    scores = ", ".join(f"{key} {value}" for key, value in combatant.fields.items())
    abilities = "; ".join(
        f"{ability.name} ({', '.join(f'{key} {value}' for key, value in ability.fields.items())})"
        for ability in combatant.abilities
    )
    words = "{target}: {scores}. Abilities: {abilities}."
    step.tell(words, target=target, scores=scores or "no scores", abilities=abilities or "none", seen_by=seen_by)


def _reveal(step: BeaconStep, who: str, target: str) -> None:
    totals, rolls = {}, {}
    for name in step.state.names:  # dice of several come in the order of joining
        if name in (who, target):
            score = "MIND" if name == who else "AGILITY"
            totals[name], rolls[name] = rolled(step, name, "1d20", step.combatant(name).number(score), "search")
    is_found = totals[who] >= totals[target]
    step.tell(
        "{who} searches for {target}: {roll} against {other}, {outcome}.",
        who=who,
        target=target,
        roll=rolls[who],
        other=rolls[target],
        outcome="success" if is_found else "failure",
        good=is_found,
    )
    for condition in step.combatant(target).conditions if is_found else ():
        if condition.name.casefold() == sheet.HIDDEN.casefold():
            end_condition(step, target, condition, "is over")


# Rush, and Channel (BE-12, BE-14)


def rush(ask: BeaconAsk) -> Effect[BeaconState]:
    state, who = ask.state, ask.who
    speed = state.combatant(who).number("SPEED")
    where = where_to(state, who, speed, required=ask.text("using") == "move", rule="BE-14")
    can_move = speed > 0 and where[0].choices != ()

    def why(_way: str) -> Refusal:
        return Illegal(
            f"{who} has nowhere to rush to.", rule="BE-14", instead="using free protects the movement instead."
        )

    ways = ("move", "free")
    way = ask("using", "move or free", ways if can_move else ("free",), nameable=ways, why=why, all_lead=True)
    if way == "free":
        return lambda step: _free_step(step, who)
    if can_move:
        ask.take(*where, *left_params(state, who))

    def do(step: BeaconStep) -> None:
        turn = step.state.turn
        is_free = turn is not None and turn.who == who and turn.free_step
        declare_move(
            step,
            who,
            ask.text("to"),
            ask.number("amount"),
            speed,
            what="rushes",
            rule="BE-14",
            provokes=not is_free,
            left=ask.names("target"),
        )

    return do


def _free_step(step: BeaconStep, who: str) -> None:
    turn = step.state.turn
    if turn is not None and turn.who == who:
        step.change(turn=turn.evolve(free_step=True))
    step.tell("{who} rushes: no ENGAGEMENT and no reactions to their movement until the end of the turn.", who=who)
    note_event(step)


def channel_one(ask: BeaconAsk) -> Effect[BeaconState]:
    state, who = ask.state, ask.who
    every = tuple(ability.name for ability in state.combatant(who).abilities)
    ask.refuse(refuse_channel(state, who, None))

    def why(name: str) -> Refusal | None:
        return refuse_channel(state, who, name)

    name = ask("using", "ability", channelable(state, who), nameable=every, why=why, all_lead=True)
    ability = state.combatant(who).ability(name)

    def do(step: BeaconStep) -> None:
        turn = step.state.turn
        if ability is not None:
            channel(step, who, ability, moved=turn is not None and turn.who == who and turn.moved)

    return do


# All of them, as they are done in their phase, late, readied, and as a part of a Full Attack


def _noted(told: Told[BeaconState]) -> Told[BeaconState]:
    """Let a use be answered when all of it is done, if anybody's sheet answers uses. Rule: BE-20."""

    def run(ask: BeaconAsk) -> Effect[BeaconState]:
        effect = told.run(ask)

        def do(step: BeaconStep) -> None:
            _note_use(step, ask.who, told.id, ask.text("using") or "")
            effect(step)

        return do

    return replace(told, run=run)


def _note_use(step: BeaconStep, who: str, action: str, name: str) -> None:
    ability = step.combatant(who).ability(name)
    counts = counts_as(action, "" if ability is None else sheet.activation(ability))
    watched = any(
        (trigger := trigger_of(reaction)) is not None and trigger.what in counts
        for combatant in step.state.combatants
        for reaction in sheet.own_reactions(combatant)
    )
    if watched:
        put_under_way(step, Use(what="use", who=who, counts=counts))


TOLD: Mapping[str, Told[BeaconState]] = MappingProxyType(
    {
        told.id: _noted(told)
        for told in (
            *STRIKES.values(),
            Told("defend", "Defend", defend),
            Told("hide", "Hide", hide),
            Told("mark", "Mark", mark, ("target",)),
            Told("search", "Search", search, ("target", "using")),
            Told("refresh", "Refresh", refresh, ("using", "target", "note")),
            Told("channel", "Channel", channel_one, ("using",)),
            Told("rush", "Rush", rush, ("using", "to", "amount", "target")),
            Told("ability", "Ability", used("ability"), ("using", "target", "to")),
            Told("minor", "Minor action", used("minor"), ("using", "target", "to")),
            Told("free", "Free action", used("free"), ("using", "target", "to")),
            Told("full-attack", "Full Attack", full_attack, ("using", "target")),
        )
    }
)
