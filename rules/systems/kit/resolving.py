"""Carrying out plans: all are told at once, then done step by step, in an order or all at the same time.

At the same time means two passes: first the costs and what needs no roll, then all checks and conditions of sentences
against what is after the first. Who falls in a step falls when it is over.
"""

from __future__ import annotations

import json

from rules.errors import Illegal, Refusal
from rules.kits.compiled import Deed, PhaseSpec
from rules.kits.words import INDIVIDUAL
from rules.systems.kit.carrying import begun, blow_of, carry_on, drop_rest
from rules.systems.kit.deeds import refused_by_state
from rules.systems.kit.order import in_order, renew_places, sides_in_order
from rules.systems.kit.part import is_out
from rules.systems.kit.planning import plan_words
from rules.systems.kit.play import Play
from rules.systems.kit.state import Basis, KitState, Planned, at_basis
from rules.systems.kit.taking import checked
from rules.systems.kit.turns import begin_turn, end_turn

OVER = -1  # the step of a phase whose plans have been carried out


def carry_out(play: Play, phase: PhaseSpec) -> bool:
    """Do the next thing that the plans say; tell whether there was one."""
    state = play.state
    if state.plan_step == OVER:
        return False
    if state.plan_step == 0:
        _reveal(play, phase)
        _open_step(play, phase, 1)
        return True
    if state.plan_queue:
        play.step.change(plan_queue=state.plan_queue[1:])
        _do(play, phase, state.plan_queue[0])
        return True
    if phase.resolve == "together" and not state.is_second_pass:
        _note_basis(play, is_second_pass=True)
        done = tuple(name for name in _ordered(play, phase, state.plan_step) if name not in play.state.plan_dropped)
        play.step.change(plan_queue=done)
        return True
    if state.plan_step < phase.steps:
        _open_step(play, phase, state.plan_step + 1)
        return True
    _close(play)
    return True


def _reveal(play: Play, phase: PhaseSpec) -> None:
    """Tell every plan, roll the keys that hang on it, and let everybody's turn begin."""
    state = play.state
    for name, steps in state.plans.items():
        if steps:
            words = "; ".join(plan_words(play.kit, step) for step in steps)
            play.step.tell("{who} plans: {plan}.", who=name, plan=words)
    takers = tuple(name for name in state.names if state.plans.get(name) or name in state.plan_closed)
    for name in takers:
        begin_turn(play, name, alone=False)
        if name not in play.state.begun:
            drop_rest(play, name)
    if phase.resolve == "order" and phase.type in INDIVIDUAL and phase.key.uses_speed:
        renew_places(play, phase, tuple(name for name in takers if play.state.plans.get(name)))


def _open_step(play: Play, phase: PhaseSpec, number: int) -> None:
    play.step.change(plan_step=number, plan_dropped=(), is_second_pass=False, basis=None)
    queue = tuple(name for name in _ordered(play, phase, number) if not is_out(play.state, name))
    if phase.resolve == "together":
        _note_basis(play, is_second_pass=False)
        play.step.change(plan_dropped=tuple(name for name in play.state.names if name not in queue))
    play.step.change(plan_queue=queue)


def _note_basis(play: Play, *, is_second_pass: bool) -> None:
    """Keep the state as it is now, which the rest of the step looks at."""
    state = play.state
    held = {
        combatant.name: json.dumps(combatant.model_dump(mode="json", include={"pools", "conditions"}))
        for combatant in state.combatants
    }
    shared = json.dumps(state.model_dump(mode="json", include={"table_pools", "side_pools"}))
    play.step.change(is_second_pass=is_second_pass, basis=Basis(combatants=held, shared=shared))


def _ordered(play: Play, phase: PhaseSpec, number: int) -> tuple[str, ...]:
    """Return who planned such a step: in the order of the key, of the sides, else of joining."""
    state = play.state
    names: tuple[str, ...] = state.names
    if phase.resolve == "order" and phase.type in INDIVIDUAL:
        names = in_order(state, phase)
    elif phase.resolve == "order" and phase.type in ("sides", "alternate"):
        sides = sides_in_order(play, phase)
        names = tuple(sorted(names, key=lambda name: sides.index(state.combatant(name).side)))
    return tuple(name for name in names if len(state.plans.get(name, ())) >= number)


def _do(play: Play, phase: PhaseSpec, who: str) -> None:
    planned = play.state.plans[who][play.state.plan_step - 1]
    deed = play.kit.actions.get(planned.action)
    if deed is None:
        return
    play.forget_moments()
    if phase.resolve == "together":
        _together(play, deed, planned, who)
        return
    legal = _still_legal(play, deed, who, planned, play.state)
    if legal is not None:
        carry_on(play, deed, begun(play, deed, who, legal, "alone"))


def _together(play: Play, deed: Deed, planned: Planned, who: str) -> None:
    """Do a planned action's part of this pass."""
    state = play.state
    there = planned.evolve(targets=tuple(name for name in planned.targets if state.find(name) is not None))
    if state.is_second_pass:
        carry_on(play, deed, blow_of(play, deed, who, there, "second"))
        return
    if _still_legal(play, deed, who, planned, at_basis(state)) is None:
        play.step.change(plan_dropped=(*play.state.plan_dropped, who))
        return
    blow = begun(play, deed, who, there, "first")
    if not deed.check:
        carry_on(play, deed, blow)


def _still_legal(play: Play, deed: Deed, who: str, planned: Planned, state: KitState) -> Planned | None:
    """Return a planned action that is still legal, with its targets; else tell why it is dropped."""
    try:
        refusal: Refusal | None = refused_by_state(deed, state, who, planned=True)
        if refusal is not None:
            raise refusal
        return checked(deed, state, who, planned)
    except Illegal as refused:
        unseen = (spec.name for spec in play.kit.pools.values() if spec.shown == "no")
        is_open = not any(name in refused.reason for name in unseen)  # everybody reads it
        why = refused.reason if is_open else "it is no longer possible."
        play.step.tell("{who}'s {action} is dropped: {why}", who=who, action=deed.label.lower(), why=why)
        return None


def _close(play: Play) -> None:
    """End the turns of all who planned."""
    play.step.change(plan_step=OVER, plans={}, plan_closed=(), basis=None, is_second_pass=False, plan_dropped=())
    for name in play.state.begun:
        end_turn(play, name)
    play.step.change(passed=play.state.names)


def is_together(phase: PhaseSpec, state: KitState) -> bool:
    """Tell whether a step is under way in which everything happens at once: who is out counts after it."""
    return phase.plan != "no" and phase.resolve == "together" and state.plan_step > 0
