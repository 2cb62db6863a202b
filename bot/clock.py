"""The one clock. It follows the system's time; tests put another in its place."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], float]
SLACK_SECONDS = 60.0  # between this machine's clock and Discord's
EPOCH_MS = 1_420_070_400_000  # from the first second of 2015 on Discord counts milliseconds


def system_clock() -> float:
    """Return Unix seconds."""
    return time.time()


def utc_text(seconds: float) -> str:
    """Return `2026-01-01T12:00:00Z`."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def since_id(interaction: str, at: float) -> int:
    """Return an id of Discord's that is older than what a step sends: its interaction's, or one of its time."""
    return int(interaction) if interaction.isdecimal() else snowflake_at(at - SLACK_SECONDS)


def snowflake_at(seconds: float) -> int:
    """Return the lowest of Discord's ids that are made at a time in Unix seconds."""
    return max(int(seconds * 1000) - EPOCH_MS, 0) << 22
