"""One word means one thing: `docs/contract/words.md` lists the words, and the names that nothing has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.meta.sources import ROOT, nodes, place, python_files, text_of

PAGE = (ROOT / "docs" / "contract" / "words.md").read_text("utf-8")
MEANT, REFUSED = PAGE.split("## What a word is not called")
_ROW = re.compile(r"^\| (.+?) \| (.+) \|$", re.MULTILINE)


def rows(part: str) -> dict[str, str]:
    """Return a table of the page, without its head."""
    return dict(_ROW.findall(part)[2:])


def refused() -> frozenset[str]:
    return frozenset(word for cell in rows(REFUSED) for word in re.findall(r"`(\w+)`", cell))


def named(node: ast.AST) -> str | None:
    """Return the name that something is given here; None of what gives no name."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return node.name
    if isinstance(node, ast.arg):
        return node.arg
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) else None


def misnamed(path: Path) -> Iterator[str]:
    for node in nodes(path):
        name = named(node)
        if name is not None and name.lstrip("_") in refused():
            yield f"{place(path, getattr(node, 'lineno', None))}: {name}"


def test_nothing_has_a_name_that_is_refused() -> None:
    assert [wrong for path in python_files("bot", "cogs", "data") for wrong in misnamed(path)] == []


@pytest.mark.parametrize(
    "text", ["held = 1", "def f(held): ...", "for _held in (): ...", "class Ways: ...", "self.asides = 1"]
)
def test_a_refused_name_is_found_wherever_it_is_given(text: str) -> None:
    assert {name for node in ast.walk(ast.parse(text)) if (name := named(node))} & {*refused(), "_held"}


def test_a_word_is_listed_once_and_its_types_exist() -> None:
    words = [word.strip() for cell in rows(MEANT) for word in cell.split(",")]
    assert len(words) == len(set(words))
    code = "\n".join(text_of(path) or "" for path in python_files("rules", "bot", "data"))
    types = {
        word for said in (*rows(MEANT).values(), *rows(REFUSED).values()) for word in re.findall(r"`([A-Z]\w+)`", said)
    }
    assert [word for word in sorted(types) if not re.search(rf"^class {word}\b", code, re.MULTILINE)] == []
