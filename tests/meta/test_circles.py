"""No module needs itself, however long the way round: every import counts, those for types alone too."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from functools import cache
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


@cache
def imports_in(area: str) -> dict[str, set[str]]:
    return needs({module_of(path): parsed(path) for path in python_files(area)})


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


def rooms_of(folder: str, imports: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Map each room of a folder, a file or a folder in it, to those beside it that it needs."""
    inside = f"{folder}."

    def room(module: str) -> str:
        return inside + module.removeprefix(inside).split(".")[0]

    found: dict[str, set[str]] = {}
    for module, named in imports.items():
        if module.startswith(inside):
            beside = {room(each) for each in named if each.startswith(inside)}
            found.setdefault(room(module), set()).update(beside - {room(module)})
    return found


@pytest.mark.parametrize("area", ["rules", "data", "bot", "cogs"])
def test_no_module_needs_itself(area: str) -> None:
    assert in_circles(imports_in(area)) == set()


@pytest.mark.parametrize("area", ["rules", "data", "bot", "cogs"])
def test_no_folder_needs_itself_through_its_neighbours(area: str) -> None:
    """A folder counts as one: of what lies beside each other nothing needs itself through its neighbours."""
    imports = imports_in(area)
    folders = {".".join(path.parent.relative_to(ROOT).parts) for path in python_files(area)}
    circles = {folder: in_circles(rooms_of(folder, imports)) for folder in sorted(folders)}
    assert {folder: rooms for folder, rooms in circles.items() if rooms} == {}


def test_a_circle_of_folders_is_seen_if_no_file_needs_itself() -> None:
    imports = {"bot.a.x": {"bot.b.y"}, "bot.b.y": set(), "bot.b.z": {"bot.a.w"}, "bot.a.w": set(), "bot.c": {"bot.a.x"}}
    assert in_circles(imports) == set()
    assert in_circles(rooms_of("bot", imports)) == {"bot.a", "bot.b"}


def test_a_circle_is_seen_through_imports_for_types_and_inside_functions() -> None:
    trees = {
        "bot.a": ast.parse("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from bot.b import B"),
        "bot.b": ast.parse("def late():\n    from bot import c"),
        "bot.c": ast.parse("import bot.a\nimport bot.d"),
        "bot.d": ast.parse("import json"),
    }
    assert in_circles(needs(trees)) == {"bot.a", "bot.b", "bot.c"}
