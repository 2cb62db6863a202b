"""The whole bot without a connection: interactions go in, and all that it would send is kept for the one who gets it.

All but Discord's HTTP and gateway is the real thing, so that hundreds of inputs a second pass through.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch
from urllib.parse import unquote

import discord
from discord import app_commands
from discord.http import Route
from pydantic import SecretStr

from bot.caller import Caller
from bot.clock import Clock, system_clock
from bot.discord.client import RefereeClient
from bot.discord.commands import features
from bot.discord_numbers import Component
from bot.local import slash
from bot.local.posting import every_component
from bot.posting import prompts
from bot.render.payload import EPHEMERAL, Attachment
from bot.requests.members import Presence
from bot.settings import Settings
from data.store import Store
from tests.patience import patient
from tests.sent_forms import row_of

GUILD, APPLICATION, TOKEN = "900", "902", "canarytoken.of.the.bot"
COMMANDS: list[dict[str, Any]] = []  # what Discord is told of them: of every bot the same
PEOPLE = {
    "Gwen": "100000000000000001",
    "Ana": "100000000000000002",
    "Bo": "100000000000000003",
    "Cai": "100000000000000004",
    "Mo": "100000000000000005",
    "Sol": "100000000000000006",
    "Gil": "100000000000000007",
    "Stan": "100000000000000008",
    "Ada": "100000000000000009",
}
DIRECT = "7"  # before a user id: the channel of their direct messages
GONE = "100000000000000098"  # a channel that was deleted; of all others the bot is told that they are there
ALL_PERMISSIONS = str(discord.Permissions.all().value)
MANAGE_MESSAGES = str(discord.Permissions(manage_messages=True).value)
PERMISSIONS = {"Mo": MANAGE_MESSAGES, "Ada": str(discord.Permissions(administrator=True).value)}
_CALLBACK_UPDATE, _CALLBACK_FORM = 7, 9
_ON_THE_MESSAGE = (6, 7)  # callbacks that answer by what becomes of the message that was pressed
_MOST_TOKENS = 5000
_MEMBER = {"roles": [], "joined_at": "2026-01-01T00:00:00+00:00", "deaf": False, "mute": False, "flags": 0}
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Sent:
    """Something that left the bot. `reader` None: everybody in the channel. `form`: it opens as a form."""

    reader: str | None
    channel: str
    data: dict[str, Any]
    files: tuple[Attachment, ...] = ()
    id: str = ""
    form: bool = False

    @property
    def components(self) -> list[dict[str, Any]]:
        """Return the buttons and selects, or the inputs of a form."""
        inside = every_component(self.data.get("components") or ())
        return [each for each in inside if "custom_id" in each or each["type"] == Component.BUTTON]

    @property
    def content(self) -> str:
        inside = every_component(self.data.get("components") or ())
        words = (str(each["content"]) for each in inside if each["type"] == Component.TEXT)
        return "\n".join(filter(None, (str(self.data.get("content") or ""), *words)))


def _reply(status: int) -> Any:
    """Return what discord.py reads of a reply."""
    return SimpleNamespace(status=status, reason="")


@dataclass(slots=True)
class _Asked:
    """Who asked, and who reads each message that it brought; `@original` is one of them."""

    who: str
    channel: str
    pressed: str | None = None  # the message that was pressed, if everybody reads it
    answers: list[Sent] = field(default_factory=list)
    readers: dict[str, str | None] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)


class Wire(RefereeClient):
    """The bot, and the people whose interactions reach it."""

    def __init__(self, store: Store, seed: bytes | None, clock: Clock) -> None:
        settings = Settings.model_validate(
            {"DISCORD_TOKEN": SecretStr(TOKEN), "DICE_SEED": None if seed is None else SecretStr(seed.hex())}
        )
        super().__init__(settings, store, clock=clock)
        self.people = dict(PEOPLE)
        self.fresh_id: Callable[[], str] = fresh_id
        """Numbers what comes in."""
        self.message_id: Callable[[], str] = fresh_id
        """Numbers what goes to channels."""
        self.answer_id: Callable[[], str] = fresh_id
        """Numbers what answers an interaction in public."""
        self.private_id: Callable[[], str] = fresh_id
        """Numbers what one person alone reads: Discord's own ids count nothing, and so tell nobody of it."""
        self.watch: Callable[[Sent], None] = lambda _sent: None
        self.uploads: dict[str, bytes] = {}
        self.refused: str | None = None
        self._asked: dict[str, _Asked] = {}
        myself: Any = {**_user("Referee", APPLICATION), "bot": True}
        self._connection.user = discord.ClientUser(state=self._connection, data=myself)
        self._connection.application_id = int(APPLICATION)
        self.http.get_from_cdn = self._uploaded  # type: ignore[method-assign] # files come from here, not from a server
        self.http.request = self.look_up  # type: ignore[method-assign] # what is looked up comes from here
        self.api.request = self.request  # type: ignore[method-assign] # what goes out ends here
        remember = self.responses.remember_refusal

        async def remember_refusal(caller: Caller, words: str, offers: tuple[tuple[str, ...], ...] = ()) -> None:
            self.refused = words  # for the one who asks about rights
            await remember(caller, words, offers)

        self.responses.remember_refusal = remember_refusal  # type: ignore[method-assign] # it is looked at on its way
        self.allowed_elsewhere = ALL_PERMISSIONS
        """What whoever asks may do in a channel that they name."""
        self.presences: dict[str, Presence] = {}
        """What Discord says of people who are looked up, by user; of all others that they may write."""
        self.members.presence = self.presence  # type: ignore[method-assign] # no server is known here

    def number(self, clock: Clock) -> None:
        """Number everything by a clock, so that the same evening has the same ids."""
        numbers = (Numbers(clock, 1 + at * 2**20) for at in range(4))
        self.fresh_id, self.message_id, self.answer_id, self.private_id = numbers

    async def set_up(self) -> None:
        """Load the commands as the program does."""
        await self._async_setup_hook()
        for feature in features():
            await feature.setup(self)
        COMMANDS[:] = COMMANDS or [{**each.to_dict(self.tree), "id": "5"} for each in self.tree.get_commands()]

    async def _uploaded(self, url: str) -> bytes:
        return self.uploads[url]

    async def look_up(self, route: Route, **_given: Any) -> Any:
        """Answer what the bot looks up: there is no message anywhere."""
        if route.path == "/channels/{channel_id}":
            if route.channel_id == GONE:
                raise discord.NotFound(_reply(404), {"code": 10003, "message": "Unknown Channel"})
            return {"id": str(route.channel_id), "type": 0}
        return []

    async def presence(self, user: str, server: str, channel: str) -> Presence:
        return self.presences.get(user, Presence.WRITES)

    # What goes out

    async def request(self, route: Route, data: dict[str, Any] | None, files: Sequence[Attachment] = ()) -> Any:
        """Take what would go to Discord, and give back what the bot reads of the answer."""
        if route.path == "/users/@me/channels":
            return {"id": f"{DIRECT}{(data or {})['recipient_id']}"}
        if data is None:
            return {"id": "0"}
        parts = route.url.split("/")
        at = next(place for place, part in enumerate(parts) if part in ("interactions", "webhooks", "channels"))
        if parts[at] == "channels":
            reader = reader_of(parts[at + 1])
            fresh = self.message_id if reader is None else self.private_id
            number = parts[-1] if route.method == "PATCH" else fresh()
            self.watch(Sent(reader, parts[at + 1], data, tuple(files), number))
            return {"id": number}
        asked = self._asked.get(parts[at + 2])
        if asked is None:  # forgotten, as Discord forgets a token after a while
            raise discord.NotFound(_reply(404), {"code": 10015, "message": "Unknown Webhook"})
        callback = data.get("type")
        body = data["data"] if "data" in data and callback is not None else data
        form = callback == _CALLBACK_FORM
        known = "@original" if callback is not None else unquote(parts[-1])
        if route.method == "PATCH":
            number, reader = asked.ids[known], asked.readers[known]
        elif callback in _ON_THE_MESSAGE and asked.pressed is not None:
            number, reader = asked.pressed, None
        else:
            private = bool(body.get("flags", 0) & EPHEMERAL) or callback in _ON_THE_MESSAGE or form
            number, reader = (self.private_id(), asked.who) if private else (self.answer_id(), None)
        asked.ids[number] = number
        asked.readers[number] = reader
        if callback is not None:
            asked.ids[known], asked.readers[known] = number, reader
        sent = Sent(reader, asked.channel, body, tuple(files), number, form)
        asked.answers.append(sent)
        self.watch(sent)
        return {"id": number, "resource": {"message": {"id": number}}}

    # What comes in

    def name_of(self, user: str) -> str:
        return next(name for name, number in self.people.items() if number == user)

    def find(self, path: str) -> app_commands.Command[Any, Any, Any]:
        """Return a command by its whole name."""
        first, *rest = path.split()
        found: Any = self.tree.get_command(first)
        for name in rest:
            found = found.get_command(name)
        assert isinstance(found, app_commands.Command), path
        return found

    def every_command(self) -> dict[str, app_commands.Command[Any, Any, Any]]:
        """Return all commands by their whole names."""
        walked = (each for each in self.tree.walk_commands() if isinstance(each, app_commands.Command))
        return {each.qualified_name: each for each in walked}

    def read(self, text: str) -> tuple[str, dict[str, Any]]:
        """Part a typed line into the command's name and its options, as the composer does."""
        reading = slash.read(text, COMMANDS)
        assert not reading.problems, (text, reading.problems)
        options: dict[str, Any] = {}
        for typed in reading.values:
            kind = typed.option["type"]
            options[typed.option["name"]] = (
                int(typed.text) if kind == 4 else typed.text.casefold() == "true" if kind == 5 else typed.text
            )
        return reading.name, options

    def read_half(self, text: str) -> tuple[str, dict[str, Any]]:
        """Part a line that is still being typed: what is missing or odd in it is left as it is."""
        reading = slash.read(text, COMMANDS)
        return reading.name, {typed.option["name"]: typed.text for typed in reading.values}

    async def type(self, who: str, text: str, *, channel: str = "901", guild: str | None = GUILD) -> list[Sent]:
        """Type a line; return what the person gets for it."""
        path, options = self.read(text)
        return await self.send(who, path, options, channel=channel, guild=guild)

    async def send(
        self,
        who: str,
        path: str,
        options: Mapping[str, Any],
        *,
        channel: str = "901",
        guild: str | None = GUILD,
        files: Mapping[str, tuple[str, bytes]] | None = None,
    ) -> list[Sent]:
        """Send a command with these options; return the answers. A person's option holds a name or an id."""
        asked = self._interaction(who, 2, self._command_data(path, options, None, files or {}, guild), channel, guild)
        await self.hear(asked)
        return self._taken(asked)

    async def hear(self, asked: discord.Interaction[Any]) -> None:
        """Take a command as the gateway's events are taken."""
        try:
            await self.tree._call(asked)
        except app_commands.AppCommandError as error:
            await self.tree._dispatch_error(asked, error)

    async def complete(
        self,
        who: str,
        path: str,
        focused: str,
        options: Mapping[str, Any],
        *,
        channel: str = "901",
        guild: str | None = GUILD,
    ) -> list[app_commands.Choice[str]]:
        """Return what is offered while somebody types one option."""
        given = {**options, focused: str(options.get(focused, ""))}
        asked = self._interaction(who, 4, self._command_data(path, given, focused, {}, guild), channel, guild)
        self._taken(asked)
        if not await self.tree.interaction_check(asked):
            return []
        parameter = next(each for each in self.find(path)._params.values() if str(each.display_name) == focused)
        if not callable(parameter.autocomplete):
            return []
        found: list[app_commands.Choice[str]] = await parameter.autocomplete(asked, given[focused])
        return found

    async def press(
        self,
        who: str,
        custom_id: str,
        values: list[str] | None = None,
        *,
        channel: str = "901",
        guild: str | None = GUILD,
        private: bool = True,
        message: str = "1",
    ) -> list[Sent]:
        """Press a button, or choose in a select, on a message that may long be gone."""
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": 2 if values is None else 3}
        if values is not None:
            data["values"] = values
        asked = self._interaction(who, 3, data, channel, guild, private=private, message=message)
        await self.on_interaction(asked)
        return self._taken(asked)

    async def submit(
        self,
        who: str,
        custom_id: str,
        fields: Mapping[str, str | list[str]],
        *,
        files: Mapping[str, tuple[str, bytes]] | None = None,
        channel: str = "901",
        guild: str | None = GUILD,
    ) -> list[Sent]:
        """Send a form."""
        rows = [row_of(key, value) for key, value in fields.items()]
        resolved: dict[str, dict[str, Any]] = {}
        for key, file in (files or {}).items():
            sent = self._upload(file)
            resolved[sent["id"]] = sent
            rows.append({"type": 18, "component": {"type": 19, "custom_id": key, "values": [sent["id"]]}})
        data: dict[str, Any] = {"custom_id": custom_id, "components": rows, "resolved": {"attachments": resolved}}
        asked = self._interaction(who, 5, data, channel, guild)
        await self.on_interaction(asked)
        return self._taken(asked)

    async def settle(self) -> None:
        """Wait until the prompts are out."""
        tasks = [room.publishing for room in self.tables.rooms() if room.publishing is not None]
        if tasks:
            await asyncio.wait(tasks, timeout=10)

    async def due(self) -> None:
        """Let happen what is due now."""
        await self.settle()
        await self.scheduler.fire_due()
        await self.settle()

    def _taken(self, asked: discord.Interaction[Any]) -> list[Sent]:
        known = self._asked[asked.token]
        answers, known.answers = known.answers, []
        while len(self._asked) > _MOST_TOKENS:  # later edits use a token again
            del self._asked[next(iter(self._asked))]
        return answers

    # Payloads

    def _interaction(
        self,
        who: str,
        kind: int,
        data: dict[str, Any],
        channel: str,
        guild: str | None,
        *,
        private: bool = True,
        message: str = "1",
    ) -> discord.Interaction[Any]:
        number = self.fresh_id()
        self._asked[number] = _Asked(self.people[who], channel, None if private else message)
        user = _user(who, self.people[who])
        place = {"id": channel, "type": 0, "name": "tavern", "position": 0} if guild else {"id": channel, "type": 1}
        payload: dict[str, Any] = {
            "id": number,
            "application_id": APPLICATION,
            "type": kind,
            "token": number,
            "version": 1,
            "channel_id": channel,
            "channel": place,
            "app_permissions": ALL_PERMISSIONS,
            "authorizing_integration_owners": {"0": guild or "0"},
            "entitlements": [],
            "attachment_size_limit": 10 * 2**20,
            "data": data,
        }
        if kind in (3, 5):
            payload["message"] = _message(channel, user, private=private, number=message)
        if guild is None:
            payload |= {"user": user, "context": 1}
        else:
            payload |= {
                "guild_id": guild,
                "guild": {"id": guild, "locale": "en-US", "features": []},
                "context": 0,
                "member": {**_MEMBER, "user": user, "permissions": PERMISSIONS.get(who, "0")},
            }
        return discord.Interaction(data=payload, state=self._connection)  # type: ignore[arg-type] # written by hand

    def _upload(self, file: tuple[str, bytes]) -> dict[str, Any]:
        """Keep a file that somebody sends, until the next one; return what Discord says of it."""
        number = self.fresh_id()
        url = f"https://cdn.invalid/{number}"
        self.uploads = {url: file[1]}
        return {"id": number, "filename": file[0], "size": len(file[1]), "url": url, "proxy_url": url}

    def _command_data(
        self,
        path: str,
        options: Mapping[str, Any],
        focused: str | None,
        files: Mapping[str, tuple[str, bytes]],
        guild: str | None,
    ) -> dict[str, Any]:
        kinds = {str(each.display_name): int(each.type.value) for each in self.find(path).parameters}
        resolved: dict[str, dict[str, Any]] = {"users": {}, "members": {}, "attachments": {}, "channels": {}}
        given: list[dict[str, Any]] = []
        for name, value in {**options, **{name: name for name in files}}.items():
            kind, sent = kinds[name], value
            if kind == 3:
                sent = str(value)
            elif kind == 6:
                sent = self.people.get(str(value), str(value))
                resolved["users"][sent] = _user(str(value), sent)
                if guild is not None:
                    resolved["members"][sent] = {**_MEMBER, "permissions": "0"}
            elif kind == 7:
                sent = str(value)
                place = {"id": sent, "name": "tavern", "type": 0, "permissions": self.allowed_elsewhere}
                resolved["channels"][sent] = place
            elif kind == 11:
                attached = self._upload(files[name])
                sent = attached["id"]
                resolved["attachments"][sent] = attached
            option = {"type": kind, "name": name, "value": sent}
            given.append(option | ({"focused": True} if name == focused else {}))
        names = path.split()
        for name in reversed(names[1:]):
            given = [{"type": 1, "name": name, "options": given}]
        return {"id": "5", "name": names[0], "type": 1, "options": given, "resolved": resolved}


