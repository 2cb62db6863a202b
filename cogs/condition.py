from __future__ import annotations

from typing import Literal

from discord import app_commands
from discord.ext import commands

from cogs import _sources as sources
from cogs._interaction import Interaction, answer, step
from cogs._scene import completes

Ticks = Literal["bearer-start", "bearer-end", "source-start", "source-end", "round-end"]


class Condition(commands.GroupCog, group_name="condition", group_description="Conditions on combatants"):
    """Rule: CL-06, CL-08."""

    @app_commands.command(description="Put a condition on somebody")
    @app_commands.describe(
        target="On who; separate several with commas; table: the list that people choose from",
        name="What it is called",
        duration="2 rounds, 1 minute, until my next turn, save, or none",
        ticks="When it counts down",
        save="The roll that ends it, such as 2d6>=7",
        source="Who put it there",
        concentration="It ends with its source's concentration",
    )
    @app_commands.autocomplete(
        target=completes(sources.combatants_and_groups, many=", "),
        name=completes(sources.conditions),
        duration=completes(sources.durations),
        source=completes(sources.combatants),
    )
    async def add(
        self,
        interaction: Interaction,
        *,
        target: str,
        name: str,
        duration: str | None = None,
        ticks: Ticks | None = None,
        save: str | None = None,
        source: str | None = None,
        concentration: bool | None = None,
    ) -> None:
        await step(
            interaction,
            "condition add",
            target=target,
            name=name,
            duration=duration,
            ticks=ticks,
            save=save,
            source=source,
            concentration=concentration,
        )

    @app_commands.command(description="Take a condition off somebody")
    @app_commands.describe(
        target="Off who; separate several with commas; table: the list that people choose from",
        name="Which condition",
        source="Which one of that name: say who put it there",
    )
    @app_commands.autocomplete(
        target=completes(sources.combatants_and_groups, many=", "),
        name=completes(sources.conditions_there),
        source=completes(sources.combatants),
    )
    async def remove(self, interaction: Interaction, target: str, name: str, source: str | None = None) -> None:
        await step(interaction, "condition remove", target=target, name=name, source=source)

    @app_commands.command(name="list", description="List all conditions here")
    async def list_all(self, interaction: Interaction) -> None:
        await answer(interaction, interaction.client.referee.conditions)


async def setup(bot: commands.AutoShardedBot) -> None:
    await bot.add_cog(Condition())
