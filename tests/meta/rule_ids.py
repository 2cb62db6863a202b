"""The ledger's rule ids."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from tests.meta.sources import ROOT

GENERAL = "general"
TESTS = ROOT / "tests"


@cache
def rule_files() -> dict[str, Path]:
    """Return each rules.toml: the general one, then the systems'."""
    found = {GENERAL: ROOT / "rules" / "core" / "rules.toml"}
    for path in sorted((ROOT / "rules" / "systems").glob("*/rules.toml")):
        found[path.parent.name] = path
    return found


def ids_of(path: Path) -> tuple[str, ...]:
    return tuple(tomllib.loads(path.read_text("utf-8")))
