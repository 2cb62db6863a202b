"""What the program keeps for ever is bounded: nothing that people type fills a memory that never forgets."""

from __future__ import annotations

import ast

from tests.meta.sources import nodes, place, python_files

KNOWN = {
    "_declared": "fields of our own models",
    "_field": "fields of our own models",
    "system_page": "systems that there are",
    "translated": "statements of our own",
}
"""Functions that keep every answer although a text is asked, and whose texts those are."""


def test_no_function_keeps_every_text_that_it_was_ever_asked() -> None:
    found = {}
    for path in python_files("rules", "data", "bot", "cogs"):
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef) and _keeps_all(node) and any(map(_is_text, node.args.args)):
                found[node.name] = place(path, node.lineno)
    assert set(found) == set(KNOWN), found


def _keeps_all(function: ast.FunctionDef) -> bool:
    written = {ast.unparse(each) for each in function.decorator_list}
    return bool(written & {"cache", "functools.cache", "lru_cache(maxsize=None)"})


def _is_text(argument: ast.arg) -> bool:
    return argument.annotation is not None and "str" in ast.unparse(argument.annotation).split(" | ")
