"""Slots, a bag of tokens, a clock, seats and exchanged places: who acts, and what comes in between (kits 5)."""

from __future__ import annotations

import pytest

from rules.core.registry import system_of
from rules.core.values import Seat
from tests.rules.kit.tables import KitGame, seated
from tests.rules.table import Game

BY = {"Ayla": "Ana", "Bran": "Bo", "Ogre": "Gwen", "Rat": "Gwen"}
ACTIONS = """
[pool]
HP = { start = 3, out = true }
[action]
poke = { ends = true, target = "foe", do = ["target loses 1 HP"] }
wait-long = { ticks = 5, ends = true }
hurry = { do = ["self loses 2 TICKS", "self gains 1 TOKENS"], once = "round" }
"""


def kit(order: str, more: str = "") -> KitGame:
    return KitGame(f'kit = 1\nid = "a-way"\norder = {{ {order} }}\n{more}{ACTIONS}')


def act(game: Game, who: str, action: str = "end") -> None:
    game.do(BY[who], action, character=who)


# Slots


def slots() -> Game:
    game = seated(kit('type = "slots", key = "1d6", ties = ["Players", "roll"]'), "Ogre")
    game.do("Gwen", "encounter begin", dice=[(6, 3), (6, 5), (6, 4)])
    return game


def test_a_slot_is_its_side_s_and_the_one_who_acts_takes_it() -> None:
    game = slots()
    assert set(game.waits_for()) == {"Ayla", "Bran"}, "Bran rolled the first place, for the side"
    game.do("Ana", "poke", target="Ogre")
    assert game.waits_for() == ("Ogre",)
    assert game.refused("Bo", "poke", target="Ogre").rule == "KI-01"
    act(game, "Ogre")
    assert game.waits_for() == ("Bran",), "each person once a round"
    act(game, "Bran")
    assert game.state.round == 2
    assert set(game.waits_for()) == {"Ayla", "Bran"}, "the places stay as they were rolled"


def test_a_slot_of_a_side_that_has_nobody_left_is_passed_over() -> None:
    game = slots()
    game.do("Ana", "claim")
    assert game.waits_for() == ("Ayla",)
    game.do("Ana", "end")
    game.do("Gwen", "gm set", target="Bran", pool="HP", value="0")
    act(game, "Ogre")
    assert (game.state.round, game.waits_for()) == (2, ("Ayla",))


def test_joining_leaving_and_rulings_in_the_midst_of_slots() -> None:
    game = slots()
    game.do("Gwen", "gm add", name="Rat", dice=[(6, 6)])
    assert set(game.waits_for()) == {"Ogre", "Rat"}, "the newcomer's place comes first, and is the side's"
    game.do("Gwen", "gm skip", target="Rat")
    game.do("Gwen", "remove", target="Bran")
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "gm turn", target="Ayla")
    assert game.waits_for() == ("Ayla",)
    game.do("Gwen", "gm next-phase")
    assert game.state.round == 2


# A bag of tokens


def bag(more: str = "") -> Game:
    game = seated(kit(f'type = "bag", tokens = "1", shared = ["GM"]{more}'), "Ogre", "Rat")
    game.do("Gwen", "encounter begin", dice=[(5, 1)])
    return game


def test_a_draw_is_one_die_of_as_many_sides_as_there_are_tokens() -> None:
    game = bag()
    assert game.waits_for() == ("Ayla",)
    game.do("Ana", "poke", target="Ogre", dice=[(4, 2)])
    assert "A token is drawn: GM." in game.said()
    assert set(game.waits_for()) == {"Ogre", "Rat"}, "a shared token is anybody's of the side"
    game.do("Gwen", "end", character="Rat", dice=[(3, 2)])
    assert set(game.waits_for()) == {"Ogre", "Rat"}
    game.do("Gwen", "end", character="Rat", dice=[(2, 2), (5, 2)])
    assert "A token is drawn: the round ends." in game.said()
    assert (game.state.round, game.waits_for()) == (2, ("Bran",)), "all tokens are in the bag again"


def test_tokens_that_are_gained_count_for_the_round_and_the_fallen_have_none() -> None:
    game = bag()
    game.do("Ana", "hurry")
    game.do("Gwen", "gm set", target="Bran", pool="HP", value="0")
    game.do("Ana", "end", dice=[(4, 1)])
    assert game.waits_for() == ("Ayla",), "one of her own again, of those two, the end and none of Bran's"
    assert system_of(game.state).present(game.state).number("Ayla") == 1


def test_without_an_end_token_the_empty_bag_ends_the_round() -> None:
    game = seated(kit('type = "bag", tokens = "1", end_tokens = 0'), "Ogre")
    game.do("Gwen", "encounter begin", dice=[(3, 3)])
    game.do("Gwen", "end", dice=[(2, 1)])
    game.do("Ana", "end", dice=[(1, 1)])
    game.do("Bo", "end", dice=[(3, 1)])
    assert (game.state.round, game.waits_for()) == (2, ("Ayla",))


