"""Runs every part of the bench (a module beside this one with `run()`), and writes RESULTS.md.

`python -m tests.bench [part …]`. A run of some parts puts their tables into the file and leaves the others.
"""

from __future__ import annotations

import importlib
import os
import platform
import random
import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

from tests.bench._rows import Row

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"
HEAD = """# Results

What `make bench` measured. [README.md](README.md) says how to read it, what brought what, and why a goal is missed.
How long a round takes in waking hours, with and without what is said ahead: [the figures of the
reminders](../reminders/RESULTS.md), in every system.
"""


def parts() -> dict[str, ModuleType]:
    """Return the modules that measure something, by name."""
    names = sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("_"))
    modules = {name: importlib.import_module(f"tests.bench.{name}") for name in names}
    return {name: module for name, module in modules.items() if hasattr(module, "run")}


def machine() -> str:
    """Return the place and time of this measurement, and how busy the machine was."""
    cpu = re.search(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    return (
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {os.cpu_count()} × {cpu[1] if cpu else platform.machine()}, "
        f"{platform.system()} {platform.release()}, Python {platform.python_version()}; load of the last minutes {load}"
    )


def table(name: str, rows: Sequence[Row]) -> str:
    """Write a part as Markdown."""
    lines = [f"## {name}", "", machine(), "", "| what | ours | beside | ratio | goal | |", "|---|---|---|---|---|---|"]
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.2f} {row.remark}".strip()
        goal = "" if row.goal is None else f"{row.goal[0]} {row.goal[1]:g}"
        verdict = {True: "reached", False: "**missed**", None: ""}[row.is_reached]
        lines.append(f"| {row.what} | {row.ours} | {row.beside} | {ratio} | {goal} | {verdict} |")
    return "\n".join(lines) + "\n"


def kept() -> dict[str, str]:
    """Return the tables that RESULTS.md holds, by part."""
    if not RESULTS.exists():
        return {}
    sections = RESULTS.read_text(encoding="utf-8").split("\n## ")[1:]
    return {section.partition("\n")[0]: f"## {section.rstrip()}\n" for section in sections}


def main(names: Sequence[str]) -> None:
    known = parts()
    for name in names:
        if name not in known:
            sys.exit(f"no part is called {name}: {', '.join(known)}")
    chosen = names or tuple(known)
    tables = kept()
    for name in random.sample(chosen, len(chosen)):
        tables[name] = table(name, known[name].run())
        print(tables[name], flush=True)
        RESULTS.write_text("\n".join([HEAD, *(tables[part] for part in known if part in tables)]), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
