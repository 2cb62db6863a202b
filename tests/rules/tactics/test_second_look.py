"""A source that the GM takes off an attack which is still open: the dice without it, and what follows (TA-03)."""

from __future__ import annotations

from tests.rules.table import Game
from tests.rules.tactics.scene import ability, duel, skip_all, two_d6

SWORD = ability("Sword", damage="4", effect="Burn")


def attacked(note: str, *dice: tuple[int, int], **ogre: int) -> Game:
    """Rhea attacks an Ogre with DEF 9 and 20 HP with that note, after the Ogre; a new round is rolled then."""
    game = duel(rhea={"abilities": (SWORD,)}, ogre=ogre)
    skip_all(game)
    game.do("Gwen", "pass", character="Ogre")
    game.do("Ana", "attack", target="Ogre", note=note, dice=[*dice, *two_d6(1, 1, 6, 6)])
    return game


def hp(game: Game) -> int:
    now: int = game.state.combatant("Ogre").pools["HP"].now
    return now


def test_without_the_only_source_the_two_dice_stay_and_a_lost_hit_gives_all_back() -> None:
    """Prove TA-03."""
    game = attacked("+flanking", (6, 2), (6, 4), (6, 5))
    assert (hp(game), game.state.combatant("Ogre").has("Burn")) == (16, True)
    game.do("Gwen", "gm choose", what="source", value="flanking", dice=[])
    told = game.said("Ana")
    assert all(part in told for part in ("flanking", "2, 4, +0: 6", "miss"))
    assert (hp(game), game.state.combatant("Ogre").has("Burn")) == (20, False)
    assert game.decisions[-1].ruling


def test_with_a_source_left_the_die_of_its_size_is_rolled() -> None:
    game = attacked("+flanking, +high ground", (6, 2), (6, 4), (8, 8))
    game.do("Gwen", "gm choose", what="source", value="high ground", dice=[(6, 6)])
    assert "2, 4, 6, +0: 10, hit" in game.said()
    assert hp(game) == 16


def test_a_disadvantage_that_is_taken_off_may_make_a_hit() -> None:
    game = attacked("-cover", (6, 5), (6, 5), (12, 1))
    assert hp(game) == 20
    game.do("Gwen", "gm choose", what="source", value="cover", dice=[])
    assert hp(game) == 16


def test_the_next_action_closes_an_attack() -> None:
    game = attacked("+flanking", (6, 2), (6, 4), (6, 5))
    game.do("Gwen", "skip", character=game.waits_for()[0])
    game.refused("Gwen", "gm choose", what="source", value="flanking", rule="TA-03")


def test_an_attack_without_sources_has_none_to_take_off_and_players_take_none() -> None:
    game = attacked("+flanking", (6, 2), (6, 4), (6, 5))
    game.refused("Gwen", "gm choose", what="source", value="cover", rule="TA-03")
    game.refused("Ana", "gm choose", what="source", value="flanking")
    game.refused("Gwen", "gm choose", what="order", value="flanking")


def test_a_correction_takes_back_what_an_attack_did_and_keeps_its_dice() -> None:
    """Rule: TA-12."""
    game = attacked("", (6, 4), (6, 5))
    game.do("Gwen", "gm correct", what="DEF", value="10", dice=[])
    assert (hp(game), game.state.combatant("Ogre").has("Burn")) == (20, False)
    game.do("Gwen", "gm correct", what="edge", value="advantage", dice=[(6, 6)])
    assert (hp(game), game.state.combatant("Ogre").has("Burn")) == (16, True)
    game.do("Gwen", "gm correct", what="amount", value="7", dice=[])
    assert hp(game) == 13
    game.refused("Gwen", "gm correct", what="degree", value="critical")


def test_what_lasts_until_the_end_of_ones_next_turn_outlives_the_turn_under_way() -> None:
    power = {**ability("Sting"), "source": "damage 1; the target is Dazed until the end of your next turn"}
    game = duel(ogre={"abilities": (power,)})
    skip_all(game)
    game.do("Gwen", "attack", character="Ogre", target="Rhea", dice=two_d6(6, 6))
    assert game.state.combatant("Rhea").has("Dazed")
    game.do("Ana", "pass", dice=two_d6(1, 1, 6, 6))
    skip_all(game)
    game.do("Gwen", "pass", character="Ogre")
    assert not game.state.combatant("Rhea").has("Dazed")
