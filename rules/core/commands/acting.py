"""Acting: an action of the encounter's system, done by its player, the GM, an order or a ruling."""

from __future__ import annotations

from typing import Any

from rules.core import hiding, refusals
from rules.core.action import QUESTION, Action
from rules.core.command import Command
from rules.core.registry import option_value, system_of
from rules.core.several import several
from rules.core.step import Step
from rules.core.turns.questions import settle
from rules.core.values import Plays
from rules.errors import Illegal

EVENT = "event"  # of several events that ask, the one that is answered: its questions' window
ALL_MINE = "*"  # in place of a character: everybody that somebody acts for, of those who are asked


def act(step: Step[Any], command: Command) -> str:
    """Do one action of the encounter's system; return who acted. Raises: Refusal."""
    state = step.state
    system = system_of(state)
    command = system.actions.named(step, command, lambda who, seat: system.plays(state, who, seat))
    action = system.actions.find(command.action)
    if state.status != "running" and not action.before:
        raise refusals.not_begun("The GM opens it with /encounter begin or /init next.")
    if state.over is not None:
        raise refusals.fight_over(state.over, rule=system.over_rule, instead="The GM closes it with /encounter end.")
    if command.amount is None and (amount := command.text("amount")) is not None:
        raise refusals.no_whole_number(amount[:40], instead="For example, write 3.")
    if command.faces and option_value(state, "physical_dice") != "on":
        raise refusals.no_physical_dice(instead="Option physical_dice=on allows them.")
    is_answer = action.answer or any(action.id in question.choices for question in state.questions)
    if is_answer and command.character is not None and names_several(command.character):
        return _together(step, command, action)
    hidden = hiding.actor(step, command)
    if hidden is not None:
        return hiding.act(step, hidden, command)
    if any(each.stops for each in state.hidden):
        raise Illegal("The table is waiting for the GM.", instead="The prompt will name you.")
    return system.actions.perform(step, command, lambda who, seat: system.plays(state, who, seat))


def names_several(text: str) -> bool:
    """Tell whether a text names more than one actor: a list, or everybody that somebody acts for (`*`)."""
    return text.strip() == ALL_MINE or "," in text


def _together(step: Step[Any], command: Command, action: Action[Any]) -> str:
    """Answer for several who are asked the same: those named, or all of your own (play 2). Raises: Refusal."""
    system = system_of(step.state)
    listed = [each for each in step.state.questions if action.id in each.choices]
    text = (command.character or "").strip()
    if text == ALL_MINE:
        asked = [each for each in listed if system.plays(step.state, each.who, step.seat) is Plays.OWN]
        asked = [each for each in asked if system.actions.is_legal(step.state, each.who, action.id)]
        asked = [each for each in asked if command.number(EVENT) in (None, each.window)]
    else:
        names = several(step.state, text, tuple(dict.fromkeys(each.who for each in listed)), "one who is asked")
        asked = [each for each in listed if each.who in names]  # nothing tells who of them has answered
    is_new = not all(each.answered for each in asked)  # else it is said again, and heard once
    asked = [each for each in asked if not (each.answered and is_new)]
    if not asked:
        raise Illegal(
            f"I am not asking any of your characters for that now: {action.label.lower()}.",
            rule=action.rule,
            instead="The prompt says what I ask of which combatant.",
        )
    for question in asked:
        now = next((each for each in step.state.questions if each.id == question.id), None)
        if now is None or (now.answered and is_new):
            continue  # what an answer before it brought about has closed it
        one = command.evolve(character=question.who, args={QUESTION: question.id})
        system.actions.perform(step, one, lambda who, seat: system.plays(step.state, who, seat))
        settle(step)
    return ", ".join(dict.fromkeys(each.who for each in asked))
