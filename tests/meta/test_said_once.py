"""A refusal that is said in several places is one function: its words are written once in the whole product."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from tests.meta.sources import nodes, place, python_files

REFUSALS = {"Ambiguous", "BeyondLimit", "Illegal", "Malformed", "NotPossible", "Refusal", "StoreFailure"}
REFUSALS |= {"CannotSend", "MistakenKit", "ValueError"}


def said(of_file: Iterable[ast.AST]) -> Iterator[tuple[str, int]]:
    """Yield the words of each refusal that is made, with `…` for what is filled in, and its line."""
    for node in of_file:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in REFUSALS and node.args:
            parts = [each for each in ast.walk(node.args[0]) if isinstance(each, ast.Constant | ast.JoinedStr)]
            inner = {id(piece) for each in parts if isinstance(each, ast.JoinedStr) for piece in each.values}
            for words in parts:
                pieces = words.values if isinstance(words, ast.JoinedStr) else [words]
                text = "".join(str(each.value) if isinstance(each, ast.Constant) else "…" for each in pieces)
                if id(words) not in inner and is_sentence(text):
                    yield text, node.lineno


def is_sentence(text: str) -> bool:
    """Tell whether it has more words than values: `… is …` with two names has not."""
    return text.endswith(".") and len(re.findall(r"[A-Za-z']{2,}", text)) > max(1, text.count("…"))


def doubled(files: Mapping[str, Iterable[ast.AST]]) -> list[str]:
    found = defaultdict(list)
    for name, of_file in files.items():
        for text, line in said(of_file):
            found[text].append(f"{name}:{line}")
    return [f"{text} ({', '.join(places)})" for text, places in found.items() if len(places) > 1]


def doubled_in(**sources: str) -> list[str]:
    return doubled({name: tuple(ast.walk(ast.parse(source))) for name, source in sources.items()})


def test_the_words_of_a_refusal_are_written_once() -> None:
    found = doubled({place(path): nodes(path) for path in python_files("bot", "cogs", "data", "rules")})
    assert not found, "make each a function (rules/core/refusals.py, or one of the system's own):\n" + "\n".join(found)


def test_words_that_are_written_twice_are_found() -> None:
    either = 'Illegal("Nobody is here." if alone else f"{who} is out.")'
    assert len(doubled_in(a=either, b=either)) == 2
    twice = 'raise Illegal(f"{who} is not on the board.")'
    assert doubled_in(a=twice, b=twice.replace("who", "each")) == ["… is not on the board. (a:1, b:1)"]
    assert not doubled_in(a='Illegal(f"{who} is {what}.")', b='Illegal(f"{who} is {what}.")')
