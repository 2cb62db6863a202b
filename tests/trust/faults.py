"""`python -m tests.trust.faults [words]`: what Discord may do to the referee, one case after the other, with figures.

With words, only the cases whose names hold them.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
import time
from pathlib import Path

from tests.trust.stage import (
    mishaps,  # noqa: F401 - each adds its cases
    turns,  # noqa: F401 - each adds its cases
)
from tests.trust.stage.scene import CASES, played


async def main(words: str = "") -> int:
    """Play the cases; return how many failed."""
    failed, requests, invalid = 0, 0, 0
    chosen = [each for each in CASES if words in each.name]
    for each in chosen:
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                figures = await played(each, Path(folder))
            except Exception as error:  # noqa: BLE001 - a case that fails is counted, the others are played
                failed += 1
                print(f"FAILED  {each.name}: {type(error).__name__} {error}")
                continue
        requests += figures.requests
        invalid += figures.invalid
        print(
            f"ok  {each.name}: {each.promise}\n"
            f"    {figures.requests} requests, {figures.invalid} of them invalid (401, 403, 429), {figures.rows} log"
            f" rows, {time.monotonic() - began:.1f} s",
            flush=True,
        )
    print(f"{len(chosen)} cases, {failed} failed; {requests} requests in all, {invalid} of them invalid")
    return failed


if __name__ == "__main__":
    logging.disable(logging.WARNING)  # the faults are meant
    sys.exit(min(1, asyncio.run(main(" ".join(sys.argv[1:])))))
