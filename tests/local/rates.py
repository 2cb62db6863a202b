"""Discord's rate limits, as far as a bot meets them: 50 requests a second in all, and a bucket for each route."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from bot.local.call import Call
from bot.local.errors import ApiError

EVERYWHERE, EVERYWHERE_SECONDS = 50, 1.0
# How many in how many seconds, by method and route; the others have the last one.
BUCKETS = {
    ("POST", "/channels/{channel}/messages"): (5, 5.0),
    ("PATCH", "/channels/{channel}/messages/{message}"): (5, 5.0),
    ("DELETE", "/channels/{channel}/messages/{message}"): (5, 1.0),
    ("GET", "/channels/{channel}/messages"): (5, 5.0),
}
OTHERS = (50, 1.0)
OF_ITS_OWN = ("interaction", "token", "channel", "guild")  # what parts one route's buckets
FREE = ("/interactions/", "/webhooks/")  # not counted in the limit over all


@dataclass
class Window:
    """So many requests until a moment, then anew."""

    size: int
    seconds: float
    left: int = 0
    ends: float = 0.0

    def take(self, now: float) -> bool:
        if now >= self.ends:
            self.left, self.ends = self.size, now + self.seconds
        if self.left <= 0:
            return False
        self.left -= 1
        return True


class Rates:
    """Counts requests and refuses those over a limit, as Discord does."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._all = Window(EVERYWHERE, EVERYWHERE_SECONDS)
        self._windows: dict[tuple[str, ...], Window] = {}
        self.refused = 0
        self.refused_everywhere = 0

    def take(self, call: Call) -> dict[str, str]:
        """Count a request; return the headers that tell what is left. Raises: ApiError (429)."""
        now = self._clock()
        route = (call.method, call.route)
        key = (*route, *(call.params.get(name, "") for name in OF_ITS_OWN))
        window = self._windows.get(key)
        if window is None:
            self._forget(now)
            window = self._windows[key] = Window(*BUCKETS.get(route, OTHERS))
        if not call.path.startswith(FREE) and not self._all.take(now):
            self.refused_everywhere += 1
            raise self._refusal(self._all.ends - now, everywhere=True)
        if not window.take(now):
            raise self._refusal(window.ends - now, everywhere=False)
        return {
            "X-RateLimit-Limit": str(window.size),
            "X-RateLimit-Remaining": str(window.left),
            "X-RateLimit-Reset-After": f"{window.ends - now:.3f}",
        }

    def _refusal(self, seconds: float, *, everywhere: bool) -> ApiError:
        self.refused += 1
        error = ApiError(
            429, 0, "You are being rate limited.", None, retry_after=round(seconds + 0.001, 3), **{"global": everywhere}
        )
        if everywhere:
            error.headers["X-RateLimit-Global"] = "true"
        return error

    def _forget(self, now: float) -> None:
        if len(self._windows) > 2000:
            self._windows = {key: window for key, window in self._windows.items() if window.ends > now}
