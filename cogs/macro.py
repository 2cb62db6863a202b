from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from cogs import _sources as sources
from cogs._interaction import Interaction, answer
from cogs._scene import completes

if TYPE_CHECKING:
    from bot.discord.client import RefereeClient


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
@app_commands.allowed_installs(guilds=True, users=True)
class Macro(commands.GroupCog, group_name="macro", group_description="Your saved rolls"):
    """A person's saved rolls, the same everywhere."""

    @app_commands.command(description="Save a roll under a name; an older one of that name is replaced")
    @app_commands.describe(name="Its name", dice="What to roll, as in /roll")
    @app_commands.autocomplete(name=completes(sources.macros))
    async def save(self, interaction: Interaction, name: str, dice: str) -> None:
        await answer(interaction, lambda caller: interaction.client.macros.save(caller, name, dice), anywhere=True)

    @app_commands.command(description="Roll one of your saved rolls")
    @app_commands.describe(name="Its name")
    @app_commands.autocomplete(name=completes(sources.macros))
    async def run(self, interaction: Interaction, name: str) -> None:
        await answer(interaction, lambda caller: interaction.client.macros.run(caller, name), anywhere=True)

    @app_commands.command(name="list", description="List your saved rolls")
    async def list_saved(self, interaction: Interaction) -> None:
        await answer(interaction, interaction.client.macros.list, anywhere=True)

    @app_commands.command(description="Delete one of your saved rolls")
    @app_commands.describe(name="Its name")
    @app_commands.autocomplete(name=completes(sources.macros))
    async def delete(self, interaction: Interaction, name: str) -> None:
        await answer(interaction, lambda caller: interaction.client.macros.delete(caller, name), anywhere=True)


async def setup(bot: RefereeClient) -> None:
    await bot.add_cog(Macro())
