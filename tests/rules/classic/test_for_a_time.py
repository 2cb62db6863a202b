"""What abilities do for a time: conditions whose names say it, and what turns start with. Rule: CL-06, CL-11, CL-13."""

from __future__ import annotations

import pytest

from rules.core.reach.free_moves import spaces_left
from rules.errors import Illegal
from tests.rules.classic.scene import arm, fight
from tests.rules.table import Game

SWORD = ("Sword", "+5 to hit; 1d8 damage")


def table(text: str, *more: tuple[str, str]) -> Game:
    """Ana is on, then Bo, then the GM's Ogre; all have a sword, 20 HP and AC 15, and Ana the ability."""
    game = fight("npc_pools=exact", Ana=20, Bo=10, Ogre=5)
    arm(game, "Ana", ("Flare", text), SWORD, *more)
    for who in ("Bo", "Ogre"):
        arm(game, who, SWORD)
    for who in game.state.names:
        for pool, value in (("AC", "15"), ("HP", "20"), ("SPEED", "6"), ("CON", "0")):
            game.do("Gwen", "gm set", target=who, pool=pool, value=value, dice=[])
    return game


def hp(game: Game, who: str) -> int:
    now: int = game.state.combatant(who).pools["HP"].now
    return now


def conditions(game: Game, who: str) -> list[str]:
    return [each.name for each in game.state.combatant(who).conditions]


def pass_to(game: Game, who: str) -> None:
    """End turns until somebody is on."""
    while game.state.current != (who,):
        now = game.state.current[0]
        game.do(now if now in game.users else "Gwen", "next", dice=[])


@pytest.mark.parametrize(("face", "hits"), [(11, False), (12, True)])
def test_armor_that_an_ability_gives_counts_for_as_long_as_it_says(face: int, hits: bool) -> None:
    game = table("You gain a +2 bonus to AC until the start of your next turn")
    game.do("Ana", "use", using="Flare", dice=[])
    pass_to(game, "Ogre")
    game.do("Gwen", "attack", target="Ana", dice=[(20, face), *([(8, 3)] if hits else [])])
    assert hp(game, "Ana") == 20 - 3 * hits
    game.do("Gwen", "next", dice=[])
    assert conditions(game, "Ana") == []


def test_a_round_that_begins_in_ones_own_turn_lasts_through_the_turns_of_all_others() -> None:
    game = table("You gain a +2 bonus to AC for 1 round")
    game.do("Ana", "use", using="Flare", dice=[])
    pass_to(game, "Ogre")
    game.do("Gwen", "attack", target="Ana", dice=[(20, 11)])
    assert hp(game, "Ana") == 20
    pass_to(game, "Ana")
    game.do("Ana", "next", dice=[])
    assert conditions(game, "Ana") == []


def test_dice_that_are_added_to_an_attack_count_and_are_kept_when_it_is_rolled_again() -> None:
    game = table("Add 1d4 to your next attack roll", ("Lucky", "reroll a missed attack"))
    game.do("Ana", "use", using="Flare", dice=[])
    game.do("Ana", "attack", target="Ogre", using="Sword", dice=[(20, 7), (4, 2)])
    game.do("Ana", "react", using="Lucky", dice=[(20, 8), (8, 1)])
    assert (hp(game, "Ogre"), conditions(game, "Ana")) == (20 - 1, [])


def test_dice_that_are_taken_off_a_save_count() -> None:
    game = table("The target subtracts 1d4 from its saving throws for 1 minute", ("Gas", "DC 10 CON save, 2d6 poison"))
    game.do("Ana", "use", using="Flare", target="Ogre", dice=[])
    game.do("Ana", "use", using="Gas", target="Ogre", dice=[(20, 11), (4, 2), (6, 1), (6, 2)])
    assert hp(game, "Ogre") == 20 - 3


def test_the_next_hit_does_more_and_a_miss_keeps_it() -> None:
    game = table("Your next hit deals an extra 2d6 fire damage")
    game.do("Ana", "use", using="Flare", dice=[])
    game.do("Ana", "attack", target="Ogre", using="Sword", dice=[(20, 2)])
    game.do("Ana", "attack", target="Ogre", using="Sword", dice=[(20, 12), (8, 1), (6, 2), (6, 3)])
    assert (hp(game, "Ogre"), conditions(game, "Ana")) == (20 - 6, [])


