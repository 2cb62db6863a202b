"""Coming in with all that a fight needs, in one command."""

from __future__ import annotations

import pytest

from rules.dice.source import UNTOLD, Die
from tests.rules.table import Game


@pytest.mark.parametrize("action", ["add", "gm add"])
def test_an_npc_comes_in_with_health_sheet_and_bonus_in_one_command(action: str) -> None:
    game = Game()
    game.do("Gwen", action, name="Goblin", count=2, hp="7", sheet="AC 13", bonus=2, dice=[(20, 4), (20, 9)])
    assert [each.pools["HP"].now for each in game.state.combatants] == [7, 7]
    assert game.state.combatant("Goblin 2").fields["AC"] == 13
    assert game.state.initiative["Goblin 2"].result == 11


def test_health_may_be_dice_that_are_rolled_for_each() -> None:
    game = Game()
    game.do("Gwen", "add", name="Rat", count=2, hp="1d4+1", result=3, dice=[(4, 1), (4, 3)])
    assert [each.pools["HP"].top for each in game.state.combatants] == [2, 4]
    assert "Rat 2: HP 1d4 (3) + 1 = 4" in game.said("Ana")


def test_dice_of_health_are_the_gms_if_numbers_are() -> None:
    game = Game(options="npc_pools=hidden")
    game.do("Gwen", "add", name="Rat", hp="1d4+41", result=3, dice=[(4, 1)])
    assert "42" not in game.said("Ana")
    assert "42" in game.said("Gwen")


def test_a_hidden_one_comes_in_by_the_short_command_too() -> None:
    game = Game()
    done = game.do("Gwen", "add", name="Assassin", hp="2d8", hidden=True, result=4)
    assert done.opaque
    assert game.lines("Ana") == []
    assert [each.name for each in game.state.hidden] == ["Assassin"]
    assert all(die.seen_by == UNTOLD for die in done.dice.records if isinstance(die, Die))


@pytest.mark.parametrize("hp", ["0", "-5", "many", "1d4-9"])
def test_health_that_is_none_is_refused(hp: str) -> None:
    game = Game()
    assert str(game.refused("Gwen", "add", name="Rat", hp=hp))
    assert game.state.combatants == ()


def test_one_joins_with_name_and_health_and_puts_right_what_was_mistyped() -> None:
    game = Game()
    game.do("Ana", "join", name="Vex", hp="20", bonus=1, dice=[(20, 10)])
    assert game.state.combatant("Vex").pools["HP"].top == 20
    game.do("Ana", "join", hp="24", bonus=3, dice=[])
    assert game.state.combatant("Vex").pools["HP"].now == 24
    assert game.state.initiative["Vex"].result == 13
    game.do("Ana", "join", result=15, dice=[])
    assert game.state.initiative["Vex"].result == 15
    assert "to correct" in str(game.refused("Ana", "join"))
    game.do("Gwen", "encounter begin", dice=[])
    game.refused("Ana", "join", bonus=9, rule="CL-01")
    game.do("Ana", "join", hp="25", dice=[])
    assert game.state.combatant("Vex").pools["HP"].now == 25


def test_several_are_named_by_a_beginning_or_by_their_side() -> None:
    game = Game()
    game.do("Gwen", "add", name="Goblin", count=2, hp="7", result=3, dice=[])
    game.do("Gwen", "add", name="Ogre", hp="20", result=4, side="Wild", dice=[])
    game.do("Ana", "join", hp="20", result=5, dice=[])

    def health() -> list[int]:
        return [each.pools["HP"].now for each in game.state.combatants]

    game.do("Gwen", "gm damage", target="goblin*", amount="2", dice=[])
    assert health() == [5, 5, 20, 20]
    game.do("Gwen", "gm damage", target="all of wild, Ana", amount="1", half="Ana", dice=[])
    assert health() == [5, 5, 19, 20]
    game.do("Gwen", "gm damage", target="all", amount="1", dice=[])
    assert health() == [4, 4, 18, 19]
    game.do("Gwen", "condition add", target="Gob*, Ogre", name="Prone", dice=[])
    assert [bool(each.conditions) for each in game.state.combatants] == [True, True, True, False]
    assert "No combatant is called Elf*" in str(game.refused("Gwen", "gm damage", target="Elf*", amount="1"))
    assert "Try:" in str(game.refused("Gwen", "gm damage", target="all of Elves", amount="1"))
    game.do("Gwen", "remove", target="Goblin*", dice=[])
    assert [each.name for each in game.state.combatants] == ["Ogre", "Ana"]


