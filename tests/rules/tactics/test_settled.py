"""What whole games showed: powers that are implied or chosen, powers of one's own, sources, saves, who is out."""

from __future__ import annotations

import pytest

from rules.core.registry import system_of
from rules.core.views.whole import whole_actions
from tests.rules.table import Game
from tests.rules.tactics.scene import ability, add, board, duel, skip_all, trio, two_d6


def labels(game: Game, who: str, seat: str, action: str) -> list[str]:
    return [whole.label for whole in whole_actions(game.table, who, game.seat(seat)) if whole.offer.action == action]


NEXT_ROUND = (1, 1, 6, 6)
SWORD, SLING = ability("Sword", damage="4"), ability("Sling", damage="2", range="6")


# A power (TA-11, TA-12)


def test_ta_12_the_only_power_is_implied() -> None:
    game = duel(rhea={"abilities": (SWORD,)})
    skip_all(game)
    game.do("Gwen", "pass", character="Ogre")
    game.do("Ana", "attack", target="Ogre", dice=two_d6(6, 6, *NEXT_ROUND))
    assert "Rhea attacks Ogre with Sword" in game.said()
    assert game.state.combatant("Ogre").pools["HP"].now == 16


def test_ta_12_of_several_powers_one_is_chosen_and_buttons_name_them_whole() -> None:
    game = duel(rhea={"abilities": (SWORD, SLING)})
    skip_all(game)
    game.do("Gwen", "pass", character="Ogre")
    assert labels(game, "Rhea", "Ana", "attack") == ["Attack Ogre with Sword", "Attack Ogre with Sling"]
    refusal = game.refused("Ana", "attack", target="Ogre", rule="TA-12")
    assert "Sword" in str(refusal)
    assert "Sling" in str(refusal)


def test_ta_12_a_power_that_alone_reaches_the_target_is_implied() -> None:
    game = duel(rhea={"abilities": (SWORD, SLING)})
    board(game, Rhea="A1", Ogre="D1")
    skip_all(game)
    game.do("Gwen", "pass", character="Ogre")
    game.do("Ana", "attack", target="Ogre", dice=two_d6(6, 6, *NEXT_ROUND))
    assert "with Sling" in game.said()


@pytest.mark.parametrize("more", [{}, {"DAMAGE": "1d6"}])
def test_ta_12_one_who_has_no_power_may_still_attack_and_everything_says_so(more: dict[str, str]) -> None:
    game = duel(ogre=more)
    skip_all(game)
    [attack] = [each for each in whole_actions(game.table, "Ogre", game.seat("Gwen")) if each.offer.action == "attack"]
    assert attack.label == "Attack Rhea (no power: the GM applies the damage)"
    assert attack.notes == "hits at 9 on 2d6"
    game.do("Gwen", "attack", character="Ogre", target="Rhea", dice=two_d6(6, 6))
    assert "no power: the GM applies the damage" in game.said("Ana")
    assert game.state.combatant("Rhea").pools["HP"].now == 20


def provoked(*powers: dict[str, object]) -> Game:
    game = duel(ogre={"abilities": powers})
    board(game, Rhea="C4", Ogre="C3")
    game.do("Ana", "move", using="Walk", to="C5 C6")
    return game


def test_ta_11_a_movement_past_a_foe_is_no_movement_of_the_foe_in_the_words_of_its_button() -> None:
    game = duel()  # without a board the mover names those they leave
    found = labels(game, "Rhea", "Ana", "move")
    assert found[:2] == ["Move", "Move, leaving Ogre"]
    assert not any("Move Ogre" in label for label in found)


def test_ta_11_the_only_power_is_implied_in_an_opportunity_attack() -> None:
    game = provoked(SWORD)
    assert labels(game, "Ogre", "Gwen", "opportunity") == ["Opportunity attack"]
    game.do("Gwen", "opportunity", character="Ogre", dice=two_d6(6, 6))
    assert "with Sword" in game.said()
    assert game.state.combatant("Rhea").pools["HP"].now == 16


