"""Answers to a blow: a reaction that a sheet says changes the blow that it answers. Rule: CL-08, CL-11."""

from __future__ import annotations

import pytest

from rules.core.sheets.abilities import parse_ability
from rules.core.sheets.reading import reading_of
from rules.core.views.view import offers_for, view_of
from rules.systems.classic.abilities import deed_of
from rules.systems.classic.keys import SHEET
from tests.rules.classic.scene import arm, export
from tests.rules.table import Game

SHIELD = ("Shield", "reaction; +5 AC")
DODGE = ("Uncanny Dodge", "When I am hit by an attack, the damage is halved.")
PARRY = ("Parry", "Reaction: reduce the damage by 3")


def fight(*answers: tuple[str, str], options: str = "", sheet: str = "HP 20, AC 13") -> Game:
    """Goblin is on, then Ana's Ayla."""
    game = Game("classic", options)
    pairs = (part.split(" ") for part in sheet.split(", "))
    fields = {"name": "Ayla", "owner": game.users["Ana"], "fields": {key: int(value) for key, value in pairs}}
    game.do("Ana", "join", document=fields, result=5, dice=[])
    game.do("Gwen", "add", name="Goblin", result=20, sheet="HP 7, AC 13", dice=[])
    arm(game, "Ayla", *answers)
    arm(game, "Goblin", ("Scimitar", "+4 to hit; on a hit 1d6+2 slashing damage"))
    game.do("Gwen", "encounter begin", dice=[])
    return game


def hp(game: Game) -> int:
    now: int = game.state.combatant("Ayla").pools["HP"].now
    return now


def asked(game: Game) -> list[tuple[str, str, list[str]]]:
    return [(each["who"], each["for"], each["choices"]) for each in export(game)["waiting"]]


def test_a_reaction_turns_a_hit_into_a_miss() -> None:
    game = fight(SHIELD)
    game.do("Gwen", "attack", target="Ayla", note="end turn", dice=[(20, 10)])
    assert asked(game) == [("Ayla", "response", ["react", "decline"])]
    game.do("Ana", "react", dice=[])
    assert hp(game) == 20
    assert export(game)["turn"] == ["Ayla"]


def test_armor_that_stays_holds_until_ones_own_turn() -> None:
    """Rule: CL-08."""
    text = "Reaction: when you are hit by an attack, you gain a +5 bonus to AC until the start of your next turn"
    game = fight(("Shield", text))
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 10)])
    game.do("Ana", "react", dice=[])
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 13)])
    assert hp(game) == 20
    game.do("Gwen", "next", dice=[])
    game.do("Ana", "next", dice=[])
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 9)])
    game.do("Ana", "decline", dice=[(6, 1)])
    assert hp(game) == 17


def test_somebody_who_lets_it_pass_takes_the_damage() -> None:
    game = fight(SHIELD)
    game.do("Gwen", "attack", target="Ayla", note="end turn", dice=[(20, 10)])
    game.do("Ana", "decline", dice=[(6, 4)])
    assert hp(game) == 14
    assert export(game)["turn"] == ["Ayla"]


@pytest.mark.parametrize("face", [2, 15, 20])
def test_nobody_is_asked_for_what_would_change_nothing(face: int) -> None:
    game = fight(SHIELD)
    more = {2: [], 15: [(6, 1)], 20: [(6, 1), (6, 1)]}[face]
    game.do("Gwen", "attack", target="Ayla", dice=[(20, face), *more])
    assert asked(game) == []


def test_half_of_the_damage_is_rounded_down() -> None:
    game = fight(DODGE)
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 15)])
    game.do("Ana", "react", dice=[(6, 5)])
    assert hp(game) == 20 - 3


def test_damage_is_reduced_and_the_reaction_spent() -> None:
    """Rule: CL-08."""
    game = fight(PARRY)
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 15)])
    game.do("Ana", "react", using="Parry", dice=[(6, 5)])
    assert hp(game) == 20 - 4
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 15), (6, 1)])
    assert hp(game) == 20 - 4 - 3


def test_you_name_one_of_several_answers() -> None:
    game = fight(SHIELD, DODGE, PARRY)
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 19)])
    game.refused("Ana", "react", rule="CL-08", using="Shield")
    game.do("Ana", "react", using="Uncanny Dodge", dice=[(6, 5)])
    assert hp(game) == 20 - 3


def test_a_verdict_that_was_given_before_is_asked_for_again() -> None:
    """Rule: CL-11."""
    game = fight(SHIELD, sheet="HP 20")
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 10)])
    game.do("Gwen", "hit", dice=[])
    game.do("Ana", "react", dice=[])
    assert asked(game) == [("Goblin", "verdict", ["hit", "miss"])]
    game.do("Gwen", "miss", dice=[])
    assert (hp(game), asked(game)) == (20, [])


def test_a_hit_that_is_confirmed_is_confirmed_again_after_an_answer() -> None:
    """Rule: CL-11."""
    game = fight(SHIELD, options="resolve=ask")
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 10)])
    game.do("Gwen", "confirm", dice=[])
    game.do("Ana", "react", dice=[])
    game.do("Gwen", "confirm", dice=[])
    assert hp(game) == 20


def test_an_answer_is_nothing_to_use_and_no_attack() -> None:
    """Rule: CL-18."""
    game = fight(SHIELD)
    game.do("Gwen", "next", dice=[])
    game.refused("Ana", "use", rule="CL-18", using="Shield")


