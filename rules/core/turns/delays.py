"""A turn that is put off: until another's turn is over, to be asked after each turn, or until its owner acts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rules.core.action import Action, plainly
from rules.core.encounter import Encounter
from rules.core.model import without, without_key
from rules.core.offer import Param
from rules.core.step import Step
from rules.core.turns.fallen import is_out
from rules.core.turns.state import DelayingState

DELAYING = "delaying"  # what those who wait are asked about after a turn, if they want to be
WAIT_ON = "wait-on"  # their answer that they do not act yet
ASK = "ask"  # the note of a delay: to be asked after each turn
AFTER = "after "  # begins the note that says after whose turn it ends


def when_param(state: Encounter, others: Iterable[str], label: str, rule: str | None = None) -> Param:
    """Return what says when a turn that is put off comes: after each is asked, or after that of another."""
    after = (f"{AFTER}{name}" for name in others if name not in state.hidden_names)
    notes = {ASK: "after each other turn"}
    return Param(name="note", label=label, choices=(ASK, *after), required=False, rule=rule, notes=notes, in_menus=True)


def put_off(step: Step[Any], who: str, note: str | None, words: str) -> None:
    """Note that somebody waits, and say so; `words` if no turn is named that they wait for."""
    state: DelayingState = step.state
    after = note.removeprefix(AFTER) if note is not None and note.startswith(AFTER) else None
    step.change(
        delayed=(*state.delayed, who),
        alert=(*state.alert, who) if note == ASK else state.alert,
        until=state.until if after is None else {**state.until, who: after},
    )
    step.tell(words if after is None else "{who} delays until after {other}'s turn.", who=who, other=after)


def wait_no_longer(step: Step[Any], who: str) -> None:
    """Let somebody wait no longer."""
    state: DelayingState = step.state
    step.change(
        delayed=without(state.delayed, who),
        ripe=without(state.ripe, who),
        alert=without(state.alert, who),
        asking=without(state.asking, who),
        until=without_key(state.until, who),
    )


def wait_on(rule: str, button_rank: int) -> Action[Any]:
    """Return the answer of somebody who is asked whether they act, and goes on waiting."""
    return Action(
        id=WAIT_ON,
        label="Wait on",
        passes=True,
        answer=True,
        rule=rule,
        default_answer=plainly,
        button_rank=button_rank,
    )


def find_due(state: DelayingState, names: Iterable[str], over: Iterable[str]) -> str | None:
    """Return the first of some who waited for a turn that is over now."""
    ended = frozenset(over)
    return next((name for name in names if state.until.get(name) in ended and not is_out(state, name)), None)


def ask_whether(step: Step[Any], asking: tuple[str, ...], after: str, words: str, answer: str) -> None:
    """Ask those who wait whether they act, now that something is over."""
    step.change(asking=())
    texts = {name: f"{after} is done: does {name} {words}?" for name in asking}
    step.ask_all(asking, DELAYING, texts, (answer, WAIT_ON))
