"""CL-07 and CL-10: groups that share a place, and initiative by cards."""

from __future__ import annotations

from rules.core.registry import system_of
from rules.dice.decks import standard_deck
from tests.rules.classic.scene import export, shuffle_to
from tests.rules.table import Game

DECK = standard_deck(jokers=True)


def order(game: Game) -> tuple[str, ...]:
    return system_of(game.state).turn_order(game.state)


def dealt(*cards: str, options: str = "rolled=cards") -> Game:
    """Begin with Ana, Bo and an Ogre, dealt these cards."""
    game = Game("classic", options)
    game.do("Ana", "join", dice=[])
    game.do("Bo", "join", dice=[])
    game.do("Gwen", "add", name="Ogre", dice=[])
    game.do("Gwen", "encounter begin", dice=shuffle_to(cards, DECK))
    return game


def test_cl_07_a_group_rolls_once_and_has_one_turn() -> None:
    game = Game()
    game.do("Ana", "join", result=10)
    game.do("Gwen", "add", name="Rat", count=3, group="Rats", dice=[(20, 15)])
    game.do("Gwen", "encounter begin", dice=[])
    assert game.waits_for() == ("Rat 1", "Rat 2", "Rat 3")
    game.do("Gwen", "next", decided=True)
    assert game.waits_for() == ("Ana",)


def test_cl_07_a_latecomer_of_the_group_shares_its_place_and_its_turn() -> None:
    game = Game()
    game.do("Ana", "join", result=10)
    game.do("Gwen", "add", name="Rat", count=2, group="Rats", result=15)
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "add", name="King", group="Rats", dice=[])
    assert game.waits_for() == ("Rat 1", "Rat 2", "King")
    game.do("Gwen", "next", decided=True)
    game.do("Gwen", "add", name="Tail", group="Rats", dice=[])
    assert "Tail" in game.state.acted


def test_cl_07_somebody_who_comes_into_a_turn_leaves_the_others_what_they_have_of_it() -> None:
    game = Game()
    game.do("Gwen", "add", name="Rat", group="Rats", result=15)
    game.do("Ana", "join", result=10)
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "ready", character="Rat", note="bite whoever runs")
    game.do("Gwen", "add", name="King", group="Rats", dice=[])
    assert game.waits_for() == ("Rat", "King")
    assert "Rat" in game.state.readied
    game.do("Gwen", "next", character="Rat")
    game.do("Gwen", "gm turn", target="Rat", extra=True)
    game.do("Gwen", "add", name="Tail", group="Rats", dice=[])
    assert game.state.extra == "Rat"


def test_cl_07_one_of_a_group_delays_and_the_others_keep_the_turn() -> None:
    game = Game()
    game.do("Gwen", "add", name="Rat", count=2, group="Rats", result=15)
    game.do("Ana", "join", result=10)
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "delay", character="Rat 1")
    assert game.waits_for() == ("Rat 2",)
    game.do("Gwen", "next", decided=True)
    game.do("Gwen", "back", character="Rat 1")
    assert game.waits_for() == ("Rat 1",)
    game.do("Gwen", "next", character="Rat 1")
    assert game.waits_for() == ("Ana",)


def test_cl_07_the_gm_puts_somebody_into_a_group_and_takes_them_out() -> None:
    game = Game()
    game.do("Ana", "join", result=20)
    game.do("Bo", "join", result=10)
    game.do("Gwen", "add", name="Rat", result=1)
    game.do("Gwen", "gm set", target="Ana, Bo", pool="group", value="Heroes")
    game.do("Gwen", "encounter begin")
    assert game.waits_for() == ("Ana", "Bo")
    game.do("Gwen", "gm set", target="Bo", pool="group", value="off")
    assert game.state.combatant("Bo").group is None


def test_cl_10_high_cards_first_ace_high_and_ties_by_suit() -> None:
    game = dealt("KH", "AC", "KS")
    assert order(game) == ("Bo", "Ogre", "Ana")
    assert "Ana is dealt KH." in game.lines("Bo")
    assert export(game, "Ana")["combatants"]["Ogre"]["facts"]["card"] == "KS"
    assert export(game, "Ana")["deck"] == {"left": 51, "discard": []}


def test_cl_10_each_round_deals_new_cards_and_the_old_lie_open() -> None:
    game = dealt("KH", "AC", "KS", "2C", "3C", "4C")
    for _ in range(3):
        game.do("Gwen", "next", decided=True)
    assert game.state.round == 2
    assert order(game) == ("Ogre", "Bo", "Ana")
    assert export(game)["deck"] == {"left": 48, "discard": ["KH", "AC", "KS"]}


