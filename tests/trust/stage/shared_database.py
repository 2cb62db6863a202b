"""Processes of the bot at one database server."""

from __future__ import annotations

from pathlib import Path

from pydantic import SecretStr

NOWHERE = Path()


def environment(url: SecretStr, folder: Path, **given: str) -> dict[str, str]:
    return {
        "DATABASE_PATH": "", "DATABASE_URL": url.get_secret_value(), "LEASE_SECONDS": "5", "XDG_DATA_HOME": str(folder),
        **given,
    }  # fmt: skip
