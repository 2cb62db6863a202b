"""`pytest --workers`: each test is run once or named, whatever becomes of the process that has it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.meta.sources import ROOT

TESTS = """
import os, pytest
@pytest.mark.parametrize("number", range(30))
def test_one(number, tmp_path):
    print("said by", number)
    (tmp_path / "own").touch(exist_ok=False)
    if number == 3:
        pytest.skip("for a reason")
    if number == 5:
        os._exit(3)
    assert number != 20
"""


def test_each_test_is_run_once_or_named(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(TESTS)
    program = [sys.executable, "-m", "pytest", "-p", "tests.workers", "--workers", "3", "-rs", "-v", "--rootdir"]
    program += [str(tmp_path), "--basetemp", str(tmp_path / "made"), "-c", "/dev/null", str(tmp_path)]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    told = dict(re.findall(r"test_one\[(\d+)\] (PASSED|FAILED|SKIPPED)", done.stdout))
    # the eight that were given out with the one that died
    assert {int(number) for number, what in told.items() if what == "FAILED"} == {5, 6, 7, 20}
    assert [number for number, what in told.items() if what == "SKIPPED"] == ["3"]
    assert len(told) == 30
    assert "for a reason" in done.stdout
    assert re.findall(r"said by \d+", done.stdout) == ["said by 20"]
