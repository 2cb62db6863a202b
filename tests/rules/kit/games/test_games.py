"""Whole games of mechanisms that tables know, each a file beside this one: a round of each is played."""

from __future__ import annotations

from pathlib import Path

from tests.rules.kit.tables import KitGame, begun
from tests.rules.table import Game

HERE = Path(__file__).parent


def table(name: str) -> Game:
    return begun(KitGame((HERE / f"{name}.toml").read_text(encoding="utf-8")), "Ogre")


def pool(game: Game, who: str, name: str) -> int:
    return int(game.state.combatant(who).pools[name].now)


def give_turn(game: Game, who: str) -> None:
    if game.waits_for() != (who,):
        game.do("Gwen", "gm turn", target=who)


def test_four_degrees_with_three_actions_and_a_shield() -> None:
    game = table("three-actions")
    give_turn(game, "Ogre")
    game.do("Gwen", "raise", character="Ogre")
    give_turn(game, "Ayla")
    game.do("Ana", "strike", target="Ogre", dice=[(20, 12), (8, 6)])
    game.do("Gwen", "block", character="Ogre")
    assert (pool(game, "Ogre", "HP"), pool(game, "Ogre", "SHIELD")) == (25, 15)
    game.do("Ana", "strike", target="Ogre", dice=[(20, 20), (8, 6)])
    assert pool(game, "Ogre", "HP") == 5, "20 + 8 - 5 - 2 is above 18, and a twenty makes it critical"
    assert pool(game, "Ayla", "ACT") == 1


def test_a_twenty_and_a_one_move_the_degree_and_reactions_follow_it() -> None:
    game = table("three-actions")
    game.do("Gwen", "gm add", name="Wall", sheet="AC 30")
    give_turn(game, "Ayla")
    game.do("Ana", "strike", target="Wall", dice=[(20, 20), (8, 6)])
    assert (pool(game, "Wall", "HP"), game.state.questions) == (20, ()), "28 is below 30, and a twenty makes it a hit"
    game.do("Ana", "strike", target="Wall", dice=[(20, 19)])
    assert [each.who for each in game.state.questions] == ["Ayla"]


def test_decisive_blows_spend_the_order() -> None:
    game = table("momentum-order")
    (who, *_) = game.waits_for()
    foe = "Ogre" if who != "Ogre" else "Ayla"
    before = pool(game, who, "INIT"), pool(game, foe, "INIT")
    game.do(
        "Gwen", "wither", character=who, target=foe, dice=[(10, 7)] * 6 + [(10, 1)] * 3 + [(10, 7)] * 2 + [(10, 1)] * 4
    )
    assert pool(game, foe, "INIT") == max(0, before[1] - 2)
    assert pool(game, foe, "ONSLAUGHT") == 1
    gained = 3 + 5 * (before[1] in (1, 2))
    assert pool(game, who, "INIT") == before[0] + gained


def test_a_lost_layer_takes_what_is_left_of_a_hit() -> None:
    game = table("layered-frames")
    game.do("Ana", "skirmish", target="Ogre", dice=[(20, 19), (6, 3), (6, 6)])
    game.do("Gwen", "decline", character="Ogre")
    assert pool(game, "Ogre", "HP") == 1
    game.do("Ana", "end")
    game.do("Gwen", "end", character="Ogre")
    game.do("Bo", "skirmish", target="Ogre", dice=[(20, 10), (6, 4), (6, 6)])
    game.do("Gwen", "decline", character="Ogre")
    assert (pool(game, "Ogre", "HP"), pool(game, "Ogre", "LAYERS")) == (4, 3)


def test_the_weapon_and_the_armor_pick_the_harm_of_a_duel_from_a_list() -> None:
    game = table("drawn-duels")
    give_turn(game, "Ayla")
    game.do("Ana", "fight", target="Ogre", dice=[(6, 5), (6, 4), (6, 3), (6, 2)])
    game.do("Ana", "decline", dice=[(6, 4)])
    assert pool(game, "Ogre", "STAMINA") == 12
    give_turn(game, "Ayla")
    game.do("Ana", "fight", target="Ogre", dice=[(6, 5), (6, 4), (6, 6), (6, 6)])
    assert pool(game, "Ayla", "STAMINA") == 6, "the other one's double six hurts twice"


