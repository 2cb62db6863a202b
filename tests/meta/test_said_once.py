"""A refusal that is said in several places is one function: its words are written once in the whole product."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

REFUSALS = {"Ambiguous", "Illegal", "Malformed", "Refusal", "StoreFailure"}
FEWEST = 3  # words that make a sentence; `… is …` with two names is none
HERE = Path(__file__).parents[2]


def said(source: str) -> Iterator[tuple[str, int]]:
    """Yield the words of each refusal that is made, with `…` for what is filled in, and its line."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in REFUSALS and node.args:
            words = node.args[0]
            pieces = words.values if isinstance(words, ast.JoinedStr) else [words]
            text = "".join(str(each.value) if isinstance(each, ast.Constant) else "…" for each in pieces)
            if len(re.findall(r"[A-Za-z']{2,}", text)) >= FEWEST:
                yield text, node.lineno


def doubled(files: dict[str, str]) -> list[str]:
    found = defaultdict(list)
    for name, source in files.items():
        for text, line in said(source):
            found[text].append(f"{name}:{line}")
    return [f"{text} ({', '.join(places)})" for text, places in found.items() if len(places) > 1]


def test_the_words_of_a_refusal_are_written_once() -> None:
    files = [path for room in ("bot", "cogs", "data", "rules") for path in (HERE / room).rglob("*.py")]
    found = doubled({str(path.relative_to(HERE)): path.read_text() for path in files})
    assert not found, "make each a function (rules/core/refusals.py, or one of the system's own):\n" + "\n".join(found)


def test_words_that_are_written_twice_are_found() -> None:
    twice = 'raise Illegal(f"{who} is not on the board.")'
    assert doubled({"a.py": twice, "b.py": twice.replace("who", "each")}) == ["… is not on the board. (a.py:1, b.py:1)"]
    assert not doubled({"a.py": 'Illegal(f"{who} is {what}.")', "b.py": 'Illegal(f"{who} is {what}.")'})
