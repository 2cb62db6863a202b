"""On a board a sheet's ranges and reaches hold; without one people say. Rule: G-06, CL-11, CL-18."""

from __future__ import annotations

import pytest

from rules.core.offer import Param
from rules.core.registry import system_of
from rules.core.values import Rolled
from rules.systems.classic.blows import ClassicBlows
from tests.rules.classic.scene import arm
from tests.rules.table import Game

SWORD = ("Sword", "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 6 (1d6 + 3) slashing damage.")
BOW = ("Bow", "Ranged Weapon Attack: +5 to hit, range 30/60 ft., one target. Hit: 6 (1d6 + 3) piercing damage.")
THROWN = "Melee or Ranged Weapon Attack: +5 to hit, reach 5 ft. or range 20/60 ft."
CURE = ("Cure", "range touch; a creature regains 4 hit points")


def at(*abilities: tuple[str, str], who: str = "Ana", **cells: str) -> Game:
    """Begin a fight on a board of 30 × 5: two players, two goblins of the GM, and one who has some abilities."""
    game = Game("classic", people=("Gwen", "Ana", "Bo"))
    for name, result in (("Ana", 9), ("Bo", 8)):
        fields = {"HP": 20, "AC": 12}
        game.do(name, "join", document={"name": name, "owner": game.users[name], "fields": fields}, result=result)
    game.do("Gwen", "add", name="Goblin", count=2, group="Goblins", result=20 if who.startswith("Gob") else 5,
            sheet="HP 9, AC 5", dice=[])  # fmt: skip
    arm(game, who, *abilities)
    game.do("Gwen", "board size", size="30x5")
    for name, cell in {"Goblin 1": "B1", "Goblin 2": "Z5", "Ana": "A1", "Bo": "F1", **cells}.items():
        game.do("Gwen", "board place", target=name.replace("_", " "), cells=cell)
    game.do("Gwen", "encounter begin", dice=[])
    return game


def offered(game: Game, who: str, action: str, name: str, **said: str) -> tuple[str, ...]:
    """Return what an action offers of an option, with what is said already."""
    command = game.command(action, character=who, **said)
    params: tuple[Param, ...] = system_of(game.state).actions.params_given(game.state, who, command)
    return next((param.choices or () for param in params if param.name == name), ())


def hp(game: Game, who: str) -> int:
    now: int = game.state.combatant(who).pools["HP"].now
    return now


def test_g_06_who_is_out_of_reach_is_refused_with_who_is_in_it() -> None:
    """Rule: G-06."""
    game = at(SWORD)
    refused = str(game.refused("Ana", "attack", rule="G-06", target="Goblin 2"))
    assert "25 spaces" in refused
    assert "reach 1" in refused
    assert "Goblin 1" in refused
    assert hp(game, "Goblin 2") == 9
    assert offered(game, "Ana", "attack", "target") == ("Goblin 1",)
    game.do("Ana", "attack", target="Goblin 1", dice=[(20, 10), (6, 1)])
    assert hp(game, "Goblin 1") == 5


