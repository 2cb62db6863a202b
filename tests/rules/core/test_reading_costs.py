"""What reading costs: a text of 6,000 characters at most 30 times what one of 600 does, for every reader.

Each reader is tried in a process of its own, since a pattern that goes wrong holds the interpreter for good.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import time
from collections.abc import Callable, Iterator

import pytest

from rules.core.board.areas import is_area
from rules.core.registry import every_system
from rules.core.sheets.forms import EachBy, ReadBy
from rules.dice.reading import parse_expression, parse_rolls
from rules.errors import Refusal

Reader = Callable[[str], object]

SHORT, LONG = 600, 6000
MOST = 30
NOTHING = 0.0005  # seconds of the processor; what costs less is not compared
SECONDS = 30  # of the processor, after which a reader is said not to come back
PUMPS = (
    *(
        "1",
        "a",
        " ",
        "\t",
        "\n",
        "\n ",
        ",",
        ", ",
        ";",
        "+",
        "-",
        "/",
        ":",
        "=",
        "(",
        "[",
        "{",
        "}",
        "*",
        "_",
        "<",
        "'",
    ),
    *("1 ", "a ", "1,", "a,", "1+", "x ", "1d6", "1d6+", "adv ", "[a", "(1", "A1 ", "A1:", "a 1, ", "a:", "a 1\n", "d"),
    *("focus ", " toward a ", " at a ", " and ", "2x ", "1-", "a=1,", "\u3000", "\u0301", "é", "ß"),
)
ENDS = ("", "x\n")


def readers() -> Iterator[tuple[str, Reader, tuple[str, ...]]]:
    """Return what reads typed text: its name, itself, and what a text for it may begin with."""
    yield "area", is_area, ("burst 2 at a", "cone 4 at C4 toward", "line 6 ")
    yield "dice", parse_expression, ("", "1d20+")
    yield "rolls", parse_rolls, ("", "1d20 ", "1;")
    forms: dict[object, str] = {}
    for system in every_system().values():
        declared = [(key.key, key.form) for key in system.sheet.keys]
        declared += [(field.key, field.form) for field in system.sheet.fields or ()]
        for key, form in declared:
            what = form.reader if isinstance(form, ReadBy | EachBy) else type(form)
            if forms.setdefault(what, key) == key:
                yield f"{key} of {system.id}", form.read, ("",)


READERS = {name: (reader, heads) for name, reader, heads in readers()}


def seconds(reader: Reader, text: str) -> float:
    """Return the least that reading costs of the processor, looked at again where it is much."""
    least = float("inf")
    for _ in range(3):
        if least < NOTHING * MOST:
            break
        began = time.thread_time()
        with contextlib.suppress(Refusal):
            reader(text)
        least = min(least, time.thread_time() - began)
    return least


def too_dear(reader: Reader, heads: tuple[str, ...]) -> str:
    """Return the text whose tenfold costs too much, none where every one is read in time."""
    for head in heads:
        for pump in PUMPS:
            for end in ENDS:
                long = seconds(reader, head + (pump * LONG)[:LONG] + end)
                if long <= MOST * NOTHING:
                    continue
                short = seconds(reader, head + (pump * SHORT)[:SHORT] + end)
                if long > MOST * max(short, NOTHING):
                    return f"{head!r} + {pump!r} … + {end!r}: {short * 1000:.2f} ms, then {long * 1000:.1f} ms"
    return ""


def in_a_process_of_its_own(work: Callable[[], str], within: float = SECONDS) -> str:
    """Do something in a fork of this process, which the kernel ends where it does not come back."""
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        signal.setitimer(signal.ITIMER_PROF, within)  # without a handler, which would wait for the interpreter
        try:
            os.write(writable, work().encode())
        finally:
            os._exit(0)
    os.close(writable)
    with os.fdopen(readable) as answer:
        said = answer.read()
    _, status = os.waitpid(child, 0)
    return f"it does not come back within {within} s" if os.WIFSIGNALED(status) else said


@pytest.mark.parametrize("name", READERS)
def test_reading_ten_times_as_much_costs_at_most_thirty_times_as_much(name: str) -> None:
    reader, heads = READERS[name]
    assert in_a_process_of_its_own(lambda: too_dear(reader, heads)) == ""


def test_a_reader_that_does_not_come_back_is_found_and_so_is_a_dear_one() -> None:
    endless, dear = re.compile("(1+)*"), re.compile("a*a*b")
    assert "come back" in in_a_process_of_its_own(lambda: too_dear(endless.fullmatch, ("",)), within=0.5)
    assert "ms" in in_a_process_of_its_own(lambda: too_dear(dear.fullmatch, ("",)))
