"""CL-06 and CL-08: conditions that tick with somebody's turn, reactions, concentration, death."""

from __future__ import annotations

import pytest

from rules.core.values import TICKS
from tests.rules.classic.scene import export, fight, left
from tests.rules.table import Game


def trio() -> Game:
    return fight(Ana=20, Bo=10, Ogre=5)


@pytest.mark.parametrize(
    ("ticks", "after"),  # what is left on Bo (from Ogre, 3 rounds) after each `next` of two rounds
    [
        ("bearer-start", [2, 2, 2, 1, 1, 1]),
        ("bearer-end", [3, 2, 2, 2, 1, 1]),
        ("source-start", [3, 2, 2, 2, 1, 1]),
        ("source-end", [3, 3, 2, 2, 2, 1]),
        ("round-end", [3, 3, 2, 2, 2, 1]),
    ],
)
def test_cl_06_a_duration_ticks_at_the_moment_that_it_names(ticks: str, after: list[int]) -> None:
    game = trio()
    game.do("Gwen", "condition add", target="Bo", name="Cursed", duration="3", ticks=ticks, source="Ogre")
    seen = []
    for _ in after:
        game.do("Gwen", "next", decided=True)
        seen.append(left(game, "Bo", "Cursed"))
    assert seen == after
    assert ticks in TICKS


def test_cl_06_without_a_moment_a_duration_ticks_at_the_bearers_end_and_says_when_it_ends() -> None:
    game = trio()
    game.do("Ana", "condition add", target="Ana", name="Blessed", duration="1")
    assert game.said("Bo") == "Ana has Blessed (1 left)."
    game.do("Ana", "next")
    assert "Blessed on Ana ends." in game.lines("Bo")


@pytest.mark.parametrize("typed", ["2", "2 rounds", "2r", "2 Rounds"])
def test_cl_06_a_duration_is_read_as_people_write_it(typed: str) -> None:
    game = trio()
    game.do("Ana", "condition add", target="Ana", name="Blessed", duration=typed)
    assert left(game, "Ana", "Blessed") == 2


def test_cl_06_somebody_who_delays_through_the_round_has_the_turn_counted_once_a_round() -> None:
    game = trio()
    game.do("Gwen", "condition add", target="Ana", name="Poisoned", duration="3")
    game.do("Gwen", "condition add", target="Bo", name="Marked", duration="3", ticks="source-start", source="Ana")
    game.do("Ana", "delay")
    game.do("Bo", "next")
    game.do("Gwen", "next", decided=True)
    assert game.state.round == 2
    assert game.waits_for() == ("Ana",), "her own place has come round again"
    assert (left(game, "Ana", "Poisoned"), left(game, "Bo", "Marked")) == (2, 2)
    game.do("Ana", "next")
    assert (left(game, "Ana", "Poisoned"), left(game, "Bo", "Marked")) == (1, 2)


def test_cl_06_what_a_removed_source_left_behind_ends_at_its_place() -> None:
    game = trio()
    game.do("Gwen", "condition add", target="Bo", name="Cursed", duration="2", ticks="source-end", source="Ogre")
    game.do("Gwen", "gm remove", target="Ogre")
    held = export(game)["combatants"]["Bo"]["conditions"]
    assert held == [{"name": "Cursed", "source": "Ogre", "left": 2, "ticks": "source-end"}]
    for _ in range(2):
        game.do("Ana", "next")
        game.do("Bo", "next")
    assert left(game, "Bo", "Cursed") == -1


def test_cl_06_what_a_dead_source_left_behind_goes_on() -> None:
    game = trio()
    game.do("Gwen", "condition add", target="Bo", name="Cursed", duration="2", ticks="source-start", source="Ogre")
    game.do("Gwen", "gm set", target="Ogre", pool="mark:dead", value="on")
    for _ in range(2):
        game.do("Ana", "next")
        game.do("Bo", "next")
    assert left(game, "Bo", "Cursed") == -1


def test_cl_06_a_skipped_turn_counts() -> None:
    game = trio()
    game.do("Gwen", "condition add", target="Ogre", name="Slowed", duration="2", ticks="bearer-start")
    game.do("Gwen", "gm skip", target="Ogre")
    game.do("Ana", "next")
    game.do("Bo", "next")
    assert left(game, "Ogre", "Slowed") == 1


def test_cl_06_a_save_is_rolled_when_the_duration_would_tick() -> None:
    game = trio()
    game.do("Gwen", "condition add", target="Ana", name="Afraid", duration="save", save="2d6>=7")
    game.do("Ana", "next", dice=[(6, 2), (6, 3)])
    assert "Ana saves against Afraid: 2d6 (2, 3) = 5 against 7, failure." in game.lines("Bo")
    game.do("Bo", "next", dice=[])
    game.do("Gwen", "next", decided=True, dice=[])
    game.do("Ana", "next", dice=[(6, 4), (6, 3)])
    assert left(game, "Ana", "Afraid") == -1


