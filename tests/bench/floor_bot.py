"""The floor: a discord.py bot that answers one embed and keeps nothing."""

from __future__ import annotations

import asyncio
import os
import sys

import discord
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route


class Floor(discord.Client):
    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), chunk_guilds_at_startup=False, max_messages=None)
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(next_turn)

    async def setup_hook(self) -> None:
        await self.tree.sync()


@app_commands.command(name="next", description="Answer one embed")
async def next_turn(interaction: discord.Interaction[Floor]) -> None:
    embed = discord.Embed(title="Ambush", description="Goblin 1 ends the turn.", colour=0x3B82F6)
    await interaction.response.send_message(embed=embed)


async def main() -> None:
    Route.BASE = os.environ["DISCORD_API_URL"]
    async with Floor() as client:
        await client.login(os.environ["DISCORD_TOKEN"])
        _, url, _ = await client.http.get_bot_gateway()
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(url)
        await client.connect()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
