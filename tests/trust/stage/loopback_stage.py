"""An evening through the real client: HTTP, gateway, and everybody's page of the local table open at once."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp

from bot.discord.client import RefereeClient
from bot.discord_numbers import Component
from bot.local.errors import Json
from bot.local.people import NotPossible, component_of, walk
from bot.local.world import Change
from tests.e2e.days import Later
from tests.e2e.loopback import CannotSend, Table, local_table
from tests.e2e.referee import quiet, referee_at
from tests.trust.canary import logged
from tests.trust.stage.evening import PEOPLE, Evening, readable
from tests.trust.stage.marks import Heard


class LoopbackStage:
    """The real client at a loopback Discord."""

    def __init__(self, world: Table, client: RefereeClient, clock: Later) -> None:
        self.world = world
        self.clock = clock
        self._client = client
        self.channel = world.place("tavern").id
        self.heard: list[Heard] = []
        self._users = {name: world.person(name).id for name in PEOPLE}
        world.discord.world.watchers.append(self._watch)

    @property
    def client(self) -> RefereeClient:
        return self._client

    @property
    def users(self) -> Mapping[str, str]:
        return self._users

    def _watch(self, change: Change) -> None:
        entry = change.message
        if entry is None or change.what == "message_delete":
            return
        place = self.world.discord.world.channels[entry.channel_id]
        readers = frozenset({entry.only_for}) if entry.only_for else None
        if place.is_direct:
            readers = frozenset(place.recipients) & frozenset(self._users.values())
        files = {each.filename: (each.content, each.description or "") for each in entry.attachments}
        body = {"content": entry.content, "embeds": entry.embeds, "components": entry.components, "used": entry.used}
        source = "a private answer" if entry.only_for else place.name or "a direct message"
        self.heard.append(Heard(readers, source, readable(body, files)))

    async def type(self, who: str, text: str, file: bytes | None = None) -> None:
        files = {} if file is None else {"file": ("deck.txt", file)}
        with contextlib.suppress(CannotSend):  # the composer holds back what fits no option
            await self.world.person(who).slash(text, files=files)

    async def half_type(self, who: str, text: str, focused: str) -> None:
        with contextlib.suppress(CannotSend):
            found = await self.world.person(who).choices(text, focused=focused)
            offered = "\n".join(f"{name} {value}" for name, value in found.items())
            self.heard.append(Heard(frozenset({self._users[who]}), f"the completion of {text}", offered))

    async def press(self, who: str, rng: random.Random) -> None:
        """Press something on this person's screen; a form that opens is filled in and sent."""
        seat = self.world.person(who)
        shown = [message for message in seat.sees() if message.components][-6:]
        if not shown:
            return
        message = rng.choice(shown)
        component = rng.choice([each for each in walk(message.message.components) if "custom_id" in each] or [{}])
        if not component:
            return
        with contextlib.suppress(NotPossible):
            component_of(message.message, component["custom_id"])
            if component["type"] == Component.SELECT:
                answer = await seat.select(
                    message, rng.choice(component["options"])["value"], menu=component["custom_id"]
                )
            else:
                answer = await seat.press(message, component["custom_id"])
            if answer.modal is not None:
                self.heard.append(Heard(frozenset({seat.id}), "a form", json.dumps(answer.modal, ensure_ascii=False)))
                rows = answer.modal["components"]
                inputs = [each for row in rows for each in row.get("components") or [row["component"]]]
                typed = [each["custom_id"] for each in inputs if each["type"] == Component.TEXT_INPUT]
                await seat.submit(answer, {key: rng.choice(("1", "2", "word")) for key in typed})

    async def write(self, who: str, text: str) -> None:
        await self.world.person(who).slash(text, channel="dm")

    async def later(self, seconds: float) -> None:
        self.clock.seconds += seconds
        await self.client.scheduler.fire_due()
        await self.settle()

    async def settle(self) -> None:
        await quiet(self.world, self._client)

    # Pages

    @asynccontextmanager
    async def pages(self) -> AsyncIterator[None]:
        """Keep everybody's page open on the tavern; what its websocket says is heard."""
        root = self.world.discord.root
        async with aiohttp.ClientSession() as session, contextlib.AsyncExitStack() as open_pages:
            readers = []
            for name, user in self._users.items():
                socket = await open_pages.enter_async_context(
                    session.ws_connect(f"{root}/page", headers={"Origin": root}, max_msg_size=0)
                )
                await socket.send_json({"do": "hello", "person": name})
                await socket.send_json({"do": "open", "channel": self.channel})
                readers.append(asyncio.create_task(self._listen(socket, user)))
            try:
                yield
            finally:
                await asyncio.sleep(0.1)
                for reader in readers:
                    reader.cancel()
                await asyncio.gather(*readers, return_exceptions=True)

    async def _listen(self, socket: aiohttp.ClientWebSocketResponse, user: str) -> None:
        async for frame in socket:
            if frame.type is aiohttp.WSMsgType.TEXT:
                data: Json = json.loads(frame.data)
                text = json.dumps(data, ensure_ascii=False)
                self.heard.append(Heard(frozenset({user}), f"the page's websocket ({data.get('t')})", text))


async def at_the_loopback(
    system: str, seed: int, moves: int, folder: Path, lookers: tuple[str, ...] = PEOPLE
) -> Evening:
    """Play one evening through the real client."""
    secret = random.Random(seed).randbytes(32)
    clock = Later()
    database = folder / "referee.sqlite3"
    async with local_table() as world, referee_at(world, database, seed=secret, clock=clock) as client:
        stage = LoopbackStage(world, client, clock)
        evening = Evening(stage, system, seed, lookers)
        evening.ledger.hide(world.discord.token, "token")
        async with stage.pages():
            await logged(evening, moves)
        await evening.look_back()
        faults = world.faults()
        assert not faults, faults
        return evening
