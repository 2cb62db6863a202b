"""What sentences know of the dice, and dice that are rolled again in part."""

from __future__ import annotations

import pytest

from tests.rules.kit.tables import KitGame, begun

PUSHED = """kit = 2
id = "pushed"
sheet = { HAND = 3 }
order = { type = "open" }
pool = { HP = { start = 9 } }
[check.try]
roll = "{HAND}d6+2d6"
good = "count"
each = "= 6"
against = "1"
[action.try]
target = "foe"
check = "try"
success = ["target loses 1+{by} HP", "self loses {shows 1 of HAND} HP if self is pushed"]
failure = ["self loses {shows 1 of HAND} HP if self is pushed"]
[reaction.push]
to = "failed"
for = "roller"
do = ["self is pushed", "it is rerolled but for 1 and 6"]
[condition]
pushed = { lasts = 1 }
"""


def test_a_push_rolls_only_the_dice_again_that_are_not_kept() -> None:
    game = begun(KitGame(PUSHED), "Ogre")
    game.do("Ana", "try", target="Ogre", dice=[(6, 1), (6, 2), (6, 5), (6, 3), (6, 4)])
    assert "push" in game.legal("Ayla")
    game.do("Ana", "push", dice=[(6, 6), (6, 1), (6, 1), (6, 6)])
    pools = {name: game.state.combatant(name).pools["HP"].now for name in ("Ayla", "Ogre")}
    assert pools == {"Ogre": 7, "Ayla": 7}, "two sixes; two ones among the first three dice"


def test_the_higher_die_of_a_sum_can_be_kept() -> None:
    text = PUSHED.replace(
        'roll = "{HAND}d6+2d6"\ngood = "count"\neach = "= 6"\nagainst = "1"', 'roll = "1d8+1d10+1"\nagainst = "9"'
    )
    text = text.replace("1 and 6", "the highest").replace("1+{by}", "{by}")
    game = begun(KitGame(text), "Ogre")
    game.do("Ana", "try", target="Ogre", dice=[(8, 2), (10, 4)])
    game.do("Ana", "push", dice=[(8, 7)])
    assert game.state.combatant("Ogre").pools["HP"].now == 6


BEAT = """kit = 2
id = "alone"
order = { type = "open" }
pool = { HP = { start = 9 } }
[check.try]
roll = "2d10"
good = "count"
each = "< min(10, 1d6+{SKILL})"
against = "1"
degrees = { strong = "success by 1" }
[action.try]
target = "foe"
check = "try"
success = ["target loses 1 HP"]
on = { strong = ["target loses 2 HP"] }
[sheet]
SKILL = 2
"""


@pytest.mark.parametrize(("die", "left"), [(1, 9), (2, 8), (6, 7)])
def test_dice_are_compared_with_another_roll_each_alone(die: int, left: int) -> None:
    game = begun(KitGame(BEAT), "Ogre")
    game.do("Ana", "try", target="Ogre", dice=[(10, 3), (10, 5), (6, die)])
    assert game.state.combatant("Ogre").pools["HP"].now == left


SOAKED = """kit = 2
id = "soaked"
order = { type = "open" }
pool = { HP = { start = 30 } }
sheet = { SOAK = 2, TOUGH = 4 }
check = { hit = { roll = "1d20", against = "10" } }
[action.hit]
target = "foe"
check = "hit"
damage = "({by}-{target.SOAK})d6"
success = ["target loses {damage} HP"]
[reaction]
bear = { to = "damaged", do = ["it is less by {damage}-{TOUGH} if damage > {TOUGH}"] }
"""


@pytest.mark.parametrize(("dice", "left"), [((6, 5), 26), ((1, 2), 27)])
def test_damage_knows_its_target_and_an_answer_knows_the_damage(dice: tuple[int, int], left: int) -> None:
    game = begun(KitGame(SOAKED), "Ogre")
    game.do("Ana", "hit", target="Ogre", dice=[(20, 14), *((6, die) for die in dice)])
    game.do("Gwen", "bear", character="Ogre")
    assert game.state.combatant("Ogre").pools["HP"].now == left
