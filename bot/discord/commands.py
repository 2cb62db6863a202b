"""The command tree: what people typed is cleaned before any command, parameter or completion reads it."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import discord
from discord import app_commands

from rules.core.typed.names import clean_texts

FEATURES = "cogs"


class CommandTree(app_commands.CommandTree[Any]):
    """Discord's command tree behind the one gate for texts (design 3.2)."""

    async def interaction_check(self, interaction: discord.Interaction[Any]) -> bool:
        """Clean the options, and the names of the people that they name; forbid nothing."""
        data: Any = interaction.data
        data.update(clean_texts(dict(data)))
        return True


def extensions() -> tuple[str, ...]:
    """Return the features' modules by name, as discord.py loads them: nothing here needs one of them."""
    found = pkgutil.iter_modules(importlib.import_module(FEATURES).__path__)
    return tuple(f"{FEATURES}.{module.name}" for module in found if not module.name.startswith("_"))
