"""Imports point down: cogs, bot, data, rules. The rules are pure."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.meta.sources import ROOT, imports_of, modules_imported, nodes, parsed, place, python_files

MOST_NAMES = 12
OWN = ("rules", "data", "bot", "cogs", "tests")
BELOW = {"rules": (), "data": ("rules",), "bot": ("data", "rules"), "cogs": ("bot", "data", "rules")}
WHOLE_CLIENT = {"Client", "AutoShardedClient", "Bot", "AutoShardedBot", "RefereeClient"}
BY_NAME = {"bot/local/tryit.py"}  # the simplest system is first in the list to try
# Who decides a command beside a table, to look at it or to time it, or makes bytes of a fuzzer to one.
TRIALS = {
    "tests/bench/kits.py", "tests/features/test_init_next.py",
    "tests/rules/core/test_rights.py", "tests/trust/stage/parsers.py", "tests/trust/twins.py",
}  # fmt: skip
# What would let chance, the clock, the disk or the network into the rules.
IMPURE_MODULES = {
    "asyncio", "concurrent", "http", "io", "logging", "multiprocessing", "os", "pathlib", "random", "secrets", "select",
    "shutil", "signal", "socket", "sqlite3", "ssl", "subprocess", "tempfile", "threading", "time", "urllib", "uuid",
}  # fmt: skip
IMPURE_NAMES = {"open", "print", "input", "eval", "exec", "breakpoint"}
IMPURE_CALLS = {"now", "utcnow", "today", "urandom", "read_text", "read_bytes", "write_text", "write_bytes"}


def upward(area: str, path: Path) -> list[str]:
    allowed = {area, *BELOW[area]}
    return [
        f"{place(path, line)} imports {module}"
        for line, module in imports_of(path)
        if module.split(".")[0] in OWN and module.split(".")[0] not in allowed
    ]


@pytest.mark.parametrize("area", list(BELOW))
def test_imports_point_down(area: str) -> None:
    files = python_files(area)
    assert files
    assert [fault for path in files for fault in upward(area, path)] == []


def test_rules_import_the_standard_library_and_pydantic_alone() -> None:
    allowed = {*sys.stdlib_module_names, "pydantic", "rules"} - IMPURE_MODULES
    faults = [
        f"{place(path, line)} imports {module}"
        for path in python_files("rules")
        for line, module in imports_of(path)
        if module.split(".")[0] not in allowed
    ]
    assert faults == []


def test_one_file_alone_writes_rows_of_the_log() -> None:
    writers = {
        path.relative_to(ROOT).as_posix()
        for path in python_files("bot", "cogs")
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"Commit", "LogWrite"}
    }
    assert writers == {"bot/table/writer.py"}


def test_nobody_is_given_the_whole_client_who_needs_a_part_of_it() -> None:
    """Who starts it has it, and what is before it.

    All others take an `Api` for requests, `Places` for what Discord has told, and what they need.
    """
    given = {
        path.relative_to(ROOT).as_posix()
        for path in python_files("bot")
        for node in nodes(path)
        if isinstance(node, ast.arg)
        and node.annotation is not None
        and ast.unparse(node.annotation).rpartition(".")[2] in WHOLE_CLIENT
    }
    assert given == {"bot/running.py", "bot/requests/api.py", "bot/requests/places.py"}


def impure_uses(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            if isinstance(function, ast.Name) and function.id in IMPURE_NAMES:
                yield node.lineno, function.id
            elif isinstance(function, ast.Attribute) and function.attr in IMPURE_CALLS:
                yield node.lineno, function.attr


def test_rules_read_no_clock_no_disk_and_no_chance_of_their_own() -> None:
    faults = [
        f"{place(path, line)} calls {name}"
        for path in python_files("rules")
        for line, name in impure_uses(parsed(path))
    ]
    assert faults == []


def test_nothing_outside_a_system_asks_which_system_it_is() -> None:
    systems = {path.parent.name for path in (ROOT / "rules" / "systems").glob("*/__init__.py")}
    faults = [
        f"{place(path, word.lineno)} says {word.value!r}"
        for path in python_files("rules/core", "rules/dice", "data", "cogs", "bot")
        if path.relative_to(ROOT).as_posix() not in BY_NAME
        for node in nodes(path)
        if isinstance(node, ast.Compare | ast.Match)
        for word in ast.walk(node)
        if isinstance(word, ast.Constant) and word.value in systems
    ]
    assert faults == []


def test_nobody_imports_a_long_list_of_names() -> None:
    """Who needs so much of a module imports the module, so that each name says its origin."""
    long = [
        f"{place(path, node.lineno)} takes {len(node.names)} names of {node.module}"
        for path in python_files("rules", "data", "bot", "cogs")
        for node in nodes(path)
        if isinstance(node, ast.ImportFrom) and len(node.names) > MOST_NAMES and not _is_package(str(node.module))
    ]
    assert long == []


def _is_package(module: str) -> bool:
    return (ROOT / Path(*module.split(".")) / "__init__.py").exists()


def test_no_test_borrows_from_another_test_file() -> None:
    """What two files of tests need is in a file of its own, in the expected place."""
    borrowed = [
        f"{place(path, line)} imports {module}"
        for path in python_files("tests")
        for line, module in imports_of(path)
        if module.startswith("tests.") and any(part.startswith("test_") for part in module.split(".")[1:])
    ]
    assert borrowed == []


def test_a_table_is_driven_in_one_of_three_ways() -> None:
    """The rules alone, the bot without a connection, the real client: everything that plays is built on these.

    No test builds the table service alone: it takes the whole bot from `tests/wire.py`.
    """
    assert callers_of("rules.core.commands.decide") - TRIALS == {"tests/rules/table.py"}
    assert callers_of("bot.table.service.Tables") == set()
    assert callers_of("bot.discord.client.RefereeClient") == {"tests/e2e/referee.py"}


def callers_of(maker: str) -> set[str]:
    """Return the files of the tests that import something and call it."""
    name = maker.rpartition(".")[2]
    return {
        path.relative_to(ROOT).as_posix()
        for path in python_files("tests")
        if any(module == maker for _, module in imports_of(path))
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
    }


def test_no_system_imports_another() -> None:
    faults = []
    for folder in sorted((ROOT / "rules" / "systems").glob("*/")):
        own = f"rules.systems.{folder.name}"
        for path in sorted(folder.rglob("*.py")):
            faults += [
                f"{place(path, line)} imports {module}"
                for line, module in imports_of(path)
                if module.startswith("rules.systems.") and not f"{module}.".startswith(f"{own}.")
            ]
    assert faults == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import random", ["random"]),
        ("from datetime import datetime", ["datetime.datetime"]),
        ("def late() -> None:\n    from bot import table", ["bot.table"]),
    ],
)
def test_the_fence_sees_every_form_of_import(source: str, found: list[str]) -> None:
    assert [module for _, module in modules_imported(ast.parse(source))] == found


def test_the_fence_sees_the_clock() -> None:
    assert [name for _, name in impure_uses(ast.parse("x = datetime.now()\ny = open('f')"))] == ["now", "open"]
