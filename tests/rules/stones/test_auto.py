"""What has no decision in it is done by the referee (play 3)."""

from __future__ import annotations

from rules.core.cards import counted
from rules.core.views.whole import whole_actions
from tests.rules.carried_out import carried_out
from tests.rules.stones.scene import SKIN, add, game_of, give, held, player
from tests.rules.table import Game

TWO = (("Ayla", "Ana", "A"), ("Borr", "Bo", "B"), ("Cyd", "Cai", "A"), ("Dorn", "Dee", "B"))


def begun(*characters: tuple[str, str, str], options: str = "first=A, auto=on") -> Game:
    game = game_of(*characters, options=options, abilities={"Ayla": (SKIN,)})
    game.do("Gwen", "encounter begin")
    return game


def test_st_17_the_one_player_who_may_claim_has_the_turn_with_the_draw_and_the_only_character_is_activated() -> None:
    game = begun(*TWO[:2])
    assert (game.state.current, game.state.active) == (player(game, "Ana"), "Ayla")
    assert len(held(game, "Ana")) == 3
    game.do("Ana", "attack", target="Borr")
    game.do("Ana", "end")
    assert (game.state.current, game.state.active) == (player(game, "Bo"), "Borr")
    assert not any("Drawn" in line for line in game.lines("Ana"))
    assert any("Drawn" in line for line in game.lines("Bo"))


def test_st_17_if_several_may_claim_or_be_activated_the_choice_is_theirs() -> None:
    game = begun(*TWO, ("Ash", "Ana", "A"))
    assert game.state.current is None
    game.refused("Ana", "attack", rule="ST-17", target="Borr", character="Ayla")
    game.do("Ana", "begin")
    assert game.state.active is None
    game.do("Ana", "activate", character="Ash")
    game.do("Ana", "end")
    game.do("Bo", "begin")
    assert game.state.active == "Borr"


def test_with_auto_off_all_is_done_by_hand() -> None:
    game = begun(*TWO[:2], options="first=A, auto=off")
    assert game.state.current is None
    game.do("Ana", "begin")
    assert game.state.active is None
    give(game, "Ana", "Fire 1", "Fire 1", "Fire 1", "Fire 1")
    game.do("Ana", "discard", cards="Fire 1")
    assert game.state.current == player(game, "Ana")


def test_st_16_after_the_last_forced_discard_the_turn_ends() -> None:
    game = begun(*TWO[:2])
    give(game, "Ana", "Fire 1", "Fire 1", "Fire 1", "Fire 1", "Fire 1")
    game.do("Ana", "discard", cards="Fire 1")
    assert game.state.current == player(game, "Ana")  # one is still too many
    game.do("Ana", "discard", cards="Fire 1")
    assert game.state.current == player(game, "Bo")
    assert "Ana ends the turn." in game.lines()


def test_st_16_a_discard_by_ones_own_will_ends_nothing() -> None:
    game = begun(*TWO[:2])
    give(game, "Ana", "Fire 1", "Fire 2")
    game.do("Ana", "discard", cards="Fire 1")
    assert game.state.current == player(game, "Ana")


def test_a_turn_in_which_nothing_is_left_ends() -> None:
    game = begun(*TWO[:2])
    give(game, "Ana")
    game.do("Ana", "attack", target="Borr")
    assert game.state.current == player(game, "Ana")  # a movement is left
    game.do("Ana", "move", amount=1)
    assert game.state.current == player(game, "Bo")
    assert "Nothing is left to do, so Ana's turn ends." in game.lines()


def test_an_end_that_was_ordered_is_not_left_over_for_the_next_turn() -> None:
    game = game_of(options="first=A, auto=on, stones=1/0/0/0/0, elements=Fire")
    for name, owner, side in TWO[:2]:
        add(game, name, owner=owner, side=side)
    game.do("Gwen", "encounter begin")
    game.do("Ana", "end")
    give(game, "Ana")
    give(game, "Bo", "Fire 1")  # nothing is left to draw
    for action, given in (("attack", {"target": "Borr"}), ("move", {"amount": 1}), ("end", {})):
        game.do("Ana", action, when="my-turn", **given)
    game.do("Bo", "end")
    assert carried_out(game) == ["attack", "move", "end"]
    assert game.state.orders == ()
    assert game.state.round == 2
    assert game.state.current == player(game, "Bo")


def test_a_table_does_not_run_by_itself_if_nobody_can_do_anything() -> None:
    game = game_of(options="first=A, auto=on, stones=1/0/0/0/0, elements=Fire")
    for name, owner, side in TWO[:2]:
        add(game, name, owner=owner, side=side, MOV=0, RNG=0)
    game.do("Gwen", "board size", size="5x5")
    game.do("Gwen", "board place", target="Ayla, Borr", cells="A1, E5")
    game.do("Gwen", "encounter begin")
    assert (game.state.round, game.legal("Ayla")) == (1, ("discard", "end"))


