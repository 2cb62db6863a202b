"""The page: its files, and one websocket that carries what one person may see."""

from pathlib import Path

from aiohttp import web

from bot.local.gateway import Gateway
from bot.local.people import People
from bot.local.server import Handler
from bot.local.world import World

FOLDER = Path(__file__).parent / "page"


class PageSocket:
    def __init__(self, world: World, people: People, gateway: Gateway) -> None:
        self.world = world
        self.people = people
        self.gateway = gateway

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get("/", self._index)

    async def _index(self, _request: web.Request) -> web.StreamResponse:
        return web.Response(text="The page is on its way.")

    @web.middleware
    async def guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        return await handler(request)

    async def close(self) -> None:
        pass
