"""A bot that knows no limits, and what it sends."""

from typing import Any

import aiohttp

from bot.local.interactions import COMMAND, Interaction
from bot.local.world import Message
from tests.local.stand_in import StandIn, channel_named

Json = dict[str, Any]


class Bot:
    """Somebody with the bot's token who knows no limits."""

    def __init__(self, local: StandIn, session: aiohttp.ClientSession) -> None:
        self.local = local
        self.session = session

    async def ask(self, method: str, path: str, body: Any = None, *, token: bool = True) -> tuple[int, Any]:
        headers = {"Authorization": f"Bot {self.local.token}"} if token else {}
        url = self.local.api_url + path
        async with self.session.request(method, url, json=body, headers=headers) as response:
            text = await response.text()
            return response.status, (await response.json() if text else None)

    async def post(self, body: Json, channel: str = "tavern") -> tuple[int, Any]:
        place = channel_named(self.local.world, channel)
        return await self.ask("POST", f"/channels/{place.id}/messages", body)

    def interact(self, kind: int = COMMAND, source: Message | None = None) -> Interaction:
        world = self.local.world
        return self.local.interactions.open(
            kind, world.named("Ana"), channel_named(world, "tavern"), {"name": "roll"}, used="roll", source=source
        )

    async def answer(self, entry: Interaction, kind: int, data: Json | None = None) -> tuple[int, Any]:
        path = f"/interactions/{entry.id}/{entry.token}/callback?with_response=true"
        return await self.ask("POST", path, {"type": kind} | ({"data": data} if data else {}), token=False)

    async def hook(self, entry: Interaction, method: str = "POST", rest: str = "", body: Any = None) -> tuple[int, Any]:
        path = f"/webhooks/{self.local.world.application_id}/{entry.token}{rest}"
        return await self.ask(method, path, body, token=False)


def rows(*items: Json) -> list[Json]:
    return [{"type": 1, "components": list(items)}]


def button(**more: Any) -> Json:
    return {"type": 2, "style": 1, "label": "Go", "custom_id": "go"} | more
