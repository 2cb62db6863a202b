"""What a whole test run prints besides its result."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

import pytest
from hypothesis import settings

from bot.__main__ import new_loop
from tests.meta.rule_proofs import table

# The same examples at every run, so that a red run is a change's own; HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile("same", derandomize=True)
settings.register_profile("explore", derandomize=False, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Give coroutines the event loop of the program itself."""
    return {"own": new_loop}


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the rule ids and how many of them have a test, when the tests of the project itself run."""
    named = [str(name) for name in config.invocation_params.args if not str(name).startswith("-")]
    if any("meta" in name for name in named) or not any("tests" in name for name in named):
        terminalreporter.section("rules of the ledger and their tests", sep="-")
        for line in table():
            terminalreporter.write_line(line)
