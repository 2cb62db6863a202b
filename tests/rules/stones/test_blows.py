"""A standard attack and an ability are blows of the core: what they show, what a correction takes back."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.stones.scene import ability, add, table
from tests.rules.table import Game


def _used(text: str, dice: list[tuple[int, int]], **sheet: Any) -> Game:
    game = table("first=A")
    add(game, "Ayla", owner="Ana", side="A", abilities=(ability("Rite", text, card="offensive", cost="0"),), CRT=20)
    add(game, "Borr", owner="Bo", side="B", **sheet)
    game.do("Gwen", "encounter begin")
    game.do("Ana", "begin")
    game.do("Ana", "activate")
    game.do("Ana", "ability", using="Rite", target="Borr", dice=dice)
    return game


def _health(game: Game, who: str = "Borr") -> int:
    return int(game.state.combatant(who).pools["HP"].now)


def test_st_11_a_correction_doubles_the_attack_of_an_ability_and_leaves_the_rest_of_it() -> None:
    game = _used("[Standard Attack], [On 1-50] adds [Burn]", [(100, 30), (100, 40)])
    assert _health(game) == 16
    game.do("Gwen", "gm correct", what="degree", value="critical")
    assert (_health(game), game.state.combatant("Borr").has("Burn")) == (10, True)
    game.do("Gwen", "gm correct", what="CRT", value="29")
    assert _health(game) == 16


def test_st_11_damage_of_an_ability_meets_the_armor_against_its_type() -> None:
    assert _health(_used("deals 5 Spirit damage", [], ARMS=4)) == 19
    assert _health(_used("deals 5 damage", [], ARMS=4)) == 17  # of its user's type
    game = _used("deals 2 damage", [])
    assert (_health(game), "2 off 2" in game.said()) == (20, True)
    assert _health(_used("the target loses 5 HP", [])) == 15


def test_st_11_nobody_reads_the_crt_of_a_creature_whose_numbers_are_the_gms() -> None:
    game = table("first=B, npc_pools=words")
    add(game, "Ayla", owner="Ana", side="A")
    add(game, "Ogre", side="B", CRT=37)
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "begin", character="Ogre")
    game.do("Gwen", "activate", character="Ogre")
    game.do("Gwen", "attack", character="Ogre", target="Ayla", dice=[(100, 30)])
    assert "37" not in " ".join(game.lines("Ana"))
    assert "37" in " ".join(game.lines("Gwen"))


@pytest.mark.parametrize(("face", "asked"), [(50, 2), (51, 0)])
def test_st_13_what_is_left_to_the_gm_under_a_chance_is_asked_if_it_holds(face: int, asked: int) -> None:
    game = _used("[On 1-50] adds [Reroll], [Stun]", [(100, face)])
    assert (len(game.state.todo), game.state.combatant("Borr").has("Stun")) == (asked, False)


def test_st_13_what_is_left_to_the_gm_is_told_in_its_place() -> None:
    game = _used("[Burn]. The floor cracks. [Standard Attack]", [(100, 90)])
    lines = game.lines("Gwen")
    places = [next(at for at, line in enumerate(lines) if word in line) for word in ("Burn", "cracks", "CRT")]
    assert places == sorted(places)


def test_st_06_a_fused_ability_does_nothing_but_what_lasts_while_it_is_fused() -> None:
    game = table("first=A")
    skin = ability("Skin", "[Fuse], [ARM +1], [Shielded]", card="defensive", cost="0")
    add(game, "Ayla", owner="Ana", side="A", abilities=(skin,))
    add(game, "Borr", owner="Bo", side="B")
    game.do("Gwen", "encounter begin")
    game.do("Ana", "begin")
    game.do("Ana", "activate")
    game.do("Ana", "fuse", using="Skin")
    assert [each.text for each in game.state.todo] == ["[Shielded]"]
    assert game.state.combatant("Ayla").conditions == ()
