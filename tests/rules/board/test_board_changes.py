"""What a step changes of a board is all that its event holds; the same board comes of it again. Rule: G-06."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from rules.core.board.events import BoardChanged, BoardLaid, BoardSet, RecalledChanged, board_event
from rules.core.events import dump_event, load_event
from rules.core.space.board import Board
from rules.core.space.board_changes import changes_between, with_changes
from rules.core.space.cells import cells_between, names_of
from tests.rules.board.boards import draw, random_board
from tests.rules.table import Game


@pytest.mark.parametrize("seed", range(20))
def test_what_differs_leads_from_any_board_to_any_other_and_back(seed: int) -> None:
    rng = random.Random(seed)
    one, other = (random_board(rng, barriers=rng.choice((4, 14))).evolve(width=9, height=9) for _ in range(2))
    other = rng.choice((other, one.evolve(walls=(*one.walls[1:], *other.walls)), one.evolve(walls=one.walls[::-1])))
    one = one.evolve(unseen={"doors": {"A1": "closed"}, "walls": one.walls[:2]}, texts={"A1": "Altar"})
    for before, after in ((one, other), (other, one), (one, one)):
        changes = json.loads(json.dumps(changes_between(before, after)))
        assert with_changes(before, changes) == after
    assert changes == {}


def test_the_event_of_a_door_on_a_large_map_holds_the_door_alone() -> None:
    game = Game("classic")
    game.do("Gwen", "board size", size="64x64")
    game.do("Gwen", "board terrain", cells="A1:BL20, A30:BL60", kind="solid")
    draw(game, "C25:C29/E", shape="edge", kind="door")
    before = game.state.board
    events = game.do("Gwen", "board door", at="C25/D25").events
    (event,) = (event for event in events if isinstance(event, BoardChanged))
    written = json.dumps(dump_event(event))
    assert json.loads(written) == {"kind": "board-changed", "changes": {"doors": {"C25/D25": "open"}}}
    assert isinstance(load_event(json.loads(written)), BoardChanged)
    assert isinstance(before, Board)
    assert game.state.board == before.evolve(doors={**before.doors, "C25/D25": "open"})


def test_the_event_of_a_larger_board_holds_its_size_alone_and_what_was_seen_is_seen_anew() -> None:
    game = Game("classic", "fog=sight")
    game.do("Gwen", "board size", size="60x60")
    game.do("Gwen", "board terrain", cells="A10:BH20, A30:BH60", kind="solid")
    game.do("Ana", "join", name="Pip", result=9, side="Heroes")
    game.do("Gwen", "board place", target="Pip", cells="B2")
    events = game.do("Gwen", "board size", size="64x62").events
    (event,) = (event for event in events if isinstance(event, BoardChanged))
    assert dump_event(event) == {"kind": "board-changed", "changes": {"width": 64, "height": 62}}
    assert (game.state.board.width, game.state.board.height) == (64, 62)
    assert len(game.state.board.terrain) == 60 * 42
    smaller = game.do("Gwen", "board size", size="5x5").events
    assert len(json.dumps([dump_event(each) for each in smaller])) < 1000  # of a small one it is all it has


@pytest.mark.parametrize(
    ("terrain", "expected"),
    [
        ({}, {"width": 64, "height": 64}),
        (
            dict.fromkeys(names_of(cells_between((0, 0), (63, 63))), "solid"),
            {"width": 64, "height": 64, "terrain": {"A1:BL64": "solid"}},
        ),
    ],
    ids=["empty", "all solid"],
)
def test_the_event_of_a_board_that_is_laid_out_holds_what_it_has(
    terrain: dict[str, str], expected: dict[str, Any]
) -> None:
    board = Board(width=64, height=64, terrain=terrain)
    event = board_event(None, board)
    assert dump_event(event) == {"kind": "board-laid", "changes": expected}
    assert load_event(dump_event(event)) == event
    game = Game("classic")
    assert event.change(game.state).board == board


def test_an_event_that_holds_a_whole_board_is_read_as_ever() -> None:
    board = Board(width=3, height=2, terrain={"A1": "solid"}, texts={"B2": "Altar"})
    event = load_event({"kind": "board", "board": board.model_dump(mode="json")})
    assert isinstance(event, BoardSet)
    assert event.change(Game("classic").state).board == board
    cells = {"terrain": {"A2": "low", "A1": None}, "texts": {"B2": None}}
    changed = load_event({"kind": "board-changed", "changes": cells})
    assert isinstance(changed, BoardChanged)
    after = changed.change(event.change(Game("classic").state)).board
    assert after is not None
    assert (after.terrain, after.texts) == ({"A2": "low"}, {})


@pytest.mark.parametrize("seed", range(10))
def test_a_laid_out_board_is_the_one_that_its_event_holds(seed: int) -> None:
    rng = random.Random(seed)
    board = random_board(rng, barriers=20).evolve(texts={"A1": "Altar", "B1": "Altar", "C4": "Well"})
    event = load_event(json.loads(json.dumps(dump_event(board_event(None, board)))))
    assert isinstance(event, BoardLaid)
    assert event.change(Game("classic").state).board == board


def test_what_a_side_remembers_otherwise_is_told_place_by_place() -> None:
    game = Game("classic", "fog=sight")
    game.do("Gwen", "board size", size="9x7")
    game.do("Gwen", "board terrain", cells="E1:E7", kind="solid")
    game.do("Ana", "join", name="Pip", result=9, side="Heroes")
    game.do("Gwen", "board place", target="Pip", cells="G2")
    game.do("Gwen", "board place", target="Pip", cells="B2")
    game.do("Gwen", "board terrain", cells="F1:I7", kind="difficult")
    held = dict(game.state.recalled["Heroes"])
    assert len(held) > 20
    events = game.do("Gwen", "board terrain", cells="G2", kind="named", text="Well").events
    told = [each for each in events if isinstance(each, RecalledChanged)]
    assert all(len(each.new) < 3 and not each.gone for each in told)
    events = game.do("Gwen", "board place", target="Pip", cells="G3").events
    (back,) = (each for each in events if isinstance(each, RecalledChanged))
    assert not back.new
    assert set(back.gone) >= set(held)
    assert game.state.recalled["Heroes"] == {}
