"""What the referee does by itself after a command: turns and phases end, the next round opens, a fight is decided."""

from __future__ import annotations

from rules.core.typed.names import shown
from rules.kits.compiled import NO_PHASE
from rules.systems.kit.carrying import resume
from rules.systems.kit.changing import begin_next
from rules.systems.kit.order import group_of, present_sides
from rules.systems.kit.part import able, is_out, is_skipped
from rules.systems.kit.play import MOST_SENTENCES, Play
from rules.systems.kit.resolving import carry_out, is_together
from rules.systems.kit.taking import can_do_something
from rules.systems.kit.turns import (
    begin_turn,
    close_round,
    end_phase,
    end_turn,
    following,
    open_phase,
    open_round,
    waiting,
)
from rules.systems.kit.ways import HANDING

_MOST_DRAWN = 8  # rounds that end by their first token, one after the other
_MOST_STEPS = 400  # of what the referee does by itself after one command


def settle(play: Play) -> None:
    """Go on until somebody can act: turns and phases end, the next round opens. It stops after an idle round.

    What was begun and what was planned come to their end by themselves, so they count for no stop.
    """
    idle, opened, steps = 0, False, 0
    while steps < _MOST_STEPS:
        steps += 1
        state = play.state
        if state.status != "running" or state.round == 0 or state.questions:
            return
        at_once = is_together(state.this_phase, state)
        if state.under_way is None and not at_once and _decided(play):
            return
        if resume(play):
            steps, play.by_itself = steps - 1, 0
            continue
        if not at_once:
            _end_what_is_over(play)
        if _end_by_sentence(play):
            continue
        is_spent = play.by_itself > MOST_SENTENCES  # turns that end as they start
        now = waiting(play.state)
        if now:
            if _passes_over(play, now):
                continue
            if _begins_alone(play, now):
                if is_spent:
                    break
                begin_turn(play, now[0], alone=True)
                for other in now[1:]:
                    begin_turn(play, other, alone=True)
                continue
            if play.state.is_stuck:
                play.step.change(is_stuck=False)
            return
        if is_spent:
            break
        phase = play.state.this_phase
        if phase.plan != "no" and not play.state.is_stuck:
            if carry_out(play, phase):
                steps, play.by_itself = steps - 1, 0
                continue
        elif phase is not NO_PHASE and not play.state.is_stuck and HANDING[phase.type].advance(play, phase):
            continue
        number = following(play) if phase is not NO_PHASE else None
        if number is not None:
            open_phase(play, number)
            continue
        if phase is not NO_PHASE:
            idle += opened  # a round that opens and closes without a stop is one in which nobody could act
            if idle > _most_idle(play):
                _stop(play)
                return
            close_round(play)
            if _decided(play):
                return
            begin_next(play)
            open_round(play, play.state.round + 1)
            opened = True
        if _decided(play):
            return
        first = following(play)
        if first is not None:
            open_phase(play, first)
            continue
        idle += 1
        if idle > 1:
            _stop(play)
            return
        close_round(play)
        begin_next(play)
        open_round(play, play.state.round + 1)
        opened = True
    _stop(play)


def _most_idle(play: Play) -> int:
    """Return how many rounds may pass without anybody acting: tokens may end several, and none if all are out."""
    state = play.state
    if all(is_out(state, name) for name in state.names):
        return 0
    anew = state.evolve(passed=(), ended=())
    draws = any(phase.type == "bag" and able(anew, phase) for phase in play.kit.phases)
    return _MOST_DRAWN if draws else 1


def _stop(play: Play) -> None:
    if not play.state.is_stuck:
        play.step.change(is_stuck=True)
        play.step.tell("Nobody can act. Give somebody the turn with /gm turn.")


def _begins_alone(play: Play, now: tuple[str, ...]) -> bool:
    """Tell whether a turn begins as its place comes: one person alone has it, and it is not to be claimed or let go."""
    state, phase = play.state, play.state.this_phase
    if any(name in state.begun for name in now) or state.current:
        return False
    if phase.plan != "no" and not state.called:
        return False
    if state.called and now[0] in state.called:
        return True
    groups = {group_of(state, name) for name in now}
    is_one = phase.type in ("list", "clock") or (phase.type != "open" and len(groups) == 1)
    return is_one and not phase.optional and not phase.pay


def _passes_over(play: Play, now: tuple[str, ...]) -> bool:
    """Pass over those who can do nothing, as far as everybody may know: in a phase of few actions, or with no end."""
    phase = play.state.this_phase
    if play.state.called or play.state.current:
        return False
    if phase.actions is None and not phase.is_endless:
        return False
    idle = tuple(
        name
        for name in now
        if name not in play.state.begun and not can_do_something(play.state, phase, name, public=True)
    )
    if phase.is_endless and idle != now:
        return False  # somebody goes on, who may give the others something to do
    if idle:
        play.step.change(passed=tuple(dict.fromkeys((*play.state.passed, *idle))))
    return bool(idle)


def _end_what_is_over(play: Play) -> None:
    """End the turns of those who are out or whose condition takes the turn."""
    for name in play.state.begun:
        is_taken = is_skipped(play.state, name) and name not in play.state.gm_turns
        if is_out(play.state, name) or is_taken:
            end_turn(play, name)
    gone = tuple(name for name in play.state.current if name not in play.state.begun)
    if gone:
        play.step.change(current=tuple(name for name in play.state.current if name not in gone))


def _end_by_sentence(play: Play) -> bool:
    """End what sentences have ended: the phase, or the round."""
    if "round" in play.ends or "phase" in play.ends:
        is_round = "round" in play.ends
        play.ends.clear()
        end_phase(play, is_round=is_round)
        return True
    return False


def _decided(play: Play) -> bool:
    """Tell whether the fight is decided: `side-out` happens, and it is over when only one side is left."""
    state = play.state
    sides = present_sides(play)
    standing = [side for side in sides if any(
        combatant.side == side and not is_out(state, combatant.name) for combatant in state.combatants
    )]  # fmt: skip
    fallen = tuple(side for side in sides if side not in standing) if len(sides) > 1 else ()
    alone = len(sides) > 1 and len(standing) <= 1
    if state.over is not None:
        if state.over == _victory(standing) or alone or state.over not in {_victory([side]) for side in sides}:
            return True
        play.step.change(over=None)  # somebody is up again
        play.step.change(sides_out=fallen)
        return False
    if fallen != state.sides_out:
        play.step.change(sides_out=fallen)
    for side in fallen:
        if side not in state.sides_out:
            play.step.tell("{side}: nobody is left.", side=side)
            play.when("side-out", "")
    if alone and play.state.over is None:
        play.step.change(over=_victory(standing))
        play.step.tell("{words}", words=_victory(standing))
    return play.state.over is not None


def _victory(standing: list[str]) -> str:
    return f"{shown(standing)} alone are still up." if standing else "Nobody is still up."
