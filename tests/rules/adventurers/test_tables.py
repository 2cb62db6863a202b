"""Every entry of every table that ships, with forced dice. Rule: AD-04, AD-17, AD-26, AD-28."""

from __future__ import annotations

import pytest

from rules.systems.adventurers.grid import Cell, tables_of
from tests.rules.adventurers.scene import (
    ARM,
    SWORD,
    ability,
    add,
    check,
    conditions,
    damaged,
    duel,
    export,
    hit,
    initiative,
    pools,
    table,
)
from tests.rules.table import Game

TABLES = tables_of({})
AREAS = range(1, 7)


@pytest.mark.parametrize("area", AREAS)
@pytest.mark.parametrize("row", range(2, 13))
def test_ad_04_every_cell_of_the_grid_can_be_the_rounds_check(area: int, row: int) -> None:
    game = table()
    add(game, "Rhea", owner="Ana")
    game.do("Gwen", "encounter begin", dice=[(6, area), (6, row // 2), (6, row - row // 2)])
    assert game.state.specialty == TABLES.at(Cell(area=area, row=row))
    assert f"(area {area}, row {row // 2} + {row - row // 2})" in game.said("Ana")


@pytest.mark.parametrize("part", TABLES.parts)
def test_ad_17_every_body_part_can_be_rolled(part: str) -> None:
    area = TABLES.cell(part).area
    there = TABLES.parts_of(area)
    assert [TABLES.cell(each).row for each in there] == sorted(TABLES.cell(each).row for each in there)
    game = duel(rhea={"STAMINA": 1})
    game.do(
        "Gwen", "gm damage", target="Rhea", amount="2", dice=[(6, area), (len(there), there.index(part) + 1), (6, 1)]
    )
    assert damaged(game, "Rhea") == [part]


def extras(game: Game) -> dict[str, int]:
    return {name: each["facts"]["extra"] for name, each in export(game)["combatants"].items() if each["facts"]["extra"]}


@pytest.mark.parametrize("face", AREAS)
def test_ad_26_every_entry_of_the_hit_critical_table(face: int) -> None:
    game = duel(rhea={"WILLPOWER": "2/4"})
    game.do("Gwen", "condition add", target="Rhea", name="Shaken")
    game.do("Ana", "attack", target="Ogre", dice=[*check(6, 6), (6, face)])
    game.do("Gwen", "take", character="Ogre")
    assert extras(game) == ({"Rhea": 1} if face == 1 else {})
    assert pools(game, "Rhea")[1] == (3 if face == 2 else 2)
    assert conditions(game, "Ogre") == {3: ["Dazed"], 4: ["Bleeding"]}.get(face, [])
    assert conditions(game, "Rhea") == ([] if face == 5 else ["Shaken"])


@pytest.mark.parametrize("face", AREAS)
def test_ad_26_every_entry_of_the_hit_fumble_table(face: int) -> None:
    game = duel()
    game.do("Ana", "attack", target="Ogre", dice=[*check(1, 1), (6, face)])
    assert conditions(game, "Rhea") == {1: ["Off Balance"], 3: ["Dazed"]}.get(face, [])
    assert pools(game, "Rhea")[1] == (3 if face == 2 else 4)
    assert (conditions(game, "Ogre"), pools(game, "Ogre")) == ([], (10, 4))


@pytest.mark.parametrize("face", AREAS)
def test_ad_26_every_entry_of_the_evasion_critical_table(face: int) -> None:
    game = duel(early=False)
    game.do("Gwen", "condition add", target="Rhea", name="Shaken")
    hit(game, "Ogre", "Rhea")
    game.do("Ana", "evade", dice=[*check(6, 6), (6, face)])
    assert extras(game) == ({"Rhea": 1} if face == 1 else {})
    assert pools(game, "Rhea") == (10, 4 if face == 2 else 3)
    assert conditions(game, "Ogre") == (["Off Balance"] if face == 3 else [])
    assert conditions(game, "Rhea") == ([] if face == 4 else ["Shaken"])


@pytest.mark.parametrize("face", AREAS)
def test_ad_26_every_entry_of_the_evasion_fumble_table(face: int) -> None:
    game = duel(early=False)
    hit(game, "Ogre", "Rhea")
    game.do("Ana", "evade", dice=[*check(1, 1), (6, face)])
    assert conditions(game, "Rhea") == {1: ["Off Balance"], 3: ["Dazed"]}.get(face, [])
    assert pools(game, "Rhea") == (7, 2 if face == 2 else 3)


@pytest.mark.parametrize("ailment", TABLES.ailments)
def test_ad_28_every_ailment_is_brought_does_not_stack_and_ends_with_the_combat(ailment: str) -> None:
    curse = ability("Curse", type="Attack", specialty="Arm", ailment=ailment, targets="2")
    game = duel(rhea={"abilities": (curse,)}, ogre={"WILLPOWER": "0/3", "KIND": "boss"})
    hit(game, "Rhea", "Ogre", using="Curse")
    assert ailment in conditions(game, "Ogre")
    game.do("Gwen", "pass", character="Ogre", dice=ARM)
    initiative(game, Rhea=True)
    hit(game, "Rhea", "Ogre", using="Curse")
    assert "does not stack" in game.said()
    assert conditions(game, "Ogre").count(ailment) == 1
    game.do("Gwen", "encounter end")
    assert conditions(game, "Ogre") == []


def test_ad_04_a_table_of_eleven_is_rolled_with_2d6_and_any_other_with_one_die() -> None:
    for entries, dice in ((11, [(6, 2), (6, 5)]), (6, [(6, 6)]), (36, [(36, 6)])):
        game = table()
        names = [name for area in TABLES.grid for name in area][:entries]
        game.do("Gwen", "encounter options", tables={"initiative": names})
        add(game, "Rhea", owner="Ana", abilities=(SWORD,))
        game.do("Gwen", "encounter begin", dice=dice)
        assert game.state.specialty == names[5]
