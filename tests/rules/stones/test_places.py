"""Whose turn a round has: latecomers, sides that are unequal, eliminated players, owners that change, skips."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rules.core.registry import system_of
from rules.core.turns.fallen import fallen_of
from rules.systems.stones.players import player_of
from tests.rules.stones.scene import add, everything, game_of, held, player, take_turn
from tests.rules.table import Game

PEOPLE = {"Ayla": "Ana", "Borr": "Bo", "Cyd": "Cai", "Dorn": "Dee", "Eda": "Eve", "Finn": "Fay"}
TWO = (("Ayla", "Ana", "A"), ("Borr", "Bo", "B"), ("Cyd", "Cai", "A"), ("Dorn", "Dee", "B"))
THREE = (*TWO, ("Eda", "Eve", "A"), ("Finn", "Fay", "B"))


def begun(*characters: tuple[str, str, str], options: str = "") -> Game:
    game = game_of(*characters, options=f"first=A{options}")
    game.do("Gwen", "encounter begin")
    return game


def owner(game: Game, who: str) -> str:
    user = game.state.combatant(who).owner
    return next((name for name, each in game.users.items() if each == user), "Gwen")


def turns(game: Game, rounds: int = 1) -> Iterator[str]:
    """Let the first of those waited for take each turn; yield their characters until that many rounds are over."""
    until = game.state.round + rounds
    while game.state.round < until and game.state.over is None:
        who = game.waits_for()[0]
        take_turn(game, owner(game, who))
        yield who


def sides(game: Game, rounds: int = 1) -> str:
    return "".join(game.state.combatant(who).side for who in turns(game, rounds))


# Latecomers (ST-17)


def test_st_17_one_who_joins_during_a_round_acts_after_all_who_were_there() -> None:
    game = begun(*TWO[:2], ("Dorn", "Dee", "A"))  # two against one
    take_turn(game, "Ana")
    take_turn(game, "Bo")
    add(game, "Cyd", owner="Cai", side="A")
    assert game.waits_for() == ("Dorn",)
    game.refused("Cai", "begin", rule="ST-17")
    take_turn(game, "Dee")
    assert (game.state.round, game.waits_for()) == (1, ("Cyd",))
    take_turn(game, "Cai")
    assert game.state.round == 2


def test_st_17_a_latecomer_never_costs_a_team_mate_the_turn() -> None:
    game = begun(*TWO[:2], ("Cyd", "Cai", "B"))
    add(game, "Dorn", owner="Dee", side="B")
    assert list(turns(game)) == ["Ayla", "Borr", "Cyd", "Dorn"]
    assert sorted(turns(game)) == ["Ayla", "Borr", "Cyd", "Dorn"]


def test_st_17_one_who_had_no_turn_and_gets_a_character_has_one_left() -> None:
    game = begun(*TWO, options=", eliminated=pass")
    take_turn(game, "Ana")
    game.do("Gwen", "gm set", target="Ayla", pool="owner", value="Cai")
    assert list(turns(game)) == ["Borr", "Ayla", "Dorn"]  # Cai's one turn, with both


def test_st_17_a_new_player_takes_the_place_of_the_one_they_replace_or_the_last() -> None:
    game = begun(*TWO, ("Eda", "Eve", "A"))
    game.do("Eve", "remove")
    game.do("Gwen", "gm set", target="Cyd", pool="owner", value="gm")
    assert list(turns(game)) == ["Ayla", "Borr", "Cyd", "Dorn"]
    take_turn(game, "Ana")
    game.do("Gwen", "gm set", target="Ayla", pool="owner", value="Eve")
    assert list(turns(game)) == ["Borr", "Cyd", "Dorn", "Ayla"]


def test_st_17_a_turn_that_changes_hands_is_the_new_players_and_takes_nobodys_own() -> None:
    game = begun(*TWO)
    game.do("Ana", "begin")
    game.do("Gwen", "gm set", target="Ayla", pool="owner", value="Cai")
    assert game.state.current == player(game, "Cai")
    game.do("Cai", "end")
    assert list(turns(game)) == ["Borr", "Ayla", "Dorn"]


def test_st_17_a_skip_leaves_the_place_to_a_team_mate_and_no_side_goes_twice() -> None:
    game = begun(*TWO)
    game.do("Gwen", "gm skip", target="Ayla")
    assert game.waits_for() == ("Cyd",)
    take_turn(game, "Cai")
    take_turn(game, "Bo")
    # Ana's turn has come and passed, draw included: nobody waits for it, and no card is lost
    assert game.waits_for() == ("Dorn",)
    assert len(held(game, "Ana")) == 3
    take_turn(game, "Dee")
    assert game.waits_for() == ("Cyd",)  # who claimed the first turn


def test_one_who_was_skipped_may_still_take_the_turn_while_nobody_has() -> None:
    game = begun(*THREE)
    game.do("Gwen", "gm skip", target="Ayla")
    assert game.waits_for() == ("Cyd", "Eda")
    game.do("Ana", "begin")
    assert game.state.current == player(game, "Ana")


def test_a_skip_of_the_only_one_who_could_claim_ends_the_turn_after_the_draw() -> None:
    game = begun(*TWO[:2])
    game.do("Gwen", "gm skip", target="Ayla")
    assert (len(held(game, "Ana")), game.waits_for()) == (3, ("Borr",))


# Unequal sides (ST-18)


def test_st_18_in_unequal_sides_every_player_has_one_turn() -> None:
    """The rest of the larger side follows if the other has nobody left."""
    game = game_of(*THREE[1::2], options="first=B")
    for name in ("Wolf 1", "Wolf 2", "Wolf 3"):
        add(game, name, side="A")
    game.do("Gwen", "encounter begin")
    assert "B has 3 players, A 1: every player has one turn a round (unequal=none)." in game.lines()
    assert sides(game, 2) == "BABB" * 2
    assert not any("missing" in line.words for decision in game.decisions for line in decision.lines)


def test_st_18_with_fill_the_smaller_side_has_as_many_turns() -> None:
    game = begun(*TWO[:2], TWO[3], options=", unequal=fill")
    said = " ".join(line.words for decision in game.decisions for line in decision.lines)
    assert "both sides have" in said
    assert sides(game, 2) == "ABAB" * 2


def test_st_18_equal_sides_read_nothing_of_it() -> None:
    assert "unequal" not in begun(*TWO).said()


# Eliminated players (ST-18)


def test_st_18_one_eliminated_on_each_side_leaves_two_turns_each() -> None:
    game = begun(*THREE)
    for name in ("Cyd", "Dorn"):
        game.do("Gwen", "gm damage", target=name, amount="99")
    list(turns(game))
    assert sides(game, 2) == "ABAB" * 2


def test_st_18_one_who_is_eliminated_before_their_turn_is_filled_if_sides_would_not_alternate() -> None:
    game = begun(*TWO)
    for name in ("Ana", "Bo", "Cai"):
        take_turn(game, name)
    game.do("Gwen", "gm damage", target="Dorn", amount="99")
    assert game.waits_for() == ("Borr",)
    take_turn(game, "Bo")
    assert (game.state.round, game.waits_for()) == (2, ("Ayla",))


def test_st_18_a_side_that_lost_a_player_for_good_has_a_turn_less() -> None:
    game = begun(*THREE)
    list(turns(game))
    for name in ("Cyd", "Dorn"):
        game.do("Gwen", "gm remove", target=name)
    assert sides(game, 2) == "ABAB" * 2


@pytest.mark.parametrize("value", ["gm", "Bo"])
def test_no_stone_stays_with_a_gm_who_gives_their_character_away(value: str) -> None:
    game = game_of(("Borr", "Bo", "B"))
    add(game, "Ayla", owner="Gwen", side="B" if value == "Bo" else "A")
    add(game, "Ogre", side="A")
    game.do("Gwen", "encounter options", set="first=B")
    game.do("Gwen", "encounter begin")
    while "Ayla" not in game.waits_for():
        take_turn(game, owner(game, game.waits_for()[0]))
    game.do("Gwen", "begin", character="Ayla")
    game.do("Gwen", "end")
    whole = everything(game.state)
    game.do("Gwen", "gm set", target="Ayla", pool="owner", value=value)
    assert game.users["Gwen"] not in game.state.hands
    assert len(game.state.hands[player_of(game.state, "Ayla")]) >= 3
    assert everything(game.state) == whole


def test_no_stone_stays_with_the_one_who_becomes_an_object() -> None:
    game = begun(*TWO)
    game.do("Ana", "begin")
    whole = everything(game.state)
    game.do("Gwen", "gm set", target="Ayla", pool="KIND", value="object")
    assert (game.state.hands, game.state.current) == ({}, None)
    assert everything(game.state) == whole
    assert game.waits_for() == ("Borr", "Dorn")


def test_st_20_somebody_who_is_incapacitated_is_out_for_everybody_who_asks() -> None:
    """Prove ST-20."""
    game = game_of(("Ayla", "Ana", "A"), ("Ash", "Ana", "A"), ("Borr", "Bo", "B"))
    add(game, "Rat", side="B")
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "gm damage", target="Rat", amount="99")
    assert system_of(game.state).is_out(game.state, "Rat")
    assert fallen_of(game.state) == ("Rat",)
