"""Bringing a whole cast in at once. Rule: G-01."""

from __future__ import annotations

from typing import Any

from rules.core.command import Command
from rules.core.commands.rights import Role
from rules.core.commands.roster import add_npcs
from rules.core.commands.spec import CommandSpec
from rules.core.registry import system_of
from rules.core.sheets.abilities import of_sheet
from rules.core.sheets.cast import CastLine, parse_cast
from rules.core.step import GM_ONLY, Step
from rules.core.values import Combatant


def cast(step: Step[Any], command: Command) -> None:
    """Add everybody of a cast, as one step. Args: text."""
    system = system_of(step.state)
    read = parse_cast(command.text("text") or "", system.sheet, system.health)
    lines = read.lines
    # Who is known comes first: their dice do not depend on who else is there.
    for line in sorted(lines, key=lambda cast_line: cast_line.hidden):
        step.opaque = line.hidden
        add_npcs(
            step,
            command_of(line),
            Combatant(
                name=line.name,
                fields=line.fields,
                abilities=of_sheet(line.abilities, line.name, system.sheet.spoken),
                hidden=line.hidden,
            ),
        )
    for words in read.unread:
        step.tell("Left out. {words}", words=words, seen_by=GM_ONLY)
    step.opaque = all(line.hidden for line in lines)
    step.secret = step.opaque
    step.veiled = any(line.hidden for line in lines)


def command_of(line: CastLine) -> Command:
    """Return what one would type for a line alone."""
    given = {"name": line.name, "hp": line.hp, "dice": line.dice, "side": line.side, "group": line.group}
    args: dict[str, Any] = {key: value for key, value in given.items() if value}
    args |= {"count": line.count} | ({} if line.bonus is None else {"bonus": line.bonus})
    return Command(action="add", args=args)


COMMAND_SPECS = (CommandSpec("add-cast", cast, Role.GM),)
