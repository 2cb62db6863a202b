"""No module needs itself, however long the way round: every import counts, those for types alone too."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from tests.meta.sources import ROOT, modules_imported, parsed, python_files


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def needs(trees: Mapping[str, ast.AST]) -> dict[str, set[str]]:
    """Map each module to those among them that it imports; a name out of a module counts as the module."""
    found: dict[str, set[str]] = {}
    for module, tree in trees.items():
        imported = [name for _, name in modules_imported(tree)]
        named = {name if name in trees else name.rpartition(".")[0] for name in imported}
        found[module] = {name for name in named if name in trees and name != module}
    return found


def reached(start: Iterable[str], imports: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = list(start)
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += imports[module]
    return found


def in_circles(imports: Mapping[str, set[str]]) -> set[str]:
    return {module for module, named in imports.items() if module in reached(named, imports)}


def by_folder(imports: Mapping[str, set[str]], folders: set[str]) -> dict[str, set[str]]:
    """Map each folder of an area, and each file that lies beside them, to those that it imports."""

    def folder(module: str) -> str:
        parts = module.split(".")
        return ".".join(parts[:2]) if len(parts) > 1 and parts[1] in folders else module

    found: dict[str, set[str]] = {folder(module): set() for module in imports}
    for module, named in imports.items():
        found[folder(module)] |= {folder(each) for each in named} - {folder(module)}
    return found


@pytest.mark.parametrize("area", ["rules", "data", "bot", "cogs"])
def test_no_module_needs_itself(area: str) -> None:
    trees = {module_of(path): parsed(path) for path in python_files(area)}
    assert in_circles(needs(trees)) == set()


def test_no_folder_of_the_bot_needs_itself() -> None:
    trees = {module_of(path): parsed(path) for path in python_files("bot")}
    folders = {path.name for path in (ROOT / "bot").iterdir() if path.is_dir()}
    assert in_circles(by_folder(needs(trees), folders)) == set()


def test_a_circle_of_folders_is_seen_where_no_file_needs_itself() -> None:
    imports = {"bot.a.x": {"bot.b.y"}, "bot.b.y": set(), "bot.b.z": {"bot.a.w"}, "bot.a.w": set(), "bot.c": {"bot.a.x"}}
    assert in_circles(imports) == set()
    assert in_circles(by_folder(imports, {"a", "b"})) == {"bot.a", "bot.b"}


def test_a_circle_is_seen_through_imports_for_types_and_inside_functions() -> None:
    trees = {
        "bot.a": ast.parse("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from bot.b import B"),
        "bot.b": ast.parse("def late():\n    from bot import c"),
        "bot.c": ast.parse("import bot.a\nimport bot.d"),
        "bot.d": ast.parse("import json"),
    }
    assert in_circles(needs(trees)) == {"bot.a", "bot.b", "bot.c"}
