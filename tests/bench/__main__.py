"""Runs every part of the bench (a module beside this one with `run()`) and prints its rows."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path


def main(names: list[str]) -> None:
    parts = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))
    for part in parts:
        if names and part not in names:
            continue
        module = importlib.import_module(f"tests.bench.{part}")
        if not hasattr(module, "run"):
            continue
        print(f"\n{part}\n{'':<56}{'ours':>12}{'theirs':>12}{'ratio':>8}  beside")
        for what, ours, theirs, beside in module.run():
            print(f"{what:<56}{ours:>9.1f} µs{theirs:>9.1f} µs{theirs / ours:>7.1f}×  {beside}")


if __name__ == "__main__":
    main(sys.argv[1:])
