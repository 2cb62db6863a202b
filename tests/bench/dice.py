"""Dice beside `d20` (rolling) and `icepool` (odds), as ratios of the same run."""

from __future__ import annotations

import math
import random
import statistics
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import d20

from rules.dice.reading import in_grammar, parse_rolls
from rules.dice.roll import roll_expression
from rules.dice.source import Dice, SeededFaces
from rules.errors import Refusal
from tests.bench._rows import Limit, Row, micros

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

GOAL = 8
Timed = tuple[str, float, float, str]  # what, ours in µs, theirs in µs, the opponent


def interactions(number: int) -> Iterator[str]:
    """Give every roll an interaction of its own, as Discord does: the stream is keyed anew each time."""
    first = random.getrandbits(60)
    return iter([str(first + at) for at in range(number)])


Job = Callable[[], Callable[[], None]]  # prepares its texts and gives what is timed


def _median_times(jobs: dict[str, Job], number: int) -> dict[str, float]:
    """Time each job ROUNDS times in a shuffled order; return medians in µs for one of `number`."""
    order = list(jobs) * ROUNDS
    random.shuffle(order)
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for name in order:
        timed = jobs[name]()
        began = time.perf_counter()
        timed()
        times[name].append((time.perf_counter() - began) / number * 1e6)
    return {name: statistics.median(measured) for name, measured in times.items()}


def _rolling(*, is_seen: bool, number: int) -> list[Timed]:
    fresh = iter(range(21, 10**6))
    roller = d20.Roller()

    def texts(expression: str) -> list[str]:
        return [expression.format(20 if is_seen else next(fresh)) for _ in range(number)]

    def ours(expression: str) -> Job:
        def job() -> Callable[[], None]:
            rolls = list(zip(texts(expression), interactions(number), strict=True))

            def timed() -> None:
                for text, interaction in rolls:
                    roll_expression(text, Dice(SeededFaces(SEED, interaction))).text()

            return timed

        return job

    def theirs(expression: str) -> Job:
        def job() -> Callable[[], None]:
            rolls = texts(expression)

            def timed() -> None:
                for text in rolls:
                    _ = roller.roll(text).result

            return timed

        return job

    jobs: dict[str, Job] = {}
    for expression in EXPRESSIONS:
        jobs[f"ours {expression}"] = ours(expression)
        jobs[f"d20 {expression}"] = theirs(expression)
    for job in jobs.values():
        job()()
    times = _median_times(jobs, number)
    kind = "seen" if is_seen else "unseen"
    return [
        (f"roll {kind} {expression}", times[f"ours {expression}"], times[f"d20 {expression}"], "d20")
        for expression in EXPRESSIONS
    ]


def _geometric_mean(rows: list[Timed], name: str) -> Timed:
    ours = math.exp(statistics.fmean(math.log(row[1]) for row in rows))
    theirs = math.exp(statistics.fmean(math.log(row[2]) for row in rows))
    return (f"{name}, geometric mean of {len(rows)}", ours, theirs, rows[0][3])


FIRST_CALL = """
import time
{imports}
began = time.perf_counter()
{call}
print((time.perf_counter() - began) * 1e6)
"""
OUR_IMPORT = "from rules.dice.odds import distribution"
POOLS = (
    ("4d6kh3", "icepool.d(6).highest(4, 3).mean()"),
    ("100d6", "(100 @ icepool.d(6)).mean()"),
    ("20d20kh10", "icepool.d(20).highest(20, 10).mean()"),
)


def _first_call(imports: str, call: str) -> float:
    """Time a call in a fresh process, so that nobody's cache is warm; imports are not counted."""
    program = FIRST_CALL.format(imports=imports, call=call)
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    return float(done.stdout)