@pytest.mark.parametrize(
    ("words", "cell", "is_reached"),
    [
        ("+5 to hit, reach 10 ft.; on a hit 1d6 damage", "C1", True),
        ("+5 to hit, reach 10 ft.; on a hit 1d6 damage", "D1", False),
        ("+5 to hit, reach 3 m; on a hit 1d6 damage", "C1", True),
        ("+5 to hit, reach 3 m; on a hit 1d6 damage", "D1", False),
        (f"{THROWN}, one target. Hit: 3 damage", "M1", True),
        (f"{THROWN}, one target. Hit: 3 damage", "N1", False),
        ("Melee Weapon Attack: +5 to hit, one target. Hit: 3 damage", "B2", True),
        ("Melee Weapon Attack: +5 to hit, one target. Hit: 3 damage", "C2", False),
        ("Make a melee spell attack. On a hit, 3d6 necrotic damage", "C2", False),
        ("Ranged Weapon Attack: +5 to hit, one target. Hit: 3 damage", "AD5", True),
        ("kind weapon; hit 5; damage 1d8+2", "AD5", True),
        ("kind weapon; hit 5; damage 1d8+2; range 30 ft.", "G1", True),
        ("kind weapon; hit 5; damage 1d8+2; range 30 ft.", "H1", False),
        ("kind weapon; hit 5; damage 1d8+2; range 30 ft. Your reach is doubled while you are enlarged.", "H1", True),
        ("+5 to hit, reach 5 ft.; on a hit 1d6 damage; each ally within 60 feet gains 2 temporary HP", "C1", False),
    ],
)  # fmt: skip
def test_g_06_the_words_of_an_attack_say_how_far_it_reaches(words: str, cell: str, is_reached: bool) -> None:
    """Rule: G-06, CL-11."""
    game = at(("Blow", words), Goblin_1=cell)
    assert ("Goblin 1" in offered(game, "Ana", "attack", "target")) is is_reached
    if not is_reached:
        game.refused("Ana", "attack", rule="G-06", target="Goblin 1")


@pytest.mark.parametrize(
    ("words", "cell", "is_reached"),
    [
        ("range touch; a creature regains 4 hit points", "B2", True),
        ("range touch; a creature regains 4 hit points", "C2", False),
        ("heal 4; range 30 ft.", "G1", True),
        ("heal 4; range 30 ft.", "H1", False),
        ("One creature you can see within 60 feet regains 4 hit points", "M1", True),
        ("One creature you can see within 60 feet regains 4 hit points", "N1", False),
        ("A creature regains 4 hit points", "AD5", True),
        ("You teleport up to 60 feet. One creature within 5 feet takes 4 cold damage", "F1", True),
        ("Each creature in a 15-foot cone must make a DC 30 Dexterity saving throw or take 4 fire damage", "D1", True),
        ("Each creature in a 15-foot cone must make a DC 30 Dexterity saving throw or take 4 fire damage", "E1", False),
        ("range 60 ft.; a 20-foot radius; 8d6 fire damage, DC 13 DEX half", "Q1", True),
        ("range 60 ft.; a 20-foot radius; 8d6 fire damage, DC 13 DEX half", "R1", False),
        ("a 20-foot radius; 8d6 fire damage, DC 13 DEX half", "AD5", True),
    ],
)
def test_g_06_the_words_of_a_use_say_how_far_it_goes(words: str, cell: str, is_reached: bool) -> None:
    """Rule: G-06, CL-18."""
    game = at(("Art", words), Bo=cell)
    assert ("Bo" in offered(game, "Ana", "use", "target")) is is_reached
    if not is_reached:
        game.refused("Ana", "use", rule="G-06", target="Bo", using="Art")


def test_g_06_without_a_place_people_say() -> None:
    """Rule: G-06."""
    game = at(SWORD)
    game.do("Gwen", "board clear", target="Goblin 2")
    game.do("Ana", "attack", target="Goblin 2", dice=[(20, 10), (6, 1)])
    assert hp(game, "Goblin 2") == 5


def test_g_06_of_a_large_creature_the_nearest_cell_counts() -> None:
    """Rule: G-06."""
    game = at(SWORD, Goblin_1="E2")
    assert "Goblin 1" not in offered(game, "Ana", "attack", "target")
    game.do("Gwen", "board place", target="Goblin 1", cells="B2", size="3")
    game.do("Gwen", "gm move", target="Ana", to="E5")
    assert offered(game, "Ana", "attack", "target") == ("Goblin 1",)


def test_of_several_weapons_those_that_reach_are_offered() -> None:
    """Rule: CL-11, G-06."""
    game = at(SWORD, BOW, Goblin_1="F2")
    assert offered(game, "Ana", "attack", "target") == ("Goblin 1", "Bo")
    assert offered(game, "Ana", "attack", "using", target="Goblin 1") == ("Bow",)
    assert "Sword can reach 1" in str(game.refused("Ana", "attack", rule="G-06", target="Goblin 1", using="Sword"))
    game.do("Ana", "attack", target="Goblin 1", using="Bow", dice=[(20, 10), (6, 1)])
    assert hp(game, "Goblin 1") == 5


