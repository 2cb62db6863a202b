"""The one command for every action of every system, and the private panel."""

from __future__ import annotations

from typing import Literal

from discord import app_commands
from discord.ext import commands

from cogs import _sources as sources
from cogs._interaction import Interaction, answer, step, whole_amount
from cogs._scene import completes


class Act(commands.Cog):
    """Rule: G-03, G-07."""

    @app_commands.command(description="Do something that the rules allow; I offer what you can do now as you type")
    @app_commands.describe(
        action="What to do",
        target="Who; separate several with commas",
        using="With which weapon, ability or item",
        cards="Which cards, separated by commas; 2x for copies",
        to="A cell such as C4, or a path such as C4 D4 E5",
        amount="How much: a number; for damage and healing also dice and a type, such as 2d6+3 fire",
        note="What else to say",
        character="Which of your characters, if several could; * answers for all of them",
        when="In advance, seen only by you: when it is my turn, if I am asked, or how long I let things pass",
        faces="Physical dice, if the table allows them: 17, 51",
    )
    @app_commands.autocomplete(
        action=completes(sources.actions),
        target=completes(sources.takes("target"), many=", "),
        using=completes(sources.takes("using"), many=", "),
        cards=completes(sources.takes("cards"), many=", ", copies=True),
        to=completes(sources.takes("to"), many=" "),
        note=completes(sources.takes("note")),
        character=completes(sources.actors),
    )
    async def act(
        self,
        interaction: Interaction,
        *,
        action: str,
        target: str | None = None,
        using: str | None = None,
        cards: str | None = None,
        to: str | None = None,
        amount: str | None = None,
        note: str | None = None,
        character: str | None = None,
        when: Literal["my-turn", "if-asked", "this-turn", "this-round", "this-fight"] | None = None,
        faces: str | None = None,
    ) -> None:
        await step(
            interaction,
            "-".join(action.split()),  # an action of the system; the core's verbs have commands of their own
            target=target,
            using=using,
            cards=cards,
            to=to,
            amount=whole_amount(amount),
            more={"amount": None if whole_amount(amount) is not None else amount},
            note=note,
            character=character,
            faces=faces,
            when=when,
        )

    @app_commands.command(description="Read privately what happened and what you can do now")
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def turn(self, interaction: Interaction) -> None:
        await answer(interaction, interaction.client.referee.turn, anywhere=True)


async def setup(bot: commands.AutoShardedBot) -> None:
    await bot.add_cog(Act())
