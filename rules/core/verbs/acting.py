"""Acting: an action of the encounter's system, whoever does it: its player, the GM, an order, a ruling."""

from __future__ import annotations

from typing import Any

from rules.core import lurkers
from rules.core.command import Command
from rules.core.errors import Illegal
from rules.core.registry import option_value, system_of
from rules.core.step import Step


def act(step: Step[Any], command: Command) -> str:
    """Do one action of the encounter's system; return who acted. Raises: Refusal."""
    state = step.state
    system = system_of(state)
    action = system.find_action(command.action)
    if state.status != "running" and not action.before:
        raise Illegal("The encounter has not begun.", instead="The GM opens it with /encounter begin or /init next.")
    if state.over is not None:
        raise Illegal(
            f"The fight is over: {state.over}", rule=system.over_rule, instead="The GM closes it with /encounter end."
        )
    if command.faces and option_value(state, "physical_dice") != "on":
        raise Illegal(
            "This table does not take physical dice.",
            rule="G-02",
            instead="Option physical_dice=on allows it.",
        )
    lurker = lurkers.actor(step, command)
    if lurker is not None:
        return lurkers.act(step, lurker, command)
    if any(each.stops for each in state.lurkers):
        raise Illegal("The table waits for the GM.", instead="The prompt will name you.")
    return system.actions.perform(step, command, lambda who, seat: system.plays(state, who, seat))
