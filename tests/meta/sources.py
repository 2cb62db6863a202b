"""The project's own files, as the tests of this folder read them."""

from __future__ import annotations

import ast
import gc
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
AREAS = ("rules", "data", "bot", "cogs", "tests")
NOT_OURS = ("__pycache__", "node_modules")


@cache
def project_files() -> tuple[Path, ...]:
    """Return what belongs to the project: what git keeps; outside a clone everything that is not hidden."""
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        found = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    else:
        found = [path for path in ROOT.rglob("*") if not is_passed_over(path.relative_to(ROOT))]
    return tuple(sorted(path for path in found if path.is_file()))


def is_passed_over(path: Path) -> bool:
    return any(part.startswith(".") or part in NOT_OURS for part in path.parts)


def python_files(*areas: str) -> tuple[Path, ...]:
    """Return the Python files of these areas, whether git has them yet or not."""
    found = (path for area in areas for path in (ROOT / area).rglob("*.py"))
    return tuple(sorted(path for path in found if not is_passed_over(path.relative_to(ROOT))))


def place(path: Path, line: int | None = None) -> str:
    """Return a place as people look it up: `rules/core/step.py:12`."""
    return f"{path.relative_to(ROOT).as_posix()}" + ("" if line is None else f":{line}")


def text_of(path: Path) -> str | None:
    """Return a file's text; None if it is no text."""
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        return None


def modules_imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """List each imported module with its line; `from a import b` counts as `a.b`, so that a submodule is seen."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"


@cache
def parsed(path: Path) -> ast.Module:
    """Return a file's tree. The tests of this folder share it: nobody changes one."""
    with kept():
        return ast.parse(path.read_text("utf-8"), str(path))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a file."""
    tree = parsed(path)
    with kept():
        return tuple(ast.walk(tree))


@contextmanager
def kept() -> Iterator[None]:
    """Keep from the collector of rubbish what is made here: all trees are a million and a half things that stay."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


@cache
def imports_of(path: Path) -> tuple[tuple[int, str], ...]:
    """Return each module that a file imports, with its line."""
    return tuple(modules_imported(parsed(path)))
