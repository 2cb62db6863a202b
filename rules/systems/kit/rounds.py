"""Rounds of a kit's phases, and what the referee does in them by itself: turns and phases end, the next round opens."""

from __future__ import annotations

from functools import partial

from rules.core.places import Turn
from rules.core.registry import system_of
from rules.core.step import Step
from rules.core.turns.outcome import judge_sides, play_on, standing_sides
from rules.core.turns.phased import Phased
from rules.core.values import PlaceOfTurn
from rules.kits.compiled import NO_PHASE, Kit
from rules.kits.words import CLAIMED
from rules.systems.kit.carrying import resume
from rules.systems.kit.changing import begin_next
from rules.systems.kit.order import group_of, in_order, present_sides
from rules.systems.kit.part import able, has_planned, is_out, is_skipped, turns_left
from rules.systems.kit.play import MOST_SENTENCES, Play, play_of
from rules.systems.kit.resolving import carry_out, is_together
from rules.systems.kit.state import KitState
from rules.systems.kit.taking import can_do_something
from rules.systems.kit.turns import (
    begin_turn,
    close_round,
    end_phase,
    end_turn,
    following,
    open_phase,
    open_round,
    use_turn,
    waiting,
)
from rules.systems.kit.ways import HANDING

_MOST_DRAWN = 8  # rounds that end by their first token, one after the other
_MOST_TURNS = 400  # that the referee begins or passes over by itself after one command


def _is_done(state: KitState, who: str) -> bool:
    phase = state.this_phase
    if phase is NO_PHASE:
        return False
    if phase.plan != "no" and state.plan_step == 0 and has_planned(state, phase, who):
        return True
    if phase.again and who in state.ended:
        return True
    return who not in state.begun and turns_left(state, phase, who) <= 0


def playing(step: Step[KitState]) -> Play:
    """Return how a command goes on. Raises: Illegal if this program cannot read the kit."""
    system_of(step.state).require_readable()
    return play_of(step)


def next_phase(step: Step[KitState]) -> None:
    """Go on to the next phase or round (a ruling)."""
    play = playing(step)
    if play_on(step):
        return
    step.tell("The GM goes on.")
    step.change(is_stuck=False)
    end_phase(play)


class Rounds(Phased[KitState]):
    """Rounds that go through the phases of a file; each phase hands out turns in one of eight ways."""

    kit: Kit

    # Who has a turn

    def turn_order(self, state: KitState) -> tuple[str, ...]:
        phase = state.this_phase
        if phase.type not in ("list", "slots", "clock"):
            return state.names
        return tuple(name for name in in_order(state, phase) if name not in state.held)

    def present(self, state: KitState) -> Turn:
        phase = state.this_phase
        in_any_order = not state.current and (phase.type in ("sides", "open") or state.is_planning)
        has_called = bool(state.called or state.called_sides or state.current)
        return Turn(
            waiting(state),
            is_free=not state.called and (len(state.current) > 1 or in_any_order),
            is_claimed=phase.type in CLAIMED and not state.current,
            is_endless=phase.is_endless and not has_called,
            begun_by=self._going_on(state),
            is_done=partial(_is_done, state),
            number=lambda who: state.turns_begun.get(who, 0) - (who in state.begun),
        )

    def _going_on(self, state: KitState) -> str | None:
        """Return whose turn goes on after what is under way, and ends when they say so."""
        if len(state.current) != 1 or state.current[0] not in state.begun or state.this_phase.type == "named":
            return None
        under = state.under_way
        deed = None if under is None else self.kit.actions.get(under.action)
        is_last = (deed is not None and deed.ends) or (under is not None and "turn" in under.ends)
        return None if is_last else state.current[0]

    def missed_place(self, step: Step[KitState], who: str) -> None:
        is_list = step.state.this_phase.type == "list"
        if is_list and self.has_come(step.state, who) and not self.is_done(step.state, who):
            use_turn(play_of(step), who)

    def place_of_turn(self, state: KitState, who: str) -> PlaceOfTurn:
        if who in state.begun:
            return PlaceOfTurn.BEGUN
        place = super().place_of_turn(state, who)
        return PlaceOfTurn.AHEAD if place is PlaceOfTurn.BEGUN else place  # it may be taken, and has not been

    # What the referee does

    def settle(self, step: Step[KitState]) -> None:
        if self.kit.phases and step.state.round:
            play_of(step).forget_moments()
            if step.state.over is not None:
                _judge(play_of(step))  # somebody may be up again
            self.advance(step)

    def may_go_on(self, step: Step[KitState]) -> bool:
        """Tell whether nobody is asked; what was begun goes on to its end, though the fight is decided."""
        state = step.state
        is_open = state.over is None or state.under_way is not None or is_together(state.this_phase, state)
        return state.status == "running" and is_open and not state.questions and not state.is_stuck

    def go_on(self, step: Step[KitState]) -> bool:
        play = play_of(step)
        if resume(play):
            play.turns = play.by_itself = 0  # what was begun comes to its end by itself, so it counts for no stop
            return True
        _judge(play)
        if play.state.over is not None:
            return True
        _end_what_is_over(play)
        if play.ends & {"round", "phase"}:  # sentences have ended it
            end_phase(play, is_round="round" in play.ends)
            return True
        now = waiting(play.state)
        if now and _passes_over(play, now):
            return True
        if now and not _begins_alone(play, now):
            return False
        play.turns += 1
        if play.turns > _MOST_TURNS or play.by_itself > MOST_SENTENCES:  # turns that end as they start
            _stop(play)
            return True
        if now:
            for name in now:
                begin_turn(play, name, alone=True)
            return True
        phase = play.state.this_phase
        if phase.plan != "no" and carry_out(play, phase):
            play.turns = play.by_itself = 0
            return True
        return phase.plan == "no" and phase is not NO_PHASE and HANDING[phase.type].advance(play, phase)

    def next_phase(self, step: Step[KitState]) -> None:
        """Open the phase after the present one; after the last the next round, unless nobody could act in one."""
        play = play_of(step)
        number = following(play)
        if number is not None:
            open_phase(play, number)
            return
        if play.rounds > _most_idle(play):
            _stop(play)
            return
        close_round(play)
        _judge(play)
        if step.state.over is None:
            begin_next(play)
            play.rounds += 1
            self.open_round(step, step.state.round + 1)

    def round_starts(self, step: Step[KitState]) -> None:
        open_round(play_of(step))


def _most_idle(play: Play) -> int:
    """Return how many rounds may pass without anybody acting: tokens may end several."""
    state = play.state
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


def _judge(play: Play) -> None:
    """Say which sides have nobody left, and that the fight is over if one alone has; not in the midst of an action."""
    state = play.state
    if play.judged is state.combatants or state.under_way is not None or is_together(state.this_phase, state):
        return
    play.judged = state.combatants
    if _is_said_to_be_over(state):
        return
    sides, standing = present_sides(play), standing_sides(state)
    fallen = tuple(side for side in sides if side not in standing) if len(sides) > 1 else ()
    if fallen != state.sides_out:
        play.step.change(sides_out=fallen)
    for side in fallen:
        if side not in state.sides_out:
            if len(standing) > 1:
                play.step.tell("{side}: nobody is left.", side=side)
            play.when("side-out", "")
    if not _is_said_to_be_over(play.state):
        judge_sides(play.step)


def _is_said_to_be_over(state: KitState) -> bool:
    """Tell whether a sentence has ended the fight, no matter who is still up."""
    ends = (sentence for sentence in state.kit.sentences if sentence.form == "ends" and sentence.name == "fight")
    return state.over is not None and any(sentence.words == state.over for sentence in ends)
