"""The short commands of the plain initiative list. Each is a step that `/encounter`, `/act` or `/join` can do too."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.caller import Caller
from bot.render.payload import Reply
from bot.table.meant_offers import ended_turn
from cogs import _sources as sources
from cogs._interaction import Interaction, answer, start, step
from cogs._scene import completes
from rules.core.command import Command


def typed_number(number: float | None) -> float | None:
    """Return a whole number as such: Discord sends both alike."""
    return int(number) if number is not None and number.is_integer() else number


class Init(commands.GroupCog, group_name="init", group_description="A plain initiative list, for any game"):
    """Rule: CL-01 to CL-07."""

    @app_commands.command(description="Open a fight with plain initiative; you are its GM")
    @app_commands.describe(
        name="What it is called",
        options="House rules: key=value, key=value",
        saved="A saved map; last is the board as the channel's last fight left it",
    )
    @app_commands.rename(saved="map")
    @app_commands.autocomplete(
        options=completes(sources.options_of("classic"), many=", "), saved=completes(sources.saved_maps)
    )
    async def start(
        self, interaction: Interaction, name: str | None = None, options: str | None = None, saved: str | None = None
    ) -> None:
        await start(interaction, "classic", name, options, saved)

    @app_commands.command(description="Join the fight; your initiative is rolled at once")
    @app_commands.describe(
        bonus="Added to the roll",
        result="Your total, if you have already rolled; 12.5 goes before 12 in a tie",
        character="One of your saved characters; if left out, your only one, else you join under your own name",
        dice="What to roll instead, such as 2d20kh1+3",
        hp="Your hit points, if no sheet has them",
        name="Your name in this fight, if no sheet has one",
    )
    @app_commands.autocomplete(character=completes(sources.characters), dice=completes(sources.dice_texts))
    async def join(
        self,
        interaction: Interaction,
        *,
        bonus: int | None = None,
        result: float | None = None,
        character: str | None = None,
        dice: str | None = None,
        hp: str | None = None,
        name: str | None = None,
    ) -> None:
        async def perform(caller: Caller) -> Reply:
            named = name or (hp and caller.name)
            says_numbers = any(given is not None for given in (bonus, result, dice))  # then nobody's sheet is meant
            find = interaction.client.characters.named
            document, called = await find(caller, character, named, is_bare=says_numbers)
            args = {
                "bonus": bonus,
                "result": typed_number(result),
                "document": document,
                "dice": dice,
                "hp": hp,
                "name": called,
            }
            given = {key: value for key, value in args.items() if value is not None}
            reply = await interaction.client.referee.step(caller, Command(action="join", args=given))
            if document is not None:
                await interaction.client.characters.note_used(caller, str(document["name"]))
            return reply

        await answer(interaction, perform)

    @app_commands.command(description="Add one or several that the GM plays")
    @app_commands.describe(
        name="Its name; several get numbers",
        dice="What to roll, such as 1d20+2",
        bonus="Added to the roll",
        result="A fixed total instead of a roll",
        count="How many (1 to 30)",
        side="Which side they are on",
        group="Share one place in the order with this group",
        hp="Hit points, or dice to roll for each: 7, 2d6",
        sheet="KEY VALUE, KEY VALUE, such as AC 13, STR 2; or a stat block, pasted",
        hidden="Nobody else knows that it exists until /gm reveal",
    )
    @app_commands.autocomplete(
        dice=completes(sources.dice_texts), side=completes(sources.sides), group=completes(sources.groups)
    )
    async def add(
        self,
        interaction: Interaction,
        *,
        name: str,
        dice: str | None = None,
        bonus: int | None = None,
        result: float | None = None,
        count: app_commands.Range[int, 1, 30] | None = None,
        side: str | None = None,
        group: str | None = None,
        hp: str | None = None,
        sheet: str | None = None,
        hidden: bool | None = None,
    ) -> None:
        await step(
            interaction,
            "add",
            name=name,
            dice=dice,
            bonus=bonus,
            result=typed_number(result),
            count=count,
            side=side,
            group=group,
            hp=hp,
            sheet=sheet,
            hidden=hidden,
        )

    @app_commands.command(description="End the turn; the first time, this opens round 1")
    @app_commands.describe(target="Who goes next (popcorn only)")
    @app_commands.autocomplete(target=completes(sources.combatants))
    async def next(self, interaction: Interaction, target: str | None = None) -> None:
        async def perform(caller: Caller) -> Reply:
            room = await interaction.client.tables.room_of(caller.channel, caller.guild)
            active = room.table.active
            if active is not None and active.status == "gathering":
                return await interaction.client.referee.step(caller, Command(action="encounter begin"))
            # It says in so many words that the turn ends, whosever it is; done for others it is a ruling.
            ended = ended_turn(room, interaction.client.tables.seat(room, caller), target)
            return await interaction.client.referee.step(caller, ended)

        await answer(interaction, perform)

    @app_commands.command(description="Leave the order for now; you can come back after any turn")
    @app_commands.describe(target="Who goes next (popcorn only)")
    @app_commands.autocomplete(target=completes(sources.combatants))
    async def delay(self, interaction: Interaction, target: str | None = None) -> None:
        await step(interaction, "delay", target=target)

    @app_commands.command(description="Come back into the order after a delay")
    async def back(self, interaction: Interaction) -> None:
        await step(interaction, "back")

    @app_commands.command(description="Ready an action until something happens")
    @app_commands.describe(trigger="What you wait for, and what you do then")
    async def ready(self, interaction: Interaction, trigger: str) -> None:
        await step(interaction, "ready", note=trigger)

    @app_commands.command(name="list", description="Show the order")
    async def list_order(self, interaction: Interaction) -> None:
        await answer(interaction, interaction.client.referee.init_list)

    @app_commands.command(description="Take somebody out of the fight")
    @app_commands.describe(target="Who leaves; separate several with commas")
    @app_commands.autocomplete(target=completes(sources.own_combatants, many=", "))
    async def remove(self, interaction: Interaction, target: str) -> None:
        await step(interaction, "remove", target=target)

    @app_commands.command(description="End the fight")
    async def end(self, interaction: Interaction) -> None:
        await step(interaction, "encounter end")


async def setup(bot: commands.AutoShardedBot) -> None:
    await bot.add_cog(Init())
