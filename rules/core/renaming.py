"""A combatant's new name, everywhere: typed fields, conditions, orders and open questions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rules.core.command import Command
from rules.core.encounter import Encounter, StandingOrder
from rules.core.step import Step
from rules.core.values import Combatant, Question


def rename(step: Step[Any], who: str, to: str) -> None:
    """Give a combatant another name. What has been said keeps the old one."""
    others = tuple(each.name for each in step.state.cast if each.name != who)
    state: Encounter = step.state.with_name(who, to)
    step.set_table(encounter=state)
    step.change(
        combatants=tuple(_combatant(combatant, who, to) for combatant in state.combatants),
        hidden=tuple(hidden.evolve(combatant=_combatant(hidden.combatant, who, to)) for hidden in state.hidden),
        questions=tuple(_question(question, who, to, others) for question in state.questions),
        orders=tuple(_order(order, who, to) for order in state.orders),
    )


def _combatant(combatant: Combatant, who: str, to: str) -> Combatant:
    conditions = tuple(
        condition.evolve(source=to) if condition.source == who else condition for condition in combatant.conditions
    )
    return combatant.evolve(name=to if combatant.name == who else combatant.name, conditions=conditions)


def _question(question: Question, who: str, to: str, others: tuple[str, ...]) -> Question:
    sealed = question.sealed
    if sealed is not None:
        sealed = sealed.evolve(command=_command(sealed.command, who, to))
    return question.evolve(
        data=_data(question.data, who, to),
        sealed=sealed,
        words=_words(question.words, who, to, others),
        inside=_words(question.inside, who, to, others),
    )


def _words(text: str, who: str, to: str, others: tuple[str, ...]) -> str:
    """Return a sentence with the new name in it; the names of others that hold the old one stay."""
    names = sorted((who, *others), key=len, reverse=True)
    whole = "|".join(re.escape(name) for name in names)
    return re.sub(rf"(?<!\w)(?:{whole})(?!\w)", lambda match: to if match[0] == who else match[0], text)


def _order(standing_order: StandingOrder, who: str, to: str) -> StandingOrder:
    return standing_order.evolve(
        who=to if standing_order.who == who else standing_order.who,
        command=_command(standing_order.command, who, to),
        targets=tuple(to if name == who else name for name in standing_order.targets),
    )


def _command(command: Command, who: str, to: str) -> Command:
    """Return what was said in advance with the new name in it, in lists too."""
    return command.evolve(character=_text(command.character, who, to), target=_text(command.target, who, to))


def _text(text: str | None, who: str, to: str) -> str | None:
    parts = [] if text is None else [part.strip() for part in text.split(",")]
    return ", ".join(to if part == who else part for part in parts) if who in parts else text


def _data(value: Any, who: str, to: str) -> Any:
    if isinstance(value, Mapping):
        return {to if key == who else key: _data(each, who, to) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_data(each, who, to) for each in value]
    return to if value == who else value
