"""The stand-in as a whole, as the program starts it."""

import secrets

from aiohttp import web

from bot.local.gateway import Gateway
from bot.local.interactions import Interactions
from bot.local.page_socket import PageSocket
from bot.local.people import People
from bot.local.server import Server
from bot.local.world import World


class LocalDiscord:
    """A Discord on 127.0.0.1: HTTP API, gateway, people, and the page to be them."""

    def __init__(self, server: Server) -> None:
        self.server = server
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


def local_server() -> Server:
    """Return a server with a token that nobody else knows."""
    return Server(f"local.{secrets.token_urlsafe(24)}", World(), Gateway)