def test_a_reaction_in_words_stays_possible_when_nothing_asks() -> None:
    """Rule: CL-08."""
    game = fight(SHIELD)
    game.do("Ana", "react", using="Shield", dice=[])
    assert "reaction" in game.state.combatant("Ayla").marks


def test_an_answer_leaves_nothing_to_the_gm() -> None:
    game = fight(SHIELD, DODGE, PARRY)
    assert [reading_of(each, SHEET).asks for each in game.state.combatant("Ayla").abilities] == [(), (), ()]


@pytest.mark.parametrize(
    "text",
    [
        "+5 AC", "reaction; +5 AC and 1d6 damage",
        "reaction; +5 AC if you hold a shield", "when I am hit, I fall prone",
        "reaction", "reaction; the damage is not halved", "reaction; +5 STR",
        "reaction; the damage", "reaction; you take the damage",
    ],
)  # fmt: skip
def test_what_says_something_else_or_more_is_no_answer(text: str) -> None:
    assert deed_of(parse_ability("Answer", text)).answer is None


# The creatures of the GM


def hunt(*answers: tuple[str, str], options: str = "") -> Game:
    """Ana's Ayla is on, then Goblin 1, who has these answers, and Goblin 2, who has none."""
    game = Game("classic", options)
    document = {"name": "Ayla", "owner": game.users["Ana"], "fields": {"HP": 20, "AC": 13}}
    game.do("Ana", "join", document=document, result=20, dice=[])
    for name, result in (("Goblin 1", 5), ("Goblin 2", 4)):
        game.do("Gwen", "add", name=name, result=result, sheet="HP 17, AC 13", dice=[])
    arm(game, "Ayla", ("Scimitar", "+4 to hit; on a hit 1d6+2 slashing damage"))
    arm(game, "Goblin 1", *answers)
    game.do("Gwen", "encounter begin", dice=[])
    return game


def of_goblin(game: Game, number: int) -> int:
    now: int = game.state.combatant(f"Goblin {number}").pools["HP"].now
    return now


def test_an_attack_on_creatures_without_an_answer_is_one_step() -> None:
    game = hunt()
    game.do("Ana", "attack", target="Goblin 1", dice=[(20, 10), (6, 1)])
    assert (asked(game), of_goblin(game, 1)) == ([], 14)


def test_what_would_change_nothing_leaves_the_gm_unasked() -> None:
    game = hunt(SHIELD)
    game.do("Ana", "attack", target="Goblin 1", dice=[(20, 19), (6, 1)])
    assert (asked(game), of_goblin(game, 1)) == ([], 14)


def test_the_gm_decides_for_every_creature_of_a_side_once_one_could_answer() -> None:
    game = hunt(SHIELD)
    game.do("Ana", "attack", target="Goblin 1", dice=[(20, 10)])
    assert asked(game) == [("Goblin 1", "response", ["react", "decline"])]
    game.do("Gwen", "react", using="Shield", dice=[])
    assert of_goblin(game, 1) == 17
    game.do("Ana", "attack", target="Goblin 2", dice=[(20, 10)])
    assert asked(game) == [("Goblin 2", "response", ["react", "decline"])]
    assert game.state.questions[0].silent
    game.do("Gwen", "decline", character="Goblin 2", dice=[(6, 1)])
    assert of_goblin(game, 2) == 14
    game.do("Ana", "attack", target="Goblin 1", dice=[(20, 10)])
    assert asked(game) == [("Goblin 1", "response", ["react", "decline"])]  # Goblin 2 could react for it
    game.refused("Gwen", "react", rule="CL-08", character="Goblin 1", note="ducks")


def test_a_creature_with_nothing_on_its_sheet_may_react_in_words() -> None:
    game = hunt(PARRY)
    game.do("Ana", "attack", target="Goblin 1", dice=[(20, 10)])
    game.do("Gwen", "decline", dice=[(6, 1)])
    game.do("Ana", "attack", target="Goblin 2", dice=[(20, 10)])
    game.do("Gwen", "react", character="Goblin 2", note="ducks", dice=[(6, 1)])
    assert (of_goblin(game, 2), asked(game)) == (14, [])


@pytest.mark.parametrize("reader", ["Ana", "Bo"])
def test_players_learn_no_answer_and_no_number_of_the_gms_creatures(reader: str) -> None:
    """Rule: G-08."""
    game = hunt(("Zyqshield", "reaction; +7 AC"), ("Zyqward", "reaction; half damage"), options="npc_pools=hidden")
    game.do("Ana", "attack", target="Goblin 1", dice=[(20, 10)])
    view = view_of(game.table, game.seat(reader))
    assert view is not None
    seen = view.model_dump_json() + repr(offers_for(game.table, "Goblin 1", game.seat(reader))) + game.said(reader)
    assert "Zyq" not in seen
    game.do("Gwen", "react", using="Zyqshield", dice=[])
    assert "20" not in game.said(reader).split("Zyqshield")[-1]
    assert "Zyqward" not in game.said(reader)


def test_what_an_answer_says_is_left_to_the_gm_if_no_blow_asks() -> None:
    """Rule: CL-08, G-09."""
    for name in ("Shield", "War Cry"):
        game = fight(SHIELD, ("War Cry", "Reaction: everybody shudders"))
        game.do("Ana", "react", using=name, dice=[])
        assert [task["ability"] for task in export(game)["todo"]] == [name]
        assert "reaction" in game.state.combatant("Ayla").marks
