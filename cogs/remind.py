"""Reminders for games that go on over days."""

from __future__ import annotations

from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.caller import Caller
from bot.discord import retyped
from bot.render.payload import Reply
from cogs._interaction import Interaction, answer, name_of, require_people
from cogs._scene import completes
from cogs._zones import time_zones
from rules.errors import Malformed


class RemindCog(commands.GroupCog, group_name="remind", group_description="Nudges, quiet times, holidays"):
    """Design 8."""

    @app_commands.command(description="Nudge the people this table waits for")
    @app_commands.describe(
        after="First nudge after this much waking time: 8h, 90 min, 2 days",
        every="Then again after this time (if left out, the same as `after`)",
        times="How many nudges in all (3 if left out)",
        then="What happens if the last nudge goes unanswered",
        digest="A daily digest at this time of day, such as 18:00 or 6pm; off ends it",
    )
    async def turns(
        self,
        interaction: Interaction,
        after: str,
        every: str | None = None,
        times: app_commands.Range[int, 1, 10] = 3,
        then: Literal["gm", "skip", "nothing"] = "gm",
        digest: str | None = None,
    ) -> None:
        await answer(
            interaction,
            lambda caller: retyped.turns(interaction.client.services, caller, after, every, times, then, digest),
        )

    @app_commands.command(description="Your own time zone, quiet times, digest, and where nudges reach you")
    @app_commands.describe(
        timezone="A city, a country, or UTC+2",
        quiet="Such as 22:00-08:00, weekends; or off",
        dm="Nudges as direct messages",
        digest="A daily digest of all your tables as a direct message, such as 18:00 or 6pm; off ends it",
    )
    @app_commands.autocomplete(timezone=completes(time_zones))
    async def me(
        self,
        interaction: Interaction,
        timezone: str | None = None,
        quiet: str | None = None,
        dm: bool | None = None,
        digest: str | None = None,
    ) -> None:
        times = (timezone, quiet, digest)
        await answer(interaction, lambda caller: retyped.me(interaction.client.services, caller, dm, *times))

    @app_commands.command(description="Go on holiday: no nudges, and somebody may act for you")
    @app_commands.describe(
        until="Such as 3 days, friday 18:00 or 2026-12-24", stand_in="Who acts for you in this server"
    )
    async def away(
        self, interaction: Interaction, until: str | None = None, stand_in: discord.User | discord.Member | None = None
    ) -> None:
        async def perform(caller: Caller) -> Reply:
            require_people((stand_in,))
            named = None
            if stand_in is not None:
                if not isinstance(stand_in, discord.Member):
                    raise Malformed(f"{name_of(stand_in)} is not in this server.", instead="Name a member.")
                named = (str(stand_in.id), name_of(stand_in))
            return await retyped.away(interaction.client.services, caller, until, named)

        await answer(interaction, perform)

    @app_commands.command(description="Come back from a holiday")
    async def back(self, interaction: Interaction) -> None:
        await answer(interaction, interaction.client.reminders.back)

    @app_commands.command(
        name="list", description="See who the table waits for, what comes next, and your own settings"
    )
    async def list_all(self, interaction: Interaction) -> None:
        await answer(interaction, interaction.client.reminders.list_all)

    @app_commands.command(description="As GM, stop reminders in this channel; as a player, delete your own settings")
    async def off(self, interaction: Interaction) -> None:
        await answer(interaction, interaction.client.reminders.off)


async def setup(bot: commands.AutoShardedBot) -> None:
    await bot.add_cog(RemindCog())
