"""Blows in classic: attacks, saves, damage by hand, corrections. Rule: CL-11 to CL-18."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.registry import system_of
from rules.errors import Refusal
from tests.rules.classic.scene import arm, export
from tests.rules.table import Game

SWORD = ("Longsword", "+5 to hit, reach 5 ft.; on a hit 1d8+3 slashing damage")
BITE = (
    "Bite",
    (
        "Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 5 (1d6 + 2) piercing damage. "
        "The target must succeed on a DC 11 Strength saving throw or be knocked prone."
    ),
)
FIREBALL = (
    "Fireball",
    (
        "Up to 6 targets. Each target makes a DC 15 Dexterity saving throw, taking 2d6 fire damage on a failed save, "
        "or half as much damage on a successful one."
    ),
)


def fight(options: str = "", hero: str = "HP 20, AC 15, STR 2, DEX 1, CON 1", goblin: str = "HP 12, AC 13") -> Game:
    """Ana's Ayla is on, then Goblin 1 and Goblin 2."""
    game = Game("classic", options)
    fields = {"name": "Ayla", "owner": game.users["Ana"], "fields": dict(_pairs(hero))}
    game.do("Ana", "join", document=fields, result=20, dice=[])
    for number in (1, 2):
        game.do("Gwen", "add", name=f"Goblin {number}", result=10 - number, sheet=goblin, dice=[])
    arm(game, "Ayla", SWORD, FIREBALL, ("Potion", "You regain 2d4+2 HP"))
    arm(game, "Goblin 1", BITE)
    arm(game, "Goblin 2", BITE)
    game.do("Gwen", "encounter begin", dice=[])
    return game


def _pairs(sheet: str) -> list[tuple[str, Any]]:
    parts = [part.strip().partition(" ") for part in sheet.split(",")]
    return [(key, int(value) if value.isdecimal() else value) for key, _, value in parts]


def hp(game: Game, who: str) -> int:
    now: int = game.state.combatant(who).pools["HP"].now
    return now


def test_an_attack_that_reaches_armor_class_hits_and_does_its_damage() -> None:
    """Rule: CL-11."""
    game = fight()
    game.do("Ana", "attack", target="Goblin 1", using="Longsword", dice=[(20, 8), (8, 4)])
    assert hp(game, "Goblin 1") == 5
    assert export(game)["turn"] == ["Ayla"]


def test_like_dice_of_two_types_are_rolled_each_for_itself() -> None:
    """Rule: CL-11."""
    game = fight()
    arm(game, "Ayla", ("Torch", "+5 to hit; on a hit 1d6 fire damage plus 1d6 cold damage"))
    game.do("Ana", "attack", target="Goblin 1", dice=[(20, 10), (6, 5), (6, 2)])
    assert hp(game, "Goblin 1") == 12 - 5 - 2


def test_an_attack_one_below_armor_class_misses() -> None:
    """Rule: CL-11."""
    game = fight()
    game.do("Ana", "attack", target="Goblin 1", dice=[(20, 7)])
    assert hp(game, "Goblin 1") == 12


def test_a_natural_20_doubles_the_dice_and_not_what_is_added() -> None:
    """Rule: CL-11."""
    game = fight()
    game.do("Ana", "attack", target="Goblin 1", dice=[(20, 20), (8, 2), (8, 1)])
    assert hp(game, "Goblin 1") == 12 - 2 - 3 - 1


def test_a_20_is_a_plain_hit_if_the_table_says_so() -> None:
    """Rule: CL-11."""
    game = fight("critical=off")
    game.do("Ana", "attack", target="Goblin 1", dice=[(20, 20), (8, 2)])
    assert hp(game, "Goblin 1") == 7


def test_a_table_may_let_a_19_be_critical() -> None:
    """Rule: CL-11."""
    game = fight("critical=19, attack=1d20+{hit}", goblin="HP 12, AC 30")
    game.do("Ana", "attack", target="Goblin 1", dice=[(20, 18)])
    game.do("Ana", "attack", target="Goblin 2", dice=[(20, 19), (8, 2), (8, 1)])
    assert (hp(game, "Goblin 1"), hp(game, "Goblin 2")) == (12, 12 - 2 - 3 - 1)


def test_a_natural_1_misses_whatever_is_added() -> None:
    """Rule: CL-11."""
    game = fight(goblin="HP 12, AC 3")
    game.do("Ana", "attack", target="Goblin 1", dice=[(20, 1)])
    assert hp(game, "Goblin 1") == 12


