"""Rounds: alternating sides, eliminated players, orders, the end of the game, and rulings."""

from __future__ import annotations

import pytest

from rules.core.registry import system_of
from rules.core.views.view import hands_seen
from rules.systems.stones.players import side_of
from tests.rules.stones.scene import SKIN, add, duel, everything, game_of, give, held, player, table, take_turn
from tests.rules.table import Game

TWO = (("Ayla", "Ana", "A"), ("Borr", "Bo", "B"), ("Cyd", "Cai", "A"), ("Dorn", "Dee", "B"))
THREE = (*TWO, ("Eda", "Eve", "A"), ("Finn", "Fay", "B"))
PEOPLE = {"Ayla": "Ana", "Borr": "Bo", "Cyd": "Cai", "Dorn": "Dee", "Eda": "Eve", "Finn": "Fay"}


def begun(*characters: tuple[str, str, str], options: str = "first=A") -> Game:
    game = game_of(*characters, options=options)
    game.do("Gwen", "encounter begin")
    return game


def turns_of(game: Game, count: int) -> list[str]:
    """Let the one who joined first of those waited for take the turn, and return the sides."""
    found = []
    for _ in range(count):
        who = game.waits_for()[0]
        found.append(game.state.combatant(who).side)
        take_turn(game, PEOPLE[who])
    return found


def test_st_17_sides_alternate_until_every_player_had_a_turn() -> None:
    game = begun(*TWO)
    assert game.waits_for() == ("Ayla", "Cyd")
    game.refused("Bo", "begin", rule="ST-17")
    take_turn(game, "Cai")
    assert game.waits_for() == ("Borr", "Dorn")
    take_turn(game, "Bo")
    assert game.waits_for() == ("Ayla",)
    game.refused("Cai", "begin", rule="ST-17")
    take_turn(game, "Ana")
    assert (game.state.round, game.waits_for()) == (1, ("Dorn",))
    take_turn(game, "Dee")
    # The one who claimed the first turn of the first round begins each later one
    assert (game.state.round, game.waits_for()) == (2, ("Cyd",))


def test_st_17_the_side_that_begins_is_rolled_off_and_ties_again() -> None:
    game = game_of(("Ayla", "Ana", "A"), ("Borr", "Bo", "B"), options="elements=Fire, stones=1/0/0/0/0")
    game.do("Gwen", "encounter begin", dice=[(100, 7), (100, 7), (100, 3), (100, 90)])
    assert game.waits_for() == ("Borr",)
    assert "Roll-off: A 7, B 7." in game.lines()


def test_st_17_a_side_that_is_not_there_cannot_begin() -> None:
    game = game_of(("Ayla", "Ana", "A"), ("Borr", "Bo", "B"), options="first=North")
    game.refused("Gwen", "encounter begin", rule="ST-17")


def test_st_17_the_gms_order_says_who_goes() -> None:
    game = begun(*TWO, options="first=A, side_order=gm")
    assert game.waits_for() == ("Ayla",)
    game.do("Gwen", "gm order", names="Cyd, Dorn")
    assert game.waits_for() == ("Cyd",)
    take_turn(game, "Cai")
    assert game.waits_for() == ("Dorn",)
    assert system_of(game.state).turn_order(game.state) == ("Cyd", "Dorn", "Ayla", "Borr")


def test_st_18_an_eliminated_players_place_goes_to_a_team_mate_after_the_others() -> None:
    game = begun(*THREE)
    assert turns_of(game, 6) == ["A", "B"] * 3
    game.do("Gwen", "gm damage", target="Cyd", amount="99")
    assert turns_of(game, 4) == ["A", "B", "A", "B"]
    assert game.waits_for() == ("Ayla", "Eda")  # any living team-mate
    before = len(held(game, "Eve"))
    game.do("Eve", "begin")
    assert game.state.fills
    assert len(held(game, "Eve")) == before + 3
    assert "missing player" in game.said()
    game.do("Eve", "discard", cards=", ".join(held(game, "Eve")))
    game.do("Eve", "end")
    assert turns_of(game, 7) == ["B", *["A", "B"] * 3]


