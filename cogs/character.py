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

own = completes(sources.characters)


class CharacterCog(commands.GroupCog, group_name="character", group_description="Your saved characters in this server"):
    """Answers about your own sheets are private."""

    @app_commands.command(description="Save a character")
    @app_commands.describe(
        name="Its name",
        sheet="KEY VALUE, KEY VALUE, such as HP 20, AC 14",
        system="For which rules: classic, stones, …",
    )
    @app_commands.autocomplete(system=completes(sources.sheet_systems))
    async def add(self, interaction: Interaction, name: str, sheet: str, system: str | None = None) -> None:
        await answer(interaction, lambda caller: interaction.client.characters.add(caller, name, sheet, system))

    @app_commands.command(description="Change keys of a sheet; the others stay as they are")
    @app_commands.describe(name="Which character", sheet="KEY VALUE, KEY VALUE; KEY - removes one")
    @app_commands.autocomplete(name=own)
    async def edit(self, interaction: Interaction, name: str, sheet: str) -> None:
        await answer(interaction, lambda caller: interaction.client.characters.edit(caller, name, sheet))

    @app_commands.command(description="Show one of your characters")
    @app_commands.describe(name="Which character")
    @app_commands.autocomplete(name=own)
    async def show(self, interaction: Interaction, name: str) -> None:
        await answer(interaction, lambda caller: interaction.client.characters.show(caller, name))

    @app_commands.command(name="list", description="List your characters here")
    async def list_saved(self, interaction: Interaction) -> None:
        await answer(interaction, interaction.client.characters.list)

    @app_commands.command(description="Delete one of your characters")
    @app_commands.describe(name="Which character")
    @app_commands.autocomplete(name=own)
    async def delete(self, interaction: Interaction, name: str) -> None:
        await answer(interaction, lambda caller: interaction.client.characters.delete(caller, name))

    @app_commands.command(description="Rest: pools go back to their maximum, lasting conditions end")
    @app_commands.describe(name="Which character")
    @app_commands.autocomplete(name=own)
    async def rest(self, interaction: Interaction, name: str) -> None:
        await answer(interaction, lambda caller: interaction.client.characters.rest(caller, name))

    @app_commands.command(description="Give a character an ability, weapon, item, bag or power, or change one")
    @app_commands.describe(
        name="Which character",
        ability="The ability's name",
        fields="key value; key value; text …, such as kind weapon; damage 1d8+2",
    )
    @app_commands.autocomplete(name=own)
    async def ability(self, interaction: Interaction, name: str, ability: str, fields: str) -> None:
        await answer(interaction, lambda caller: interaction.client.characters.ability(caller, name, ability, fields))

    @app_commands.command(name="import", description="Save a character from a filled-in template")
    @app_commands.describe(file="The JSON file")
    async def import_file(self, interaction: Interaction, file: discord.Attachment) -> None:
        async def perform(caller: Caller) -> Reply:
            return await interaction.client.characters.import_file(caller, await fetched(file, "a character"))

        await answer(interaction, perform)

    @app_commands.command(description="A character to fill in: as a form, or as a JSON file")
    @app_commands.describe(system="For which rules: classic, stones, …")
    @app_commands.autocomplete(system=completes(sources.sheet_systems))
    async def template(self, interaction: Interaction, system: str) -> None:
        await answer(interaction, lambda caller: interaction.client.character_forms.template(caller, system))


async def setup(bot: commands.AutoShardedBot) -> None:
    await bot.add_cog(CharacterCog())