def test_a_table_attacks_with_another_die_against_another_number() -> None:
    """Rule: CL-11."""
    game = fight("attack=1d12, against=dodge", goblin="HP 12, AC 30, DODGE 11")
    game.do("Ana", "attack", target="Goblin 1", dice=[(12, 6), (8, 1)])
    assert hp(game, "Goblin 1") == 8
    game.do("Ana", "attack", target="Goblin 1", dice=[(12, 5)])
    game.do("Ana", "attack", target="Goblin 2", note="advantage", dice=[(12, 12), (12, 1), (8, 1), (8, 2)])
    assert hp(game, "Goblin 2") == 12 - 1 - 2 - 3
    game.do("Gwen", "gm correct", what="edge", value="none", dice=[])


@pytest.mark.parametrize(
    "option",
    [
        "attack=3d6",
        "attack=1d3",
        "attack=sword",
        "attack=1d20+{dex}",
        "critical=double",
        "critical=1",
        "against=12",
        "against=A C",
    ],
)
def test_a_die_and_a_key_are_looked_at_when_they_are_set(option: str) -> None:
    """Rule: CL-11."""
    with pytest.raises(Refusal):
        Game("classic", option)


def test_advantage_keeps_the_higher_die() -> None:
    """Rule: CL-11."""
    game = fight()
    game.do("Ana", "attack", target="Goblin 1", note="advantage", dice=[(20, 2), (20, 9), (8, 1)])
    assert hp(game, "Goblin 1") == 8


def test_one_press_attacks_and_ends_the_turn() -> None:
    """Rule: CL-18."""
    game = fight()
    game.do("Ana", "attack", target="Goblin 1", note="end turn", dice=[(20, 2)])
    assert export(game)["turn"] == ["Goblin 1"]


def test_without_a_number_the_gm_says_whether_it_hits() -> None:
    """Rule: CL-11."""
    game = fight(goblin="HP 12")
    game.do("Ana", "attack", target="Goblin 2", dice=[(20, 11)])
    [asked] = export(game)["waiting"]
    assert (asked["who"], asked["choices"]) == ("Goblin 2", ["hit", "miss"])
    game.refused("Ana", "next", rule="CL-11")
    game.do("Gwen", "hit", dice=[(8, 4)])
    assert hp(game, "Goblin 2") == 5


def test_the_gm_says_a_miss_and_nothing_is_rolled() -> None:
    """Rule: CL-11."""
    game = fight(goblin="HP 12")
    game.do("Ana", "attack", target="Goblin 2", note="end turn", dice=[(20, 11)])
    game.do("Gwen", "miss", dice=[])
    assert hp(game, "Goblin 2") == 12
    assert export(game)["turn"] == ["Goblin 1"]


def test_a_weapon_without_numbers_leaves_both_to_the_gm() -> None:
    """Rule: CL-11."""
    game = fight()
    arm(game, "Ayla", ("Club", "kind weapon"))
    game.do("Ana", "attack", target="Goblin 1", dice=[])
    game.refused("Gwen", "hit")
    game.do("Gwen", "hit", amount=6, dice=[])
    assert hp(game, "Goblin 1") == 6


def test_resolve_ask_lets_the_gm_confirm_with_one_press() -> None:
    """Rule: CL-11."""
    game = fight("resolve=ask")
    game.do("Ana", "attack", target="Goblin 1", dice=[(20, 15)])
    assert export(game)["waiting"][0]["choices"] == ["confirm", "hit", "miss"]
    game.do("Gwen", "confirm", dice=[(8, 1)])
    assert hp(game, "Goblin 1") == 8


def test_resolve_off_is_a_plain_list() -> None:
    """Rule: CL-18."""
    game = fight("resolve=off")
    assert {"attack", "use"} & {*game.legal("Ayla")} == set()
    game.refused("Ana", "attack", target="Goblin 1", rule="CL-18")


def test_somebody_who_has_no_weapon_does_not_attack() -> None:
    """Rule: CL-18."""
    game = fight()
    arm(game, "Ayla")
    assert "attack" not in game.legal("Ayla")
    game.refused("Ana", "attack", target="Goblin 1", rule="CL-18")


@pytest.mark.parametrize(
    ("key", "left"),
    [("RESISTANT", 12 - 3), ("VULNERABLE", 12 - 14 + 2), ("IMMUNE", 12)],
)
def test_resistance_halves_vulnerability_doubles_immunity_voids(key: str, left: int) -> None:
    """Rule: CL-12."""
    game = fight(goblin=f"HP 12, AC 13, {key} slashing")
    game.do("Ana", "attack", target="Goblin 1", dice=[(20, 15), (8, 4)])
    assert hp(game, "Goblin 1") == max(0, left)


