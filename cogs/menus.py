"""The app's entries in Discord's own menus of a message and of a person."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.features.context_menus import ContextMenus, Message
from cogs._interaction import Interaction, answer, name_of

if TYPE_CHECKING:
    from bot.discord.client import RefereeClient


def _ids(components: Iterable[Any]) -> Iterable[str]:
    for each in components:
        if isinstance(getattr(each, "custom_id", None), str):
            yield each.custom_id
        yield from _ids(getattr(each, "children", ()))


def _opened(message: discord.Message) -> Message:
    return Message(str(message.id), tuple(_ids(message.components)))


async def setup(bot: RefereeClient) -> None:
    menus = ContextMenus(bot.tables, bot.referee, bot.characters)

    @app_commands.context_menu(name="Undo to here")
    async def undo_to_here(interaction: Interaction, message: discord.Message) -> None:
        await answer(interaction, lambda caller: menus.undo_to(caller, _opened(message)))

    @app_commands.context_menu(name="Check this roll")
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.allowed_installs(guilds=True, users=True)
    async def check_this_roll(interaction: Interaction, message: discord.Message) -> None:
        await answer(interaction, lambda caller: menus.check(caller, _opened(message)), anywhere=True)

    @app_commands.context_menu(name="Sheet")
    async def sheet(interaction: Interaction, user: discord.User) -> None:
        await answer(interaction, lambda caller: menus.sheet(caller, str(user.id), name_of(user)))

    for each in (undo_to_here, check_this_roll, sheet):
        bot.tree.add_command(each)
