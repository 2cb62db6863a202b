"""Who is asked for sight in which system: marks, reach, range, abilities (maps, chapter 5). Rule: G-06."""

from __future__ import annotations

import pytest

from tests.rules.beacon.rounds import scene, to_phase
from tests.rules.board.boards import draw
from tests.rules.stones.field import field
from tests.rules.stones.scene import give
from tests.rules.table import Game


def skirmish(**cells: str) -> Game:
    """Rhea (bow, spear) with Pip against the Ogre, a wall on column C; it is SKIRMISH."""
    game = scene()
    game.do("Gwen", "board size", size="9x9")
    game.do("Gwen", "board terrain", cells="C1:C8", kind="solid")
    for name, cell in cells.items():
        game.do("Gwen", "board place", target=name, cells=cell)
    to_phase(game, "skirmish")
    return game


@pytest.mark.parametrize(("cell", "seen"), [("D4", False), ("B6", True)])
def test_a_mark_of_beacon_asks_for_sight_beside_its_scope(cell: str, seen: bool) -> None:
    game = skirmish(Rhea="B4", Pip="A1", Ogre=cell)
    if seen:
        game.do("Ana", "mark", target="Ogre")
        assert game.state.combatant("Ogre").has("MARKED")
    else:
        assert "Rhea does not see Ogre" in str(game.refused("Ana", "mark", target="Ogre", rule="G-06"))


def test_range_in_beacon_asks_for_sight_and_an_open_door_gives_it() -> None:
    game = skirmish(Rhea="B4", Pip="A1", Ogre="D4")
    game.do("Gwen", "board terrain", cells="C4", kind="door")
    refused = game.refused("Ana", "volley", using="Bow", target="Ogre", rule="G-06")
    assert "Rhea does not see Ogre: the door C4 is closed" in str(refused)
    game.do("Gwen", "board door", at="C4")
    game.do("Ana", "volley", using="Bow", target="Ogre", dice=[(20, 2)])


def test_a_named_door_that_hides_somebody_is_called_by_its_name() -> None:
    game = skirmish(Rhea="B4", Pip="A1", Ogre="D4")
    draw(game, "C4", shape="rect", kind="door", text="Gate")
    refused = game.refused("Ana", "volley", using="Bow", target="Ogre", rule="G-06")
    assert "Rhea does not see Ogre: the door Gate is closed" in str(refused)


def test_in_stones_an_attack_asks_for_sight_and_any_range_does_not() -> None:
    game = field(Ayla="B3", Borr="C3")
    draw(game, "B1:B5/E", shape="edge", kind="wall")
    give(game, "Ana", "Wind 1")
    assert "range and sight" in str(game.refused("Ana", "attack", target="Borr", rule="ST-10"))
    game.do("Ana", "ability", using="Bolt", target="Borr", dice=[(100, 50)])
    assert game.state.combatant("Borr").pools["HP"].now == 16