def test_st_18_if_the_first_player_is_eliminated_a_team_mate_begins() -> None:
    game = begun(*TWO)
    turns_of(game, 4)
    assert game.waits_for() == ("Ayla",)
    game.do("Gwen", "gm damage", target="Ayla", amount="99")
    assert game.waits_for() == ("Cyd",)


def test_st_18_with_pass_the_place_is_skipped() -> None:
    game = begun(*TWO, options="first=A, eliminated=pass")
    turns_of(game, 4)
    game.do("Gwen", "gm damage", target="Cyd", amount="99")
    assert turns_of(game, 3) == ["A", "B", "B"]
    assert game.state.round == 3


def test_st_19_the_game_ends_when_a_side_is_incapacitated() -> None:
    game = duel(ATK=30)
    game.do("Ana", "begin")
    game.do("Ana", "activate")
    game.do("Ana", "attack", target="Borr")
    assert game.state.over == "A wins."
    assert "A wins." in game.said()
    assert game.waits_for() == ()
    assert all(game.legal(name) == () for name in game.state.names)
    game.refused("Bo", "begin")
    assert system_of(game.state).turn(game.state) == ()
    for ruling in ("gm turn", "gm skip"):
        game.refused("Gwen", ruling, rule="ST-19", target="Ayla")
    game.refused("Gwen", "gm next-phase", rule="ST-19")


def test_st_19_a_ruling_that_heals_brings_the_fight_back() -> None:
    game = duel(ATK=30)
    game.do("Ana", "begin")
    game.do("Gwen", "gm damage", target="Borr", amount="99")
    assert game.state.over == "A wins."
    game.do("Gwen", "gm heal", target="Borr", amount="1")
    assert game.state.over is None
    assert (game.state.round, game.waits_for()) == (2, ("Ayla",))


def test_a_player_who_is_eliminated_in_their_own_turn_loses_the_rest_of_it() -> None:
    game = begun(*TWO)
    game.do("Ana", "begin")
    game.do("Gwen", "gm damage", target="Ayla", amount="99")
    assert game.waits_for() == ("Borr", "Dorn")


@pytest.mark.parametrize(
    ("characters", "reason"),
    [
        ((("Ayla", "Ana", "A"), ("Borr", "Bo", "A")), "two sides are needed"),
        ((("Ayla", "Ana", "A"), ("Ash", "Ana", "B")), "characters on both sides"),
        ((*TWO[:3], ("Eda", "Eve", "A"), ("Finn", "Fay", "A"), ("Gus", "Dee", "A")), "more than 3 players"),
    ],
)
def test_what_has_no_two_proper_sides_does_not_begin(characters: tuple[tuple[str, str, str], ...], reason: str) -> None:
    game = game_of(*characters)
    assert reason in str(game.refused("Gwen", "encounter begin"))


def test_the_gm_gives_and_skips_turns() -> None:
    game = begun(*TWO)
    take_turn(game, "Cai")
    assert game.waits_for() == ("Borr", "Dorn")
    game.do("Gwen", "gm turn", target="Ayla")  # besides the places
    assert game.state.current == player(game, "Ana")
    game.do("Ana", "end")
    assert game.waits_for() == ("Borr", "Dorn")
    game.do("Bo", "begin")
    game.do("Gwen", "gm skip")
    assert game.waits_for() == ("Ayla",)
    game.do("Gwen", "gm next-phase")
    assert game.state.round == 2


def test_one_who_leaves_gives_all_stones_back() -> None:
    game = table("first=A", people=("Gwen", "Ana", "Bo", "Cai"))
    add(game, "Ayla", owner="Ana", side="A", abilities=(SKIN,))
    add(game, "Cyd", owner="Cai", side="A")
    add(game, "Borr", owner="Bo", side="B")
    game.do("Gwen", "encounter begin")
    whole = everything(game.state)
    game.do("Ana", "begin")
    game.do("Ana", "activate")
    give(game, "Ana", "Earth 2", "Fire 1")
    game.do("Ana", "fuse", using="Stone Skin")
    game.do("Ana", "remove", target="Ayla")
    assert sorted(game.state.discards) == ["Earth 2", "Fire 1"]
    assert everything(game.state) == whole
    assert game.waits_for() == ("Borr",)


