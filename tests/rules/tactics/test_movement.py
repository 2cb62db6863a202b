"""Movement powers, terrain, Slowed, opportunity attacks. Rule: TA-08, TA-09, TA-10, TA-11, G-06."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.registry import system_of
from tests.rules.table import Game
from tests.rules.tactics.scene import ability, add, board, duel, sheet, skip_all, trio


def cell(game: Game, name: str) -> str | None:
    return None if (found := game.state.combatant(name).cell) is None else str(found)


@pytest.mark.parametrize(
    ("power", "squares"), [("Shift", 1), ("Walk", 5), ("Hustle", 7), ("Run", 10), ("Charge", 5), ("Disengage", 2)]
)
def test_ta_08_each_power_covers_its_squares_and_no_more(power: str, squares: int) -> None:
    game = duel()
    refusal = game.refused("Ana", "move", rule="TA-08", using=power, amount=squares + 1)
    assert str(squares) in str(refusal)
    game.do("Ana", "move", using=power, amount=squares, dice=[])
    assert game.waits_for() == ("Ogre",)


def test_ta_08_each_figure_is_an_option() -> None:
    game = duel("shift=2, hustle=2, run=3, charge=1.5, disengage=3")
    for power, squares in (("Shift", 2), ("Hustle", 10), ("Run", 15), ("Charge", 7), ("Disengage", 3)):
        game.refused("Ana", "move", rule="TA-08", using=power, amount=squares + 1)
    game.do("Ana", "move", using="Run", amount=15)


def test_ta_08_a_sheet_may_add_powers_and_replace_default_ones() -> None:
    powers = (
        ability("Tumble", phase="movement", distance="SPD+1", provokes="no"),
        ability("Walk", phase="movement", distance="2"),
    )
    game = duel(rhea={"abilities": powers})
    board(game, Rhea="C4", Ogre="D4")
    game.refused("Ana", "move", rule="TA-08", using="Walk", to="F8")
    game.do("Ana", "move", using="Tumble", to="I4")
    assert (cell(game, "Rhea"), game.waits_for()) == ("I4", ("Ogre",))


def test_ta_08_somebody_who_runs_is_attacked_with_advantage_until_the_end_of_the_round() -> None:
    game = duel()
    game.do("Ana", "move", using="Run", amount=10)
    game.do("Gwen", "skip")
    game.do("Gwen", "attack", target="Rhea", dice=[(6, 1), (6, 1), (6, 1)])
    assert "Advantage: Rhea runs." in game.said()
    game.do("Ana", "pass")
    assert not game.state.combatant("Rhea").has("Running")


def test_ta_08_the_prompt_is_narrowed_to_the_cells_of_the_power_that_is_named() -> None:
    game = duel()
    board(game, Rhea="A1", Ogre="J10")
    system = system_of(game.state)
    for power, count in (("Shift", 3), ("Walk", 35), ("Hustle", 63)):
        params = system.actions.params_given(game.state, "Rhea", game.command("move", using=power))
        assert len(params[1].choices or ()) == count


@pytest.mark.parametrize(
    ("to", "end"),
    [
        ("G4", "G4"),
        ("D4 E4 F4 G4", "G4"),
        ("E7", None),
        ("D5 E4 F4 G4", None),
        ("G3", "G3"),
        ("E4", None),
        ("I4", None),
    ],
)
def test_ta_08_a_charge_goes_in_a_line_toward_a_foe_and_ends_beside_them(to: str, end: str | None) -> None:
    game = duel()
    board(game, "12x10", Rhea="C4", Ogre="H4")
    if end is None:
        game.refused("Ana", "move", rule="TA-08", using="Charge", to=to)
    else:
        game.do("Ana", "move", using="Charge", to=to)
        assert cell(game, "Rhea") == end


def test_ta_08_a_charge_that_difficult_terrain_makes_too_dear_is_refused_with_ta_09() -> None:
    game = duel()
    board(game, "12x10", Rhea="C4", Ogre="H4")
    game.do("Gwen", "board terrain", cells="E1:F10", kind="difficult")
    game.refused("Ana", "move", rule="TA-09", using="Charge", to="G4")


def test_ta_09_difficult_terrain_costs_two_squares_for_each() -> None:
    game = duel()
    board(game, Rhea="A1", Ogre="J10")
    game.do("Gwen", "board terrain", cells="B1:C10", kind="difficult")
    refusal = game.refused("Ana", "move", rule="TA-09", using="Walk", to="E1")
    assert "6 squares" in str(refusal)
    game.refused("Ana", "move", rule="TA-08", using="Walk", to="H1")
    game.refused("Ana", "move", rule="TA-09", using="Walk", to="B1 C1 D1 E1")
    game.refused("Ana", "move", rule="TA-08", using="Walk", to="B1 C1 D1 E1 F1 G1")
    game.do("Ana", "move", using="Walk", to="D1")
    assert "A1 → B1 → C1 → D1 (5 of 5)" in game.said()


def test_g_06_what_bars_the_way_is_refused_with_what_is_possible() -> None:
    game = duel()
    board(game, Rhea="C4", Ogre="E4")
    game.do("Gwen", "board terrain", cells="B1:B10", kind="blocked")
    for to in ("Z99", "B4", "E4", "A4", "B4 A4", "E5", "C4"):
        if to == "E5":
            continue
        refusal = game.refused("Ana", "move", rule="G-06", using="Walk", to=to)
        assert refusal.instead, to
    game.refused("Ana", "move", rule="G-06", using="Walk", to="E6 F7")
    game.refused("Ana", "move", rule="G-06", using="Walk", to="D4 E4 F4")
    game.refused("Ana", "move", rule="G-06", using="Walk", to="D4", amount=1)
    assert "TA-08" in str(game.refused("Ana", "move", using="Walk", to="J10"))


def test_g_06_without_a_board_a_cell_is_refused_and_the_squares_are_counted() -> None:
    game = duel()
    game.refused("Ana", "move", rule="G-06", using="Walk", to="C4")
    game.do("Ana", "move", using="Walk", amount=3, dice=[])
    assert "Rhea, Walk: 3 of 5 squares." in game.lines()


def test_g_06_one_passes_through_allies_and_not_through_foes() -> None:
    game = trio()
    board(game, "7x1", Rhea="B1", Pip="C1", Ogre="G1")
    game.refused("Ana", "move", rule="G-06", using="Walk", to="C1")
    game.do("Ana", "move", using="Walk", to="E1")
    game = trio()
    board(game, "7x1", Rhea="B1", Pip="G1", Ogre="C1")
    game.refused("Ana", "move", rule="G-06", using="Walk", to="E1")


def test_ta_10_slowed_in_their_own_movement_nobody_moves() -> None:
    game = duel()
    game.do("Gwen", "condition add", target="Rhea", name="Slowed")
    game.refused("Ana", "move", rule="TA-10", using="Walk", amount=1)
    assert game.legal("Rhea") == ("skip",)


def test_ta_10_one_who_is_slowed_before_their_movement_is_asked_for_none() -> None:
    game = duel()
    game.do("Gwen", "condition add", target="Ogre", name="Slowed")
    game.do("Ana", "skip")
    assert "Ogre stays where they are: nothing else is left to do." in game.lines("Ana")
    assert (game.state.phase, game.waits_for()) == ("battle", ("Ogre",))


def test_ta_10_one_who_was_asked_for_none_is_told_why() -> None:
    game = trio()
    game.do("Gwen", "condition add", target="Pip", name="Slowed")
    game.do("Ana", "skip")
    assert game.waits_for() == ("Ogre",)
    game.refused("Gwen", "move", rule="TA-10", character="Pip", amount=1)


def test_ta_10_with_auto_off_the_slowed_skip_by_hand() -> None:
    game = duel("auto=off")
    game.do("Gwen", "condition add", target="Ogre", name="Slowed")
    game.do("Ana", "skip")
    assert (game.state.phase, game.waits_for(), game.legal("Ogre")) == ("movement", ("Ogre",), ("skip",))


def _beside(**given: Any) -> Game:
    game = duel(**given)
    board(game, Rhea="D4", Ogre="E4")
    return game


def test_ta_10_slowed_while_the_question_is_open_ends_the_movement_after_the_answer() -> None:
    game = _beside()
    game.do("Ana", "move", using="Walk", to="A4")
    game.do("Gwen", "condition add", target="Rhea", name="Slowed")
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "let-go")
    assert cell(game, "Rhea") == "D4"
    assert "Slowed" in game.said()
    assert game.waits_for() == ("Ogre",)
    assert game.state.done == ("Rhea",)


def test_ta_10_an_opportunity_attack_that_slows_ends_the_movement() -> None:
    game = _beside(ogre={"abilities": (ability("Trip", effect="Slowed", save="ends"),)})
    game.do("Ana", "move", using="Walk", to="A4")
    game.do("Gwen", "opportunity", using="Trip", dice=[(6, 6), (6, 6)])
    assert cell(game, "Rhea") == "D4"
    assert game.state.combatant("Rhea").conditions[0].save == "2d6>=7"


def test_ta_11_leaving_a_threatened_square_asks_the_one_who_threatens_it() -> None:
    game = duel()
    board(game, Rhea="C4", Ogre="E3")
    decision = game.do("Ana", "move", using="Walk", to="D4 E4 F4 G4", dice=[])
    assert game.waits_for() == ("Ogre",)
    assert cell(game, "Rhea") == "D4"  # the threatened square that is being left
    assert game.legal("Ogre") == ("opportunity", "let-go")
    assert game.legal("Rhea") == ()
    assert [question.choices for question in game.state.questions] == [("opportunity", "let-go")]
    assert decision.actor == "Rhea"
    game.refused("Ana", "move", rule="TA-11", using="Walk", to="E4")
    game.do("Gwen", "opportunity", dice=[(6, 1), (6, 1)])
    assert cell(game, "Rhea") == "G4"  # one opportunity attack for each threatener and movement
    assert game.waits_for() == ("Ogre",)
    assert game.state.questions == ()


def test_ta_11_the_movement_stops_for_each_who_threatens_and_for_all_at_once() -> None:
    game = trio()
    add(game, "Goblin")
    game.do("Gwen", "board size", size="12x12")
    for name, at in (("Rhea", "D4"), ("Pip", "A9"), ("Ogre", "C3"), ("Goblin", "G3")):
        game.do("Gwen", "board place", target=name, cells=at)
    game.do("Ana", "move", using="Run", to="E4 F4 G4 H4 I4")
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "let-go")
    assert (game.waits_for(), cell(game, "Rhea")) == (("Goblin",), "F4")
    game.do("Gwen", "let-go")
    assert cell(game, "Rhea") == "I4"
    game = trio()
    add(game, "Goblin")
    game.do("Gwen", "board size", size="12x12")
    for name, at in (("Rhea", "D4"), ("Pip", "A9"), ("Ogre", "C3"), ("Goblin", "D3")):
        game.do("Gwen", "board place", target=name, cells=at)
    game.do("Ana", "move", using="Walk", to="E5 F6")
    assert game.waits_for() == ("Ogre", "Goblin")
    game.do("Gwen", "let-go", character="Goblin")
    assert cell(game, "Rhea") == "D4"
    game.do("Gwen", "let-go")
    assert cell(game, "Rhea") == "F6"


def test_ta_11_a_cell_alone_takes_the_way_that_provokes_least_then_the_shortest() -> None:
    game = duel()
    board(game, Rhea="C4", Ogre="E4")
    game.do("Ana", "move", using="Hustle", to="G4", dice=[])
    assert game.state.questions == ()
    assert cell(game, "Rhea") == "G4"
    game = duel()
    board(game, Rhea="C4", Ogre="E4")
    game.do("Ana", "move", using="Walk", to="G4", dice=[])  # five squares do not lead round the Ogre
    assert game.waits_for() == ("Ogre",)


@pytest.mark.parametrize("power", ["Shift", "Disengage"])
def test_ta_11_shift_and_disengage_do_not_provoke(power: str) -> None:
    game = _beside()
    game.do("Ana", "move", using=power, to="C4")
    assert (game.state.questions, cell(game, "Rhea")) == ((), "C4")


def test_ta_11_only_foes_provoke_each_other_save_by_option() -> None:
    for options, asked in (("", ("Pip",)), ("threat=all", ("Pip",))):
        game = trio(options)
        board(game, Rhea="D4", Pip="E4", Ogre="J10")
        game.do("Ana", "move", using="Walk", to="A4")
        assert bool(game.state.questions) is bool(options)
        assert game.waits_for() == asked


def test_ta_11_without_a_board_the_mover_names_those_they_provoke() -> None:
    game = trio()
    game.refused("Ana", "move", rule="TA-11", using="Walk", amount=3, target="Pip")
    game.refused("Ana", "move", rule="TA-11", using="Shift", amount=1, target="Ogre")
    game.do("Ana", "move", using="Walk", amount=3, target="Ogre")
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "opportunity", dice=[(6, 6), (6, 6)])
    assert game.waits_for() == ("Pip",)
    assert "Ogre takes the opportunity against Rhea" in game.said()


def test_ta_11_somebody_who_is_not_provoked_cannot_answer() -> None:
    game = duel()
    game.refused("Gwen", "opportunity", rule="TA-11", character="Ogre")
    game.refused("Gwen", "let-go", rule="TA-11", character="Ogre")


def test_ta_11_a_mover_who_falls_stays_and_the_other_question_closes() -> None:
    game = trio()
    add(game, "Goblin")
    game.do("Gwen", "board size", size="12x12")
    for name, at in (("Rhea", "D4"), ("Pip", "A9"), ("Ogre", "C3"), ("Goblin", "D3")):
        game.do("Gwen", "board place", target=name, cells=at)
    game.do("Ana", "move", using="Walk", to="E5 F6")
    game.do("Gwen", "gm damage", target="Rhea", amount="99")
    assert (game.state.questions, game.state.movement, cell(game, "Rhea")) == ((), None, "D4")
    assert game.state.done == ("Rhea",)


def test_ta_11_the_movement_goes_on_when_the_one_who_is_asked_falls_leaves_or_is_skipped() -> None:
    ways: tuple[tuple[str, dict[str, Any]], ...] = (
        ("gm damage", {"target": "Ogre", "amount": "99"}),
        ("gm remove", {"target": "Ogre"}),
        ("gm skip", {"target": "Ogre"}),
        ("gm answer", {"choice": "let-go"}),
    )
    for how, given in ways:
        game = _beside()
        game.do("Ana", "move", using="Walk", to="A4")
        game.do("Gwen", how, **given)
        assert (cell(game, "Rhea"), game.state.movement) == ("A4", None)


def test_ta_11_a_mover_who_is_removed_or_moved_by_hand_goes_no_further() -> None:
    game = _beside()
    game.do("Ana", "move", using="Walk", to="A4")
    game.do("Gwen", "gm remove", target="Rhea")
    assert (game.state.questions, game.state.movement, game.waits_for()) == ((), None, ())
    assert game.state.over == "Nobody of Players is left."
    game = _beside()
    game.do("Ana", "move", using="Walk", to="A4")
    game.do("Gwen", "gm move", target="Rhea", to="J9")
    assert cell(game, "Rhea") == "J9"
    assert game.state.done == ("Rhea",)


def test_ta_11_a_large_creature_threatens_and_is_threatened_along_its_whole_side() -> None:
    game = duel()
    game.do("Gwen", "board size", size="10x10")
    game.do("Gwen", "board place", target="Ogre", cells="E4", size="2")
    game.do("Gwen", "board place", target="Rhea", cells="D6")
    game.do("Ana", "move", using="Walk", to="C7")
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "let-go")
    game.refused("Gwen", "move", rule="G-06", to="J10")
    game.do("Gwen", "move", to="G4")
    assert cell(game, "Ogre") == "G4"


def test_a_hidden_foe_neither_threatens_nor_bars_the_way_nor_shows_itself() -> None:
    game = duel()
    game.do("Gwen", "gm add", name="Lurker", sheet=sheet(), hidden=True)
    game.do("Gwen", "board size", size="5x1")
    game.do("Gwen", "board place", target="Rhea", cells="A1")
    game.do("Gwen", "board place", target="Lurker", cells="B1")
    game.do("Ana", "move", using="Walk", to="D1")
    assert (cell(game, "Rhea"), game.state.questions) == ("D1", ())
    assert "Lurker" not in game.said("Ana")


def test_one_movement_a_turn() -> None:
    game = duel()
    game.do("Ana", "move", using="Walk", amount=1)
    game.refused("Ana", "move", rule="TA-05", using="Walk", amount=1)
    skip_all(game)
    game.refused("Ana", "move", rule="TA-04", using="Walk", amount=1)
