"""Rounds, phases and turns of a kit: they begin, end, and follow each other; what the referee does by itself."""

from __future__ import annotations

from rules.core.conditions import tick, tick_round_end
from rules.core.model import per_state, without
from rules.core.scopes import PHASE
from rules.core.typed.names import shown
from rules.kits.compiled import NO_PHASE, Kit, PhaseSpec
from rules.kits.texts import Price
from rules.kits.words import CLAIMED, KEYED, UNNAMED
from rules.systems.kit.checks import roll_check
from rules.systems.kit.numbers import Scene, number_of
from rules.systems.kit.order import (
    ensure_places,
    forget_places,
    present_sides,
    sharing_sides,
    sides_in_order,
)
from rules.systems.kit.part import founder_of, is_out, planners, takes_part, turns_left
from rules.systems.kit.play import Play
from rules.systems.kit.state import KitState, place_of, set_place
from rules.systems.kit.ways import HANDING, bag, clock


@per_state
def waiting(state: KitState) -> tuple[str, ...]:
    """Return whose turn it is: a sentence's next one, the one with the turn alone, else those the phase waits for."""
    phase = state.this_phase
    if phase is NO_PHASE or state.is_stuck:
        return ()
    called = tuple(name for name in state.called if name in state.names and not is_out(state, name))
    if state.current:
        return state.current
    if phase.plan != "no" and (not called or state.plan_step > 0):
        return planners(state, phase) if state.plan_step == 0 else ()
    return called[:1] or HANDING[phase.type].waits(state, phase)


@per_state
def waiting_words(state: KitState) -> str:
    """Return whose turn it is, as a refusal says it."""
    return shown(waiting(state), 12) or "nobody"


# Turns


def begin_turn(play: Play, who: str, *, alone: bool) -> None:
    """Begin somebody's turn: what refills on a turn is full, what ticks as it starts ticks."""
    phase = play.state.this_phase
    play.forget_moments()
    goes_on = who in play.state.started
    state = play.state
    play.step.change(
        begun=tuple(dict.fromkeys((*state.begun, who))),
        current=tuple(dict.fromkeys((*state.current, who))) if alone else state.current,
        called=without(state.called, who),
        used_turn={name: used for name, used in state.used_turn.items() if name != who or goes_on},
        turns_begun={**state.turns_begun, who: state.turns_begun.get(who, 0) + 1},
        is_stuck=False,
    )
    HANDING[phase.type].claim(play, phase, who)
    if goes_on:
        return
    play.refill(who, "turn", dict(phase.gives))
    pay(play, phase.pay, Scene(who))
    edge(play, who, "start")
    if "turn" in play.ends and who not in play.state.gm_turns:
        play.step.tell("{who}'s turn ends at once.", who=who)
        end_turn(play, who)
    play.ends.discard("turn")


def take_turn(play: Play, who: str) -> None:
    """Begin somebody's turn by acting: if several could, that is the claim, for all of their group."""
    phase = play.state.this_phase
    claims = phase.type in CLAIMED
    group = play.state.combatant(who).group
    mates = waiting(play.state) if claims and group else ()
    begin_turn(play, who, alone=claims)
    for mate in mates:
        if mate != who and play.state.combatant(mate).group == group:
            begin_turn(play, mate, alone=True)


def give_back(play: Play, who: tuple[str, ...]) -> None:
    """Let turns that have begun wait: they go on at the same point, and nothing ticks twice."""
    state = play.state
    play.step.change(
        started=tuple(dict.fromkeys((*state.started, *(name for name in who if name in state.begun)))),
        begun=tuple(name for name in state.begun if name not in who),
        current=tuple(name for name in state.current if name not in who),
    )


def edge(play: Play, who: str, what: str) -> None:
    """Let happen what hangs on the start or the end of somebody's turn."""
    combatant = play.state.combatant(who)
    if what == "start":
        for held in combatant.conditions:
            spec = next((condition for condition in play.kit.conditions.values() if condition.label == held.name), None)
            if spec is not None and spec.do:
                play.happen(spec.do, Scene(who, source=held.source or ""))
    play.when(f"turn-{what}", who)
    with play.within_limits(f"{who}'s conditions"):
        tick(play.step, who, "bearer-start" if what == "start" else "bearer-end")


