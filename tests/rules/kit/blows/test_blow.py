"""The blow of a kit: damage is a value, and each stage may be answered, by who rolls too (effects 2 and 7)."""

from __future__ import annotations

import pytest

from tests.rules.kit.tables import KitGame, begun, seated
from tests.rules.table import Game

KIT = """kit = 2
id = "blows"
order = { type = "sides", first = "Players" }
sheet = { SOAK = 0 }
[pool]
HP = { start = 20, out = true }
LUCK = { start = 1, most = 9 }
[check]
hit = { roll = "1d20", against = "11", edge = ["1d20+5"] }
[condition]
hurt-badly = {}
[action.strike]
kind = "blow"
target = "foe"
targets = 2
check = "hit"
damage = "1d8"
success = ["target loses {damage}-{target.SOAK} HP", "target is hurt-badly if dealt >= 5"]
failure = ["target loses {damage}/2 HP"]
after = ["self gains 1 LUCK"]
[action]
bite = { target = "foe", damage = "1d8", do = ["target loses {damage} HP", "self gains {dealt} HP"] }
"""


def table(more: str = "", *foes: str) -> Game:
    game = seated(KitGame(KIT + more), *(foes or ("Ogre",)))
    game.do("Gwen", "encounter begin")
    return game


def health(game: Game, who: str = "Ogre") -> int:
    return int(game.state.combatant(who).pools["HP"].now)


def luck(game: Game, who: str = "Ayla") -> int:
    return int(game.state.combatant(who).pools["LUCK"].now)


def test_damage_falls_once_for_all_targets_and_a_miss_takes_half_of_the_same_roll() -> None:
    game = table("", "Ogre", "Rat")
    game.do("Ana", "strike", target="Ogre, Rat", dice=[(20, 15), (8, 6), (20, 3)])
    assert (health(game, "Ogre"), health(game, "Rat"), luck(game)) == (14, 17, 2)


def test_what_was_dealt_is_what_was_taken() -> None:
    game = table()
    game.do("Ana", "strike", target="Ogre", dice=[(20, 15), (8, 4)])
    assert not game.state.combatant("Ogre").conditions
    game.do("Ana", "strike", target="Ogre", dice=[(20, 15), (8, 5)])
    assert game.state.combatant("Ogre").has("Hurt badly")
    game.do("Ana", "bite", target="Ogre", dice=[(8, 3)])
    assert (health(game), health(game, "Ayla")) == (8, 20)


@pytest.mark.parametrize(
    ("says", "left"),
    [("it is halved", 17), ("it is less by 2", 15), ("it is more by 2", 11), ("it is stopped", 20)],
)
def test_damage_that_has_fallen_is_answered_before_it_counts(says: str, left: int) -> None:
    game = table(f'[reaction]\nshield = {{ to = "damaged", do = ["{says}"] }}\n')
    game.do("Ana", "strike", target="Ogre", dice=[(20, 15), (8, 7)])
    assert (health(game), game.waits_for()) == (20, ("Ogre",))
    game.do("Gwen", "shield", character="Ogre")
    assert health(game) == left


def test_somebody_who_rolls_may_roll_again_once_and_others_answer_the_new_roll() -> None:
    more = (
        '[reaction]\npush = { to = "failed", for = "roller", cost = "1 LUCK", do = ["it is rerolled"] }\n'
        'parry = { to = "succeeded", do = ["it is harder by 9"] }\n'
    )
    game = table(more)
    game.do("Ana", "strike", target="Ogre", dice=[(20, 2)])
    assert game.waits_for() == ("Ayla",)
    game.do("Ana", "push", dice=[(20, 12)])
    assert (game.waits_for(), luck(game)) == (("Ogre",), 0)
    game.do("Gwen", "parry", character="Ogre", dice=[(8, 6)])
    assert (health(game), luck(game)) == (17, 1)


def test_an_edge_that_an_ally_gives_counts_before_the_roll() -> None:
    game = table('[reaction]\nshout = { to = "targeted", for = "foe", do = ["it gains 1 edge"] }\n')
    game.do("Ana", "strike", target="Ogre")
    game.do("Bo", "shout", dice=[(20, 6), (8, 8)])
    assert health(game) == 12


def test_somebody_steps_in_between_and_is_struck() -> None:
    game = table('[reaction]\nguard = { to = "targeted", for = "ally", do = ["it is aimed at self"] }\n', "Ogre", "Rat")
    game.do("Ana", "strike", target="Ogre")
    game.do("Gwen", "guard", character="Rat", dice=[(20, 15), (8, 8)])
    assert (health(game, "Ogre"), health(game, "Rat")) == (20, 12)


def test_a_counterattack_is_aimed_at_the_one_who_struck() -> None:
    counter = 'to = "hurt", target = "source", check = "hit", damage = "1d8", success = ["target loses {damage} HP"]'
    game = table(f"[reaction]\ncounter = {{ {counter} }}\n")
    game.do("Ana", "strike", target="Ogre", dice=[(20, 15), (8, 2)])
    game.do("Gwen", "counter", character="Ogre", dice=[(20, 15), (8, 8)])
    assert (health(game), health(game, "Ayla")) == (18, 12)


def test_a_loss_says_how_much_was_lost() -> None:
    game = table('[when]\nHP-loss = ["self loses {dealt} LUCK"]\n')
    game.do("Ana", "strike", target="Ogre", dice=[(20, 15), (8, 2)])
    assert luck(game, "Ogre") == 0


READ = """kit = 2
id = "faces"
order = { type = "open" }
pool = { HP = { start = 20, out = true } }
[check.duo]
roll = "2d12"
against = "10"
degrees = { twin-fives = "success doubles 5-6", twins = "success doubles", bright = "success first", worse = "failure shows 1" }
[action.hit]
target = "foe"
check = "duo"
success = ["target loses {high} HP"]
on = { twin-fives = ["target loses 1 HP"], twins = ["target loses 2 HP"], bright = ["target loses 3 HP"], worse = ["target loses 4 HP"] }
"""  # noqa: E501 - a table of the file stands in one line


@pytest.mark.parametrize(
    ("faces", "lost"), [((5, 5), 1), ((7, 7), 2), ((8, 3), 3), ((3, 8), 8), ((1, 2), 4), ((2, 4), 0)]
)
def test_dice_are_read_by_their_faces(faces: tuple[int, int], lost: int) -> None:
    game = begun(KitGame(READ), "Ogre")
    game.do("Ana", "hit", target="Ogre", dice=[(12, face) for face in faces])
    assert health(game) == 20 - lost
