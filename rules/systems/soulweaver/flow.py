"""What the referee does by itself between two answers, and the questions that are open then.

The questions follow from the state alone; after every command `go_on` brings both together again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from rules.core.step import GM_ONLY
from rules.core.values import Question
from rules.systems.soulweaver import priority, reactions
from rules.systems.soulweaver.creatures import Soul, drawn_by, is_out
from rules.systems.soulweaver.stack import SOULWEAVER
from rules.systems.soulweaver.state import (
    ItemClosed,
    PauseBack,
    PauseSet,
    SoulState,
    TriggerDeclared,
    WaiterAnswered,
)

ABOUT_REACTION = "reaction"
ABOUT_WAITING = "waiting"
ABOUT_COMPLETING = "completing"
ABOUT_ATTACK = "attack"
ABOUT_CONFLICT = "conflict"
ABOUT_ENEMY = "enemy"


@dataclass(frozen=True, slots=True)
class Asking:
    """A question that the state calls for. `data` tells it from an earlier one of the same kind."""

    who: str
    about: str
    words: str
    choices: tuple[str, ...]
    data: Mapping[str, JsonValue]
    silent: bool = False
    inside: str = ""

    def is_asked_by(self, question: Question) -> bool:
        return (
            question.who == self.who
            and question.about == self.about
            and question.choices == self.choices
            and question.silent == self.silent
            and question.data == self.data
        )


def go_on(step: Soul) -> None:
    """Go on until the table waits for somebody, then ask what there is to ask."""
    while step.state.status == "running" and _one(step):
        pass
    wanted = askings(step.state)
    step.close(*(each for each in step.state.questions if not any(asking.is_asked_by(each) for asking in wanted)))
    new = [each for each in wanted if not any(each.is_asked_by(question) for question in step.state.questions)]
    window = step.new_window
    for each in new:
        step.ask(
            each.who,
            each.about,
            each.words,
            each.choices,
            silent=each.silent,
            inside=each.inside,
            timed=each.about in (ABOUT_REACTION, ABOUT_ENEMY),
            window=window if each.about == ABOUT_ENEMY else 0,
            data=each.data,
        )


def _one(step: Soul) -> bool:
    """Do one thing that needs nobody; False where the table waits."""
    state = step.state
    if _passes_the_fallen(step) or _tidies(step):
        return True
    if state.pause is not None:
        return False
    if state.stack.items:
        return reactions.resolve_one(step)
    if state.current is not None:
        return False
    if state.coming:
        priority.give_waited_turn(step, state.coming[0])
        return True
    if state.asking:
        return False
    place = priority.next_place(state)
    if place is None:
        priority.open_round(step)
    else:
        priority.give_place(step, place)
    return True


def _tidies(step: Soul) -> bool:
    """Bring back what is owed to the GM, and let what was declared lapse with its stack. Rule: SW-18, SW-22."""
    state = step.state
    if state.pause is None and state.owed and state.stack.find(state.owed[-1].until) is None:
        step.emit(PauseBack())
        return True
    if state.declared is not None and not state.stack.items and state.pause is None:
        step.emit(TriggerDeclared(note=None))
        step.tell("What was declared lapses: {name}.", name=state.declared.rstrip("."), seen_by=GM_ONLY)
        return True
    return False


def _passes_the_fallen(step: Soul) -> bool:
    """Let nobody wait for who is dead or fled: what they do and their turn are over, they are not asked."""
    state = step.state
    pause = state.pause
    if pause is not None:
        if pause.kind == "attack" and is_out(state, pause.item.who):
            step.emit(PauseSet(pause=None))
            reactions.tell_end(step, pause.item)
            return True
        if pause.kind == "conflict" and is_out(state, pause.who):
            step.emit(PauseSet(pause=None))
            return True
    fallen = next((item for item in reversed(state.stack.items) if is_out(state, item.who)), None)
    if fallen is not None:
        step.emit(ItemClosed(id=fallen.id))
        reactions.tell_end(step, fallen)
        return True
    if pause is not None or state.stack.items:
        return False
    if state.current is not None and is_out(state, state.current):
        step.tell("{who} is out of Priority: the turn is over.", who=state.current)
        priority.end_turn(step, state.current)
        return True
    out = next((who for who in state.asking if is_out(state, who)), None)
    if out is None:
        return False
    step.emit(WaiterAnswered(who=out, now=False))
    return True


def askings(state: SoulState) -> tuple[Asking, ...]:
    """Return the questions that are open in this state: whom Enemies draw into Conflict, and what else play waits for.

    Rule: SW-07, SW-22.
    """
    if state.status != "running":
        return ()
    first = _asking(state)
    return (*_drawn(state), *_waking(state), *(() if first is None else (first,)))


def _drawn(state: SoulState) -> tuple[Asking, ...]:
    """Ask whoever has an Enemy in sight whether they enter Conflict, or roll Poise first. Rule: SW-07, SW-08."""
    hit = state.pause.who if state.pause is not None and state.pause.kind == "conflict" else None
    found = []
    for who in state.names:
        enemies = drawn_by(state, who)
        if enemies and who != hit:
            found.append(
                Asking(
                    who,
                    ABOUT_ENEMY,
                    "an Enemy is in sight: roll Poise to stay out of Conflict, or enter?",
                    ("stay-out", "enter-conflict"),
                    {},
                    inside=f"{', '.join(enemies)} in sight: roll Poise to stay out of Conflict, or enter?",
                )
            )
    return tuple(found)


def _waking(state: SoulState) -> tuple[Asking, ...]:
    """Ask those who wait and want to be asked, all at the same time: who acts now first has the turn. Rule: SW-05."""
    if state.pause is not None or state.stack.items or state.current is not None:
        return ()
    data: Mapping[str, JsonValue] = {"round": state.round, "after": state.after}
    words = "act now, or wait on?"
    return tuple(Asking(who, ABOUT_WAITING, words, ("act-now", "wait"), data) for who in state.asking)


def _asking(state: SoulState) -> Asking | None:
    pause = state.pause
    if pause is not None:
        item: Mapping[str, JsonValue] = {"item": pause.item.id}
        if pause.kind == "completing":
            return Asking(
                SOULWEAVER,
                ABOUT_COMPLETING,
                f"{pause.item.name.rstrip('.?!')} is complete: go on, or what did it cause?",
                ("go-on", "trigger"),
                item,
            )
        if pause.kind == "attack":
            words = f"{reactions.headed(state, pause.item, secret=False)}: hit or miss?"
            return Asking(SOULWEAVER, ABOUT_ATTACK, words, ("hit", "miss"), item)
        return Asking(
            pause.who, ABOUT_CONFLICT, "hit: roll Poise to stay out, or enter?", ("stay-out", "enter-conflict"), item
        )
    if state.stack.items:
        return _deciding(state)
    return None


def _deciding(state: SoulState) -> Asking | None:
    who = reactions.current_decider(state)
    if who is None:
        return None
    # What everybody may know decides whether there is a choice; what is secret only makes the question silent.
    possible = reactions.can_react(state, who, public=True)
    stack = state.stack
    return Asking(
        who,
        ABOUT_REACTION,
        f"{reactions.latest_words(state)}: react, or decline?",
        ("react", "decline") if possible else ("decline",),
        {"next": stack.next_id, "items": len(stack.items), "declined": len(stack.declined)},
        reactions.passes_silently(state, who),
    )
