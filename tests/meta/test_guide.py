"""The guide's system works as it is there: written into a folder, found, played."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rules.core.registry import system_of
from rules.core.values import Question
from tests.guide import GUIDE, guide_system
from tests.meta.sources import ROOT
from tests.rules.table import Game, play_randomly
from tests.wire import GUILD, wired

_TEST = re.compile(r"^`tests/rules/baton/test_baton.py`\n```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture
def baton(tmp_path: Path) -> Iterator[None]:
    with guide_system(tmp_path):
        yield


def table() -> Game:
    game = Game("baton")
    for name in ("Ana", "Bo"):
        game.do(name, "join", document={"name": name, "owner": "0", "fields": {"BREATH": 2}})
    game.do("Gwen", "gm add", name="Ogre", sheet="HP 9")
    game.do("Gwen", "encounter begin")
    return game


@pytest.mark.usefixtures("baton")
def test_the_guide_s_system_is_played_by_its_rules() -> None:
    game = table()
    assert game.waits_for() == ("Ana",)
    assert game.legal("Ana") == ("pass-on", "toss", "throw")
    game.refused("Bo", "pass-on", rule="BA-01", target="Ogre")
    game.do("Ana", "pass-on", target="Ogre")
    game.refused("Gwen", "pass-on", rule="BA-02", target="Ana")
    game.do("Gwen", "condition add", target="Bo", name="Dazed", duration="1", ticks="bearer-end")
    game.do("Gwen", "pass-on", target="Bo")
    game.do("Bo", "pass-on", target="Ogre")
    assert game.state.combatant("Bo").conditions == ()
    assert (game.state.round, game.waits_for()) == (2, ("Ogre",))
    game.do("Gwen", "gm remove", target="Ogre")
    assert game.waits_for() == ("Ana",)


@pytest.mark.usefixtures("baton")
def test_one_who_plays_it_on_a_board_moves_their_own_token_in_their_turn() -> None:
    game = table()
    game.do("Gwen", "board size", size="6x6")
    game.do("Gwen", "board place", target="Ana, Bo", cells="A1, F6")
    game.do("Ana", "board move", to="C3")
    assert game.state.combatant("Ana").cell == "C3"
    game.refused("Bo", "board move", rule="G-06", to="E5")


@pytest.mark.prove
def test_the_guide_s_files_pass_what_lint_asks_of_every_file(tmp_path: Path) -> None:
    with guide_system(tmp_path):
        printed = tmp_path / "printed"
        (tmp_path / "baton").rename(printed)
    (printed / "__init__.py").unlink()  # it names its future place
    (text,) = _TEST.findall(GUIDE.read_text("utf-8"))
    (printed / "test_baton.py").write_text(text, "utf-8")
    style = ("ruff", "check", "--config", "pyproject.toml", "--ignore", "INP001,S101"), ("ruff", "format", "--check")
    for tool in (*style, ("mypy", "--config-file", "pyproject.toml")):
        line = [sys.executable, "-m", *tool, *map(str, sorted(printed.iterdir()))]
        run = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.usefixtures("baton")
def test_the_guide_s_own_tests_pass_as_printed() -> None:
    (text,) = _TEST.findall(GUIDE.read_text("utf-8"))
    printed: dict[str, Any] = {}
    exec(compile(text, "test_baton.py", "exec"), printed)  # noqa: S102 - a file of ours, as printed
    cases = [run for name, run in printed.items() if name.startswith("test_")]
    assert len(cases) == 4
    for run in cases:
        run()


@pytest.mark.usefixtures("baton")
def test_the_guide_s_turn_is_passed_on_for_who_is_silent() -> None:
    game = table()
    default_answer = system_of(game.state).timeout_action(game.state, "Ana")
    assert default_answer is not None
    game.do("Ana", default_answer.action, target=default_answer.target)
    assert game.waits_for() == ("Bo",)


@pytest.mark.usefixtures("baton")
def test_the_guide_s_question_is_answered_by_the_one_who_is_asked_and_nobody_else() -> None:
    game = table()
    game.refused("Bo", "catch", rule="BA-03")
    game.do("Ana", "toss", target="Bo")
    assert (game.waits_for(), game.legal("Bo")) == (("Bo",), ("catch", "duck"))
    refusal = game.refused("Ana", "pass-on", rule="BA-03", target="Ogre")
    assert "Bo" in str(refusal)
    assert "catch or duck" in str(refusal)
    game.do("Bo", "catch")
    assert (game.waits_for(), game.state.questions) == (("Bo",), ())


@pytest.mark.usefixtures("baton")
@pytest.mark.parametrize(
    ("verb", "given", "holder"),
    [
        ("gm remove", {"target": "Bo"}, "Ana"),
        ("gm remove", {"target": "Ana"}, "Bo"),
        ("gm set", {"target": "Bo", "pool": "mark:dead", "value": "on"}, "Ana"),
        ("gm skip", {}, "Ana"),
        ("gm skip", {"target": "Bo"}, "Ana"),
        ("gm answer", {"target": "Bo", "choice": "catch"}, "Bo"),
    ],
)
def test_the_guide_s_question_never_hangs(verb: str, given: dict[str, Any], holder: str) -> None:
    game = table()
    game.do("Ana", "toss", target="Bo")
    game.do("Gwen", verb, **given)
    assert (game.state.questions, game.waits_for()) == ((), (holder,))
    assert "pass-on" in game.legal(holder)


@pytest.mark.usefixtures("baton")
def test_the_only_one_who_is_asked_and_lets_it_pass_is_asked_no_more() -> None:
    game = table()
    question = Question(id=9, who="Bo", about="dare", words="Reach?", choices=("let-fly",), data={"from": "Ana"})
    game.table = game.table.evolve(encounter=game.state.evolve(questions=(question,), next_question=10))
    game.do("Bo", "let-fly")
    assert (game.state.questions, game.waits_for()) == ((), ("Ana",))
    assert game.lines("Ana") == ["Bo does not react."]


@pytest.mark.usefixtures("baton")
def test_the_guide_s_question_moves_to_a_new_owner() -> None:
    game = table()
    game.do("Ana", "toss", target="Bo")
    (before,) = game.state.questions
    game.do("Gwen", "gm set", target="Bo", pool="owner", value="Ana")
    (after,) = game.state.questions
    assert after == before.evolve(id=after.id)
    assert after.id > before.id  # a new one, so that its new owner is pinged and has time of their own
    game.refused("Bo", "catch", rule="G-03")
    game.do("Ana", "catch")
    assert game.waits_for() == ("Bo",)


@pytest.mark.usefixtures("baton")
@pytest.mark.parametrize("seed", range(3))
def test_random_play_finds_no_fault_in_the_guide_s_system(seed: int) -> None:
    game = table()
    play_randomly(game, seed=seed, steps=30)
    assert game.state.round > 1


@pytest.mark.usefixtures("baton")
async def test_the_guide_s_question_and_its_answer_are_undone_and_done_again_at_a_table(tmp_path: Path) -> None:
    async with wired(tmp_path / "r.sqlite3") as wire:
        for who, line in (
            ("Gwen", "/encounter start system:baton name:Ambush"),
            ("Ana", "/character add name:Ana sheet:BREATH 2"),
            ("Bo", "/character add name:Bo sheet:BREATH 2"),
            ("Ana", "/join character:Ana"),
            ("Bo", "/join character:Bo"),
            ("Gwen", "/encounter begin"),
            ("Ana", "/act action:toss target:Bo"),
        ):
            await wire.type(who, line)
        room = await wire.tables.room_of("901", GUILD)

        def now() -> tuple[tuple[str, ...], int]:
            assert room.encounter is not None
            return system_of(room.encounter).waits_for(room.encounter), len(room.encounter.questions)

        asked = now()
        await wire.type("Bo", "/act action:catch")
        caught = now()
        assert (asked, caught) == ((("Bo",), 1), (("Bo",), 0))
        for line, then in (
            ("/encounter undo", asked),
            ("/encounter undo", (("Ana",), 0)),
            ("/encounter redo", asked),
            ("/encounter redo", caught),
        ):
            await wire.type("Gwen", line)
            assert now() == then, line
        await wire.type("Bo", "/act action:pass-on target:Ana")
        assert now() == (("Ana",), 0)
