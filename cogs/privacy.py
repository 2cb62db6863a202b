from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from cogs._interaction import Interaction, answer


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
class PrivacyCog(commands.GroupCog, group_name="privacy", group_description="What is stored about you"):
    """Your own stored data, complete and in your hands."""

    @app_commands.command(description="Get everything that is stored about you as a file")
    async def export(self, interaction: Interaction) -> None:
        await answer(interaction, interaction.client.privacy.export, anywhere=True)

    @app_commands.command(description="Delete what is stored about you; I ask once more first")
    async def delete(self, interaction: Interaction) -> None:
        await answer(interaction, interaction.client.privacy.delete, anywhere=True)

    @app_commands.command(description="Delete everything that is stored about this server; only for its administrators")
    async def server(self, interaction: Interaction) -> None:
        await answer(interaction, interaction.client.privacy.server)


async def setup(bot: commands.AutoShardedBot) -> None:
    await bot.add_cog(PrivacyCog())
