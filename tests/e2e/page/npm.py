"""What tests take from npm: installed by `npm install` in `tests/e2e/node`, left out with a reason if it is not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "node"


def packaged(name: str, *inside: str) -> Path:
    """Return the path of a package, or of a file in it."""
    return FOLDER.joinpath("node_modules", name, *inside)


def needs(name: str) -> pytest.MarkDecorator:
    """Mark tests that need a package, and Node.js to run it."""
    if shutil.which("node") is None:
        return pytest.mark.skip(reason=f"no Node.js found, which {name} runs on")
    missing = not packaged(name).is_dir()
    return pytest.mark.skipif(missing, reason=f"{name} is not installed (npm install, in tests/e2e/node)")
