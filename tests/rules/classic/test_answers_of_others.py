"""Answers to a blow of allies, and of the one whose blow it is. Rule: CL-08, CL-11."""

from __future__ import annotations

import pytest

from rules.core.sheets.abilities import parse_ability
from rules.core.sheets.reading import reading_of
from rules.core.views.view import offers_for, view_of
from rules.systems.classic.abilities import deed_of
from rules.systems.classic.keys import SHEET
from tests.rules.classic.scene import arm, export
from tests.rules.table import Game

GUARD = ("Guard", "When an ally within 30 feet is hit, you can use your reaction to reduce the damage by 3")
COVER = ("Cover", "When an ally is hit, you can use your reaction to add 5 to its AC")
PROTECT = (
    "Protect",
    "When a creature you can see attacks an ally, you can use your reaction to impose disadvantage on it",
)
BARB = ("Barb", "When an ally is hit, you can use your reaction to force the attacker to reroll the attack")
CUT = ("Cut", "When an ally is hit, you can use your reaction to subtract 1d6 from the attack roll")
SHIELD = ("Shield", "reaction; +5 AC")
LUCKY = ("Lucky", "twice a day; reroll a missed attack")
POINTS = ("Luck", "When you miss, you can spend 1 luck point to reroll the attack")
INSPIRED = ("Inspired", "When you miss, you can add 1d6 to the attack roll")
SNEAK = ("Sneak Attack", "once per turn: +2d6 damage on my hit")
SMITE = ("Smite", "When I hit, spend 1 luck to deal 1d8 radiant damage")
CLAW = ("Claw", "+4 to hit; on a hit 1d6+2 slashing damage")


def fight(*answers: tuple[str, str], own: tuple[tuple[str, str], ...] = (), options: str = "") -> Game:
    """Goblin is on, then Ana's Ayla, who has what is her `own`, then Bo's Bran, who has the answers."""
    game = Game("classic", options)
    for user, name, result in (("Ana", "Ayla", 5), ("Bo", "Bran", 4)):
        fields = {"HP": 20, "AC": 13, "LUCK": 1}
        document = {"name": name, "owner": game.users[user], "fields": fields}
        game.do(user, "join", document=document, result=result, dice=[])
    game.do("Gwen", "add", name="Goblin", result=20, sheet="HP 17, AC 13", dice=[])
    arm(game, "Bran", *answers)
    arm(game, "Ayla", CLAW, *own)
    arm(game, "Goblin", CLAW)
    game.do("Gwen", "encounter begin", dice=[])
    return game


def hp(game: Game, who: str = "Ayla") -> int:
    now: int = game.state.combatant(who).pools["HP"].now
    return now


def asked(game: Game) -> list[str]:
    assert {each["for"] for each in export(game)["waiting"]} <= {"response"}
    return [each["who"] for each in export(game)["waiting"]]


def has_reacted(game: Game) -> list[str]:
    return [name for name in game.state.names if "reaction" in game.state.combatant(name).marks]


# Allies


def test_an_ally_reduces_the_damage_with_their_own_reaction() -> None:
    game = fight(GUARD)
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 15)])
    assert asked(game) == ["Bran"]
    game.do("Bo", "react", dice=[(6, 5)])
    assert (hp(game), has_reacted(game)) == (20 - 4, ["Bran"])
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 15), (6, 5)])
    assert (hp(game), asked(game)) == (20 - 4 - 7, [])


def test_damage_is_reduced_after_a_restart_too() -> None:
    game = fight(GUARD)
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 15)])
    restarted = type(game.state).model_validate_json(game.state.model_dump_json())
    game.table = game.table.evolve(encounter=restarted)
    game.do("Bo", "react", dice=[(6, 5)])
    assert hp(game) == 20 - 4


def test_an_ally_raises_the_number_that_the_attack_has_to_reach() -> None:
    game = fight(COVER)
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 10)])
    game.do("Bo", "react", dice=[])
    assert (hp(game), asked(game)) == (20, [])


