"""A refusal that is said in several places is one function: its words are written once in the whole product."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

REFUSALS = {"Ambiguous", "BeyondLimit", "Illegal", "Malformed", "NotPossible", "Refusal", "StoreFailure"}
REFUSALS |= {"CannotSend", "MistakenKit", "ValueError"}
HERE = Path(__file__).parents[2]


def said(source: str) -> Iterator[tuple[str, int]]:
    """Yield the words of each refusal that is made, with `…` for what is filled in, and its line."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in REFUSALS and node.args:
            parts = [each for each in ast.walk(node.args[0]) if isinstance(each, ast.Constant | ast.JoinedStr)]
            inner = {id(piece) for each in parts if isinstance(each, ast.JoinedStr) for piece in each.values}
            for words in parts:
                pieces = words.values if isinstance(words, ast.JoinedStr) else [words]
                text = "".join(str(each.value) if isinstance(each, ast.Constant) else "…" for each in pieces)
                if id(words) not in inner and is_sentence(text):
                    yield text, node.lineno


def is_sentence(text: str) -> bool:
    """Tell whether more words than values stand in it: `… is …` with two names is none."""
    return text.endswith(".") and len(re.findall(r"[A-Za-z']{2,}", text)) > max(1, text.count("…"))


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
    either = 'Illegal("Nobody is here." if alone else f"{who} is out.")'
    assert len(doubled({"a.py": either, "b.py": either})) == 2
    twice = 'raise Illegal(f"{who} is not on the board.")'
    assert doubled({"a.py": twice, "b.py": twice.replace("who", "each")}) == ["… is not on the board. (a.py:1, b.py:1)"]
    assert not doubled({"a.py": 'Illegal(f"{who} is {what}.")', "b.py": 'Illegal(f"{who} is {what}.")'})
