"""Whatever the board and its maps refuse says what would work (maps 10)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.meta.sources import parsed

ROOT = Path(__file__).parents[2]
REFUSALS = ("Malformed", "Illegal")
FOLDERS = ("rules/core/board", "rules/core/maps", "rules/core/reach", "rules/core/space")
FILES = (
    *(f"rules/core/commands/{name}.py" for name in ("backgrounds", "boards", "doors", "fog", "maps", "moving")),
    *(f"bot/features/{name}.py" for name in ("board_choices", "board_looks", "maps")),
    "bot/table/ground.py",
)
SOURCES = sorted((*(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")), *(ROOT / f for f in FILES)))


def refusals_without_a_way_on(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in REFUSALS:
            given = {each.arg: each.value for each in node.keywords}
            instead = given.get("instead")
            if instead is None or (isinstance(instead, ast.Constant) and not instead.value):
                yield node.lineno


@pytest.mark.parametrize("path", SOURCES, ids=[str(path.relative_to(ROOT)) for path in SOURCES])
def test_a_refusal_of_the_board_says_what_would_work(path: Path) -> None:
    assert list(refusals_without_a_way_on(parsed(path))) == []
