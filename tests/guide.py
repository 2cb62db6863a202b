"""The guide's small system (rules/README.md), as a stranger would write it into a folder."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import rules.systems
from rules.core.registry import every_system, systems
from tests.meta.sources import ROOT

GUIDE = ROOT / "rules" / "README.md"
_FILE = re.compile(r"^`rules/systems/(baton/\w+\.py)`\n```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@contextmanager
def guide_system(folder: Path) -> Iterator[None]:
    """Put the guide's files into a folder of systems, for the registry."""
    files = _FILE.findall(GUIDE.read_text("utf-8"))
    assert [name for name, _ in files] == ["baton/__init__.py", "baton/system.py"]
    for name, text in files:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    rules.systems.__path__.append(str(folder))
    importlib.invalidate_caches()
    every_system.cache_clear()
    systems.cache_clear()
    yield
    rules.systems.__path__.remove(str(folder))
    for name in [name for name in sys.modules if name.startswith("rules.systems.baton")]:
        del sys.modules[name]
    every_system.cache_clear()
    systems.cache_clear()
