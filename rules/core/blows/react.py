"""The actions that answer a blow: with an ability of the sheet, or not at all (effects 2 and 4.9)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from rules.core.action import Action, plainly
from rules.core.asking.ask import Ask, Effect
from rules.core.asking.told import Told
from rules.core.blow import Response
from rules.core.blows.answered import respond, useful
from rules.core.blows.limits import is_left, spend
from rules.core.conditions import add_condition
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.step import Step
from rules.core.typed.names import find_name, shown
from rules.core.values import Condition
from rules.errors import Illegal


def answers_left(state: Encounter, who: str) -> dict[str, Response]:
    """Return with which of their abilities somebody can answer a blow who needs no reaction for it."""
    combatant, deed_of = state.combatant(who), system_of(state).deed_of
    answers = {each.name: deed_of(each).answer for each in combatant.abilities}
    return {
        name: answer
        for name, answer in answers.items()
        if answer is not None and not combatant.is_out and is_left(state, who, name)
    }


def _late(_name: str) -> None:
    """Take what would not answer this blow: what is done then says so."""


def changes_nothing(possible: Collection[str], rule: str) -> Illegal:
    """Say that an answer would do nothing to a blow as it is now."""
    now = f"Possible: {shown(possible)}." if possible else "To let it pass, use decline."
    return Illegal("That would change nothing now.", rule=rule, instead=now)


def answer_actions(rule: str, number: str) -> tuple[Action[Any], ...]:
    """Return how somebody answers a blow that asks them, and how they let it pass.

    `number` is what a check is compared with.
    """

    def tell(ask: Ask[Any]) -> Effect[Any]:
        asked = ask.state.question_to(ask.who, "react")
        names = () if asked is None else tuple(useful(ask.state, asked))
        if names:
            every = tuple(dict.fromkeys((*names, *(each.name for each in ask.state.combatant(ask.who).abilities))))
            implied = names[0] if len(names) == 1 else ""
            ask("using", "with what", names, nameable=every, why=_late, implied=implied, all_lead=True)
        using = ask.text("using")

        def react(step: Step[Any]) -> None:
            found = useful(step.state, step.question)
            name = find_name(using or next(iter(found), ""), tuple(found))
            if name is None:
                raise changes_nothing(found, rule)
            answer = found[name]
            respond(step, step.question, answer)
            spend(step, answer.who, step.combatant(answer.who).ability(answer.ability))
            if answer.response.stays:
                higher = f"{answer.response.against:+d} {number}"
                add_condition(step, answer.who, Condition(name=higher, source=answer.who, left=1, ticks="bearer-start"))

        return react

    told = Told("react", "React", tell, ("using",))
    return (
        told.action(answer=True, rule=rule, words="{label}[ with {using}]"),
        Action(
            id="decline",
            label="Let it pass",
            passes=True,
            answer=True,
            rule=rule,
            default_answer=plainly,
            button_rank=8,
        ),
    )
