from __future__ import annotations

from typing import Literal

from discord import app_commands
from discord.ext import commands

from cogs import _sources as sources
from cogs._interaction import Interaction, answer, step
from cogs._scene import completes


class Board(commands.GroupCog, group_name="board", group_description="A grid with letters and numbers"):
    """Rule: G-06."""

    @app_commands.command(description="Show the board as a picture, or in words")
    @app_commands.describe(
        text="In words instead of a picture",
        target="Whose picture the system draws, such as a specialty grid",
        part="all, cells such as C3:N14, or a name; if left out, what matters now",
    )
    @app_commands.autocomplete(target=completes(sources.combatants), part=completes(sources.board_parts))
    async def show(
        self, interaction: Interaction, text: bool = False, target: str | None = None, part: str | None = None
    ) -> None:
        await answer(interaction, lambda caller: interaction.client.pictures.show(caller, text, target, part))

    @app_commands.command(description="Move your token, if the system has no movement of its own")
    @app_commands.describe(
        to="A cell, such as C4, or a path, such as C4 D4 E5", character="Who, if you have several characters"
    )
    @app_commands.autocomplete(character=completes(sources.own_combatants))
    async def move(self, interaction: Interaction, to: str, character: str | None = None) -> None:
        await step(interaction, "board move", to=to, character=character)

    @app_commands.command(description="Lay out a board, or change its size")
    @app_commands.describe(size="Columns x rows, such as 20x15")
    async def size(self, interaction: Interaction, size: str) -> None:
        await step(interaction, "board size", size=size)

    @app_commands.command(description="Put combatants on cells, one each, in the order that you name them")
    @app_commands.describe(
        target="Who; separate several with commas",
        cells="Cells and rectangles, such as C4, A1:C3",
        size="How large they are, such as 2 for 2x2",
    )
    @app_commands.autocomplete(target=completes(sources.combatants, many=", "))
    async def place(self, interaction: Interaction, target: str, cells: str, size: str | None = None) -> None:
        await step(interaction, "board place", target=target, cells=cells, size=size)

    @app_commands.command(description="Lay terrain on cells, or name them")
    @app_commands.describe(cells="Cells and rectangles, such as C4, A1:C3", kind="What is there", text="Its name")
    async def terrain(
        self,
        interaction: Interaction,
        cells: str,
        kind: Literal["difficult", "solid", "blocked", "low", "hazard", "window", "door", "void", "named", "open"]
        | None = None,
        text: str | None = None,
    ) -> None:
        await step(interaction, "board terrain", cells=cells, kind=kind, text=text)

    @app_commands.command(description="Open or close a door; players have to be beside it")
    @app_commands.describe(
        at="A cell, or an edge, such as C4/D4", do="What to do; if left out, open a closed door or close an open one"
    )
    @app_commands.autocomplete(at=completes(sources.board_doors))
    async def door(
        self,
        interaction: Interaction,
        at: str,
        do: Literal["open", "close", "lock", "unlock", "reveal", "remove"] | None = None,
    ) -> None:
        await step(interaction, "board door", at=at, do=do)

    @app_commands.command(description="Lift the fog from cells, cover them with it, or start over")
    @app_commands.describe(
        do="What to do", cells="Cells such as C4, A1:C3, a place's name, or room C4: everything up to walls and doors"
    )
    @app_commands.autocomplete(cells=completes(sources.fog_places))
    async def fog(
        self, interaction: Interaction, do: Literal["reveal", "hide", "reset"], cells: str | None = None
    ) -> None:
        await step(interaction, "board fog", do=do, cells=cells)

    @app_commands.command(
        description="Measure privately: distance, way, direction, line of sight, cover and doors in between"
    )
    @app_commands.rename(start="from")
    @app_commands.describe(to="A cell, a place or a combatant", start="The same; if left out, your own character")
    @app_commands.autocomplete(to=completes(sources.board_places), start=completes(sources.board_places))
    async def ruler(self, interaction: Interaction, to: str, start: str | None = None) -> None:
        await answer(interaction, lambda caller: interaction.client.pictures.measure(caller, to, start))

    @app_commands.command(description="Show an area: its cells, and who is in it")
    @app_commands.describe(
        shape="burst 2, disc 3, cone 4, cone 4 wide, line 6, line 6 3 or square 3",
        at="Where it starts: a cell, a place or a combatant; for an even square a corner, such as C4.",
        toward="Which way a cone or a line points",
        through="Through walls",
        show="Who sees it",
    )
    @app_commands.autocomplete(
        shape=completes(sources.area_shapes),
        at=completes(sources.board_places),
        toward=completes(sources.board_places),
    )
    async def area(
        self,
        interaction: Interaction,
        *,
        shape: str,
        at: str,
        toward: str | None = None,
        through: bool = False,
        show: Literal["me", "all"] = "me",
    ) -> None:
        text = " ".join((shape, "at", at, *(("toward", toward) if toward else ()), *(("through",) if through else ())))
        await answer(
            interaction,
            lambda caller: interaction.client.board_looks.area(caller, text, is_public=show == "all"),
        )

    @app_commands.command(description="Show what your token sees; with a target, what is between the two")
    @app_commands.describe(who="Who, if not you", target="Somebody, a place or a cell")
    @app_commands.autocomplete(who=completes(sources.own_combatants), target=completes(sources.board_places))
    async def see(self, interaction: Interaction, who: str | None = None, target: str | None = None) -> None:
        await answer(interaction, lambda caller: interaction.client.board_looks.see(caller, who, target))

    @app_commands.command(description="Take combatants off, or terrain off cells; with neither, the whole board")
    @app_commands.describe(target="Who; separate several with commas", cells="Cells and rectangles, such as C4, A1:C3")
    @app_commands.autocomplete(target=completes(sources.combatants, many=", "))
    async def clear(self, interaction: Interaction, target: str | None = None, cells: str | None = None) -> None:
        await step(interaction, "board clear", target=target, cells=cells)


async def setup(bot: commands.AutoShardedBot) -> None:
    await bot.add_cog(Board())
