"""Who is meant if several are named: a player's name is their character's."""

from __future__ import annotations

import pytest

from rules.core.several import several
from rules.errors import Ambiguous, Malformed
from tests.rules.table import Game


def table() -> Game:
    game = Game()
    game.do("Ana", "join", name="Pip", bonus=3)
    game.do("Bo", "join", bonus=3)
    game.do("Gwen", "gm add", name="Orc", sheet="HP 9", result=3, dice=[])
    return game


def test_a_players_name_means_their_character_wherever_combatants_are_named() -> None:
    game = table()
    game.do("Gwen", "gm ask", who="ana, Bo", rolls="1d20")
    assert game.state.asks[0].who == ("Pip", "Bo")


def test_a_player_of_several_is_asked_which_one() -> None:
    game = table()
    game.do("Gwen", "gm set", target="Orc", pool="owner", value="Ana")
    with pytest.raises(Ambiguous, match="Ana plays more than one") as refused:
        several(game.state, "Ana", game.state.names, "combatant")
    assert refused.value.candidates == ("Pip", "Orc")


def test_a_combatants_own_name_comes_before_a_players() -> None:
    game = table()
    game.do("Gwen", "gm add", name="Ana the Bold", sheet="HP 9", result=3, dice=[])
    assert several(game.state, "Ana", game.state.names, "combatant") == ("Ana the Bold",)


def test_a_person_without_a_character_is_named_to_nobody() -> None:
    game = table()
    with pytest.raises(Malformed, match="No combatant is called Gwen"):
        several(game.state, "Gwen", game.state.names, "combatant")


def test_all_of_a_kind_are_named_as_people_say_it() -> None:
    game = table()
    game.do("Gwen", "gm add", name="Goblin", count=3, sheet="HP 9", result=3, dice=[])
    goblins = ("Goblin 1", "Goblin 2", "Goblin 3")
    assert several(game.state, "all goblins", game.state.names, "combatant") == goblins
    assert several(game.state, "Orc, all of Goblin", game.state.names, "combatant") == ("Orc", *goblins)
    for nobody in ("all wolves", "all s", "all gob"):
        with pytest.raises(Malformed):
            several(game.state, nobody, game.state.names, "combatant")


def test_names_without_a_comma_are_told_to_need_one() -> None:
    game = table()
    with pytest.raises(Malformed, match="Pip Orc") as refused:
        several(game.state, "Pip Orc", game.state.names, "combatant")
    assert "Pip, Orc" in str(refused.value)
