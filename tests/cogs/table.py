"""A table for the cogs: the real command tree, tables and store; what would go to Discord is kept instead."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.clock import system_clock
from bot.discord.caller import Caller
from bot.discord.responses import Responses
from bot.features.casts import Casts
from bot.features.character_forms import CharacterForms
from bot.features.characters import Characters
from bot.features.maps import Maps
from bot.features.pictures import Pictures
from bot.features.typed_dice import TypedDice
from bot.render.payload import Payload, Reply
from bot.table.service import Tables
from cogs import EXTENSIONS
from data.store import Store
from rules.core.command import Command

GUILD, CHANNEL, APPLICATION = "900", "901", "902"
PEOPLE = {"Gwen": "100000000000000001", "Ana": "100000000000000002", "Bo": "100000000000000003"}
BOTS: frozenset[str] = frozenset()
ALL_PERMISSIONS = str(discord.Permissions.all().value)
_numbers = itertools.count(1)


def interaction_id() -> str:
    """Return a fresh id, as young as Discord's own."""
    return str((discord.utils.time_snowflake(discord.utils.utcnow()) & ~0x3FFFFF) + next(_numbers))


def caller(who: str, *, guild: str | None = GUILD, moderator: bool = False) -> Caller:
    return Caller(
        user=PEOPLE[who],
        name=who,
        interaction=interaction_id(),
        channel=CHANNEL,
        guild=guild,
        moderator=moderator,
        can_post=guild is not None,
    )


class SeenReferee:
    """Keeps the commands that the cogs make."""

    def __init__(self) -> None:
        self.commands: list[Command] = []
        self.calls: list[tuple[str, tuple[Any, ...]]] = []

    async def step(self, _caller: Caller, command: Command) -> Reply:
        self.commands.append(command)
        return Reply(private=Payload(content="kept"))

    def __getattr__(self, name: str) -> Any:
        async def call(_caller: Caller, *given: Any) -> Reply:
            self.calls.append((name, given))
            return Reply(private=Payload(content="kept"))

        return call


class OpenDoors:
    """Every channel takes messages."""

    async def passed(self, _caller: Caller) -> None:
        """Have no word for anybody."""


class NobodyPublishes:
    """Channels without live messages."""

    def carrying(self, _channel: str) -> nullcontext[None]:
        return nullcontext()


class Macros(SeenReferee):
    async def names(self, user: str) -> tuple[str, ...]:
        return ("Sword", "Bow") if user == PEOPLE["Ana"] else ()


