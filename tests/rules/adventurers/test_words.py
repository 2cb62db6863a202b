"""What the words of a sheet do in play: Criticals, bonuses, calls, evasion, rounds. Rule: AD-08, AD-25."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.sheets.abilities import parse_ability
from rules.systems.adventurers.notes import plans
from rules.systems.adventurers.state import AdventurersState
from tests.rules.adventurers.scene import SWORD, asked, check, conditions, damaged, duel, hit, pools, trio


def said(name: str, source: str) -> dict[str, Any]:
    return parse_ability(name, source).model_dump()


@pytest.mark.parametrize(("faces", "ailing"), [(check(3, 4), []), ([*check(6, 6), (6, 4)], ["Stunned"])])
def test_ad_26_what_is_said_of_a_critical_comes_of_a_critical_alone(
    faces: list[tuple[int, int]], ailing: list[str]
) -> None:
    stun = said("Stun", "Attack, <Arm>; 2 damage. On a Critical, the target is [Stunned].")
    game = duel(rhea={"abilities": (stun,)}, ogre={"STAMINA": 30})
    game.do("Ana", "attack", target="Ogre", dice=faces)
    if game.state.questions:
        game.do("Gwen", "take", character="Ogre")
    assert [each for each in conditions(game, "Ogre") if each == "Stunned"] == ailing


def test_ad_08_an_attack_with_the_weapon_in_hand_has_its_specialty_and_its_damage() -> None:
    trip = said("Trip", "Attack with your weapon; on a hit, the target is [Off Balance].")
    game = duel(rhea={"abilities": (SWORD, trip)}, ogre={"STAMINA": 10})
    game.do("Ana", "attack", target="Ogre", using="Trip", dice=check(3, 4))
    if game.state.questions:
        game.do("Gwen", "take", character="Ogre")
    assert pools(game, "Ogre")[0] == 7
    assert "Off Balance" in conditions(game, "Ogre")


def test_ad_08_an_attack_without_a_specialty_or_a_weapon_is_refused() -> None:
    game = duel(rhea={"abilities": (said("Push", "On a hit, 2 damage."),)})
    assert "attack" not in game.legal("Rhea")


@pytest.mark.parametrize(
    "source", ["Attack, <Arm>; 2 damage. This attack cannot be evaded.", "Attack, <Arm>; 2 damage"]
)
def test_ad_25_nobody_is_asked_to_evade_what_cannot_be_evaded(source: str) -> None:
    game = duel(early=False, ogre={"abilities": (said("Bite", source),)})
    hit(game, "Ogre", "Rhea")
    assert bool(game.state.questions) is ("evaded" not in source)


def test_ad_25_who_cannot_evade_for_a_round_is_asked_again_in_the_next() -> None:
    bite = said("Bite", "Attack, <Arm>; 2 damage and the target cannot make Evasion checks until the end of the round.")
    game = duel(early=False, ogre={"abilities": (bite,)})
    hit(game, "Ogre", "Rhea")
    game.do("Ana", "take")
    assert "No evasion" in conditions(game, "Rhea")
    game.do("Ana", "pass")
    assert conditions(game, "Rhea") == []


@pytest.mark.parametrize(("source", "needs"), [("-2", "needs 5"), ("-4", "needs 3")])
def test_ad_25_an_attack_says_how_much_easier_it_is_to_evade(source: str, needs: str) -> None:
    """A penalty raises what the evasion needs."""
    bite = said("Bite", f"Attack, <Arm>; 2 damage. The target's Evasion check is made at {source}.")
    game = duel(early=False, ogre={"abilities": (bite,)})
    hit(game, "Ogre", "Rhea")
    (question,) = game.state.questions
    assert f"needs {7 - int(source)}" in (question.inside or question.words)


def test_ad_01_a_bonus_on_evasion_counts_and_is_told() -> None:
    game = duel(early=False, rhea={"abilities": (said("Nimble", "Always: +1 to your Evasion checks."),)})
    hit(game, "Ogre", "Rhea")
    game.do("Ana", "evade", dice=check(3, 3))  # 6 + 1 reaches 7
    assert pools(game, "Rhea")[0] == 10
    assert "+1" in game.said()


def test_ad_10_an_ability_without_a_type_is_used_as_an_assist_and_its_penalty_counts_once() -> None:
    jeer = said("Jeer", "Choose an enemy: its next Hit check suffers a -2 penalty. Costs 1 [Willpower].")
    game = duel(rhea={"abilities": (jeer,)})
    game.do("Ana", "assist", using="Jeer", target="Ogre")
    assert (conditions(game, "Ogre"), pools(game, "Rhea")[1]) == (["-2 on next attack"], 3)
    hit(game, "Ogre", "Rhea")  # 7 - 2 reaches 5
    assert conditions(game, "Ogre") == []
    assert "-2" in game.said()


def test_ad_16_bonus_damage_is_part_of_the_one_damage_of_an_attack() -> None:
    rage = said("Rage", "Your attacks deal +3 damage.")
    game = duel(early=False, rhea={"STAMINA": 4}, ogre={"abilities": (SWORD, rage)})
    hit(game, "Ogre", "Rhea", (6, 2), (4, 3))
    game.do("Ana", "take", dice=[(6, 5)])  # the one death check
    assert (len(damaged(game, "Rhea")), pools(game, "Rhea")[0]) == (1, 0)


def test_ad_10_an_assist_for_all_allies_reaches_those_who_are_named() -> None:
    song = said("Song", "Assist. All allies regain 2 [Stamina].")
    game = trio(rhea={"abilities": (song,)})
    for who in ("Rhea", "Pip"):
        game.do("Gwen", "gm damage", target=who, amount="5")
    game.do("Ana", "assist", using="Song", target="Rhea, Pip")
    assert (pools(game, "Rhea")[0], pools(game, "Pip")[0]) == (7, 7)


@pytest.mark.parametrize(("answer", "willpower", "left"), [("grant", 5, []), ("deny", 4, ["call"])])
def test_g_12_who_calls_a_moment_for_an_ally_waits_for_the_gm(answer: str, willpower: int, left: list[str]) -> None:
    cheer = said("Cheer", "Whenever an ally takes Body Damage, that ally gains 1 [Willpower]; once per combat")
    game = trio(rhea={"abilities": (SWORD, cheer)}, pip={"WILLPOWER": "4/9"})
    game.do("Ana", "call", using="Cheer", target="Pip")
    assert [who for who, _, choices in asked(game) if "grant" in choices] == ["the GM"]
    game.do("Gwen", answer)
    assert pools(game, "Pip")[1] == willpower
    assert [each for each in game.legal("Rhea") if each == "call"] == left


def test_ad_30_a_call_costs_its_rebound() -> None:
    heal = said("Rally", "When you succeed at an Evasion check, you recover 2 [Stamina]. Rebound 2.")
    game = duel(rhea={"abilities": (heal,)})
    game.do("Gwen", "gm damage", target="Rhea", amount="5")
    game.do("Ana", "call", using="Rally")
    assert pools(game, "Rhea") == (7, 2)


def test_each_round_begins_with_what_sheets_say_of_it() -> None:
    """Rule: AD-03."""
    rest = said("Rest", "At the beginning of each round, you recover 2 [Stamina].")
    game = duel(early=False, rhea={"abilities": (SWORD, rest)})
    game.do("Gwen", "gm damage", target="Rhea", amount="5")
    game.do("Gwen", "pass", character="Ogre")
    game.do("Ana", "pass")
    assert pools(game, "Rhea")[0] == 7


@pytest.mark.parametrize(("source", "is_dead"), [("Always: +2 to your Death checks.", False), ("It glows.", True)])
def test_ad_19_a_bonus_on_death_checks_counts(source: str, is_dead: bool) -> None:
    sheet = {"STAMINA": 1, "WILLPOWER": 1, "DAMAGED": ["Eyes", "Leg"], "abilities": (SWORD, said("Tough", source))}
    game = duel(early=False, rhea=sheet, ogre={"abilities": (said("Bite", "Attack, <Arm>; 3 damage."),)})
    hit(game, "Ogre", "Rhea", (6, 2), (4, 3))
    game.do("Ana", "take", dice=())
    game.do("Ana", "death-check", dice=[(6, 2)])  # against 3
    assert bool(asked(game) and "accept" in asked(game)[0][2]) is is_dead


def test_ad_09_what_a_lent_support_does_for_its_user_is_left_to_the_gm() -> None:
    hymn = said("Hymn", "Support. The attack deals 2 more damage. If the attack hits, you regain 3 [Stamina].")
    game = trio(pip={"abilities": (hymn,)})
    game.do("Gwen", "gm damage", target="Rhea", amount="5")
    game.do("Bo", "cooperate", target="Rhea", using="Hymn")
    game.do("Ana", "attack", target="Ogre", using="Sword, Hymn", dice=check(3, 4))
    if game.state.questions:
        game.do("Gwen", "take", character="Ogre")
    assert (pools(game, "Ogre")[0], pools(game, "Rhea")[0]) == (5, 5)
    assert [each.ability for each in game.state.todo] == ["Hymn"]


@pytest.mark.parametrize(("faces", "left"), [(check(1, 2), 8), (check(1, 1), 10)])
def test_ad_01_an_attack_adds_to_its_own_check_but_saves_no_fumble(faces: list[tuple[int, int]], left: int) -> None:
    aim = said("Aim", "Attack, <Arm>; 2 damage; +2 to the Hit check.")
    game = duel(rhea={"abilities": (aim,)})
    more = [(6, 1)] if left == 10 else []  # on the table of Fumbles
    game.do("Ana", "attack", target="Ogre", dice=[*faces, *more])
    if game.state.questions:
        game.do("Gwen", "take", character="Ogre")
    assert pools(game, "Ogre")[0] == left


def test_ad_08_what_was_saved_as_a_field_and_is_read_as_a_sentence_now_counts_once() -> None:
    saved = {
        **said("Cry", "Support; add 2 damage; rebound 0"),
        "fields": {"type": "support", "damage": "2", "rebound": "0"},
    }
    game = duel(rhea={"abilities": (SWORD, saved)})
    hit(game, "Rhea", "Ogre", using="Sword, Cry")
    game.do("Gwen", "take", character="Ogre")
    assert pools(game, "Ogre")[0] == 5


def test_ad_28_all_ailments_are_cured_at_once() -> None:
    balm = said("Balm", "Assist. Remove all ailments from one ally.")
    game = trio(rhea={"abilities": (balm,)})
    for ailment in ("Bleeding", "Dazed"):
        game.do("Gwen", "condition add", target="Pip", name=ailment)
    game.do("Ana", "assist", using="Balm", target="Pip")
    assert conditions(game, "Pip") == []


def test_ad_01_a_menu_says_what_an_attack_adds_to_its_check() -> None:
    aim = said("Aim", "Attack with your weapon; +2 to the Hit check.")
    game = duel(rhea={"abilities": (SWORD, aim)})
    state = game.state
    assert isinstance(state, AdventurersState)
    words = plans(state, "Rhea")["Aim"]
    assert "+2 on the check" in words
    assert "damage 3" in words
