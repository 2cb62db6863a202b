"""No property fails because the machine was slow: what a test measures is not how busy its neighbours are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

TESTS = Path(__file__).parents[1]


@pytest.mark.parametrize("profile", ["same", "explore"])
def test_no_profile_of_properties_depends_on_the_speed_of_the_machine(profile: str) -> None:
    known = settings.get_profile(profile)
    assert known.deadline is None
    assert HealthCheck.too_slow in known.suppress_health_check


def test_no_property_has_a_deadline_of_its_own() -> None:
    limited = re.compile(r"\bsettings\([^)]*\bdeadline=(?!None\b)")
    assert [path.name for path in TESTS.rglob("test_*.py") if limited.search(path.read_text("utf-8"))] == []