class Client(commands.Bot):
    """The bot without a connection."""

    def __init__(self, store: Store) -> None:
        super().__init__(command_prefix="!", intents=discord.Intents(guilds=True), application_id=int(APPLICATION))
        self.store = store
        self.tables = Tables(store, system_clock, first_seed=bytes(32))
        self.characters = Characters(store, self.tables, Pictures(self.tables))
        self.referee = SeenReferee()
        seen_referee: Any = self.referee
        self.macros = Macros()
        self.dice = TypedDice(store, self.characters)
        self.casts = Casts(self.tables, seen_referee)
        self.maps = Maps(self.tables, seen_referee)
        self.character_forms = CharacterForms(self.characters, seen_referee)
        for name in ("rolls", "odds", "luck", "fairness", "exports", "privacy", "pictures", "reminders"):
            setattr(self, name, SeenReferee())
        self.sent: list[dict[str, Any]] = []
        self.blocked_channels = OpenDoors()
        seen: Any = self
        nobody: Any = NobodyPublishes()
        self.responses = Responses(seen, self.tables, seen.referee, nobody, seen.blocked_channels)
        myself: Any = {**_user("Gwen"), "id": APPLICATION, "username": "referee"}
        self._connection.user = discord.ClientUser(state=self._connection, data=myself)

    async def request(self, _route: Any, data: dict[str, Any], _files: Any = ()) -> None:
        self.sent.append(data)

    # Typing

    def interaction(
        self,
        who: str,
        path: str,
        options: Mapping[str, Any],
        *,
        focused: str | None = None,
        guild: str | None = GUILD,
        files: Mapping[str, Any] | None = None,
    ) -> discord.Interaction[Any]:
        """Return what Discord would send for a typed command, or for the autocompletion of one option."""
        command = self.find(path)
        resolved: dict[str, dict[str, Any]] = {"users": {}, "attachments": {}, "channels": {}}
        given = [
            self._option(command, name, value, focused=focused, resolved=resolved, files=files or {})
            for name, value in options.items()
        ]
        names = path.split()
        for name in reversed(names[1:]):
            given = [{"type": 1, "name": name, "options": given}]
        user = _user(who)
        data: dict[str, Any] = {
            "id": interaction_id(),
            "application_id": APPLICATION,
            "type": 2 if focused is None else 4,
            "token": "token",
            "version": 1,
            "channel_id": CHANNEL,
            "channel": {"id": CHANNEL, "type": 0, "name": "tavern", "position": 0}
            if guild
            else {"id": CHANNEL, "type": 1},
            "app_permissions": ALL_PERMISSIONS,
            "authorizing_integration_owners": {"0": guild or "0"},
            "entitlements": [],
            "attachment_size_limit": 10 * 2**20,
            "data": {"id": "5", "name": names[0], "type": 1, "options": given, "resolved": resolved},
        }
        if guild is None:
            data |= {"user": user, "context": 1}
        else:
            data |= {
                "guild_id": guild,
                "guild": {"id": guild, "locale": "en-US", "features": []},
                "context": 0,
                "member": {"user": user, "roles": [], "permissions": "0", "joined_at": "2026-01-01T00:00:00+00:00"}
                | {"deaf": False, "mute": False, "flags": 0},
            }
        return discord.Interaction(data=data, state=self._connection)  # type: ignore[arg-type] # the payload is written by hand

    def _option(
        self,
        command: app_commands.Command[Any, Any, Any],
        name: str,
        value: Any,
        *,
        focused: str | None,
        resolved: dict[str, dict[str, Any]],
        files: Mapping[str, Any],
    ) -> dict[str, Any]:
        kind = next(int(each.type.value) for each in command.parameters if str(each.display_name) == name)
        if kind == 6:
            user = _user(value)
            resolved["users"][user["id"]] = user
            value = user["id"]
        if kind == 11:
            resolved["attachments"][value] = files[value]
        if kind == 7:
            resolved["channels"][value] = {"id": value, "name": "tavern", "type": 0, "permissions": "0"}
        option = {"type": kind, "name": name, "value": value}
        return option | ({"focused": True} if name == focused else {})

    def find(self, path: str) -> app_commands.Command[Any, Any, Any]:
        """Return a command by its whole name."""
        first, *rest = path.split()
        found: Any = self.tree.get_command(first)
        for name in rest:
            found = found.get_command(name)
        assert isinstance(found, app_commands.Command), path
        return found

    async def type(
        self, who: str, path: str, /, *, guild: str | None = GUILD, files: Any = None, **options: Any
    ) -> Any:
        """Type a command; return what is sent for it."""
        asked = self.interaction(who, path, options, guild=guild, files=files)
        await self.hear(asked)
        return self.sent[-1] if self.sent else None

    async def hear(self, asked: discord.Interaction[Any]) -> None:
        """Take an interaction as the gateway's events are taken."""
        try:
            await self.tree._call(asked)
        except app_commands.AppCommandError as error:
            await self.tree._dispatch_error(asked, error)

    async def offered(self, who: str, path: str, focused: str, /, **options: Any) -> list[app_commands.Choice[str]]:
        """Return what is offered while somebody types one option."""
        options.setdefault(focused, "")
        asked = self.interaction(who, path, options, focused=focused)
        parameter = next(each for each in self.find(path)._params.values() if str(each.display_name) == focused)
        assert callable(parameter.autocomplete), f"{path} {focused} offers nothing"
        found: list[app_commands.Choice[str]] = await parameter.autocomplete(asked, options[focused])
        return found

    async def values(self, who: str, path: str, focused: str, /, **options: Any) -> list[str]:
        return [choice.value for choice in await self.offered(who, path, focused, **options)]

    async def names(self, who: str, path: str, focused: str, /, **options: Any) -> list[str]:
        return [choice.name for choice in await self.offered(who, path, focused, **options)]

    async def do(self, who: str, action: str, **given: Any) -> None:
        """Perform a step at the real table."""
        fields = {key: value for key, value in given.items() if key in ("character", "target", "note", "cards", "to")}
        args = {key: value for key, value in given.items() if key not in fields}
        await self.tables.perform(caller(who), Command(action=action, args=args, **fields))


def _user(who: str) -> dict[str, Any]:
    named = {"username": who.lower(), "global_name": who, "discriminator": "0", "avatar": None}
    return {"id": PEOPLE[who], "bot": who in BOTS, **named}


@asynccontextmanager
async def client_on(path: Path) -> AsyncIterator[Client]:
    """Open a client on a fresh database."""
    store = await Store.open(path / "referee.sqlite3")
    client = Client(store)
    try:
        for extension in EXTENSIONS:
            await client.load_extension(extension)
        yield client
    finally:
        await client.close()
        await store.close()