def test_every_four_above_is_a_wound_that_can_be_soaked() -> None:
    game = table("wild-cards")
    give_turn(game, "Ayla")
    game.do("Ana", "fight", target="Ogre", dice=[(8, 8), (8, 2), (6, 3), (6, 6), (6, 1), (6, 5), (6, 2)])
    game.do("Gwen", "decline", character="Ogre")
    assert pool(game, "Ogre", "WOUNDS") == 1, "7 + 5 + 2 is 8 above 6"
    assert game.state.combatant("Ogre").has("Shaken")
    give_turn(game, "Bran")
    game.do("Bo", "fight", target="Ogre", dice=[(8, 5), (6, 3), (6, 5), (6, 4)])
    game.do("Gwen", "soak", character="Ogre", dice=[(6, 5), (6, 6), (6, 2)])
    assert pool(game, "Ogre", "WOUNDS") == 1, "one wound less, and none is left"
    assert pool(game, "Ogre", "BENNIES") == 2


def test_a_joker_adds_to_rolls_and_to_damage_for_its_round() -> None:
    game = table("wild-cards")
    give_turn(game, "Ayla")
    joker = game.state.combatant("Ayla").pools["JOKER"].evolve(now=2)
    game.do("Gwen", "gm set", target="Ayla", pool="JOKER", value="2")
    assert game.state.combatant("Ayla").pools["JOKER"] == joker
    game.do("Ana", "fight", target="Ogre", dice=[(8, 3), (6, 2), (6, 3), (6, 1)])
    game.do("Gwen", "decline", character="Ogre")
    assert game.state.combatant("Ogre").has("Shaken"), "3 + 2 against 5, and 4 + 2 against 6"
    assert pool(game, "Ogre", "WOUNDS") == 3


def test_luck_adds_to_harm_and_a_double_one_is_hit_harder() -> None:
    game = table("drawn-duels")
    give_turn(game, "Ayla")
    game.do("Ana", "fight", target="Ogre", dice=[(6, 5), (6, 4), (6, 3), (6, 2)])
    game.do("Ana", "lucky", dice=[(6, 3), (6, 6), (6, 4)])
    assert (pool(game, "Ogre", "STAMINA"), pool(game, "Ayla", "LUCK")) == (18 - 8, 8), "4 + 2 is the fourth harm"
    give_turn(game, "Ayla")
    game.do("Ana", "fight", target="Ogre", dice=[(6, 1), (6, 1), (6, 3), (6, 2), (6, 2)])
    assert pool(game, "Ayla", "STAMINA") == 18 - 4, "a 2 counts as a 3"
    give_turn(game, "Ayla")
    game.do("Ana", "cast", note="a light", dice=[(6, 6), (6, 6)])
    assert pool(game, "Ayla", "STAMINA") == 14 - 2


def test_the_best_die_says_how_well_and_what_goes_wrong_is_resisted() -> None:
    game = table("best-die")
    game.do("Ana", "act", target="Ogre", dice=[(6, 4), (6, 2)])
    game.do("Ana", "resist", dice=[(6, 4)])
    assert pool(game, "Ogre", "CLOCK") == 6
    assert (pool(game, "Ayla", "STRESS"), pool(game, "Ayla", "HARMED")) == (2, 0)


def test_harm_takes_dice_away_and_a_friend_can_take_it_over() -> None:
    game = table("best-die")
    game.do("Gwen", "gm set", target="Ayla", pool="HARMED", value="2")
    game.do("Ana", "act", target="Ogre", dice=[(6, 6)])
    assert (pool(game, "Ogre", "CLOCK"), pool(game, "Ayla", "HARMED")) == (6, 2)
    game.do("Bo", "protect", target="Ayla", amount=2)
    assert (pool(game, "Ayla", "HARMED"), pool(game, "Bran", "HARMED")) == (0, 2)


