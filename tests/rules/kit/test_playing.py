"""Encounters that are played by a kit: who acts, what it costs, what it changes, and what refuses."""

from __future__ import annotations

import pytest

from rules.core.reach.goals import goals_of
from rules.core.registry import every_system, system_of, systems
from rules.core.values import Seat
from rules.core.views.export import export_view
from rules.core.views.view import view_of
from rules.core.views.whole import whole_actions
from rules.kits.words import WAYS
from rules.systems.kit.ways import HANDING
from tests.rules.kit.tables import LIST, NAMED, PHASES, KitGame, begun, seated
from tests.rules.table import Game, play_randomly

ON_A_BOARD = 0  # the seed of those who stand on one
PLAYED = tuple(every_system()["kit"].starts())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "kit", [*PLAYED, LIST, NAMED, PHASES], ids=lambda kit: kit if len(kit) < 30 else kit.split('"')[1]
)
def test_random_play_of_a_kit_breaks_no_invariant(kit: str, seed: int) -> None:
    game = seated(Game(kit) if len(kit) < 30 else KitGame(kit), "Ogre", "Rat")
    if seed == ON_A_BOARD:
        game.do("Gwen", "board size", size="9x9")
        game.do("Gwen", "board terrain", cells="C3:C5", kind="solid")
        game.do("Gwen", "board place", target="Ayla, Bran, Ogre, Rat", cells="B2, B5, G2, G5")
    game.do("Gwen", "encounter begin")
    play_randomly(game, seed=seed, steps=25)


def test_what_is_said_to_be_played_is_what_is_played() -> None:
    assert set(HANDING) == set(WAYS)


def test_the_kit_is_no_system_that_is_started_by_its_own_name() -> None:
    assert "kit" not in systems()
    assert {"fast-slow", "zipper", "spotlight", "side-phases"} <= set(PLAYED)
    assert system_of(Game("fast-slow").state).title == "Fast and slow"


# One after the other (KI-01, KI-03, KI-06, KI-10)


def test_ki_01_the_highest_acts_first_and_those_who_are_equal_roll_off() -> None:
    game = seated(KitGame(LIST), "Ogre", DEX=1)
    game.do("Gwen", "encounter begin", dice=[(20, 9), (20, 9), (20, 15), (20, 4), (20, 11)])
    assert system_of(game.state).turn_order(game.state) == ("Ogre", "Bran", "Ayla")
    assert game.waits_for() == ("Ogre",)
    refused = game.refused("Ana", "attack", target="Ogre")
    assert (refused.rule, refused.reason) == ("KI-01", "It is not Ayla's turn.")


def test_ki_03_an_action_that_is_spent_is_refused_with_the_kit_s_own_rule() -> None:
    game = begun(KitGame(LIST), "Ogre", DEX=30)
    who = game.waits_for()[0]
    by = "Ana" if who == "Ayla" else "Bo"
    game.do(by, "attack", target="Ogre", dice=[(20, 2)])
    assert f"{who}, hit: 1d20 (2) + 3 = 5 against 12, failure." in game.said().replace("**", "").replace("`", "")
    refused = game.refused(by, "attack", target="Ogre")
    assert refused.rule == "PO-01"
    assert refused.instead == "Left: walk, shout. One action each turn."
    game.do(by, "walk", amount=4)
    game.refused(by, "walk", amount=5, rule="KI-03")
    game.do(by, "walk", amount=2)
    game.refused(by, "walk", amount=1, rule="KI-02")
    assert game.waits_for() != (who,), "nothing is left but to end the turn, which the program does"


def test_what_somebody_does_is_told_before_what_it_costs_and_changes() -> None:
    game = begun(KitGame(LIST), "Ogre", DEX=30)
    (who,) = game.waits_for()
    game.do("Ana" if who == "Ayla" else "Bo", "attack", target="Ogre", dice=[(20, 19), (6, 3)])
    told = game.said().replace("**", "").splitlines()
    order = (f"{who}: Attack → Ogre.", f"{who}: ACT 1 → 0.", f"{who}, hit:", "Ogre: HP 10 → 7")
    at = [next(number for number, line in enumerate(told) if line.startswith(start)) for start in order]
    assert at == sorted(at)


