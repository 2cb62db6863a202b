"""Dice beside `d20` (rolling) and `icepool` (odds), as ratios of the same run."""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Callable

import d20

from rules.dice.grammar import parse_expression
from rules.dice.roll import roll_expression
from rules.dice.source import Dice, SeededFaces

ROUNDS = 7
SEED = bytes(range(32))

# {} is a number that makes the expression one that nobody has rolled before
EXPRESSIONS = (
    "1d{}",
    "1d20+{}",
    "2d20kh1+{}",
    "4d{}kh3",
    "8d{}[fire]",
    "(1d6, 1d{})kh1+2",
    "10d{}ro<3",
    "3d{}e6+1d8mi2",
    "1d20+1d4-2>={}",
)

Row = tuple[str, float, float, str]  # what, ours in µs, theirs in µs, beside whom


class Interactions:
    """Hands every roll an interaction of its own, as Discord does: the stream is keyed anew each time."""

    def __init__(self) -> None:
        self.number = 10**18

    def next_dice(self) -> Dice:
        self.number += 1
        return Dice(SeededFaces(SEED, str(self.number)))


def _median_times(jobs: dict[str, Callable[[], None]], number: int) -> dict[str, float]:
    """Time each job ROUNDS times in a shuffled order; return medians in µs for one of `number`."""
    order = list(jobs) * ROUNDS
    random.shuffle(order)
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for name in order:
        began = time.perf_counter()
        jobs[name]()
        times[name].append((time.perf_counter() - began) / number * 1e6)
    return {name: statistics.median(measured) for name, measured in times.items()}


def _rolling(*, is_seen: bool, number: int) -> list[Row]:
    interactions = Interactions()
    fresh = iter(range(21, 10**6))
    roller = d20.Roller()

    def texts(expression: str) -> list[str]:
        return [expression.format(20 if is_seen else next(fresh)) for _ in range(number)]

    def ours(expression: str) -> Callable[[], None]:
        def job() -> None:
            for text in texts(expression):
                roll_expression(text, interactions.next_dice()).text()

        return job

    def theirs(expression: str) -> Callable[[], None]:
        def job() -> None:
            for text in texts(expression):
                _ = roller.roll(text).result

        return job

    jobs: dict[str, Callable[[], None]] = {}
    for expression in EXPRESSIONS:
        jobs[f"ours {expression}"] = ours(expression)
        jobs[f"d20 {expression}"] = theirs(expression)
    for job in jobs.values():
        job()
    parse_expression.cache_clear()
    times = _median_times(jobs, number)
    kind = "seen" if is_seen else "unseen"
    return [
        (f"roll {kind} {expression}", times[f"ours {expression}"], times[f"d20 {expression}"], "d20")
        for expression in EXPRESSIONS
    ]


def _geometric_mean(rows: list[Row], name: str) -> Row:
    ours = math.exp(statistics.fmean(math.log(row[1]) for row in rows))
    theirs = math.exp(statistics.fmean(math.log(row[2]) for row in rows))
    return (f"{name}, geometric mean of {len(rows)}", ours, theirs, rows[0][3])


def run() -> list[Row]:
    rows: list[Row] = []
    for is_seen, number in ((True, 400), (False, 100)):
        measured = _rolling(is_seen=is_seen, number=number)
        kind = "seen" if is_seen else "unseen"
        rows += [*measured, _geometric_mean(measured, f"roll {kind} with text")]
    return rows
