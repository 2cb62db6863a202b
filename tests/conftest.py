"""What all tests share: the examples of hypothesis, the program's event loop, a PostgreSQL."""

from __future__ import annotations

import asyncio
import gc
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from pydantic import SecretStr

from bot.running import new_loop
from tests.patience import patient
from tests.postgres import Cluster, NoServer, Server, cluster, server
from tests.quick_disk import quick_disk

pytest_plugins = ("tests.workers",)

ROOT = Path(__file__).parents[1]
T = TypeVar("T")

# What `make prove` does and `make test` leaves out: whole folders and files of long tests, but for a sample of
# each kind. Besides, `make prove` plays at random, and opens the store in PostgreSQL, where `make test` opens it in a
# file. It plays two seeds; one if a test plays each of many tables. A few tests have a mark.
PROVEN = (
    "tests/e2e/outages/", "tests/e2e/page/", "tests/e2e/test_evening.py", "tests/e2e/test_numbers.py",
    "tests/e2e/test_passes.py", "tests/e2e/test_prompt_pictures.py", "tests/e2e/test_put_out.py",
    "tests/e2e/test_reminders.py", "tests/e2e/test_wheel.py", "tests/gallery/", "tests/local/test_page.py",
    "tests/properties/test_menus_ahead.py", "tests/properties/test_untold.py",
    "tests/reminders/test_pace.py", "tests/reminders/test_silence.py",
    "tests/reminders/test_silent_kits.py",
    "tests/rules/core/test_bounds.py", "tests/rules/core/test_reading_costs.py", "tests/rules/kit/test_appendix.py",
    "tests/rules/kit/test_playing.py",
    "tests/store/postgres/", "tests/store/test_guards.py", "tests/store/test_newer_documents.py",
    "tests/store/test_portable.py", "tests/store/test_size.py",
    "tests/trust/",
)  # fmt: skip
STANDS_FOR_THE_REST = (
    "tests/e2e/outages/test_restart.py", "tests/e2e/page/test_page_fight.py",
)  # fmt: skip
PROVEN_SEEDS = 2
# `make trust` plays all seeds, so many times as many, and what has the mark `trust`, which no other command plays.
TIMES = int(os.environ.get("TIMES_AS_MANY_SEEDS", "1"))
# What plays whole tables in every system, kit, or way of turns: `make test` plays two of each, `make prove` the rest.
TABLES = (
    "tests/features/kit/test_kit_tables.py", "tests/features/tables/",
    "tests/features/test_init_next.py", "tests/features/test_turns_seen.py", "tests/properties/",
)  # fmt: skip
QUICK = {"classic", "soulweaver", "side-phases", "zipper", "alternate", "sides"}
# What uses a real clock, a browser or several processes: when such a test is red beside others, `.ci/run` runs it once
# more, alone, and believes that. No other test has a second run.
DISTURBED = (
    "tests/e2e/", "tests/gallery/", "tests/local/", "tests/reminders/", "tests/store/postgres/",
    "tests/store/test_kills.py", "tests/store/test_portable.py", "tests/trust/own/",
)  # fmt: skip
# Only a file that names what parts a test between the two commands can hold tests of `make prove`.
PARTED_BY = re.compile(r"\b(?:seed|place|mark\.prove)\b")

# Collecting makes many small things that stay: nothing of it is rubbish.
gc.disable()