def test_joining_leaving_and_rulings_in_the_midst_of_a_bag() -> None:
    game = bag()
    game.do("Gwen", "remove", target="Ayla", dice=[(4, 1)])
    assert game.waits_for() == ("Bran",)
    game.do("Gwen", "gm add", name="Imp")
    game.do("Gwen", "gm skip", target="Bran", dice=[(4, 4), (5, 1)])
    assert (game.state.round, game.waits_for()) == (2, ("Bran",))
    game.do("Gwen", "gm turn", target="Imp")
    assert game.waits_for() == ("Imp",)
    game.do("Gwen", "gm next-phase", dice=[(5, 1)])
    assert game.state.round == 3


# A clock


def clock(more: str = "") -> Game:
    game = seated(kit(f'type = "clock", key = "1d6", ticks = 3, round = 10{more}'), "Ogre")
    game.do("Gwen", "encounter begin", dice=[(6, 2), (6, 1), (6, 6)])
    return game


def count(game: Game, who: str) -> int:
    return int(system_of(game.state).row(game.state, who, Seat()).standing)


def test_the_fewest_ticks_act_and_what_one_does_takes_some() -> None:
    game = clock()
    assert game.waits_for() == ("Bran",)
    game.do("Bo", "wait-long")
    assert (count(game, "Bran"), game.waits_for()) == (6, ("Ayla",))
    game.do("Ana", "poke", target="Ogre", dice=[])
    assert count(game, "Ayla") == 5, "the order's own ticks"
    assert game.waits_for() == ("Ayla",), "whose count is best acts again"
    assert system_of(game.state).present(game.state).number("Ayla") == 1
    game.do("Ana", "hurry")
    assert count(game, "Ayla") == 3
    game.do("Ana", "end")
    assert count(game, "Ayla") == 6, "hurrying took the usual ticks"


def test_those_who_share_a_count_act_together_if_the_kit_says_so() -> None:
    game = clock(', ties = ["together"]')
    game.do("Gwen", "gm set", target="Ayla", pool="initiative", value="6")
    game.do("Bo", "wait-long")
    assert set(game.waits_for()) == {"Ayla", "Bran", "Ogre"}
    game.do("Ana", "end")
    assert set(game.waits_for()) == {"Bran", "Ogre"}


def test_a_round_of_a_clock_ends_when_all_are_beyond_it() -> None:
    game = clock()
    for _ in range(20):
        if game.state.round == 2:
            break
        assert all(count(game, who) < 10 for who in game.waits_for())
        act(game, game.waits_for()[0])
    assert game.state.round == 2
    assert min(count(game, who) for who in game.state.names) >= 10


def test_one_who_holds_on_a_clock_comes_back_at_its_time() -> None:
    game = clock()
    game.do("Bo", "hold")
    assert game.waits_for() == ("Ayla",)
    game.do("Ana", "end")
    game.do("Bo", "back")
    assert game.waits_for() == ("Bran",)
    assert count(game, "Bran") == 5, "where the clock stands"
    game.do("Bo", "end")
    assert count(game, "Bran") == 8


def test_a_clock_that_counts_down_ends_when_nobody_has_any() -> None:
    game = clock(', count = "down"')
    assert game.waits_for() == ("Ogre",)
    act(game, "Ogre", "wait-long")
    assert (count(game, "Ogre"), game.waits_for()) == (1, ("Ayla",))
    act(game, "Ayla")
    assert game.waits_for()[0] in ("Bran", "Ogre")
    for _ in range(2):
        act(game, game.waits_for()[0])
    assert game.state.round == 2, "and everybody rolls anew"
    assert all(count(game, who) > 0 for who in game.state.names)


def test_joining_leaving_and_rulings_in_the_midst_of_a_clock() -> None:
    game = clock()
    for _ in range(4):
        act(game, game.waits_for()[0])
    game.do("Gwen", "gm add", name="Rat", dice=[(6, 1)])
    assert count(game, "Rat") >= 5, "whoever joins late begins where the clock stands"
    who = game.waits_for()[0]
    game.do("Gwen", "gm skip", target=who)
    game.do("Gwen", "remove", target="Bran")
    game.do("Gwen", "gm turn", target="Ogre")
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "gm next-phase")
    assert game.state.round == 2


# Seats and places that are exchanged


def test_seats_go_round_the_table_from_the_highest() -> None:
    game = seated(kit('key = "seats 1d20"'), "Ogre")
    game.do("Gwen", "encounter begin", dice=[(20, 3), (20, 17), (20, 9)])
    assert system_of(game.state).turn_order(game.state) == ("Bran", "Ogre", "Ayla")


def test_places_are_exchanged_with_one_still_to_come() -> None:
    game = seated(kit('key = "cards 1-10", best = "low", swap = "later"'), "Ogre")
    game.do("Gwen", "encounter begin", dice=[(10, 1), (9, 3), (8, 8)])
    assert game.waits_for() == ("Ayla",)
    assert game.refused("Bo", "swap", target="Ogre").rule == "KI-01"
    game.do("Ana", "swap", target="Ogre")
    assert "Ayla and Ogre swap places." in game.said()
    assert game.waits_for() == ("Ogre",)
    assert game.refused("Gwen", "swap", character="Ogre", target="Ogre").rule == "KI-01"
    act(game, "Ogre")
    act(game, "Bran")
    assert game.waits_for() == ("Ayla",)


