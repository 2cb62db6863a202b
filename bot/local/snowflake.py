from collections.abc import Callable
from datetime import UTC, datetime

from bot.clock import EPOCH_MS, snowflake_at


class Snowflakes:
    """Make ids that sort by time, as strings, never the same twice."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._last = 0

    def fresh(self) -> str:
        candidate = snowflake_at(self._now())
        self._last = max(candidate, self._last + 1)
        return str(self._last)


def fixed_id(number: int) -> str:
    """Return the id of something that exists at every start: the same each time, long past."""
    return str(snowflake_at(1_704_067_200) + number)


def when(snowflake: str) -> float:
    """Return the time in an id, in seconds since 1970."""
    return ((int(snowflake) >> 22) + EPOCH_MS) / 1000


def iso(seconds: float) -> str:
    """Write a time the way Discord does."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")
