"""The floor: a discord.py bot that answers one embed and keeps nothing.

With FLOOR_MESSAGES=2 a message as long as a prompt follows, as with every turn: what discord.py itself costs in a step.
With FLOOR_DATABASE it keeps one row of text durably before it answers: what no bot that may not forget can do without.
"""

from __future__ import annotations

import asyncio
import os
import sys

import aiosqlite
import discord
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

LINES = "\n".join(f"◦ 12 **Goblin {number}** · HP ▰▰▰▰▰ 20/20" for number in range(30))


class Floor(discord.Client):
    rows: aiosqlite.Connection | None = None

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), chunk_guilds_at_startup=False, max_messages=None)
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(next_turn)

    async def setup_hook(self) -> None:
        await self.tree.sync()
        if "FLOOR_DATABASE" in os.environ:
            self.rows = await aiosqlite.connect(os.environ["FLOOR_DATABASE"])
            await self.rows.executescript(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE step (id TEXT, words TEXT)"
            )


@app_commands.command(name="next", description="Answer one embed")
async def next_turn(interaction: discord.Interaction[Floor]) -> None:
    rows = interaction.client.rows
    if rows is not None:
        await rows.execute("INSERT INTO step VALUES (?, ?)", (str(interaction.id), LINES))
        await rows.commit()
    embed = discord.Embed(title="Ambush", description="Goblin 1 ends the turn.", colour=0x3B82F6)
    await interaction.response.send_message(embed=embed)
    if os.environ.get("FLOOR_MESSAGES") == "2":
        view = discord.ui.View(timeout=None)
        view.add_item(discord.ui.Button(label="My turn", custom_id=f"turn|{interaction.id}"))
        prompt = discord.Embed(title="Ambush", description=LINES)
        await interaction.followup.send("Gwen, Goblin 1's turn: round 1.", embed=prompt, view=view)


async def main() -> None:
    Route.BASE = os.environ["DISCORD_API_URL"]
    async with Floor() as client:
        await client.login(os.environ["DISCORD_TOKEN"])
        _, url, _ = await client.http.get_bot_gateway()
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(url)
        await client.connect()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
