"""`python -m tests.audit`, part of `make lint`: is what is pinned what is installed, and is any of it known to be weak?

A version that is not the pinned one fails the run. A known weakness is printed, and the run goes on: it
becomes known on a day on which nobody changed the code, and often before there is a version without it. If the
advisory service cannot be reached, or does not know a package, that is printed as well. A mirror of the package
index mostly has no advisories for single releases; then nothing is looked up.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LISTS = ("requirements.txt", "requirements-dev.txt")
PATIENCE_SECONDS = 120
BAR = "!" * 80
_PINNED = re.compile(r"^([\w.-]+)==(\S+)")


def pinned() -> dict[str, str]:
    """Return what the two lists pin."""
    lines = [line for name in LISTS for line in (ROOT / name).read_text("utf-8").splitlines()]
    return {found[1]: found[2] for line in lines if (found := _PINNED.match(line))}


def differing(wanted: Mapping[str, str]) -> list[str]:
    """Return a line for each package that is not installed as pinned."""
    lines = []
    for name, wanted_version in wanted.items():
        try:
            installed = version(name)
        except PackageNotFoundError:
            installed = "nothing"
        if installed != wanted_version:
            lines.append(f"{name}: {wanted_version} is pinned, {installed} is installed; make dev brings it")
    return lines


def judged(report: Any) -> tuple[list[str], list[str], int]:
    """Return what a report says: weaknesses, packages that could not be asked about, and how many were."""
    weak, unknown, asked = [], [], 0
    for entry in report["dependencies"]:
        if "skip_reason" in entry:
            unknown.append(str(entry["name"]))
            continue
        asked += 1
        for found in entry["vulns"]:
            better = ", ".join(found.get("fix_versions") or ()) or "no version yet"
            weak.append(f"{entry['name']} {entry['version']}: {found['id']}, mended in {better}")
    return weak, unknown, asked


def ask(command: Sequence[str]) -> Any:
    """Run the audit; return its report, or None if the service cannot be reached."""
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False, cwd=ROOT)
        return json.loads(ran.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None


def shout(why: str) -> None:
    """Say that nothing was audited, so that nobody takes the silence for a clean result."""
    print(f"{BAR}\naudit: NO DEPENDENCY WAS AUDITED: {why}.")
    print(f"audit: run `python -m tests.audit` where the package index can be reached; this run goes on.\n{BAR}")


def main(command: Sequence[str] = (sys.executable, "-m", "pip_audit")) -> int:
    """Audit the environment that runs this: what is pinned, and what that brings along."""
    wrong = differing(pinned())
    report = ask((*command, "--local", "--format", "json", "--progress-spinner", "off", "--timeout", "10"))
    weak, unknown, asked = ([], [], 0) if report is None else judged(report)
    if report is None:
        shout("the advisory service cannot be reached")
    elif not asked:
        shout(f"the advisory service answered, and knows none of {len(unknown)} packages: a mirror without advisories")
    else:
        for line in weak:
            print(f"{BAR}\naudit: KNOWN TO BE WEAK: {line}\n{BAR}")
        print(f"audit: {asked} packages looked up, {len(weak)} known weaknesses")
        if unknown:
            print(f"audit: the advisory service does not know {len(unknown)} packages: {', '.join(unknown[:8])} …")
    for line in wrong:
        print(f"audit: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
