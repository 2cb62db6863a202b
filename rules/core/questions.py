"""Questions that are over without a word of those who are asked: void ones, and windows in which all have answered.

An event that asks several opens one question for each, in one window: they are asked at the same time, and who lets it
pass stays listed until all have answered.
"""

from __future__ import annotations

from typing import Any

from rules.core.errors import BrokenInvariant
from rules.core.registry import system_of
from rules.core.step import Step
from rules.core.values import Question

_MOST = 1000  # far more than one step can close


def settle(step: Step[Any]) -> None:
    """Close what is over and let the system go on, until nothing changes any more."""
    system = system_of(step.state)
    _close(step)
    system.settle(step)
    for _ in range(_MOST):
        if not _close(step):
            return
        system.settle(step)
    raise BrokenInvariant(f"{system.id} asks over and over what nobody can answer")


def _close(step: Step[Any]) -> bool:
    """Close what nobody can answer any more and what all have answered; tell whether there was any."""
    system = system_of(step.state)
    void = tuple(each for each in step.state.questions if _is_void(step, each))
    step.close(*void)
    for question in void:
        system.unanswered(step, question)
    windows = dict.fromkeys(each.window for each in step.state.questions if each.window)
    complete = tuple(window for window in windows if not step.state.is_open(window))
    for window in complete:
        _close_window(step, window)
    return bool(void or complete)


def _is_void(step: Step[Any], question: Question) -> bool:
    system = system_of(step.state)
    out = step.state.find(question.who) is not None and system.is_out(step.state, question.who)
    return out or system.is_void(step.state, question)


def _close_window(step: Step[Any], window: int) -> None:
    """Say who let an event pass, now that all have answered."""
    passed = tuple(each for each in step.state.questions if each.window == window)
    step.close(*passed)
    visible = [each.who for each in passed if each.who not in step.state.hidden_names]
    if visible:
        verb = "does" if len(visible) == 1 else "do"
        step.tell(f"{{who}} {verb} not react.", who=", ".join(visible))
