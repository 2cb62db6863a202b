"""The file that a running referee writes while its gateway answers: for `health` and `status`."""

from __future__ import annotations

import time

FRESH_SECONDS = 90


def health() -> int:
    """Tell whether a running referee was connected within the last 90 seconds."""
    from bot.settings import SettingsError, load_settings  # noqa: PLC0415 - `--help` needs no settings

    try:
        fresh = time.time() - load_settings().heart.stat().st_mtime < FRESH_SECONDS
    except (SettingsError, OSError):
        fresh = False
    print("connected" if fresh else "not connected")  # noqa: T201 - the command's answer
    return 0 if fresh else 1
