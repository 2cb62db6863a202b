"""Times of day, dates and quiet times as people type them, in their own zone (design 3.2).

Whatever has one reading is taken, and the answer says it back; what has several is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta

from bot.waiting.zones import zone_of
from rules.core.typed.times import DAY, HOUR, MINUTE, WEEK, SeveralReadings, folded, parse_duration, seconds_of
from rules.errors import Malformed

_WRITE_UNTIL = "Write 3 days, friday 18:00, 2026-12-24 or 2026-12-24 18:00."
_WRITE_SINCE = "Write 7d for the last week, yesterday, or 2026-12-24."
_WRITE_QUIET = "For example, write 22:00-08:00 or 10pm-8am, and sat, sun; or off."
_FAR = 366  # days
_MOST_WORDS = 8  # of a moment
_LEAST_AWAKE = HOUR  # a week
_MOST_QUIET = 200  # characters

_CLOCK = re.compile(r"([0-9]{1,2})(?:[:.h]([0-9]{2}))?\s?(h|am|pm|uhr|o'clock)?|([0-9]{2})([0-9]{2})")
_HOURS = {"noon": 12 * HOUR, "midday": 12 * HOUR, "midnight": 0}
_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
           "november", "december")  # fmt: skip
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORT = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_FULL_DATE = re.compile(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})")
_SPLIT_DATE = re.compile(r"([0-9]{1,2})([/.-])([0-9]{1,2})(?:[/.-]([0-9]{4}|[0-9]{2})?)?")
_NAMED_DATE = re.compile(
    r"(?:([0-9]{1,2})(?:st|nd|rd|th)?\.? (?:of )?([a-z]{3,9})|([a-z]{3,9})\.? ([0-9]{1,2})(?:st|nd|rd|th)?)"
    r"(?:,? ([0-9]{4}))?"
)

Days = tuple[int, ...]  # 0 is Monday
Entry = tuple[Days, int, int]  # on which days, from when, how long: seconds


def _seconds_of_day(text: str) -> int | None:
    """Return the seconds since midnight of a time of day; None if it is none.

    >>> _seconds_of_day("6:30 pm"), _seconds_of_day("18.00"), _seconds_of_day("18"), _seconds_of_day("25")
    (66600, 64800, 64800, None)
    """
    cleaned = folded(text).replace("a.m.", "am").replace("p.m.", "pm").removeprefix("at ")
    if cleaned in _HOURS:
        return _HOURS[cleaned]
    match = _CLOCK.fullmatch(cleaned)
    if match is None:
        return None
    hour, minute, half = int(match[1] or match[4]), int(match[2] or match[5] or 0), match[3]
    if minute > 59 or hour * HOUR + minute * MINUTE > DAY or (half in ("am", "pm") and not 1 <= hour <= 12):
        return None
    if half in ("am", "pm"):  # 12am is midnight, 12pm noon
        hour = hour % 12 + (12 if half == "pm" else 0)
    return hour * HOUR + minute * MINUTE


def _wall(seconds: int) -> str:
    return f"{seconds // HOUR:02}:{seconds % HOUR // MINUTE:02}"


def parse_clock(text: str) -> str:
    """Return a time of day as `18:00`. Raises: Malformed."""
    seconds = _seconds_of_day(text)
    if seconds is None or seconds == DAY:
        raise Malformed(
            f"{text.strip()[:40] or '(nothing)'} is not a time of day.", instead="Write 18:00 or 6pm, or off."
        )
    return _wall(seconds)


# Moments


def parse_until(text: str, now: float, zone: str) -> float:
    """Read a duration, or a date in your own zone, from midnight if it has no time; return Unix seconds.

    Raises: Malformed, SeveralReadings.
    """
    cleaned = folded(text).removeprefix("until ").removeprefix("in ")
    if seconds_of(cleaned) is not None or cleaned.isdecimal():
        return now + parse_duration(cleaned, "time away")
    until = _moment(text, cleaned, now, zone, ahead=True)
    if until is None:
        raise Malformed(
            f"{text.strip()[:40] or '(nothing)'} does not say how long you will be away.", instead=_WRITE_UNTIL
        )
    if until <= now:
        raise Malformed(f"{text.strip()[:40]} is not in the future.", instead=_WRITE_UNTIL)
    if until > now + _FAR * DAY:
        raise Malformed(f"{text.strip()[:40]} is more than a year away.", instead="Name a day within a year.")
    return until


def parse_since(text: str, now: float, zone: str) -> float:
    """Return Unix seconds of a duration before now, or of a date in your own zone. Raises: Malformed."""
    cleaned = folded(text).removeprefix("since ").removesuffix(" ago").removeprefix("the ").removeprefix("last ")
    cleaned = f"1 {cleaned}" if cleaned in ("hour", "day", "week") else cleaned
    if seconds_of(cleaned) is not None or cleaned.isdecimal():
        return now - parse_duration(cleaned)
    since = _moment(text, cleaned, now, zone, ahead=False)
    if since is None:
        raise Malformed(f"{text.strip()[:40] or '(nothing)'} is not a date.", instead=_WRITE_SINCE)
    return since


def _moment(text: str, cleaned: str, now: float, zone: str, *, ahead: bool) -> float | None:
    """Read a day, a time of day, or both. Raises: SeveralReadings if it may be one of several days."""
    today = datetime.fromtimestamp(now, zone_of(zone)).date()
    words = cleaned.replace(",", " ").replace(" at ", " ").split()
    moments: dict[float, str] = {}
    for parts in range(len(words), -1, -1) if 0 < len(words) <= _MOST_WORDS else ():
        day, clock = " ".join(words[:parts]), " ".join(words[parts:])
        seconds = 0 if not clock else _seconds_of_day(clock)
        if seconds is None or (moments and day and clock.isdecimal()):  # the year of December 24th, 2026
            continue
        days = _days_meant(day, today, ahead=ahead) if day else _days_of_clock(seconds, today, now, zone, ahead=ahead)
        for each in days:
            moments.setdefault(_at(each, seconds, zone), f"{each:%Y-%m-%d}" + (f" {_wall(seconds)}" if clock else ""))
    if len(moments) > 1:
        readings = tuple((_day_words(at, zone), moments[at]) for at in moments)
        raise SeveralReadings(f"{text.strip()[:40]} can mean several moments.", text, readings)
    return next(iter(moments), None)


def _day_words(at: float, zone: str) -> str:
    local = datetime.fromtimestamp(at, zone_of(zone))
    return f"{local.day} {local:%B %Y, %H:%M}"


def _at(day: date, seconds: int, zone: str) -> float:
    whole = day + timedelta(days=seconds // DAY)
    clock = datetime(whole.year, whole.month, whole.day, seconds % DAY // HOUR, seconds % HOUR // MINUTE)  # noqa: DTZ001 - wall time; the zone follows
    return clock.replace(tzinfo=zone_of(zone)).timestamp()


def _days_of_clock(seconds: int, today: date, now: float, zone: str, *, ahead: bool) -> tuple[date, ...]:
    """Return the day of a time that is named alone: the next one ahead, else the last one."""
    at = _at(today, seconds, zone)
    step = 0 if (at > now) == ahead else 1 if ahead else -1
    return (today + timedelta(days=step),)


def _days_meant(text: str, today: date, *, ahead: bool) -> tuple[date, ...]:
    """Return the days that a text may mean; () if it is no day."""
    near = {"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1, "day after tomorrow": 2}
    if text.removeprefix("the ") in near:
        return (today + timedelta(days=near[text.removeprefix("the ")]),)
    if text == "next week":
        return (today + timedelta(days=7 - today.weekday()),)
    name = text.removeprefix("on ").removeprefix("this ")
    is_next = name.startswith("next ")
    weekday = _weekday(name.removeprefix("next "))
    if weekday is not None:
        away = (weekday - today.weekday() - 1) % 7 + 1 if ahead else -((today.weekday() - weekday - 1) % 7 + 1)
        week = today + timedelta(days=7 - today.weekday() + weekday)  # of the week that comes
        return (
            tuple(dict.fromkeys((today + timedelta(days=away), week))) if is_next else (today + timedelta(days=away),)
        )
    return tuple(dict.fromkeys(_dates(text.removeprefix("on ").removeprefix("the "), today, ahead=ahead)))


def _dates(text: str, today: date, *, ahead: bool) -> Iterable[date]:
    """Read a date; one with slashes has the month first, or the day."""
    if match := _FULL_DATE.fullmatch(text):
        yield from _dated(int(match[1]), int(match[2]), int(match[3]))
    elif match := _SPLIT_DATE.fullmatch(text):
        one, other = int(match[1]), int(match[3])
        year = None if match[4] is None else int(match[4]) + (2000 if len(match[4]) == 2 else 0)
        yield from _nearest(year, other, one, today, ahead=ahead)
        if match[2] != ".":
            yield from _nearest(year, one, other, today, ahead=ahead)
    elif match := _NAMED_DATE.fullmatch(text):
        name = match[2] or match[3]
        month = next((at for at, full in enumerate(_MONTHS, 1) if full.startswith(name)), 0)
        year = None if match[5] is None else int(match[5])
        yield from _nearest(year, month, int(match[1] or match[4]), today, ahead=ahead)


def _nearest(year: int | None, month: int, day: int, today: date, *, ahead: bool) -> Iterable[date]:
    """Return the date of that year; without one the first that is ahead (or not)."""
    if year is not None:
        yield from _dated(year, month, day)
        return
    years = range(today.year, today.year + 9) if ahead else range(today.year, today.year - 9, -1)
    for each in years:
        for candidate in _dated(each, month, day):
            if (candidate > today) if ahead else (candidate <= today):
                yield candidate
                return


def _dated(year: int, month: int, day: int) -> Iterable[date]:
    try:
        yield date(year, month, day)
    except ValueError:
        return


# Quiet times


def parse_quiet(text: str) -> str:
    """Return quiet times in the form in which they are kept; empty for `off`. Raises: Malformed, SeveralReadings."""
    cleaned = folded(text)
    if cleaned in ("off", "none", "no"):
        return ""
    written: list[str] = []
    for part in re.split(r"[,;&]| and ", cleaned):
        if part.strip():
            written += _quiet(part.strip(), text)
    if not written:
        raise Malformed("You gave no quiet time.", instead=_WRITE_QUIET)
    kept = ", ".join(dict.fromkeys(written))
    if len(kept) > _MOST_QUIET:
        raise Malformed("Those are too many quiet times.", instead="Days can be written as mon-fri 09:00-17:00.")
    asleep = sum(end - start for start, end in quiet_spans(kept))
    if asleep > WEEK - _LEAST_AWAKE:
        raise Malformed(
            "That leaves no hour of the week in which I could reach you.",
            instead="Leave at least one hour a week. For a holiday there is /remind away.",
        )
    return kept


def _quiet(part: str, text: str) -> tuple[str, ...]:
    """Return one quiet time as it is kept. Raises: Malformed, SeveralReadings."""
    words = part.removeprefix("from ").replace(" to ", "-").replace(" until ", "-").replace(" till ", "-")
    words = re.sub(" ?- ?", "-", words).replace(" from ", " ")
    for at in [0, *(space.end() for space in re.finditer(" ", words)), len(words)]:
        named, hours = words[:at].strip(), words[at:]
        days = _days(named) if named else ""
        if days is None:
            continue
        if not hours:
            return (days,) if days else ()
        ends = [_seconds_of_day(each) for each in hours.split("-")]
        if len(ends) == 2 and None not in ends:
            start, end = ends[0] or 0, ends[1] or 0
            if start in {end, DAY}:
                raise Malformed(f"{hours} ends when it begins.", instead="For a whole day, write sat.")
            _ask_half(part, days, hours, (start, end), text)
            return (f"{days} {_wall(start)}-{_wall(end)}".strip(),)
    raise Malformed(f"{part[:40]} is not a quiet time.", instead=_WRITE_QUIET)


def _ask_half(part: str, days: str, hours: str, ends: tuple[int, int], text: str) -> None:
    """Ask about hours that are long as they were typed, and short if one of them is of the afternoon."""
    (start, end), half = ends, 12 * HOUR
    if not hours.replace("-", "").isdecimal() or max(ends) > half or (end - start) % DAY <= half:
        return
    meant = [f"{_wall(one)}-{_wall(other)}" for one, other in ((start + half, end), (start, end + half), (start, end))]
    readings = tuple((each, folded(text).replace(part, f"{days} {each}".strip())) for each in meant)
    raise SeveralReadings(f"{hours} can be in the morning or in the evening.", text, readings)


def _days(named: str) -> str | None:
    """Return days as they are kept: `sat`, `mon-fri`, empty for every day; None if they are none."""
    plain = named.removeprefix("on ").removesuffix(":")
    known = {"weekend": "sat-sun", "weekends": "sat-sun", "weekday": "mon-fri", "weekdays": "mon-fri"}
    if plain in ("daily", "every day", "every night", "all days", "nights"):
        return ""
    if plain in known:
        return known[plain]
    ends = [_weekday(each) for each in plain.split("-")]
    if not 1 <= len(ends) <= 2 or None in ends:
        return None
    return "-".join(_SHORT[each or 0] for each in ends)


def _weekday(word: str) -> int | None:
    """Return a day of the week by its name or the beginning of it: `fri`, `friday`, `fridays`."""
    plain = word.removesuffix(".").removesuffix("s") if len(word) > 4 else word.removesuffix(".")
    return next((at for at, name in enumerate(_WEEKDAYS) if len(plain) >= 3 and name.startswith(plain)), None)


def quiet_spans(kept: str) -> Sequence[tuple[int, int]]:
    """Return kept quiet times as spans of the week from Monday, in order, none touching another."""
    spans: list[tuple[int, int]] = []
    for part in kept.split(","):
        if part.strip():
            days, start, long = _kept_entry(part.strip())
            for day in days:
                begin, end = day * DAY + start, day * DAY + start + long
                spans.append((begin, min(end, WEEK)))
                if end > WEEK:
                    spans.append((0, end - WEEK))
    joined: list[tuple[int, int]] = []
    for begin, end in sorted(spans):
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((begin, end))
    return tuple(joined)


def _kept_entry(part: str) -> Entry:
    named, _, hours = part.rpartition(" ")
    if ":" not in hours:
        named, hours = part, ""
    ends = [_weekday(each) or 0 for each in named.split("-")] if named else [0, 6]
    days = tuple((ends[0] + at) % 7 for at in range((ends[-1] - ends[0]) % 7 + 1))
    if not hours:
        return days, 0, DAY
    start, end = (_seconds_of_day(each) or 0 for each in hours.split("-"))
    return days, start, end - start if end > start else end + DAY - start
