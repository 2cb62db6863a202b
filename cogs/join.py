from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.discord.caller import Caller
from bot.render.payload import Reply
from cogs import _sources as sources
from cogs._interaction import Interaction, answer
from cogs._scene import completes
from rules.core.command import Command

if TYPE_CHECKING:
    from bot.discord.client import RefereeClient


class Join(commands.Cog):
    """Bringing a saved character in."""

    @app_commands.command(description="Join the encounter here with a saved character")
    @app_commands.describe(character="Which of yours; not needed where you have one", side="Which side")
    @app_commands.autocomplete(character=completes(sources.characters), side=completes(sources.sides))
    @app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def join(self, interaction: Interaction, character: str | None = None, side: str | None = None) -> None:
        async def perform(caller: Caller) -> Reply:
            characters = interaction.client.characters
            room = await interaction.client.tables.room_of(caller.channel, caller.guild)
            document = (
                await characters.only_document(caller, room.table.active)
                if character is None
                else await characters.document(caller, character)
            )
            given = {key: value for key, value in {"document": document, "side": side}.items() if value is not None}
            reply = await interaction.client.referee.step(caller, Command(action="join", args=given))
            if document is not None:
                await characters.note_used(caller, str(document["name"]))
            return reply

        await answer(interaction, perform)


async def setup(bot: RefereeClient) -> None:
    await bot.add_cog(Join())
