"""What the referee does by itself between two answers, and the one question that is open then.

The question follows from the state alone; after every command `go_on` brings both together again.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.core.values import Question
from rules.systems.soulweaver import priority, reactions
from rules.systems.soulweaver.creatures import Soul, is_out
from rules.systems.soulweaver.stack import SOULWEAVER
from rules.systems.soulweaver.state import PauseSet, SoulState, WaiterAnswered

ABOUT_REACTION = "reaction"
ABOUT_WAITING = "waiting"
ABOUT_COMPLETING = "completing"
ABOUT_ATTACK = "attack"
ABOUT_CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class Asking:
    """The question that the state calls for. `key` tells it from an earlier one of the same kind."""

    who: str
    about: str
    words: str
    choices: tuple[str, ...]
    key: str
    silent: bool = False

    def is_asked_by(self, question: Question) -> bool:
        return (
            question.who == self.who
            and question.about == self.about
            and question.choices == self.choices
            and question.silent == self.silent
            and question.data.get("key") == self.key
        )


def go_on(step: Soul) -> None:
    """Go on until the table waits for somebody, then ask what there is to ask."""
    while step.state.status == "running" and _one(step):
        pass
    wanted = asking(step.state)
    state = step.state
    if wanted is not None and len(state.questions) == 1 and wanted.is_asked_by(state.questions[0]):
        return
    step.close(*state.questions)
    if wanted is not None:
        step.ask(
            wanted.who,
            wanted.about,
            wanted.words,
            wanted.choices,
            silent=wanted.silent,
            timed=wanted.about == ABOUT_REACTION,
            data={"key": wanted.key},
        )


def _one(step: Soul) -> bool:
    """Do one thing that needs nobody; False where the table waits."""
    state = step.state
    if _passes_the_fallen(step):
        return True
    if state.pause is not None:
        return False
    if state.stack.items:
        return reactions.resolve_one(step)
    if state.current is not None or state.asking:
        return False
    if state.coming:
        priority.give_waited_turn(step, state.coming[0])
        return True
    place = priority.next_place(state)
    if place is None:
        priority.open_round(step)
    else:
        priority.give_place(step, place)
    return True


def _passes_the_fallen(step: Soul) -> bool:
    """Let nobody wait for who is dead or fled: their turn is over, their answer is not asked for."""
    state = step.state
    if state.pause is not None:
        if state.pause.kind != "conflict" or not is_out(state, state.pause.who):
            return False
        step.emit(PauseSet(pause=None))
        return True
    if state.stack.items:
        return False
    if state.current is not None and is_out(state, state.current):
        step.tell("{who} is out of Priority: the turn is over.", who=state.current)
        priority.end_turn(step, state.current)
        return True
    if state.current is None and state.asking and is_out(state, state.asking[0]):
        step.emit(WaiterAnswered(who=state.asking[0], now=False))
        return True
    return False


def asking(state: SoulState) -> Asking | None:
    """Return the question that is open in this state. At most one is: who is asked decides alone. Rule: SW-22."""
    if state.status != "running":
        return None
    pause = state.pause
    if pause is not None:
        key = f"{pause.kind} {pause.item.id}"
        if pause.kind == "completing":
            return Asking(
                SOULWEAVER,
                ABOUT_COMPLETING,
                f"{pause.item.name.rstrip('.?!')} is complete: go on, or what did it cause?",
                ("go-on", "trigger"),
                key,
            )
        if pause.kind == "attack":
            words = f"{reactions.headed(state, pause.item, secret=False)}: hit or miss?"
            return Asking(SOULWEAVER, ABOUT_ATTACK, words, ("hit", "miss"), key)
        return Asking(
            pause.who, ABOUT_CONFLICT, "hit: roll Poise to stay out, or enter?", ("stay-out", "enter-conflict"), key
        )
    if state.stack.items:
        return _deciding(state)
    if state.current is None and state.asking:
        return Asking(
            state.asking[0],
            ABOUT_WAITING,
            "act now, or wait on?",
            ("act-now", "wait"),
            f"{state.round} {state.after}",
        )
    return None


def _deciding(state: SoulState) -> Asking | None:
    who = reactions.current_decider(state)
    if who is None:
        return None
    # What everybody may know decides whether there is a choice; what is secret only makes the question silent.
    possible = reactions.can_react(state, who, public=True)
    return Asking(
        who,
        ABOUT_REACTION,
        f"{reactions.latest_words(state)}: react, or decline?",
        ("react", "decline") if possible else ("decline",),
        f"{state.stack.next_id} {len(state.stack.items)} {len(state.stack.declined)}",
        reactions.passes_silently(state, who),
    )
