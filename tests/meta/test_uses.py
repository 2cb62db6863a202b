"""What nobody calls is not there: each function, class, method and constant of the product is used by the product."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tests.meta.sources import nodes, parsed, place, python_files

PARTS = ("bot", "cogs", "data", "rules")
FROM_OUTSIDE = {("load_settings", "environment"), ("load_settings", "env_file")}
FROM_OUTSIDE |= {("unknown_names", "environment"), ("unknown_names", "env_file"), ("exposed", "env_file")}
FROM_OUTSIDE |= {("main", "arguments")}
"""What the program reads of the machine, and a test says instead."""
OF_THE_LIBRARY = {"setup", "setup_hook", "before_identify_hook", "interaction_check", "help", "_size"}
"""What discord.py, aiohttp or pydantic know by its name, beside `on_…` and what a decorator takes."""
PLAIN = {"property", "cached_property", "staticmethod", "classmethod", "dataclass", "override", "per_state", "cache"}
"""Decorators after which somebody still has to call what they decorate."""
_DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


PRODUCT = python_files(*PARTS)


def named_in(path: Path) -> Iterator[str]:
    """Return every name that is read, or is a whole word in a string; handing it on is no use of it."""
    handed_on = {id(each) for node in parsed(path).body if _is_all(node) for each in ast.walk(node)}
    for node in nodes(path):
        if id(node) in handed_on:
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            yield node.value


def _is_all(node: ast.AST) -> bool:
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__"


def definitions(path: Path) -> Iterator[str]:
    """Return what is defined without a decorator."""
    for each in parsed(path).body:
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name) and each.targets[0].id.isupper():
            yield each.targets[0].id
    for node in nodes(path):
        if not isinstance(node, _DEFINES):
            continue
        decorated = [each for each in node.decorator_list if not _is_plain(each)]
        if decorated or node.name.startswith(("__", "on_")):
            continue
        yield node.name


def _is_plain(decorator: ast.expr) -> bool:
    found = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = found.attr if isinstance(found, ast.Attribute) else found.id if isinstance(found, ast.Name) else ""
    return name in PLAIN


def test_what_the_product_defines_the_product_uses() -> None:
    used = OF_THE_LIBRARY.union(*map(named_in, PRODUCT))
    unused = [f"{place(path)}: {name}" for path in PRODUCT for name in definitions(path) if name not in used]
    assert unused == []


def test_what_the_product_keeps_the_product_reads() -> None:
    """A lever or a count that tests alone look at belongs to the tests."""
    attributes = [node for path in PRODUCT for node in nodes(path) if isinstance(node, ast.Attribute)]
    read = OF_THE_LIBRARY | {node.attr for node in attributes if _is_read(node)}
    kept = {node.attr for node in attributes if not _is_read(node) and _is_own(node)}
    assert sorted(kept - read) == []


def _is_read(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Load)


def _is_own(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "self"


def given(paths: Iterable[Path]) -> dict[str, tuple[set[str], int]]:
    """Map each name that is called to the words that calls give, and to the most values without one.

    What is handed over as a value may be given anything.
    """
    found: dict[str, tuple[set[str], int]] = {}
    for node in (each for path in paths for each in nodes(path) if isinstance(each, ast.Call)):
        name = _name(node.func)
        found |= {_name(each): ({"**"}, 0) for each in (*node.args, *(word.value for word in node.keywords))}
        words, most = found.get(name, (set(), 0))
        several = any(isinstance(each, ast.Starred) for each in node.args)
        words |= {each.arg or "**" for each in node.keywords}
        found[name] = words, max(most, 99 if several else len(node.args))
    return found


def parameters(path: Path) -> Iterator[tuple[str, str, int]]:
    """Return function, parameter and place of each parameter that may be left out; -1 is what needs its word."""
    for where in nodes(path):
        if not isinstance(where, ast.Module | ast.ClassDef):
            continue
        for node in where.body:
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not all(
                map(_is_plain, node.decorator_list)
            ):
                continue
            called = where.name if isinstance(where, ast.ClassDef) and node.name == "__init__" else node.name
            bound = isinstance(where, ast.ClassDef) and "staticmethod" not in map(_name, node.decorator_list)
            plain = [*node.args.posonlyargs, *node.args.args]
            first = len(plain) - len(node.args.defaults)
            yield from ((called, each.arg, at - bound) for at, each in enumerate(plain) if at >= first)
            worded = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            yield from ((called, each.arg, -1) for each, default in worded if default is not None)


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def test_no_parameter_is_there_for_tests_alone() -> None:
    by_product = given(PRODUCT)
    by_tests = given(python_files("tests"))

    def is_given(calls: Mapping[str, tuple[set[str], int]], called: str, name: str, at: int) -> bool:
        words, most = calls.get(called, (set[str](), 0))
        return bool({name, "**"} & words) or 0 <= at < most

    levers = {
        (called, name)
        for path in PRODUCT
        for called, name, at in parameters(path)
        if is_given(by_tests, called, name, at) and not is_given(by_product, called, name, at)
    }
    assert levers == FROM_OUTSIDE
