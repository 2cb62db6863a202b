"""Print every text that people read, with its place, feature by feature: `make texts`, or with words to look for.

python -m tests.texts            all of them
python -m tests.texts stones     those of the features whose name has `stones` in it
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
AREAS = ("bot", "cogs", "rules", "data")
# What the host's log, the database and patterns are made of is not read by players or GMs.
NOT_READ = {"compile", "execute", "BrokenInvariant", "debug", "info", "warning", "error", "exception", "critical"}
NOT_READ |= {"TypeVar", "fetch", "fetchone", "fetchall", "fullmatch", "match", "search", "sub", "split", "getLogger"}
PROSE = re.compile(r"[A-Za-z’']{2,}[,;:.]? [a-z]|^[A-Z][a-z]+[^a-z_]*[.?!]$|^[A-Z][a-z]+ [A-Z]?[a-z]+")
MACHINE = re.compile(
    r"^(SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|ALTER|PRAGMA|WHERE|ON CONFLICT|AND|ORDER BY)\b|^\W*\(\?|<svg|\[\["
)


class Text(NamedTuple):
    feature: str
    place: str
    words: str


def texts() -> Iterator[Text]:
    """Yield the texts of the whole product, with `{…}` for what is filled in."""
    for area in AREAS:
        for path in sorted((ROOT / area).rglob("*")):
            found = in_code(path.read_text("utf-8")) if path.suffix == ".py" else in_table(path)
            for line, words in found:
                name = path.relative_to(ROOT)
                yield Text(name.parent.as_posix(), f"{name.as_posix()}:{line}", words)


def in_code(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and words of what reads as a sentence or a part of one; neither docstrings nor the host's log."""
    left: list[ast.AST] = [ast.parse(source)]
    while left:
        node = left.pop()
        if isinstance(node, ast.Constant | ast.JoinedStr):
            words = _words(node)
            if PROSE.search(words) and not MACHINE.search(words):
                yield node.lineno, words
        elif not (isinstance(node, ast.Call) and _name(node.func) in NOT_READ):
            docstring = node.body[0] if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) else None
            left += [child for child in ast.iter_child_nodes(node) if child is not docstring][::-1]


_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def _name(func: ast.expr) -> str:
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")


def _words(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    pieces = (each.value if isinstance(each, ast.Constant) else "{…}" for each in node.values)
    return "".join(map(str, pieces))


def in_table(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and words of a TOML file's texts."""
    if path.suffix != ".toml":
        return
    source = path.read_text("utf-8")
    for words in _strings(tomllib.loads(source)):
        if PROSE.search(words):
            at = source.find(words[:40].split("\n")[0].replace('"', '\\"'))
            yield source.count("\n", 0, max(at, 0)) + 1, words


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)


def main(wanted: list[str]) -> None:
    shown = (each for each in texts() if not wanted or any(word in each.feature for word in wanted))
    for feature, group in groupby(shown, key=lambda each: each.feature):
        print(f"\n== {feature}")
        for each in group:
            print(f"{each.place}\n    {each.words.strip()}")


if __name__ == "__main__":
    main(sys.argv[1:])
