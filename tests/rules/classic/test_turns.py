"""CL-03, CL-05 and CL-09: turns and rounds, delaying and readying, sides, popcorn and rolling anew."""

from __future__ import annotations

import pytest

from rules.core.registry import system_of
from rules.systems.classic.turns import left_to_act
from tests.rules.classic.scene import arm, export, fight
from tests.rules.table import Game


def order(game: Game) -> tuple[str, ...]:
    return system_of(game.state).turn_order(game.state)


def test_cl_03_the_turn_goes_round_and_the_round_number_grows() -> None:
    game = fight(Ana=20, Bo=10, Ogre=5)
    for name in ("Ana", "Bo"):
        assert game.waits_for() == (name,)
        game.do(name, "next")
    game.do("Gwen", "next")
    assert (game.state.round, game.waits_for()) == (2, ("Ana",))
    assert "Round 2." in game.lines("Bo")


def test_cl_03_the_gm_may_end_a_players_turn_and_nobody_else() -> None:
    game = fight(Ana=20, Bo=10)
    refusal = game.refused("Bo", "next", rule="CL-03")
    assert str(refusal) == "**CL-03** It is not Bo's turn. It is Ana's turn; the prompt will name you."
    game.refused("Gwen", "next", rule="G-03")  # it is asked first whether the GM decides for Ana
    game.do("Gwen", "next", decided=True)
    assert game.decisions[-1].ruling
    assert game.waits_for() == ("Bo",)


def test_cl_03_naming_who_goes_next_is_refused_outside_popcorn() -> None:
    fight(Ana=20, Bo=10).refused("Ana", "next", target="Bo", rule="CL-09")


def test_cl_05_delaying_leaves_the_order_and_coming_back_acts_after_the_present_turn() -> None:
    game = fight(Ana=20, Bo=10, Ogre=5)
    game.do("Ana", "delay")
    assert order(game) == ("Bo", "Ogre")
    assert export(game)["combatants"]["Ana"]["facts"]["delayed"] is True
    assert game.legal("Ana") == ("back", "react")
    game.do("Ana", "back")
    assert order(game) == ("Bo", "Ana", "Ogre")
    game.do("Bo", "next")
    assert game.waits_for() == ("Ana",)
    game.do("Ana", "next")
    assert game.waits_for() == ("Ogre",)


@pytest.mark.parametrize("used", ["", "attack", "use", "ready", "delay"])
def test_cl_05_somebody_who_comes_back_when_a_turn_is_over_acts_before_the_next_unless_it_is_used(used: str) -> None:
    game = fight(Ana=20, Bo=10, Ogre=5, Wolf=1)
    arm(game, "Ogre", ("Club", "+4 to hit; on a hit 1d6 damage"), ("Roar", "You regain 1 HP"))
    game.do("Ana", "delay")
    game.do("Bo", "next")
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "gm set", target="Bo", pool="AC", value="12")
    if used == "attack":
        game.do("Gwen", "attack", character="Ogre", target="Bo", using="Club", dice=[(20, 2)])
    elif used == "use":
        game.do("Gwen", "use", character="Ogre", using="Roar")
    elif used == "ready":
        game.do("Gwen", "ready", character="Ogre", note="a blow, if somebody comes")
    elif used == "delay":
        game.do("Gwen", "delay", character="Ogre")
    game.do("Ana", "back")
    now, then = {"": ("Ana", "Ogre"), "delay": ("Ana", "Wolf")}.get(used, ("Ogre", "Ana"))
    assert game.waits_for() == (now,)
    game.do("Ana" if now == "Ana" else "Gwen", "next", character=now)
    assert game.waits_for() == (then,)


