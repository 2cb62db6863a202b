"""Cards: your own hand, and the channel's deck."""

from __future__ import annotations

from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.caller import Caller
from bot.discord.submitted import fetched
from bot.render.payload import Reply
from cogs import _sources as sources
from cogs._interaction import Interaction, Person, answer, name_of, step
from cogs._scene import completes
from rules.core.cards import parse_deck_file
from rules.core.command import Command

own_cards = completes(sources.own_cards, many=", ", copies=True)


class Hand(commands.GroupCog, group_name="hand", group_description="Your own hand of cards, always private"):
    """Rule: G-04."""

    @app_commands.command(description="Look at your hand")
    @app_commands.describe(player="Whose hand: as their stand-in, or as the GM; the log notes each look")
    async def show(self, interaction: Interaction, player: discord.User | None = None) -> None:
        async def look(caller: Caller) -> Reply:
            if player is None:
                return await interaction.client.referee.hand(caller)
            return await interaction.client.referee.hand(caller, str(player.id), name_of(player))

        await answer(interaction, look)

    @app_commands.command(description="Draw from the top of the deck")
    @app_commands.describe(count="How many (1 if left out)")
    async def draw(self, interaction: Interaction, count: app_commands.Range[int, 1, 100] | None = None) -> None:
        await step(interaction, "hand draw", count=count)

    @app_commands.command(description="Play cards face up")
    @app_commands.describe(cards="Which cards, separated by commas; 2x for copies")
    @app_commands.autocomplete(cards=own_cards)
    async def play(self, interaction: Interaction, cards: str) -> None:
        await step(interaction, "hand play", cards=cards)

    @app_commands.command(description="Discard cards, face up")
    @app_commands.describe(cards="Which cards, separated by commas; 2x for copies")
    @app_commands.autocomplete(cards=own_cards)
    async def discard(self, interaction: Interaction, cards: str) -> None:
        await step(interaction, "hand discard", cards=cards)

    @app_commands.command(description="Give cards to somebody; the channel reads how many")
    @app_commands.describe(cards="Which cards, separated by commas; 2x for copies", player="Who gets them")
    @app_commands.autocomplete(cards=own_cards)
    async def give(self, interaction: Interaction, cards: str, player: discord.User) -> None:
        person: Person = player
        await step(
            interaction, "hand give", cards=cards, player=str(person.id), player_name=name_of(person), people=(person,)
        )


class Deck(commands.GroupCog, group_name="deck", group_description="The channel's deck of cards"):
    """The channel learns the number of cards alone."""

    @app_commands.command(description="Lay out a deck and shuffle it")
    @app_commands.describe(
        kind="Which cards (52 playing cards if left out)", file="Your own: a text file with one card on each line"
    )
    async def new(
        self,
        interaction: Interaction,
        kind: Literal["standard52", "standard54", "stones"] | None = None,
        file: discord.Attachment | None = None,
    ) -> None:
        async def perform(caller: Caller) -> Reply:
            cards = None if file is None else list(parse_deck_file(await fetched(file, "a deck")))
            given = {key: value for key, value in {"kind": kind, "cards": cards}.items() if value is not None}
            return await interaction.client.referee.step(caller, Command(action="deck new", args=given))

        await answer(interaction, perform)

    @app_commands.command(description="Shuffle the discards back into the deck")
    async def shuffle(self, interaction: Interaction) -> None:
        await step(interaction, "deck shuffle")

    @app_commands.command(description="Show how many cards are left, and in which hands")
    async def show(self, interaction: Interaction) -> None:
        await answer(interaction, interaction.client.referee.deck)

    @app_commands.command(description="Show the discards")
    async def discards(self, interaction: Interaction) -> None:
        await answer(interaction, interaction.client.referee.discards)

    @app_commands.command(description="Put the deck away, and all hands with it")
    async def clear(self, interaction: Interaction) -> None:
        await step(interaction, "deck clear")


async def setup(bot: commands.AutoShardedBot) -> None:
    await bot.add_cog(Hand())
    await bot.add_cog(Deck())
