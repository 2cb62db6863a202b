"""A whole game of two against two to its end, as the table reads it; and what nobody may ever read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rules.core.cards import counted
from tests.rules.stones.scene import BOLT, BOOTS, SEARING, SKIN, ability, everything, game_of, give, player

STORY = Path(__file__).with_name("story.txt")  # as Bo reads it
UNDERTOW = ability(
    "Undertow", "[Standard Attack], [On 1-40] adds [Stun]", card="offensive", element="Water", cost="2", duration="1"
)


def test_two_against_two_to_the_end() -> None:
    game = game_of(
        ("Ayla", "Ana", "North"),
        ("Borr", "Bo", "South"),
        ("Cyd", "Cai", "North"),
        ("Dorn", "Dee", "South"),
        options="",
        abilities={"Ayla": (SEARING, SKIN), "Borr": (UNDERTOW, SKIN), "Cyd": (BOLT, BOOTS), "Dorn": (UNDERTOW,)},
    )
    game.do("Gwen", "board size", size="8x4")
    for name, cell in (("Ayla", "B2"), ("Cyd", "A3"), ("Borr", "F2"), ("Dorn", "G3")):
        game.do("Gwen", "board place", target=name, cells=cell)
    story: list[str] = []

    def do(by: str, action: str, dice: list[tuple[int, int]] | None = None, **given: Any) -> None:
        game.do(by, action, dice=dice or (), **given)
        story.extend(game.lines("Bo"))

    shuffle = [(sides, sides) for sides in range(147, 1, -1)]  # leaves the deck in its order, Wind on top
    do("Gwen", "encounter begin", [*shuffle, (100, 61), (100, 40)])

    # Round 1: North begins
    do("Ana", "begin")
    give(game, "Ana", "Fire 3", "Earth 2", "Light 1")
    do("Ana", "activate", character="Ayla")
    do("Ana", "fuse", using="Stone Skin")
    do("Ana", "move", to="E2")
    do("Ana", "ability", [(100, 80), (100, 30)], using="Searing Blow", target="Borr")
    assert game.state.combatant("Borr").has("Burn")
    do("Ana", "end")

    do("Bo", "begin")
    give(game, "Bo", "Water 2", "Earth 1", "Earth 3")
    do("Bo", "activate")
    do("Bo", "ability", [(100, 90), (100, 41)], using="Undertow", target="Ayla")
    assert game.state.combatant("Ayla").pools["HP"].now == 17  # Stone Skin
    do("Bo", "fuse", using="Stone Skin")  # the fewest stones, though one star is lost
    do("Bo", "end")

    do("Cai", "begin")
    give(game, "Cai", "Wind 1", "Wind 1", "Wind 2")
    do("Cai", "activate")
    do("Cai", "fuse", using="Boots")
    do("Cai", "move", to="F3")
    do("Cai", "ability", [(100, 1)], using="Bolt", target="Dorn")
    do("Cai", "end")

    do("Dee", "begin")
    give(game, "Dee", "Light 4", "Light 3", "Light 2", "Light 1")
    game.refused("Dee", "end", rule="ST-16")
    do("Dee", "activate")
    do("Dee", "attack", [(100, 20)], target="Cyd")
    do("Dee", "discard", cards="Light 1")
    do("Dee", "end")
    assert (game.state.round, game.waits_for()) == (2, ("Ayla",))

    # Round 2: the GM decides that the hill comes down
    do("Ana", "begin")
    give(game, "Ana", "Fire 1")
    do("Ana", "activate")
    do("Ana", "attack", [(100, 5)], target="Borr")
    do("Ana", "break", using="Stone Skin")
    do("Ana", "end")
    do("Gwen", "gm damage", target="Borr", amount="99")
    assert game.waits_for() == ("Dorn",)
    do("Dee", "begin")
    do("Dee", "discard", cards=counted(game.state.hands[player(game, "Dee")][:3]))
    do("Dee", "end")
    do("Cai", "begin")
    give(game, "Cai", "Wind 1")
    do("Cai", "activate")
    do("Cai", "attack", [(100, 21)], target="Dorn")
    assert game.waits_for() == ("Cyd",)
    do("Cai", "end")
    do("Dee", "begin")  # in Borr's place
    assert game.state.fills
    do("Gwen", "gm damage", target="Dorn", amount="99")
    assert game.state.over == "North wins."
    assert game.waits_for() == ()
    assert sum(everything(game.state).values()) == 147
    assert story == STORY.read_text(encoding="utf-8").splitlines()
