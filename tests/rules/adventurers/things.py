"""What the players of a random fight carry."""

from __future__ import annotations

from tests.rules.adventurers.scene import BLESSING, CRY, SWORD, ability

THINGS = (
    SWORD,
    BLESSING,
    CRY,
    ability("Throw", type="Attack", specialty="Throw", damage="2d6", rebound="1", cell="B6"),
    ability("Storm", type="Attack", specialty="Courage", damage="1d4", targets="all", rebound="2", ailment="Dazed"),
    ability("Aid", type="Assist", heal="1d6", cure="any", rebound="1", willpower="1", cell="C6"),
    ability("Habit", type="Assist"),
    ability("Knife", "weapon", specialty="Hand", damage="1d4", bag="Pack"),
    ability("Tonic", "item", cure="any", uses="2"),
    ability("Bomb", "item", ailment="Bleeding", bag="Pack"),
    ability("Pack", "bag"),
)
