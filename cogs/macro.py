from __future__ import annotations

from typing import Literal

from discord import app_commands
from discord.ext import commands

from cogs import _sources as sources
from cogs._interaction import Interaction, answer
from cogs._scene import completes


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
@app_commands.allowed_installs(guilds=True, users=True)
class Macro(commands.GroupCog, group_name="macro", group_description="Your saved rolls"):
    """A person's saved rolls, the same everywhere."""

    @app_commands.command(description="Save a roll under a name; it replaces an older one of that name")
    @app_commands.describe(
        name="Its name",
        dice="What to roll, the same as in /roll",
        whose="me, or server: for everybody here, by members who can manage messages",
    )
    @app_commands.autocomplete(name=completes(sources.macros))
    @app_commands.rename(whose="for")
    async def save(self, interaction: Interaction, name: str, dice: str, whose: Literal["me", "server"] = "me") -> None:
        macros = interaction.client.macros
        await answer(interaction, lambda caller: macros.save(caller, name, dice, whose), anywhere=True)

    @app_commands.command(description="Roll one of your saved rolls")
    @app_commands.describe(name="Its name")
    @app_commands.autocomplete(name=completes(sources.macros))
    async def run(self, interaction: Interaction, name: str) -> None:
        await answer(interaction, lambda caller: interaction.client.macros.run(caller, name), anywhere=True)

    @app_commands.command(name="list", description="List your saved rolls")
    async def list_saved(self, interaction: Interaction) -> None:
        await answer(interaction, interaction.client.macros.list, anywhere=True)

    @app_commands.command(description="Delete one of your saved rolls")
    @app_commands.describe(name="Its name", whose="me, or server: one of the server's")
    @app_commands.autocomplete(name=completes(sources.macros))
    @app_commands.rename(whose="for")
    async def delete(self, interaction: Interaction, name: str, whose: Literal["me", "server"] = "me") -> None:
        macros = interaction.client.macros
        await answer(interaction, lambda caller: macros.delete(caller, name, whose), anywhere=True)


async def setup(bot: commands.AutoShardedBot) -> None:
    await bot.add_cog(Macro())
