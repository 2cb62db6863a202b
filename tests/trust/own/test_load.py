"""A few seconds of `python -m tests.trust.load`, with Discord's limits, and the limits themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.local.call import Call
from bot.local.errors import ApiError
from tests.local.rates import EVERYWHERE, Rates
from tests.trust.load import run


async def test_under_load_within_the_limits_nothing_is_lost(tmp_path: Path) -> None:
    figures = await run(tmp_path, rate=15, seconds=3, channels=4, limits=True, systems=False)
    assert figures.faults == []
    assert figures.sent >= 40
    assert len(figures.waits) + figures.too_late > 30
    assert figures.refused_everywhere == 0
    assert figures.busiest_second <= EVERYWHERE


def test_the_stand_in_refuses_what_discord_would() -> None:
    now = 100.0
    rates = Rates(lambda: now)

    def send(channel: int) -> dict[str, str]:
        route = "/channels/{channel}/messages"
        return rates.take(Call("POST", f"/channels/{channel}/messages", route, {"channel": str(channel)}, {}))

    left = [send(1)["X-RateLimit-Remaining"] for _ in range(5)]
    assert left == ["4", "3", "2", "1", "0"]
    with pytest.raises(ApiError) as one_route:
        send(1)
    assert one_route.value.more["global"] is False
    assert one_route.value.more["retry_after"] == pytest.approx(5, abs=0.01)
    for channel in range(2, 2 + EVERYWHERE - 6):
        send(channel)
    with pytest.raises(ApiError) as everywhere:
        send(999)
    assert everywhere.value.more["global"] is True
    answer = "/interactions/{interaction}/{token}/callback"
    rates.take(Call("POST", "/interactions/1/t/callback", answer, {"interaction": "1", "token": "t"}, {}))
    now += 1.0
    send(999)
    assert rates.refused == 2
