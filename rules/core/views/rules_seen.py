"""What a view carries of the rules that it was made by, so that drawing it needs no system."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from rules.core.command import Command, command_words
from rules.core.system import SystemOfAny
from rules.core.values import Combatant


class ActionSeen(NamedTuple):
    """An action: its button's label, whether it takes anything, whether it only lets pass what asks.

    A `default_answer` answer does the least: a skip gives it. `words` are those of its button with all that it takes.
    """

    label: str
    takes: bool
    passes: bool
    default_answer: bool
    words: str


class RulesSeen(NamedTuple):
    """The facts of a system as an encounter plays it. `options` holds what each option is if nothing is set."""

    health: str
    out_at_zero: bool
    has_hands: bool
    needs_sheet: bool
    picture_name: str
    options: Mapping[str, str]
    actions: Mapping[str, ActionSeen]

    def said(self, command: Command) -> str:
        """Return what somebody wants in words: `attack Goblin with Bow`."""
        seen = self.actions.get(command.action)
        return command_words(command, self.label(command.action), "" if seen is None else seen.words)

    def label(self, action: str) -> str:
        """Return what a button of an action says; of one that is none any more its id in words."""
        seen = self.actions.get(action)
        if seen is not None:
            return seen.label
        words = action.replace("-", " ")
        return words[:1].upper() + words[1:]


@lru_cache(maxsize=128)  # every view has it: the same object for as long as the system is the same
def rules_seen(system: SystemOfAny) -> RulesSeen:
    return RulesSeen(
        health=system.health,
        out_at_zero=system.out_at_zero,
        has_hands=system.own_hands is not None,
        needs_sheet=bool(system.sheet.needed(Combatant(name="newcomer"))),
        picture_name=system.drawing.name,
        options={option.key: option.default for option in system.options},
        actions={
            action.id: ActionSeen(
                action.label, bool(action.takes), action.lets_pass, action.default_answer is not None, action.pattern
            )
            for action in system.actions.all
        },
    )
