"""The limit over all routes, refused requests, and messages that are joined."""

from __future__ import annotations

import asyncio
from time import monotonic
from types import SimpleNamespace

import aiohttp
import discord
import pytest
from aiohttp import web
from discord.http import Route

from bot.posting.prompts import merged
from bot.render.payload import Attachment, Payload
from bot.requests.pace import INVALID_WINDOW_SECONDS, MOST_A_SECOND, MOST_INVALID, PATIENCE, Pace, Requests
from bot.table.room import Owed

REALLY_SLEEP = asyncio.sleep


class Time:
    """A clock that sleeping moves on."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        await REALLY_SLEEP(0)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    clock = Time()
    monkeypatch.setattr("bot.requests.pace.asyncio.sleep", clock.sleep)
    return clock


async def test_no_second_sees_more_requests_than_the_limit(time: Time) -> None:
    pace = Pace(time)
    starts = []
    for _ in range(4 * MOST_A_SECOND):
        await pace.turn()
        starts.append(time.now)
        pace.ended()
    assert starts[MOST_A_SECOND - 1] == 1000.0
    assert all(later - earlier >= 1 for earlier, later in zip(starts, starts[MOST_A_SECOND:], strict=False))
    assert time.now == pytest.approx(1003.0)


async def test_a_host_whose_limit_is_another_sends_by_that(time: Time) -> None:
    pace = Pace(time, most_a_second=90)
    for _ in range(180):
        await pace.turn()
        pace.ended()
    assert time.now == pytest.approx(1001.0)


async def test_what_is_under_way_counts_until_a_second_after_its_end(time: Time) -> None:
    pace = Pace(time)
    for _ in range(MOST_A_SECOND):
        await pace.turn()
    waiting = asyncio.create_task(pace.turn())
    for _ in range(500):
        await asyncio.sleep(0)
    assert time.now > 1005.0
    assert not waiting.done(), "they may all still arrive"
    pace.ended()
    ended = time.now
    await waiting
    assert time.now >= ended + 1.0


async def test_after_many_refused_requests_one_a_second_goes_out(time: Time) -> None:
    pace = Pace(time)
    for _ in range(MOST_INVALID):
        pace.refused()
    for _ in range(3):
        await pace.turn()
        pace.ended()
    assert time.now == 1002.0
    time.now += INVALID_WINDOW_SECONDS
    assert not pace.is_slow


def test_many_refused_requests_are_told_once_with_those_they_slow(time: Time, caplog: pytest.LogCaptureFixture) -> None:
    """A process without a shard sends one a second anyway, and one request may be refused there."""
    without_shard, pace = Pace(time), Pace(time)
    without_shard.share(0.0)
    without_shard.refused()
    assert caplog.messages == []
    pace.share(0.5)
    for _ in range(MOST_INVALID):
        pace.refused()
    told = f"the server refused {MOST_INVALID // 2} requests of late; only one a second goes out now"
    assert caplog.messages == [told]
    time.now += INVALID_WINDOW_SECONDS + 1
    for _ in range(MOST_INVALID // 2):
        pace.refused()
    assert caplog.messages == [told, told]


async def test_what_the_server_asks_to_wait_holds_for_all(time: Time) -> None:
    pace = Pace(time)
    pace.hold(7.5)
    pace.hold(2)
    await asyncio.gather(pace.turn(), pace.turn())
    assert time.now == 1007.5


def owed(number: int, content: str, **more: object) -> Owed:
    return Owed(Payload(content=content, **more), str(number))  # type: ignore[arg-type] # fields of a payload by name


def test_texts_that_wait_for_a_channel_become_one_message() -> None:
    message, count = merged(
        [owed(1, "Ana hits."), owed(2, "Bo hits.", embeds=[{"description": "HP"}]), owed(3, "Cai.")]
    )
    assert count == 3
    assert message.payload.content == "Ana hits.\nBo hits.\nCai."
    assert message.payload.embeds == [{"description": "HP"}]
    assert message.interaction == "1"


@pytest.mark.parametrize(
    "second",
    [
        owed(2, "x" * 1900),
        owed(2, "a picture", files=[Attachment("a.png", b"")]),
        owed(2, "buttons", components=[{"type": 1}]),
        Owed(Payload(content="sent before"), "2", was_sent=True),
    ],
)
def test_what_would_not_be_the_same_in_one_message_stays_apart(second: Owed) -> None:
    message, count = merged([owed(1, "Ana hits."), second])
    assert (message.payload.content, count) == ("Ana hits.", 1)


async def test_a_request_that_had_to_wait_for_its_turn_is_given_up_like_any_other() -> None:
    """The limit of the whole runs while a request waits for its turn, and is spent then; the reply has its own."""

    async def hang(_: web.Request) -> web.Response:
        await asyncio.sleep(60)
        return web.Response()

    def shorter(seconds: float | None) -> float | None:
        return None if seconds is None else seconds / 100

    app = web.Application()
    app.router.add_get("/api/hang", hang)
    server = web.AppRunner(app, shutdown_timeout=0.1)
    await server.setup()
    await web.TCPSite(server, "127.0.0.1", 0).start()
    port = server.addresses[0][1]
    line = Requests(Pace(monotonic))
    patience = aiohttp.ClientTimeout(total=shorter(PATIENCE.total), sock_read=shorter(PATIENCE.sock_read))
    line.pace.hold(2 * (patience.total or 0.0))
    try:
        async with asyncio.timeout(300), aiohttp.ClientSession(trace_configs=[line.trace]) as session:
            with pytest.raises(aiohttp.ServerTimeoutError):
                await session.get(f"http://127.0.0.1:{port}/api/hang", timeout=patience)
    finally:
        await server.cleanup()


async def test_processes_have_together_what_one_would_have_alone(time: Time) -> None:
    paces = [Pace(time) for _ in range(4)]
    for pace, shards in zip(paces, (3, 1, 2, 1), strict=True):
        pace.share(shards / 7)
    began, sent = time.now, 0
    for pace, most in zip(paces, (19, 6, 12, 6), strict=True):
        time.now = began
        while time.now < began + 0.5:
            await pace.turn()
            pace.ended()
            sent += time.now < began + 0.5
        assert sent == most or pace is not paces[0]
    assert sent == 19 + 6 + 12 + 6 <= MOST_A_SECOND
    paces[0].share(0.0)
    await paces[0].turn()
    paces[0].ended()
    assert time.now >= began + 1.0, "one that serves nothing asks once a second"


class _Limited:
    """An HTTP client that is limited twice without Discord's `Via`, and then is not."""

    def __init__(self, time: Time) -> None:
        self.time, self.asked = time, list[float]()
        self._bucket_hashes: dict[str, str] = {}
        self._buckets: dict[str, object] = {}

    async def request(self, _route: Route, **_body: object) -> str:
        self.asked.append(self.time.now)
        if len(self.asked) == 3:
            return "done"
        reply = SimpleNamespace(status=429, reason="", headers={"Retry-After": "7"})
        raise discord.HTTPException(reply, {"code": 20028, "message": "The write action is limited."})  # type: ignore[arg-type] # what is read of a reply


async def test_a_limit_that_is_not_said_by_discord_itself_is_waited_for_as_long_as_it_asks(time: Time) -> None:
    http = _Limited(time)
    route = Route("POST", "/channels/{channel_id}/messages", channel_id="1")
    assert await Requests(Pace(time)).request(http, route) == "done"  # type: ignore[arg-type] # what is asked of a client
    assert [at - http.asked[0] for at in http.asked] == [0.0, 7.0, 14.0]
