"""The rule ids that tests prove: what a refusal's rule was compared with, or what was asserted of one that refuses not.

A rule that the code refuses by is proven by a comparison alone: `rule="ST-09"` of a call, an argument of something that
is `refused`, an operand of an assertion, a value of a parameter or a loop variable called `rule`, or `refuses` of a
case. A rule that refuses nothing (how dice are read, what a wound does) is proven by a case of its own, or by a test
that asserts and names it in its name or its docstring.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.meta.rule_ids import TESTS, ids_of, rule_files
from tests.meta.sources import ROOT, is_passed_over, parsed, place

_ID = re.compile(r"\b[A-Z]{1,2}-\d{2}\b")
_NAME = re.compile(r"^test_([a-z]{1,2})_(\d{2})_")
_NAMED = re.compile(r"def test_[a-z]{1,2}_\d{2}_")


def _ids(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        for each in ast.walk(node):
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                yield from _ID.findall(each.value)


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _is_of_one(node: ast.Compare) -> bool:
    """Tell whether a comparison is of a refusal: looking a rule up in the rulebook proves nothing."""
    words = [getattr(each, "attr", getattr(each, "id", "")) for each in ast.walk(node)]
    return any(word == "rule" or "refus" in str(word) for word in words)


def _names(node: ast.AST) -> set[str]:
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return names | {part.strip() for each in ast.walk(node) for part in _text(each).split(",")}


def _text(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def compared(tree: ast.AST) -> Iterator[str]:
    """Return the ids that something is compared with."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            yield from _ids(each for each in ast.walk(node.test) if isinstance(each, ast.Compare) and _is_of_one(each))
        elif isinstance(node, ast.Call):
            yield from _ids(word.value for word in node.keywords if word.arg in ("rule", "match"))
            if "refus" in _called(node):
                yield from _ids(node.args)
            elif _called(node) == "parametrize" and "rule" in _names(node.args[0]):
                yield from _ids(node.args[1:])
        elif isinstance(node, ast.For) and "rule" in _names(node.target):
            yield from _ids([node.iter])


def asserted(tree: ast.AST) -> Iterator[str]:
    """Return the ids that a test with an assertion names."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not node.name.startswith("test_"):
            continue
        if any(isinstance(each, ast.Assert) for each in ast.walk(node)):
            yield from (f"{prefix.upper()}-{number}" for prefix, number in _NAME.findall(node.name))
            yield from _ID.findall(ast.get_docstring(node) or "")


def _names_a_rule(path: Path) -> bool:
    """Tell whether a file can prove or cite a rule at all; the others are not parsed for it."""
    text = path.read_text("utf-8")
    return bool(_ID.search(text) or _NAMED.search(text))


def _files() -> Iterator[Path]:
    for path in sorted(TESTS.rglob("*.py")):
        own = path.relative_to(TESTS)
        if own.parts[0] != "meta" and not is_passed_over(own) and _names_a_rule(path):
            yield path


def _parts(path: Path) -> Iterator[tuple[str, ast.AST]]:
    """Return each test of a file by its place, then the whole file: a rule may be compared outside of its tests."""
    tree = parsed(path)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield f"{place(path)}::{node.name}", node
    yield place(path), tree


def _cases() -> Iterator[tuple[str, dict[str, object]]]:
    for path in sorted(TESTS.rglob("cases.toml")):
        for case in tomllib.loads(path.read_text("utf-8")).get("case", []):
            yield place(path), case


def _takes_any_text(node: ast.AST) -> bool:
    """Tell whether this is a field of a sheet that any text fits: its rule is told, and refuses nothing."""
    if not isinstance(node, ast.Call) or _called(node) != "Field":
        return False
    return any(isinstance(given, ast.Call) and _called(given) == "Text" for given in node.args)


def refusing(folder: Path) -> frozenset[str]:
    """Return the ids that code names outside of docstrings: what it can refuse by."""
    found: set[str] = set()
    for path in folder.rglob("*.py"):
        if not _names_a_rule(path):
            continue
        tree = parsed(path)
        prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        prose |= {id(word) for field in ast.walk(tree) if _takes_any_text(field) for word in ast.walk(field)}
        words = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in prose)
        found.update(text for node in words if _ID.fullmatch(text := _text(node)))
    return frozenset(found)


@cache
def proofs() -> dict[str, tuple[str, ...]]:
    """Return the tests of each proven rule: `tests/…/test_x.py::test_name`, or a file; comparisons first."""
    refuses = refusing(ROOT / "rules")
    strict: dict[str, dict[str, None]] = defaultdict(dict)
    told: dict[str, dict[str, None]] = defaultdict(dict)
    for path in _files():
        for where, part in _parts(path):
            for rule in compared(part):
                strict[rule][where] = None
            for rule in asserted(part):
                told[rule][where] = None
    for where, case in _cases():
        strict[str(case.get("refuses"))][where] = None
        told[str(case.get("rule"))][where] = None
    ids = strict.keys() | (told.keys() - refuses)
    return {rule: tuple({**strict[rule], **told[rule]}) for rule in ids}


def without_test() -> dict[str, tuple[str, ...]]:
    """Return the ids of each rules.toml that no test proves."""
    return {
        system: tuple(rule for rule in ids_of(path) if rule not in proofs()) for system, path in rule_files().items()
    }
