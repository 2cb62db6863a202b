"""What a kit's file says is what the table has: its title, the name of its one phase, whose rule a refusal cites."""

from __future__ import annotations

from rules.core.values import Seat
from rules.core.views.export import export_view
from tests.rules.kit.tables import KitGame, begun

SOLO = """kit = 1
id = "solo-phase"
title = "Hack, Slash"
sheet = { ATK = 3, AC = 12 }
rules = { "SP-01" = "Whoever is first goes first." }
[pool]
HP = { start = 10, out = true }
ACT = { start = 0, most = 1 }
[[phase]]
name = "Battle"
type = "list"
key = "1d20"
rule = "SP-01"
[action.attack]
target = "foe"
cost = "1 ACT"
do = ["target loses 1 HP"]
"""


def test_a_title_with_a_comma_starts_and_the_one_phase_is_exported_by_its_name() -> None:
    game = begun(KitGame(SOLO), "Wolf")
    export = export_view(game.table, Seat(gm=True))
    assert export["name"] == "Hack Slash"
    assert export["phase"] == "battle"


def test_a_kit_without_phases_exports_none() -> None:
    game = begun(KitGame(SOLO.replace('[[phase]]\nname = "Battle"', "[order]")), "Wolf")
    assert export_view(game.table, Seat(gm=True))["phase"] is None


def test_a_cost_cites_no_rule_of_the_order() -> None:
    game = begun(KitGame(SOLO), "Wolf")
    who = game.waits_for()[0]
    game.refused(
        "Gwen", "attack", character=who, target="Wolf" if who != "Wolf" else "Ayla", rule="KI-03", decided=True
    )


def test_a_late_joiner_whose_place_has_passed_acts_next_round() -> None:
    game = begun(KitGame(SOLO), "Wolf")
    game.do("Gwen", "gm skip", target=game.waits_for()[0])
    game.do("Gwen", "gm add", name="Late", result=99)
    acted = set()
    while game.state.round == 1:
        acted.add(game.waits_for()[0])
        game.do("Gwen", "gm skip", target=game.waits_for()[0])
    assert "Late" not in acted
    assert game.waits_for() == ("Late",)
