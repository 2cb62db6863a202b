"""A table of a kit in which somebody may react."""

from __future__ import annotations

from tests.rules.kit.tables import KitGame, seated
from tests.rules.table import Game

KIT = """kit = 1
id = "answers"
order = { type = "sides", first = "Players" }
sheet = { SKILL = 10 }
[pool]
HP = { start = 10, out = true }
REACT = { start = 1, refill = "round" }
FURY = { start = 1, shown = "no" }
[check]
hit = { roll = "1d20", against = "11", degrees = { great = "success by 8" } }
skill = { roll = "1d20", good = "low", against = "{SKILL}" }
[action.strike]
kind = "blow"
once = "turn"
target = "foe"
targets = 2
check = "hit"
success = ["target loses 4 HP"]
failure = ["self loses 1 HP"]
on = { great = ["target loses 8 HP"] }
[action]
curse = { once = "turn", target = "foe", do = ["target loses 1 HP"] }
walk = { once = "turn", do = ["self moves 3"] }
"""


def table(more: str, *foes: str) -> Game:
    game = seated(KitGame(KIT + more), *(foes or ("Ogre",)))
    game.do("Gwen", "encounter begin")
    return game
