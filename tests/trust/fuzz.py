"""Inputs of every kind against the whole bot: `python -m tests.trust.fuzz [--inputs 1000000] [--seed 1]`.

Two fifths go as interactions to ten tables on one bot (commands, half-typed options, legal actions with a twist,
presses, forms; files among them), three fifths as bytes to each parser: under coverage guidance if atheris is
installed (requirements-fuzz.txt), else by mutation. It prints, for each surface, how many, the slowest, the faults, and
how memory grew between the first fifth and the end; the exit code is 1 if anything was found.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import ctypes
import gc
import importlib.util
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from rules.errors import Refusal
from tests.trust.stage import inputs
from tests.trust.stage.parsers import SEEDS, TARGETS, mutated
from tests.trust.stage.sieve import SECONDS, Fault, Sieve, sieved

INTERACTIONS = {"typed": 0.10, "half-typed": 0.08, "legal": 0.12, "pressed": 0.06, "submitted": 0.04}
PARSERS = {
    "dice": 0.16, "odds": 0.02, "sheet": 0.08, "ability": 0.08, "character": 0.05,
    "deck": 0.05, "tables": 0.04, "export": 0.06, "options": 0.03, "words": 0.03,
}  # fmt: skip
CHUNK = 500
FLAT_MB = 60.0
"""What a surface may keep after its first fifth: bounded memories of the bot (pictures, answers, rooms) still fill."""


@dataclass
class Found:
    """What came of one surface."""

    surface: str
    count: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    faults: list[str] = field(default_factory=list)
    early_mb: float = 0.0
    late_mb: float = 0.0

    @property
    def grew_mb(self) -> float:
        return self.late_mb - self.early_mb

    def __str__(self) -> str:
        return (
            f"{self.surface}: {self.count:,} inputs in {self.seconds:.0f} s, slowest {self.slowest:.2f} s, "
            f"{len(self.faults)} faults, memory {self.late_mb:.0f} MB ({self.grew_mb:+.0f} since the first fifth)"
        )


def resident_mb() -> float:
    """Return what this process keeps in memory; what is free and not given back yet is not kept."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):  # another C library gives it back in its own time
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:  # not Linux: the most that it ever held
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def strategies(sieve: Sieve) -> dict[str, st.SearchStrategy[inputs.Input]]:
    """Return the strategy of each surface that takes interactions."""
    return {
        "typed": inputs.typed(sieve.commands),
        "half-typed": inputs.half_typed(sieve.commands),
        "legal": inputs.legal,
        "pressed": inputs.pressed,
        "submitted": inputs.submitted,
    }


def interactions(
    sieve: Sieve, run: Callable[[Coroutine[Any, Any, None]], None], surface: str, count: int, first_seed: int
) -> Found:
    """Send so many inputs of one surface; every fault is kept, none ends the run."""
    found = Found(surface)
    strategy = strategies(sieve)[surface]
    sieve.slowest = 0.0
    started = time.monotonic()

    def one(value: inputs.Input) -> None:
        found.count += 1
        try:
            run(sieve.pass_through(value))
        except (Fault, Exception) as fault:  # noqa: BLE001 - whatever it is, it is what is looked for
            found.faults.append(f"{type(fault).__name__}: {fault}")

    chunk = 0
    while found.count < count:
        limits = settings(
            max_examples=min(CHUNK, count - found.count), deadline=None, database=None,
            suppress_health_check=list(HealthCheck), phases=[Phase.generate],
        )  # fmt: skip
        before = found.count
        seed(first_seed * 1_000_003 + chunk)(limits(given(strategy)(one)))()
        chunk += 1
        if before <= count / 5 < found.count or not found.early_mb:
            found.early_mb = resident_mb()
    found.seconds = time.monotonic() - started
    found.slowest = sieve.slowest
    found.late_mb = resident_mb()
    return found