def test_degrees_mean_success_or_failure() -> None:
    game = begun(KitGame(LIST), "Ogre", DEX=30)
    who = game.waits_for()[0]
    by = "Ana" if who == "Ayla" else "Bo"
    game.do(by, "attack", target="Ogre", dice=[(20, 20)])
    assert game.state.combatant("Ogre").pools["HP"].now == 0
    assert game.state.over == "Nobody of GM is left."


def test_ki_06_somebody_who_is_stunned_has_no_turn_and_it_ends_with_the_round() -> None:
    game = begun(KitGame(LIST), "Ogre", "Rat", DEX=30)
    who = game.waits_for()[0]
    by = "Ana" if who == "Ayla" else "Bo"
    game.do(by, "daze", target="Ogre")
    assert game.state.combatant("Ogre").has("Stunned")
    game.do(by, "end")
    game.do("Gwen", "gm skip", target=game.waits_for()[0])
    assert game.waits_for() == ("Rat",)
    game.do("Gwen", "end", character="Rat")
    assert game.state.round == 2
    assert not game.state.combatant("Ogre").has("Stunned")


def test_ki_09_the_gm_is_asked_what_only_the_gm_decides() -> None:
    game = begun(KitGame(LIST), "Ogre", DEX=30)
    game.do("Bo" if game.waits_for() == ("Ayla",) else "Ana", "shout")  # also out of turn
    assert game.waits_for() == ("the GM",)
    game.do("Gwen", "done")
    assert "the GM" not in game.waits_for()
    game.refused("Gwen", "done", character="Ogre", rule="KI-09")


def test_ki_02_somebody_who_holds_comes_back_after_anybody_s_turn() -> None:
    game = begun(KitGame(LIST), "Ogre", DEX=30)
    first, second = game.waits_for()[0], None
    by = {"Ayla": "Ana", "Bran": "Bo"}
    game.do(by[first], "hold")
    second = game.waits_for()[0]
    game.do(by[second], "end")
    game.do(by[first], "back")
    assert game.waits_for() == (first,)
    game.do(by[first], "end")
    assert game.waits_for() == ("Ogre",)


def test_ki_04_what_an_action_needs_must_be_so() -> None:
    game = begun(KitGame(LIST), "Ogre", DEX=30)
    by, who = ("Ana", "Ayla") if game.waits_for() == ("Ayla",) else ("Bo", "Bran")
    refused = game.refused(by, "rise")
    assert refused.rule == "KI-04"
    assert who in refused.reason
    assert "prone" in refused.reason
    game.do("Gwen", "condition add", target=who, name="Prone")
    assert game.refused(by, "walk", amount=2).rule == "KI-06"
    game.do(by, "rise")
    assert not game.state.combatant(who).has("Prone")


def test_ki_05_a_target_must_be_of_the_kind_in_range_and_not_out() -> None:
    game = begun(KitGame(LIST), "Ogre", "Rat", DEX=30)
    by, other = ("Ana", "Bran") if game.waits_for() == ("Ayla",) else ("Bo", "Ayla")
    refused = game.refused(by, "daze", target=other)
    assert (refused.rule, refused.instead) == ("KI-05", "Possible: Ogre, Rat.")
    game.do("Gwen", "gm set", target="Rat", pool="HP", value="0")
    assert game.refused(by, "daze", target="Rat").rule == "KI-05"
    game.do("Gwen", "board size", size="10x10")
    game.do("Gwen", "board place", target=game.waits_for()[0], cells="A1")
    game.do("Gwen", "board place", target="Ogre", cells="E5")
    assert "attack" not in game.legal(game.waits_for()[0]), "nobody is within one cell"


def test_ki_10_what_is_done_once_a_fight_is_done_once() -> None:
    game = begun(KitGame(LIST), "Ogre", DEX=30)
    by = "Ana" if game.waits_for() == ("Ayla",) else "Bo"
    game.do(by, "shout")
    game.do("Gwen", "done")
    refused = game.refused(by, "shout")
    assert refused.rule == "KI-10"
    assert "shout" in refused.reason


# Over a board (maps 5, 6)


def _on_board(text: str) -> tuple[Game, str, str]:
    """Begin a fight on ten by ten cells; return who is to act, and their player. They are on A1."""
    game = begun(KitGame(text), "Ogre", DEX=30)
    who = game.waits_for()[0]
    game.do("Gwen", "board size", size="10x10")
    game.do("Gwen", "board place", target=who, cells="A1")
    game.do("Gwen", "board place", target="Ogre", cells="J10")
    return game, who, "Ana" if who == "Ayla" else "Bo"