def test_places_of_a_side_are_exchanged_with_one_who_agrees() -> None:
    game = seated(kit('key = "1d20", swap = "side"'), "Ogre")
    game.do("Gwen", "encounter begin", dice=[(20, 20), (20, 3), (20, 9)])
    assert game.refused("Ana", "swap", target="Ogre").rule == "KI-01"
    game.do("Bo", "swap", target="Ayla")
    assert game.waits_for() == ("Ayla",), "who is asked"
    game.do("Ana", "decline")
    assert game.waits_for() == ("Ayla",), "whose turn it is"
    game.do("Bo", "swap", target="Ayla")
    game.do("Ana", "accept")
    assert game.waits_for() == ("Bran",)


def test_a_turn_that_is_given_back_starts_once() -> None:
    game = seated(kit('key = "1d20"', 'when = { turn-start = ["say it starts"] }\n'), "Ogre")
    game.do("Gwen", "encounter begin", dice=[(20, 20), (20, 13), (20, 9)])
    assert game.said().count("it starts") == 1
    game.do("Ana", "hold")
    game.do("Bo", "end")
    game.do("Ana", "back")
    assert "it starts" not in game.said()


def test_the_last_who_holds_have_their_turn_when_all_others_had_theirs() -> None:
    game = seated(kit('key = "1d20"'), "Ogre")
    game.do("Gwen", "encounter begin", dice=[(20, 20), (20, 13), (20, 9)])
    game.do("Ana", "hold")
    game.do("Bo", "end")
    game.do("Gwen", "end", character="Ogre")
    assert (game.state.round, game.waits_for()) == (1, ("Ayla",))
    assert game.refused("Ana", "hold").rule == "KI-01"


@pytest.mark.parametrize("way", ["alternate", "slots", "bag"])
def test_those_of_a_group_have_a_turn_together_and_count_as_one(way: str) -> None:
    order = 'type = "alternate", first = "GM"' if way == "alternate" else f'type = "{way}"'
    game = seated(kit(order))
    for name in ("Rat 1", "Rat 2"):
        game.do("Gwen", "gm add", name=name)
        game.do("Gwen", "gm set", target=name, pool="group", value="rats")
    game.do("Gwen", "encounter begin")
    for _ in range(8):
        waits = game.waits_for()
        if waits[0].startswith("Rat"):
            break
        act(game, waits[0])
    assert game.waits_for() == ("Rat 1", "Rat 2")
    game.do("Gwen", "poke", character="Rat 1", target="Ayla")
    assert game.waits_for() == ("Rat 2",)
    game.do("Gwen", "poke", character="Rat 2", target="Ayla")
    assert not any(name.startswith("Rat") for name in game.waits_for()) or game.state.round > 1


# Those who are equal


def order_of(game: Game) -> tuple[str, ...]:
    return system_of(game.state).turn_order(game.state)


def test_somebody_who_comes_to_two_that_have_rolled_off_rolls_against_the_faces_that_lie_there() -> None:
    game = seated(kit('key = "{DEX}", ties = ["Players", "{WIT}", "roll"]', "sheet = { DEX = 3, WIT = 2 }"))
    game.do("Gwen", "encounter begin", dice=[(20, 15), (20, 4)])
    assert order_of(game) == ("Ayla", "Bran")
    game.do("Gwen", "gm add", name="Cleo", sheet="WIT 1", side="Players", dice=[])
    game.do("Gwen", "gm add", name="Late", side="Players", dice=[(20, 9)])
    assert "Tie, rolled off: Late 9." in game.said()
    assert order_of(game) == ("Ayla", "Late", "Bran", "Cleo")
    game.do("Gwen", "gm add", name="Later", side="Players", dice=[(20, 9), (20, 3), (20, 2)])
    assert order_of(game) == ("Ayla", "Late", "Later", "Bran", "Cleo")


def test_somebody_who_comes_to_a_count_on_a_clock_rolls_against_the_faces_that_lie_there() -> None:
    game = seated(kit('type = "clock", key = "1d6", ticks = 3, round = 10, ties = ["roll"]'), "Ogre")
    game.do("Gwen", "encounter begin", dice=[(6, 4), (6, 4), (6, 1), (20, 8), (20, 12)])
    assert order_of(game) == ("Ogre", "Bran", "Ayla")
    game.do("Gwen", "end", character="Ogre", dice=[(20, 10)])
    assert order_of(game) == ("Bran", "Ogre", "Ayla")


def test_sides_that_are_equal_roll_off() -> None:
    game = seated(kit('type = "sides", first = "key", key = "{DEX}", ties = ["roll"]', "sheet = { DEX = 3 }"), "Ogre")
    game.do("Gwen", "encounter begin", dice=[(20, 5), (20, 17)])
    assert game.waits_for() == ("Ogre",)
