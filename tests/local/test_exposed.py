"""What others on the machine may read is named at the start, and only that."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.exposed import exposed
from bot.settings import load_settings


@pytest.mark.parametrize(
    ("name", "mode", "is_named"),
    [
        ("r.sqlite3", 0o644, True), ("r.sqlite3-wal", 0o604, True), ("r.sqlite3-shm", 0o644, True),
        ("r.sqlite3.before-2026-03-01", 0o644, True), ("referee-2026-03-01.sqlite3", 0o644, True),
        (".env", 0o644, True),
        ("r.sqlite3", 0o600, False), (".env", 0o640, False), ("r.sqlite3.lock", 0o644, False), ("notes", 0o644, False),
    ],
)  # fmt: skip
def test_a_file_that_others_may_read_is_named(name: str, mode: int, is_named: bool, tmp_path: Path) -> None:
    settings = load_settings({"DATABASE_PATH": str(tmp_path / "r.sqlite3")}, None)
    assert list(exposed(settings, tmp_path / ".env")) == []
    (tmp_path / name).touch()
    (tmp_path / name).chmod(mode)
    told = list(exposed(settings, tmp_path / ".env"))
    assert [str(tmp_path / name) in line for line in told] == ([True] if is_named else [])
