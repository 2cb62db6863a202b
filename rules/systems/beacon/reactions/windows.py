"""Reactions: who could answer an event, the windows that ask them, and the stack of what is under way.

Rule: BE-20, BE-21, BE-22, BE-23, BE-24.
"""

from __future__ import annotations

from pydantic import JsonValue

from rules.core.blow import Blow
from rules.core.blows import flow
from rules.core.blows.opened import open_blow
from rules.core.values import Question
from rules.systems.beacon.effects import run_effects
from rules.systems.beacon.movement import carry_out
from rules.systems.beacon.phases import finish_turn
from rules.systems.beacon.reactions.chances import EVENTS, HITS, Event, chances, doer
from rules.systems.beacon.release import unleash
from rules.systems.beacon.sheet import BeaconStep, is_out
from rules.systems.beacon.state import (
    BeaconState,
    Effects,
    Finish,
    Job,
    Movement,
    Slip,
    Unleash,
    Use,
    end_top,
    replace_top,
)

REACTION = "reaction"
REACT = "react"
ANSWERS = (REACT, "decline")


# Windows


def event_of(state: BeaconState, question: Question) -> Blow | Job | None:
    """Return what a question is about: a blow, or a job that has its window."""
    if "blow" in question.data:
        return next((blow for blow in state.blows if blow.is_open and blow.number == question.data["blow"]), None)
    return next((job for job in state.stack if getattr(job, "window", 0) == question.window and question.window), None)


def ask(step: BeaconStep, event: Event) -> int:
    """Ask everybody who could answer, in one window; return its number, 0 if nobody could. Rule: BE-24."""
    state = step.state
    asked = [name for name in state.names if chances(state, name, event)]
    if not asked:
        return 0
    window = step.new_window
    aimed: tuple[str, ...] = ()
    data: dict[str, JsonValue] | None = None
    if isinstance(event, Blow):
        aimed, data = tuple(strike.target for strike in event.strikes), {"blow": event.number}
    words = {name: f"{_event(step, event)}: {_possible(state, name, event)}?" for name in asked}
    step.ask_all(asked, REACTION, words, ANSWERS, aimed=aimed, data=data)
    visible = [name for name in asked if not state.combatant(name).hidden]
    if visible:
        step.tell("{who} may react.", who=", ".join(visible))
    return window


def _open(step: BeaconStep, job: Movement | Use) -> None:
    replace_top(step, job.evolve(window=ask(step, job)))


def join_windows(step: BeaconStep, who: str) -> None:
    """Ask somebody who has just become free to react in what is under way. Rule: BE-19, BE-24."""
    asked = {question.window: question for question in step.state.questions if question.about == REACTION}
    for window, question in asked.items():
        event = event_of(step.state, question)
        if isinstance(event, EVENTS) and step.state.is_open(window) and chances(step.state, who, event):
            words = f"{_event(step, event)}: {_possible(step.state, who, event)}?"
            step.ask(who, REACTION, words, ANSWERS, window=window, data=question.data)


def _event(step: BeaconStep, event: Event) -> str:
    """Return in words what those it concerns are asked about."""
    actor = _shown(step, doer(event))
    if isinstance(event, Movement):
        return f"{actor} begins to move" if event.stage == "before" else f"{actor} has moved"
    if isinstance(event, Use):
        return f"{actor} has used {event.counts[0].replace('-', ' ')}"
    if event.stage == "rolling":
        return f"{actor} attacks {', '.join(_shown(step, strike.target) for strike in event.strikes)}, before the roll"
    hit = ", ".join(_shown(step, strike.target) for strike in event.strikes if strike.degree in HITS)
    return f"{actor} hits {hit}" if hit else f"{actor} misses"


def _possible(state: BeaconState, who: str, event: Event) -> str:
    """Return in words what somebody could react with; what is on the sheet of an NPC is not for everybody."""
    if state.combatant(who).owner is None:
        return REACT
    return " or ".join(chance.name.replace("-", " ") for chance in chances(state, who, event))


def _shown(step: BeaconStep, who: str) -> str:
    """Return a name for a question: one who is hidden is somebody."""
    return "somebody" if step.combatant(who).hidden else who


def is_over(state: BeaconState, question: Question) -> bool:
    """Tell whether what asks is over."""
    return event_of(state, question) is None


def is_void(state: BeaconState, question: Question) -> bool:
    """Tell whether what asks is over, or who is asked can no longer react to it."""
    event = event_of(state, question)
    return event is None or not chances(state, question.who, event)


def run(step: BeaconStep) -> None:
    """Work on what is under way, the innermost first, up to a question or the end."""
    while True:
        flow.go_on(step)
        if open_blow(step.state) is not None or not step.state.stack:
            return
        job = step.state.stack[-1]
        window = getattr(job, "window", 0)
        if window and any(question.window == window for question in step.state.questions):
            return
        _go_on(step, job)


def _go_on(step: BeaconStep, job: Job) -> None:
    if _is_cut_short(step.state, job):
        end_top(step)
        step.tell("{who} is out of the round and does nothing more.", who=job.who)
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
    moved = isinstance(job, Movement) and job.stage == "after"
    return isinstance(job, (Movement, Unleash)) and not moved and is_out(state.combatant(job.who))


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
