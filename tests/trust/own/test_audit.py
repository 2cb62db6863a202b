"""The audit of `make lint`: a weakness is named, and neither it nor a service that is away fails the run."""

from __future__ import annotations

import json
import sys

import pytest

from tests import audit

WEAK = {
    "dependencies": [
        {"name": "aiohttp", "version": "1.0", "vulns": [{"id": "CVE-1", "fix_versions": ["1.1"]}]},
        {"name": "pydantic", "version": "2.0", "vulns": []},
        {"name": "ours", "skip_reason": "not found"},
    ]
}


def saying(text: str, code: int) -> tuple[str, ...]:
    return (sys.executable, "-c", f"import sys; print({text!r}); sys.exit({code})")


@pytest.fixture(autouse=True)
def as_pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "pinned", dict)


def test_a_known_weakness_is_named_with_the_mended_version_and_fails_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert audit.main(saying(json.dumps(WEAK), 1)) == 0
    said = capsys.readouterr().out
    assert "aiohttp 1.0: CVE-1, mended in 1.1" in said
    assert "2 packages looked up, 1 known" in said
    assert "does not know 1 packages: ours" in said


@pytest.mark.parametrize("command", [saying("no network", 1), ("/nowhere/at/all",)])
def test_a_service_that_is_away_is_named_and_fails_nothing(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert audit.main(command) == 0
    said = capsys.readouterr().out
    assert "NO DEPENDENCY WAS AUDITED: the advisory service cannot be reached" in said
    assert audit.BAR in said


def test_a_mirror_that_knows_no_advisory_is_no_clean_result(capsys: pytest.CaptureFixture[str]) -> None:
    report = {"dependencies": [{"name": "aiohttp", "skip_reason": "not found"}, {"name": "yarl", "skip_reason": "no"}]}
    assert audit.main(saying(json.dumps(report), 0)) == 0
    said = capsys.readouterr().out
    assert "NO DEPENDENCY WAS AUDITED" in said
    assert "knows none of 2 packages" in said
    assert "0 known weaknesses" not in said


def test_a_version_that_is_not_the_pinned_one_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(audit, "pinned", lambda: {"pydantic": "0.1", "nowhere-to-be-found": "1.0"})
    assert audit.main(saying("", 0)) == 1
    said = capsys.readouterr().out
    assert "pydantic: 0.1 is pinned" in said
    assert "nowhere-to-be-found: 1.0 is pinned, nothing is installed" in said
