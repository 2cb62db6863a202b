"""What a whole test run prints besides its result."""

from __future__ import annotations

import pytest

from tests.meta.rule_ids import table


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the rule ids and how many of them have a test, when the tests of the project itself run."""
    named = [str(name) for name in config.invocation_params.args if not str(name).startswith("-")]
    if any("meta" in name for name in named) or not any("tests" in name for name in named):
        terminalreporter.section("rules of the ledger and their tests", sep="-")
        for line in table():
            terminalreporter.write_line(line)
