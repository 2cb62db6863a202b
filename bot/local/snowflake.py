from collections.abc import Callable
from datetime import UTC, datetime

# Discord counts milliseconds from the first second of 2015.
EPOCH_MS = 1_420_070_400_000


class Snowflakes:
    """Make ids that sort by time, as strings, never the same twice."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._last = 0

    def fresh(self) -> str:
        candidate = (int(self._now() * 1000) - EPOCH_MS) << 22
        self._last = max(candidate, self._last + 1)
        return str(self._last)


def fixed_id(number: int) -> str:
    """Return the id of something that exists at every start: the same each time, long past."""
    return str(((1_704_067_200_000 - EPOCH_MS) << 22) + number)


def when(snowflake: str) -> float:
    """Return the time in an id, in seconds since 1970."""
    return ((int(snowflake) >> 22) + EPOCH_MS) / 1000


def iso(seconds: float) -> str:
    """Write a time the way Discord does."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")
