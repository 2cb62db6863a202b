"""A table for the cogs: the real command tree, tables and store; what would go to Discord is kept instead."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

import discord
from discord import app_commands

from bot.caller import Caller
from bot.clock import system_clock
from bot.discord.responses import Responses
from bot.features.casts import Casts
from bot.features.character_forms import CharacterForms
from bot.features.kits import Kits
from bot.features.maps import Maps
from bot.render.payload import Payload, Reply
from data.store import Store
from rules.core.command import Command
from tests.wire import GUILD, PEOPLE, Wire, fresh_id

CHANNEL = "901"
BOTS: frozenset[str] = frozenset()
FEATURES = ("rolls", "odds", "luck", "fairness", "exports", "privacy", "pictures", "reminders")


def caller(who: str, *, guild: str | None = GUILD, moderator: bool = False) -> Caller:
    return Caller(
        user=PEOPLE[who],
        name=who,
        interaction=fresh_id(),
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

    async def is_gone(self, _channel: str) -> bool:
        return False


class NobodyPublishes:
    """Channels without live messages."""

    departures = gm_words = OpenDoors()

    def carrying(self, _channel: str) -> nullcontext[None]:
        return nullcontext()


class Macros(SeenReferee):
    async def names(self, user: str) -> tuple[str, ...]:
        return ("Sword", "Bow") if user == PEOPLE["Ana"] else ()


class Client(Wire):
    """The bot without a connection, and without what answers: the commands that its cogs make are kept."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, bytes(32), system_clock)
        self.tables.after_commit.clear()
        self.seen = SeenReferee()
        self.sent: list[dict[str, Any]] = []
        seen: Any = self.seen
        mine: dict[str, Any] = {name: SeenReferee() for name in FEATURES} | {"referee": seen, "macros": Macros()}
        mine |= {
            "casts": Casts(self.tables, seen),
            "kits": Kits(self.tables),
            "maps": Maps(self.tables, seen, self.map_pictures),
            "blocked_channels": OpenDoors(),
        }
        mine |= {"character_forms": CharacterForms(self.characters, seen)}
        for name, feature in mine.items():
            setattr(self, name, feature)
        bot: Any = self
        nobody: Any = NobodyPublishes()
        self.responses = Responses(bot, self.tables, seen, nobody, bot.blocked_channels)

    async def request(self, _route: Any, data: dict[str, Any] | None, _files: Any = ()) -> None:
        if data is not None:
            self.sent.append(data)

    # Typing

    def interaction(
        self,
        who: str,
        path: str,
        options: Mapping[str, Any],
        *,
        guild: str | None = GUILD,
        files: Mapping[str, tuple[str, bytes]] | None = None,
    ) -> discord.Interaction[Any]:
        """Return what Discord would send for a typed command."""
        data = self._command_data(path, options, None, files or {}, guild)
        for user in data["resolved"]["users"].values():
            user["bot"] = user["global_name"] in BOTS
        return self._interaction(who, 2, data, CHANNEL, guild)

    async def slash(
        self, who: str, path: str, /, *, guild: str | None = GUILD, files: Any = None, **options: Any
    ) -> Any:
        """Type a command; return what is sent for it."""
        await self.hear(self.interaction(who, path, options, guild=guild, files=files))
        return self.sent[-1] if self.sent else None

    async def offered(self, who: str, path: str, focused: str, /, **options: Any) -> list[app_commands.Choice[str]]:
        """Return what is offered while somebody types one option."""
        return await self.complete(who, path, focused, options)

    async def values(self, who: str, path: str, focused: str, /, **options: Any) -> list[str]:
        return [choice.value for choice in await self.offered(who, path, focused, **options)]

    async def names(self, who: str, path: str, focused: str, /, **options: Any) -> list[str]:
        return [choice.name for choice in await self.offered(who, path, focused, **options)]

    async def do(self, who: str, action: str, **given: Any) -> None:
        """Perform a step at the real table."""
        fields = {key: value for key, value in given.items() if key in ("character", "target", "note", "cards", "to")}
        args = {key: value for key, value in given.items() if key not in fields}
        await self.tables.perform(caller(who), Command(action=action, args=args, **fields))


@asynccontextmanager
async def client_on(path: Path) -> AsyncIterator[Client]:
    """Open a client on a fresh database."""
    store = await Store.open(path / "referee.sqlite3")
    client = Client(store)
    try:
        await client.set_up()
        yield client
    finally:
        await client.close()
        await store.close()
