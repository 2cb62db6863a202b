"""The one policy for what goes wrong before a feature is reached; features answer for themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands

from bot.caller import Caller
from bot.render.payload import Reply
from cogs._interaction import Interaction, answer
from rules.core.typed.names import shown
from rules.errors import Malformed

if TYPE_CHECKING:
    from bot.discord.client import RefereeClient


async def failed(interaction: Interaction, error: app_commands.AppCommandError) -> None:
    """Answer a command that could not be read; what is no person's fault is logged with a number to report."""
    if interaction.type is discord.InteractionType.autocomplete:
        return  # nothing is offered; the command itself will be answered

    async def refuse(_caller: Caller) -> Reply:
        raise refusal_of(error)

    await answer(interaction, refuse, anywhere=True)


def refusal_of(error: app_commands.AppCommandError) -> Exception:
    """Return what is said about an error of the command tree."""
    if isinstance(error, app_commands.TransformerError):
        kinds = discord.AppCommandOptionType
        if error.type in {kinds.string, kinds.integer, kinds.number}:
            choices = error.transformer.choices
            among = f"You can choose: {shown([choice.name for choice in choices], 25)}." if choices else None
            return Malformed(f"This option can't take {str(error.value)[:40]}.", instead=among)
        return Malformed(f"There is no such {error.type.name} here.", instead="Choose one from the list.")
    if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
        return Malformed(
            "This command has changed since Discord loaded it.", instead="Reload Discord and type it again."
        )
    return error.original if isinstance(error, app_commands.CommandInvokeError) else error


async def setup(bot: RefereeClient) -> None:
    bot.tree.error(failed)
