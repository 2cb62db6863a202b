"""Whole actions: each with all that it takes, in the words of its button (play 3)."""

from __future__ import annotations

from rules.core.registry import system_of
from rules.core.sheets.character_text import parse_character_text
from rules.core.values import Seat
from rules.core.views.whole import (
    WholeAction,
    asked_before,
    command_for,
    public_actions,
    recognized,
    shares,
    whole_actions,
)
from tests.rules.table import Game

SHEET = "INT 2, AGI 3, ATK 3, DEF 8, TIER 1, HP 30, SPD 5"
CLAW = {"name": "Claw", "kind": "power", "fields": {"damage": "1d6", "range": "9"}}


def table() -> Game:
    game = Game("tactics")
    for name in ("Ana", "Bo"):
        fields = {key: int(value) for key, value in (each.split() for each in SHEET.split(", "))}
        document = {"name": name, "owner": "0", "fields": fields, "abilities": [CLAW]}
        game.do(name, "join", document=document)
    game.do("Gwen", "gm add", name="Ogre", sheet=SHEET)
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "gm next-phase")
    game.do("Gwen", "gm turn", target="Ana")
    return game


def of(game: Game, who: str = "Ana") -> dict[str, WholeAction]:
    seat = Seat(user=game.users[who])
    return {whole.label: whole for whole in whole_actions(game.table, who, seat)}


def test_a_button_says_the_action_with_all_that_it_takes() -> None:
    game = table()
    found = of(game)
    assert next(iter(found)) == "Attack Ogre with Claw", "a foe comes first"
    whole = found["Attack Ogre with Claw"]
    assert whole.is_whole
    game.do("Ana", **command_for(whole.offer, whole.given).model_dump(exclude_defaults=True))
    assert "Ana" in game.said()


def test_an_ally_is_asked_about_and_comes_after_the_foes() -> None:
    game = table()
    found = of(game)
    ally = found["Attack Bo with Claw"]
    assert ally.asks == "Bo is on Ana's side."
    assert list(found).index("Attack Ogre with Claw") < list(found).index("Attack Bo with Claw")


def test_to_end_a_turn_with_an_attack_unused_is_asked_about() -> None:
    game = table()
    game.do("Gwen", "gm turn", target="Bo")
    found = of(game, "Bo")
    assert found["Pass"].asks == "Attack Ogre with Claw is still possible."


def test_everybody_reads_the_same_buttons_if_all_may_know_them() -> None:
    game = table()
    public = [whole.label for whole in public_actions(game.table, "Ana")]
    assert "Attack Ogre with Claw" in public
    game.do("Gwen", "encounter options", set="npc_pools=words")
    game.do("Gwen", "gm turn", target="Ogre")
    assert not any(whole.notes or whole.odds for whole in public_actions(game.table, "Ogre") if whole.is_whole)
    assert any(whole.given.get("target") == "Ana" for whole in public_actions(game.table, "Ogre"))
    game.do("Gwen", "encounter options", set="npc_pools=hidden")
    hidden = {whole.label: whole for whole in public_actions(game.table, "Ogre")}
    assert not hidden["Attack"].is_whole, "what a creature of the GM's can reach is not for all to know"


def test_what_is_not_possible_any_more_is_recognized_so_that_the_rules_say_why() -> None:
    game = table()
    whole = of(game)["Attack Ogre with Claw"]
    assert recognized(game.table, whole.offer, whole.digest) == whole.given
    assert recognized(game.table, whole.offer, "000000") is None
    assert asked_before(game.table, command_for(whole.offer, whole.given)) == ""


def test_a_menu_has_something_of_each_action_and_most_of_the_most_useful() -> None:
    game = table()
    found = list(of(game).values())
    few = shares(found, 4)
    assert len(few) == 4
    assert few[0].label == "Attack Ogre with Claw"
    assert len({whole.offer.action for whole in few}) == 4


def test_each_of_many_weapons_and_abilities_has_a_place_beside_all_else_that_may_be_done() -> None:
    game = Game("classic")
    weapons = [f"Weapon {at}: attack +5, damage 1d8" for at in range(5)]
    spells = [f"Spell {at}: DC 14 WIS save or paralyzed" for at in range(7)]
    read = parse_character_text("\n".join(("HP 30", *weapons, *spells)), system_of(game.state).sheet)
    abilities = [ability.model_dump() for ability in read.abilities]
    document = {"name": "Ana", "owner": "0", "fields": dict(read.kept_fields), "abilities": abilities}
    game.do("Ana", "join", document=document, result=20)
    for name in ("Ogre", "Wolf", "Bat"):
        game.do("Gwen", "gm add", name=name, sheet="HP 9", result=5)
    game.do("Gwen", "encounter begin")
    shown = shares(list(of(game).values()), 24)
    assert len(shown) == 24
    assert {whole.given["using"] for whole in shown if "using" in whole.given} == {
        *(f"Weapon {at}" for at in range(5)),
        *(f"Spell {at}" for at in range(7)),
    }
    assert {"attack", "next", "use", "delay"} <= {whole.offer.action for whole in shown}