def test_an_attack_that_was_rolled_before_may_hit_those_in_reach_alone() -> None:
    """Rule: CL-11, G-06."""
    game = at(SWORD, Goblin_2="C1")
    check = Rolled(faces=(15,), kept=1, added=5)
    assert ClassicBlows().may_be_hit(game.state, "Ana", "Sword", check) == ("Goblin 1",)
    game.do("Gwen", "gm move", target="Goblin 2", to="A2")
    assert ClassicBlows().may_be_hit(game.state, "Ana", "Sword", check) == ("Goblin 1", "Goblin 2")


def test_what_lies_beyond_the_usual_range_is_told_and_left_to_people() -> None:
    """Rule: CL-11, G-06."""
    game = at(BOW, Goblin_1="H1")
    game.do("Ana", "attack", target="Goblin 1", dice=[(20, 10), (6, 1)])
    assert "7 spaces" in game.said()
    assert "6" in game.said().partition("7 spaces")[2]
    near = at(BOW, Goblin_1="G1")
    near.do("Ana", "attack", target="Goblin 1", dice=[(20, 10), (6, 1)])
    assert "6 spaces" not in near.said()


def test_nobody_in_range_means_no_attack_is_offered() -> None:
    """Rule: G-06, G-07."""
    game = at(SWORD, CURE, Goblin_1="Z1")
    assert "attack" not in game.legal("Ana")
    game.refused("Ana", "attack", rule="G-06", target="Goblin 1")
    assert offered(game, "Ana", "use", "target") == ("Ana",)


def test_of_those_who_attack_together_whoever_is_too_far_away_keeps_the_attack() -> None:
    """Rule: CL-07, CL-18, G-06."""
    game = at(SWORD, who="Goblin 1", Goblin_1="B1")
    arm(game, "Goblin 2", SWORD)
    game.do("Gwen", "attack", character="Goblin 1", target="Ana", note="together", dice=[(20, 10), (6, 1)])
    assert hp(game, "Ana") == 16
    assert dict(game.state.attacked) == {"Goblin 1": 1}
    assert "Goblin 2" in game.said("Gwen")


def test_each_of_those_who_attack_together_takes_whom_they_reach() -> None:
    """Rule: CL-07, CL-18, G-06."""
    game = at(SWORD, who="Goblin 1", Goblin_1="G1", Goblin_2="B1")
    arm(game, "Goblin 2", SWORD)
    dice = [(20, 10), (6, 1), (20, 10), (6, 2)]
    game.do("Gwen", "attack", character="Goblin 1", target="Ana, Bo", note="together", dice=dice)
    assert (hp(game, "Bo"), hp(game, "Ana")) == (16, 15)


def test_a_moment_that_is_called_goes_as_far_as_its_words() -> None:
    """Rule: G-12, G-06."""
    heat = ("Heat", "Any creature that starts its turn within 10 feet of the goblin takes 3 fire damage")
    game = at(heat, who="Goblin 1", Goblin_1="C1")
    assert offered(game, "Goblin 1", "call", "target") == ("Ana", "Goblin 1")
    game.refused("Gwen", "call", rule="G-06", character="Goblin 1", target="Bo")


def test_an_order_for_later_is_looked_at_when_its_time_comes() -> None:
    """Rule: G-06, G-07."""
    game = at(SWORD, who="Bo", Bo="B2")
    game.do("Bo", "attack", character="Bo", target="Goblin 1", when="my-turn")
    game.do("Gwen", "gm move", target="Goblin 1", to="M1")
    assert "11 spaces" in game.said("Bo")
    game.do("Ana", "next", dice=[])
    assert hp(game, "Goblin 1") == 9