@pytest.mark.parametrize(("answer", "target"), [(COVER, "Bran"), (GUARD, "Bran"), (SHIELD, "Ayla")])
def test_nobody_answers_for_another_than_they_can(answer: tuple[str, str], target: str) -> None:
    game = fight(answer)
    game.do("Gwen", "attack", target=target, dice=[(20, 10), (6, 5)])
    assert (hp(game, target), asked(game)) == (20 - 7, [])


@pytest.mark.parametrize("face", [2, 15])
def test_no_ally_is_asked_for_what_would_change_nothing(face: int) -> None:
    game = fight(COVER)
    game.do("Gwen", "attack", target="Ayla", dice=[(20, face), *([(6, 1)] if face > 9 else [])])
    assert asked(game) == []


def test_all_are_asked_at_once_and_what_is_over_is_asked_no_more() -> None:
    game = fight(COVER, own=(("Parry", "reaction; half damage"),))
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 10)])
    assert sorted(asked(game)) == ["Ayla", "Bran"]
    game.do("Bo", "react", dice=[])
    assert (hp(game), asked(game), has_reacted(game)) == (20, [], ["Bran"])


def test_two_answers_to_one_blow_both_count() -> None:
    game = fight(GUARD, own=(("Parry", "reaction; half damage"),))
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 10)])
    game.do("Ana", "react", dice=[])
    assert asked(game) == ["Bran"]
    game.do("Bo", "react", dice=[(6, 6)])
    assert hp(game) == 20 - (8 // 2 - 3)


def test_a_disadvantage_comes_before_the_dice() -> None:
    game = fight(PROTECT)
    game.do("Gwen", "attack", target="Ayla", dice=[])
    assert asked(game) == ["Bran"]
    game.do("Bo", "react", dice=[(20, 15), (20, 2)])
    assert (hp(game), asked(game), has_reacted(game)) == (20, [], ["Bran"])


def test_without_the_disadvantage_the_dice_fall_as_ever() -> None:
    game = fight(PROTECT)
    game.do("Gwen", "attack", target="Ayla", dice=[])
    game.do("Bo", "decline", dice=[(20, 15), (6, 1)])
    assert hp(game) == 20 - 3


def test_an_attacker_has_to_roll_again() -> None:
    game = fight(BARB)
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 15)])
    game.do("Bo", "react", dice=[(20, 5)])
    assert (hp(game), asked(game)) == (20, [])


@pytest.mark.parametrize(("keeps", "damage"), [("", [(6, 1), (6, 1)]), (" and use the lower roll", [(6, 1)])])
def test_the_sheet_says_which_of_two_rolls_counts(keeps: str, damage: list[tuple[int, int]]) -> None:
    game = fight(("Barb", BARB[1] + keeps))
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 15)])
    game.do("Bo", "react", dice=[(20, 20), *damage])
    assert hp(game) == 20 - 2 - len(damage)


def test_what_is_taken_off_a_roll_is_asked_only_if_it_could_be_enough() -> None:
    game = fight(CUT)
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 14)])
    game.do("Bo", "react", dice=[(6, 6)])
    assert hp(game) == 20
    game = fight(CUT)
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 15), (6, 1)])
    assert asked(game) == []


def test_a_verdict_is_asked_for_again_after_an_allys_answer() -> None:
    game = fight(COVER, options="resolve=ask")
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 10)])
    game.do("Gwen", "confirm", dice=[])
    game.do("Bo", "react", dice=[])
    assert [each["for"] for each in export(game)["waiting"]] == ["verdict"]
    game.do("Gwen", "confirm", dice=[])
    assert hp(game) == 20


def test_an_allys_answer_can_be_given_in_advance() -> None:
    game = fight(GUARD)
    game.do("Bo", "react", using="Guard", when="if-asked", dice=[])
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 15), (6, 5)])
    assert (hp(game), asked(game), has_reacted(game)) == (20 - 4, [], ["Bran"])


# The one whose blow it is