def _odds() -> list[Timed]:
    jobs = {(text, who) for text, _ in POOLS for who in ("ours", "icepool")}
    times: dict[tuple[str, str], list[float]] = {job: [] for job in jobs}
    calls = dict(POOLS)
    order = list(jobs) * 5
    random.shuffle(order)
    for text, who in order:
        if who == "ours":
            times[text, who].append(_first_call(OUR_IMPORT, f"distribution({text!r}).mean"))
        else:
            times[text, who].append(_first_call("import icepool", calls[text]))
    medians = {job: statistics.median(measured) for job, measured in times.items()}
    return [
        (f"odds, first call: {text}", medians[text, "ours"], medians[text, "icepool"], "icepool") for text, _ in POOLS
    ]


def _lines() -> list[str]:
    """Return what people type: lines of other tools, and our own table of what is read."""
    tables = Path(__file__).parents[1] / "dice"
    read = {name: tomllib.loads((tables / name).read_text(encoding="utf-8")) for name in ("corpus.toml", "typed.toml")}
    of_tools = [line[0] for section in read["corpus.toml"].values() for line in section["lines"]]
    return of_tools + [row[0] for section in read["typed.toml"].values() for row in section.get("rolled", [])]


def _corpus() -> list[Row]:
    """Read and roll what people type, each line as new to both: those lines that d20 reads too, then all of them."""

    def ours(text: str) -> None:
        in_grammar.cache_clear()
        dice = Dice(SeededFaces(SEED, "1"))
        for roll in parse_rolls(text):
            roll_expression(roll, dice).text()

    def theirs(text: str) -> None:
        _ = d20.Roller().roll(text).result  # it keeps what it has read, whatever spaces are in it

    def is_read(text: str, roll: Callable[[str], object]) -> bool:
        try:
            roll(text)
        except (d20.RollError, Refusal):
            return False
        return True

    own = [text for text in _lines() if is_read(text, ours)]
    shared = [text for text in own if is_read(text, theirs)]

    def job(roll: Callable[[str], None], text: str) -> Job:
        return lambda: lambda: roll(text)

    jobs = {f"ours {text}": job(ours, text) for text in own}
    jobs |= {f"d20 {text}": job(theirs, text) for text in shared}
    times = _median_times(jobs, 1)
    rows = [(text, times[f"ours {text}"], times[f"d20 {text}"], "d20") for text in shared]
    whole = statistics.fmean(times[f"ours {text}"] for text in own)
    beside = statistics.fmean(times[f"ours {text}"] for text in shared)
    return [
        _row(_geometric_mean(rows, "what people type, lines that d20 reads too"), ("≥", 1)),
        Row(
            what=f"what people type, all {len(own)} lines that can be rolled",
            ours=micros(whole / 1e6),
            beside=f"{micros(beside / 1e6)}, those lines",
            ratio=beside / whole,
            remark="times faster",
        ),
    ]


def _source() -> Timed:
    """Show what of a roll is the verifiable source: a stream keyed and one die drawn, beside the global random."""
    number = 2000

    def ours() -> Callable[[], None]:
        ids = list(interactions(number))

        def timed() -> None:
            for interaction in ids:
                Dice(SeededFaces(SEED, interaction)).draw(1, 20)

        return timed

    def theirs() -> Callable[[], None]:
        def timed() -> None:
            for _ in range(number):
                random.randrange(20)

        return timed

    times = _median_times({"ours": ours, "theirs": theirs}, number)
    return ("the source alone: one die of a new interaction", times["ours"], times["theirs"], "random.randrange")


def _row(timed: Timed, goal: tuple[Limit, float] | None = None) -> Row:
    what, ours, theirs, beside = timed
    return Row(
        what=what,
        ours=micros(ours / 1e6),
        beside=f"{micros(theirs / 1e6)}, {beside}",
        ratio=theirs / ours,
        goal=goal,
        remark="times faster",
    )


def run() -> list[Row]:
    rows = [_row(_source())]
    for is_seen, number in ((True, 400), (False, 100)):
        measured = _rolling(is_seen=is_seen, number=number)
        kind = "seen" if is_seen else "unseen"
        rows += [_row(timed) for timed in measured]
        rows.append(_row(_geometric_mean(measured, f"roll {kind} with text"), ("≥", GOAL)))
    return rows + _corpus() + [_row(timed, ("≥", 1)) for timed in _odds()]