def test_cl_10_a_joker_acts_at_any_moment_and_the_interrupted_turn_goes_on() -> None:
    game = dealt("KH", "X1", "3S")
    assert game.waits_for() == ("Ana",)
    game.refused("Ana", "interrupt", rule="CL-10")
    game.do("Bo", "interrupt")
    assert game.waits_for() == ("Bo",)
    game.do("Bo", "next")
    assert game.waits_for() == ("Ana",)
    game.refused("Bo", "interrupt", rule="CL-10")
    game.do("Ana", "next")
    assert game.waits_for() == ("Ogre",)


def test_cl_10_a_joker_that_waits_acts_last() -> None:
    game = dealt("KH", "X1", "3S")
    game.do("Ana", "next")
    game.do("Gwen", "next", character="Ogre")
    assert (game.state.round, game.waits_for()) == (1, ("Bo",))


def test_cl_10_after_a_jokers_round_the_whole_deck_is_shuffled_again() -> None:
    game = dealt("KH", "X1", "3S")
    for _ in range(2):
        game.do("Gwen", "next", decided=True, dice=[])
    game.do("Bo", "next", dice=shuffle_to(("5C", "6C", "7C"), DECK))
    assert "The initiative deck is shuffled." in game.lines("Ana")
    assert export(game)["deck"] == {"left": 51, "discard": []}


def test_cl_10_a_joker_that_left_the_fight_has_the_deck_shuffled_too() -> None:
    game = dealt("KH", "X1", "3S")
    game.do("Gwen", "gm remove", target="Bo")
    game.do("Ana", "next", dice=[])
    game.do("Gwen", "next", decided=True, dice=shuffle_to(("5C", "6C"), DECK))
    assert len(game.state.pile) == 52


def test_cl_10_a_group_holds_one_card_and_its_joker_is_the_whole_groups() -> None:
    game = Game("classic", "rolled=cards")
    game.do("Ana", "join")
    game.do("Gwen", "add", name="Rat", count=2, group="Rats")
    game.do("Gwen", "encounter begin", dice=shuffle_to(("KH", "X2"), DECK))
    assert game.waits_for() == ("Ana",)
    assert export(game)["combatants"]["Rat 2"]["facts"]["card"] == "X2"
    game.do("Gwen", "interrupt", character="Rat 2")
    assert game.waits_for() == ("Rat 1", "Rat 2")
    game.do("Gwen", "next", decided=True)
    assert game.waits_for() == ("Ana",)


def test_cl_10_a_sides_joker_leaves_the_other_side_first() -> None:
    game = dealt("X1", "2C", options="rolled=cards, by=side")
    assert game.waits_for() == ("Ogre",)
    game.do("Bo", "interrupt")
    assert game.waits_for() == ("Ana", "Bo")


def test_cl_10_an_interrupting_joker_in_popcorn_names_nobody() -> None:
    game = dealt("KH", "X1", "3S", options="rolled=cards, by=popcorn")
    game.do("Bo", "interrupt")
    game.refused("Bo", "next", target="Ogre", rule="CL-10")
    game.do("Bo", "next")
    assert game.waits_for() == ("Ana",)


def test_cl_10_a_latecomer_is_dealt_a_card_and_takes_its_place_in_the_order() -> None:
    game = dealt("KH", "2C", "3S", "10D")
    game.do("Gwen", "add", name="Wolf", dice=[])
    assert order(game) == ("Ana", "Wolf", "Ogre", "Bo")
    game.refused("Gwen", "gm set", target="Wolf", pool="initiative", value="3", rule="CL-10")


def test_cl_10_an_empty_pile_takes_the_open_cards_back_oldest_first() -> None:
    game = dealt("KH", "2C", "3S", "10D", "4C", "5C")
    game.table = game.table.evolve(encounter=game.state.evolve(pile=()))
    for _ in range(2):
        game.do("Gwen", "next", decided=True, dice=[])
    game.do("Gwen", "next", decided=True, dice=shuffle_to(("2C", "KH", "3S"), ("KH", "2C", "3S")))
    assert game.state.dealt == {"Ana": "2C", "Bo": "KH", "Ogre": "3S"}


def test_cl_10_removing_the_one_who_was_interrupted_or_ending_the_round_goes_on() -> None:
    game = dealt("KH", "X1", "3S")
    game.do("Bo", "interrupt")
    game.do("Gwen", "gm remove", target="Ana")
    game.do("Bo", "next")
    assert game.waits_for() == ("Ogre",)
    again = dealt("KH", "X1", "3S")
    again.do("Gwen", "condition add", target="Ana", name="Slowed", duration="2")
    again.do("Bo", "interrupt")
    again.do("Gwen", "gm next-phase")
    assert again.state.combatant("Ana").conditions[0].left == 1