def ayla_attacks(*own: tuple[str, str], options: str = "") -> Game:
    game = fight(own=own, options=options)
    game.do("Gwen", "next", dice=[])
    return game


def test_somebody_who_misses_may_roll_again_as_often_as_the_sheet_says() -> None:
    game = ayla_attacks(LUCKY)
    for _ in range(2):
        game.do("Ana", "attack", target="Goblin", dice=[(20, 3)])
        assert asked(game) == ["Ayla"]
        game.do("Ana", "react", dice=[(20, 15), (6, 1)])
    assert (hp(game, "Goblin"), has_reacted(game)) == (17 - 3 - 3, [])
    game.do("Ana", "attack", target="Goblin", dice=[(20, 3)])
    assert asked(game) == []


def test_a_roll_that_misses_again_stays_a_miss() -> None:
    game = ayla_attacks(LUCKY)
    game.do("Ana", "attack", target="Goblin", dice=[(20, 3)])
    game.do("Ana", "react", dice=[(20, 4)])
    assert (hp(game, "Goblin"), asked(game)) == (17, [])


def test_somebody_who_hits_is_not_asked_to_roll_again() -> None:
    game = ayla_attacks(LUCKY)
    game.do("Ana", "attack", target="Goblin", dice=[(20, 15), (6, 1)])
    assert asked(game) == []


def test_a_point_of_the_sheet_is_the_price() -> None:
    game = ayla_attacks(POINTS)
    game.do("Ana", "attack", target="Goblin", dice=[(20, 3)])
    game.do("Ana", "react", dice=[(20, 15), (6, 1)])
    assert game.state.combatant("Ayla").fields["LUCK"] == 0
    game.do("Ana", "attack", target="Goblin", dice=[(20, 3)])
    assert asked(game) == []


def test_dice_are_added_to_a_miss_and_nobody_learns_whether_they_could_be_enough() -> None:
    """Rule: G-08."""
    game = ayla_attacks(INSPIRED, options="npc_pools=words")
    game.do("Ana", "attack", target="Goblin", dice=[(20, 8)])
    game.do("Ana", "react", dice=[(6, 3), (6, 1)])
    assert hp(game, "Goblin") == 17 - 3
    game.do("Ana", "attack", target="Goblin", dice=[(20, 2)])
    assert asked(game) == ["Ayla"]  # 2 + 4 + 6 does not reach 13, but the 13 is not for players


def test_somebody_who_hits_may_add_damage_once_a_turn() -> None:
    game = ayla_attacks(SNEAK)
    game.do("Ana", "attack", target="Goblin", dice=[(20, 15)])
    assert asked(game) == ["Ayla"]
    game.do("Ana", "react", dice=[(6, 1), (6, 2), (6, 3)])
    assert (hp(game, "Goblin"), has_reacted(game)) == (17 - 3 - 5, [])
    game.do("Ana", "attack", target="Goblin", dice=[(20, 15), (6, 1)])
    assert (hp(game, "Goblin"), asked(game)) == (17 - 3 - 5 - 3, [])


def test_added_damage_has_dice_of_its_own_if_they_are_those_of_the_weapon() -> None:
    game = ayla_attacks(("Sneak Attack", "once per turn: +1d6+2 damage on my hit"))
    game.do("Ana", "attack", target="Goblin", dice=[(20, 15)])
    game.do("Ana", "react", dice=[(6, 1), (6, 4)])
    assert hp(game, "Goblin") == 17 - 3 - 6


def test_damage_that_is_not_added_is_left_for_another_hit() -> None:
    game = ayla_attacks(SNEAK)
    game.do("Ana", "attack", target="Goblin", dice=[(20, 15)])
    game.do("Ana", "decline", dice=[(6, 1)])
    game.do("Ana", "attack", target="Goblin", dice=[(20, 15)])
    assert (hp(game, "Goblin"), asked(game)) == (17 - 3, ["Ayla"])


