"""The GM's last word, joining, leaving, options, rights, and what exports and prompts show. Rule: G-01."""

from __future__ import annotations

import pytest

from rules.core.command import Command
from rules.core.registry import system_of
from rules.core.views.view import view_of
from tests.rules.table import Game
from tests.rules.tactics.scene import SHEET, ability, add, board, duel, sheet, skip_all, trio, two_d6


@pytest.mark.parametrize("key", ["INT", "AGI", "ATK", "DEF", "TIER", "HP", "SPD"])
def test_a_sheet_without_what_the_system_needs_is_refused_by_name(key: str) -> None:
    game = Game("tactics")
    lacking = ", ".join(f"{each} {value}" for each, value in SHEET.items() if each != key)
    assert key in str(game.refused("Gwen", "gm add", name="Ogre", sheet=lacking))


@pytest.mark.parametrize("changes", [{"TIER": 4}, {"TIER": 0}, {"DEF": "high"}, {"HP": "much"}])
def test_a_sheet_that_cannot_be_read_is_refused(changes: dict[str, int | str]) -> None:
    Game("tactics").refused("Gwen", "gm add", name="Ogre", sheet=sheet(**changes))


@pytest.mark.parametrize(
    "fields",
    [
        {"damage": "much"},
        {"range": "far"},
        {"effect": "Slow", "save": "maybe"},
        {"phase": "movement", "distance": "far"},
    ],
)
def test_a_power_that_cannot_be_read_is_refused_by_name_as_it_joins(fields: dict[str, str]) -> None:
    document = {"name": "Ogre", "owner": "0", "abilities": [ability("Odd Trick", **fields)]}
    refusal = Game("tactics").refused("Gwen", "gm add", name="Ogre", sheet=sheet(), document=document)
    assert "Odd Trick" in str(refusal)


@pytest.mark.parametrize("option", ["shift=-1", "run=fast", "initiative=never", "threat=some", "speed=3", "hustle=1e9"])
def test_an_option_that_cannot_be_is_refused(option: str) -> None:
    duel().refused("Gwen", "encounter options", set=option)


def test_the_gm_gives_a_turn_skips_and_ends_phases() -> None:
    game = trio()
    game.do("Gwen", "gm turn", target="Ogre")
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "gm skip", target="Ogre")
    assert game.waits_for() == ("Rhea",)
    game.do("Gwen", "gm skip")
    assert game.waits_for() == ("Pip",)
    game.do("Gwen", "gm next-phase")
    assert (game.state.phase, game.waits_for()) == ("battle", ("Pip",)), "skipped is the rest of the round"
    game.do("Gwen", "gm next-phase", dice=two_d6(1, 1, 2, 2, 3, 3))
    assert (game.state.round, game.state.phase) == (2, "movement")


def test_the_gm_ends_a_movement_that_waits_for_an_answer() -> None:
    game = duel()
    board(game, Rhea="D4", Ogre="E4")
    game.do("Ana", "move", using="Walk", to="A4")
    game.do("Gwen", "gm next-phase")
    assert (game.state.questions, game.state.movement, game.state.phase) == ((), None, "battle")


def test_the_gm_sets_the_order_of_a_phase_and_an_initiative() -> None:
    game = trio()
    game.do("Gwen", "gm order", names="Ogre, Rhea")
    assert system_of(game.state).turn_order(game.state) == ("Ogre", "Pip", "Rhea")
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "gm next-phase")
    assert system_of(game.state).turn_order(game.state) == ("Ogre", "Pip", "Rhea")
    game.do("Gwen", "gm set", target="Rhea", pool="initiative", value="12", dice=[(6, 4), (6, 2)])
    assert system_of(game.state).turn_order(game.state) == ("Rhea", "Ogre", "Pip")
    game.refused("Gwen", "gm set", target="Rhea", pool="initiative", value="soon")