def _stands(game: Game, who: str) -> tuple[str | None, int]:
    """Return somebody's cell, and the MOVE that is left."""
    own = game.state.combatant(who)
    return own.cell, own.pools["MOVE"].now


def _ways(game: Game, who: str, action: str) -> int:
    """Return how far an action leads now."""
    return max((goal.cost for goal in goals_of(game.state, who, action) if goal.movement.action == action), default=0)


def test_ki_03_a_way_over_the_board_costs_as_much_as_it_needs() -> None:
    game, who, by = _on_board(LIST)
    assert _ways(game, who, "walk") == 6
    game.do("Gwen", "board terrain", cells="B2", kind="difficult")
    game.do(by, "walk", to="B2")
    assert _stands(game, who) == ("B2", 4)
    game.do(by, "walk", to="C2 D2")
    assert (_stands(game, who), _ways(game, who, "walk")) == (("D2", 2), 2)
    refused = game.refused(by, "walk", to="G2", rule="KI-05")
    assert {"G2", "3", "2."} <= set(refused.reason.split())
    game.do(by, "walk", to="E2", amount=2)
    assert _stands(game, who) == ("E2", 0), "more than it needs was said"


def test_ki_05_an_action_that_moves_over_the_board_says_where_to() -> None:
    game, who, by = _on_board(LIST)
    refused = game.refused(by, "walk", amount=3, rule="KI-05")
    assert "cell or path" in refused.reason
    assert _stands(game, who) == ("A1", 6)
    game.do("Gwen", "board clear")
    game.do(by, "walk", amount=3)
    assert f"{who} moves up to 3." in game.lines()


def test_g_06_a_kit_whose_action_moves_has_a_movement_of_its_own() -> None:
    game, _, by = _on_board(LIST)
    refused = game.refused(by, "board move", to="B2", rule="G-06")
    assert "/act action:walk" in str(refused.instead)
    game, who, by = _on_board(LIST.replace('do = ["self moves {amount}"]', 'do = ["self moves 1d6"]'))
    game.do(by, "board move", to="B2")
    assert game.state.combatant(who).cell == "B2", "dice say how far the kit's action leads: nothing is known before"


def test_two_actions_that_move_lead_as_far_as_each_does() -> None:
    game, who, by = _on_board(LIST.replace("[action]\n", '[action]\ndash = { ends = true, do = ["self moves 9"] }\n'))
    assert (_ways(game, who, "walk"), _ways(game, who, "dash")) == (6, 9)
    labels = {goal.cost: goal.movement.label for goal in goals_of(game.state, who)}
    assert labels[9] == "Dash"
    game.do(by, "dash", to="J1")
    assert game.state.combatant(who).cell == "J1"
    assert game.waits_for() != (who,)


def test_what_is_drawn_of_a_turn_s_way_hangs_on_nothing_that_is_not_shown() -> None:
    game, who, _ = _on_board(LIST)
    assert system_of(game.state).reach_cells(game.state, who) == (), "MOVE is not shown"
    game, who, by = _on_board(LIST.replace('shown = "no"', 'shown = "bar"'))
    (drawn,) = system_of(game.state).reach_cells(game.state, who)
    assert (drawn.label, len(drawn.cells)) == ("Walk 6", 48)
    game.do(by, "walk", to="G1")
    assert system_of(game.state).reach_cells(game.state, who) == ()
    assert system_of(game.state).reach_cells(game.state, "Ogre") == (), "it is not the Ogre's turn"


def test_ki_08_a_planned_way_need_not_be_said_before_it_is_gone() -> None:
    game = begun(Game("said-first"), "Ogre")
    game.do("Gwen", "board size", size="10x10")
    game.do("Gwen", "board place", target="Ayla", cells="A1")
    game.do("Ana", "run")
    game.do("Ana", "unplan")
    game.do("Ana", "run", to="J1")
    assert game.state.combatant("Ayla").cell == "A1"


# Side after side, with a turn that phases share