def test_temporary_points_go_first() -> None:
    """Rule: CL-12."""
    game = fight()
    game.do("Gwen", "gm heal", target="Goblin 1", amount="4", type="temp", dice=[])
    game.do("Ana", "attack", target="Goblin 1", dice=[(20, 15), (8, 4)])
    assert hp(game, "Goblin 1") == 12 - 3


def test_several_save_one_by_one_against_damage_that_is_rolled_once() -> None:
    """Rule: CL-12, CL-13."""
    game = fight(goblin="HP 12, AC 13, DEX 2")
    game.do("Ana", "use", using="Fireball", target="Goblin 2, Goblin 1", dice=[(20, 13), (6, 3), (6, 4), (20, 12)])
    assert (hp(game, "Goblin 1"), hp(game, "Goblin 2")) == (12 - 3, 12 - 7)


def test_a_save_behind_a_hit_is_rolled_with_the_sheets_bonus() -> None:
    """Rule: CL-13."""
    game = fight()
    game.do("Ana", "next", dice=[])
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 11), (6, 3), (20, 8)])
    assert hp(game, "Ayla") == 15
    assert [each["name"] for each in export(game)["combatants"]["Ayla"]["conditions"]] == ["Prone"]


def test_a_save_without_a_bonus_is_asked_of_its_player() -> None:
    """Rule: CL-13."""
    game = fight(hero="HP 20, AC 15")
    game.do("Ana", "next", dice=[])
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 11), (6, 3)])
    assert [each["choices"] for each in export(game)["waiting"]] == [["save"]]
    game.refused("Gwen", "next", rule="CL-13")
    game.do("Ana", "save", amount=3, dice=[(20, 8)])
    assert export(game)["combatants"]["Ayla"]["conditions"] == []


def test_saves_asked_lets_players_roll_themselves() -> None:
    """Rule: CL-13."""
    game = fight("saves=asked")
    game.do("Ana", "next", dice=[])
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 11), (6, 3)])
    game.do("Ana", "save", dice=[(20, 8)])
    assert len(export(game)["combatants"]["Ayla"]["conditions"]) == 1


def concentrating(options: str = "", hero: str = "HP 20, AC 15, CON 1, STR 9") -> Game:
    game = fight(options, hero=hero)
    game.do("Ana", "condition add", target="Goblin 1", name="Held", source="Ayla", concentration=True, dice=[])
    game.do("Ana", "next", dice=[])
    return game


@pytest.mark.parametrize(("face", "kept"), [(9, True), (8, False)])
def test_somebody_who_concentrates_and_is_hurt_saves_for_it(face: int, kept: bool) -> None:
    """Rule: CL-14."""
    game = concentrating()
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 11), (6, 3), (20, face), (20, 2)])
    assert bool(export(game)["combatants"]["Goblin 1"]["conditions"]) is kept


def test_great_damage_makes_concentration_harder() -> None:
    """Rule: CL-14."""
    game = concentrating(hero="HP 40, AC 15, CON 1")
    game.do("Gwen", "gm damage", target="Ayla", amount="30", dice=[(20, 13)])
    assert export(game)["combatants"]["Goblin 1"]["conditions"] == []


def test_without_a_bonus_concentration_is_asked_about() -> None:
    """Rule: CL-14."""
    game = concentrating(hero="HP 20, AC 15")
    game.do("Gwen", "gm damage", target="Ayla", amount="5", dice=[])
    assert [each["who"] for each in export(game)["waiting"]] == ["Ayla"]
    game.do("Ana", "save", dice=[(20, 10)])
    assert export(game)["combatants"]["Goblin 1"]["conditions"]


def test_somebody_who_goes_down_holds_nothing_any_more() -> None:
    """Rule: CL-14."""
    game = concentrating()
    game.do("Gwen", "gm damage", target="Ayla", amount="20", dice=[])
    assert export(game)["combatants"]["Goblin 1"]["conditions"] == []


def down(options: str = "death=saves") -> Game:
    game = fight(options)
    game.do("Gwen", "gm damage", target="Ayla", amount="20", dice=[])
    game.do("Ana", "next", dice=[])
    game.do("Gwen", "next", dice=[])
    return game


