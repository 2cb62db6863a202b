"""Exchanging places in a list: with one still to come, unasked, or with one of their own side who agrees."""

from __future__ import annotations

from rules.core import refusals
from rules.core.asking.ask import Ask, Effect, nothing
from rules.core.command import Command
from rules.core.step import Step
from rules.errors import Illegal, Refusal
from rules.kits.compiled import PhaseSpec
from rules.systems.kit.deeds import acted_already
from rules.systems.kit.order import group_of, in_order
from rules.systems.kit.part import able, is_out
from rules.systems.kit.play import Play, play_of
from rules.systems.kit.state import KitState, place_of, set_place
from rules.systems.kit.turns import give_back, waiting


def _has_acted(state: KitState, phase: PhaseSpec, who: str) -> bool:
    return bool(state.used_turn.get(who)) and who in state.begun


def may_swap(state: KitState, who: str) -> Refusal | None:
    phase = state.this_phase
    if state.find(who) is None or phase.type != "list" or phase.swap == "no" or phase.plan != "no":
        return Illegal(
            "You can't swap places here.", rule="KI-01", instead="The GM can change the order with /gm order."
        )
    rule = phase.rule or "KI-01"
    if is_out(state, who):
        return refusals.is_out(who, rule="KI-06")
    if _has_acted(state, phase, who):
        return acted_already(who, phase)
    if phase.swap == "later" and who not in waiting(state):
        return refusals.not_turn(who, rule=rule, instead="Swap on your own turn, before you act.")
    if who not in able(state, phase) or state.called:
        return Illegal(f"{who} has no place to give now.", rule=rule, instead="Wait for the next round.")
    return None


def _is_partner(state: KitState, phase: PhaseSpec, who: str, other: str) -> bool:
    if group_of(state, other) == group_of(state, who) or other in state.held or _has_acted(state, phase, other):
        return False
    if state.had.get(other, {}).get(phase.shares, 0) != state.had.get(who, {}).get(phase.shares, 0):
        return False
    if phase.swap == "side":
        return state.combatant(other).side == state.combatant(who).side
    order = in_order(state, phase)
    return order.index(other) > order.index(who)


def swap(ask: Ask[KitState]) -> Effect[KitState]:
    """Ask whose place they want. Without a later one to take, its owner has to agree."""
    state, who, phase = ask.state, ask.who, ask.state.this_phase
    if phase.swap == "no" or state.find(who) is None:
        return nothing
    others = tuple(name for name in able(state, phase) if _is_partner(state, phase, who, name))
    rule, is_later = phase.rule or "KI-01", phase.swap == "later"

    def why(name: str) -> Refusal:
        instead = f"Choose somebody {'who is still to come' if is_later else 'on the same side'}."
        return Illegal(f"{who} cannot swap places with {name}.", rule=rule, instead=instead)

    other = ask("target", "whose place", others, nameable=state.names, why=why, rule=rule, all_lead=True)
    if is_later or (other and _same_owner(state, who, other)):
        return lambda step: exchange(play_of(step), phase, who, other)
    return lambda step: _offer(step, who, other)


def _offer(step: Step[KitState], who: str, other: str) -> None:
    words = f"{who} offers to swap places: do you agree?"
    step.tell("{who} offers to swap places with {other}.", who=who, other=other)
    step.ask(other, "swap", words, ("accept", "decline"), window=step.new_window, data={"from": who})


def _same_owner(state: KitState, who: str, other: str) -> bool:
    return state.combatant(who).owner == state.combatant(other).owner


def accept(step: Step[KitState], who: str, command: Command) -> None:
    exchange(play_of(step), step.state.this_phase, str(step.question.data["from"]), who)


def exchange(play: Play, phase: PhaseSpec, who: str, other: str) -> None:
    """Give the places of two, or of two groups, to each other."""
    state, key = play.state, phase.key.source
    mine = [name for name in state.names if group_of(state, name) == group_of(state, who)]
    theirs = [name for name in state.names if group_of(state, name) == group_of(state, other)]
    one, two = place_of(state, who, key), place_of(state, other, key)
    give_back(play, (*mine, *theirs))
    if state.order_by_hand:
        swapped = {who: other, other: who}
        play.step.change(order_by_hand=tuple(swapped.get(name, name) for name in state.order_by_hand))
    elif one is not None and two is not None:
        for name in mine:
            set_place(play.step, name, key, two)
        for name in theirs:
            set_place(play.step, name, key, one)
    play.step.tell("{who} and {other} swap places.", who=who, other=other)
