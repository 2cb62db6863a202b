"""Who is asked for sight in which system: marks, reach, range, abilities (maps 5). Rule: G-06."""

from __future__ import annotations

import pytest

from rules.core.reach.ruler import measured
from tests.rules.beacon.rounds import scene, to_phase
from tests.rules.board.boards import draw
from tests.rules.stones.field import field
from tests.rules.stones.scene import give
from tests.rules.table import Game
from tests.rules.tactics.scene import duel


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
        assert "Rhea can't see Ogre" in str(game.refused("Ana", "mark", target="Ogre", rule="G-06"))


def test_range_in_beacon_asks_for_sight_and_an_open_door_gives_it() -> None:
    game = skirmish(Rhea="B4", Pip="A1", Ogre="D4")
    game.do("Gwen", "board terrain", cells="C4", kind="door")
    refused = game.refused("Ana", "volley", using="Bow", target="Ogre", rule="G-06")
    assert "Rhea can't see Ogre: the door C4 is closed" in str(refused)
    game.do("Gwen", "board door", at="C4")
    game.do("Ana", "volley", using="Bow", target="Ogre", dice=[(20, 2)])


def test_a_named_door_that_hides_somebody_is_called_by_its_name() -> None:
    game = skirmish(Rhea="B4", Pip="A1", Ogre="D4")
    draw(game, "C4", shape="rect", kind="door", text="Gate")
    refused = game.refused("Ana", "volley", using="Bow", target="Ogre", rule="G-06")
    assert "Rhea can't see Ogre: the door Gate is closed" in str(refused)


def test_in_stones_an_attack_asks_for_sight_and_any_range_does_not() -> None:
    game = field(Ayla="B3", Borr="C3")
    draw(game, "B1:B5/E", shape="edge", kind="wall")
    give(game, "Ana", "Wind 1")
    assert "range and sight" in str(game.refused("Ana", "attack", target="Borr", rule="ST-10"))
    game.do("Ana", "ability", using="Bolt", target="Borr", dice=[(100, 50)])
    assert game.state.combatant("Borr").pools["HP"].now == 16


def test_in_beacon_the_ruler_says_who_is_outside_of_cover_from_every_enemy_that_sees_them() -> None:
    game = scene()
    game.do("Gwen", "board size", size="9x9")
    game.do("Gwen", "board place", target="Rhea, Ogre, Pip", cells="A4, G4, G9")

    def told(to: str = "Ogre", reader: str = "Gwen") -> str:
        return " ".join(measured(game.state, game.seat(reader), to, "A1"))

    assert "Ogre is outside of cover." in told()
    draw(game, "F4/G4", shape="edge", kind="low")
    assert "Ogre has cover from Rhea." in told()  # Pip, who sees around it, alone does not make them open
    assert "Ogre has cover from Rhea." in told(reader="Ana")
    draw(game, "F4/G4", shape="edge", kind="none")
    draw(game, "A3:I3", shape="rect", kind="solid")
    draw(game, "A5:I5", shape="rect", kind="solid")
    assert "Ogre is outside of cover." in told()  # Pip sees them no more
    game.do("Gwen", "board terrain", cells="F4", kind="solid")
    assert "of cover" not in told()  # nobody sees them
    game.do("Gwen", "board terrain", cells="F4", kind="open")
    game.do("Gwen", "board place", target="Rhea", cells="F4")
    draw(game, "F4/G4", shape="edge", kind="window")
    assert "Ogre is outside of cover." in told()  # neighbours have none from one another
    assert "cover" not in told("D8")
    game.do("Gwen", "encounter options", set="cover=off")
    assert "of cover" not in told()


def test_in_other_systems_nobody_is_called_outside_of_cover() -> None:
    game = duel()
    game.do("Gwen", "board size", size="9x9")
    game.do("Gwen", "board place", target="Rhea, Ogre", cells="A4, G4")
    assert "outside of cover" not in " ".join(measured(game.state, game.seat("Gwen"), "Ogre", "A1"))


@pytest.mark.parametrize(
    ("options", "dice", "told"),
    [
        ("cover=say", [(20, 2)], ("Ogre has light cover",)),
        ("cover=count", [(20, 2), (6, 4)], ("Banes: cover.", "Ogre has light cover")),
        ("cover=count, cover_light=2-banes", [(20, 2), (6, 4), (6, 1)], ("Banes: cover, cover.",)),
        ("cover=count, cover_light=-3", [(20, 2)], ("which counts -3",)),
        ("cover=off", [(20, 2)], ()),
    ],
)
def test_in_beacon_cover_counts_as_banes_or_as_a_number(
    options: str, dice: list[tuple[int, int]], told: tuple[str, ...]
) -> None:
    game = skirmish(Rhea="A4", Pip="A1", Ogre="D4")
    game.do("Gwen", "board terrain", cells="C4", kind="window")
    game.do("Gwen", "encounter options", set=options)
    game.do("Ana", "volley", using="Bow", target="Ogre", dice=dice)
    line = next(each for each in game.lines("Ana") if "attacks Ogre" in each)
    assert all(words in line for words in told)
    assert ("cover" in line) == bool(told)


@pytest.mark.parametrize(
    ("options", "chance", "told"),
    [
        ("cover=say", 0, "Borr has light cover"),
        ("cover=count, cover_light=-3", -3, "which counts -3"),
        ("cover=off", 0, ""),
    ],
)
def test_in_stones_cover_counts_on_the_chance_of_a_critical_hit(options: str, chance: int, told: str) -> None:
    game = field(Ayla="B3", Borr="E3")
    game.do("Gwen", "board terrain", cells="D3", kind="window")
    game.do("Gwen", "gm set", target="Ayla", pool="RNG", value="4")
    game.do("Gwen", "gm set", target="Ayla", pool="CRT", value="20")
    game.do("Gwen", "encounter options", set=options)
    give(game, "Ana", "Wind 1")
    game.do("Ana", "attack", target="Borr", dice=[(100, 20)])
    line = next(each for each in game.lines("Ana") if "attacks Borr" in each)
    assert f"against CRT {20 + chance}" in line
    assert ("critical hit" in line) == (chance == 0)
    assert told in line
    assert ("cover" in line) == bool(told)