def test_somebody_who_misses_is_not_asked_to_add_damage() -> None:
    game = ayla_attacks(SNEAK)
    game.do("Ana", "attack", target="Goblin", dice=[(20, 3)])
    assert asked(game) == []


def test_it_is_said_of_nobody_that_they_do_not_react_to_their_own_hit() -> None:
    game = ayla_attacks(SNEAK)
    game.do("Ana", "attack", target="Goblin", dice=[(20, 15)])
    game.do("Ana", "decline", dice=[(6, 3)])
    assert hp(game, "Goblin") < 17
    assert not any("react" in line for line in game.lines("Bo"))


def test_a_critical_hit_doubles_added_dice_and_resistance_halves_what_is_of_the_weapons_type() -> None:
    """Rule: CL-12."""
    game = ayla_attacks(SNEAK)
    goblin = game.state.combatant("Goblin")
    resistant = goblin.evolve(fields={**goblin.fields, "RESISTANT": ("slashing",)})
    game.table = game.table.evolve(encounter=game.state.with_combatant(resistant))
    game.do("Ana", "attack", target="Goblin", dice=[(20, 20)])
    game.do("Ana", "react", dice=[(6, 1), (6, 1), (6, 2), (6, 3), (6, 1), (6, 2)])
    assert hp(game, "Goblin") == 17 - (1 + 2 + 1) // 2 - (2 + 3 + 1 + 2) // 2


def test_two_abilities_may_add_to_one_hit_and_the_second_costs_its_price() -> None:
    game = ayla_attacks(SNEAK, SMITE)
    game.do("Ana", "attack", target="Goblin", dice=[(20, 15)])
    game.do("Ana", "react", using="Smite", dice=[])
    assert (asked(game), game.state.combatant("Ayla").fields["LUCK"]) == (["Ayla"], 0)
    game.do("Ana", "react", using="Sneak Attack", dice=[(6, 1), (8, 4), (6, 1), (6, 1)])
    assert (hp(game, "Goblin"), asked(game)) == (17 - 3 - 4 - 2, [])


def test_a_correction_takes_added_damage_back_and_gives_it_again() -> None:
    game = ayla_attacks(SNEAK)
    game.do("Ana", "attack", target="Goblin", dice=[(20, 15)])
    game.do("Ana", "react", dice=[(6, 1), (6, 2), (6, 3)])
    game.do("Gwen", "gm correct", what="degree", value="miss", dice=[])
    assert (hp(game, "Goblin"), asked(game)) == (17, [])
    game.do("Gwen", "gm correct", what="degree", value="hit", dice=[])
    assert (hp(game, "Goblin"), asked(game)) == (17 - 3 - 5, [])


def test_a_creature_of_the_gm_adds_damage_and_its_target_still_answers() -> None:
    game = fight(own=(SHIELD,))
    arm(game, "Goblin", CLAW, SNEAK)
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 10)])
    assert asked(game) == ["Ayla", "Goblin"]
    game.do("Gwen", "react", dice=[])
    game.do("Ana", "react", dice=[])
    assert (hp(game), asked(game)) == (20, [])
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 15)])
    assert asked(game) == ["Goblin"]
    game.do("Gwen", "decline", dice=[(6, 1)])
    assert hp(game) == 20 - 3


def test_a_hit_after_all_is_answered_by_its_target() -> None:
    game = fight(SHIELD, own=())
    arm(game, "Goblin", CLAW, LUCKY)
    game.do("Gwen", "attack", target="Bran", dice=[(20, 3)])
    game.do("Gwen", "react", dice=[(20, 10)])
    assert asked(game) == ["Bran"]
    game.do("Bo", "react", dice=[])
    assert hp(game, "Bran") == 20


def test_a_correction_keeps_what_was_answered() -> None:
    game = ayla_attacks(LUCKY)
    game.do("Ana", "attack", target="Goblin", dice=[(20, 3)])
    game.do("Ana", "react", dice=[(20, 15), (6, 1)])
    game.do("Gwen", "gm correct", what="degree", value="miss", dice=[])
    assert (hp(game, "Goblin"), asked(game)) == (17, [])


