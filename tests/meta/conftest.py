"""The trees of all files are a million and a half things that stay: the collector of rubbish need not look at them."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _no_rubbish() -> Iterator[None]:
    gc.disable()
    yield
    gc.freeze()
    gc.enable()