# The same examples at every run, so that a red run is a change's own; HYPOTHESIS_PROFILE=explore looks for new ones.
# Neither has a limit of time: a busy machine is no mistake.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", settings.get_profile("untimed"), derandomize=True)
settings.register_profile("explore", settings.get_profile("untimed"), derandomize=False, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Read no file that has nothing for this command: reading them all takes longer than many tests."""
    wanted = config.getoption("markexpr")
    if wanted not in {"prove", "not prove"} or collection_path.suffix != ".py":
        return None
    is_left_out = not may_hold_proven(collection_path) if wanted == "prove" else in_proven_file(collection_path)
    return is_left_out or None


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each test that is played with several seeds those of this command."""
    given = [mark for mark in metafunc.definition.own_markers if mark.name == "parametrize"]
    proven = 1 if any(table in mark.args[0] for mark in given for table in ("system", "kit")) else PROVEN_SEEDS
    for at, mark in enumerate(metafunc.definition.own_markers):
        if mark.name == "parametrize" and mark.args[0] == "seed":
            seeds = range(TIMES * len(mark.args[1])) if TIMES > 1 else mark.args[1][:proven]
            metafunc.definition.own_markers[at] = pytest.mark.parametrize("seed", seeds).mark


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Part the tests between the commands: each belongs to one of them."""
    wanted = {item for item in items if is_trusted(item) == (TIMES > 1)}
    config.hook.pytest_deselected(items=[item for item in items if item not in wanted])
    items[:] = [item for item in items if item in wanted]
    for item in items:
        if is_proven(item):
            assert may_hold_proven(item.path), f"{item.nodeid} is for `make prove`, which does not read this file"
            item.add_marker(pytest.mark.prove)


def pytest_collection_finish() -> None:
    """Let the collector of rubbish never look at the tests themselves."""
    gc.freeze()
    gc.enable()


def is_trusted(item: pytest.Item) -> bool:
    """Tell whether a test is for `make trust`, which plays all seeds and only what the others leave out."""
    return item.get_closest_marker("trust") is not None or (TIMES > 1 and "seed" in params_of(item))


def is_proven(item: pytest.Item) -> bool:
    """Tell whether a test is for `make prove`."""
    if item.get_closest_marker("prove") is not None:
        return True
    given = params_of(item)
    if given.get("place") == "postgres" or isinstance(given.get("seed"), int):
        return True
    if is_table(item.path) and {given[key] for key in ("system", "way") if key in given} - QUICK:
        return True
    return in_proven_file(item.path)


def params_of(item: pytest.Item) -> Mapping[str, Any]:
    """Return what a test was given by name."""
    call = getattr(item, "callspec", None)
    return {} if call is None else call.params


def is_table(path: Path) -> bool:
    """Tell whether a file plays whole tables."""
    return path.relative_to(ROOT).as_posix().startswith(TABLES)


def in_proven_file(path: Path) -> bool:
    """Tell whether all tests of a file are for `make prove`."""
    name = path.relative_to(ROOT).as_posix()
    return name.startswith(PROVEN) and name not in STANDS_FOR_THE_REST


def may_hold_proven(path: Path) -> bool:
    """Tell whether a file can hold tests for `make prove`."""
    return in_proven_file(path) or is_table(path) or PARTED_BY.search(path.read_text("utf-8")) is not None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, exitstatus: pytest.ExitCode) -> None:
    """Name the red tests for `.ci/run` in the file RED, if a busy machine may disturb each and all else passed."""
    if "RED" in os.environ:
        red = {report.nodeid for kind in ("failed", "error") for report in terminalreporter.getreports(kind)}
        is_disturbed = exitstatus == pytest.ExitCode.TESTS_FAILED and all(name.startswith(DISTURBED) for name in red)
        Path(os.environ["RED"]).write_text("\n".join(sorted(red)) if is_disturbed else "", "utf-8")


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Give coroutines the event loop of the program itself."""
    return {"own": new_loop}


@pytest.fixture(autouse=True, scope="session")
def _patient() -> Iterator[None]:
    """Let answers be late; tests of a limit set it themselves."""
    with patient():
        yield


@pytest.fixture(autouse=True, scope="session")
def _quick_disk() -> Iterator[None]:
    """Let no test wait for the disk."""
    with quick_disk():
        yield


@pytest.fixture(autouse=True, scope="session")
def _one_browser() -> Iterator[None]:
    """Let the tests of a process open their pages in one browser, and end it."""
    yield
    chromium = sys.modules.get("tests.e2e.page.chromium")
    if chromium is not None:
        chromium.end_browser()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL of this run's own. CI sets REQUIRE_POSTGRES: there a test that cannot have it fails."""
    yield from _had(server())


@pytest.fixture
def postgres_cluster() -> Iterator[Cluster]:
    """A PostgreSQL of one test's own, which may die."""
    with tempfile.TemporaryDirectory(prefix="referee-postgres-") as folder:
        yield from _had(cluster(Path(folder)))


def _had(running: AbstractContextManager[T]) -> Iterator[T]:
    with ExitStack() as stack:
        try:
            started = stack.enter_context(running)
        except NoServer as error:
            if os.environ.get("REQUIRE_POSTGRES"):
                pytest.fail(f"PostgreSQL is required here: {error}")
            pytest.skip(f"needs PostgreSQL: {error}")
        yield started


@pytest.fixture
def postgres_place(postgres: Server) -> Iterator[SecretStr]:
    """A new database with the newest schema."""
    with postgres.database() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | SecretStr:
    """The database of a store: a new file, and a new database of PostgreSQL."""
    if request.param == "sqlite":
        return tmp_path / "r.sqlite3"
    url = request.getfixturevalue("postgres_place")
    assert isinstance(url, SecretStr)
    return url
