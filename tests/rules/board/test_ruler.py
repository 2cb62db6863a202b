"""`/board ruler`: distance, way, direction, sight, cover and doors between two places. Rule: G-06."""

from __future__ import annotations

import doctest

import pytest

from rules.core.reach.ruler import measured
from rules.core.space import winds
from rules.errors import Refusal
from tests.rules.board.boards import draw
from tests.rules.table import Game


@pytest.fixture
def game() -> Game:
    """Ana is on B4 before a wall on column C whose only door is C4; Bo is behind it on E5."""
    game = Game("classic")
    game.do("Ana", "join", result=9, dice=[])
    game.do("Bo", "join", result=8, dice=[])
    game.do("Gwen", "board size", size="9x9")
    game.do("Gwen", "board terrain", cells="C1:C9", kind="solid")
    game.do("Gwen", "board terrain", cells="C4", kind="door")
    game.do("Gwen", "board terrain", cells="G7", text="Altar")
    game.do("Gwen", "board place", target="Ana, Bo", cells="B4, E5")
    return game


def lines(game: Game, to: str, start: str | None = None, reader: str = "Ana") -> tuple[str, ...]:
    return measured(game.state, game.seat(reader), to, start)


def test_a_ruler_tells_distance_direction_way_sight_and_doors(game: Game) -> None:
    assert lines(game, "Bo") == (
        "Ana (B4) to Bo (E5): 3 squares east.",
        "There is no way to it.",
        "Not in sight: there is a wall, a door or a curtain in between.",
        "Doors between: C4 (closed).",
    )
    game.do("Gwen", "board door", at="C4")
    told = lines(game, "Bo")
    assert told[1] == "The shortest way costs 2 to stand next to them (C4 D4)."
    assert told[2].startswith("In sight")
    assert told[3] == "Doors between: C4 (open)."
    draw(game, "D4/E4", shape="edge", kind="door", text="Gate")
    assert lines(game, "F4")[3] == "Doors between: C4 (open), Gate (closed)."


def test_a_ruler_is_laid_between_cells_places_and_names(game: Game) -> None:
    assert lines(game, "altar", "E5")[0] == "E5 to G7: 2 squares south-east."
    assert lines(game, "A1", "A3")[1] == "The shortest way costs 2 (A2 A1)."
    for to, start in (("Z9", None), ("nobody", None), ("Bo", "J1")):
        with pytest.raises(Refusal):
            lines(game, to, start)


def test_a_ruler_to_a_cell_says_who_stands_there_or_that_nobody_can(game: Game) -> None:
    game.do("Gwen", "board door", at="C4")
    assert lines(game, "E5") == lines(game, "Bo")
    assert lines(game, "B4", "E5")[0] == "E5 to Ana (B4): 3 squares west."
    game.do("Gwen", "add", name="Og", hidden=True, result=3, dice=[])
    game.do("Gwen", "board place", target="Og", cells="F5", size=2)
    assert lines(game, "G6", reader="Gwen", start="Bo")[0] == "Bo (E5) to Og (F5): 1 square east."
    assert lines(game, "G6", start="Bo")[:2] == (
        "Bo (E5) to G6: 2 squares south-east.",
        "The shortest way costs 2 (F5 G6).",
    )
    assert lines(game, "C2")[1] == "There is no way to it: nobody can stand on C2."
    game.do("Gwen", "gm set", target="Og", pool="HP", value="9")
    game.do("Gwen", "gm damage", target="Og", amount="99")
    assert lines(game, "G6", reader="Gwen", start="Bo")[0] == "Bo (E5) to G6: 2 squares south-east."


def test_a_ruler_is_laid_to_a_door_by_its_name_or_edge(game: Game) -> None:
    draw(game, "D4/E4", shape="edge", kind="door", text="Gate")
    assert lines(game, "gate")[0] == "Ana (B4) to D4: 2 squares east."
    assert lines(game, "Gate", "F6")[0] == "F6 to E4: 2 squares north-west."
    assert lines(game, "D4/E4", "F6") == lines(game, "Gate", "F6")
    draw(game, "H1/H2", shape="edge", kind="door", text="Vault", hidden=True)
    with pytest.raises(Refusal) as refused:
        lines(game, "Vault")
    assert "H1" not in str(refused.value)
    assert lines(game, "Vault", reader="Gwen", start="H5")[0] == "H5 to H2: 3 squares north."


def test_a_ruler_tells_cover_as_it_is_between_the_two(game: Game) -> None:
    game.do("Gwen", "board terrain", cells="C4", kind="window")
    assert lines(game, "E4")[2] == "In sight, light cover: 0 clear, 25 low of 25."


def test_a_ruler_says_where_sight_does_not_reach(game: Game) -> None:
    game.do("Gwen", "board place", target="Ana", cells="D5")
    assert lines(game, "H5")[2] == "In sight: 25 clear, 0 low of 25."
    game.do("Gwen", "encounter options", set="sight_range=3")
    assert lines(game, "H5")[2] == "Not in sight: it is 4 spaces away, and you can see for 3."
    assert lines(game, "G5")[2] == "In sight: 25 clear, 0 low of 25."


def test_a_ruler_needs_a_board_and_somebody_on_it(game: Game) -> None:
    game.do("Gwen", "board clear", target="Ana")
    with pytest.raises(Refusal, match="from:C4"):
        lines(game, "Bo")
    game.do("Gwen", "board clear")
    with pytest.raises(Refusal, match="no board"):
        lines(game, "Bo")


def test_nobody_learns_by_a_ruler_where_the_hidden_stand(game: Game) -> None:
    game.do("Gwen", "gm add", name="Spy", hidden=True)
    game.do("Gwen", "board place", target="Spy", cells="A4")
    with pytest.raises(Refusal) as refused:
        lines(game, "Spy")
    assert "A4" not in str(refused.value)
    assert lines(game, "A3", "A5")[1] == "The shortest way costs 2 (A4 A3)."
    assert lines(game, "Spy", reader="Gwen", start="B4")[0].endswith("1 square west.")


def test_the_examples_of_the_winds_hold() -> None:
    assert doctest.testmod(winds).failed == 0


def test_the_ruler_means_the_nearest_of_doors_with_the_same_name(game: Game) -> None:
    for edge in ("A1/B1", "D4/E4"):
        draw(game, edge, shape="edge", kind="door", text="Gate")
    assert lines(game, "Gate")[0] == lines(game, "D4/E4")[0]
