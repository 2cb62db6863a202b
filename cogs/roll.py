from __future__ import annotations

from typing import Literal

from discord import app_commands
from discord.ext import commands

from cogs import _sources as sources
from cogs._interaction import Interaction, answer, read_faces
from cogs._scene import completes


class Roll(commands.Cog):
    """Dice and odds, anywhere."""

    @app_commands.command(description="Roll dice, such as 2d6+3 or 4d6kh3; every face is shown")
    @app_commands.describe(
        dice="What to roll: 1d20+5 adv, 4d6 drop lowest, 6d10 t7, a saved roll, STR …",
        times="How many times (1 to 20)",
        reason="What it is for",
        show="Who sees it: all, gm, blind (only the GM), me",
        faces="Physical dice, if the table allows them: 17, 51",
    )
    @app_commands.autocomplete(dice=completes(sources.dice_texts))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.allowed_installs(guilds=True, users=True)
    async def roll(
        self,
        interaction: Interaction,
        *,
        dice: str,
        times: app_commands.Range[int, 1, 20] = 1,
        reason: str | None = None,
        show: Literal["all", "gm", "blind", "me"] = "all",
        faces: str | None = None,
    ) -> None:
        rolls = interaction.client.rolls
        await answer(
            interaction, lambda caller: rolls.roll(caller, dice, times, reason, show, read_faces(faces)), anywhere=True
        )

    @app_commands.command(description="Show the exact odds of dice as a picture and in numbers")
    @app_commands.describe(
        dice="One expression, or up to four to compare, with ; between them",
        at_least="Show the chance of rolling this total or more",
        show="Who sees it: all, me",
    )
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.autocomplete(dice=completes(sources.dice_texts))
    async def odds(
        self, interaction: Interaction, dice: str, at_least: int | None = None, show: Literal["all", "me"] = "all"
    ) -> None:
        await answer(
            interaction, lambda caller: interaction.client.odds.show(caller, dice, at_least, show), anywhere=True
        )


async def setup(bot: commands.AutoShardedBot) -> None:
    await bot.add_cog(Roll())