def test_the_higher_of_two_dice_adds_to_the_damage_and_a_guard_halves_it() -> None:
    game = table("pair-of-dice")
    give_turn(game, "Ogre")
    game.do("Gwen", "guard", character="Ogre")
    give_turn(game, "Ayla")
    game.do("Ana", "strike", target="Ogre", dice=[(8, 3), (10, 8)])
    assert pool(game, "Ogre", "HP") == 45 - 7


def test_a_push_keeps_sixes_and_ones_and_the_ones_hurt() -> None:
    game = table("pushed-hands")
    give_turn(game, "Ayla")
    rolled = [1, 2, 3, 4, 5, 5, 5, 5]
    game.do("Ana", "slash", target="Ogre")
    game.do("Gwen", "decline", character="Ogre", dice=[(6, die) for die in rolled])
    game.do("Ana", "push", dice=[*((6, die) for die in (6, 1, 6, 2, 2, 2, 2)), (6, 6), (6, 1)])
    assert pool(game, "Ogre", "STR") == 2, "2, one more for the second six, one less by armor"
    assert (pool(game, "Ayla", "STR"), pool(game, "Ayla", "WILL")) == (2, 2)


def test_a_die_and_a_number_are_compared_with_two_dice() -> None:
    game = table("two-tens")
    game.do("Ana", "strike", target="Ogre", dice=[(10, 3), (10, 7), (6, 6)])
    assert (pool(game, "Ogre", "TRACK"), pool(game, "Ayla", "MOMENTUM")) == (7, 3)
    game.do("Ana", "strike", target="Ogre", dice=[(10, 3), (10, 7), (6, 4)])
    assert (pool(game, "Ogre", "TRACK"), pool(game, "Ayla", "HEALTH")) == (5, 4)


def test_the_highest_damage_of_several_counts_and_the_rest_goes_on_to_the_body() -> None:
    game = table("body-behind-guard")
    give_turn(game, "Ayla")
    game.do("Gwen", "hit", character="Ayla", target="Ogre", dice=[(8, 4)])
    give_turn(game, "Bran")
    game.do("Gwen", "hit", character="Bran", target="Ogre", dice=[(8, 7), (20, 8)])
    assert (pool(game, "Ogre", "GUARD"), pool(game, "Ogre", "BODY")) == (0, 8)
    assert not game.state.combatant("Ogre").has("Felled")


def test_a_weak_hit_rolls_a_smaller_die_and_who_loses_heart_runs() -> None:
    game = table("body-behind-guard")
    give_turn(game, "Ayla")
    game.do("Gwen", "weak-hit", character="Ayla", target="Ogre", dice=[(4, 4)])
    assert pool(game, "Ogre", "GUARD") == 1
    game.do("Gwen", "shake", character="Bran", target="Ogre", dice=[(20, 15)])
    assert game.state.combatant("Ogre").has("Fled")


def test_two_edges_make_a_result_the_next_one_and_a_parry_halves_it() -> None:
    game = table("three-tiers")
    give_turn(game, "Ayla")
    game.do("Ana", "flank", target="Ogre")
    game.do("Ana", "strike", target="Ogre", dice=[(10, 4), (10, 4)])
    game.do("Gwen", "parry", character="Ogre")
    assert pool(game, "Ogre", "STAMINA") == 15, "8 + 2 + 2 is the middle result: 5 halved, and 3"


def test_who_is_dying_bleeds_until_they_breathe() -> None:
    game = table("three-tiers")
    give_turn(game, "Ayla")
    game.do("Gwen", "gm damage", target="Ayla", amount="25")
    assert game.state.combatant("Ayla").has("Dying")
    game.do("Ana", "end", dice=[(6, 4), (3, 1)])
    assert pool(game, "Ayla", "BELOW") == 4
    give_turn(game, "Ayla")
    game.do("Ana", "breathe")
    assert (pool(game, "Ayla", "BELOW"), pool(game, "Ayla", "STAMINA"), pool(game, "Ayla", "RECOVERIES")) == (0, 2, 7)


