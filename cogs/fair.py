from __future__ import annotations

from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from cogs import _sources as sources
from cogs._interaction import Interaction, Person, answer
from cogs._scene import completes


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
@app_commands.allowed_installs(guilds=True, users=True)
class Fair(commands.GroupCog, group_name="fair", group_description="Dice that you can check yourselves"):
    """The channel's secret seed: its commitment, its reveal, the log that proves it."""

    @app_commands.command(description="Show the commitment to this channel's seed, and what it means")
    async def show(self, interaction: Interaction) -> None:
        await answer(interaction, interaction.client.fairness.show, anywhere=True)

    @app_commands.command(description="Publish the seed, so that everybody can check every die; a new seed begins")
    async def reveal(self, interaction: Interaction) -> None:
        await answer(interaction, interaction.client.fairness.reveal, anywhere=True)

    @app_commands.command(description="Get the channel's log as a JSON file to check")
    async def export(self, interaction: Interaction) -> None:
        await answer(interaction, interaction.client.fairness.export, anywhere=True)


class Luck(commands.Cog):
    """What the dice showed against what was to be expected."""

    @app_commands.command(description="Compare somebody's public dice here with what to expect")
    @app_commands.describe(
        who="Whose (yours if left out)",
        die="Which die, such as d20",
        since="7d, yesterday, or 2026-12-24",
        show="Who sees it: all, me",
    )
    @app_commands.autocomplete(die=completes(sources.dice))
    async def luck(
        self,
        interaction: Interaction,
        *,
        who: discord.User | None = None,
        die: str | None = None,
        since: str | None = None,
        show: Literal["all", "me"] = "all",
    ) -> None:
        person: Person | None = who
        user = None if person is None else str(person.id)
        await answer(interaction, lambda caller: interaction.client.luck.show(caller, user, die, since, show))


async def setup(bot: commands.AutoShardedBot) -> None:
    await bot.add_cog(Fair())
    await bot.add_cog(Luck())