def test_ta_11_of_several_powers_one_is_chosen_in_an_opportunity_attack() -> None:
    game = provoked(SWORD, ability("Club", damage="3"))
    assert labels(game, "Ogre", "Gwen", "opportunity") == ["Sword on Rhea", "Club on Rhea"]
    game.refused("Gwen", "opportunity", character="Ogre", rule="TA-11")


def test_ta_11_an_opportunity_attack_without_any_power_says_so() -> None:
    game = provoked()
    [only] = [
        each for each in whole_actions(game.table, "Ogre", game.seat("Gwen")) if each.offer.action == "opportunity"
    ]
    assert only.label == "Opportunity attack", "a button with three lines is read by nobody"
    assert only.notes.endswith(" · no power: the GM applies the damage")
    game.do("Gwen", "opportunity", character="Ogre", dice=two_d6(6, 6))
    assert "no power: the GM applies the damage" in game.said("Ana")


# Powers of one's own that have a default's name (TA-08)


def test_ta_08_a_shift_of_ones_own_provokes_nobody_unless_the_sheet_says_so() -> None:
    own = ability("Shift", phase="movement", distance="3")
    game = duel(rhea={"abilities": (own,)})
    board(game, Rhea="C4", Ogre="C3")
    game.do("Ana", "move", using="Shift", to="C5 C6 C7")
    assert game.state.questions == ()
    again = duel(rhea={"abilities": (ability("Shift", phase="movement", distance="3", provokes="yes"),)})
    board(again, Rhea="C4", Ogre="C3")
    again.do("Ana", "move", using="Shift", to="C5 C6")
    assert again.waits_for() == ("Ogre",)


def test_ta_08_a_power_of_ones_own_that_says_no_distance_keeps_the_defaults() -> None:
    game = duel(rhea={"abilities": (ability("Shift", phase="movement"), ability("Run", phase="movement"))})
    assert "From 1 to 1" in str(game.refused("Ana", "move", using="Shift", amount=2, rule="TA-08"))
    game.do("Ana", "move", using="Run", amount=10)


def test_ta_08_a_charge_of_ones_own_still_needs_its_line() -> None:
    game = duel(rhea={"abilities": (ability("Charge", phase="movement", distance="SPD+2"),)})
    board(game, Rhea="A1", Ogre="H1")
    game.refused("Ana", "move", using="Charge", to="A5", rule="TA-08")
    game.do("Ana", "move", using="Charge", to="G1")
    assert game.state.combatant("Rhea").cell == "G1"


def test_ta_08_a_run_of_ones_own_still_marks_its_runner() -> None:
    game = duel(rhea={"abilities": (ability("Run", phase="movement", distance="3 SPD"),)})
    game.do("Ana", "move", using="Run", amount=12)
    assert game.state.combatant("Rhea").has("Running")


def test_ta_16_a_disengage_of_ones_own_still_weakens_and_provokes_nobody() -> None:
    game = duel(rhea={"abilities": (ability("Disengage", phase="movement", distance="4"),)})
    board(game, Rhea="C4", Ogre="C3")
    game.do("Ana", "move", using="Disengage", to="C5 C6 C7")
    assert game.state.combatant("Rhea").cell == "C7"
    assert game.state.combatant("Rhea").has("Disengaged")


def test_ta_16_disengaging_on_a_board_asks_where_to() -> None:
    game = duel()
    board(game, Rhea="C4", Ogre="C3")
    skip_all(game)
    refusal = game.refused("Gwen", "disengage", character="Ogre")
    assert "C2" in str(refusal)
    game.do("Gwen", "disengage", character="Ogre", to="C3")
    assert "on the spot" in game.said()
    assert game.state.combatant("Ogre").has("Disengaged")


# Bounds (TA-08, TA-12)


