"""Waking time: when somebody may be reached, in their own zone, across changes of summer time.

Instants are Unix seconds. Quiet times are kept as wall time (they follow the clock on the wall, not the sun); an
instant is turned into wall time by its zone's offset of that moment, never the other way round, so that an hour
that comes twice or not at all needs no case of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from bot.waiting.typed_times import quiet_spans
from bot.waiting.zones import zone_of

_DAY = 86400
_WEEK = 7 * _DAY
_MONDAY = 4 * _DAY  # 1970-01-05 was a Monday
_END_OF_TIME = 1e11  # away without an end: no calendar reaches so far

Span = tuple[int, int]  # seconds of the week from Monday 00:00 on the wall, end excluded


@lru_cache(maxsize=4096)
def spans(kept: str) -> tuple[Span, ...]:
    """Return kept quiet times as spans of the week, in order, none touching another."""
    return tuple(quiet_spans(kept))


@dataclass(frozen=True, slots=True)
class Waking:
    """When somebody is awake: their zone, their quiet times as kept, and how long they are away (Unix seconds)."""

    zone: str = "UTC"
    quiet: str = ""
    away_until: float | None = field(default=None)

    def is_awake(self, at: float) -> bool:
        if self.away_until is not None and at < self.away_until:
            return False
        return not self.quiet or not self._is_quiet(at)

    def next_awake(self, at: float) -> float:
        """Return the first instant from `at` on at which they are awake."""
        return self.after(at, 0)

    def after(self, at: float, seconds: float) -> float:
        """Return the instant at which so much waking time has gone by since `at`; they are awake then."""
        if self.away_until is not None and at < self.away_until:
            at = self.away_until
        if not self.quiet or at > _END_OF_TIME:
            return at + seconds
        while True:
            end = self._piece_end(at)
            if not self._is_quiet(at):
                if seconds < end - at:
                    return at + seconds
                seconds -= end - at
            at = end

    def local(self, at: float) -> datetime:
        return datetime.fromtimestamp(at, zone_of(self.zone))

    def _offset(self, at: float) -> float:
        offset = datetime.fromtimestamp(at, UTC).astimezone(zone_of(self.zone)).utcoffset()
        return 0.0 if offset is None else offset.total_seconds()

    def _week_second(self, at: float) -> float:
        return (at + self._offset(at) - _MONDAY) % _WEEK

    def _is_quiet(self, at: float) -> bool:
        second = self._week_second(at)
        return any(start <= second < end for start, end in spans(self.quiet))

    def _piece_end(self, at: float) -> float:
        """Return the end of the stretch from `at` on in which neither quiet nor the zone's offset changes."""
        second = self._week_second(at)
        bounds = sorted({bound for span in spans(self.quiet) for bound in span})
        ahead = next((bound for bound in bounds if bound > second), bounds[0] + _WEEK)
        end = at + ahead - second
        offset = self._offset(at)
        if self._offset(end) == offset:
            return end
        before, after = int(at), int(end) + 1  # the offset changes in between, at a whole second
        while after - before > 1:
            middle = (before + after) // 2
            if self._offset(middle) == offset:
                before = middle
            else:
                after = middle
        return min(float(after), end)


def next_clock(clock: str, zone: str, now: float) -> float:
    """Return the next instant at which a zone's clocks show `18:00`; on a day that skips it, the moment after."""
    hours, _, minutes = clock.partition(":")
    day = datetime.fromtimestamp(now, zone_of(zone)).date()
    for ahead in range(4):
        date = day + timedelta(days=ahead)
        wall = datetime(date.year, date.month, date.day, int(hours), int(minutes), tzinfo=zone_of(zone))
        if wall.timestamp() > now:
            return wall.timestamp()
    raise AssertionError("a clock shows every time within three days")
