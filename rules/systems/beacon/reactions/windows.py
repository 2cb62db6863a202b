"""Reactions: who could answer an event, the windows that ask them, and the stack of what is under way.

Rule: BE-20, BE-21, BE-22, BE-23, BE-24.
"""

from __future__ import annotations

from rules.core.values import Question
from rules.systems.beacon.attacks import roll_strike, spaces_of
from rules.systems.beacon.effects import run_effects
from rules.systems.beacon.movement import carry_out
from rules.systems.beacon.phases import finish_turn
from rules.systems.beacon.reactions.chances import REACTABLE, Reactable, chances
from rules.systems.beacon.release import unleash
from rules.systems.beacon.sheet import (
    BeaconStep,
    is_out,
    within,
)
from rules.systems.beacon.state import (
    Attack,
    BeaconState,
    Effects,
    Finish,
    Job,
    Movement,
    Slip,
    Unleash,
    Use,
    end_top,
    note_event,
    replace_top,
)

REACTION = "reaction"
REACT = "react"
ANSWERS = (REACT, "decline")


# Windows


def job_of(state: BeaconState, window: int) -> Job | None:
    return next((job for job in state.stack if getattr(job, "window", 0) == window and window), None)


def replace(step: BeaconStep, before: Job, after: Job) -> None:
    """Put a job that has a window in the place of its earlier state."""
    step.change(stack=tuple(after if job == before else job for job in step.state.stack))


def _open(step: BeaconStep, job: Reactable) -> None:
    """Ask everybody who could answer, in one window. Rule: BE-24."""
    state = step.state
    asked = [name for name in state.names if chances(state, name, job)]
    if not asked:
        replace_top(step, job)
        return
    window = step.new_window
    replace_top(step, job.evolve(window=window))
    aimed = tuple(strike.aimed for strike in job.strikes) if isinstance(job, Attack) else ()
    words = {name: f"{_event(step, job)}: {_possible(state, name, job)}?" for name in asked}
    step.ask_all(asked, REACTION, words, ANSWERS, aimed=aimed)
    visible = [name for name in asked if not state.combatant(name).hidden]
    if visible:
        step.tell("{who} may react.", who=", ".join(visible))


def join_windows(step: BeaconStep, who: str) -> None:
    """Ask somebody who has just become free to react in what is under way. Rule: BE-19, BE-24."""
    for job in step.state.stack:
        window = getattr(job, "window", 0)
        if not isinstance(job, REACTABLE) or not window or not step.state.is_open(window):
            continue
        if chances(step.state, who, job):
            words = f"{_event(step, job)}: {_possible(step.state, who, job)}?"
            step.ask(who, REACTION, words, ANSWERS, window=window)


def _event(step: BeaconStep, job: Reactable) -> str:
    """Return in words what those are asked about whom it concerns."""
    actor = _shown(step, job.who)
    if isinstance(job, Movement):
        return f"{actor} begins to move" if job.stage == "before" else f"{actor} has moved"
    if isinstance(job, Use):
        return f"{actor} has used {job.counts[0].replace('-', ' ')}"
    if job.stage == "before":
        return f"{actor} attacks {', '.join(_shown(step, strike.target) for strike in job.strikes)}, before the roll"
    hit = ", ".join(_shown(step, strike.target) for strike in job.strikes if strike.hit)
    return f"{actor} hits {hit}" if hit else f"{actor} misses"


def _possible(state: BeaconState, who: str, job: Job) -> str:
    """Return in words what somebody could react with; what is on the sheet of an NPC is not for everybody."""
    if state.combatant(who).owner is None:
        return REACT
    return " or ".join(chance.name.replace("-", " ") for chance in chances(state, who, job))


def _shown(step: BeaconStep, who: str) -> str:
    """Return a name for a question: one who is hidden is somebody."""
    return "somebody" if step.combatant(who).hidden else who


def is_void(state: BeaconState, question: Question) -> bool:
    """Tell whether what asks is over, or who is asked can no longer react to it."""
    if not question.window:
        return False
    job = job_of(state, question.window)
    return job is None or (question.about == REACTION and not chances(state, question.who, job))


def run(step: BeaconStep) -> None:
    """Work on what is under way, the innermost first, up to a question or the end."""
    while step.state.stack:
        job = step.state.stack[-1]
        window = getattr(job, "window", 0)
        if window and any(question.window == window for question in step.state.questions):
            return
        _go_on(step, job)


def _go_on(step: BeaconStep, job: Job) -> None:
    if _is_cut_short(step.state, job):
        end_top(step)
        step.tell("{who} is out of the round and does nothing more.", who=job.who)
    elif isinstance(job, Attack):
        _attack(step, job)
    elif isinstance(job, Movement):
        _movement(step, job)
    elif isinstance(job, Use):
        if job.stage == "declared":
            _open(step, job.evolve(stage="after"))
        else:
            end_top(step)
    elif isinstance(job, Unleash):
        end_top(step)
        unleash(step, job)
    elif isinstance(job, Effects):
        run_effects(step)
    elif isinstance(job, Finish):
        end_top(step)
        finish_turn(step, job.who, job.surge)


def _is_cut_short(state: BeaconState, job: Job) -> bool:
    """Tell whether who would act is out by now: they have no further part in what they began. Rule: BE-26."""
    rolled = isinstance(job, Attack) and job.stage == "after"
    moved = isinstance(job, Movement) and job.stage == "after"
    return (
        isinstance(job, (Attack, Movement, Unleash)) and not rolled and not moved and is_out(state.combatant(job.who))
    )


def _in_reach(step: BeaconStep, job: Attack) -> Attack:
    """Drop whom an earlier attack of the same action, or what answered it, has put out of reach."""
    state = step.state
    ability = None if job.ability is None else state.combatant(job.who).ability(job.ability)
    limit = spaces_of(state, job.who, job.kind, ability)
    kept = []
    for strike in job.strikes:
        if within(state, job.who, strike.target, limit, ability):
            kept.append(strike)
        else:
            step.tell("{target} is out of reach by now.", target=strike.target)
    return job if len(kept) == len(job.strikes) else job.evolve(strikes=tuple(kept))


def _attack(step: BeaconStep, job: Attack) -> None:
    if job.stage == "declared":
        job = _in_reach(step, job)
        _open(step, job.evolve(stage="before"))
    elif job.stage == "before":
        rolled = tuple(roll_strike(step, job, strike) for strike in job.strikes)
        after = job.evolve(stage="after", strikes=rolled, window=0)
        _open(step, after)
    else:
        end_top(step)
        note_event(step)


def _movement(step: BeaconStep, job: Movement) -> None:
    if job.stage == "declared":
        _open(step, job.evolve(stage="before"))
    elif job.stage == "before":
        replace_top(step, job.evolve(stage="after", window=0))
        made = carry_out(step, job)
        if made and job.provokes:
            if not job.path and not step.combatant(job.who).hidden:
                step.change(slip=Slip(who=job.who, since=step.state.events, asked=job.left))
            _open(step, job.evolve(stage="after", window=0))
        else:
            end_top(step)
    else:
        end_top(step)