@pytest.mark.parametrize(("key", "value"), [("SPD", "x"), ("TIER", "7"), ("SPD", "-1"), ("ATK", "soon")])
def test_what_joining_refuses_is_refused_in_mid_fight(key: str, value: str) -> None:
    game = duel()
    before = game.state.combatant("Rhea").fields[key]
    game.refused("Gwen", "gm set", target="Rhea", pool=key, value=value)
    assert game.state.combatant("Rhea").fields[key] == before


# Saves (TA-17)


@pytest.mark.parametrize(("save", "kept"), [("7", "2d6>=7"), ("7+", "2d6>=7"), ("ends", "2d6>=7"), ("save", "2d6>=7")])
def test_ta_17_the_words_of_a_save_are_taken_by_powers_and_by_the_gm(save: str, kept: str) -> None:
    game = duel(rhea={"abilities": (ability("Bolt", effect="Slowed", save=save),)})
    skip_all(game)
    game.do("Gwen", "pass", character="Ogre")
    game.do("Ana", "attack", target="Ogre", dice=[(6, 6), (6, 6), (6, 1), (6, 1), *two_d6(1, 1, 6, 6)])
    assert game.state.combatant("Ogre").conditions[0].save == kept
    game.do("Gwen", "condition add", target="Rhea", name="Dazed", save=save)
    assert game.state.combatant("Rhea").conditions[0].save == kept


def test_ta_17_sustains_is_taken_by_the_gm_too() -> None:
    game = duel()
    game.do("Gwen", "condition add", target="Rhea", name="Raging", save="sustains")
    assert game.state.combatant("Rhea").conditions[0].save == "2d6<=6"


def test_ta_17_a_save_that_is_said_without_more_ends_the_effect() -> None:
    from rules.core.sheets.abilities import parse_ability
    from rules.systems.tactics.abilities import read_effect

    effect = read_effect(parse_ability("Bolt", "kind power; effect Slowed; save; range 6"))
    assert effect is not None
    assert effect.save == "2d6>=7"


# Who is out


def test_one_who_is_out_is_waited_for_by_nobody() -> None:
    game = trio()
    skip_all(game)
    assert game.waits_for() == ("Ogre",)
    for name in ("Rhea", "Pip"):
        game.do("Gwen", "gm damage", target=name, amount="20")
    game.do("Gwen", "gm damage", target="Ogre", amount="20")
    assert game.waits_for() == ()
    assert "Ogre" not in game.state.over


def test_when_nobody_of_a_side_is_left_the_gm_reads_it_and_no_turn_is_asked() -> None:
    game = trio()
    skip_all(game)
    game.do("Gwen", "gm damage", target="Ogre", amount="20")
    assert game.waits_for() == ()
    assert "The fight is over" in game.said("Ana")
    assert "/encounter end" in game.said("Gwen")
    game.do("Gwen", "gm heal", target="Ogre", amount="1")
    assert "The fight goes on." in game.said("Ana")
    assert game.waits_for() != ()


# Movement


def test_ta_11_a_mover_moved_by_hand_leaves_no_question() -> None:
    game = provoked()
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "gm move", target="Rhea", to="H8")
    assert game.state.questions == ()
    assert game.state.movement is None
    assert game.state.combatant("Rhea").cell == "H8"


def test_g_06_a_cell_where_somebody_stands_is_taken_not_blocked() -> None:
    game = trio()
    board(game, Rhea="C4", Ogre="C5", Pip="D4")
    assert "C5 is taken." in str(game.refused("Ana", "move", using="Walk", to="C5", rule="G-06"))
    assert "D4 is taken." in str(game.refused("Ana", "move", using="Walk", to="D4", rule="G-06"))
    game.do("Gwen", "board terrain", cells="E4", kind="blocked")
    assert "E4 is blocked." in str(game.refused("Ana", "move", using="Walk", to="E4", rule="G-06"))


