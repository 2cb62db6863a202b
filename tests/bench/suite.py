"""The test suite on two cores, once: it takes minutes, so it runs only if it is named."""

from __future__ import annotations

import subprocess
import sys
import time

from tests.bench._process import ROOT
from tests.bench._rows import Row

FIVE_MINUTES = 300
ONLY_ASKED_FOR = True


def run() -> list[Row]:
    began = time.perf_counter()
    suite = [sys.executable, "-m", "pytest", "--workers", "4", "-m", "not prove"]  # as `make test`
    done = subprocess.run(suite, cwd=ROOT, check=False, capture_output=True)
    took = time.perf_counter() - began
    return [
        Row(
            what="the test suite on 2 cores",
            ours=f"{took / 60:.1f} minutes" + ("" if done.returncode == 0 else ", with failures"),
            ratio=took / 60,
            goal=("≤", FIVE_MINUTES / 60),
            remark="in minutes",
        )
    ]
