"""The GM's rulings: whatever the rules refuse, the GM can do by hand.

Each command is made from its declaration (`rules/core/commands`): its options, their help, their suggestions.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from copy import copy
from functools import cache
from typing import Any, Literal

import discord
from discord import app_commands
from discord.ext import commands
from pydantic import JsonValue

from bot.caller import Caller
from bot.discord.submitted import fetched
from bot.render.payload import Reply
from cogs import _sources as sources
from cogs._interaction import Interaction, answer, name_of, require_people
from cogs._scene import Callback, completes
from rules.core.command import Command
from rules.core.commands import COMMAND_SPECS
from rules.core.commands.spec import CommandSpec, Given

Read = Callable[[Interaction, Caller, Mapping[str, Any]], Awaitable[Mapping[str, JsonValue] | None]]
_FIELDS = frozenset({"target", "cards", "to", "note"})  # of a command; all else is in its args
_TYPES: Mapping[str, Any] = {
    "text": str,
    "number": int,
    "flag": bool,
    "person": discord.User,
    "file": discord.Attachment,
}


async def _template(
    interaction: Interaction, caller: Caller, typed: Mapping[str, Any]
) -> Mapping[str, JsonValue] | None:
    """Return the character that `/gm add` takes: a file's, or the caller's saved one of that name."""
    characters = interaction.client.characters
    file: discord.Attachment | None = typed.get("file")
    if file is None:
        return await characters.template_document(caller, typed["name"])
    return characters.file_document(caller, await fetched(file, "a character"), typed["name"])


_DOCUMENTS: Mapping[str, Read] = {"gm add": _template}  # what is in a file or is saved, for these rulings


def _annotation(given: Given) -> Any:
    """Return an option's type as discord.py reads it."""
    kind: Any = _TYPES[given.typed]
    if given.choices:
        kind = Literal[given.choices]
    elif given.least is not None or given.most is not None:
        kind = app_commands.Range[int, given.least, given.most]
    return kind if given.required else kind | None


def _suggestions(given: Given) -> Callback:
    names = "combatants_and_groups" if given.many and given.names == "combatants" else given.names
    source = sources.named_in(given.among) if given.among else getattr(sources, names)
    return completes(source, many=", " if given.many else None, copies=given.copies)


@cache
def command_of(verb: CommandSpec) -> app_commands.Command[Any, Any, Any]:
    """Return the slash command of a ruling. It belongs to no group: each client adds a copy."""

    async def typed_in(interaction: Interaction, /, **typed: Any) -> None:
        async def perform(caller: Caller) -> Reply:
            return await interaction.client.referee.step(caller, await _command(verb, interaction, caller, typed))

        await answer(interaction, perform)

    parameters = [inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    parameters += [
        inspect.Parameter(
            given.name,
            inspect.Parameter.KEYWORD_ONLY,
            annotation=_annotation(given),
            default=inspect.Parameter.empty if given.required else None,
        )
        for given in verb.options
    ]
    typed_in.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined] # what `inspect` reads first
    made: app_commands.Command[Any, Any, Any] = app_commands.Command(
        name=verb.word, description=verb.about, callback=typed_in
    )
    app_commands.describe(**{given.name: given.about for given in verb.options})(made)
    for given in verb.options:
        if given.names or given.among:
            made.autocomplete(given.name)(_suggestions(given))
    return made


async def _command(verb: CommandSpec, interaction: Interaction, caller: Caller, typed: Mapping[str, Any]) -> Command:
    """Return the command of what was typed. Raises: Refusal."""
    args: dict[str, JsonValue] = {}
    for given in verb.options:
        value = typed.get(given.name)
        if value is None or given.typed == "file":
            continue
        if given.typed == "person":
            require_people((value,))
            args[given.into] = str(value.id)
            args[f"{given.name}_name"] = name_of(value)
        else:
            args[given.into] = value
    document = await _DOCUMENTS[verb.id](interaction, caller, typed) if verb.id in _DOCUMENTS else None
    if document is not None:
        args["document"] = dict(document)
    fields: dict[str, Any] = {key: args.pop(key) for key in _FIELDS & args.keys()}
    return Command(action=verb.id, args=args, **fields)


class Gm(commands.GroupCog, group_name="gm", group_description="Rulings: the GM always has the last word"):
    """Rule: G-01."""

    def __init__(self) -> None:
        group = self.app_command
        assert isinstance(group, app_commands.Group)  # noqa: S101 - a GroupCog has one
        for verb in COMMAND_SPECS.values():
            if verb.is_ruling:
                group.add_command(copy(command_of(verb)))


async def setup(bot: commands.AutoShardedBot) -> None:
    await bot.add_cog(Gm())