def test_g_06_what_is_in_reach_is_listed_from_the_goal_on() -> None:
    game = duel()
    board(game, size="20x20", Rhea="A1", Ogre="T20")
    refusal = game.refused("Ana", "move", using="Walk", to="J10", rule="TA-08")
    assert "F6" in str(refusal)
    assert "B1" not in str(refusal)


# Sources of advantage and disadvantage (TA-03)


def test_ta_03_one_who_attacks_names_sources_of_their_own() -> None:
    game = duel()
    skip_all(game)
    dice = [(6, 6), (6, 6), (6, 1)]
    game.do("Gwen", "attack", character="Ogre", target="Rhea", note="+flanking", dice=dice)
    assert "Advantage: flanking." in game.said("Ana")


def test_ta_03_sources_named_on_both_sides_cancel() -> None:
    game = duel()
    skip_all(game)
    note = "+flanking, +high ground, -cover"
    game.do("Gwen", "attack", character="Ogre", target="Rhea", note=note, dice=[(6, 6), (6, 6), (6, 1)])
    said = game.said("Ana")
    assert "Advantage: flanking, high ground." in said
    assert "Disadvantage: cover." in said


def test_ta_03_a_note_that_names_no_source_is_refused_with_what_works() -> None:
    game = duel()
    skip_all(game)
    refusal = game.refused("Gwen", "attack", character="Ogre", target="Rhea", note="from behind", rule="TA-03")
    assert "+flanking" in str(refusal)


def test_ta_03_the_table_may_leave_sources_to_the_gm() -> None:
    game = duel("sources=gm")
    skip_all(game)
    game.do("Gwen", "pass", character="Ogre")
    refusal = game.refused("Ana", "attack", target="Ogre", note="+flanking", rule="TA-03")
    assert "/gm set" in str(refusal)
    game.do("Gwen", "attack", character="Rhea", target="Ogre", note="+flanking")


@pytest.mark.parametrize(("value", "left"), [("high ground", False), ("high ground lasting", True)])
def test_ta_03_a_mark_of_the_gm_counts_once_unless_it_lasts(value: str, left: bool) -> None:
    game = duel()
    game.do("Gwen", "gm set", target="Ogre", pool="mark:advantage", value=value)
    skip_all(game)
    dice = [(6, 6), (6, 6), (6, 1)]
    game.do("Gwen", "attack", character="Ogre", target="Rhea", dice=dice)
    assert "Advantage: high ground." in game.said("Ana")
    assert ("advantage" in game.state.combatant("Ogre").marks) is left


def test_ta_03_advantage_is_a_mark_and_not_a_pool() -> None:
    game = duel()
    refusal = game.refused("Gwen", "gm set", target="Ogre", pool="advantage", value="high ground", rule="TA-03")
    assert "mark:advantage" in str(refusal)


def test_one_press_answers_for_all_who_have_one_power() -> None:
    game = trio()
    for number in (1, 2):
        add(game, f"Goblin {number}", abilities=(SWORD,))
    board(game, Rhea="D4", Pip="A9", Ogre="A1", **{"Goblin 1": "C3", "Goblin 2": "D3"})
    game.do("Ana", "move", using="Walk", to="E5 F6")
    game.do("Gwen", "opportunity", character="*", dice=two_d6(1, 1, 1, 1))
    assert game.state.questions == ()


def test_ta_14_the_prompt_has_act_now_for_the_one_who_delays_until_the_turn_is_begun() -> None:
    game = trio()
    skip_all(game)
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "delay", character="Ogre")
    assert system_of(game.state).offers_of_others(game.state) == ()  # straight after the delay
    game.do("Bo", "pass")
    assert [(each.who, each.action) for each in system_of(game.state).offers_of_others(game.state)] == [
        ("Ogre", "act-now")
    ]
    game.do("Gwen", "act-now", character="Ogre")
    assert system_of(game.state).offers_of_others(game.state) == ()
