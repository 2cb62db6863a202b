"""The ledger's worked example, and three rounds of four creatures on a board, as the table reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rules.core.registry import system_of
from rules.core.values import Seat
from tests.rules.table import Game
from tests.rules.tactics.scene import ability, add, two_d6

STORY = Path(__file__).with_name("story.txt")  # as Ana reads it


def test_the_worked_example_of_the_ledger() -> None:
    game = Game("tactics")
    add(game, "Rhea", owner="Ana", INT=1, AGI=2, DEF=12)
    add(game, "Ogre", INT=0, AGI=0, TIER=2, ATK=3)
    add(game, "Pip", owner="Bo", INT=2, AGI=2)
    system = system_of(game.state)
    game.do("Gwen", "encounter begin", dice=[*two_d6(3, 4, 2, 5, 3, 3), (6, 5), (6, 2)])
    assert [system.row(game.state, name, Seat()).standing for name in ("Rhea", "Ogre", "Pip")] == ["10", "7", "10"]
    assert "Tie at 10: Rhea 5, Pip 2." in game.lines()
    assert system.turn_order(game.state) == ("Ogre", "Pip", "Rhea")
    game.do("Ana", "seize")
    assert system.turn_order(game.state) == ("Rhea", "Ogre", "Pip")
    assert game.waits_for() == ("Rhea",)
    for who in ("Rhea", "Ogre", "Pip"):
        game.do("Gwen", "skip", character=who)
    assert system.turn_order(game.state) == ("Pip", "Ogre", "Rhea")
    game.do("Bo", "pass")
    game.do("Gwen", "attack", target="Rhea", dice=[(6, 2), (6, 5), (8, 7)])
    roll = "2d6 adv 2 ((2 dropped), 5, 7) + 3 = 15"
    sources = "Advantage: tier, Rhea seized the initiative."
    assert game.lines()[0] == f"Ogre attacks Rhea: {roll} against DEF 12, hit. {sources}"


def test_three_rounds_of_four_creatures_on_a_board() -> None:
    game = Game("tactics")
    spear = ability("Spear", damage="1d6+1", range="2")
    trip = ability("Trip", effect="Slowed", save="ends")
    add(game, "Rhea", owner="Ana", ATK=2, abilities=(spear,))
    add(game, "Pip", owner="Bo", TIER=2, abilities=(trip,))
    add(game, "Ogre", TIER=2, HP=9, ATK=1)
    add(game, "Goblin", HP=4)
    game.do("Gwen", "board size", size="8x6")
    game.do("Gwen", "board terrain", cells="D1:D4", kind="blocked")
    game.do("Gwen", "board terrain", cells="D5:D6", kind="difficult", text="Ford")
    for name, at in (("Rhea", "B2"), ("Pip", "B5"), ("Ogre", "F5"), ("Goblin", "G2")):
        game.do("Gwen", "board place", target=name, cells=at)
    story: list[str] = []

    def do(by: str, action: str, dice: list[tuple[int, int]] | None = None, **given: Any) -> None:
        game.do(by, action, dice=[] if dice is None else dice, **given)
        story.extend(game.lines("Ana"))

    # Round 1: Goblin 4, Pip 5, Rhea 7, Ogre 9
    do("Gwen", "encounter begin", two_d6(3, 4, 2, 3, 4, 5, 2, 2))
    do("Gwen", "move", to="F4", character="Goblin")
    do("Bo", "move", to="C5")
    do("Ana", "move", to="C4")
    do("Gwen", "move", to="E5")
    do("Gwen", "defend", character="Ogre")
    do("Ana", "attack", [*two_d6(5, 6), (10, 4), (6, 3)], using="Spear", target="Ogre")
    do("Bo", "delay")
    do("Gwen", "pass", character="Goblin")
    # Pip's delayed action is the last of the round, and the next initiative follows: Rhea 3, Ogre 5, Pip 8, Goblin 11
    do("Bo", "pass", two_d6(1, 2, 4, 4, 2, 3, 5, 6))
    assert (game.state.round, game.waits_for()) == (2, ("Rhea",))

    # Round 2: Pip seizes and pins the Ogre down
    do("Bo", "seize")
    do("Bo", "move", to="D5")
    do("Ana", "move", using="Shift", to="C5")
    do("Gwen", "move", using="Walk", to="H5", character="Ogre")
    assert game.waits_for() == ("Pip",)
    do("Bo", "opportunity", [*two_d6(5, 4), (12, 10)], using="Trip")  # the Ogre still defends
    assert game.state.combatant("Ogre").cell == "E5"
    assert game.waits_for() == ("Goblin",)
    do("Gwen", "skip", character="Goblin")
    do("Gwen", "pass", character="Goblin")
    do("Gwen", "attack", [*two_d6(4, 4), (6, 6)], target="Pip", character="Ogre")
    do("Ana", "attack", [*two_d6(6, 6), (12, 5), (6, 3)], using="Spear", target="Ogre")
    # Pip, who seized, acts last; then the save against Slowed fails; Pip 2, Rhea 4, Goblin 6, Ogre 8
    do("Bo", "attack", [*two_d6(1, 1), *two_d6(2, 2), *two_d6(2, 2, 1, 1, 4, 4, 3, 3)], target="Ogre")
    assert game.state.combatant("Ogre").has("Slowed")
    assert (game.state.round, game.waits_for()) == (3, ("Pip",))

    # Round 3
    do("Bo", "skip")
    do("Ana", "skip")
    do("Gwen", "skip", character="Goblin")  # the Ogre, who is Slowed, is asked for no movement (TA-10)
    do("Gwen", "pass", character="Ogre")
    do("Gwen", "pass", character="Goblin")
    do("Ana", "attack", [*two_d6(6, 6), (12, 6), (6, 6)], using="Spear", target="Ogre")
    assert game.state.combatant("Ogre").pools["HP"].now == 0
    do("Bo", "pass", [*two_d6(6, 6), *two_d6(1, 1, 2, 2, 4, 4)])
    assert (game.state.round, game.waits_for()) == (4, ("Rhea",))
    assert story == STORY.read_text(encoding="utf-8").splitlines()
