"""Durations as people type them: `90m`, `8h`, `1d 12h`, from 5 minutes to 60 days (design 3.2)."""

from __future__ import annotations

import re

from rules.errors import Malformed

_UNIT_SECONDS = {"m": 60, "h": 3600, "d": 86400, "w": 604800}
_PART = re.compile(r"(\d{1,6})\s*([mhdw])", re.IGNORECASE)
SHORTEST_SECONDS = 5 * 60
LONGEST_SECONDS = 60 * 86400


def parse_duration(text: str, what: str = "duration") -> int:
    """Return seconds. Raises: Malformed with what would be accepted."""
    cleaned = text.strip()
    parts = _PART.findall(cleaned)
    if not parts or _PART.sub("", cleaned).strip():
        raise Malformed(f"{cleaned[:40] or 'Nothing'} is no {what}.", instead="Write 90m, 8h or 1d 12h.")
    seconds = sum(int(count) * _UNIT_SECONDS[unit.lower()] for count, unit in parts)
    if not SHORTEST_SECONDS <= seconds <= LONGEST_SECONDS:
        raise Malformed(f"A {what} goes from 5 minutes to 60 days.", instead="Write 90m, 8h or 1d 12h.")
    return seconds


def duration_words(seconds: int) -> str:
    """Return seconds in the form that `parse_duration` reads, to the minute."""
    minutes = seconds // 60
    days, minutes = divmod(minutes, 1440)
    hours, minutes = divmod(minutes, 60)
    parts = [f"{count}{unit}" for count, unit in ((days, "d"), (hours, "h"), (minutes, "m")) if count]
    return " ".join(parts) or "0m"
