"""Run the tests in several processes, `pytest --workers 4`: each is forked from the one that has collected them.

Those of pytest-xdist collect apart: ten seconds of work for each, before its first test.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from itertools import groupby
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from typing import Any

import pytest

# So many tests of a file are given out at a time: few, so that at the end no worker has much to do alone.
AT_A_TIME = 8
FORK = multiprocessing.get_context("fork")
# What takes or waits long is given out first, for the same reason.
FIRST = (
    "tests/meta/",
    "tests/trust/",
    "tests/e2e/",
    "tests/gallery/",
    "tests/local/",
    "tests/reminders/",
    "tests/store/",
)
# These read every file of the project: one worker has them all, and reads each file once.
TOGETHER = "tests/meta/"

Place = tuple[str, int | None, str]  # a test's place


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option: without it the tests run in this process."""
    parser.addoption("--workers", type=int, default=1, help="run the tests in so many processes")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Give out the tests, and tell pytest what became of each."""
    config = session.config
    if config.option.workers == 1 or config.option.collectonly or session.testsfailed:
        return None
    # pytest keeps this one folder tidy: all workers make theirs in it.
    config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined] # pytest does not declare it
    left = {item.nodeid: item.location for item in session.items}
    given = GivenOut(session.items)
    workers = dict(started(session, given) for _ in range(config.option.workers))
    try:
        while workers:
            for wire in wait(list(workers)):
                assert isinstance(wire, Connection)
                hear(wire, workers, left, config)
            if session.shouldfail:
                raise session.Failed(session.shouldfail)
    finally:
        for process in workers.values():
            process.terminate()
            process.join(20)
            process.kill()
    for name, place in left.items():
        lost = pytest.TestReport(name, place, {}, "failed", "the process that had this test ended before it", "call")
        config.hook.pytest_runtest_logreport(report=lost)
    return True


def started(session: pytest.Session, given: GivenOut) -> tuple[Connection, ForkProcess]:
    """Start a worker; return the end of a pipe on which it speaks."""
    here, there = FORK.Pipe(duplex=False)
    process = FORK.Process(target=work, args=(session, given, there))
    process.start()
    there.close()
    return here, process


def hear(
    wire: Connection, workers: dict[Connection, ForkProcess], left: dict[str, Place], config: pytest.Config
) -> None:
    """Take what a worker says: a report, or the name of a test that is over."""
    try:
        said = wire.recv()
    except EOFError:
        workers.pop(wire).join()
        return
    if isinstance(said, str):
        config.hook.pytest_runtest_logfinish(nodeid=said, location=left.pop(said))
    else:
        report = config.hook.pytest_report_from_serializable(config=config, data=said)
        config.hook.pytest_runtest_logreport(report=report)


def together_with(item: pytest.Item) -> str:
    """Return what tests have in common that go to one worker."""
    name, _, _ = item.nodeid.partition("::")
    return TOGETHER if name.startswith(TOGETHER) else name


class GivenOut(Iterator[pytest.Item]):
    """The tests, some of them for each of the processes that are forked hereafter."""

    def __init__(self, items: list[pytest.Item]) -> None:
        items = sorted(items, key=lambda item: not item.nodeid.startswith(FIRST))
        self._parts = []
        for together, group in groupby(items, key=together_with):
            tests = list(group)
            step = len(tests) if together == TOGETHER else AT_A_TIME
            self._parts += [tests[at : at + step] for at in range(0, len(tests), step)]
        self._given = FORK.Value("i", 0)  # one number for all processes
        self._mine: list[pytest.Item] = []

    def __next__(self) -> pytest.Item:
        """Take the next one."""
        if not self._mine:
            with self._given.get_lock():
                at = self._given.value
                self._given.value += 1
            if at >= len(self._parts):
                raise StopIteration
            self._mine = self._parts[at][::-1]
        return self._mine.pop()


class Reporter:
    """What a worker says of its tests."""

    def __init__(self, config: pytest.Config, say: Callable[[Any], None]) -> None:
        self._config = config
        self._say = say

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._say(self._config.hook.pytest_report_to_serializable(config=self._config, report=report))

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self._say(nodeid)


def work(session: pytest.Session, given: GivenOut, wire: Connection) -> None:
    """Run tests as long as there are any. The worker's code."""
    config = session.config
    config.pluginmanager.unregister(name="terminalreporter")
    capturing: Any = config.pluginmanager.getplugin("capturemanager")
    capturing.stop_global_capturing()
    capturing.start_global_capturing()  # into files of its own
    capturing.suspend_global_capture()
    config.pluginmanager.register(Reporter(config, wire.send))
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        item = next(given, None)
        while item is not None:
            after = next(given, None)
            config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            item = after
    except KeyboardInterrupt:
        session._setupstate.teardown_exact(None)
    finally:
        wire.close()
        os._exit(0)