def test_three_successes_between_life_and_death_are_stable() -> None:
    """Rule: CL-15."""
    game = down()
    for _ in range(3):
        game.do("Gwen", "next", dice=[(20, 10)])
        game.do("Ana", "next", dice=[])
        game.do("Gwen", "next", dice=[])
    game.do("Gwen", "next", dice=[])
    assert not game.state.combatant("Ayla").is_dead


def test_a_1_counts_twice_and_three_failures_are_death() -> None:
    """Rule: CL-15."""
    game = down()
    game.do("Gwen", "next", dice=[(20, 1)])
    game.do("Gwen", "gm damage", target="Ayla", amount="2", dice=[])
    assert game.state.combatant("Ayla").is_dead


def test_a_20_gets_somebody_up_with_one_point() -> None:
    """Rule: CL-15."""
    game = down()
    game.do("Gwen", "next", dice=[(20, 20)])
    assert hp(game, "Ayla") == 1


def test_nothing_is_rolled_at_0_unless_the_table_wants_it() -> None:
    """Rule: CL-15."""
    game = down("")
    game.do("Gwen", "next", dice=[])
    assert export(game)["turn"] == ["Ayla"]


def test_the_surprised_lose_their_first_turn_and_their_reaction() -> None:
    """Rule: CL-16."""
    game = fight()
    game.do("Gwen", "condition add", target="Goblin 1", name="Surprised", dice=[])
    game.do("Ana", "next", dice=[])
    assert export(game)["turn"] == ["Goblin 2"]
    assert "react" not in game.legal("Goblin 1")
    assert export(game)["combatants"]["Goblin 1"]["conditions"] == []


def test_players_damage_and_heal_across_owners_by_hand() -> None:
    """Rule: CL-17."""
    game = fight()
    game.do("Bo", "join", name="Bryn", result=1, hp="10", dice=[])
    game.do("Bo", "damage", target="Goblin 1, Goblin 2", amount="5", note="half Goblin 2", dice=[])
    assert (hp(game, "Goblin 1"), hp(game, "Goblin 2")) == (7, 10)
    game.refused("Bo", "damage", target="Goblin 1", amount="5", note="a third of it", rule="CL-17")
    game.do("Bo", "heal", target="Goblin 1", amount=2, dice=[])
    assert hp(game, "Goblin 1") == 9
    game.do("Bo", "heal", target="Goblin 1", amount="5 temp", dice=[])
    assert hp(game, "Goblin 1") == 9
    game.do("Bo", "damage", target="Goblin 1", amount="1d6+2 fire", dice=[(6, 4)])
    assert hp(game, "Goblin 1") == 8
    assert {"damage", "heal"} & {*game.legal("Ayla"), *game.legal("Bryn")} == set()


def test_hands_gm_leaves_others_to_the_gm() -> None:
    """Rule: CL-17."""
    game = fight("hands=gm")
    game.refused("Ana", "damage", target="Goblin 1", amount="5", rule="G-03")
    game.do("Ana", "damage", target="Ayla", amount="5", dice=[])


def test_attacks_are_counted_if_the_sheet_says_how_many() -> None:
    """Rule: CL-18."""
    game = fight(hero="HP 20, AC 15, ATTACKS 2")
    for _ in range(2):
        game.do("Ana", "attack", target="Goblin 1", dice=[(20, 2)])
    game.refused("Ana", "attack", target="Goblin 1", rule="CL-18")


def test_a_correction_of_armor_class_takes_back_what_the_blow_did() -> None:
    """Rule: CL-11."""
    game = fight()
    game.do("Ana", "attack", target="Goblin 1", dice=[(20, 8), (8, 4)])
    game.do("Gwen", "gm correct", what="AC", value="14", dice=[])
    assert hp(game, "Goblin 1") == 12
    game.do("Gwen", "gm correct", what="AC", value="13", dice=[])
    assert hp(game, "Goblin 1") == 5


def test_a_correction_keeps_the_dice_of_the_edge() -> None:
    """Rule: CL-11."""
    game = fight()
    game.do("Ana", "attack", target="Goblin 1", note="advantage", dice=[(20, 2), (20, 9), (8, 1)])
    game.do("Gwen", "gm correct", what="edge", value="none", dice=[])
    assert hp(game, "Goblin 1") == 12
    game.do("Gwen", "gm correct", what="edge", value="advantage", dice=[])
    assert hp(game, "Goblin 1") == 8


