"""Every message that the reader of a kit's file can give, taken from its code, and what the tests expect of them."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import rules.kits

CODE = Path(rules.kits.__file__).parent
TESTS = Path(__file__).parents[1]
CASES = Path(__file__).with_name("messages.toml")
_NOT_READING = ("library.py", "dry_run.py", "speech.py", "compiled.py")


class Message(NamedTuple):
    """A message's place, and what it looks like; what is filled in may be anything."""

    place: str
    pattern: str


def messages() -> Iterator[Message]:
    """Go through what the reader says: of `faults.add`, of a `Mistake`, of a `ValueError`, of its tables of words."""
    for path in sorted(CODE.glob("*.py")):
        if path.name in _NOT_READING:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            for pattern in _of(node, path.name):
                if re.search("[a-z]{2}", pattern.replace(".*", "")):
                    yield Message(f"{path.name}:{getattr(node, 'lineno', 0)}", pattern)


def _of(node: ast.AST, file: str) -> list[str]:
    """Return the patterns of what a piece of code says."""
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in ("add", "Mistake") and len(node.args) == 2:
            return _patterns(node.args[1])
        if name == "ValueError" and node.args:
            return _patterns(node.args[0])
        if name == "_is_not":
            return [rf".* is not {pattern}\." for pattern in _patterns(node.args[1])]
    if file == "notes.py" and isinstance(node, ast.Yield) and node.value is not None:
        return _patterns(node.value)
    if file == "document.py" and isinstance(node, ast.Tuple) and len(node.elts) == 2:  # what a parser says in our words
        words = [pattern for pattern in _patterns(node.elts[1]) if "\\ " in pattern]
        return [rf"Line \d+, character \d+: {pattern}\." for pattern in words]
    return []


def _patterns(said: ast.expr) -> list[str]:
    """Return the patterns of an expression: two if it is one of two texts."""
    if isinstance(said, ast.IfExp):
        return [*_patterns(said.body), *_patterns(said.orelse)]
    if isinstance(said, ast.Constant) and isinstance(said.value, str):
        return [re.escape(said.value)]
    if isinstance(said, ast.JoinedStr):
        return ["".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".*" for part in said.values)]
    return []


def expected() -> set[str]:
    """Return every text that is in the tests of kits."""
    of_files = {told for held in tomllib.loads(CASES.read_text("utf-8")).values() for _, told in held.values()}
    return of_files | {
        node.value
        for path in TESTS.rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