def reader_of(channel: str) -> str | None:
    """Return whose direct messages a channel is, None if everybody reads it."""
    user = channel.removeprefix(DIRECT)
    return user if user != channel and user in PEOPLE.values() else None


def fresh_id() -> str:
    """Return an id as young as Discord's own."""
    return str((discord.utils.time_snowflake(discord.utils.utcnow()) & ~0x3FFFFF) + next(_numbers))


class Numbers:
    """Ids that are the same in each run: as old as the clock says; `first` keeps several of them apart."""

    def __init__(self, clock: Clock, first: int = 1) -> None:
        self.clock = clock
        self._numbers = itertools.count(first)

    def __call__(self) -> str:
        return str(
            (discord.utils.time_snowflake(datetime.fromtimestamp(self.clock(), UTC)) & ~0x3FFFFF) + next(self._numbers)
        )


def _user(who: str, number: str) -> dict[str, Any]:
    return {"id": number, "username": who.lower(), "global_name": who, "discriminator": "0", "avatar": None}


def _message(channel: str, user: dict[str, Any], *, private: bool, number: str) -> dict[str, Any]:
    return {
        "id": number, "channel_id": channel, "author": user, "content": "", "type": 0, "tts": False, "pinned": False,
        "timestamp": "2026-01-01T00:00:00+00:00", "edited_timestamp": None, "mention_everyone": False, "mentions": [],
        "mention_roles": [], "attachments": [], "embeds": [], "components": [], "flags": EPHEMERAL if private else 0,
    }  # fmt: skip


@asynccontextmanager
async def wired(
    database: Path | SecretStr, *, seed: bytes | None = b"\x5e" * 32, clock: Clock = system_clock
) -> AsyncIterator[Wire]:
    """Open the bot on a database. Prompts that change are edited at once, without the pause that spares Discord."""
    store = await Store.open(database)
    wire = Wire(store, seed, clock)
    try:
        with patient(), patch.object(prompts, "EDIT_AFTER_SECONDS", 0.0):
            await wire.set_up()
            yield wire
            await wire.settle()
    finally:
        await wire.close()
        await store.close()