def test_bought_dice_bring_momentum_and_twenties_threat() -> None:
    game = table("bought-dice")
    game.do("Ana", "aim")
    game.do("Ana", "strike", target="Ogre", dice=[(20, 3), (20, 12), (20, 20)])
    assert pool(game, "Ogre", "STRESS") == 7
    assert game.state.side_pools["Players"]["MOMENTUM"].now == 2
    assert game.state.table_pools["THREAT"].now == 5


def test_armor_takes_damage_one_threshold_down_and_fear_calls_the_gm() -> None:
    game = table("hope-and-fear")
    game.do("Ana", "strike", target="Ogre", dice=[(12, 4), (12, 8), (8, 5)])
    game.do("Gwen", "armored", character="Ogre")
    assert (pool(game, "Ogre", "HP"), pool(game, "Ogre", "ARMOR")) == (5, 2)
    assert game.state.table_pools["FEAR"].now == 1
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "claw", character="Ogre", target="Ayla", dice=[(20, 9), (6, 5), (6, 5)])
    game.do("Ana", "armored")
    assert pool(game, "Ayla", "HP") == 4


def test_a_die_of_a_friend_adds_and_is_none_of_the_doubles() -> None:
    game = table("hope-and-fear")
    game.do("Bo", "help", target="Ayla")
    game.do("Ana", "strike", target="Ogre", dice=[(12, 4), (12, 3), (6, 4), (8, 5)])
    game.do("Gwen", "decline", character="Ogre")
    assert (pool(game, "Ogre", "HP"), pool(game, "Ayla", "HOPE")) == (4, 3), "4 + 3 + 4 + 1 is a hit with hope"
    game.do("Bo", "help", target="Ayla")
    game.do("Ana", "strike", target="Ogre", dice=[(12, 1), (12, 1), (6, 4), (8, 2)])
    game.do("Gwen", "decline", character="Ogre")
    assert (pool(game, "Ogre", "HP"), pool(game, "Ayla", "HOPE")) == (3, 4), "doubles are critical"


def test_an_even_die_does_more_and_a_miss_does_something() -> None:
    game = table("rising-die")
    give_turn(game, "Ayla")
    game.do("Ana", "strike", target="Ogre", dice=[(20, 12), (8, 3), (8, 3)])
    assert (pool(game, "Ogre", "HP"), game.state.combatant("Ogre").has("Stuck")) == (20, True)
    give_turn(game, "Bran")
    game.do("Bo", "strike", target="Ogre", dice=[(20, 5)])
    assert pool(game, "Ogre", "HP") == 18


def test_who_is_down_rolls_to_get_up_and_four_failures_are_the_end() -> None:
    game = table("rising-die")
    give_turn(game, "Ayla")
    game.do("Gwen", "gm damage", target="Ayla", amount="30")
    assert game.state.combatant("Ayla").has("Dying")
    game.do("Ana", "hold-on", dice=[(20, 15)])
    assert pool(game, "Ayla", "FAILED") == 1
    game.do("Gwen", "gm turn", target="Ayla")
    game.do("Ana", "hold-on", dice=[(20, 16), (8, 4), (8, 4)])
    assert (pool(game, "Ayla", "HP"), pool(game, "Ayla", "RECOVER")) == (10, 7)
    game.do("Gwen", "gm turn", target="Ayla")
    game.do("Ana", "rally", dice=[(8, 4), (8, 4)])
    game.do("Ana", "end")
    game.do("Gwen", "gm turn", target="Ayla")
    game.do("Ana", "rally-again", dice=[(20, 5)])
    assert (pool(game, "Ayla", "HP"), pool(game, "Ayla", "RECOVER")) == (20, 6)
