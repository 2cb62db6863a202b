"""Kits: a table's own turn system, as one file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord.caller import Caller
from bot.features.kits import Kits
from bot.render.payload import Reply
from cogs._interaction import Interaction, answer, fetched
from cogs._scene import Scene, completes
from rules.kits.library import library

if TYPE_CHECKING:
    from bot.discord.client import RefereeClient


def kit_ids(scene: Scene) -> Iterable[str]:
    return library()


@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
@app_commands.allowed_installs(guilds=True, users=False)
class KitCog(commands.GroupCog, group_name="kit", group_description="Your own turn system, from a file"):
    """Answers are private."""

    def __init__(self, kits: Kits) -> None:
        self.kits = kits

    @app_commands.command(description="Read a kit's file: its mistakes, or what it says in sentences")
    @app_commands.describe(file="A .toml or .json file, up to 16 KiB")
    async def check(self, interaction: Interaction, file: discord.Attachment) -> None:
        async def perform(caller: Caller) -> Reply:
            return await self.kits.check(await fetched(file, "a kit"), file.filename)

        await answer(interaction, perform)

    @app_commands.command(description="Get a kit of the library as a file, to be changed")
    @app_commands.describe(name="Which kit")
    @app_commands.autocomplete(name=completes(kit_ids))
    async def get(self, interaction: Interaction, name: str) -> None:
        async def perform(caller: Caller) -> Reply:
            return self.kits.get(name)

        await answer(interaction, perform)


async def setup(bot: RefereeClient) -> None:
    await bot.add_cog(KitCog(Kits()))