def test_ki_07_a_turn_is_had_in_one_of_the_phases_that_share_it() -> None:
    game = begun(Game("fast-slow"), "Ogre")
    assert game.state.phase == "fast, players"
    assert set(game.waits_for()) == {"Ayla", "Bran"}
    game.do("Ana", "attack", target="Ogre", dice=[(20, 1)])
    assert game.refused("Ana", "attack", target="Ogre").rule == "FS-01"
    game.do("Bo", "wait")
    assert game.state.phase == "fast, gm"
    game.do("Gwen", "pass", character="Ogre")
    assert game.state.phase == "slow, players"
    assert game.waits_for() == ("Bran",)
    refused = game.refused("Ana", "move")
    assert refused.reason == "Ayla has already had this round's turn in fast, players."
    assert game.state.combatant("Bran").pools["BEAT"].now in (0, 2)
    game.do("Bo", "attack", target="Ogre", dice=[(20, 1)])
    refused = game.refused("Bo", "attack", target="Ogre")
    assert refused.rule == "FS-02"
    assert refused.instead == "Left: move. In a fast turn you do one thing, in a slow turn two different ones."
    game.do("Bo", "move")
    assert game.state.round == 2


def test_a_side_goes_through_all_phases_before_the_other_does() -> None:
    game = seated(Game("side-phases"), "Ogre")
    game.do("Gwen", "gm set", target="Ayla, Bran", pool="side", value="Party")
    game.do("Gwen", "gm set", target="Ogre", pool="side", value="Foes")
    game.do("Gwen", "encounter begin", dice=[(6, 5), (6, 2)])
    phases = []
    for _ in range(12):
        state = game.state
        if state.round > 1:
            break
        phases.append((state.phase, state.side))
        who = game.waits_for()[0]
        game.do("Gwen", "gm skip", target=who)
    assert phases[0] == ("move", "Party"), "nobody has spells to declare: that phase is passed over"
    assert [side for _, side in phases] == sorted((side for _, side in phases), reverse=True)


def test_ki_07_a_phase_says_which_actions_it_allows() -> None:
    game = begun(KitGame(PHASES), "Ogre")
    assert game.state.phase == "move"
    refused = game.refused("Ana", "hit", target="Ogre", rule="KI-07")
    assert refused.instead == "Here: Walk."
    game.refused("Ana", "end", character="Ogre", rule="G-03")
    for by in ("Ana", "Bo"):
        game.do(by, "walk")
    game.do("Gwen", "walk", character="Ogre")
    assert game.state.phase == "fight"


# Sides in turn, naming, freely


def test_sides_take_turns_and_momentum_keeps_the_lead_once() -> None:
    game = begun(Game("zipper"), "Ogre")
    assert set(game.waits_for()) == {"Ayla", "Bran"}
    game.do("Ana", "claim")
    assert game.waits_for() == ("Ayla",)
    assert game.refused("Ana", "keep").rule == "ZI-01"
    game.do("Gwen", "gm set", target="Players", pool="MOMENTUM", value="4")
    game.do("Ana", "keep")
    assert game.state.side_pools["Players"]["MOMENTUM"].now == 2
    assert game.waits_for() == ("Bran",)
    assert game.refused("Bo", "keep").rule == "ZI-01"
    game.do("Bo", "end")
    assert game.waits_for() == ("Ogre",)


def test_one_who_acted_names_the_next_one() -> None:
    game = begun(KitGame(NAMED), "Ogre")
    game.do("Ana", "poke", target="Ogre")
    game.do("Ana", "end", target="Ogre")
    assert game.waits_for() == ("Ogre",)
    assert game.refused("Gwen", "end", target="Ayla", character="Ogre").rule == "HO-01"
    game.do("Gwen", "end", target="Bran", character="Ogre")
    game.do("Bo", "end", target="Ogre")
    assert (game.state.round, game.waits_for()) == (2, ("Ogre",))


def test_a_failure_calls_the_gm_and_fear_does_too() -> None:
    game = begun(Game("spotlight"), "Ogre")
    assert set(game.waits_for()) == {"Ayla", "Bran"}
    assert game.refused("Gwen", "strike", target="Ayla", character="Ogre").rule == "SP-01"
    game.do("Ana", "strike", target="Ogre", dice=[(12, 1), (12, 1)])
    assert game.state.table_pools["FEAR"].now == 1
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "strike", target="Ayla", character="Ogre", dice=[(12, 12), (12, 12)])
    assert set(game.waits_for()) == {"Ayla", "Bran"}
    game.do("Gwen", "call", character="Ogre")
    assert game.state.table_pools["FEAR"].now == 0
    assert game.waits_for() == ("Ogre",)


# What a kit is kept by


