from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from cogs import _sources as sources
from cogs._interaction import Interaction, answer
from cogs._scene import completes


class Join(commands.Cog):
    """Bringing a saved character in."""

    @app_commands.command(description="Join the encounter here with a saved character")
    @app_commands.describe(character="Which of your characters; not needed if you have only one", side="Which side")
    @app_commands.autocomplete(character=completes(sources.characters), side=completes(sources.sides))
    async def join(self, interaction: Interaction, character: str | None = None, side: str | None = None) -> None:
        await answer(interaction, lambda caller: interaction.client.character_forms.join(caller, character, side))


async def setup(bot: commands.AutoShardedBot) -> None:
    await bot.add_cog(Join())
