"""The stand-in as a whole: every route of the API, the gateway, people, and the page to be them."""

import json
import logging
import secrets
from collections.abc import Callable
from typing import Any

from aiohttp import web

from bot.local import errors, payloads
from bot.local.call import Call, Exchange, Handler, Route, Upload, read_body
from bot.local.channels import ChannelRoutes
from bot.local.commands import CommandRoutes
from bot.local.errors import ApiError, Json
from bot.local.gateway import Gateway
from bot.local.interactions import Interactions
from bot.local.page_socket import PageSocket
from bot.local.people import People
from bot.local.world import World

API = "/api/v10"
log = logging.getLogger(__name__)


class LocalDiscord:
    """A Discord on 127.0.0.1 alone, over one world.

    `faults` is what the bot did that Discord would not have taken: unknown routes, bodies of another shape.
    """

    def __init__(self) -> None:
        self.token = f"local.{secrets.token_urlsafe(24)}"  # nobody else knows it
        self.faults: list[str] = []
        self.observers: list[Callable[[Exchange], None]] = []
        self.world = self.new_world()
        self.gateway = self.new_gateway()
        self.channels = ChannelRoutes(self.world)
        self.commands = CommandRoutes(self.world)
        self.interactions = Interactions(self.world, self.gateway)
        self.people = People(self.world, self.commands, self.interactions)
        self.page = PageSocket(self.world, self.people, self.gateway, self.commands.registered)
        self.port = 0
        self._runner: web.AppRunner | None = None

    def new_world(self) -> World:
        return World()

    def new_gateway(self) -> Gateway:
        return Gateway(self.world, self.token, self.faults)

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def api_url(self) -> str:
        """The local address in place of `https://discord.com/api/v10`."""
        return f"{self.root}{API}"

    @property
    def page_url(self) -> str:
        return f"{self.root}/"

    async def start(self, port: int = 0) -> None:
        """Listen; port 0 takes any free one.

        Raises:
            OSError: the port is taken.

        """
        app = web.Application(client_max_size=64 * 1024 * 1024, middlewares=[self.page.guard])
        self.page.add_routes(app)
        app.router.add_get("/gateway/", self.gateway.serve)
        app.router.add_get("/gateway", self.gateway.serve)
        app.router.add_get("/files/{key}/{filename}", self._file)
        self._add(app, [*self.own_routes(), *self.channels.routes()])
        self._add(app, [*self.commands.routes(), *self.interactions.routes()])
        app.router.add_route("*", "/api/{rest:.*}", self.unknown)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", port)
        await site.start()
        self.port = int(self._runner.addresses[0][1])
        for part in (self.gateway, self.channels, self.interactions, self.world):
            part.base_url = self.root

    async def stop(self) -> None:
        await self.page.close()
        await self.gateway.close()
        if self._runner is not None:
            await self._runner.cleanup()

    def own_routes(self) -> list[Route]:
        return [
            Route("GET", "/gateway", self._gateway, needs_token=False),
            Route("GET", "/gateway/bot", self._gateway_bot),
            Route("GET", "/users/@me", self._me),
            Route("GET", "/oauth2/applications/@me", self._application),
        ]

    async def _gateway(self, _call: Call) -> Json:
        return {"url": self.gateway.base_url.replace("http", "ws", 1) + "/gateway"}

    async def _gateway_bot(self, call: Call) -> Json:
        return await self._gateway(call) | self.gateway.recommended()

    async def _me(self, _call: Call) -> Json:
        return payloads.own_user(self.world.bot)

    async def _application(self, _call: Call) -> Json:
        return payloads.application(self.world)

    def _add(self, app: web.Application, routes: list[Route]) -> None:
        # Fixed words before placeholders: `/users/@me` is no user's id.
        for route in sorted(routes, key=lambda r: r.path.replace("{", "~")):
            app.router.add_route(route.method, API + route.path, self._serve(route))

    def _serve(self, route: Route) -> Handler:
        async def handle(request: web.Request) -> web.StreamResponse:
            return await self.respond(route, request)

        return handle

    async def _read(self, route: Route, call: Call, request: web.Request) -> tuple[Any, tuple[Upload, ...]]:
        if route.needs_token and not call.authorized:
            raise ApiError(*errors.UNAUTHORIZED)
        return await read_body(request)

    async def respond(self, route: Route, request: web.Request) -> web.StreamResponse:
        """Answer a request, and note what Discord would not have taken."""
        call = Call(
            request.method,
            request.path.removeprefix(API),
            route.path,
            dict(request.match_info),
            dict(request.query),
            authorized=request.headers.get("Authorization") == f"Bot {self.token}",
        )
        status, reply, refused = 200, None, None
        try:
            call.body, call.files = await self._read(route, call, request)
            reply = await self.carry_out(route, call, request)
            status = 200 if reply is not None else 204
        except ApiError as refusal:
            status, reply, refused = refusal.status, refusal.body(), refusal
            if refusal.code == 50035:
                self.faults.append(f"{call.method} {call.path}: {refusal.body()}")
        except (AttributeError, KeyError, TypeError, ValueError) as fault:
            # A body of a shape that no client of Discord's would send.
            log.debug("cannot read %s %s", call.method, call.path, exc_info=True)
            status, reply = 400, ApiError(400, 50035, "Invalid Form Body").body()
            self.faults.append(f"{call.method} {call.path}: {fault!r}")
        exchange = Exchange(call.method, call.path, route.path, call.body, len(call.files), status, reply)
        for observer in self.observers:
            observer(exchange)
        return self._reply(status, reply, route, refused)

    async def carry_out(self, route: Route, call: Call, _request: web.Request) -> Any:
        """Do what an allowed request asks for. Raises: ApiError."""
        return await route.endpoint(call)

    def _reply(self, status: int, reply: Any, route: Route, refused: ApiError | None) -> web.Response:
        headers = {
            "X-RateLimit-Limit": "1000",
            "X-RateLimit-Remaining": "999",
            "X-RateLimit-Reset-After": "1.000",
            "X-RateLimit-Bucket": f"{abs(hash((route.method, route.path))):016x}",
            "Via": "1.1 local",
        }
        if status == 204:
            return web.Response(status=204, headers=headers)
        if status == 429:
            headers["Retry-After"] = str(reply.get("retry_after", 1))
        if refused is not None:
            for name, value in refused.headers.items():
                headers.pop(name, None)
                headers |= {} if value is None else {name: value}
            if refused.text is not None:
                return web.Response(text=refused.text, status=status, headers=headers)
        return written(reply, status, headers)

    async def unknown(self, request: web.Request) -> web.Response:
        self.faults.append(f"unknown route: {request.method} {request.path}")
        log.warning("the local table has no route %s %s", request.method, request.path)
        refusal = ApiError(*errors.UNKNOWN_ROUTE)
        return written(refusal.body(), refusal.status, {})

    async def _file(self, request: web.Request) -> web.Response:
        entry = self.world.attachments.get(request.match_info["key"])
        if entry is None:
            return web.Response(status=404)
        shown = entry.content_type.startswith("image/") and "svg" not in entry.content_type
        return web.Response(
            body=entry.content,
            content_type=entry.content_type,
            headers={
                "Content-Disposition": f'{"inline" if shown else "attachment"}; filename="{entry.filename}"',
                "Content-Security-Policy": "sandbox; default-src 'none'",
                "X-Content-Type-Options": "nosniff",
                "Cache-Control": "private, max-age=86400",
            },
        )


def written(reply: Any, status: int, headers: dict[str, str]) -> web.Response:
    """Write JSON with the bare content type: discord.py takes anything else for text."""
    body = json.dumps(reply).encode()
    return web.Response(body=body, status=status, content_type="application/json", headers=headers)
