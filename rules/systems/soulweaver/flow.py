"""What the referee does by itself between two answers, and the questions that are open then.

The questions follow from the state alone; after every command `go_on` brings both together again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from rules.core.model import without
from rules.core.rulebook import QuestionKind
from rules.core.step import GM_ONLY
from rules.core.turns.fallen import is_out
from rules.core.values import Question
from rules.systems.soulweaver import blows, display, priority, reactions
from rules.systems.soulweaver.creatures import Soul, as_public, drawn_by
from rules.systems.soulweaver.reactions import ABOUT_ATTACK, ABOUT_REACTION
from rules.systems.soulweaver.stack import SOULWEAVER, deciding_order
from rules.systems.soulweaver.state import SoulState

ABOUT_WAITING = "waiting"
ABOUT_COMPLETING = "completing"
ABOUT_CONFLICT = "conflict"
ABOUT_ENEMY = "enemy"
TOGETHER = (ABOUT_REACTION, ABOUT_ENEMY)


@dataclass(frozen=True, slots=True)
class Asking:
    """A question that the state calls for. `data` tells it from an earlier one of the same kind.

    Those of one `event` are asked together; `place` is the answer's place among theirs.
    """

    who: str
    about: str
    words: str
    choices: tuple[str, ...]
    data: Mapping[str, JsonValue]
    silent: bool = False
    inside: str = ""
    place: int = 0
    aimed: tuple[str, ...] = ()

    def is_asked_by(self, question: Question) -> bool:
        """Tell whether a question is this one; what has been answered is not asked in other words."""
        same = question.who == self.who and question.about == self.about and question.choices == self.choices
        if self.about == ABOUT_ATTACK and question.data != self.data:
            return False  # what is said of one attack says nothing of another
        silent = question.quiet or self.silent or not question.silent
        return same and (question.answered or (silent and question.data == self.data))


def go_on(step: Soul) -> None:
    """Go on until the table waits for somebody, then ask what there is to ask."""
    while step.state.status == "running":
        if _one(step):
            continue
        wanted = askings(step.state)
        for about in (ABOUT_ENEMY, ABOUT_ATTACK, ABOUT_REACTION, ABOUT_WAITING, ABOUT_COMPLETING, ABOUT_CONFLICT):
            _bring_together(step, about, tuple(question for question in wanted if question.about == about))
        state = step.state
        if state.pause is not None or not state.stack.deciding or reactions.still_to_decide(state):
            return


def _bring_together(step: Soul, about: str, wanted: tuple[Asking, ...]) -> None:
    """Close what is not to be asked of one kind and ask the rest, all in one window if several are."""
    asked = tuple(each for each in step.state.questions if each.about == about)
    kept = tuple(name for name in asked if _stays(step.state, name, wanted))
    gone = tuple(name for name in asked if name not in kept)
    step.close(*gone)
    passed = tuple(each.who for each in gone if each.answered and each.sealed is None)
    if passed:
        step.tell("{who} " + ("does" if len(passed) == 1 else "do") + " not react.", who=", ".join(passed))
    for question in kept:
        same = next((each for each in wanted if each.is_asked_by(question)), None)
        if same is not None and (same.words, same.inside) != (question.words, question.inside):
            reworded = question.evolve(words=same.words, inside=same.inside)
            step.change(questions=tuple(reworded if each.id == question.id else each for each in step.state.questions))
    new = [each for each in wanted if not any(each.is_asked_by(question) for question in kept)]
    window = next((each.window for each in kept if each.window), step.new_window) if about in TOGETHER else 0
    for asking in new:
        step.ask(
            asking.who,
            asking.about,
            asking.words,
            asking.choices,
            silent=asking.silent,
            inside=asking.inside,
            place=asking.place,
            timed=asking.about in (ABOUT_REACTION, ABOUT_ENEMY),
            alone=asking.about == ABOUT_ENEMY,  # whose turn it is goes on meanwhile
            window=step.new_window if about == ABOUT_ATTACK else window,
            aimed=asking.aimed,
            data=asking.data,
        )
    if about == ABOUT_REACTION and tuple(each.who for each in wanted) != step.state.stack.asked:
        step.change(stack=step.state.stack.asking(tuple(each.who for each in wanted)))


def _stays(state: SoulState, question: Question, wanted: tuple[Asking, ...]) -> bool:
    """Tell whether a question stays open. A pass that came before a reaction is over with it."""
    top = state.stack.top
    if question.about == ABOUT_REACTION and question.answered and top is not None:
        circle = deciding_order(state.priority)
        reacted = circle.index(state.stack.last) + 1 if state.stack.last in circle else 0
        if question.place <= reacted and question.data.get("latest") != top.id:
            return False
    return any(each.is_asked_by(question) for each in wanted)


def _one(step: Soul) -> bool:
    """Do one thing that needs nobody; False if the table waits."""
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
        step.change(pause=state.owed[-1].evolve(until=None), owed=state.owed[:-1])
        return True
    if state.declared is not None and not state.stack.items and state.pause is None:
        step.change(declared=None)
        step.tell("What was declared lapses: {name}.", name=state.declared.rstrip("."), seen_by=GM_ONLY)
        return True
    return False


def _passes_the_fallen(step: Soul) -> bool:
    """Let nobody wait for who is dead or fled: what they do and their turn are over, they are not asked."""
    state = step.state
    pause = state.pause
    if pause is not None and pause.kind == "conflict" and is_out(state, pause.who):
        step.change(pause=None)
        return True
    fallen = next((item for item in reversed(state.stack.items) if is_out(state, item.who)), None)
    if fallen is not None:
        step.change(stack=state.stack.without((fallen.id,)))
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
    step.change(asking=without(state.asking, out))
    return True


def askings(state: SoulState) -> tuple[Asking, ...]:
    """Return the questions that are open in this state: who Enemies draw into Conflict, and what else play waits for.

    Rule: SW-07, SW-22.
    """
    if state.status != "running":
        return ()
    return (*_drawn(state), *_waking(state), *_asking(state))


def _drawn(state: SoulState) -> tuple[Asking, ...]:
    """Ask those who have an Enemy in sight if they enter Conflict, or roll Poise first. Rule: SW-07, SW-08."""
    hit = state.pause.who if state.pause is not None and state.pause.kind == "conflict" else None
    found = []
    for who in state.names:
        enemies = drawn_by(state, who)
        if enemies and who != hit:
            found.append(
                Asking(
                    who,
                    ABOUT_ENEMY,
                    "an Enemy is in sight: do you roll Poise to stay out of Conflict, or enter?",
                    ("stay-out", "enter-conflict"),
                    {},
                    inside=f"{', '.join(enemies)} in sight: do you roll Poise to stay out of Conflict, or enter?",
                )
            )
    return tuple(found)


def _waking(state: SoulState) -> tuple[Asking, ...]:
    """Ask those who wait and want to be asked, all at the same time: who acts now first has the turn. Rule: SW-05."""
    if state.pause is not None or state.stack.items or state.current is not None:
        return ()
    data: Mapping[str, JsonValue] = {"round": state.round, "after": state.after}
    words = "do you act now, or wait on?"
    return tuple(Asking(who, ABOUT_WAITING, words, ("act-now", "wait"), data) for who in state.asking)


def _asking(state: SoulState) -> tuple[Asking, ...]:
    pause = state.pause
    if pause is None:
        return (*_attacks(state), *_deciding(state))
    item: Mapping[str, JsonValue] = {"item": pause.item.id}
    if pause.kind == "conflict":
        words = "hit: do you roll Poise to stay out, or enter?"
        return (*_attacks(state), Asking(pause.who, ABOUT_CONFLICT, words, ("stay-out", "enter-conflict"), item))
    words = f"{pause.item.name.rstrip('.?!')} is complete: go on, or what did it cause?"
    return (*_attacks(state), Asking(SOULWEAVER, ABOUT_COMPLETING, words, ("go-on", "trigger"), item))


def _attacks(state: SoulState) -> tuple[Asking, ...]:
    """Ask the GM of each attack whether it hits, and again after each reaction or with new figures.

    What they say counts as it completes.

    Rule: SW-07.
    """
    found = []
    for item in state.stack.items:
        is_early = blows.is_contest(item) and not item.ready  # the GM sees the roll first
        if not blows.is_attack(item) or item.outcome or blows.is_rolled(state, item) or is_early:
            continue
        words = f"{reactions.headed(state, item, secret=False)}: hit or miss?"
        figures = display.attack_figures(item)
        inside = f"{words[:-1]} ({figures})?" if figures else ""
        data: Mapping[str, JsonValue] = {"item": item.id, "after": item.after, "pips": item.pips, "lost": item.lost}
        found.append(Asking(SOULWEAVER, ABOUT_ATTACK, words, ("hit", "miss"), data, inside=inside, place=1))
    return tuple(found)


def _deciding(state: SoulState) -> tuple[Asking, ...]:
    """Ask all who could react, at the same time; their answers count in reverse Priority. Rule: SW-21, SW-22."""
    circle = deciding_order(state.priority)
    found = []
    for who in reactions.to_ask(state):
        # What everybody may know decides whether there is a choice; what is secret only makes the question silent.
        possible = reactions.can_react(as_public(state), who)
        top = state.stack.items[-1]
        found.append(
            Asking(
                who,
                ABOUT_REACTION,
                reacting_words(state),
                ("react", "decline") if possible else ("decline",),
                {"start": state.stack.start, "latest": top.id},
                silent=reactions.passes_silently(state, who),
                place=circle.index(who) + 1,
                aimed=reactions.aimed_at(state),
            )
        )
    return tuple(found)


def reacting_words(state: SoulState) -> str:
    return f"{reactions.latest_words(state)}: react, or decline?"


# What becomes of what was asked


def _attack_is_gone(state: SoulState, question: Question) -> bool:
    item = next((each for each in state.stack.items if each.id == question.data.get("item")), None)
    return item is None or item.aimed is None


def _attack_completes(state: SoulState, question: Question) -> bool:
    top = state.stack.top
    return top is not None and top.ready and top.id == question.data.get("item") and state.pause is None


def _deciding_is_over(state: SoulState, question: Question) -> bool:
    if not state.stack.deciding or question.data.get("start") != state.stack.start:
        return True
    return question.sealed is not None and question.who not in reactions.to_ask(state)


QUESTIONS = {
    ABOUT_ATTACK: QuestionKind(_attack_is_gone, may_count=_attack_completes),
    ABOUT_REACTION: QuestionKind(_deciding_is_over, again=lambda state, _question: reacting_words(state)),
}
