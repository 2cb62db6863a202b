"""Opening, running and closing encounters, in any system."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.caller import Caller
from bot.discord.submitted import fetched
from bot.features.kits import kit_tables
from bot.render.payload import Reply
from bot.requests.members import Named, named_place
from cogs import _sources as sources
from cogs._interaction import Interaction, Person, answer, name_of, start, step
from cogs._scene import completes
from rules.core import refusals
from rules.core.command import Command
from rules.core.typed.names import clean_texts
from rules.errors import Malformed


class PlaceOption(app_commands.Transformer):
    """A channel or thread that people can write in; taken as Discord names it, since threads are seldom cached."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        kinds = discord.ChannelType
        return [kinds.text, kinds.news, kinds.voice, kinds.public_thread, kinds.private_thread, kinds.news_thread]

    async def transform(self, interaction: discord.Interaction[Any], value: Named, /) -> Named:
        return value


class EncounterCog(commands.GroupCog, group_name="encounter", group_description="Open, run and close an encounter"):
    """One channel or thread is one table with at most one running encounter."""

    @app_commands.command(description="Open an encounter in this channel; you are its GM")
    @app_commands.describe(
        system="Which rules: classic, stones, …, or a kit",
        file="A kit of your own, .toml or .json",
        name="What it is called",
        options="House rules: key=value, key=value",
        saved="A saved map; last is the board as the channel's last fight left it",
    )
    @app_commands.rename(saved="map")
    @app_commands.autocomplete(
        system=completes(sources.started_systems),
        options=completes(sources.options_of(None), many=", "),
        saved=completes(sources.saved_maps),
    )
    async def start(
        self,
        interaction: Interaction,
        system: str | None = None,
        file: discord.Attachment | None = None,
        name: str | None = None,
        options: str | None = None,
        saved: str | None = None,
    ) -> None:
        await start(interaction, system, name, options, saved, file)

    @app_commands.command(description="Begin the first round")
    async def begin(self, interaction: Interaction) -> None:
        await step(interaction, "encounter begin")

    @app_commands.command(description="Paste a whole cast from your notes: I read it back, then one yes adds it")
    @app_commands.describe(name="A cast that you saved, or a name to save this one under")
    @app_commands.autocomplete(name=completes(sources.casts))
    async def cast(self, interaction: Interaction, name: str | None = None) -> None:
        await answer(interaction, lambda caller: interaction.client.casts.show(caller, name))

    @app_commands.command(description="Show the prompt again")
    async def show(self, interaction: Interaction) -> None:
        await answer(interaction, interaction.client.referee.show)

    @app_commands.command(description="Read what happened")
    @app_commands.describe(page="Which page; the newest is on the first", file="The whole story as a file")
    async def log(self, interaction: Interaction, page: app_commands.Range[int, 1] = 1, file: bool = False) -> None:
        await answer(interaction, lambda caller: interaction.client.exports.log(caller, page, file))

    @app_commands.command(description="Get the encounter as a JSON file, with everything that you may see")
    async def export(self, interaction: Interaction) -> None:
        await answer(interaction, interaction.client.exports.encounter)

    @app_commands.command(description="End it; pools and lasting conditions go back to the saved characters")
    async def end(self, interaction: Interaction) -> None:
        await step(interaction, "encounter end")

    @app_commands.command(description="Set the encounter aside, so that the channel is free for another")
    async def pause(self, interaction: Interaction) -> None:
        await step(interaction, "encounter pause")

    @app_commands.command(description="Go on with an encounter that was set aside")
    @app_commands.describe(name="Which one, if several wait")
    @app_commands.autocomplete(name=completes(sources.paused_encounters))
    async def resume(self, interaction: Interaction, name: str | None = None) -> None:
        await step(interaction, "encounter resume", name=name)

    @app_commands.command(name="list", description="List the encounters here")
    @app_commands.describe(server="List every turn in this server that waits")
    async def list_all(self, interaction: Interaction, server: bool = False) -> None:
        await answer(interaction, lambda caller: interaction.client.referee.encounters(caller, server))

    @app_commands.command(description="Show or set the house rules")
    @app_commands.rename(changes="set")
    @app_commands.describe(changes="key=value, key=value", file="Your own tables for this system as JSON, or its kit")
    @app_commands.autocomplete(changes=completes(sources.options_of(None), many=", "))
    async def options(
        self, interaction: Interaction, changes: str | None = None, file: discord.Attachment | None = None
    ) -> None:
        async def perform(caller: Caller) -> Reply:
            if changes is None and file is None:
                return await interaction.client.referee.options(caller)
            tables = None if file is None else await _tables(interaction, caller, file)
            args = {"set": changes, "tables": tables}
            given = {key: value for key, value in args.items() if value is not None}
            return await interaction.client.referee.step(caller, Command(action="encounter options", args=given))

        await answer(interaction, perform)

    @app_commands.command(description="Add a GM, hand the GM's seat to somebody, or remove a GM")
    @app_commands.describe(user="Who", role="co-gm (the default), hand-over, or remove")
    async def gm(
        self, interaction: Interaction, user: discord.User, role: Literal["co-gm", "hand-over", "remove"] = "co-gm"
    ) -> None:
        person: Person = user
        await step(
            interaction, "encounter gm", user=str(person.id), user_name=name_of(person), role=role, people=(person,)
        )

    @app_commands.command(description="Move the table to another channel, or bring back one whose channel is gone")
    @app_commands.describe(channel="Where to", name="Which one, if several could move")
    @app_commands.autocomplete(name=completes(sources.movable_encounters))
    async def move(
        self,
        interaction: Interaction,
        channel: app_commands.Transform[Named, PlaceOption] | None = None,
        name: str | None = None,
    ) -> None:
        place = None if channel is None else named_place(channel)
        await answer(interaction, lambda caller: interaction.client.referee.move(caller, place, name))

    @app_commands.command(description="Take steps back, with their dice and cards")
    @app_commands.describe(steps="How many (1 if left out)", reshuffle="Shuffle the pile afterwards")
    async def undo(
        self, interaction: Interaction, steps: app_commands.Range[int, 1, 100] | None = None, reshuffle: bool = False
    ) -> None:
        async def perform(caller: Caller) -> Reply:
            if steps is None:
                await interaction.client.referee.require_unpaused(caller)
            return await interaction.client.referee.undo(caller, steps or 1, reshuffle)

        await answer(interaction, perform)

    @app_commands.command(description="Redo what was taken back")
    @app_commands.describe(steps="How many (1 if left out)")
    async def redo(self, interaction: Interaction, steps: app_commands.Range[int, 1, 100] = 1) -> None:
        await answer(interaction, lambda caller: interaction.client.referee.redo(caller, steps))


async def _tables(interaction: Interaction, caller: Caller, file: discord.Attachment) -> Mapping[str, object]:
    """Read a kit if the encounter plays one, else a table's own tables."""
    data = await fetched(file, "a file of tables")
    if await interaction.client.kits.is_played(caller):
        return kit_tables(data, file.filename)
    try:
        content = clean_texts(json.loads(data))
    except (ValueError, RecursionError):
        raise refusals.no_json(instead="/encounter options shows the current tables.") from None
    if not isinstance(content, dict):
        raise Malformed(
            "There are no tables in that file.", instead="Write a JSON object: each table's name, then its entries."
        )
    return content


async def setup(bot: commands.AutoShardedBot) -> None:
    await bot.add_cog(EncounterCog())
