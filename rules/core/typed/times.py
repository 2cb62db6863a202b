"""Durations as people type them: `90m`, `1h30`, `2 hours`, `1d 12h`, `half an hour` (design 3.2)."""

from __future__ import annotations

import re
from fractions import Fraction

from rules.dice.signs import usual_signs
from rules.errors import Malformed

MINUTE, HOUR, DAY, WEEK = 60, 3600, 86400, 604800
SHORTEST_SECONDS = 5 * MINUTE
LONGEST_SECONDS = 60 * DAY
_UNITS = {
    1: ("s", "sec", "secs", "second", "seconds"),
    MINUTE: ("m", "min", "mins", "minute", "minutes"),
    HOUR: ("h", "hr", "hrs", "hour", "hours"),
    DAY: ("d", "day", "days"),
    WEEK: ("w", "wk", "wks", "week", "weeks"),
}
_SECONDS = {word: seconds for seconds, words in _UNITS.items() for word in words}
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_HALF = Fraction(1, 2)
_COUNTS = {"a": Fraction(1), "an": Fraction(1), "half": _HALF}
_COUNTS |= {word: Fraction(number) for number, word in enumerate(_NUMBERS, 1)}
_TOKEN = re.compile(r"\s*(?:([0-9]{1,6}(?:[.,][0-9]{1,2})?)|([^\W\d_]{1,10})\.?)")
_JOINING = ("and", "of")
_WRITE = "Write 90m, 8h or 1d 12h."


class SeveralReadings(Malformed):
    """A time that can be read in several ways, so that it is asked about.

    `typed` is the whole text; `readings` are texts that each mean one thing, with what a button says.
    """

    def __init__(self, reason: str, typed: str, readings: tuple[tuple[str, str], ...]) -> None:
        super().__init__(reason, instead=f"Write {' or '.join(text for text, _ in readings[:4])}.")
        self.typed = typed.strip()
        self.readings = readings


def folded(text: str) -> str:
    """Return a text in lower case, with plain dashes and single spaces.

    >>> folded(" 22:00 – 7:00 ")
    '22:00 - 7:00'
    """
    return " ".join(usual_signs(text).replace("’", "'").casefold().split())


def seconds_of(text: str) -> Fraction | None:
    """Return the seconds of a duration, whatever its length; None if it is none.

    >>> int(seconds_of("1h30") or 0), int(seconds_of("half an hour") or 0), seconds_of("90")
    (5400, 1800, None)
    """
    cleaned = folded(text)
    total, at, count, smallest = Fraction(0), 0, None, 0
    while at < len(cleaned):
        token = _TOKEN.match(cleaned, at)
        if token is None:
            return None
        at = token.end()
        number, word = token.groups()
        if number is not None:
            if count is not None:
                return None
            count = Fraction(number.replace(",", "."))
        elif word in _SECONDS and count is not None:
            total, count, smallest = total + count * _SECONDS[word], None, _SECONDS[word]
        elif word in _COUNTS and (count is None or {count, _COUNTS[word]} == {1, _HALF}):
            count = _COUNTS[word] if count is None else _HALF  # half an hour, an hour and a half
        elif word not in _JOINING:
            return None
    if count == _HALF:
        total += count * smallest
    elif count is not None:  # 1h30
        if smallest != HOUR or count >= MINUTE or count.denominator > 1:
            return None
        total += count * MINUTE
    return total if smallest else None


def parse_duration(text: str, what: str = "duration") -> int:
    """Return seconds. Raises: Malformed with what would be accepted; SeveralReadings for a number without a unit."""
    cleaned = text.strip()
    seconds = seconds_of(cleaned)
    if seconds is None:
        readings = tuple(
            (f"{cleaned} {unit}", f"{cleaned}{unit[0]}")
            for unit, each in (("minutes", MINUTE), ("hours", HOUR), ("days", DAY))
            if re.fullmatch("[0-9]{1,4}", cleaned) and _fits(Fraction(cleaned) * each)
        )
        if readings:
            raise SeveralReadings(f"{cleaned} of what?", cleaned, readings)
        raise Malformed(f"{cleaned[:40] or '(nothing)'} is not a {what}.", instead=_WRITE)
    if not _fits(seconds):
        raise Malformed(f"A {what} can be 5 minutes to 60 days.", instead=_WRITE)
    return int(seconds)


def _fits(seconds: Fraction) -> bool:
    return SHORTEST_SECONDS <= seconds <= LONGEST_SECONDS


def duration_words(seconds: int) -> str:
    """Return seconds in the form that `parse_duration` reads, to the minute."""
    minutes = seconds // 60
    days, minutes = divmod(minutes, 1440)
    hours, minutes = divmod(minutes, 60)
    parts = [f"{count}{unit}" for count, unit in ((days, "d"), (hours, "h"), (minutes, "m")) if count]
    return " ".join(parts) or "0m"