def test_a_correction_of_degree_and_of_amount() -> None:
    """Rule: CL-11."""
    game = fight()
    game.do("Ana", "attack", target="Goblin 1", dice=[(20, 8), (8, 4)])
    game.do("Gwen", "gm correct", what="degree", value="critical", dice=[(8, 2)])
    assert hp(game, "Goblin 1") == 3
    game.do("Gwen", "gm correct", what="amount", value="1", dice=[])
    assert hp(game, "Goblin 1") == 11
    game.refused("Gwen", "gm correct", what="degree", value="glancing")


def test_a_correction_takes_back_a_condition_too() -> None:
    """Rule: CL-13."""
    game = fight()
    game.do("Ana", "next", dice=[])
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 11), (6, 3), (20, 2)])
    game.do("Gwen", "gm correct", what="degree", value="miss", dice=[])
    assert (hp(game, "Ayla"), export(game)["combatants"]["Ayla"]["conditions"]) == (20, [])


def test_a_correction_gives_back_what_ended_on_others_as_its_target_fell() -> None:
    """Rule: CL-13."""
    game = concentrating(hero="HP 2, AC 15, CON 1")
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 12), (6, 2)])
    assert not game.state.combatant("Goblin 1").conditions
    game.do("Gwen", "gm correct", what="degree", value="miss", dice=[])
    assert (hp(game, "Ayla"), [each.name for each in game.state.combatant("Goblin 1").conditions]) == (2, ["Held"])


def test_a_potion_heals_its_user() -> None:
    """Rule: CL-18."""
    game = fight()
    game.do("Gwen", "gm damage", target="Ayla", amount="12", dice=[])
    game.do("Ana", "use", using="Potion", dice=[(4, 3), (4, 4)])
    assert hp(game, "Ayla") == 8 + 9


def test_what_helps_its_user_alone_takes_no_target() -> None:
    """Rule: CL-18."""
    game = fight()
    game.refused("Ana", "use", rule="CL-18", using="Potion", target="Goblin 1")


def test_a_save_is_asked_of_each_target_that_is_named_and_a_hit_has_one() -> None:
    """Rule: CL-13, CL-18."""
    game = fight(goblin="HP 12, AC 13, DEX 1")
    arm(game, "Ayla", SWORD, ("Burst", "DC 15 DEX save, 2d6 fire"))
    both = "Goblin 1, Goblin 2"
    said = game.refused("Ana", "attack", rule="CL-11", using="Longsword", target=both)
    assert said.instead is not None
    assert both in said.instead
    game.do("Ana", "use", using="Burst", target=both, dice=[(20, 1), (6, 1), (6, 1), (20, 1)])
    assert (hp(game, "Goblin 1"), hp(game, "Goblin 2")) == (10, 10)


def test_what_a_hit_brings_is_left_to_the_gm_if_no_attack_is_said() -> None:
    """Rule: CL-18."""
    game = fight()
    arm(game, "Ayla", ("Trip", "On a hit: DC 15 STR save or prone"))
    game.do("Ana", "use", using="Trip", target="Goblin 1", dice=[])
    [task] = export(game)["todo"]
    assert (task["ability"], game.state.todo[0].targets, game.state.questions) == ("Trip", ("Goblin 1",), ())


def test_a_blow_ends_with_the_one_who_leaves() -> None:
    """Rule: CL-11."""
    game = fight(goblin="HP 12")
    game.do("Ana", "attack", target="Goblin 2", dice=[(20, 11)])
    game.do("Gwen", "gm remove", target="Goblin 2", dice=[])
    assert export(game)["waiting"] == []
    assert "attack" in game.legal("Ayla")


def test_a_hidden_creature_does_not_attack_before_it_is_shown() -> None:
    """Rule: CL-18."""
    game = fight()
    game.do("Gwen", "add", name="Shade", sheet="HP 9", hidden=True, result=25)
    arm(game, "Shade", BITE)
    with pytest.raises((Refusal, AssertionError)):
        game.do("Gwen", "attack", character="Shade", target="Ayla")


@pytest.mark.parametrize(("using", "first", "last"), [("Fireball", "Goblin 1", "Ayla"), ("Balm", "Ayla", "Goblin 2")])
def test_what_hurts_is_offered_at_foes_first_and_what_heals_at_oneself(using: str, first: str, last: str) -> None:
    """Rule: CL-18."""
    game = fight()
    arm(game, "Ayla", ("Balm", "The target regains 2d4 HP"))
    params = system_of(game.state).actions.params_given(game.state, "Ayla", game.command("use", using=using))
    (choices,) = (param.choices or () for param in params if param.name == "target")
    assert (choices[0], choices[-1]) == (first, last)
