"""People at a local table, as tests speak of them.

async with table_with(client) as world:
    ana = world.person("Ana")
    answer = await ana.slash("/roll dice:1d20+3 reason:hit", channel="tavern")
    assert "hit" in answer.content
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.discord_numbers import Callback, Component
from bot.local import world as w
from bot.local.interactions import Interaction
from bot.local.payloads import attachment
from bot.local.people import component_of, walk
from bot.local.posting import every_component
from bot.local.slash import CannotSend
from bot.local.world import Message, Person
from tests.e2e.openapi import faults_of
from tests.local.stand_in import StandIn, channel_named

Json = dict[str, Any]
PATIENCE_SECONDS = 300.0
QUIET_SECONDS = 0.05


class NoAnswer(AssertionError):  # noqa: N818 - silence is no error of ours
    """The bot did not answer in time."""


@dataclass(frozen=True)
class Shown:
    """A message as somebody sees it."""

    message: Message
    world: "Table"

    @property
    def id(self) -> str:
        return self.message.id

    @property
    def author(self) -> str:
        return self.world.discord.world.people[self.message.author_id].display

    @property
    def content(self) -> str:
        """The words of the message, in whatever they are laid out."""
        inside = every_component(self.message.components)
        words = (str(each["content"]) for each in inside if each["type"] == Component.TEXT)
        return "\n".join(filter(None, (self.message.content, *words)))

    @property
    def embeds(self) -> tuple[Json, ...]:
        return tuple(self.message.embeds)

    @property
    def components(self) -> tuple[Json, ...]:
        return tuple(walk(self.message.components))

    @property
    def buttons(self) -> tuple[str, ...]:
        """The labels of the buttons that can be pressed."""
        return tuple(label(c) for c in self.components if c["type"] == Component.BUTTON and not c.get("disabled"))

    @property
    def selects(self) -> tuple[Json, ...]:
        return tuple(c for c in self.components if c["type"] != Component.BUTTON)

    @property
    def ephemeral(self) -> bool:
        return self.message.is_ephemeral

    @property
    def loading(self) -> bool:
        return self.message.is_loading

    @property
    def silent(self) -> bool:
        return self.message.is_silent

    @property
    def pings(self) -> tuple[str, ...]:
        """The names of those the content notifies."""
        return tuple(self.world.discord.world.people[p].display for p in self.message.mentions)

    @property
    def files(self) -> dict[str, bytes]:
        return {a.filename: a.content for a in self.message.attachments}

    @property
    def alt_texts(self) -> dict[str, str | None]:
        return {a.filename: a.description for a in self.message.attachments}

    @property
    def urls(self) -> dict[str, str]:
        base = self.world.discord.world.base_url
        return {a.filename: str(attachment(a, base)["url"]) for a in self.message.attachments}

    @property
    def text(self) -> str:
        """Everything there is to read: the content, the embeds, the labels."""
        parts = [self.content]
        for entry in self.embeds:
            parts += [str(entry.get("title") or ""), str(entry.get("description") or "")]
            parts.append(str((entry.get("footer") or {}).get("text") or ""))
        parts += [label(c) for c in self.components]
        return "\n".join(p for p in parts if p)


@dataclass(frozen=True)
class Answer:
    """What came of an interaction, read when it is looked at: later follow-ups show up too."""

    interaction: Interaction
    world: "Table"

    @property
    def messages(self) -> tuple[Shown, ...]:
        """The messages of its own, oldest first; deleted ones are gone."""
        place = self.world.discord.world.channels.get(self.interaction.channel_id)
        known = place.messages if place else {}
        return tuple(Shown(known[m], self.world) for m in self.interaction.message_ids if m in known)

    @property
    def original(self) -> Shown | None:
        """The message answered with; after an update, the message that carries the button."""
        if self.interaction.callback in (Callback.UPDATE, Callback.DEFER_UPDATE):
            found = self.world.discord.world.find_message(self.interaction.original_id or "")
            return Shown(found, self.world) if found else None
        return self.messages[0] if self.messages else None

    @property
    def shown(self) -> Shown:
        found = self.original
        if found is None:
            raise NoAnswer("the interaction was not answered with a message")
        return found

    @property
    def followups(self) -> tuple[Shown, ...]:
        if self.interaction.callback in (Callback.UPDATE, Callback.DEFER_UPDATE, Callback.FORM):
            return self.messages
        return self.messages[1:]

    @property
    def modal(self) -> Json | None:
        return self.interaction.form

    @property
    def id(self) -> str:
        """The interaction's id, from which its dice can be computed."""
        return self.interaction.id

    @property
    def content(self) -> str:
        return self.shown.content

    @property
    def embeds(self) -> tuple[Json, ...]:
        return self.shown.embeds

    @property
    def components(self) -> tuple[Json, ...]:
        return self.shown.components

    @property
    def buttons(self) -> tuple[str, ...]:
        return self.shown.buttons

    @property
    def ephemeral(self) -> bool:
        return self.shown.ephemeral

    @property
    def files(self) -> dict[str, bytes]:
        return self.shown.files

    @property
    def text(self) -> str:
        """All that it says, follow-ups included."""
        parts = [self.original, *self.followups] if self.original else list(self.followups)
        return "\n".join(p.text for p in parts if p is not None)


