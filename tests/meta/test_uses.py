"""What nobody calls is not there: each function, class, method and constant of the product is used by the product."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PARTS = ("bot", "cogs", "data", "rules")
OF_THE_LIBRARY = {"setup", "setup_hook", "before_identify_hook", "interaction_check", "help", "_size"}
"""What discord.py, aiohttp or pydantic know by its name, beside `on_…` and what a decorator takes."""
PLAIN = {"property", "cached_property", "staticmethod", "classmethod", "dataclass", "override", "per_state", "cache"}
"""Decorators after which somebody still has to call what they decorate."""
_DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def product() -> dict[Path, ast.Module]:
    paths = sorted(path for part in PARTS for path in (ROOT / part).rglob("*.py"))
    return {path: ast.parse(path.read_text()) for path in paths}


def named_in(tree: ast.AST) -> Iterator[str]:
    """Return every name that is read, or written as a word of its own in a string; to hand it on is no use of it."""
    handed_on = {id(each) for node in ast.walk(tree) if _is_all(node) for each in ast.walk(node)}
    for node in ast.walk(tree):
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


def definitions(tree: ast.Module) -> Iterator[str]:
    """Return what is defined without a decorator; events are known by their `kind`, so that old logs load."""
    for each in tree.body:
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name) and each.targets[0].id.isupper():
            yield each.targets[0].id
    for node in ast.walk(tree):
        if not isinstance(node, _DEFINES):
            continue
        decorated = [each for each in node.decorator_list if not _is_plain(each)]
        if decorated or _is_event(node) or node.name.startswith(("__", "on_")):
            continue
        yield node.name


def _is_plain(decorator: ast.expr) -> bool:
    found = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = found.attr if isinstance(found, ast.Attribute) else found.id if isinstance(found, ast.Name) else ""
    return name in PLAIN


def _is_event(node: ast.stmt) -> bool:
    return isinstance(node, ast.ClassDef) and any(
        isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and each.target.id == "kind"
        for each in node.body
    )


def test_what_the_product_defines_the_product_uses() -> None:
    trees = product()
    used = OF_THE_LIBRARY.union(*(named_in(tree) for tree in trees.values()))
    unused = [
        f"{path.relative_to(ROOT)}: {name}"
        for path, tree in trees.items()
        for name in definitions(tree)
        if name not in used
    ]
    assert unused == []


def test_what_the_product_keeps_the_product_reads() -> None:
    """A lever or a count that tests alone look at belongs to the tests."""
    trees = product().values()
    read = OF_THE_LIBRARY | {
        node.attr for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute) and _is_read(node)
    }
    kept = {
        node.attr
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and not _is_read(node) and _is_own(node)
    }
    assert sorted(kept - read) == []


def _is_read(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Load)


def _is_own(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "self"
