"""The ledger's rule ids, and the tests that name them."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

from tests.meta.sources import ROOT, is_passed_over

GENERAL = "general"
TESTS = ROOT / "tests"
WRITTEN = (".py", ".toml", ".txt", ".json")
_ID = re.compile(r"\b[A-Z]{1,2}-\d{2}\b")
_NAME = re.compile(r"\bdef test_([a-z]{1,2})_(\d{2})_")  # a test's name may begin with its rule's id


@cache
def rule_files() -> dict[str, Path]:
    """Return each rules.toml: the general one, then the systems'."""
    found = {GENERAL: ROOT / "rules" / "core" / "rules.toml"}
    for path in sorted((ROOT / "rules" / "systems").glob("*/rules.toml")):
        found[path.parent.name] = path
    return found


def ids_of(path: Path) -> tuple[str, ...]:
    return tuple(tomllib.loads(path.read_text("utf-8")))


@cache
def named_in_tests() -> dict[str, tuple[str, ...]]:
    """Return the test files that name each id; the tests of this folder speak about all of them and do not count."""
    found: dict[str, set[str]] = {}
    for path in TESTS.rglob("*"):
        own = path.relative_to(TESTS)
        if path.suffix not in WRITTEN or own.parts[0] == "meta" or is_passed_over(own):
            continue
        text = path.read_text("utf-8")
        in_names = (f"{prefix.upper()}-{number}" for prefix, number in _NAME.findall(text))
        for rule in (*_ID.findall(text), *in_names):
            found.setdefault(rule, set()).add(own.as_posix())
    return {rule: tuple(sorted(files)) for rule, files in found.items()}


def without_test() -> dict[str, tuple[str, ...]]:
    """Return the ids of each rules.toml that no test names."""
    named = named_in_tests()
    return {system: tuple(rule for rule in ids_of(path) if rule not in named) for system, path in rule_files().items()}


def table() -> tuple[str, ...]:
    """Return what the test run prints: a line for each system."""
    missing = without_test()
    width = max(len(system) for system in missing)
    lines = [f"{'rules':<{width}}  ids  tested  without a test"]
    for system, path in rule_files().items():
        count, left = len(ids_of(path)), missing[system]
        lines.append(f"{system:<{width}}  {count:>3}  {count - len(left):>6}  {', '.join(left) or '-'}")
    return tuple(lines)
