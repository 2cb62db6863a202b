from __future__ import annotations

from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.caller import Caller
from bot.discord.submitted import fetched
from bot.render.payload import Reply
from bot.table.ground import MOST_BYTES
from cogs import _sources as sources
from cogs._interaction import Interaction, answer
from cogs._scene import completes
from rules.core.command import Command

MOST_MAP = 25 * 2**20  # bytes of a file
Shelf = Literal["me", "server"]
_SHELF = "Whose it is: yours in every server, or this server's"


class Map(commands.GroupCog, group_name="map", group_description="Maps: write, draw and save them"):
    """Rule: G-06."""

    @app_commands.command(description="Write a map in a form: a sign for each cell, and a legend")
    @app_commands.describe(size="Fill the form with this many open cells, such as 20x15")
    async def new(self, interaction: Interaction, size: str | None = None) -> None:
        await answer(interaction, lambda caller: interaction.client.maps.new(caller, size))

    @app_commands.command(
        name="import", description="Read a map from a file: Universal VTT, One Page Dungeon, Tiled, text"
    )
    @app_commands.describe(
        file="The file",
        name="What to call it",
        part="Only these cells of a large map, such as A1:BL64",
        objects="What pillars and crates block: sight, steps as well, or nothing",
    )
    async def bring(
        self,
        interaction: Interaction,
        file: discord.Attachment,
        name: str | None = None,
        part: str | None = None,
        objects: Literal["sight", "wall", "none"] = "sight",
    ) -> None:
        async def read(caller: Caller) -> Reply:
            data = await fetched(file, "a map", MOST_MAP)
            return await interaction.client.maps.read_file(
                caller, data, file.filename, name=name, part=part, objects=objects
            )

        await answer(interaction, read)

    @app_commands.command(description="Put a picture under the board, or move and scale it")
    @app_commands.describe(
        file="PNG, JPEG or WebP",
        across="How many columns the picture is wide",
        pixels="Or how many pixels wide a cell is",
        shift="Pixels left of and above the first cell, such as 12,-5",
        fade="How pale it is, in percent; 100 removes it",
    )
    async def picture(
        self,
        interaction: Interaction,
        file: discord.Attachment | None = None,
        *,
        across: app_commands.Range[int, 1, 400] | None = None,
        pixels: app_commands.Range[int, 1, 1000] | None = None,
        shift: str | None = None,
        fade: app_commands.Range[int, 0, 100] | None = None,
    ) -> None:
        async def lay(caller: Caller) -> Reply:
            given = None if file is None else (file.filename, await fetched(file, "a picture", MOST_BYTES))
            return await interaction.client.map_pictures.lay(
                caller, given, across=across, pixels=pixels, shift=shift, fade=fade
            )

        await answer(interaction, lay)

    @app_commands.command(description="Draw on the board: cells, walls, doors, places")
    @app_commands.rename(start="from")
    @app_commands.describe(
        shape="What to draw",
        start="A cell or a list; for a wall a corner, such as C4.; for edges C4/D4 or C4:C9/E",
        to="The opposite cell or corner; for a disc a cell on its rim",
        kind="What is there; none removes it",
        text="What it is called",
        hidden="Only the GM sees it, until it is revealed",
    )
    async def draw(
        self,
        interaction: Interaction,
        *,
        shape: Literal["rect", "room", "line", "disc", "ring", "wall", "edge"],
        start: str,
        to: str | None = None,
        kind: Literal[
            "solid", "void", "difficult", "low", "hazard", "window", "door", "wall", "curtain", "prop", "named", "none"
        ]
        | None = None,
        text: str | None = None,
        hidden: bool | None = None,
    ) -> None:
        given = {"shape": shape, "from": start, "kind": kind, "text": text, "hidden": hidden}
        args = {key: value for key, value in given.items() if value is not None}
        command = Command(action="map draw", to=to, args=args)
        await answer(interaction, lambda caller: interaction.client.map_pictures.draw(caller, command))

    @app_commands.command(description="Save the board under a name, without its tokens")
    @app_commands.rename(shelf="for")
    @app_commands.describe(name="Its name", shelf=_SHELF)
    async def save(self, interaction: Interaction, name: str, shelf: Shelf = "me") -> None:
        await answer(interaction, lambda caller: interaction.client.maps.save(caller, name, shelf))

    @app_commands.command(description="Use a saved map in place of the board")
    @app_commands.describe(name="Its name; last is this channel's last board", tokens="What happens to the tokens")
    @app_commands.autocomplete(name=completes(sources.saved_maps))
    async def use(self, interaction: Interaction, name: str, tokens: Literal["keep", "off", "start"] = "keep") -> None:
        await answer(interaction, lambda caller: interaction.client.maps.use(caller, name, tokens))

    @app_commands.command(name="list", description="Show your maps and the server's")
    async def show(self, interaction: Interaction) -> None:
        await answer(interaction, interaction.client.maps.list)

    @app_commands.command(description="Save a saved map under another name, too")
    @app_commands.rename(shelf="for")
    @app_commands.describe(name="Which map", to="The copy's name", shelf=_SHELF)
    @app_commands.autocomplete(name=completes(sources.saved_maps))
    async def copy(self, interaction: Interaction, name: str, to: str, shelf: Shelf = "me") -> None:
        await answer(interaction, lambda caller: interaction.client.maps.copy(caller, name, to, shelf))

    @app_commands.command(description="Give a saved map another name")
    @app_commands.describe(name="Which map", to="Its new name")
    @app_commands.autocomplete(name=completes(sources.saved_maps))
    async def rename(self, interaction: Interaction, name: str, to: str) -> None:
        await answer(interaction, lambda caller: interaction.client.maps.rename(caller, name, to))

    @app_commands.command(description="Delete a saved map")
    @app_commands.describe(name="Which map")
    @app_commands.autocomplete(name=completes(sources.saved_maps))
    async def delete(self, interaction: Interaction, name: str) -> None:
        await answer(interaction, lambda caller: interaction.client.maps.delete(caller, name))

    @app_commands.command(description="Get a map as a private file")
    @app_commands.rename(kind="as")
    @app_commands.describe(
        name="A saved map; if left out, the board", kind="map can be read back exactly; uvtt is for other programs"
    )
    @app_commands.autocomplete(name=completes(sources.saved_maps))
    async def export(
        self, interaction: Interaction, name: str | None = None, kind: Literal["map", "text", "uvtt", "picture"] = "map"
    ) -> None:
        await answer(interaction, lambda caller: interaction.client.maps.export(caller, name, kind))


async def setup(bot: commands.AutoShardedBot) -> None:
    await bot.add_cog(Map())
