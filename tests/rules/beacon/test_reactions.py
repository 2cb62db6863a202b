"""Reactions and their windows: BE-20 to BE-24."""

from __future__ import annotations

from typing import Any

from rules.core.command import Command
from rules.core.registry import system_of
from tests.rules.beacon.rounds import brawl, pools, scene, to_phase
from tests.rules.beacon.scene import BOW, SPEAR, add
from tests.rules.table import Game


def test_be_22_interposing_changes_the_target_before_the_roll() -> None:
    game = brawl()
    game.do("Gwen", "fight", character="Ogre", using="Spear", target="Rhea", dice=[])
    assert game.waits_for() == ("Pip",)
    game.refused("Bo", "react", rule="BE-22", using="interpose", to="C9")
    game.refused("Bo", "react", rule="BE-21", using="counterattack")  # who is attacked has it, and is hit first
    game.refused("Bo", "react", rule="BE-23", using="opportunity-attack")  # nobody leaves a space
    game.do("Bo", "react", using="interpose", to="C4", dice=[(20, 10), (6, 3)])
    assert game.state.combatant("Pip").cell == "C4"
    assert pools(game, "Pip")["HP"] == 16
    assert pools(game, "Pip")["FOCUS"] == 1
    assert pools(game, "Rhea")["HP"] == 20
    # One reaction a turn: Pip is hit and has none left.
    assert game.state.questions == ()
    game.refused("Bo", "react", rule="BE-20", using="counterattack")


def test_be_22_a_hidden_wall_ends_the_shift_of_an_interposition_before_it() -> None:
    game = brawl()
    hiding: dict[str, Any] = {"from": "C4/C5", "shape": "edge", "hidden": True}
    game.do("Gwen", "map draw", **hiding)
    game.do("Gwen", "fight", character="Ogre", using="Spear", target="Rhea", dice=[])
    game.do("Bo", "react", using="interpose", to="C4", dice=[(20, 10), (6, 3)])
    assert game.state.combatant("Pip").cell == "C5"
    assert game.state.board.edges == {"C4/C5": "wall"}
    assert pools(game, "Pip")["HP"] == 20


def test_be_22_somebody_who_stays_does_not_become_the_target_and_the_roll_is_interposed_once() -> None:
    game = brawl()
    add(game, "Cat", owner="Ana", abilities=())
    game.do("Gwen", "board place", target="Cat", cells="B3")
    game.do("Gwen", "fight", character="Ogre", using="Spear", target="Rhea", dice=[])
    assert game.waits_for() == ("Pip", "Cat")
    game.do("Bo", "react", using="interpose", note="stay", dice=[(20, 3)])
    assert game.state.questions == ()
    assert pools(game, "Rhea")["HP"] == 20


def test_be_21_a_counterattack_after_a_hit_costs_focus_and_comes_once_a_round() -> None:
    """Prove BE-21."""
    game = brawl(TURNS=2)
    game.do("Gwen", "fight", character="Ogre", using="Spear", target="Rhea", dice=[])
    game.do("Bo", "decline", dice=[(20, 10), (6, 3)])
    assert pools(game, "Rhea")["HP"] == 16
    assert game.waits_for() == ("Rhea",)
    game.do("Ana", "react", using="counterattack", dice=[(20, 12), (6, 2)])
    assert pools(game, "Rhea")["FOCUS"] == 1
    assert pools(game, "Ogre")["HP"] == 17
    game.do("Gwen", "end", character="Ogre")
    game.do("Gwen", "fight", character="Ogre", using="Spear", target="Rhea", dice=[])
    game.do("Bo", "decline", dice=[(20, 10), (6, 3)])
    assert game.waits_for() == ("Ogre",)  # once a round


def test_be_23_opportunity_attacks_come_before_the_first_space_is_left() -> None:
    """Prove BE-23."""
    game = brawl()
    game.do("Gwen", "move", character="Ogre", to="H3", dice=[])
    assert game.waits_for() == ("Rhea", "Pip")
    assert game.state.combatant("Ogre").cell == "E3"
    game.do("Bo", "react", using="opportunity-attack", dice=[(20, 12), (6, 2)])
    assert game.state.combatant("Ogre").cell == "E3"
    game.do("Ana", "decline")
    assert game.state.combatant("Ogre").cell == "H3"
    assert pools(game, "Ogre")["HP"] == 17
    assert pools(game, "Pip")["FOCUS"] == 2  # it asks for no FOCUS


def test_be_23_rush_can_free_a_movement_from_reactions() -> None:
    game = brawl()
    game.do("Gwen", "rush", character="Ogre", using="free")
    game.do("Gwen", "move", character="Ogre", to="H3", dice=[])
    assert game.state.combatant("Ogre").cell == "H3"
    assert game.state.questions == ()


def test_be_20_one_reaction_a_turn_and_an_npc_only_those_of_its_sheet() -> None:
    game = scene()
    to_phase(game, "brawl")
    game.do("Ana", "fight", using="Spear", target="Ogre", dice=[(20, 10), (6, 1)])
    assert game.state.questions == ()  # the Ogre's sheet lists no reaction
    game.refused("Ana", "decline", rule="BE-24")


