"""Attacks that heal who makes them by what they deal. Rule: CL-12, CL-14."""

from __future__ import annotations

import pytest

from tests.rules.classic.scene import arm
from tests.rules.table import Game

WHOLE = "+5 to hit; on a hit 2d6 necrotic damage, and you regain hit points equal to that amount"
HALF = "+5 to hit; on a hit 2d6 necrotic damage, and you regain HP equal to half the damage dealt"
OF_ONE = (
    "+5 to hit; on a hit 1d6 piercing damage plus 2d6 necrotic damage. You regain HP equal to the necrotic damage taken"
)


def fight(drain: str, goblin: str = "HP 30, AC 13") -> Game:
    """Ana's Ayla, who has 10 of 40 HP, is on; then a Goblin."""
    game = Game("classic", "")
    fields = {"HP": "10/40", "AC": 15}
    game.do("Ana", "join", document={"name": "Ayla", "owner": game.users["Ana"], "fields": fields}, result=9, dice=[])
    game.do("Gwen", "add", name="Goblin", result=1, sheet=goblin, dice=[])
    arm(game, "Ayla", ("Drain", drain))
    game.do("Gwen", "encounter begin", dice=[])
    return game


def hp(game: Game, who: str = "Ayla") -> int:
    now: int = game.state.combatant(who).pools["HP"].now
    return now


@pytest.mark.parametrize(
    ("drain", "dice", "dealt", "healed"),
    [
        (WHOLE, [(6, 3), (6, 4)], 7, 7),
        (HALF, [(6, 3), (6, 4)], 7, 3),
        (OF_ONE, [(6, 5), (6, 3), (6, 4)], 12, 7),
    ],
)
def test_the_damage_dealt_comes_back(drain: str, dice: list[tuple[int, int]], dealt: int, healed: int) -> None:
    game = fight(drain)
    game.do("Ana", "attack", target="Goblin", dice=[(20, 15), *dice])
    assert (hp(game, "Goblin"), hp(game)) == (30 - dealt, 10 + healed)


def test_damage_to_oneself_does_not_come_back() -> None:
    game = fight("+5 to hit; 2d6 necrotic damage. You take 5 necrotic damage. You regain HP equal to the damage dealt")
    game.do("Ana", "attack", target="Goblin", dice=[(20, 15), (6, 3), (6, 4)])
    assert (hp(game, "Goblin"), hp(game)) == (30 - 7, 10 - 5 + 7)


def test_a_miss_gives_nothing() -> None:
    game = fight(WHOLE)
    game.do("Ana", "attack", target="Goblin", dice=[(20, 3)])
    assert hp(game) == 10


def test_what_is_resisted_was_not_dealt_and_what_is_more_than_needed_was() -> None:
    game = fight(WHOLE, "HP 2, AC 13, RESISTANT necrotic")
    game.do("Ana", "attack", target="Goblin", dice=[(20, 15), (6, 6), (6, 6)])
    assert (hp(game, "Goblin"), hp(game)) == (0, 10 + 6)


def test_temporary_points_that_go_were_dealt() -> None:
    game = fight(WHOLE)
    game.do("Gwen", "gm heal", target="Goblin", amount="4", type="temp", dice=[])
    game.do("Ana", "attack", target="Goblin", dice=[(20, 15), (6, 3), (6, 4)])
    assert (hp(game, "Goblin"), hp(game)) == (30 - 3, 10 + 7)


def test_a_correction_takes_what_came_back_too() -> None:
    game = fight(WHOLE)
    game.do("Ana", "attack", target="Goblin", dice=[(20, 15), (6, 3), (6, 4)])
    game.do("Gwen", "gm correct", what="degree", value="miss", dice=[])
    assert (hp(game, "Goblin"), hp(game)) == (30, 10)
    game.do("Gwen", "gm correct", what="degree", value="hit", dice=[])
    assert (hp(game, "Goblin"), hp(game)) == (30 - 7, 10 + 7)
    game.do("Gwen", "gm correct", what="amount", value="4", dice=[])
    assert (hp(game, "Goblin"), hp(game)) == (30 - 4, 10 + 4)
