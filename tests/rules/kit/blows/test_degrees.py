"""Degrees: several tests for one, several ways to one, and the dice of the other one."""

from __future__ import annotations

import pytest

from tests.rules.kit.tables import KitGame, begun

FOUR = """kit = 2
id = "four"
order = { type = "open" }
pool = { HP = { start = 99 } }
[check.hit]
roll = "1d20+{SKILL}"
against = "15"
[check.hit.degrees]
held = "success natural 1 by 10"
spoiled = "success natural 1 is failure"
critical = ["success natural 20", "success by 10"]
weak = "failure natural 20 by 10"
lucky = "failure natural 20 is success"
fumble = ["failure natural 1", "failure by 10"]
[action.hit]
target = "foe"
check = "hit"
success = ["target loses 3 HP"]
failure = ["target loses 2 HP"]
[action.hit.on]
critical = ["target loses 4 HP"]
fumble = ["target loses 1 HP"]
[sheet]
SKILL = 0
[reaction]
shrug = { to = "failed", for = "roller", do = ["say it is as it is"] }
"""


@pytest.mark.parametrize(
    ("skill", "die", "lost"),
    [
        (30, 1, 3),  # a one makes the best result the next one down
        (15, 1, 2),
        (0, 1, 1),
        (13, 12, 4),
        (5, 12, 3),
        (0, 12, 2),
        (0, 5, 1),
        (0, 20, 4),
        (-10, 20, 3),  # a twenty makes it the next one up
        (-20, 20, 2),
    ],
)
def test_a_face_moves_a_result_that_was_reached_by_ten(skill: int, die: int, lost: int) -> None:
    game = begun(KitGame(FOUR), "Ogre", SKILL=skill)
    game.do("Ana", "hit", target="Ogre", dice=[(20, die)])
    is_failure = lost < 3
    assert len(game.state.questions) == is_failure, "a degree says what it counts as, also for reactions"
    if is_failure:
        game.do("Ana", "decline", dice=[])
    assert game.state.combatant("Ogre").pools["HP"].now == 99 - lost


DUEL = """kit = 2
id = "duel"
order = { type = "open" }
pool = { HP = { start = 99 } }
[check.hit]
roll = "2d6"
against = "2d6"
ties = "failure"
degrees = { struck = "failure theirs doubles 6", drawn = "failure theirs doubles" }
[action.hit]
target = "foe"
check = "hit"
failure = ["self loses 1 HP"]
on = { struck = ["self loses 9 HP"], drawn = [] }
"""


@pytest.mark.parametrize(("theirs", "lost"), [((6, 6), 9), ((5, 5), 0), ((6, 5), 1)])
def test_a_degree_looks_at_the_dice_of_the_other_one(theirs: tuple[int, int], lost: int) -> None:
    game = begun(KitGame(DUEL), "Ogre")
    game.do("Ana", "hit", target="Ogre", dice=[(6, 1), (6, 2), (6, theirs[0]), (6, theirs[1])])
    assert game.state.combatant("Ayla").pools["HP"].now == 99 - lost


EVEN = """kit = 2
id = "even"
order = { type = "open" }
pool = { HP = { start = 99 } }
[check.hit]
roll = "1d20"
against = "10"
degrees = { even = "success natural even", odd = "failure natural odd" }
[action.hit]
target = "foe"
check = "hit"
success = ["target loses 1 HP"]
on = { even = ["target loses 2 HP"], odd = ["target loses 3 HP"] }
"""


@pytest.mark.parametrize(("die", "lost"), [(14, 2), (15, 1), (7, 3), (8, 0)])
def test_a_degree_asks_whether_the_die_is_even(die: int, lost: int) -> None:
    game = begun(KitGame(EVEN), "Ogre")
    game.do("Ana", "hit", target="Ogre", dice=[(20, die)])
    assert game.state.combatant("Ogre").pools["HP"].now == 99 - lost


OVER = """kit = 2
id = "over"
order = { type = "open" }
pool = { HP = { start = 5 }, PLATES = { start = 3, out = true } }
when = { HP-zero = ["self loses 1 PLATES", "self HP becomes 5"] }
[action.hit]
target = "foe"
damage = "1d12"
do = ["target loses {damage} HP", "target loses {damage}-{dealt} HP"]
"""


def test_what_was_taken_is_known_although_the_pool_is_full_again() -> None:
    game = begun(KitGame(OVER), "Ogre")
    game.do("Ana", "hit", target="Ogre", dice=[(12, 7)])
    pools = game.state.combatant("Ogre").pools
    assert (pools["PLATES"].now, pools["HP"].now) == (2, 3)
