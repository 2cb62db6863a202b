"""What a prompt says at a glance, so that it fits a phone: what is spent or suffered, and series of names as one."""

from __future__ import annotations

from typing import Any

import pytest

from bot.posting.prompt_payload import usual_actions
from bot.render.prompt import turn_prompt
from bot.render.turn_order import order_lines
from rules.core.registry import system_of
from rules.core.values import Seat
from rules.core.views.view import view_of
from tests.rules.beacon.scene import BOW, SPEAR, ability, add
from tests.rules.table import Game


def wolves() -> Game:
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(SPEAR,), FOCUS=0)
    for number in range(1, 7):
        add(game, f"Wolf {number}", INITIATIVE=5, FOCUS=0)
    game.do("Gwen", "encounter begin")
    return game


def test_the_order_leaves_out_what_is_neither_spent_nor_suffered() -> None:
    game = wolves()
    view = view_of(game.table, game.seat("Ana"))
    assert view is not None
    rhea = next(line for line in order_lines(view, 4000) if "Rhea" in line)
    assert "HP" in rhea
    assert not any(pool in rhea for pool in ("STRESS", "MP", "FOCUS", "RECOVERIES"))
    game.do("Gwen", "gm set", target="Rhea", pool="STRESS", value="3")
    view = view_of(game.table, game.seat("Ana"))
    assert view is not None
    assert "STRESS" in next(line for line in order_lines(view, 4000) if "Rhea" in line)
    assert "RECOVERIES" in next(line for line in order_lines(view, 4000, whole=True) if "Rhea" in line)


def test_the_phases_name_a_series_of_creatures_as_one() -> None:
    game = wolves()
    (line,) = system_of(game.state).prompt_lines(game.state, game.seat("Ana"))
    assert "BRAWL (Wolf 1-6)" in line


def labels(game: Game) -> list[str]:
    view = view_of(game.table, Seat())
    assert view is not None
    prompt = turn_prompt(view, 1, usual=usual_actions(game.table, game.state), mentions={})
    return [item["label"] for row in prompt.components for item in row["components"]]


LAUGH = ability("Laugh", activation="reaction", trigger="when somebody stumbles over their own feet", damage="1d4")


@pytest.mark.parametrize("reactions", [(), (LAUGH,)], ids=["none", "in free words"])
def test_one_who_may_plan_has_the_buttons_whatever_their_sheet_reacts_to(reactions: tuple[dict[str, Any], ...]) -> None:
    game = Game("beacon", people=("Gwen", "Ana", "Bo"))
    add(game, "Rhea", owner="Ana", abilities=(BOW, *reactions))
    add(game, "Pip", owner="Bo", abilities=(BOW, *reactions))
    add(game, "Ogre", INITIATIVE=5)
    game.do("Gwen", "encounter begin")
    before = labels(game)
    game.do("Ana", "begin")
    game.do("Ana", "defend")  # something has happened since, which a reaction may answer
    game.do("Ana", "end", note="no")
    assert [each for each in before if each.startswith("Plan")]
    assert labels(game) == before


@pytest.mark.parametrize(("level", "stress"), [("0", "2"), ("1", "1d3+1"), ("3", "1d6+4")])
def test_a_button_that_names_a_surge_says_its_stress(level: str, stress: str) -> None:
    """Prove BE-08."""
    game = Game("beacon", options=f"surge_level={level}, auto=off")
    add(game, "Rhea", owner="Ana", abilities=(SPEAR,))
    add(game, "Ogre", INITIATIVE=5)
    game.do("Gwen", "encounter begin")
    game.do("Ana", "begin")
    game.do("Ana", "defend")
    surges = [label for label in labels(game) if "surge in" in label]
    assert surges
    assert all(f"{stress} Stress" in label for label in surges)
