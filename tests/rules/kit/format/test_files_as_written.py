"""What a kit's file says is what the table has: its title, the name of its one phase, whose rule a refusal cites."""

from __future__ import annotations

import re
from pathlib import Path

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


def test_the_file_in_the_contract_is_read_and_does_what_it_says() -> None:
    page = Path("docs/contract/kits.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    game = begun(KitGame(example), "Ogre")

    def strike(*dice: tuple[int, int]) -> int:
        before = game.state.combatant("Ogre").pools["HP"].now
        game.do("Gwen", "gm turn", target="Ayla")
        game.do("Ana", "strike", target="Ogre", dice=[*dice])
        while game.state.questions:
            game.do("Gwen", "decline", character=game.state.questions[0].who)
        return int(before - game.state.combatant("Ogre").pools["HP"].now)

    game.do("Gwen", "condition add", target="Ogre", name="Flanked")
    assert strike((20, 3), (20, 12), (8, 1)) == 3, "the better of two dice"
    assert game.state.combatant("Ayla").pools["HOPE"].now == 1, "an even die, and by 2"
    game.do("Gwen", "gm set", target="Ogre", pool="HP", value="20")
    assert strike((20, 11), (8, 4)) == 6