def test_be_20_the_limits_of_an_elite_start_anew_at_each_of_its_turns() -> None:
    game = brawl(REACTIONS="Opportunity Attack", TURNS=2)
    game.do("Gwen", "end", character="Ogre")
    game.do("Ana", "plan", note="brawl")
    game.do("Gwen", "gm turn", target="Rhea")
    game.do("Ana", "move", to="B2")
    game.do("Gwen", "react", character="Ogre", using="opportunity-attack", dice=[])
    game.do("Bo", "decline", dice=[(20, 2)])
    assert game.state.reactions == {"Ogre": ("opportunity-attack",)}
    game.do("Ana", "end")
    game.do("Gwen", "begin", character="Ogre")
    assert "Ogre" not in game.state.reactions


def test_be_20_an_own_reaction_answers_its_trigger() -> None:
    game = brawl()
    game.do("Gwen", "fight", character="Ogre", using="Spear", target="Pip", dice=[])
    game.do("Ana", "decline", dice=[(20, 10), (6, 3)])
    assert game.waits_for() == ("Pip",)
    game.do("Bo", "react", using="Riposte", dice=[(4, 3)])
    assert pools(game, "Ogre")["HP"] == 18
    assert pools(game, "Pip")["FOCUS"] == 1


def test_be_24_a_window_closes_with_the_last_answer_and_blocks_what_is_ordinary() -> None:
    game = brawl()
    game.do("Gwen", "move", character="Ogre", to="H3")
    game.refused("Gwen", "fight", rule="BE-24", character="Ogre", target="Rhea")
    assert "react" in game.legal("Rhea")
    assert "decline" in game.legal("Pip")
    game.do("Gwen", "gm answer", target="Pip", choice="decline")
    game.do("Ana", "decline")
    assert game.waits_for() == ("Ogre",)


def test_be_24_the_gm_can_let_a_window_pass_and_a_removed_mover_closes_it() -> None:
    game = brawl()
    game.do("Gwen", "move", character="Ogre", to="H3")
    game.do("Gwen", "gm skip", target="Rhea")
    assert game.waits_for() == ("Rhea", "Pip")  # nobody learns who has answered
    game.do("Gwen", "gm remove", target="Ogre")
    assert game.state.questions == ()
    assert game.state.stack == ()


def test_a_whole_round_of_three_beacons_and_two_npcs_with_two_windows() -> None:
    game = Game("beacon", people=("Gwen", "Ana", "Bo", "Cai"))
    add(game, "Rhea", owner="Ana", abilities=(BOW, SPEAR))
    add(game, "Pip", owner="Bo", abilities=(SPEAR,))
    add(game, "Cat", owner="Cai", abilities=())
    add(game, "Ogre", abilities=(SPEAR,), INITIATIVE=5, TURNS=2)
    add(game, "Imp", INITIATIVE=1)
    game.do("Gwen", "encounter begin")
    for name in ("Ana", "Bo"):
        game.do(name, "plan", note="brawl")
    game.do("Cai", "refresh", using="mp, reload")
    game.do("Cai", "end")
    game.do("Gwen", "end", character="Imp")
    assert game.state.phase == "brawl"
    game.do("Ana", "fight", using="Spear", target="Ogre", dice=[(20, 9), (6, 1)])
    game.do("Ana", "end")
    # A window before the roll, then one after it.
    game.do("Gwen", "fight", character="Ogre", using="Spear", target="Rhea", dice=[])
    assert game.waits_for() == ("Pip", "Cat")
    game.do("Bo", "decline", dice=[])
    game.do("Cai", "decline", dice=[(20, 9), (6, 2)])
    assert game.waits_for() == ("Rhea",)
    game.do("Ana", "react", using="counterattack", dice=[(20, 2)])
    game.do("Gwen", "end", character="Ogre")
    game.do("Bo", "begin")
    game.do("Bo", "end")
    game.do("Gwen", "end", character="Ogre")
    assert (game.state.round, game.state.phase) == (2, "bolster")


def test_what_two_people_answer_in_one_window_needs_no_order_among_them() -> None:
    for first, second in (("Ana", "Bo"), ("Bo", "Ana")):
        game = brawl()
        game.do("Gwen", "move", character="Ogre", to="H3", dice=[])
        game.do(first, "react", using="opportunity-attack", dice=[(20, 1)])
        game.do(second, "react", using="opportunity-attack", dice=[(20, 1)])
        assert game.state.combatant("Ogre").cell == "H3"
        assert game.state.stack == ()


def test_somebody_who_answers_a_reminder_mildly_lets_it_pass() -> None:
    game = brawl()
    system = system_of(game.state)
    game.do("Gwen", "move", character="Ogre", to="H3")
    assert system.timeout_action(game.state, "Rhea") == Command(action="decline", character="Rhea")
    lines = system.prompt_lines(game.state, game.seat("Ana"))
    assert "[BRAWL] (Ogre)" in lines[0]
    assert "DELAY (Rhea, Pip)" in lines[0]


def test_somebody_hidden_asks_nobody_anything() -> None:
    game = scene()
    game.do("Gwen", "gm add", name="Ghost", sheet="HP 9, SPEED 4, INITIATIVE 2", hidden=True)
    for name in ("Ana", "Bo"):
        game.do(name, "plan", note="delay")
    game.do("Gwen", "move", character="Ghost", amount=2)
    assert game.state.questions == ()
    assert game.said("Ana") == ""
    game.refused("Gwen", "fight", character="Ghost", target="Rhea")
