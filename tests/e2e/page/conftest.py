"""What all tests of the page share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.referee import patient


@pytest.fixture(autouse=True)
def at_ease() -> Iterator[None]:
    """Let no answer be deferred because the machine is busy: a deferred one is private, and looks different."""
    with patient():
        yield
