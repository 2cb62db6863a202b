"""The command tree: what people typed is cleaned before any command, parameter or completion reads it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from math import isfinite
from types import ModuleType
from typing import Any

import discord
from discord import AppCommandOptionType, InteractionType, app_commands

from bot.discord.responses import Response
from bot.lengths import begun, length_of, taken
from bot.render.payload import Reply
from rules.core.typed.names import clean_texts
from rules.errors import Malformed

FEATURES = "cogs"
_SUBCOMMAND, _GROUP = (each.value for each in (AppCommandOptionType.subcommand, AppCommandOptionType.subcommand_group))
_NUMBER = AppCommandOptionType.number.value


class CommandTree(app_commands.CommandTree[Any]):
    """Discord's command tree behind the one gate for texts (design 3.2)."""

    async def interaction_check(self, interaction: discord.Interaction[Any]) -> bool:
        """Clean the options, and the names of the people that they name; refuse what is longer than it may be."""
        data: Any = interaction.data
        data.update(clean_texts(dict(data)))
        try:
            _take(data.get("name", ""), data, begun if interaction.type is InteractionType.autocomplete else taken)
        except Malformed as refused:
            await Response(interaction.client.responses, interaction).run(_refuse(refused))
            return False
        return True

    def add_command(self, command: Any, /, **given: Any) -> None:
        """Add a command, and tell Discord how long each of its texts may be."""
        super().add_command(command, **given)
        for each in (command, *command.walk_commands()) if isinstance(command, app_commands.Group) else (command,):
            for option in getattr(each, "_params", {}).values():  # discord.py has no public way for those in a loop
                if option.type is AppCommandOptionType.string and not option.choices:
                    option.max_value = length_of(each.qualified_name, option.display_name)


async def _refuse(refused: Malformed) -> Reply:
    raise refused


def _take(command: str, given: dict[str, Any], read: Callable[[str, str, str], str]) -> None:
    """Fold the white space of a command's texts, in their places. Raises: Malformed if one is too long.

    A number that is half typed comes as a text while another option is completed: it is left out then.
    """
    options = given.get("options", ())
    halves = [each for each in options if each.get("type") == _NUMBER and not _is_number(each.get("value"))]
    if halves and read is taken:
        raise Malformed(f"{halves[0]['name']} takes a number.", instead="For example 12 or 12.5.")
    for option in halves:
        given["options"].remove(option)
    for option in given.get("options", ()):
        if option.get("type") in (_SUBCOMMAND, _GROUP):
            _take(f"{command} {option['name']}", option, read)
        elif isinstance(option.get("value"), str):
            option["value"] = read(command, option["name"], option["value"])


def _is_number(value: Any) -> bool:
    try:
        return isfinite(float(value))
    except (TypeError, ValueError):
        return False


def features() -> tuple[ModuleType, ...]:
    """Return the modules of all features, found by name: nothing here needs one of them.

    They are imported as any other module. `load_extension` would run each again for each bot, so that it can be
    reloaded later, and nobody does that.
    """
    modules = pkgutil.iter_modules(importlib.import_module(FEATURES).__path__)
    return tuple(importlib.import_module(f"{FEATURES}.{module.name}") for module in modules if module.name[0] != "_")
