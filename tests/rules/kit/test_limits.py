"""What one command may do at most, and what a kit cannot make the referee do (kits 10)."""

from __future__ import annotations

from rules.dice.source import Die
from tests.rules.kit.tables import KitGame, seated
from tests.rules.table import Game

HEAD = """kit = 1
id = "limits"
order = { key = "{PLACE}" }
sheet = { PLACE = 1, MANY = 1 }
pool = { HP = { start = 90, out = true }, LUCK = { start = 1 } }
"""


def table(action: str, foes: int = 1, **fields: object) -> Game:
    game = seated(KitGame(f"{HEAD}[action]\nact = {{ target = 'foe', {action} }}"), **{"PLACE": 5, **fields})
    for count in (min(foes, 30), foes - min(foes, 30)):
        if count:
            game.do("Gwen", "gm add", name="Ogre", count=count)
    game.do("Gwen", "encounter begin", seed=b"k" * 32)
    return game


def by(game: Game) -> str:
    return {"Ayla": "Ana", "Bran": "Bo"}[game.waits_for()[0]]


def test_a_sentence_about_everyone_counts_once_for_each_and_200_are_the_most() -> None:
    wind = 'do = ["everyone loses 1 LUCK", "everyone gains 1 LUCK", "everyone gains 1 LUCK", "everyone loses 1 LUCK"]'
    game = table(wind, foes=48)
    game.do(by(game), "act", target="Ogre 1")
    game.do("Gwen", "gm add", name="Rat")
    game.do("Gwen", "gm turn", target="Ayla")
    refused = game.refused("Ana", "act", target="Rat")
    assert refused.reason == "One command can carry out 200 sentences at most."
    assert refused.instead == "Nothing has happened; try something smaller."


def test_a_command_rolls_a_thousand_dice_at_most() -> None:
    game = table('do = ["everyone loses 99d4 LUCK"]', foes=8)
    game.do(by(game), "act", target="Ogre 1")
    game.do("Gwen", "gm add", name="Rat")
    assert "can roll 1000 dice" in game.refused(by(game), "act", target="Rat").reason


def test_a_number_before_a_d_counts_as_a_hundred_at_most() -> None:
    game = table('do = ["target loses {MANY}d4 HP"]', MANY=5000)
    done = game.do(by(game), "act", target="Ogre")
    assert len([each for each in done.dice.records if isinstance(each, Die) and each.sides == 4]) == 100


def test_a_number_counts_as_a_million_at_most() -> None:
    game = table('do = ["self gains {MANY}*{MANY} LUCK"]', MANY=900_000)
    who = game.waits_for()[0]
    game.do(by(game), "act", target="Ogre")
    assert game.state.combatant(who).pools["LUCK"].now <= 1_000_000


def test_what_a_when_does_starts_no_other_but_for_a_pool_at_zero() -> None:
    more = 'when = { LUCK-loss = ["self loses 1 HP"], HP-loss = ["say hurt"], HP-zero = ["say gone"] }'
    game = seated(KitGame(f"{HEAD}{more}\n[action]\nact = {{ do = ['self loses 1 LUCK'] }}"), PLACE=5)
    game.do("Gwen", "gm add", name="Ogre")
    game.do("Gwen", "encounter begin", seed=b"k" * 32)
    who = game.waits_for()[0]
    game.do("Gwen", "gm set", target=who, pool="HP", value="1")
    game.do(by(game), "act")
    assert "gone" in game.lines()
    assert "hurt" not in game.lines()


def test_an_encounter_of_a_kit_holds_64_combatants() -> None:
    game = table("ends = true", foes=60)
    game.do("Gwen", "gm add", name="Rat", count=2)
    refused = game.refused("Gwen", "gm add", name="Wolf")
    assert refused.reason == "An encounter can have 64 combatants."
