"""Wherever dice are asked for they are read as in `/roll`: initiative, damage, saves, checks, sheets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rules.core.conditions import parse_save
from rules.core.sheets.sheet import parse_sheet
from rules.dice.refused import UnreadableDice
from rules.errors import Malformed
from rules.systems.classic.order import bonus_in
from tests.rules.table import Game


@pytest.mark.parametrize(
    ("typed", "dice", "result"),
    [
        ("1d20+2 adv", [(20, 4), (20, 17)], 20),
        ("adv 1d20 plus 2", [(20, 4), (20, 17)], 20),
        ("２d20kh1+3 quick", [(20, 4), (20, 9)], 13),
        ("floor(1d20/2)", [(20, 9)], 5),
    ],
)
def test_initiative_is_typed_as_a_roll_with_the_bonus_before_its_words(
    typed: str, dice: list[tuple[int, int]], result: int
) -> None:
    game = Game()
    game.do("Ana", "join", rolls=typed, bonus=1, dice=dice)
    assert game.state.initiative["Ana"].result == result


def test_initiative_may_name_the_numbers_of_who_joins() -> None:
    game = Game()
    game.do("Gwen", "gm add", name="Goblin", sheet="HP 5, DEX 3", rolls="1d20+DEX adv", dice=[(20, 4), (20, 17)])
    assert game.state.initiative["Goblin"].result == 20
    assert isinstance(game.refused("Ana", "join", rolls="1d20+DEX"), UnreadableDice)
    assert "several" in str(game.refused("Ana", "join", rolls="6 1d20"))


@pytest.mark.parametrize(("typed", "bonus"), [("1d20+2-1", 1), ("1d20+2 adv", 2), ("1d20", 0), ("3+1d20+1", 1)])
def test_the_bonus_of_typed_dice_is_known(typed: str, bonus: int) -> None:
    assert bonus_in(typed) == bonus


def test_damage_and_healing_are_typed_as_a_roll() -> None:
    game = Game()
    game.do("Gwen", "gm add", name="Ogre", sheet="HP 30", rolls="1d20")
    game.do("Gwen", "gm damage", target="Ogre", amount="2d6 fire + 1d8 cold", dice=[(6, 2), (6, 3), (8, 4)])
    assert game.state.combatant("Ogre").pools["HP"].now == 21
    game.do("Gwen", "gm heal", target="Ogre", amount="4d4 drop lowest", dice=[(4, 1), (4, 2), (4, 2), (4, 1)])
    assert game.state.combatant("Ogre").pools["HP"].now == 26
    slip = game.refused("Gwen", "gm damage", target="Ogre", amount="2d6+")
    assert "Did you mean 2d6?" in str(slip)


@pytest.mark.parametrize("verb", ["gm damage", "gm heal"])
def test_damage_that_cannot_be_rolled_says_which_option_and_what_would_work(verb: str) -> None:
    game = Game()
    game.do("Gwen", "gm add", name="Ogre", sheet="HP 30", rolls="1d20")
    slip = game.refused("Gwen", verb, target="Ogre", amount="2d6+")
    assert str(slip).startswith("I can't roll amount:2d6+.")
    assert "Did you mean 2d6?" in str(slip)


def test_dice_of_a_sheet_that_cannot_be_read_name_who_and_which_field() -> None:
    slip = str(Game().refused("Gwen", "gm add", name="Goblin", sheet="HP 5, INITIATIVE 2dx"))
    assert "Goblin" in slip
    assert "INITIATIVE" in slip


def test_commas_in_the_fields_of_an_ability_are_refused_with_semicolons() -> None:
    club = {"name": "Club", "kind": "weapon", "fields": {"specialty": "Lift, damage 2d6"}}
    document = {"name": "Rhea", "owner": "101", "fields": {"STAMINA": 10, "WILLPOWER": 4}, "abilities": [club]}
    slip = str(Game("adventurers").refused("Ana", "join", document=document))
    assert "Rhea, Club: specialty Lift, damage 2d6 looks like more than one field." in slip
    assert "Separate them with semicolons: specialty Lift; damage 2d6" in slip


def test_the_example_of_the_adventurers_help_can_be_typed_as_it_is() -> None:
    told = Path("rules/systems/adventurers/help.toml").read_text(encoding="utf-8")
    sheet = re.search(r"/character add name:Ogre system:adventurers sheet:([^`]*)`", told)
    assert sheet is not None
    assert "`/gm add name:Ogre`" in told
    document = {"name": "Ogre", "owner": "100", "fields": parse_sheet(sheet[1])}
    game = Game("adventurers")
    game.do("Gwen", "gm add", name="Ogre", document=document)
    assert game.state.combatant("Ogre").pools["STAMINA"].now == 12


@pytest.mark.parametrize(
    ("typed", "save"),
    [
        ("2d6>=7", ("2d6", True, 7)),
        ("2d6 adv >= 7 poison", ("2d6 adv 1", True, 7)),
        ("1d20 dc 12", ("1d20", True, 12)),
        ("1d100≤-3", ("1d100", False, -3)),
    ],
)
def test_a_save_is_typed_as_a_roll_with_its_target(typed: str, save: tuple[str, bool, int]) -> None:
    assert parse_save(typed) == save


@pytest.mark.parametrize("typed", ["2d6", "2d6>7", "2d6>=1d6", "7", "2d6>=9999999"])
def test_a_save_without_a_target_is_refused(typed: str) -> None:
    with pytest.raises(Malformed, match="not a save"):
        parse_save(typed)


def test_those_who_are_asked_roll_what_was_typed() -> None:
    game = Game()
    game.do("Ana", "join", result=3, dice=[])
    game.do("Gwen", "gm ask", who="Ana", rolls="1d20+2 adv stealth", at_least=15)
    game.do("Ana", "ask-roll", dice=[(20, 4), (20, 13)])
    assert "success" in game.said("Ana")


def test_dice_on_a_sheet_name_its_own_numbers() -> None:
    game = Game()
    game.do("Gwen", "gm add", name="Orc", sheet="HP 9, DEX 2, INITIATIVE 1d20+DEX", dice=[(20, 5)])
    assert game.state.initiative["Orc"].result == 7
    slip = game.refused("Gwen", "gm add", name="Elf", sheet="HP 9, INITIATIVE 1d20+WIT")
    assert "»WIT«" in str(slip)


def test_what_is_set_on_a_sheet_names_that_sheets_numbers() -> None:
    game = Game()
    game.do("Gwen", "gm add", name="Orc", sheet="HP 9, DEX -1", result=3, dice=[])
    game.do("Gwen", "gm set", target="Orc", pool="BITE", value="1d6+DEX", dice=[])
    assert game.state.combatant("Orc").fields["BITE"] == "1d6+(-1)"


def test_damage_names_the_numbers_of_the_one_who_acts() -> None:
    game = Game()
    game.do("Gwen", "gm add", name="Orc", sheet="HP 9, STR 4", result=9, dice=[])
    game.do("Ana", "join", result=3, dice=[])
    game.do("Gwen", "gm set", target="Ana", pool="HP", value="20", dice=[])
    game.do("Gwen", "gm set", target="Ana", pool="STR", value="1", dice=[])
    game.do("Gwen", "encounter begin", dice=[])
    game.do("Gwen", "gm damage", target="Ana", amount="1d6+STR", dice=[(6, 2)])
    assert game.state.combatant("Ana").pools["HP"].now == 14


def test_a_number_of_the_gms_is_not_told_by_the_dice_that_name_it() -> None:
    game = Game(options="npc_pools=hidden")
    game.do("Gwen", "gm add", name="Orc", sheet="HP 9, STR 44", result=9, dice=[])
    game.do("Ana", "join", result=3, dice=[])
    game.do("Gwen", "gm set", target="Ana", pool="HP", value="80", dice=[])
    game.do("Gwen", "encounter begin", dice=[])
    game.do("Gwen", "gm damage", target="Ana", amount="1d6+STR", dice=[(6, 2)])
    assert "44" not in game.said("Ana")
    assert "44" in game.said("Gwen")


def test_a_save_names_the_numbers_of_who_bears_the_condition() -> None:
    game = Game()
    game.do("Gwen", "gm add", name="Orc", sheet="HP 9, CON 5", result=9, dice=[])
    game.do("Gwen", "encounter begin", dice=[])
    game.do("Gwen", "condition add", target="Orc", name="Poisoned", save="1d20+CON>=12", dice=[])
    assert game.state.combatant("Orc").conditions[0].save == "1d20+CON>=12"
    game.do("Gwen", "next", dice=[(20, 7)])
    assert game.state.combatant("Orc").conditions == ()
    slip = game.refused("Gwen", "condition add", target="Orc", name="Poisoned", save="1d20+WIT>=12")
    assert isinstance(slip, UnreadableDice)


@pytest.mark.parametrize("pool", ["STR", "Sword damage", "BITE"])
def test_dice_follow_a_number_that_is_set_after_joining(pool: str) -> None:
    game = Game("tactics")
    sword = {"name": "Sword", "kind": "power", "fields": {"phase": "battle", "damage": "1d6+STR"}}
    fields = {
        "KIND": "hero",
        "HP": 10,
        "DEF": 1,
        "ATK": 1,
        "SPD": 5,
        "INT": 1,
        "AGI": 2,
        "TIER": 1,
        "STR": 2,
        "BITE": "1d4+STR",
    }
    game.do(
        "Gwen", "gm add", name="Rook", document={"name": "Rook", "owner": "0", "fields": fields, "abilities": [sword]}
    )
    rook = game.state.combatant("Rook")
    assert (rook.fields["BITE"], rook.ability("Sword").field("damage")) == ("1d4+2", "1d6+2")
    game.do("Gwen", "gm set", target="Rook", pool="STR", value="3")
    rook = game.state.combatant("Rook")
    assert (rook.fields["BITE"], rook.ability("Sword").field("damage")) == ("1d4+3", "1d6+3")
    game.do("Gwen", "gm set", target="Rook", pool=pool, value="4")  # what is set itself follows nothing any more
    rook = game.state.combatant("Rook")
    assert rook.ability("Sword").field("damage") == {"STR": "1d6+4", "Sword damage": "4", "BITE": "1d6+3"}[pool]
    game.do("Gwen", "gm set", target="Rook", pool="Sword damage", value="2d6+STR")
    game.do("Gwen", "gm set", target="Rook", pool="STR", value="5")
    rook = game.state.combatant("Rook")
    assert rook.ability("Sword").field("damage") == "2d6+5"
    assert rook.fields["BITE"] == (4 if pool == "BITE" else "1d4+5")


def test_dice_that_name_a_pool_follow_it_as_it_falls() -> None:
    game = Game()
    game.do("Gwen", "gm add", name="Orc", sheet="HP 9, BITE 1d6+HP", result=3, dice=[])
    game.do("Gwen", "gm damage", target="Orc", amount="4")
    assert game.state.combatant("Orc").fields["BITE"] == "1d6+5"


def test_a_reason_behind_dice_follows_their_total_in_every_step() -> None:
    game = Game()
    game.do("Ana", "join")
    game.do("Gwen", "gm add", name="Ogre", sheet="HP 20")
    game.do("Gwen", "gm damage", target="Ogre", amount="2d6 # stealth", dice=[(6, 2), (6, 3)])
    assert "Damage: 2d6 (2, 3) = 5 (stealth)." in game.said()
    game.do("Gwen", "gm set", target="Ogre", pool="initiative", value="1d20 ! quick", dice=[(20, 7)])
    assert game.said().endswith("= 7 (quick).")
    game.do("Gwen", "gm ask", who="Ana", rolls="1d20 # stealth")
    assert "Gwen asks Ana for 1d20 (stealth)." in game.said()
    game.do("Ana", "ask-roll", dice=[(20, 4)])
    assert "Ana rolls (stealth): 1d20 (4) = 4." in game.said()
    assert "#" not in game.said()
