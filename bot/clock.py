"""The one clock. It follows the system's time; tests put another in its place."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], float]


def system_clock() -> float:
    """Return Unix seconds."""
    return time.time()


def utc_text(seconds: float) -> str:
    """Return `2026-01-01T12:00:00Z`."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
