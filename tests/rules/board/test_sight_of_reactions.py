"""Reactions with a range or reach ask for sight if attacks do (maps 5): those of beacon. Rule: BE-20."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.beacon.rounds import begin_brawl, brawl
from tests.rules.beacon.scene import BOW, SPEAR, ability, add
from tests.rules.board.boards import draw
from tests.rules.table import Game

SEEN = {"none": True, "wall": False, "sight=off": True, "[No Sight]": True}


def fray(trigger: str, between: str, **fields: str) -> Game:
    """Only Cat has an answer; Rhea is beside the Ogre, whose turn is open; nobody has FOCUS."""
    game = Game("beacon", "sight=off" if between == "sight=off" else "", people=("Gwen", "Ana", "Cai"))
    text = between if between == "[No Sight]" else ""
    answer = ability("Answer", text=text, activation="reaction", trigger=trigger, damage="1d4", **fields)
    add(game, "Rhea", owner="Ana", abilities=(BOW,), FOCUS=0)
    add(game, "Cat", owner="Cai", abilities=(answer,), FOCUS=0)
    add(game, "Ogre", abilities=(SPEAR, BOW), INITIATIVE=5)
    begin_brawl(game, "20x8", {"Rhea": "E3", "Cat": "C3", "Ogre": "F3"}, "Ana", "Cai")
    if between != "none":
        draw(game, "C1:C8/E", shape="edge")
    return game


@pytest.mark.parametrize("between", SEEN)
@pytest.mark.parametrize(
    ("trigger", "fields", "does", "given"),
    [
        ("attacked ally", {"range": "6"}, "fight", {"using": "Spear", "target": "Rhea", "dice": [(20, 1)]}),
        ("attacked ally within 3", {"range": "6"}, "fight", {"using": "Spear", "target": "Rhea", "dice": [(20, 1)]}),
        ("uses fight enemy within 4", {"reach": "4"}, "fight", {"using": "Spear", "target": "Rhea"}),
        ("begins to move enemy", {"reach": "3"}, "move", {"to": "H3", "dice": []}),
        ("moves enemy", {"range": "6"}, "move", {"to": "H3", "dice": []}),
        ("enters reach enemy", {"reach": "2"}, "move", {"to": "E4", "dice": []}),
        ("leaves reach enemy", {"reach": "3", "range": "9"}, "move", {"to": "H3", "dice": []}),
    ],
)
def test_a_reaction_with_a_range_of_beacon_is_asked_of_who_sees(
    trigger: str, fields: dict[str, str], does: str, given: dict[str, Any], between: str
) -> None:
    game = fray(trigger, between, **fields)
    game.do("Gwen", does, character="Ogre", **given)
    assert ("Cat" in game.waits_for()) is SEEN[between]


@pytest.mark.parametrize("between", SEEN)
def test_a_reaction_that_is_called_in_words_names_the_wall(between: str) -> None:
    game = fray("somebody stumbles", between, range="6")
    game.do("Gwen", "move", character="Ogre", to="F4")
    if SEEN[between]:
        game.do("Cai", "react", using="Answer", target="Ogre")
    else:
        refused = game.refused("Cai", "react", using="Answer", target="Ogre")
        assert "Cat can't see Ogre: there is a wall between C3 and F4." in str(refused)


def test_a_reaction_that_is_called_in_words_says_how_far_it_goes() -> None:
    game = fray("somebody stumbles", "none", range="2")
    game.do("Gwen", "move", character="Ogre", to="F4")
    refused = game.refused("Cai", "react", rule="BE-20", using="Answer", target="Ogre")
    assert str(refused) == "**BE-20** Ogre is 3 spaces away; Answer goes 2. In range: Rhea, Cat."
    assert "No target is called Wolf" in str(game.refused("Cai", "react", using="Answer", target="Wolf"))


@pytest.mark.parametrize("between", ["none", "wall", "sight=off"])
def test_the_basic_reactions_of_beacon_are_asked_of_who_sees(between: str) -> None:
    cases: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
        ("fight", {"using": "Spear", "target": "Rhea"}, "Pip", {"start": "A4:L4", "shape": "rect"}),
        ("move", {"to": "H3"}, "Rhea", {"start": "C1:C12/E", "shape": "edge"}),
    ]
    for does, given, who, wall in cases:
        game = brawl("sight=off" if between == "sight=off" else "")
        if between != "none":
            draw(game, **wall)
        game.do("Gwen", does, character="Ogre", **given)
        assert (who in game.waits_for()) is SEEN[between], does