def test_cl_06_a_low_save_and_a_duration_run_together() -> None:
    game = trio()
    game.do("Gwen", "condition add", target="Ana", name="Afraid", duration="1", save="1d20<=5")
    game.do("Ana", "next", dice=[(20, 6)])
    assert left(game, "Ana", "Afraid") == -1


@pytest.mark.parametrize("duration", ["0", "-1", "1001", "²", "9" * 5000, "soon"])
def test_cl_06_a_duration_that_is_none_is_refused(duration: str) -> None:
    trio().refused("Gwen", "condition add", target="Ana", name="Odd", duration=duration)


def test_cl_06_a_moment_or_a_save_that_cannot_be_read_is_refused() -> None:
    game = trio()
    game.refused("Gwen", "condition add", target="Ana", name="Odd", duration="save")
    game.refused("Gwen", "condition add", target="Ana", name="Odd", save="seven")
    game.refused("Gwen", "condition add", target="Ana", name="Odd", duration="2", ticks="noon")
    game.refused("Gwen", "condition add", target="Ana", name="Odd", duration="2", ticks="source-start")


def test_cl_08_a_reaction_is_spent_until_the_own_turn_starts() -> None:
    game = trio()
    game.do("Bo", "react", note="shield!")
    assert game.said("Ana") == "Bo reacts: shield!"
    game.refused("Bo", "react", rule="CL-08")
    assert export(game)["combatants"]["Bo"]["facts"]["reaction"] == "spent"
    game.do("Ana", "next")
    assert "react" in game.legal("Bo")


def test_cl_08_death_is_a_mark_set_by_hand_that_takes_the_turn_and_every_action() -> None:
    game = trio()
    game.do("Gwen", "gm set", target="Ana", pool="HP", value="10")
    game.do("Gwen", "gm damage", target="Ana", amount="99")
    assert game.waits_for() == ("Ana",)
    game.do("Gwen", "gm set", target="Ana", pool="mark:dead", value="on")
    assert game.waits_for() == ("Bo",)
    assert "Ana" not in export(game)["legal"]
    assert export(game, "Bo")["combatants"]["Ana"]["conditions"] == [
        {"name": "Dead", "source": None, "left": None, "ticks": None}
    ]
    assert "Ana" in export(game)["order"]
    for action in ("next", "delay", "ready", "back", "react", "use-ready", "interrupt"):
        game.refused("Ana", action, note=None, rule="CL-08")
    game.refused("Gwen", "gm turn", target="Ana", rule="CL-08")
    game.do("Gwen", "gm set", target="Ana", pool="mark:dead", value="off")
    game.do("Bo", "next")
    game.do("Gwen", "next", decided=True)
    assert (game.state.round, game.waits_for()) == (2, ("Ana",))


def test_cl_08_with_everybody_dead_the_table_waits_for_nobody_and_wakes_again() -> None:
    game = trio()
    game.do("Gwen", "gm set", target="Ana, Bo, Ogre", pool="mark:dead", value="on")
    assert game.waits_for() == ()
    assert export(game)["legal"] == {}
    game.do("Gwen", "gm next-phase")
    game.do("Gwen", "gm set", target="Bo", pool="mark:dead", value="off")
    assert game.waits_for() == ("Bo",)


def test_cl_08_a_condition_ends_with_the_concentration_that_holds_it() -> None:
    game = trio()
    game.do("Ana", "condition add", target="Bo, Ogre", name="Web", concentration=True)
    assert game.state.combatant("Ana").marks == {"concentration": "Web"}
    game.do("Gwen", "gm set", target="Ana", pool="mark:concentration", value="off")
    assert (left(game, "Bo", "Web"), left(game, "Ogre", "Web")) == (-1, -1)
    assert game.state.combatant("Ana").marks == {}


def test_cl_08_a_new_concentration_ends_the_old_and_the_last_condition_ends_the_mark() -> None:
    game = trio()
    game.do("Ana", "condition add", target="Bo", name="Web", concentration=True)
    game.do("Ana", "condition add", target="Ogre", name="Hold", concentration=True)
    assert left(game, "Bo", "Web") == -1
    game.do("Ana", "condition remove", target="Ogre", name="Hold")
    assert game.state.combatant("Ana").marks == {}


def test_cl_08_concentration_leaves_with_the_one_who_held_it() -> None:
    game = trio()
    game.do("Ana", "condition add", target="Bo", name="Web", concentration=True)
    game.do("Ana", "remove")
    assert left(game, "Bo", "Web") == -1


def test_g_03_a_player_puts_conditions_on_their_own_or_from_their_own_alone() -> None:
    game = trio()
    game.refused("Bo", "condition add", target="Ana", name="Cursed", source="Ogre", rule="G-03")
    game.do("Bo", "condition add", target="Ana", name="Blessed", source="Bo")
    game.do("Gwen", "condition add", target="Ana", name="Cursed")
    game.refused("Bo", "condition remove", target="Ana", name="Cursed", rule="G-03")
    game.do("Bo", "condition remove", target="Ana", name="Blessed")
