"""A row of the table, and how times are taken: shuffled order, medians."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Literal

ROUNDS = 7
Limit = Literal["≥", "≤"]


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured, in words and units, beside what; `ratio` is held against `goal` if there is one."""

    what: str
    ours: str
    beside: str = ""
    ratio: float | None = None
    goal: tuple[Limit, float] | None = None
    remark: str = ""

    @property
    def is_reached(self) -> bool | None:
        if self.goal is None or self.ratio is None:
            return None
        limit, bound = self.goal
        return self.ratio >= bound if limit == "≥" else self.ratio <= bound


def micros(seconds: float) -> str:
    """Write a time with three digits.

    >>> micros(0.0000123), micros(0.00123), micros(1.23)
    ('12.3 µs', '1.23 ms', '1.23 s')
    """
    if seconds >= 1:
        return f"{seconds:.3g} s"
    if seconds >= 0.001:
        return f"{seconds * 1000:.3g} ms"
    return f"{seconds * 1e6:.3g} µs"


def shuffled(names: Mapping[str, object] | list[str], rounds: int = ROUNDS) -> list[str]:
    """Return each name `rounds` times, in random order: whatever else the machine does meets all alike."""
    order = list(names) * rounds
    random.shuffle(order)
    return order


def medians(jobs: Mapping[str, Callable[[], object]], *, rounds: int = ROUNDS, each: int = 1) -> dict[str, float]:
    """Time jobs in shuffled order; return the median of each, in seconds of this process's CPU for one of `each`."""
    for job in jobs.values():
        job()
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for name in shuffled(jobs, rounds):
        job = jobs[name]
        began = time.process_time()
        for _ in range(each):
            job()
        times[name].append((time.process_time() - began) / each)
    return {name: statistics.median(measured) for name, measured in times.items()}


async def medians_of(
    jobs: Mapping[str, Callable[[], Awaitable[object]]], *, rounds: int = ROUNDS, each: int = 1
) -> dict[str, float]:
    """Do the same with coroutines; what the database's threads spend is in it."""
    for job in jobs.values():
        await job()
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for name in shuffled(jobs, rounds):
        job = jobs[name]
        began = time.process_time()
        for _ in range(each):
            await job()
        times[name].append((time.process_time() - began) / each)
    return {name: statistics.median(measured) for name, measured in times.items()}