def test_refusals_of_newcomers_say_what_does_it() -> None:
    game = Game()
    game.do("Ana", "join", result=5, dice=[])
    refused = game.refused("Gwen", "gm damage", target="Ana", amount="3")
    assert str(refused) == "Ana has no HP. /gm set target:Ana pool:HP value:20 gives it some."
    game.do("Gwen", "gm set", target="Ana", pool="HP", value="20", dice=[])
    assert "/gm heal amount:5" in str(game.refused("Gwen", "gm damage", target="Ana", amount="-5"))
    assert "/gm damage amount:5" in str(game.refused("Gwen", "gm heal", target="Ana", amount="- 5"))
    game.do("Gwen", "encounter begin", dice=[])
    assert "/act damage" in str(game.refused("Ana", "attack"))
    assert "/init next" in str(game.refused("Ana", "done"))


def test_one_who_joins_again_puts_their_name_right_and_gives_no_hidden_one_away() -> None:
    game = Game()
    game.do("Gwen", "gm add", name="Ayla", hidden=True, sheet="HP 5", result=1, dice=[])
    game.do("Ana", "join", name="Alya", result=12, dice=[])
    game.do("Bo", "join", name="Bram", result=9, dice=[])
    game.do("Ana", "join", name="Ayla", hp="20", dice=[])
    assert [each.name for each in game.state.combatants] == ["Ayla", "Bram"]
    assert game.state.combatant("Ayla").pools["HP"].now == 20
    assert game.state.initiative["Ayla"].result == 12
    assert "bram is already taken" in str(game.refused("Ana", "join", name="bram"))
    game.do("Gwen", "encounter begin", dice=[])
    assert "/gm rename" in str(game.refused("Ana", "join", name="Alya"))


@pytest.mark.parametrize(
    ("system", "sheet"),
    [("stones", "HP 9, ATK 1, ARM 1, MOV 4, RNG 1, CRT 5, TYPE Physical"), ("soulweaver", "ZEAL 2, MINOR 1")],
)
def test_a_bonus_that_no_rule_reads_is_said_to_the_one_who_typed_it(system: str, sheet: str) -> None:
    game = Game(system)
    game.do("Gwen", "gm add", name="Orc", sheet=sheet, bonus=2, rolls="1d20")
    assert all(word in game.said("Gwen") for word in ("bonus", "dice"))
    assert "bonus" not in game.said("Bo")
    game.do("Gwen", "gm add", name="Ork", sheet=sheet)
    assert "bonus" not in game.said("Gwen")


def test_several_are_named_by_their_beginning_and_by_their_side_wherever_names_are_asked_for() -> None:
    game = Game()
    game.do("Gwen", "gm add", name="Goblin", sheet="HP 7", count=3, side="Foes", result=3)
    game.do("Gwen", "gm add", name="Shade", sheet="HP 7", count=2, side="Foes", hidden=True, result=3)
    game.do("Ana", "join", result=9)
    game.do("Gwen", "gm damage", target="all of foes", amount="4", half="Goblin*")
    assert [each.pools["HP"].now for each in game.state.cast if "HP" in each.pools] == [5, 5, 5, 3, 3]
    game.do("Gwen", "gm order", names="all of Foes, Ana")
    game.do("Gwen", "gm reveal", target="Shade*")
    assert len(game.state.combatants) == 6
    game.do("Gwen", "remove", target="all of Foes")
    assert game.state.names == ("Ana",)


def test_a_missing_key_is_named_with_the_one_that_was_probably_meant() -> None:
    game = Game("beacon")
    refused = str(game.refused("Gwen", "gm add", name="Wolf", sheet="HP 7, INIT 4"))
    assert "lacks INITIATIVE" in refused
    assert "No rule reads INIT (INITIATIVE?)." in refused


def test_a_number_in_front_of_a_name_says_how_many_come() -> None:
    game = Game()
    game.do("Gwen", "gm add", name="3 Goblin", hp="7", result=3, dice=[])
    game.do("Gwen", "gm add", name="2nd Guard", hp="7", result=2, dice=[])
    assert [each.name for each in game.state.combatants] == ["Goblin 1", "Goblin 2", "Goblin 3", "2nd Guard"]