def test_the_encounter_holds_its_own_file_and_the_export_gives_it() -> None:
    game = begun(KitGame(LIST), "Ogre")
    kit = export_view(game.table, Seat())["kit"]
    assert (kit["id"], kit["version"], len(kit["digest"])) == ("plain-order", "1", 64)
    assert kit["file"]["action"]["attack"]["rule"] == "PO-01"
    assert system_of(game.state).own_rules[0].text == "One action each turn."


def test_a_pool_that_is_not_shown_is_its_owner_s_and_the_gm_s() -> None:
    game = begun(KitGame(LIST), "Ogre")
    seen = {seat.user: view_of(game.table, seat) for seat in (game.seat("Ana"), game.seat("Bo"), game.seat("Gwen"))}
    shows = {user: "MOVE" in view.combatants["Ayla"].pools for user, view in seen.items() if view is not None}
    assert shows == {game.users["Ana"]: True, game.users["Bo"]: False, game.users["Gwen"]: True}


def test_the_gm_s_rulings_work_in_a_kit() -> None:
    game = begun(KitGame(LIST), "Ogre", DEX=30)
    game.do("Gwen", "gm turn", target="Ogre")
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "gm next-phase")
    assert game.state.round == 2
    game.do("Gwen", "gm order", names="Ogre, Ayla, Bran")
    assert system_of(game.state).turn_order(game.state)[0] == "Ogre"
    game.do("Gwen", "gm set", target="Bran", pool="initiative", value="99")
    assert system_of(game.state).turn_order(game.state)[0] == "Bran"


def test_the_menu_has_a_hint_beside_its_action() -> None:
    text = LIST.replace("[action.attack]\n", '[action.attack]\nhint = "Hit it hard"\n')
    game = begun(KitGame(text), "Ogre", DEX=30)
    who = game.waits_for()[0]
    menu = whole_actions(game.table, who, game.seat("Ana" if who == "Ayla" else "Bo"))
    notes = [each.notes for each in menu if each.offer.action == "attack"]
    assert notes
    assert all("Hit it hard" in each for each in notes)


def test_the_export_has_the_pools_of_the_table_and_of_the_sides_with_their_values() -> None:
    text = LIST.replace("[pool]\n", '[pool]\nHEAT = { of = "table", start = 1, most = 4 }\nFURY = { of = "side" }\n')
    game = begun(KitGame(text), "Ogre")
    game.do("Gwen", "gm set", target="table", pool="HEAT", value="3")
    game.do("Gwen", "gm set", target="Players", pool="FURY", value="2")
    found = export_view(game.table, Seat())
    assert found["pools"] == {
        "table": {"HEAT": [3, 4]},
        "sides": {"Players": {"FURY": [2, None]}, "GM": {"FURY": [0, None]}},
    }


def test_a_kit_that_is_bound_to_no_file_has_the_program_s_own_actions_alone() -> None:
    own = {"end", "hold", "back", "swap", "accept", "claim", "keep", "wait", "pass", "call", "unplan"}
    assert set(every_system()["kit"].actions.by_id) == own | {"decline", "done"}


SPENDING = """kit = 1
id = "spending"
order = { key = "{DEX}" }
sheet = { DEX = 0 }
[pool]
HP = { start = 9, out = true }
MOVE = { start = 6, refill = "turn" }
[action]
wade = { cost = "{amount}*2 MOVE", amount = "1-6" }
leap = { cost = "{amount} MOVE", amount = "4-9" }
shove = { cost = "{target.DEX} MOVE", target = "foe" }
"""


def test_what_is_said_or_aimed_at_may_not_cost_more_than_there_is() -> None:
    game = begun(KitGame(SPENDING), "Ogre", DEX=5)
    game.do("Gwen", "gm set", target="Ogre", pool="DEX", value="7")
    offers = {each.action: each for each in system_of(game.state).offers(game.state, "Ayla")}
    assert offers["wade"].params[0].most == 3
    assert offers["leap"].params[0].most == 6
    game.refused("Ana", "wade", amount=4, rule="KI-03")
    assert game.refused("Ana", "shove", target="Ogre", rule="KI-03").reason == "Ayla has 6 MOVE, and shove costs 7."
    game.do("Ana", "wade", amount=2)
    assert game.refused("Ana", "leap", amount=4, rule="KI-03").reason == "Ayla has 2 MOVE, and leap costs 4."
    assert game.state.combatant("Ayla").pools["MOVE"].now == 2