def test_somebody_who_joins_late_rolls_and_takes_part_at_once() -> None:
    game = duel()
    game.do("Ana", "skip")
    game.do("Gwen", "gm add", name="Pip", sheet=sheet(), dice=two_d6(2, 3))
    game.do("Gwen", "gm skip", target="Pip")
    game.do("Gwen", "skip", character="Ogre")
    assert system_of(game.state).turn_order(game.state) == ("Ogre", "Pip", "Rhea")


def test_who_leaves_is_in_no_list_and_the_turn_goes_on() -> None:
    game = trio()
    game.do("Bo", "seize")
    game.do("Bo", "remove")
    assert game.waits_for() == ("Rhea",)
    assert "Pip" not in game.state.model_dump_json(exclude={"people", "leavers"})


def test_only_the_owner_or_the_gm_acts_with_a_combatant() -> None:
    game = duel()
    game.refused("Bo", "skip", rule="G-03")
    game.refused("Ana", "seize", rule="G-03", character="Ogre")
    game.do("Gwen", "skip", character="Rhea")


def test_the_mildest_action_is_skip_pass_or_let_go() -> None:
    game = duel()
    board(game, Rhea="D4", Ogre="E4")
    system = system_of(game.state)
    assert system.timeout_action(game.state, "Rhea") == Command(action="skip", character="Rhea")
    assert system.timeout_action(game.state, "Ogre") is None
    game.do("Ana", "move", using="Walk", to="A4")
    assert system.timeout_action(game.state, "Ogre") == Command(action="let-go", character="Ogre")
    game.do("Gwen", "let-go")
    skip_all(game)
    assert system.timeout_action(game.state, "Ogre") == Command(action="pass", character="Ogre")


def test_what_belongs_to_a_round_does_not_outlast_the_encounter() -> None:
    game = duel()
    game.do("Gwen", "condition add", target="Rhea", name="Cursed")
    game.do("Ana", "move", using="Run", amount=3)
    skip_all(game)
    game.do("Gwen", "defend")
    game.do("Gwen", "encounter end")
    assert [condition.name for each in game.state.combatants for condition in each.conditions] == ["Cursed"]


def test_badges_and_facts_say_who_seized_delayed_and_is_out() -> None:
    game = trio()
    game.do("Bo", "seize")
    skip_all(game)
    game.do("Gwen", "delay", character="Ogre")
    system, seat = system_of(game.state), game.seat("Ana")
    assert [system.row(game.state, name, seat).badges for name in ("Rhea", "Pip", "Ogre")] == [
        (),
        ("seized",),
        ("delays",),
    ]
    game.do("Gwen", "gm damage", target="Rhea", amount="99")
    assert system.row(game.state, "Rhea", seat).badges == ("out",)
    facts = system.facts(game.state, "Pip", seat)
    assert (facts["seized"], facts["delayed"], facts["initiative"], facts["DEF"]) == (True, False, 6, 9)


def test_a_hidden_combatant_is_named_to_nobody_but_the_gm() -> None:
    game = duel()
    add(game, "Bait")
    game.do("Gwen", "gm add", name="Lurker", sheet=sheet(), hidden=True)
    game.do("Gwen", "gm set", target="Lurker", pool="initiative", value="-5")
    game.do("Gwen", "gm turn", target="Lurker")
    view = view_of(game.table, game.seat("Ana"))
    assert view is not None
    assert "Lurker" not in (*view.turn_order, *view.turn, *view.out)
    game.do("Gwen", "seize", character="Ogre")
    game.do("Gwen", "gm turn", target="Lurker")
    game.do("Gwen", "skip", character="Lurker")
    assert all("Lurker" not in line for decision in game.decisions for line in _public(game, decision))


def _public(game: Game, decision: object) -> list[str]:
    game.decisions.append(decision)  # type: ignore[arg-type] # the test reads earlier decisions again
    lines = game.lines("Ana")
    game.decisions.pop()
    return lines
