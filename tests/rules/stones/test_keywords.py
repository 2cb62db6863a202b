"""What keywords do, their targets, and what one `[On a-b]` governs: never more than the text says."""

from __future__ import annotations

import pytest

from tests.rules.stones.scene import ability, add, table
from tests.rules.table import Game


def _used(text: str, dice: list[tuple[int, int]]) -> Game:
    game = table("first=A")
    add(game, "Ayla", owner="Ana", side="A", abilities=(ability("Rite", text, card="offensive", cost="0"),), CRT=1)
    add(game, "Borr", owner="Bo", side="B")
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "gm damage", target="Ayla, Borr", amount="9")
    game.do("Ana", "begin")
    if "activate" in game.legal("Ayla"):
        game.do("Ana", "activate", character="Ayla")
    game.do("Ana", "ability", using="Rite", target="Borr", dice=dice)
    return game


def _names(game: Game, who: str) -> set[str]:
    return {held.name for held in game.state.combatant(who).conditions}


def test_st_13_a_list_stays_under_its_chance() -> None:
    text = "[On 1-1] adds [Burn], [Stun] and [Freeze]"
    assert _names(_used(text, [(100, 50)]), "Borr") == set()
    assert _names(_used(text, [(100, 1)]), "Borr") == {"Burn", "Stun", "Freeze"}


def test_st_13_what_acts_by_itself_ends_the_list() -> None:
    game = _used("[On 1-1] adds [Burn], [Standard Attack]", [(100, 50), (100, 50)])
    assert game.state.combatant("Borr").pools["HP"].now < 11
    assert _names(game, "Borr") == set()


def test_st_13_the_end_of_a_sentence_ends_the_list() -> None:
    assert _names(_used("[On 1-1] adds [Burn]. [Stun]", [(100, 50)]), "Borr") == {"Stun"}


def test_st_14_what_heals_oneself_heals_nobody_else() -> None:
    game = _used("[Heal 5] to self and [Standard Attack]", [(100, 50)])
    assert game.state.combatant("Ayla").pools["HP"].now == 16
    assert game.state.combatant("Borr").pools["HP"].now < 11


@pytest.mark.parametrize("whom", ["self", "yourself", "the user", "you"])
def test_st_14_self_has_many_names(whom: str) -> None:
    game = _used(f"[Haste] on {whom} for 2 turns", [])
    assert [(held.name, held.left) for held in game.state.combatant("Ayla").conditions] == [("Haste", 2)]


def test_st_14_what_is_for_others_is_left_to_the_gm() -> None:
    game = _used("[Heal 5] to each bystander", [])
    assert game.state.combatant("Borr").pools["HP"].now == 11
    assert "Heal 5" in game.said()