def test_cl_05_a_delay_ends_when_ones_own_place_comes_round_again() -> None:
    game = fight(Ana=20, Bo=10, Ogre=5)
    game.do("Ana", "next")
    game.do("Bo", "delay")
    game.do("Gwen", "next")
    assert (game.state.round, game.waits_for()) == (2, ("Ana",))
    assert [offer.who for offer in system_of(game.state).offers_of_others(game.state)] == ["Bo"], (
        "the prompt has the way back"
    )
    game.do("Ana", "next")
    assert (game.state.round, game.waits_for(), game.state.delayed) == (2, ("Bo",), ())
    game.do("Bo", "next")
    assert game.waits_for() == ("Ogre",)


def test_cl_05_a_delay_lasts_until_the_own_place_comes_round_again() -> None:
    state = fight(Ana=20, Bo=10, Ogre=5).state
    now = state.evolve(delayed=("Bo",), delayed_in={"Bo": state.round})
    assert left_to_act(now) == ("Ogre",)
    assert left_to_act(now.evolve(round=state.round + 1)) == ("Bo", "Ogre")


@pytest.mark.parametrize("rolled", ["each-round", "cards"])
def test_cl_05_a_delay_ends_if_the_order_is_rolled_anew(rolled: str) -> None:
    game = Game("classic", f"rolled={rolled}")
    for name in ("Ana", "Bo"):
        game.do(name, "join")
    game.do("Gwen", "encounter begin")
    (first,) = game.waits_for()
    game.do(first, "delay")
    while game.state.round == 1:
        game.do(game.waits_for()[0], "next")
    assert game.state.delayed == ()
    assert sorted(order(game)) == ["Ana", "Bo"]


@pytest.mark.parametrize(("options", "rule"), [("by=side", "CL-09"), ("rolled=cards", "CL-10")])
def test_a_bonus_that_nobody_adds_is_refused(options: str, rule: str) -> None:
    Game("classic", options).refused("Ana", "join", bonus=4, rule=rule)


def test_a_name_is_not_set_and_nothing_says_that_it_was() -> None:
    fight(Ana=20, Bo=10).refused("Gwen", "gm set", target="Bo", pool="name", value="Boss", rule="G-01")


def test_cl_05_somebody_who_has_not_delayed_cannot_come_back() -> None:
    fight(Ana=20, Bo=10).refused("Bo", "back", rule="CL-05")


def test_cl_05_the_gm_gives_the_turn_to_one_who_delays() -> None:
    game = fight(Ana=20, Bo=10)
    game.do("Ana", "delay")
    game.do("Gwen", "gm turn", target="Ana")
    assert game.waits_for() == ("Ana",)
    assert game.state.delayed == ()


def test_cl_05_a_readied_action_shows_until_it_is_used() -> None:
    game = fight(Ana=20, Bo=10)
    game.do("Ana", "ready", note="when the door opens, I shoot.")
    assert game.said("Bo") == "Ana readies: when the door opens, I shoot."
    assert export(game, "Bo")["combatants"]["Ana"]["facts"]["ready"] == "when the door opens, I shoot."
    game.do("Ana", "next")
    game.do("Ana", "use-ready")
    assert "ready" not in export(game)["combatants"]["Ana"]["facts"]
    game.refused("Ana", "use-ready", rule="CL-05")


def test_cl_05_a_readied_action_is_gone_at_the_own_next_turn() -> None:
    game = fight(Ana=20, Bo=10)
    game.do("Ana", "ready", note="trap")
    game.do("Ana", "next")
    game.do("Bo", "next")
    assert game.state.readied == {}


def test_cl_05_readying_needs_words_and_not_too_many() -> None:
    game = fight(Ana=20)
    game.refused("Ana", "ready")
    game.refused("Ana", "ready", note="   ", rule="CL-05")
    game.refused("Ana", "ready", note="x" * 201)


def test_cl_09_initiative_is_rolled_anew_every_round_in_the_order_of_joining() -> None:
    game = Game("classic", "rolled=each-round")
    game.do("Ana", "join", bonus=2, dice=[(20, 10)])
    game.do("Bo", "join", result=15, dice=[])
    game.do("Gwen", "encounter begin", dice=[])
    assert order(game) == ("Bo", "Ana")
    game.do("Bo", "next")
    game.do("Ana", "next", dice=[(20, 19), (20, 3)])
    assert order(game) == ("Ana", "Bo")
    assert "Ana: initiative 1d20 (19) + 2 = 21." in game.lines("Bo")


