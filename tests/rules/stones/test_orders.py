"""Whole turns in advance: the claim and the activation are part of what is ordered (play 5)."""

from __future__ import annotations

from typing import Any

from rules.core.commands.standing_orders import offers_on_turn, wholes_on_turn
from rules.core.values import Seat
from tests.rules.carried_out import carried_out
from tests.rules.stones.scene import game_of, give, held
from tests.rules.table import Game

TWO = (("Ayla", "Ana", "A"), ("Borr", "Bo", "B"), ("Cyd", "Cai", "A"), ("Dorn", "Dee", "B"))


def begun(options: str, *more: tuple[str, str, str]) -> Game:
    game = game_of(*TWO, *more, options=f"first=A, {options}")
    game.do("Gwen", "encounter begin")
    game.do("Ana", "begin")
    return game


def order(game: Game, by: str, action: str, **given: Any) -> None:
    game.do(by, action, when="my-turn", **given)


def test_a_whole_turn_is_ordered_and_taken_as_its_side_may_claim() -> None:
    for options in ("auto=on", "auto=off"):
        game = begun(options)
        order(game, "Bo", "move", amount=2)
        order(game, "Bo", "attack", target="Cyd")
        order(game, "Bo", "end")
        assert len(game.state.orders) == 3
        game.do("Ana", "end")
        assert carried_out(game) == ["move", "attack", "end"]
        assert game.state.orders == ()
        assert game.state.combatant("Cyd").pools["HP"].now < 20
        assert len(held(game, "Bo")) == 3
        assert "Cyd" in game.waits_for()


def test_the_turn_of_several_characters_is_ordered_one_after_the_other() -> None:
    game = begun("auto=on", ("Bran", "Bo", "B"))
    for who in ("Bran", "Borr"):
        order(game, "Bo", "attack", target="Ayla", character=who)
    game.do("Ana", "end")
    assert carried_out(game) == ["attack", "attack"]
    assert game.state.activated == ("Bran", "Borr")


def test_st_16_what_is_over_the_limit_stops_the_list_and_the_rest_is_cancelled() -> None:
    game = begun("auto=off")
    give(game, "Bo", "Fire 1", "Fire 1")
    order(game, "Bo", "attack", target="Cyd")
    order(game, "Bo", "end")
    game.do("Ana", "end")
    assert carried_out(game) == ["attack"]
    assert game.state.orders == ()
    assert "cancelled: end" in game.said("Bo")
    assert game.legal("Borr")[-1] == "discard"


def test_the_first_of_a_side_with_a_working_order_takes_the_turn() -> None:
    game = begun("auto=on")
    order(game, "Dee", "attack", target="Ayla")
    order(game, "Bo", "end")
    game.do("Ana", "end")
    assert carried_out(game) == ["attack"]
    game.do("Dee", "end")
    game.do("Cai", "end")
    assert carried_out(game) == ["end"]
    assert game.state.round == 2


def test_what_a_claimed_turn_draws_stays_drawn_if_the_rest_of_the_order_fails() -> None:
    game = begun("auto=off")
    order(game, "Bo", "discard", cards="Fire 4")
    order(game, "Bo", "end")
    game.do("Ana", "end")
    assert carried_out(game) == ["discard"]
    assert len(held(game, "Bo")) == 3, "else the refusal would tell that the next stones hold no such stone"
    assert "You don't have Fire 4" in game.said("Bo")
    assert "cancelled: end" in game.said("Bo")
    assert "You don't have" not in game.said("Cai")
    assert game.waits_for() == ("Borr",)


def test_no_try_of_a_turn_that_may_be_claimed_tells_what_the_pile_holds() -> None:
    game = begun("auto=off")
    game.do("Ana", "end")
    order(game, "Bo", "discard", cards="Fire 4")
    assert len(held(game, "Bo")) == 3
    assert "You don't have Fire 4" in game.said("Bo")
    assert game.waits_for() == ("Borr",)


def test_what_cannot_be_read_claims_no_turn() -> None:
    game = begun("auto=off")
    game.do("Ana", "end")
    game.refused("Bo", "discard", cards="Fyre", when="my-turn")
    assert held(game, "Bo") == ()


def whole(game: Game, who: str) -> dict[str, list[str]]:
    """Return what a player may take of their turn to come, by action."""
    owner = game.state.combatant(who).owner
    found: dict[str, list[str]] = {}
    for each in wholes_on_turn(game.table, who, Seat(user=owner)):
        found.setdefault(each.offer.action, []).append(each.label)
    return found


def test_what_a_turn_to_come_offers_is_told_without_the_stone_that_it_begins_with() -> None:
    game = begun("auto=off", ("Bran", "Bo", "B"))
    before = game.state
    for who in ("Borr", "Bran", "Dorn"):
        found = whole(game, who)
        assert found.keys() >= {"move", "attack", "end"}, who
        assert found["attack"] == ["Attack Ayla", "Attack Cyd"]
        assert not found.keys() & {"begin", "activate"}, "that is part of what is ordered"
    assert "discard" not in whole(game, "Borr"), "Bo holds nothing yet"
    assert game.state is before


def test_a_turn_of_the_next_round_is_told_with_the_stones_that_are_held_now() -> None:
    game = begun("auto=off")
    assert len(held(game, "Ana")) == 3
    game.do("Ana", "end")
    assert whole(game, "Ayla").keys() >= {"attack", "discard", "end"}


def test_what_the_stones_held_now_cannot_pay_may_be_ordered_all_the_same() -> None:
    game = begun("auto=off")
    game.do("Ana", "end")
    (missing, *_) = sorted(set(game.state.definition) - set(held(game, "Ana")))
    order(game, "Ana", "discard", cards=missing)
    assert len(game.state.orders) == 1, "the turn begins with more stones"


def test_five_orders_in_a_row_are_all_done_as_the_turn_comes() -> None:
    game = begun("auto=on", ("Bran", "Bo", "B"))
    for action, who, given in (
        ("move", "Bran", {"amount": 1}),
        ("attack", "Bran", {"target": "Ayla"}),
        ("move", "Borr", {"amount": 1}),
        ("attack", "Borr", {"target": "Ayla"}),
        ("end", "Borr", {}),
    ):
        order(game, "Bo", action, character=who, **given)
    assert len(game.state.orders) == 5
    game.do("Ana", "end")
    assert carried_out(game) == ["move", "attack", "move", "attack", "end"]
    assert game.state.orders == ()
    assert game.state.current != game.users["Bo"]


def test_st_16_a_turn_to_come_is_ended_ahead_whatever_the_hand_holds_now() -> None:
    """At the limit it is shown, though the draw goes beyond it: what lies there in the end nobody can tell before."""
    game = begun("auto=off")
    for number in (0, 1, 2, 3):
        ahead = {offer.action for offer in offers_on_turn(game.table, "Borr", game.seat("Bo"))}
        assert "end" in ahead, number
        give(game, "Bo", *["Fire 1"] * (2 + number))