# A turn that ended without its player


def test_st_16_a_turn_that_a_ruling_ends_leaves_the_hand_and_its_owner_discards_first_of_all() -> None:
    game = begun(*TWO[:2])
    give(game, "Ana", *(["Fire 1"] * 5))
    game.do("Gwen", "gm skip", target="Ayla")
    assert len(held(game, "Ana")) == 5
    game.do("Bo", "end")
    assert (game.state.current, len(held(game, "Ana"))) == (player(game, "Ana"), 5)  # the draw comes after
    assert game.legal("Ayla") == ("discard",)
    refusal = game.refused("Ana", "activate", rule="ST-16")
    assert "2 stones over the limit since the last turn: discard those first." in str(refusal)
    game.do("Ana", "discard", cards=counted(["Fire 1", "Fire 1"]))
    assert len(held(game, "Ana")) == 6
    assert game.state.active == "Ayla"
    game.do("Ana", "attack", target="Borr")


def test_st_16_fused_stones_alone_are_broken_first_of_all() -> None:
    game = begun(*TWO[:2])
    game.do("Gwen", "gm set", target="Ayla", pool="HAND", value="-3")
    give(game, "Ana", "Earth 2")
    game.do("Ana", "fuse", using="Stone Skin")
    game.do("Gwen", "gm skip", target="Ayla")
    game.do("Bo", "end")
    assert game.legal("Ayla") == ("break",)
    game.do("Ana", "break", using="Stone Skin")
    assert len(held(game, "Ana")) == 3


# What would forgo something is asked about once (ST-14 to ST-16)


def asked(game: Game, who: str, action: str) -> set[str]:
    found = whole_actions(game.table, who, game.seat("Ana"))
    return {whole.asks for whole in found if whole.offer.action == action}


def test_st_15_a_discard_or_another_activation_that_forgoes_something_is_asked_about() -> None:
    """Prove ST-15."""
    game = begun(("Ayla", "Ana", "A"), ("Ash", "Ana", "A"), ("Borr", "Bo", "B"))
    assert asked(game, "Ayla", "activate") == {""}
    game.do("Ana", "activate", character="Ayla")
    assert asked(game, "Ash", "activate") == {"Ayla's movement and attack are unused."}
    assert asked(game, "Ayla", "discard") == {"Ayla's movement and attack are unused."}
    game.do("Ana", "move", amount=1)
    assert asked(game, "Ash", "activate") == {"Ayla's attack is unused."}
    game.do("Ana", "attack", target="Borr")
    assert asked(game, "Ash", "activate") == {""}
    assert asked(game, "Ayla", "discard") == {""}


def test_st_15_somebody_who_was_never_activated_is_named_before_the_turn_ends() -> None:
    game = begun(("Ayla", "Ana", "A"), ("Ash", "Ana", "A"), ("Borr", "Bo", "B"))
    (words,) = asked(game, "Ayla", "end")
    assert "Ayla" in words
    assert "Ash" in words
    game.do("Ana", "activate", character="Ayla")
    game.do("Ana", "attack", target="Borr")
    (words,) = asked(game, "Ayla", "end")
    assert "Ash" in words
    assert "Ayla" not in words
    game.do("Ana", "activate", character="Ash")
    game.do("Ana", "attack", target="Borr")
    assert asked(game, "Ash", "end") == {""}


def test_st_15_a_movement_alone_is_asked_about_if_there_is_a_board() -> None:
    for cells, words in (("", ""), ("A1, A3, B1", "Ayla's movement is unused.")):
        game = game_of(("Ayla", "Ana", "A"), ("Ash", "Ana", "A"), ("Borr", "Bo", "B"), options="first=A, auto=on")
        if cells:
            game.do("Gwen", "board size", size="6x6")
            game.do("Gwen", "board place", target="Ayla, Ash, Borr", cells=cells)
        game.do("Gwen", "encounter begin")
        game.do("Ana", "activate", character="Ayla")
        game.do("Ana", "attack", target="Borr")
        assert asked(game, "Ash", "activate") == {words}


def test_st_19_a_fight_that_ends_in_a_turn_ends_that_turn_for_what_hangs_on_it() -> None:
    """Prove ST-19."""
    game = begun(*TWO[:2])
    game.do("Gwen", "condition add", target="Ayla", name="Hex", duration="3", ticks="bearer-end")
    game.do("Gwen", "gm damage", target="Borr", amount="99")
    assert game.state.over == "A wins."
    assert [held.left for held in game.state.combatant("Ayla").conditions] == [2]