def mutations(name: str, count: int, first_seed: int, most_seconds: float = SECONDS) -> Found:
    """Send mutated seeds to one parser; what went well becomes a seed itself."""
    found = Found(f"{name} (mutated)")
    rng = random.Random(f"{name}{first_seed}")
    pool = list(SEEDS[name])
    started = time.monotonic()
    while found.count < count:
        data = mutated(rng.choice(pool), rng)
        found.count += 1
        before = time.process_time()
        try:
            TARGETS[name](data)
            pool.append(data)
        except Refusal:
            if rng.random() < 0.02:
                pool.append(data)
        except Exception as fault:  # noqa: BLE001 - whatever it is, it is what is looked for
            found.faults.append(f"{type(fault).__name__}: {fault} for {data!r}")
        took = time.process_time() - before
        found.slowest = max(found.slowest, took)
        if took > most_seconds:
            found.faults.append(f"{took:.2f} s of computing for {data!r}")
        if len(pool) > 400:
            pool = [*SEEDS[name], *rng.sample(pool, 200)]
        if found.count == max(1, count // 5):
            found.early_mb = resident_mb()
    found.seconds = time.monotonic() - started
    found.late_mb = resident_mb()
    return found


def guided(name: str, count: int, _first_seed: int) -> Found:
    """Send inputs to one parser under coverage guidance, in a process of its own; the fuzzer seeds itself."""
    found = Found(f"{name} (guided)")
    started = time.monotonic()
    command = [sys.executable, "-m", "tests.trust.stage.guided", name, str(count)]
    ran = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    found.seconds = time.monotonic() - started
    done = re.search(r"stat::number_of_executed_units:\s*(\d+)", ran.stderr)
    found.count = int(done[1]) if done else 0
    times = re.findall(r"^slowest ([\d.]+) s", ran.stderr, re.MULTILINE)
    found.slowest = max(map(float, times), default=0.0)
    marks = re.findall(r"^memory (\d+) MB", ran.stderr, re.MULTILINE)
    peak = re.search(r"stat::peak_rss_mb:\s*(\d+)", ran.stderr)
    if marks:
        found.early_mb = found.late_mb = float(marks[-1])
    if peak:
        found.late_mb = float(peak[1])
    if ran.returncode != 0 or found.count < count:
        found.faults.append(ran.stderr[-1500:])
    return found


def main() -> int:
    """Print a line for each surface, and each fault once."""
    parser = argparse.ArgumentParser(prog="python -m tests.trust.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--surface", action="append", help="only this one (may be given several times)")
    chosen = parser.parse_args()
    wanted = chosen.surface or [*PARSERS, *INTERACTIONS]
    total, faults = 0, 0
    is_guided = importlib.util.find_spec("atheris") is not None
    if not is_guided:
        print("atheris is not installed: parsers get mutated inputs without coverage guidance")

    def tell(found: Found) -> None:
        nonlocal total, faults
        total += found.count
        if found.grew_mb > FLAT_MB:
            found.faults.append(f"memory grew by {found.grew_mb:.0f} MB")
        faults += len(found.faults)
        print(found, flush=True)
        for fault in sorted(set(found.faults), key=len)[:20]:
            print(f"  {fault[:1500]}", flush=True)

    for name, share in PARSERS.items():
        if name in wanted:
            search = guided if is_guided else mutations
            tell(search(name, int(chosen.inputs * share), chosen.seed))
    if set(INTERACTIONS) & set(wanted):
        with tempfile.TemporaryDirectory() as folder, asyncio.Runner() as runner:
            opened = sieved(Path(folder) / "referee.sqlite3")
            sieve = runner.run(opened.__aenter__())
            for surface, share in INTERACTIONS.items():
                if surface in wanted:
                    tell(interactions(sieve, runner.run, surface, int(chosen.inputs * share), chosen.seed))
            runner.run(opened.__aexit__(None, None, None))
    print(f"{total:,} inputs, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
