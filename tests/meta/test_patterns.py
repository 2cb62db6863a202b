"""No regular expression of the product can split one text in several ways: nobody's text holds the others up."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest

from rules.dice import forms, nearest
from rules.dice.written import aliases
from rules.systems.classic.abilities import DIALECT
from tests.meta.sources import ROOT, nodes, place, python_files
from tests.meta.splitting import split_in_several_ways

PRODUCT = ("bot", "cogs", "data", "rules")
FLAGS_AT = {"compile": 1, "match": 2, "fullmatch": 2, "search": 2, "split": 3, "findall": 2, "finditer": 2, "sub": 4}
LOOPS: Mapping[str, Iterable[tuple[str, object]]] = {  # texts that are used one after the other, or made of names
    "rules/core/typed/patterns.py": tuple((form.pattern, made) for form, made in DIALECT.forms),
    "rules/core/sheets/numbers.py": ((r"(?<=[-+*/(,] )(?:word|a word)(?!\w)|(?:word|a word)(?=\s*[-+*/])", ""),),
    "rules/dice/forms.py": tuple((form.pattern, written) for form, written in forms.REWRITTEN),
    "rules/dice/nearest.py": tuple((form.pattern, written) for form, written in nearest._SLIPS),
    "rules/dice/written/aliases.py": tuple((form.pattern, rolled) for form, rolled in aliases.every_alias()),
}


def patterns() -> Iterator[tuple[str, str, int]]:
    """Return each pattern with its place and flags. What is known only at run time is a mere word in it."""
    for path in python_files(*PRODUCT):
        calls = [found for node in nodes(path) if (found := _call_of_re(node)) is not None]
        if not calls:
            continue
        names = vars(importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts)))
        for function, call in calls:
            where = place(path, call.lineno)
            flags = [*call.args[FLAGS_AT[function] :], *(each.value for each in call.keywords if each.arg == "flags")]
            given = int(_value(flags[0], names)) if flags else 0
            looped = LOOPS.get(path.relative_to(ROOT).as_posix(), ())
            if isinstance(call.args[0], ast.Name) and call.args[0].id not in names:
                assert looped, f"{where}: which patterns?"
                yield from ((f"{where}: {pattern}", pattern, given) for pattern, _ in looped)
            elif isinstance(pattern := _value(call.args[0], names), str):
                yield where, pattern, given


def _call_of_re(node: ast.AST) -> tuple[str, ast.Call] | None:
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return None
    is_re = isinstance(node.func.value, ast.Name) and node.func.value.id == "re" and node.func.attr in FLAGS_AT
    return (node.func.attr, node) if is_re else None


def _value(node: ast.expr, names: dict[str, Any]) -> Any:
    if isinstance(node, ast.JoinedStr):
        return "".join(_written(each, names) for each in node.values)
    return eval(compile(ast.Expression(node), "pattern", "eval"), names)  # noqa: S307 - the repository's own text


def _written(node: ast.expr, names: dict[str, Any]) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    assert isinstance(node, ast.FormattedValue)
    try:
        return str(_value(node.value, names))
    except NameError:
        return "word"


def test_every_pattern_reads_a_text_in_one_way() -> None:
    told = {
        f"{where}: {pattern}": split_in_several_ways(pattern, flags)
        for where, pattern, flags in sorted(set(patterns()))
    }
    assert {where: why for where, why in told.items() if why} == {}


@pytest.mark.parametrize(
    "pattern",
    [
        "(1+)*", "(a*)*", "a*a*b", "(ab|a.)*", "(?:aa|a)*", "[a-z]+[a-zA-Z]+", r"(\w+\s?)*$", r"\s+(\S.*?)\s+toward",
        r"\s*-?\s*",
        r"(focus)?\s*(\d{1,6})\s*(mp)?(?:\s*[,+]?\s*(?:(focus)?\s*(\d{1,6})\s*(mp)?))*",
    ],
)  # fmt: skip
def test_a_pattern_that_splits_a_text_in_several_ways_is_found(pattern: str) -> None:
    assert split_in_several_ways(pattern)


@pytest.mark.parametrize("pattern", [r"\s*a\s*b", "(?:a,)*a", "[a-z]+[0-9]+", "(?:ab|a)*", r"\d{1,3} ?x?", r"[^:]*:.*"])
def test_a_pattern_that_reads_a_text_in_one_way_is_not(pattern: str) -> None:
    assert not split_in_several_ways(pattern)