PARRY = ("Parry", "reaction; half damage")


def correct(game: Game, what: str, value: str, *dice: tuple[int, int]) -> None:
    game.do("Gwen", "gm correct", what=what, value=value, dice=[*dice])


def test_a_miss_that_is_corrected_to_a_hit_may_be_answered_by_its_target() -> None:
    game = fight(own=(SHIELD,))
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 5)])
    game.do("Gwen", "next", dice=[])  # a correction may come later
    correct(game, "AC", "9")
    assert asked(game) == ["Ayla"]
    before = game.table
    game.do("Ana", "react", dice=[])
    assert (hp(game), has_reacted(game), asked(game)) == (20, ["Ayla"], [])
    game.table = before  # an undo
    game.do("Ana", "decline", dice=[(6, 1)])
    assert (hp(game), has_reacted(game)) == (20 - 3, [])


def test_a_hit_that_is_corrected_to_a_critical_may_be_answered_by_who_let_the_hit_pass() -> None:
    game = fight(GUARD, own=(PARRY,))
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 15)])
    game.do("Ana", "decline", dice=[])
    game.do("Bo", "decline", dice=[(6, 6)])
    correct(game, "degree", "critical")
    assert asked(game) == ["Ayla"], "for an ally it is the blow that they have let pass"
    game.do("Ana", "react", dice=[(6, 4)])
    assert hp(game) == 20 - (6 + 2 + 4) // 2


def test_a_hit_that_is_corrected_to_a_miss_may_be_answered_by_who_struck() -> None:
    game = ayla_attacks(LUCKY)
    game.do("Ana", "attack", target="Goblin", dice=[(20, 10), (6, 1)])
    correct(game, "AC", "19")
    assert (hp(game, "Goblin"), asked(game)) == (17, ["Ayla"])
    game.do("Ana", "react", dice=[(20, 16)])
    assert (hp(game, "Goblin"), asked(game)) == (17 - 3, [])


def test_an_amount_that_the_gm_says_and_the_degree_that_it_has_ask_nobody() -> None:
    game = fight(GUARD, own=(PARRY,))
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 15)])
    game.do("Ana", "decline", dice=[])
    game.do("Bo", "decline", dice=[(6, 6)])
    for what, value in (("amount", "5"), ("degree", "hit"), ("AC", "12")):
        correct(game, what, value)
        assert (hp(game), asked(game)) == (20 - 5, [])


def test_a_correction_of_an_open_blow_asks_nobody_twice() -> None:
    game = fight(GUARD, own=(PARRY,))
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 15)])
    correct(game, "degree", "critical")
    assert sorted(asked(game)) == ["Ayla", "Bran"]


# The creatures of the GM


def hunt(*answers: tuple[str, str]) -> Game:
    """Ana's Ayla is on, then Goblin 1, then Goblin 2, who has these answers."""
    game = Game("classic", "npc_pools=hidden")
    document = {"name": "Ayla", "owner": game.users["Ana"], "fields": {"HP": 20, "AC": 13}}
    game.do("Ana", "join", document=document, result=20, dice=[])
    for name, result in (("Goblin 1", 5), ("Goblin 2", 4)):
        game.do("Gwen", "add", name=name, result=result, sheet="HP 17, AC 13", dice=[])
        arm(game, name, CLAW)
    arm(game, "Ayla", CLAW)
    arm(game, "Goblin 2", CLAW, *answers)
    game.do("Gwen", "encounter begin", dice=[])
    return game


def test_the_gm_is_asked_once_for_all_who_could_answer_for_a_creature() -> None:
    """Rule: G-08."""
    game = hunt(("Zyqcover", COVER[1]))
    game.do("Ana", "attack", target="Goblin 1", dice=[(20, 10)])
    assert asked(game) == ["Goblin 1"]
    view = view_of(game.table, game.seat("Ana"))
    assert view is not None
    seen = view.model_dump_json() + repr(offers_for(game.table, "Goblin 1", game.seat("Ana"))) + game.said("Ana")
    assert "Zyq" not in seen
    game.do("Gwen", "react", using="Zyqcover", dice=[])
    assert (hp(game, "Goblin 1"), has_reacted(game)) == (17, ["Goblin 2"])


