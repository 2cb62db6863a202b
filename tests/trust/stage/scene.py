"""A fight to which something goes wrong, and what must hold afterwards whatever it was."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.discord.client import RefereeClient
from bot.posting import prompts as posting_prompts
from bot.requests import pace
from data.check import check
from tests.e2e.loopback import Seat, Shown, Table
from tests.e2e.referee import duel, export, prompts, quiet, refereed

CALLBACK = r"POST /interactions/.*/callback"
FOLLOW_UP = r"POST /webhooks/\d+/[^/]+$"
CHANGE = r"PATCH /webhooks/\d+/[^/]+/messages/"
MESSAGE = r"POST /channels/\d+/messages$"
EDIT = r"PATCH /channels/\d+/messages/\d+"
ANY_EDIT = f"(?:{CHANGE}|{EDIT})"  # a slow machine holds no token of the prompt, and edits it as any message
MOST_REQUESTS = 200  # far more than any case needs
INVALID = (401, 403, 429)


@dataclass
class Scene:
    """A fight of Ana and the GM's Goblin, Ana's turn; the referee runs in this process."""

    world: Table
    client: RefereeClient
    prompt: Shown
    patch: pytest.MonkeyPatch

    @property
    def gwen(self) -> Seat:
        return self.world.person("Gwen")

    @property
    def ana(self) -> Seat:
        return self.world.person("Ana")

    def spoil(self, route: str, **mishap: Any) -> Any:
        return self.world.discord.sabotage(route, **mishap)

    async def quiet(self) -> None:
        await quiet(self.world, self.client)

    def holds_token(self) -> bool:
        """Tell whether the live message came with a token that may edit it; on a slow machine it has none."""
        return self.client.tables.rooms()[0].edit_token is not None

    async def turn_is(self, who: str) -> None:
        """Wait until the one prompt that lives names whose turn it is, and see that the table says the same."""
        await self.world.until(
            lambda: [
                each
                for each in prompts(self.ana)
                if f"{who}'s turn" in each.content or (who == "Ana" and "your turn" in each.content)
            ]
        )
        await self.world.until(lambda: len(prompts(self.ana)) == 1)
        assert (await export(self.gwen))["turn"] == [who]

    async def goes_on(self) -> None:
        """End Ana's turn with an ordinary press, and see the next prompt."""
        await self.ana.press(prompts(self.ana)[0], "End turn")
        await self.turn_is("Goblin")

    async def goes_on_by_itself(self) -> None:
        """End Ana's turn with a press whose answer Discord does not take: the bot posts the prompt by itself."""
        self.press_in_vain()
        await self.turn_is("Goblin")

    def press_in_vain(self, seat: Seat | None = None) -> None:
        """End the turn with a press whose answer comes too late; the step is done all the same."""
        self.spoil(CALLBACK, status=404, code=10062)
        (seat or self.ana).begin_press(prompts(self.ana)[0], "End turn")

    def said(self, words: str, seat: Seat | None = None, channel: str = "tavern") -> list[Shown]:
        """Return the messages that somebody sees with these words in them."""
        return [each for each in (seat or self.world.person("Bo")).sees(channel) if words in each.text]

    def to_channel(self) -> int:
        """Count the requests to channels so far."""
        return sum(each.path.startswith("/channels/") for each in self.world.discord.exchanges)


@dataclass(frozen=True)
class Case:
    name: str
    promise: str
    play: Callable[[Scene], Awaitable[None]]
    channel: str = "tavern"  # it goes on here


@dataclass(frozen=True)
class Figures:
    """What a case cost: the bot's requests, and those that Discord would count as invalid."""

    requests: int
    invalid: int
    rows: int


CASES: list[Case] = []


def case(name: str, promise: str, *, channel: str = "tavern") -> Callable[[Callable[[Scene], Awaitable[None]]], Case]:
    def add(play: Callable[[Scene], Awaitable[None]]) -> Case:
        CASES.append(Case(name, promise, play, channel))
        return CASES[-1]

    return add


async def played(each: Case, folder: Path) -> Figures:
    """Play one case in a table of its own; what must hold after each is asserted here."""
    database = folder / "referee.sqlite3"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(posting_prompts, "RETRY_AFTER_SECONDS", (0.2, 0.5, 1.0, 2.0))
        patch.setattr(posting_prompts, "EDIT_AFTER_SECONDS", 0.1)
        patch.setattr(pace, "WAITS_SECONDS", (0.2, 0.4))
        async with refereed(database) as (world, client):
            prompt = await duel(world, client)
            before = len(world.discord.exchanges)
            await each.play(Scene(world, client, prompt, patch))
            await quiet(world, client)
            asked = list(world.discord.exchanges)[before:]
            assert len(prompts(world.person("Ana"), each.channel)) == 1, "exactly one prompt is alive"
            assert all(mishap.met for mishap in world.discord.sabotages), "what was to go wrong was never met"
            log = await client.store.log(prompt.message.channel_id)
            assert [row.seq for row in log] == list(range(1, len(log) + 1))
            assert len({row.interaction for row in log}) == len(log), "no interaction stands twice in the log"
        assert await check(database) == ()
    invalid = sum(exchange.status in INVALID for exchange in asked)
    assert len(asked) < MOST_REQUESTS, "a storm of requests"
    return Figures(len(asked), invalid, len(log))
