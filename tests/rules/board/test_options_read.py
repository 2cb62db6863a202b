"""What all systems share reads no option that a system may lack, and says what holds without it. Rule: G-06."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules.core.options import COMMON
from rules.core.reach import vision
from rules.core.registry import system_of
from rules.core.space.cells import parse_cell
from rules.errors import Refusal
from tests.rules.board.boards import draw
from tests.rules.kit.tables import KitGame
from tests.rules.table import Game

ROOT = Path(__file__).parents[3]
KIT = 'kit = 1\nid = "plain"\n'
READS = ("option_value", "option")
SHARED = [path for folder in ("rules/core", "bot", "cogs") for path in sorted((ROOT / folder).rglob("*.py"))]
SHEETS = {"classic": None, "adventurers": "STAMINA 10", "soulweaver": "ZEAL 2, MINOR 1", "kit": None}


def keys_read(tree: ast.AST) -> Iterator[str]:
    """Return the options that are read by name; one whose name is put together is told as its code."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and getattr(node.func, "attr", getattr(node.func, "id", "")) in READS
            and node.args
        ):
            key = node.args[-1]
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value
            elif isinstance(key, ast.JoinedStr):
                yield ast.unparse(key)


def test_shared_code_asks_for_no_option_that_a_system_may_lack() -> None:
    read = {(str(path.relative_to(ROOT)), key) for path in SHARED for key in keys_read(ast.parse(path.read_text()))}
    assert ("bot/render/prompt_board.py", "pictures") in read
    assert [each for each in sorted(read) if each[1] not in {option.key for option in COMMON}] == []


@pytest.mark.parametrize("system", SHEETS)
def test_without_an_option_of_sight_all_see_one_another_and_nobody_speaks_of_cover(system: str) -> None:
    game = KitGame(KIT) if system == "kit" else Game(system)
    assert "sight" not in {option.key for option in system_of(game.state).options}
    for name in ("Ogre", "Wolf"):
        game.do("Gwen", "gm add", name=name, sheet=SHEETS[system])
    game.do("Gwen", "board size", size="9x9")
    game.do("Gwen", "board place", target="Ogre, Wolf", cells="B2, G2")
    draw(game, "D1:D9/E", shape="edge")
    state = game.state
    assert vision.sees(state, "Ogre", "Wolf")
    assert vision.sees_cell(state, "Ogre", parse_cell("G3"))
    assert vision.cover_of(state, "Ogre", "Wolf") is None
    assert vision.cover_from_foes(state, "Ogre") is None
    assert (vision.cover_counted(state, "Ogre", "Wolf"), vision.cover_words(state, "Ogre", "Wolf")) == ("", "")
    assert isinstance(vision.unseen(state, "Ogre", "Wolf", ()), Refusal)
