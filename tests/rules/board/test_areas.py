"""Areas: their cells by rule, what walls take off them, who is in one, and areas as targets of commands."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.board.areas import area_of, is_area
from rules.core.space.cells import Cell, cell_name, parse_cell
from rules.errors import Illegal, Malformed
from tests.rules.beacon.rounds import to_phase
from tests.rules.beacon.scene import ability, add
from tests.rules.kit.reacting import table as reacting
from tests.rules.table import Game

SIZE = 12
SHEET = "HP 9, INT 1, AGI 0, ATK 0, DEF 9, TIER 1, SPD 5"


@pytest.fixture
def game() -> Game:
    game = Game("tactics")
    game.do("Gwen", "board size", size=f"{SIZE}x{SIZE}")
    return game


def drawn(game: Game, text: str) -> list[str]:
    """Return an area as rows of signs, without the empty ones around it."""
    cells = area_of(game.state, text, game.state.names).cells
    rows = range(min(row for _, row in cells), max(row for _, row in cells) + 1)
    columns = range(min(column for column, _ in cells), max(column for column, _ in cells) + 1)
    return ["".join("x" if (column, row) in cells else "." for column in columns) for row in rows]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("burst 1 at E5", ["xxx", "xxx", "xxx"]),
        ("disc 2 at E5", [".xxx.", "xxxxx", "xxxxx", "xxxxx", ".xxx."]),
        ("square 2 at C4", ["xx", "xx"]),
        ("line 4 at C4 toward G4", ["xxxx"]),
        ("line 3 3 at C4 toward G4", ["xxx", "xxx", "xxx"]),
        ("line 3 at C3 toward E5", ["x..", ".x.", "..x"]),
    ],
)
def test_an_area_has_the_cells_of_its_rule(game: Game, text: str, rows: list[str]) -> None:
    assert drawn(game, text) == rows


def test_a_cone_is_as_wide_as_it_is_far_and_a_wide_one_twice_that(game: Game) -> None:
    narrow, wide = (area_of(game.state, f"cone 4 {which}at C6 toward G6", ()).cells for which in ("", "wide "))
    for column in range(3, 7):
        far = column - 2
        assert {row - 5 for x, row in narrow if x == column} == set(range(-(far // 2), far // 2 + 1))
        assert {row - 5 for x, row in wide if x == column} == set(range(-far, far + 1))


@pytest.mark.parametrize("shape", ["burst 3", "disc 3", "cone 4", "cone 4 wide", "line 5", "line 5 3"])
def test_an_area_is_the_same_whichever_way_the_board_is_turned(game: Game, shape: str) -> None:
    def cells(toward: Cell) -> set[Cell]:
        aim = "" if shape.startswith(("burst", "disc")) else f" toward {cell_name(5 + toward[0], 5 + toward[1])}"
        found = area_of(game.state, f"{shape} at F6{aim}", ()).cells
        return {(column - 5, row - 5) for column, row in found}

    for across, down in ((3, 0), (3, 1), (2, 3)):
        turned = {(-row, column) for column, row in cells((across, down))}
        assert turned == cells((-down, across))
        assert {(column, -row) for column, row in cells((across, down))} == cells((across, -down))


def test_walls_take_off_what_the_origin_does_not_see_unless_it_goes_through(game: Game) -> None:
    game.do("Gwen", "board terrain", cells="F1:F12", kind="solid")
    assert all(parse_cell(name)[0] < 6 for name in _names(game, "burst 3 at D5"))
    assert "G5" in _names(game, "burst 3 at D5 through")


def test_a_large_token_begins_at_its_cell_nearest_to_the_aim(game: Game) -> None:
    _stand(game, "Ogre", "C4:D5", size="2")
    assert area_of(game.state, "line 3 at Ogre toward H4", game.state.names).origin == (3, 3)
    assert area_of(game.state, "line 3 at Ogre toward C9", game.state.names).origin == (2, 4)


def test_an_even_square_lies_around_a_corner(game: Game) -> None:
    assert sorted(_names(game, "square 2 at C4.")) == ["B3", "B4", "C3", "C4"]
    with pytest.raises(Malformed, match="not a corner"):
        area_of(game.state, "square 3 at C4.", ())


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("square 4 at B2.", {f"{column}{row}" for column in "ABC" for row in (1, 2, 3)}),
        ("square 2 at C1.", {"B1", "C1"}),
        ("square 2 at A1.", {"A1"}),
        ("square 2 at M13.", {"L12"}),
        ("square 3 at K11", {"K11", "L11", "K12", "L12"}),
    ],
)
def test_a_square_that_leaves_the_board_stays_around_its_corner_and_is_cut_there(
    game: Game, text: str, cells: set[str]
) -> None:
    assert _names(game, text) == cells


@pytest.mark.parametrize("corner", ["N1.", "A14.", "Z99."])
def test_a_corner_beyond_the_far_border_is_refused(game: Game, corner: str) -> None:
    with pytest.raises((Malformed, Illegal)):
        area_of(game.state, f"square 2 at {corner}", ())


@pytest.mark.parametrize(
    "text",
    ["burst 0 at E5", "line 3 2 at C4 toward H4", "cone 3 at C4", "cone 3 at C4 toward C4", "burst 2", "disc 99 at E5"],
)
def test_what_is_no_area_is_refused_with_one_that_is(game: Game, text: str) -> None:
    with pytest.raises(Malformed) as refused:
        area_of(game.state, text, ())
    assert refused.value.instead


def test_an_area_is_a_target_of_rulings_and_conditions(game: Game) -> None:
    for name, cell in (("Rhea", "E5"), ("Ogre", "F6"), ("Bat", "J9")):
        _stand(game, name, cell)
    game.do("Gwen", "gm damage", target="burst 1 at E5", amount="3")
    assert [game.state.combatant(name).pools["HP"].now for name in ("Rhea", "Ogre", "Bat")] == [6, 6, 9]
    game.do("Gwen", "gm damage", target="Bat", amount="3")
    game.do("Gwen", "gm heal", target="burst 1 at E5", amount="2")
    assert [game.state.combatant(name).pools["HP"].now for name in ("Rhea", "Ogre", "Bat")] == [8, 8, 6]
    game.do("Gwen", "condition add", target="burst 1 at Rhea, Bat", name="Prone")
    assert all(game.state.combatant(name).has("Prone") for name in ("Rhea", "Ogre", "Bat"))
    with pytest.raises(Illegal, match="Nobody is in burst 1 at A1"):
        raise game.refused("Gwen", "gm heal", target="burst 1 at A1", amount="3")
    assert is_area("Cone 3 Wide at Ogre toward E5")
    assert not is_area("Burst")


def test_an_area_is_a_target_of_an_action_of_beacon_that_takes_several() -> None:
    fan = ability("Fan", activation="VOLLEY", range="8", damage="1d6")
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(fan,))
    add(game, "Pip", owner="Bo")
    add(game, "Ogre", INITIATIVE=5)
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "board size", size="12x12")
    for name, cell in (("Rhea", "A1"), ("Pip", "E1"), ("Ogre", "E2")):
        game.do("Gwen", "board place", target=name, cells=cell)
    to_phase(game, "skirmish")
    game.do("Ana", "volley", using="Fan", target="burst 1 at E2")
    assert "Rhea: Volley against Ogre, Pip with Fan." in game.said("Ana")


def test_a_kits_action_takes_an_area_and_spares_its_own_actor() -> None:
    game = reacting("", "Ogre", "Rat")
    game.do("Gwen", "board size", size="12x12")
    for name, cell in (("Ayla", "E5"), ("Ogre", "E6"), ("Rat", "F6"), ("Bran", "A1")):
        game.do("Gwen", "board place", target=name, cells=cell)
    game.do("Ana", "strike", target="burst 1 at Ayla", dice=[(20, 12), (20, 12)])
    assert [game.state.combatant(name).pools["HP"].now for name in ("Ogre", "Rat")] == [6, 6]


def test_whom_players_do_not_know_is_in_no_area_of_theirs(game: Game) -> None:
    _stand(game, "Rhea", "E5")
    game.do("Gwen", "gm add", name="Shade", sheet=SHEET, hidden=True)
    game.do("Gwen", "board place", target="Shade", cells="E6")
    visible = game.state.visible_names(game.seat("Ana"))
    with pytest.raises(Malformed, match="No cell, place or combatant is called Shade"):
        area_of(game.state, "burst 1 at Shade", visible)


def _names(game: Game, text: str) -> set[str]:
    return {cell_name(*cell) for cell in area_of(game.state, text, game.state.names).cells}


def _stand(game: Game, name: str, cell: str, **given: Any) -> None:
    game.do("Gwen", "gm add", name=name, sheet=SHEET)
    game.do("Gwen", "board place", target=name, cells=cell, **given)
