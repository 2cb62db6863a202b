"""The tables that ship with the system: read once, as the program's own code is, and never again."""

from __future__ import annotations

import pkgutil
import tomllib
from collections.abc import Mapping

from pydantic import JsonValue

from rules.errors import BrokenInvariant


def shipped_table(package: str, name: str) -> Mapping[str, JsonValue]:
    """Return a TOML file that lies beside a system's code. Raises: BrokenInvariant if it is missing."""
    data = pkgutil.get_data(package, name)
    if data is None:
        raise BrokenInvariant(f"{package} ships no {name}")
    return tomllib.loads(data.decode("utf-8"))