def end_turn(play: Play, who: str) -> None:
    """End somebody's turn: it counts for what shares it, and what ticks as it ends ticks."""
    phase = play.state.this_phase
    if who in play.state.begun:
        edge(play, who, "end")
    else:
        _count_lost(play, who)
    play.ends.discard("turn")
    _count_turn(play, phase, who)
    if phase.plan == "no":
        HANDING[phase.type].done(play, phase, who)
    _end_passes(play, phase, who)


def _count_turn(play: Play, phase: PhaseSpec, who: str) -> None:
    """Count somebody's turn for what shares it: it is over, and without another one left they have ended."""
    state = play.state
    had = state.had.get(who, {})
    is_last = turns_left(state, phase, who) <= 1

    play.step.change(
        begun=without(state.begun, who),
        current=without(state.current, who),
        called=state.called
        if who in state.begun
        else without(state.called, who),  # the call that brought it went before
        started=without(state.started, who),
        gm_turns=without(state.gm_turns, who),
        ended=tuple(dict.fromkeys((*state.ended, who))) if is_last else state.ended,
        had={**state.had, who: {**had, phase.shares: had.get(phase.shares, 0) + 1}},
    )


def _count_lost(play: Play, who: str) -> None:
    """Count what hangs on a turn that never began."""
    with play.within_limits(f"{who}'s conditions"):
        tick(play.step, who, "bearer-start")
        tick(play.step, who, "bearer-end")


def _end_passes(play: Play, phase: PhaseSpec, who: str) -> None:
    """End the turns of those whose number is used up, if each turn takes from it."""
    if phase.again < 0:
        place = place_of(play.state, who, phase.key.source)
        if place is None or place.key <= 0:
            play.step.change(ended=tuple(dict.fromkeys((*play.state.ended, who))))


def turns_in_hand(state: KitState, phase: PhaseSpec, who: str) -> int:
    """Return how many turns somebody could give away: none of one in which they have acted."""
    if who in state.begun:
        return int(not state.used_turn.get(who))
    if phase.type == "bag":
        return bag.tokens_of(state, phase).get(founder_of(state, who), 0)
    return turns_left(state, phase, who)


def use_turn(play: Play, who: str) -> None:
    """Use up a turn that somebody has still to come: their next token, so many ticks, or one of the round's."""
    phase = play.state.this_phase
    if who in play.state.begun:
        end_turn(play, who)
    elif phase.type == "bag":
        first = founder_of(play.state, who)
        play.step.change(drawn={**play.state.drawn, first: play.state.drawn.get(first, 0) + 1})
    elif phase.type == "clock":
        clock.move(play, phase, who, phase.ticks)
    else:
        _count_turn(play, phase, who)
        if phase.again < 0:
            HANDING[phase.type].done(play, phase, who)
            _end_passes(play, phase, who)
    play.step.tell("{who}'s turn is used up.", who=who)


def pay(play: Play, cost: tuple[Price, ...], scene: Scene, *, uses_turn: bool = False) -> None:
    """Let somebody pay what something costs; `uses_turn`: a turn that it takes is used up at once."""
    for price in cost:
        if price.pool != "turn":
            play.take_off(scene.who, price.pool, number_of(play.state, price.amount, scene))
        elif uses_turn:
            use_turn(play, scene.who)


# Rounds and phases


def open_round(play: Play) -> None:
    """Begin the round that has opened: what refills in a round is full."""
    number = play.state.round
    play.forget_moments()
    play.step.tell("Round {number}.", number=number)
    for name in play.state.names:
        play.refill(name, "round")
    for spec in play.kit.pools.values():
        for side in sharing_sides(play, spec):
            play.have_shared(side, spec.name)
            if spec.refill == "round" and number > 1:
                with play.within_limits(spec.name):
                    play.set_shared(side, spec.name, play.number(spec.start, Scene(), spec.name)[0])
    if number > 1:
        _anew(play)
    if number == 1:
        play.when("fight-start", "")
    play.when("round-start", "")


def _anew(play: Play) -> None:
    """Forget the keys that are rolled anew each round: the first phase that uses one rolls it.

    A key that is kept counts whole again: what the turns of a round add by `again` is the round's.
    """
    for phase in play.kit.phases:
        if phase.again and phase.anew == "once":
            _count_whole(play, phase)
    renewed = [phase for phase in play.kit.phases if phase.type in KEYED and play.kit.rolls_anew(phase)]
    for phase in renewed:
        forget_places(play, phase, (*play.state.names, *play.state.side_places))
    if renewed and play.state.order_by_hand:
        play.step.change(order_by_hand=())


