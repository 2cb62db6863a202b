"""Damaged kits, many of them: each is refused with words, quickly, and nothing else is raised.

python -m tests.trust.kits 10000
"""

from __future__ import annotations

import sys
import time

from tests.rules.kit.damage import damaged_kits, told

LONGEST_SECONDS = 0.05  # by the processor's clock: other programs may run beside


def main(number: int, seed: int = 1) -> int:
    """Read so many damaged files; return how many took too long."""
    slow = refused = 0
    longest = 0.0
    for data, name in damaged_kits(number, seed):
        before = time.process_time()
        found = told(data, name)
        took = time.process_time() - before
        longest = max(longest, took)
        slow += took > LONGEST_SECONDS
        refused += bool(found)
        assert all(0 < len(each) < 700 for each in found), found
    print(f"{number} files, {refused} refused, the longest {longest * 1000:.1f} ms, {slow} too slow")
    return slow


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000) > 0)
