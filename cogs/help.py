"""What to type, and what the rules say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.features.help.guide import Guide
from cogs._interaction import Interaction, answer
from cogs._scene import Scene, Shown, completes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bot.discord.client import RefereeClient


async def topics(scene: Scene) -> Iterable[Shown]:
    return (*Guide(scene.client.tables).topics(), *await scene.client.kits.names(scene.guild))


def rules(scene: Scene) -> Iterable[Shown]:
    return Guide(scene.client.tables).listed(scene.table, scene.current)


class Help(commands.Cog):
    """Help and rules."""

    def __init__(self, guide: Guide) -> None:
        self.guide = guide

    @app_commands.command(
        description="What to type as a newcomer, a player or a GM, and in each system; check: my permissions"
    )
    @app_commands.describe(topic="newcomer, player, gm, days, dice, fair, check, or a system")
    @app_commands.autocomplete(topic=completes(topics))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.allowed_installs(guilds=True, users=True)
    async def help(self, interaction: Interaction, topic: str | None = None) -> None:
        await answer(interaction, lambda caller: self.guide.show(caller, topic), anywhere=True)

    @app_commands.command(description="Find a rule of this channel's system by its id or by words")
    @app_commands.describe(search="An id such as CL-03, or words such as delay")
    @app_commands.autocomplete(search=completes(rules))
    async def rules(self, interaction: Interaction, search: str) -> None:
        await answer(interaction, lambda caller: self.guide.rules(caller, search))


async def setup(bot: RefereeClient) -> None:
    await bot.add_cog(Help(Guide(bot.tables)))