class Seat:
    """One person, doing what people do."""

    def __init__(self, person: Person, world: "Table") -> None:
        self.person = person
        self.world = world

    @property
    def id(self) -> str:
        return self.person.id

    @property
    def name(self) -> str:
        return self.person.display

    @property
    def mention(self) -> str:
        return f"<@{self.person.id}>"

    async def slash(
        self, text: str, *, channel: str = "tavern", files: Mapping[str, tuple[str, bytes]] | None = None
    ) -> Answer:
        """Type a slash command; `channel` is a name, an id, or `dm`.

        Raises:
            CannotSend: the composer marks it.
            NoAnswer: the bot stays silent.
        """
        return await self.world.answered(self.begin(text, channel=channel, files=files))

    def begin(
        self, text: str, *, channel: str = "tavern", files: Mapping[str, tuple[str, bytes]] | None = None
    ) -> Interaction:
        """Send a slash command without waiting for its answer."""
        place = self.world.place(channel, self)
        return self.world.discord.people.slash(self.person, place, text, dict(files or {}))

    async def press(self, message: "Shown | Answer | Message", button: str) -> Answer:
        """Press a button, named by its label, the beginning of its label, or its custom id; or an entry of a menu."""
        entry = bare(message)
        buttons = [label(c) for c in walk(entry.components) if c["type"] == Component.BUTTON]
        for menu in (c for c in walk(entry.components) if c["type"] != Component.BUTTON):
            for option in menu.get("options", ()):
                if option["label"].startswith(button) and not any(each.startswith(button) for each in buttons):
                    return await self.select(message, option["value"], menu=menu["custom_id"])
        return await self.world.answered(self.begin_press(message, button))

    def begin_press(self, message: "Shown | Answer | Message", button: str) -> Interaction:
        entry = bare(message)
        found = component_called(entry, button, lambda c: c["type"] == Component.BUTTON)
        return self.world.discord.people.press(self.person, entry.id, found)

    async def select(self, message: "Shown | Answer | Message", *values: str, menu: str | None = None) -> Answer:
        """Choose in a select (the only one, or the one of that placeholder or custom id), by value or label."""
        entry = bare(message)
        menus = [c for c in walk(entry.components) if c["type"] != Component.BUTTON]
        if menu is None and len(menus) != 1:
            raise AssertionError(f"{len(menus)} selects on the message; say which")
        custom_id = (
            menus[0]["custom_id"]
            if menu is None
            else component_called(entry, menu, lambda c: c["type"] != Component.BUTTON)
        )
        interaction = self.world.discord.people.select(self.person, entry.id, custom_id, list(values))
        return await self.world.answered(interaction)

    async def menu(self, on: "Shown | Answer | Message | Seat", name: str, *, channel: str = "tavern") -> Answer:
        """Take an entry of the app in the menu of a message or of a person."""
        target = on.person if isinstance(on, Seat) else bare(on)
        place = self.world.place(target.channel_id if isinstance(target, Message) else channel, self)
        return await self.world.answered(self.world.discord.people.open_menu(self.person, place, name, target))

    async def submit(self, form: Answer, values: Mapping[str, Any] | None = None) -> Answer:
        """Send the form that an answer opened; fields by label or custom id."""
        interaction = self.world.discord.people.submit(self.person, form.interaction, dict(values or {}))
        return await self.world.answered(interaction)

    async def autocomplete(self, text: str, *, focused: str, channel: str = "tavern") -> tuple[str, ...]:
        """Return the names that the bot offers for an option of a half-typed line."""
        place = self.world.place(channel, self)
        choices = await self.world.discord.people.complete(self.person, place, text, focused)
        return tuple(str(c["name"]) for c in choices)

    async def choices(self, text: str, *, focused: str, channel: str = "tavern") -> dict[str, Any]:
        """Return what the bot offers as name and value."""
        place = self.world.place(channel, self)
        choices = await self.world.discord.people.complete(self.person, place, text, focused)
        return {str(c["name"]): c["value"] for c in choices}

    def say(self, text: str, *, channel: str = "tavern") -> Shown:
        return Shown(self.world.discord.people.say(self.person, self.world.place(channel, self), text), self.world)

    def sees(self, channel: str = "tavern") -> tuple[Shown, ...]:
        """List a channel's messages that this person has on the screen, oldest first."""
        place = self.world.place(channel, self)
        visible = [m for m in place.messages.values() if self.world.discord.world.can_see(self.person, m)]
        return tuple(Shown(m, self.world) for m in visible)

    def last(self, channel: str = "tavern") -> Shown:
        return self.sees(channel)[-1]

    def commands(self, channel: str = "tavern") -> tuple[str, ...]:
        entries = self.world.discord.people.commands_for(self.person, self.world.place(channel, self))
        return tuple(str(c["name"]) for c in entries)