def test_a_weapon_in_both_hands_rolls_the_dice_for_that() -> None:
    game = table("You are invisible", ("Axe", "+5 to hit; 1d8 damage (1d10 two-handed)"))
    game.do("Ana", "attack", target="Ogre", using="Axe", note="two-handed", dice=[(20, 15), (10, 9)])
    assert hp(game, "Ogre") == 20 - 9


def test_who_cannot_regain_hit_points_regains_none() -> None:
    game = table("The target can't regain hit points until the end of its next turn")
    game.do("Gwen", "damage", target="Bo", amount="5", dice=[])
    game.do("Ana", "use", using="Flare", target="Bo", dice=[])
    game.do("Gwen", "heal", target="Bo", amount="4", dice=[])
    assert hp(game, "Bo") == 15


def test_who_cannot_take_reactions_takes_none() -> None:
    game = table("The target can't take reactions until the end of its next turn")
    game.do("Ana", "use", using="Flare", target="Bo", dice=[])
    with pytest.raises(Illegal):
        game.do("Bo", "react", note="Ducks", dice=[])


@pytest.mark.parametrize(("words", "left"), [("is halved", 3), ("becomes 0", 0), ("is reduced by 10 feet", 4)])
def test_a_speed_that_is_cut_is_what_is_left_of_a_turn(words: str, left: int) -> None:
    game = table(f"The target's speed {words} until the end of its next turn")
    game.do("Ana", "use", using="Flare", target="Bo", dice=[])
    assert spaces_left(game.state, game.state.combatant("Bo")) == left


def test_what_lasts_while_somebody_is_swallowed_ends_with_it() -> None:
    text = "The target is swallowed. While swallowed, the target is blinded, and it takes 2d6 acid damage at the start"
    game = table(f"{text} of each of its turns")
    game.do("Ana", "use", using="Flare", target="Bo", dice=[])
    game.do("Ana", "next", dice=[(6, 2), (6, 3)])
    assert (hp(game, "Bo"), len(conditions(game, "Bo"))) == (20 - 5, 3)
    game.do("Gwen", "condition remove", target="Bo", name="Swallowed", dice=[])
    assert conditions(game, "Bo") == []


@pytest.mark.parametrize("command", ["damage", "gm damage"])
@pytest.mark.parametrize(
    ("amount", "back"),
    [("9 cold", 4), ("9", 4), ("9 fire", 0), ("9 (fire)", 0), ("4+5 acid damage", 0), ("2d9 kl Acid", 0)],
)
def test_regeneration_comes_by_itself_unless_damage_has_stopped_it(command: str, amount: str, back: int) -> None:
    text = "Ana regains 4 hit points at the start of each of its turns."
    text += " If Ana takes acid or fire damage, this trait doesn't function at"
    game = table(f"{text} the start of Ana's next turn.")
    pass_to(game, "Bo")
    game.do("Gwen", command, target="Ana", amount=amount, dice=[(9, 9), (9, 9)] if "d9" in amount else [])
    pass_to(game, "Ana")
    assert hp(game, "Ana") == 20 - 9 + back
    game.do("Ana", "next", dice=[])
    pass_to(game, "Ana")
    assert hp(game, "Ana") == min(20, 20 - 9 + back + 4)


def test_a_save_without_a_number_is_against_that_of_the_sheet() -> None:
    """Rule: CL-13."""
    game = table("Each creature within 10 feet must make a Constitution saving throw, or take 5 damage and be prone.")
    with pytest.raises(Illegal) as refused:
        game.do("Ana", "use", using="Flare", target="Bo, Ogre", dice=[])
    assert refused.value.rule == "CL-13"
    game.do("Gwen", "gm set", target="Ana", pool="DC", value="14", dice=[])
    game.do("Ana", "use", using="Flare", target="Bo, Ogre", dice=[(20, 14), (20, 13)])
    assert (hp(game, "Bo"), hp(game, "Ogre")) == (20, 15)
    assert conditions(game, "Ogre") == ["Prone"]


@pytest.mark.parametrize(("face", "put"), [(15, []), (20, ["Blinded"])])
def test_what_a_text_says_of_a_critical_hit_comes_of_no_other_hit(face: int, put: list[str]) -> None:
    """Rule: CL-11."""
    game = table("+5 to hit, 1d8 slashing damage; on a crit the target is blinded.")
    dice = [(20, face), (8, 1), *([(8, 1)] if put else [])]
    game.do("Ana", "attack", target="Ogre", using="Flare", dice=dice)
    assert conditions(game, "Ogre") == put
