"""How a creature fights and speaks: Conflict, Stances, Overexertion, words.

Rule: SW-07 to SW-10, SW-17, SW-19.
"""

from __future__ import annotations

from rules.core.action import Action, plainly
from rules.core.asking.told import Told
from rules.core.blows.todo import leave_to_gm
from rules.core.command import Command
from rules.core.conditions import add_condition
from rules.core.model import without
from rules.core.offer import Param
from rules.core.typed.input import in_one_line
from rules.core.typed.skeleton import skeleton
from rules.core.values import Condition
from rules.errors import Illegal, Malformed
from rules.systems.soulweaver import blows, chances, conflict, priority, reactions
from rules.systems.soulweaver.actions import act, ask_own, foretell_use, spend
from rules.systems.soulweaver.creatures import (
    MAJOR,
    MINOR,
    STANCE,
    Soul,
    SoulAsk,
    SoulEffect,
    pay,
    stance_of,
    threats,
    words_left,
)
from rules.systems.soulweaver.skills import skill_roll
from rules.systems.soulweaver.state import SoulState

MAX_SPEECH = 1000

# Stances


def _stance(ask: SoulAsk) -> SoulEffect:
    state, who = ask.state, ask.who
    creature = state.find(who)
    condition = None if creature is None else stance_of(creature)
    present = () if condition is None else (skeleton(condition.name),)
    name = ask_own(ask, "stance", present)
    foretell_use(ask, reactions.ability_of(state, who, name))
    kept = Illegal(f"{who} is in {name} already.", rule="SW-19", instead="Another Stance replaces it.")
    ask.require(skeleton(name) not in present, lambda: kept)

    def do(step: Soul) -> None:
        act(step, who, MINOR)
        spend(step, who, name)
        conflict.end_stance(step, who, "is replaced")
        conflict.enter(step, who)
        add_condition(step, who, Condition(name=name, source=who, data={STANCE: True}))
        blows.carry_out(step, reactions.declared(step, "action", "stance", who, using=name))
        leave_to_gm(step, who, name)

    return do


def _drop_stance(step: Soul, who: str, command: Command) -> None:
    conflict.end_stance(step, who)


# Conflict


def _close_hit(step: Soul, who: str) -> None:
    """Answer the question of who was hit out of Conflict, if it is open."""
    pause = step.state.pause
    if pause is not None and pause.kind == "conflict" and pause.who == who:
        step.change(pause=None)


def _before_conflict(state: SoulState, who: str) -> tuple[Param, ...] | None:
    """Let a creature outside of Conflict say what it will do when an Enemy, or a hit, draws it in."""
    return None if state.find(who) is None or who in state.conflict else ()


def _enter_conflict(step: Soul, who: str, command: Command) -> None:
    _close_hit(step, who)
    if step.answered is None:
        if chances.fresh_turn(step.state, who):
            priority.begin_turn(step, who)
        pay(step, who, MINOR)
    conflict.enter(step, who)


def _stay_out(step: Soul, who: str, command: Command) -> None:
    _close_hit(step, who)
    conflict.keep_out(step, who)


def _leave_conflict(step: Soul, who: str, command: Command) -> None:
    threatened = bool(threats(step.state, who))
    act(step, who, MAJOR if threatened else MINOR)
    if threatened:
        conflict.break_off(step, who)
    else:
        conflict.leave(step, who)


def _overexertion(step: Soul, who: str, command: Command) -> None:
    step.change(due=without(step.state.due, who))
    _, roll = skill_roll(step, who, "OVEREXERTION", "Overexertion")
    step.tell("{who} rolls for Overexertion: {roll}.", who=who, roll=roll)


# Words


def _say(ask: SoulAsk) -> SoulEffect:
    who, is_free = ask.who, ask.who not in ask.state.conflict
    most = None if is_free else words_left(ask.state, who)
    ask.take(Param(name="note", label="the words", most=most, rule="SW-17"))
    words = in_one_line(ask.text("note"), MAX_SPEECH)

    def do(step: Soul) -> None:
        if not words:
            raise Malformed("Say needs words: option note.")
        if is_free:
            step.tell("{who} says: {words}", who=who, words=words)
            return
        said = step.state.words
        step.change(words={**said, who: said.get(who, 0) + len(words.split())})
        left = words_left(step.state, who)
        step.tell(f"{{who}} says: {{words}} ({{left}} word{'s' * (left != 1)} left)", who=who, words=words, left=left)

    return do


def _nearest(state: SoulState, able: tuple[str, ...], command: Command) -> str | None:
    """Name the one of several who is asked, else the one whose turn it is; of several who are asked, none."""
    asked = [who for who in able if state.question_to(who) is not None]
    if asked:
        return asked[0] if len(asked) == 1 else None
    return state.current if state.current in able else None


def presence_actions() -> tuple[Action[SoulState], ...]:
    """Return the actions about Conflict, Stances and words in the order in which they are offered."""
    return (
        Told("stance", "Take a Stance", _stance, ("using",), foretells=True).action(chances.stance),
        Action(
            id="drop-stance",
            label="Drop the Stance",
            do=_drop_stance,
            may=chances.may_drop_stance,
            infer_actor=_nearest,
        ),
        Action(
            id="enter-conflict",
            default_answer=plainly,
            label="Enter Conflict",
            do=_enter_conflict,
            may=chances.enter_conflict,
            ahead=_before_conflict,
            infer_actor=_nearest,
        ),
        Action(
            id="stay-out",
            label="Stay out of Conflict",
            do=_stay_out,
            may=chances.stay_out,
            answer=True,
            rule="SW-08",
            ahead=_before_conflict,
            infer_actor=_nearest,
        ),
        Action(id="leave-conflict", label="Leave Conflict", do=_leave_conflict, may=chances.leave_conflict),
        Action(
            id="overexertion",
            label="Roll for Overexertion",
            do=_overexertion,
            may=chances.may_overexert,
            infer_actor=_nearest,
            button_rank=3,
        ),
        Told("say", "Say", _say, ("note",)).action(chances.may_say),
    )
