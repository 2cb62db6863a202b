"""The stand-in as a whole: what the program starts and the tests drive."""

import asyncio
from collections.abc import Sequence
from typing import Any

from aiohttp import web

from bot.local import permissions
from bot.local.call import Exchange, Sabotage
from bot.local.gateway import Gateway
from bot.local.interactions import Interaction, Interactions
from bot.local.page_socket import PageSocket
from bot.local.people import People
from bot.local.server import Server
from bot.local.world import Change, Message, Overwrite, World


class LocalDiscord:
    """A Discord on 127.0.0.1: HTTP API, gateway, people, and the page to be them."""

    def __init__(self, token: str | None = None, *, keep_exchanges: int | None = 200) -> None:
        self.server = Server(token, keep_exchanges)
        self.people = People(self.world, self.server.commands, self.interactions)
        self.page = PageSocket(self.world, self.people, self.gateway, self.server.commands.registered)

    async def start(self, port: int = 0) -> None:
        """Listen; port 0 takes any free one.

        Raises:
            OSError: the port is taken.

        """
        app = web.Application(client_max_size=64 * 1024 * 1024, middlewares=[self.page.guard])
        self.page.add_routes(app)
        await self.server.listen(app, port)
        self.world.base_url = self.server.root

    async def stop(self) -> None:
        await self.page.close()
        await self.server.close()

    @property
    def world(self) -> World:
        return self.server.world

    @property
    def gateway(self) -> Gateway:
        return self.server.gateway

    @property
    def interactions(self) -> Interactions:
        return self.server.interactions

    @property
    def token(self) -> str:
        """The bot token that is accepted here."""
        return self.server.token

    @property
    def api_url(self) -> str:
        """What takes the place of `https://discord.com/api/v10`."""
        return self.server.api_url

    @property
    def page_url(self) -> str:
        return f"{self.server.root}/"

    @property
    def faults(self) -> list[str]:
        """What the bot did that Discord would not have taken: unknown routes, bodies beyond the limits."""
        return self.server.faults

    @property
    def exchanges(self) -> Sequence[Exchange]:
        """The bot's last requests with their replies."""
        return self.server.exchanges

    async def bot_connected(self, seconds: float = 10.0) -> None:
        """Wait until the bot has identified and registered its commands.

        Raises:
            TimeoutError: it has not.

        """
        async with asyncio.timeout(seconds):
            await self.gateway.connected.wait()
            await self.server.commands.registered.wait()

    # Mishaps

    def sabotage(self, route: str, **mishap: Any) -> Sabotage:
        """Spoil the bot's next requests whose `METHOD /path` matches a regular expression: see `Server.sabotage`."""
        return self.server.sabotage(route, **mishap)

    def advance(self, seconds: float) -> None:
        """Let time pass here: interaction tokens age, new ids are later."""
        self.world.skew_seconds += seconds

    def revoke(self, *names: str, channel: str) -> None:
        """Take permissions from the bot in a channel."""
        place = self.world.channel_named(channel)
        denied = permissions.bits(*names)
        place.overwrites.append(Overwrite(self.world.application_id, 1, deny=denied))
        self.world.tell(Change("channel_update", place.id))

    def restore(self, *, channel: str) -> None:
        """Give back what `revoke` took."""
        place = self.world.channel_named(channel)
        place.overwrites = [o for o in place.overwrites if o.id != self.world.application_id]
        self.world.tell(Change("channel_update", place.id))

    def delete_channel(self, channel: str) -> None:
        self.world.delete_channel(self.world.channel_named(channel))

    def delete_message(self, message: Message) -> None:
        self.world.remove(message)

    def archive(self, channel: str, *, locked: bool = False) -> None:
        """Close a thread."""
        place = self.world.channel_named(channel)
        place.archived, place.locked, place.archived_at = True, locked, self.world.now()
        self.world.tell(Change("thread_update", place.id))

    def close_direct_messages(self, name: str, *, closed: bool = True) -> None:
        self.world.named(name).accepts_direct_messages = not closed

    def send_again(self, interaction: Interaction) -> None:
        """Deliver an interaction to the bot a second time."""
        self.interactions.send_again(interaction)

    async def cut_gateway(self, *, repeat: int = 0) -> None:
        """Break the bot's websocket; when it resumes, `repeat` events come that it had already."""
        self.gateway.repeat_on_resume = repeat
        await self.gateway.drop()

    def invalidate_session(self) -> None:
        self.gateway.invalidate()