def test_from_the_first_time_on_the_gm_is_asked_about_each_miss_of_that_side() -> None:
    """Rule: G-08."""
    game = hunt(LUCKY)
    game.do("Ana", "next", dice=[])
    game.do("Gwen", "attack", character="Goblin 1", target="Ayla", dice=[(20, 3)])
    assert asked(game) == []
    game.do("Gwen", "next", dice=[])
    game.do("Gwen", "attack", character="Goblin 2", target="Ayla", dice=[(20, 3)])
    assert asked(game) == ["Goblin 2"]
    game.do("Gwen", "decline", dice=[])
    game.do("Gwen", "next", dice=[])
    game.do("Ana", "next", dice=[])
    game.do("Gwen", "attack", character="Goblin 1", target="Ayla", dice=[(20, 3)])
    assert (asked(game), game.state.questions[0].silent) == (["Goblin 1"], True)


# What a sheet says


@pytest.mark.parametrize("answer", [GUARD, COVER, PROTECT, BARB, CUT, LUCKY, POINTS, INSPIRED, SNEAK, SMITE])
def test_what_is_said_back_is_read_as_the_same(answer: tuple[str, str]) -> None:
    ability = parse_ability(*answer)
    reading = reading_of(ability, SHEET)
    again = parse_ability(answer[0], ". ".join(done.says for done in reading.does))
    assert (deed_of(again), reading.asks) == (deed_of(ability), ())


@pytest.mark.parametrize(
    "text",
    [
        "When an ally is hit, add 5 to your AC", "When you are hit, the ally gains +2 AC",
        "When an ally is hit, impose disadvantage on the attack roll",
        "When an ally misses, it rerolls the attack", "When an enemy is hit, it takes half damage",
        "You can reroll it", "When you miss, you can reroll the attack if you hold a sword",
        "When you miss with a bow, you can reroll the attack", "When you miss, +5 AC",
        "When you miss, reroll the attack and use the lower roll", "When you are hit, add 1d6 to the attack roll",
        "When you miss, subtract 1d6 from the attack roll", "You can reroll a missed save",
    ],
)  # fmt: skip
def test_what_does_not_fit_together_is_no_answer(text: str) -> None:
    assert deed_of(parse_ability("Answer", text)).answer is None


def test_who_strikes_has_to_be_near_if_the_words_say_so() -> None:
    ward = "Once a round, when an enemy within 5 feet attacks somebody else, it has disadvantage on that roll"
    game = fight(("Ward", ward))
    game.do("Gwen", "board size", size="8x8", dice=[])
    for name, cell in (("Goblin", "A1"), ("Ayla", "A2"), ("Bran", "H8")):
        game.do("Gwen", "gm move", target=name, to=cell, dice=[])
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 2)])
    game.do("Gwen", "gm move", target="Bran", to="B1", dice=[])
    game.do("Gwen", "attack", target="Ayla", dice=[])
    assert asked(game) == ["Bran"]
    game.do("Bo", "react", dice=[(20, 15), (20, 2)])
    assert hp(game) == 20
    assert game.state.combatant("Bran").used == {"Ward": 1}


def test_what_an_answer_says_besides_is_left_to_the_gm() -> None:
    """Rule: CL-08."""
    words = "When an ally is hit, you can use your reaction to halve the damage. The attacker forgets its name."
    game = fight(("Guard", words))
    game.do("Gwen", "attack", target="Ayla", dice=[(20, 15)])
    game.do("Bo", "react", dice=[(6, 4)])
    assert hp(game) == 20 - 3
    assert [(each["who"], each["text"]) for each in export(game)["todo"]] == [
        ("Bran", "The attacker forgets its name.")
    ]