def test_a_character_that_changes_hands_takes_hand_and_turn_along() -> None:
    game = begun(*TWO[:2])
    game.do("Ana", "begin")
    stones = held(game, "Ana")
    game.do("Gwen", "gm set", target="Ayla", pool="owner", value="gm")
    assert game.state.current == "gm:A"
    assert game.state.hands["gm:A"] == stones
    game.do("Gwen", "end")
    assert side_of(game.state, "gm:A") == "A"
    game.refused("Gwen", "gm set", rule="ST-17", target="Ayla", pool="side", value="C")


def test_a_gm_who_also_plays_has_a_hand_under_their_own_id_besides_that_of_the_gms_characters() -> None:
    game = table("first=A")
    add(game, "Ayla", owner="Gwen", side="A")
    add(game, "Borr", owner="Bo", side="B")
    add(game, "Ogre", side="B")
    game.do("Gwen", "encounter begin")
    assert set(hands_seen(game.table, game.seat("Gwen"))) == {game.users["Gwen"], game.users["Bo"], "gm:B"}
    game.do("Gwen", "begin")
    assert len(held(game, "Gwen")) == 3
    assert hands_seen(game.table, game.seat("Gwen"))[game.users["Bo"]].cards is None


def test_st_17_a_third_side_is_refused() -> None:
    game = begun(*TWO[:2])
    add(game, "Cyd", owner="Cai", side="A")
    document = {"name": "Zed", "owner": "0", "fields": dict(game.state.combatant("Cyd").fields)}
    game.refused("Dee", "join", rule="ST-17", document=document, side="C")


def test_the_mildest_action_ends_a_turn_and_costs_no_stone() -> None:
    game = begun(*TWO[:2])
    system = system_of(game.state)
    first = system.timeout_action(game.state, "Ayla")
    assert first is not None
    assert first.action == "begin"
    game.do("Ana", "begin")
    default_answer = system.timeout_action(game.state, "Ayla")
    assert default_answer is not None
    assert default_answer.action == "end"
    give(game, "Ana", "Fire 1", "Fire 1", "Fire 1", "Fire 1")
    assert system.timeout_action(game.state, "Ayla") is None


def test_what_people_see_of_a_table_holds_numbers_and_no_stones_of_a_hand() -> None:
    game = begun(*TWO[:2])
    give(game, "Ana", "Light 4")
    system = system_of(game.state)
    seat = game.seat("Bo")
    assert system.headline(game.state) == "round 1, A to act"
    lines = system.prompt_lines(game.state, seat)
    assert "Ana 1 of 3" in lines[0]
    assert not any("Light" in line for line in lines)
    game.do("Ana", "begin")
    game.do("Ana", "activate")
    assert system.row(game.state, "Ayla", seat).badges == ("active",)
    assert system.facts(game.state, "Ayla", seat)["active"] is True
    assert system.is_done(game.state, "Ayla") is False


def test_st_18_a_place_filled_right_after_an_extra_turn_is_another_turn() -> None:
    game = begun(*TWO)
    system = system_of(game.state)
    assert system.present(game.state).number("Ayla") == 0
    take_turn(game, "Ana")
    take_turn(game, "Bo")
    game.do("Gwen", "gm turn", target="Ayla")  # besides the places
    extra = system.present(game.state).number("Ayla")
    game.do("Gwen", "gm damage", target="Cyd", amount="999")
    give(game, "Ana")
    game.do("Ana", "end")
    assert game.waits_for() == ("Ayla",)  # in Cai's place
    assert system.present(game.state).number("Ayla") != extra