class Table:
    """A running local table and the people at it."""

    def __init__(self, local: StandIn) -> None:
        self.discord = local
        self.referees: list[asyncio.subprocess.Process] = []  # which do not outlive the table

    def faults(self) -> list[str]:
        """List what the bot asked or the stand-in replied that Discord would not have."""
        return [*self.discord.faults, *faults_of(self.discord)]

    def person(self, name: str) -> Seat:
        return Seat(self.discord.world.named(name), self)

    def invite(self, name: str) -> Seat:
        """Let somebody into the server who may not be there from the start."""
        people = self.discord.world.people
        if all(person.display != name for person in people.values()):
            number = str(max(int(user) for user in people) + 1)
            people[number] = Person(number, name.casefold(), name)
        return self.person(name)

    def place(self, name: str, seat: Seat | None = None) -> w.Channel:
        """Find a channel; `dm` is somebody's direct messages with the bot, `dm:Bo` those with another person."""
        world = self.discord.world
        if seat is not None and (name == "dm" or name.startswith("dm:")):
            other = world.application_id if name == "dm" else world.named(name[3:]).id
            return world.direct_between(other, seat.id)
        return channel_named(world, name)

    async def answered(self, interaction: Interaction) -> Answer:
        """Wait until an interaction is acknowledged, and until its thinking is over."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await interaction.answered.wait()
                await interaction.filled.wait()
        except TimeoutError:
            raise NoAnswer(f"no answer to {interaction.used or interaction.payload['data']}") from None
        return Answer(interaction, self)

    async def settle(self, quiet_seconds: float = QUIET_SECONDS) -> None:
        """Wait until the bot has asked nothing of the stand-in for a while."""
        server = self.discord
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                before = server.traffic
                await asyncio.sleep(quiet_seconds)
                if server.traffic == before and server.in_flight == 0:
                    return

    async def until(self, met: Callable[[], Any], seconds: float = PATIENCE_SECONDS) -> Any:
        """Wait until something is true, and return it."""
        async with asyncio.timeout(seconds):
            while not (found := met()):  # noqa: ASYNC110 - any condition may be waited for
                await asyncio.sleep(0.01)
        return found


def bare(message: Shown | Answer | Message) -> Message:
    if isinstance(message, Answer):
        return message.shown.message
    return message.message if isinstance(message, Shown) else message


def label(component: Json) -> str:
    emoji = (component.get("emoji") or {}).get("name") or ""
    return str(component.get("label") or component.get("placeholder") or emoji)


def component_called(message: Message, name: str, fits: Callable[[Json], bool]) -> str:
    found = [c for c in walk(message.components) if fits(c)]
    for matches in (
        [c for c in found if name in (label(c), c.get("custom_id"))],
        [c for c in found if label(c).casefold().startswith(name.casefold())],
    ):
        if matches:
            custom_id = str(matches[0]["custom_id"])
            component_of(message, custom_id)
            return custom_id
    raise AssertionError(f"nothing called {name!r} among {[label(c) for c in found]}")


@asynccontextmanager
async def local_table(*, keep_exchanges: int | None = None) -> AsyncIterator[Table]:
    """Run a local table alone; the bot is started by the one who tests it. It keeps all exchanges, or the last ones."""
    local = StandIn(keep_exchanges=keep_exchanges)
    await local.start()
    table = Table(local)
    try:
        yield table
    finally:
        for process in table.referees:
            if process.returncode is None:  # a test failed before it ended them
                process.kill()
                await process.wait()
        await local.stop()


@asynccontextmanager
async def seated(client: discord.Client) -> AsyncIterator[Table]:
    """Run a local table with a client at it, logged in and ready for interactions."""
    route, gateway = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    async with local_table() as table:
        Route.BASE = table.discord.api_url
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(table.discord.root.replace("http", "ws", 1) + "/gateway")
        running: asyncio.Task[None] | None = None
        try:
            async with client:
                await client.login(table.discord.token)
                running = asyncio.create_task(client.connect())
                await table.discord.bot_connected()
                yield table
        finally:
            if running is not None:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)
            Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = route, gateway


__all__ = ["Answer", "CannotSend", "NoAnswer", "Seat", "Shown", "Table", "local_table", "seated"]
