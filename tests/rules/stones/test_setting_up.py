"""What is settled before the first turn: sides, the deck's options, what a sheet says, who comes in fallen."""

from __future__ import annotations

import pytest

from rules.core.registry import system_of
from tests.rules.stones.scene import BOLT, SEARING, SHEET, ability, add, duel, game_of, table


def test_st_17_sides_compare_without_regard_to_case() -> None:
    game = game_of(("Ayla", "Ana", "North"), ("Borr", "Bo", "South"), options="first=NORTH")
    add(game, "Cyd", owner="Cai", side="north")
    add(game, "Orc", side="SOUTH")
    assert [each.side for each in game.state.combatants] == ["North", "South", "North", "South"]
    game.do("Gwen", "encounter begin")
    assert game.waits_for() == ("Ayla", "Cyd")
    game.do("Gwen", "gm set", target="Orc", pool="side", value="north")
    assert game.state.combatant("Orc").side == "North"


def test_one_who_was_hidden_appears_on_the_side_that_is_there() -> None:
    game = game_of(("Ayla", "Ana", "North"), ("Borr", "Bo", "South"))
    game.do(
        "Gwen", "gm add", name="Orc", side="south", hidden=True, sheet=", ".join(f"{k} {v}" for k, v in SHEET.items())
    )
    game.do("Gwen", "gm reveal", target="Orc")
    assert game.state.combatant("Orc").side == "South"


def test_who_has_gathered_is_shown_with_their_side() -> None:
    game = game_of(("Ayla", "Ana", "North"), ("Borr", "Bo", "South"))
    system = system_of(game.state)
    assert system.row(game.state, "Ayla", game.seat("Bo")).badges == ("side North",)
    game.do("Gwen", "encounter options", set="first=North")
    game.do("Gwen", "encounter begin")
    assert system.row(game.state, "Ayla", game.seat("Bo")).badges == ()


@pytest.mark.parametrize(
    ("option", "rule"), [("elements=Fire", "ST-01"), ("stones=9/9/9/9/9", "ST-01"), ("first=B", "ST-17")]
)
def test_st_01_st_17_options_that_would_have_no_effect_any_more_are_refused(option: str, rule: str) -> None:
    game = duel()
    game.refused("Gwen", "encounter options", rule=rule, set=option)
    game.do("Gwen", "encounter options", set="eliminated=pass")


def test_st_01_a_deck_that_could_never_pay_for_an_ability_is_refused() -> None:
    game = game_of(("Ayla", "Ana", "A"), abilities={"Ayla": (SEARING,)})
    refusal = game.refused("Gwen", "encounter options", rule="ST-01", set="elements=Wind+Earth")
    assert "Ayla, Searing Blow costs 3 Fire, and the deck has no Fire." in str(refusal)
    game.refused("Gwen", "encounter options", rule="ST-01", set="stones=2/0/0/0/0")
    game.do("Gwen", "encounter options", set="stones=0/0/0/0/1, elements=Fire")
    document = {"name": "Borr", "owner": "0", "fields": dict(SHEET), "abilities": [BOLT]}
    game.refused("Bo", "join", rule="ST-01", document=document)


def test_st_01_an_ability_that_costs_more_than_the_deck_holds_does_not_join() -> None:
    game = table("stones=1/1/0/0/0")
    dear = ability("Dear", "[Burn]", card="offensive", element="Fire", cost="4")
    document = {"name": "Borr", "owner": "0", "fields": dict(SHEET), "abilities": [dear]}
    assert "3 stars of it" in str(game.refused("Bo", "join", rule="ST-01", document=document))


@pytest.mark.parametrize(
    ("key", "value", "rule"),
    [("CRT", "banana", "ST-11"), ("CRT", "101", "ST-11"), ("MOV", "-1", "ST-09"), ("RNG", "far", "ST-10"),
     ("TYPE", "Sour", "ST-11"), ("Bolt cost", "-", "ST-12"), ("Bolt element", "Cheese", "ST-01")],
)  # fmt: skip
def test_a_ruling_sets_no_value_that_no_rule_could_read(key: str, value: str, rule: str) -> None:
    game = duel()
    game.refused("Gwen", "gm set", rule=rule, target="Ayla", pool=key, value=value)


def test_st_20_one_who_comes_in_with_no_hp_left_is_told() -> None:
    game = game_of(("Ayla", "Ana", "A"))
    document = {"name": "Borr", "owner": "0", "fields": {**SHEET, "HP": "0/20"}, "abilities": []}
    game.do("Bo", "join", document=document, side="B")
    assert "Borr comes in with HP 0: out of the fight until somebody heals them." in game.lines("Bo")
    assert "B has nobody who can act" in str(game.refused("Gwen", "encounter begin"))


def test_st_19_one_who_acts_when_all_is_decided_is_told_by_which_rule() -> None:
    game = duel()
    game.do("Gwen", "gm damage", target="Borr", amount="99")
    refusal = game.refused("Ana", "begin", rule="ST-19")
    assert "A wins." in str(refusal)


def test_st_19_players_win_and_north_wins() -> None:
    game = game_of(("Ayla", "Ana", "Players"), ("Borr", "Bo", "South"), options="first=South")
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "gm damage", target="Borr", amount="99")
    assert "All others are incapacitated: Players win." in game.lines()
