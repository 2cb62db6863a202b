"""Tables that play a kit: of the library, or of a text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rules.kits.document import read_text
from tests.rules.table import Game


class KitGame(Game):
    """A table that is started with a file of its own."""

    def __init__(self, text: str, *, is_json: bool = False, people: Iterable[str] = ("Gwen", "Ana", "Bo")) -> None:
        self.text, self.is_json = text, is_json
        super().__init__("", people=people)

    def do(self, by: str, action: str, **given: Any) -> Any:
        if action == "encounter start":
            document = read_text(self.text, is_json=self.is_json)
            given = {"id": "77", "file": {"file": dict(document.content), "source": document.source}}
        return super().do(by, action, **given)


def seated(game: Game, *foes: str, **fields: Any) -> Game:
    """Let Ana's Ayla and Bo's Bran come in, and the GM's foes."""
    for person, name in (("Ana", "Ayla"), ("Bo", "Bran")):
        owner = game.users[person]
        game.do(person, "join", document={"name": name, "owner": owner, "fields": fields})
    for foe in foes:
        game.do("Gwen", "gm add", name=foe)
    return game


def begun(game: Game, *foes: str, **fields: Any) -> Game:
    seated(game, *foes, **fields)
    game.do("Gwen", "encounter begin")
    return game


LIST = """kit = 1
id = "plain-order"
order = { key = "1d20+{DEX}", ties = ["{DEX}", "roll"] }
sheet = { DEX = 0, ATK = 3, AC = 12 }
[pool]
HP = { start = 10, out = true }
ACT = { start = 1, refill = "turn" }
MOVE = { start = 6, refill = "turn", shown = "no" }
[check.hit]
roll = "1d20+{ATK}"
against = "{target.AC}"
degrees = { fumble = "failure natural 1", critical = "success natural 20" }
[condition]
prone = { forbids = ["walk"], checks = -2, against = 2 }
stunned = { lasts = 1, skips = true }
[action.attack]
cost = "1 ACT"
target = "foe"
range = 1
check = "hit"
success = ["target loses 1d6 HP"]
on = { critical = ["target loses 12 HP"], fumble = ["self is prone"] }
usual = 1
rule = "PO-01"
[action]
walk = { cost = "{amount} MOVE", amount = "1-6", do = ["self moves {amount}"] }
rise = { cost = "3 MOVE", needs = ["self is prone"], do = ["self is not prone"] }
shout = { once = "fight", any_time = true, do = ["say help", "GM decides: who hears it"] }
daze = { cost = "1 ACT", target = "foe", do = ["target is stunned"] }
[rules]
PO-01 = "One action each turn."
"""

NAMED = """kit = 1
id = "hand-on"
order = { type = "named", rule = "HO-01" }
pool = { HP = { start = 3, out = true } }
[action]
poke = { target = "foe", once = "turn", do = ["target loses 1 HP"] }
[rules]
HO-01 = "Whoever acted names the next one."
"""

PHASES = """kit = 1
id = "two-halves"
order = { type = "sides", first = "swap" }
phase = [ { name = "move", actions = ["walk"] }, { name = "fight", actions = ["hit"] } ]
pool = { HP = { start = 3, out = true }, ACT = { start = 1, refill = "turn" } }
[action]
walk = { cost = "1 ACT", do = ["self moves 6"] }
hit = { cost = "1 ACT", target = "foe", do = ["target loses 1 HP"] }
"""