def test_cl_09_removing_the_last_of_a_round_opens_the_next_without_them() -> None:
    for options in ("rolled=each-round", "rolled=each-round, by=side", "rolled=cards", "by=popcorn", ""):
        game = Game("classic", options)
        for name in ("Ana", "Bo"):
            game.do(name, "join", side="Heroes" if name == "Ana" else "Others")
        game.do("Gwen", "encounter begin")
        first = game.waits_for()[0]
        game.do(first, "next")
        last = game.waits_for()[0]
        game.do("Gwen", "gm remove", target=last)
        assert (game.state.round, game.waits_for()) == (2, (first,)), options
        assert set(order(game)) == {first}, options


def test_cl_09_a_side_rolls_once_and_its_members_act_in_any_order() -> None:
    game = Game("classic", "by=side")
    game.do("Ana", "join", dice=[(20, 15)])
    game.do("Bo", "join", dice=[])
    game.do("Gwen", "add", name="Goblin", count=2, dice=[(20, 4)])
    game.do("Gwen", "encounter begin", dice=[])
    assert game.waits_for() == ("Ana", "Bo")
    game.do("Bo", "next")
    assert game.waits_for() == ("Ana",)
    assert export(game)["combatants"]["Bo"]["done"] is True
    game.refused("Bo", "next", rule="CL-03")
    game.do("Ana", "next")
    assert game.waits_for() == ("Goblin 1", "Goblin 2")
    game.do("Gwen", "next")
    assert (game.state.round, game.waits_for()) == (2, ("Ana", "Bo"))


def test_cl_09_sides_that_tie_roll_off_by_name_of_the_side() -> None:
    game = Game("classic", "by=side")
    game.do("Ana", "join", dice=[(20, 9)])
    game.do("Gwen", "add", name="Ogre", dice=[(20, 9)])
    game.do("Gwen", "encounter begin", dice=[(20, 3), (20, 8)])
    assert "Tie, rolled off: Players 3, GM 8." in game.lines("Ana")
    assert game.waits_for() == ("Ogre",)


def test_cl_09_a_change_of_side_moves_to_the_new_sides_place() -> None:
    game = Game("classic", "by=side")
    game.do("Ana", "join", dice=[(20, 15)])
    game.do("Gwen", "add", name="Ogre", dice=[(20, 4)])
    game.do("Gwen", "add", name="Wolf", dice=[])
    game.do("Gwen", "encounter begin", dice=[])
    game.do("Gwen", "gm set", target="Wolf", pool="side", value="Beasts", dice=[(20, 18)])
    assert order(game) == ("Wolf", "Ana", "Ogre")


def test_cl_09_in_popcorn_the_one_who_ends_names_the_next_each_once_a_round() -> None:
    game = fight("by=popcorn", Ana=20, Bo=10, Ogre=5)
    game.refused("Ana", "next")
    game.do("Ana", "next", target="Ogre")
    assert game.waits_for() == ("Ogre",)
    refusal = game.refused("Gwen", "next", target="Ana", rule="CL-09")
    assert str(refusal) == "**CL-09** Ana has acted this round. Still to act: Bo."
    game.do("Gwen", "next")
    assert game.waits_for() == ("Bo",)
    game.do("Bo", "next", target="Bo")
    assert (game.state.round, game.waits_for()) == (2, ("Bo",))


def test_cl_09_a_group_that_ends_a_popcorn_round_names_who_opens_the_next() -> None:
    game = Game("classic", "by=popcorn")
    game.do("Ana", "join", result=9)
    game.do("Gwen", "add", name="Rat", count=2, group="Rats", result=20)
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "next", target="Ana")
    game.do("Ana", "next", target="Rat 1")
    assert (game.state.round, game.waits_for()) == (2, ("Rat 1", "Rat 2"))
    game.do("Gwen", "next")
    assert game.waits_for() == ("Ana",)


