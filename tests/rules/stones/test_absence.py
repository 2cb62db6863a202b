"""Absence costs a turn, never a card or a place: who is present claims, who is alone ends after the draw."""

from __future__ import annotations

from tests.rules.stones.scene import game_of, give, held, player
from tests.rules.table import Game

TWO = (("Ayla", "Ana", "A"), ("Borr", "Bo", "B"), ("Cyd", "Cai", "A"), ("Dorn", "Dee", "B"))


def begun(*characters: tuple[str, str, str], options: str = "auto=on") -> Game:
    game = game_of(*characters, options=f"first=A, {options}")
    game.do("Gwen", "encounter begin")
    return game


def test_st_17_the_turn_is_claimed_for_somebody_present() -> None:
    game = begun(*TWO)
    game.do("Gwen", "sit-out", target="Ayla")  # what a deadline does
    assert game.state.current == player(game, "Cai")
    game.do("Cai", "end")
    game.do("Bo", "begin")
    game.do("Bo", "end")
    # Ana alone is left of her side: her turn has come and gone, with the draw and without a deadline
    assert (len(held(game, "Ana")), game.state.current) == (3, player(game, "Dee"))
    game.do("Dee", "end")
    assert game.state.round == 2
    assert "Ayla" in game.state.names


def test_st_16_one_who_is_alone_ends_after_the_draw_and_owes_what_is_over_the_limit() -> None:
    game = begun(*TWO[:2])
    give(game, "Ana", "Fire 1", "Fire 1", "Fire 2", "Fire 2")
    for expected in (4, 4):
        game.do("Gwen", "sit-out", target="Ayla")
        assert len(held(game, "Ana")) == expected  # no stone is lost, and none is drawn before the discard that is owed
        assert game.state.current == player(game, "Bo")
        give(game, "Bo")
        game.do("Bo", "end")
    assert game.legal("Ayla") == ("discard",)
    game.do("Ana", "discard", cards="Fire 1")
    assert len(held(game, "Ana")) == 6


def test_with_auto_off_the_absent_turn_is_claimed_and_ended_as_well() -> None:
    game = begun(*TWO[:2], options="auto=off")
    game.do("Gwen", "sit-out", target="Ayla")
    assert (game.waits_for(), len(held(game, "Ana"))) == (("Borr",), 3)


def test_one_who_comes_back_is_in_their_place_again() -> None:
    game = begun(*TWO)
    game.do("Gwen", "sit-out", target="Ayla")
    game.do("Cai", "end")
    for name in ("Bo", "Dee"):
        if player(game, name) != game.state.current:
            game.do(name, "begin")
        game.do(name, "end")
    assert game.state.round == 2
    assert game.waits_for() == ("Cyd",)  # who claimed the first turn
    for name in ("Cai", "Bo"):
        give(game, name)
        if game.state.current is None:
            game.do(name, "begin")
        game.do(name, "end")
    assert game.state.current == player(game, "Ana")
