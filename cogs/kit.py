"""Kits: a table's own turn system, as one file."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.caller import Caller
from bot.discord.submitted import fetched
from bot.render.payload import Reply
from cogs import _sources as sources
from cogs._interaction import Interaction, answer
from cogs._scene import completes

_FILE = "A .toml or .json file, up to 16 KiB"


class KitCog(commands.GroupCog, group_name="kit", group_description="Your own turn system, from a file"):
    """Answers are private."""

    @app_commands.command(description="Read a kit's file: see its mistakes, or what it says in sentences")
    @app_commands.describe(file=_FILE)
    async def check(self, interaction: Interaction, file: discord.Attachment) -> None:
        async def perform(caller: Caller) -> Reply:
            return await interaction.client.kits.check(await fetched(file, "a kit"), file.filename)

        await answer(interaction, perform)

    @app_commands.command(description="Get a kit of the library or of this server as a file that you can change")
    @app_commands.describe(name="Which kit")
    @app_commands.autocomplete(name=completes(sources.every_kit))
    async def get(self, interaction: Interaction, name: str) -> None:
        await answer(interaction, lambda caller: interaction.client.kits.get(caller, name))

    @app_commands.command(description="Save a kit for this server, under the id in its file")
    @app_commands.describe(file=_FILE)
    async def save(self, interaction: Interaction, file: discord.Attachment) -> None:
        async def perform(caller: Caller) -> Reply:
            return await interaction.client.kits.save(caller, await fetched(file, "a kit"), file.filename)

        await answer(interaction, perform)

    @app_commands.command(name="list", description="Show this server's kits and the library's")
    async def show(self, interaction: Interaction) -> None:
        await answer(interaction, interaction.client.kits.list)

    @app_commands.command(description="Delete a kit of this server; encounters that play it go on")
    @app_commands.describe(name="Which kit")
    @app_commands.autocomplete(name=completes(sources.server_kits))
    async def delete(self, interaction: Interaction, name: str) -> None:
        await answer(interaction, lambda caller: interaction.client.kits.delete(caller, name))


async def setup(bot: commands.AutoShardedBot) -> None:
    await bot.add_cog(KitCog())
