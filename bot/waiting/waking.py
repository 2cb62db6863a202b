"""Waking time: when somebody may be reached, in their own zone, across changes of summer time.

Instants are Unix seconds. Quiet times are kept as wall time (they follow the clock on the wall, not the sun); an
instant is turned into wall time by its zone's offset of that moment, never the other way round, so that an hour
that comes twice or not at all needs no case of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from rules.core.typed.names import shown
from rules.core.typed.times import parse_duration
from rules.dice.signs import usual_signs
from rules.errors import Malformed

_MINUTE = 60
_HOUR = 3600
_DAY = 86400
_WEEK = 7 * _DAY
_MONDAY = 4 * _DAY  # 1970-01-05 was a Monday
_LEAST_AWAKE = _HOUR  # a week
_END_OF_TIME = 1e11  # away without an end: no calendar reaches so far
_RANGE = re.compile(r"(\d{1,2})(?::(\d{2}))?\s*(?:([ap]m)\s*)?-\s*(\d{1,2})(?::(\d{2}))?(?:\s*([ap]m))?")
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})")
_WRITE_QUIET = "Write 22:00-08:00 or 10pm-8am, and sat, sun, for example, or off."
_WRITE_UNTIL = "Write 3d, 2026-12-24 or 2026-12-24 18:00."

Span = tuple[int, int]  # seconds of the week from Monday 00:00 on the wall, end excluded


def parse_zone(text: str) -> str:
    """Return the IANA name of a zone. Raises: Malformed."""
    wanted = text.strip().replace(" ", "_").casefold()
    found = zones().get(wanted)
    if found is None:
        near = [name for folded, name in zones().items() if wanted and wanted in folded]
        instead = f"Did you mean {shown(near[:5])}?" if near else "Write Europe/Berlin or America/New_York."
        raise Malformed(f"{text.strip()[:40] or 'Nothing'} is no time zone.", instead=instead)
    return found


@lru_cache(maxsize=1)
def zones() -> dict[str, str]:
    """Return the names of all zones, by their folded form, in the order of the alphabet."""
    plain = (
        name for name in available_timezones() if not name.startswith(("posix/", "right/", "Factory", "localtime"))
    )
    return {name.casefold(): name for name in sorted(plain)}


def parse_quiet(text: str) -> str:
    """Return quiet times in the form in which they are kept; empty for `off`. Raises: Malformed."""
    cleaned = " ".join(usual_signs(text).casefold().split())
    if cleaned in ("off", "none", "no"):
        return ""
    written = [_entry(part.strip())[0] for part in cleaned.split(",") if part.strip()]
    if not written:
        raise Malformed("No quiet time is given.", instead=_WRITE_QUIET)
    kept = ", ".join(dict.fromkeys(written))
    if len(kept) > 200:
        raise Malformed("Those are too many quiet times.", instead="Days can be written as mon-fri 09:00-17:00.")
    asleep = sum(end - start for start, end in spans(kept))
    if asleep > _WEEK - _LEAST_AWAKE:
        raise Malformed(
            "That leaves no hour of the week in which you could be reached.",
            instead="/remind away is for a holiday; a quiet time leaves an hour a week at least.",
        )
    return kept


def _no_quiet_time(part: str) -> Malformed:
    return Malformed(f"{part[:40]} is no quiet time.", instead=_WRITE_QUIET)


def _entry(part: str) -> tuple[str, tuple[Span, ...]]:
    """Read `22:00-08:00`, `10pm-8am`, `sat`, `mon-fri 09:00-17:00`: as kept, and the spans. Raises: Malformed."""
    match = _RANGE.search(part)
    named = part if match is None else part[: match.start()].strip()
    if match is not None and part[match.end() :].strip():
        raise _no_quiet_time(part)
    days = tuple(range(7)) if match is not None and not named else _days(named, part)
    if match is None:
        return named, tuple((day * _DAY, (day + 1) * _DAY) for day in days)
    start, end = _of_day(match[1], match[2], match[3]), _of_day(match[4], match[5], match[6])
    if start in {end, _DAY}:
        raise Malformed(f"{match[0]} begins when it ends.", instead="Write sat, for a whole day.")
    long = end - start if end > start else end + _DAY - start
    hours = f"{_wall(start)}-{_wall(end)}"
    return f"{named} {hours}".strip(), tuple((day * _DAY + start, day * _DAY + start + long) for day in days)


def _days(named: str, part: str) -> tuple[int, ...]:
    """Read `sat`, `saturday` or `mon-fri`. Raises: Malformed."""
    ends = [_day(each.strip()) for each in named.split("-")]
    if not 1 <= len(ends) <= 2 or None in ends:
        raise _no_quiet_time(part)
    first, last = ends[0] or 0, ends[-1] or 0
    return tuple((first + at) % 7 for at in range((last - first) % 7 + 1))


def _day(word: str) -> int | None:
    full = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    return next((at for at, name in enumerate(full) if len(word) >= 3 and name.startswith(word)), None)


def _of_day(hours: str, minutes: str | None, half: str | None) -> int:
    hour, minute = int(hours), int(minutes or 0)
    if minute > 59 or hour * _HOUR + minute * _MINUTE > _DAY or (half and not 1 <= hour <= 12):
        raise Malformed(f"{hours}:{minutes or '00'}{half or ''} is no time of day.", instead=_WRITE_QUIET)
    if half:  # 12am is midnight, 12pm noon
        hour = hour % 12 + (12 if half == "pm" else 0)
    return hour * _HOUR + minute * _MINUTE


def _wall(seconds: int) -> str:
    return f"{seconds // _HOUR:02}:{seconds % _HOUR // _MINUTE:02}"


@lru_cache(maxsize=4096)
def spans(kept: str) -> tuple[Span, ...]:
    """Return kept quiet times as spans of the week, in order, none touching another."""
    found: list[Span] = []
    for part in kept.split(","):
        if part.strip():
            for start, end in _entry(part.strip())[1]:
                found.append((start, min(end, _WEEK)))
                if end > _WEEK:
                    found.append((0, end - _WEEK))
    joined: list[Span] = []
    for start, end in sorted(found):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return tuple(joined)


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


@lru_cache(maxsize=1024)
def zone_of(name: str) -> ZoneInfo:
    """Return a zone by its IANA name; UTC where the machine no longer knows it."""
    try:
        return ZoneInfo(name)
    except (OSError, ValueError):
        return ZoneInfo("UTC")


def parse_until(text: str, now: float, zone: str) -> float:
    """Read a duration, or a date in one's own zone, from midnight where it has no time; return Unix seconds.

    Raises: Malformed.
    """
    cleaned = " ".join(text.split())
    form = next((form for form in ("%Y-%m-%d %H:%M", "%Y-%m-%d") if _reads(cleaned, form)), None)
    if form is None:
        try:
            return now + parse_duration(cleaned, "time away")
        except Malformed as error:
            raise Malformed(error.reason, instead=_WRITE_UNTIL) from None
    wall = datetime.strptime(cleaned, form)  # noqa: DTZ007 - wall time; the zone follows
    until = wall.replace(tzinfo=zone_of(zone)).timestamp()
    if until <= now:
        raise Malformed(f"{cleaned} is past.", instead=_WRITE_UNTIL)
    if until > now + 366 * _DAY:
        raise Malformed(f"{cleaned} is more than a year ahead.", instead="Name a day within a year.")
    return until


def _reads(text: str, form: str) -> bool:
    try:
        datetime.strptime(text, form)  # noqa: DTZ007 - only whether it reads
    except ValueError:
        return False
    return True


def parse_clock(text: str) -> str:
    """Return a time of day as `18:00`. Raises: Malformed."""
    match = _CLOCK.fullmatch(text.strip())
    if match is None or int(match[1]) > 23 or int(match[2]) > 59:
        raise Malformed(f"{text.strip()[:40] or 'Nothing'} is no time of day.", instead="Write 18:00, or off.")
    return f"{int(match[1]):02}:{match[2]}"


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