def _count_whole(play: Play, phase: PhaseSpec) -> None:
    """Give the numbers of those who had turns back what their turns have taken."""
    key = phase.key.source
    for name in play.state.names:
        place = place_of(play.state, name, key)
        if place is not None and place.passed:
            set_place(play.step, name, key, place.evolve(key=place.key - place.passed, passed=0))


def open_phase(play: Play, number: int) -> None:
    """Open a phase: who fails its gate takes no part, then turns are handed out."""
    phase = play.kit.phases[number]
    play.forget_moments()
    play.step.change(PHASE, phase_number=number, phase=play.state.phase if phase.name == UNNAMED else phase.id)
    if phase.gate:
        play.step.change(unfit=_unfit(play, phase))
    if phase.type != "sides" or phase.run != "round":
        play.step.change(leads="")
    if phase.plan == "no":
        HANDING[phase.type].open(play, phase)
    else:
        ensure_places(play, phase)
    if phase.type == "sides" and phase.run == "round":
        play.step.change(leads=play.state.side)
    if len(play.kit.phases) > 1 and waiting(play.state):
        play.step.tell("{phase}.", phase=f"{phase.name[:1].upper()}{phase.name[1:]}")


def _unfit(play: Play, phase: PhaseSpec) -> tuple[str, ...]:
    """Return who fails a phase's gate."""
    found = []
    for name in play.state.names:
        if takes_part(play.state, phase, name):
            with play.within_limits(f"{name}'s {phase.gate}"):
                if not roll_check(play.step, play.kit.checks[phase.gate], Scene(name)).succeeds:
                    found.append(name)
    return tuple(found)


def following(play: Play) -> int | None:
    """Return the phase that comes next in this round; None if the round is over."""
    kit, state = play.kit, play.state
    phase = state.this_phase
    number = state.phase_number + 1
    if phase.type == "sides" and phase.run == "round":
        block = _block(kit, phase.number)
        if number not in block:
            leader = _next_leader(play, phase)
            if leader:
                play.step.change(leads=leader)
                return block[0]
            play.step.change(leads="", lost=())
    while number < len(kit.phases):
        rounds = kit.phases[number].rounds
        if rounds == "all" or (rounds == "first") == (state.round == 1):
            return number
        number += 1
    return None


def _block(kit: Kit, number: int) -> list[int]:
    """Return the neighbouring phases through which a side goes before the next does."""

    def runs(at: int) -> bool:
        return 0 <= at < len(kit.phases) and kit.phases[at].type == "sides" and kit.phases[at].run == "round"

    first = last = number
    while runs(first - 1):
        first -= 1
    while runs(last + 1):
        last += 1
    return list(range(first, last + 1))


def _next_leader(play: Play, phase: PhaseSpec) -> str:
    """Return the side that goes through the block next, and note the one that has; empty when all have."""
    gone = (*play.state.lost, play.state.leads)
    play.step.change(lost=tuple(dict.fromkeys(filter(None, gone))))
    return next((side for side in sides_in_order(play, phase) if side not in play.state.lost), "")


def close_round(play: Play) -> None:
    """Count what hangs on the turns of those who had none this round, and on the round itself."""
    for name in play.state.names:
        if not any(play.state.had.get(name, {}).values()):
            _count_lost(play, name)
    play.when("round-end", "")
    with play.within_limits("what ends with the round"):
        tick_round_end(play.step)


def end_phase(play: Play, *, is_round: bool = False) -> None:
    """End every turn that has begun, and let nobody else have one in this phase (or in this round)."""
    for name in play.state.begun:
        end_turn(play, name)
    phase = play.state.this_phase
    if is_round:
        play.step.change(phase_number=len(play.kit.phases) - 1, leads="", lost=())
        phase = play.state.this_phase
    if phase is not NO_PHASE:
        sides = present_sides(play)
        play.step.change(passed=play.state.names, sides_done=sides, called=(), called_sides=(), held=(), current=())
    play.ends -= {"round", "phase"}