def test_cl_09_popcorn_with_hidden_ones_neither_names_nor_refuses_them_to_players() -> None:
    game = Game("classic", "by=popcorn")
    for name in ("Ana", "Bo"):
        game.do(name, "join", result=10, dice=[])
    game.do("Gwen", "gm add", name="Vexxor", hidden=True)
    game.do("Gwen", "gm order", names="Ana, Bo")
    game.do("Gwen", "encounter begin")
    offer = next(o for o in system_of(game.state).offers(game.state, "Ana") if o.action == "next")
    assert offer.params[0].choices == ("Bo",)
    unknown = str(game.refused("Ana", "next", target="Zed"))
    assert str(game.refused("Ana", "next", target="Vexxor")) == unknown.replace("Zed", "Vexxor")
    assert "Vexxor" not in str(game.refused("Ana", "next", target="Ana"))
    game.do("Ana", "next")
    assert game.waits_for() == ("Bo",)
    offer = next(o for o in system_of(game.state).offers(game.state, "Bo") if o.action == "next")
    assert "Vexxor" not in offer.model_dump_json()
    game.do("Bo", "next", target="Ana")
    assert game.waits_for() == ("Ana",)
    assert "Vexxor" not in game.said("Ana")
    game.do("Gwen", "gm reveal", target="Vexxor")
    game.do("Ana", "next", target="Vexxor")
    assert game.waits_for() == ("Vexxor",)


def test_skipping_and_ending_the_round_are_the_gms_and_count_once() -> None:
    game = fight(Ana=20, Bo=10, Ogre=5)
    game.refused("Ana", "gm skip", target="Bo")
    game.do("Gwen", "gm skip", target="Ogre")
    game.refused("Gwen", "gm skip", target="Ogre", rule="G-01")
    game.do("Gwen", "gm skip")
    assert game.waits_for() == ("Bo",)
    game.do("Gwen", "gm next-phase")
    assert (game.state.round, game.waits_for()) == (2, ("Ana",))


def test_g_01_setting_initiative_moves_a_whole_group_and_a_whole_side() -> None:
    game = Game()
    game.do("Ana", "join", result=10)
    game.do("Gwen", "add", name="Rat", count=2, group="Rats", result=5)
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "gm set", target="Rat 2", pool="initiative", value="15")
    assert order(game) == ("Rat 1", "Rat 2", "Ana")
    sides = Game("classic", "by=side")
    sides.do("Ana", "join", dice=[(20, 10)])
    sides.do("Gwen", "add", name="Rat", count=2, dice=[(20, 5)])
    sides.do("Gwen", "encounter begin")
    sides.do("Gwen", "gm set", target="Rat 2", pool="initiative", value="15")
    assert order(sides) == ("Rat 1", "Rat 2", "Ana")


def test_g_01_an_initiative_that_is_no_number_or_a_monster_is_refused() -> None:
    game = fight(Ana=20)
    for value in ("high", "9" * 5000, "10000000"):
        game.refused("Gwen", "gm set", target="Ana", pool="initiative", value=value)


def test_g_03_only_its_player_or_the_gm_acts_with_a_character() -> None:
    game = fight(Ana=20, Bo=10)
    game.refused("Bo", "next", character="Ana", rule="G-03")
    assert game.seat("Bo").evolve(stands_in_for=(game.users["Ana"],)).owns(game.state.combatant("Ana"))


def test_g_07_offers_of_a_stranger_to_the_turn_are_public_and_agree() -> None:
    game = fight(Ana=20, Bo=10)
    assert export(game, "Bo")["legal"] == {"Ana": ["next", "delay", "ready", "react"], "Bo": ["react"]}
    assert export(game, "Bo")["legal"] == export(game)["legal"]
