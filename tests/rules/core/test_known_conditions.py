"""Conditions that are offered, and what each means to a system."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from rules.core.registry import systems
from rules.core.views.known_conditions import SHOWN_ALONE, known_conditions, meaning
from rules.systems.classic.abilities import DIALECT
from tests.rules.table import Game

SYSTEMS = Path(__file__).parents[3] / "rules" / "systems"


@pytest.mark.parametrize("system", sorted(systems()))
def test_each_system_offers_its_own_conditions_first_and_says_what_they_mean(system: str) -> None:
    found = systems()[system]
    offered = known_conditions(found)
    assert offered[: len(found.conditions)] == tuple(found.conditions)
    assert len({name.casefold() for name in offered}) == len(offered)
    assert "Poisoned" in offered
    assert meaning(found, "poisoned") == SHOWN_ALONE
    assert "out of the fight" in meaning(found, "Dead")
    assert all(meaning(found, name.upper()) == words for name, words in found.conditions.items())


@pytest.mark.parametrize("system", sorted(systems()))
def test_a_meaning_names_rules_that_there_are(system: str) -> None:
    found = systems()[system]
    known = set(tomllib.loads((SYSTEMS / system / "rules.toml").read_text(encoding="utf-8")))
    for words in found.conditions.values():
        for rule in re.findall(r"[A-Z]{2}-\d\d", words):
            assert rule in known


def test_classic_offers_each_condition_that_its_abilities_can_put_and_knows_who_is_surprised() -> None:
    """Rule: CL-16."""
    classic = systems()["classic"]
    assert set(DIALECT.conditions) <= set(known_conditions(classic))
    assert "CL-16" in meaning(classic, "Surprised")


def test_a_condition_of_the_tables_own_is_offered_from_now_on_and_in_the_next_encounter() -> None:
    game = Game()
    game.do("Gwen", "gm add", name="Orc", sheet="HP 9", result=3, dice=[])
    game.do("Gwen", "gm add", name="Shade", sheet="HP 9", result=4, dice=[], hidden=True)
    for target, name in (("Orc", "Bleeding"), ("Orc", "bleeding"), ("Orc", "Prone"), ("Shade", "Unseen by all")):
        game.do("Gwen", "condition add", target=target, name=name)
    assert game.state.own_conditions == ("Bleeding",)
    assert "Bleeding" in known_conditions(systems()["classic"], game.state.own_conditions)
    game.do("Gwen", "encounter end")
    game.do("Gwen", "encounter start", system="tactics", id="78")
    assert game.state.own_conditions == ("Bleeding",)


def test_the_tables_own_conditions_are_named_and_taken_off_without_anybody_who_bears_them() -> None:
    game = Game()
    game.do("Ana", "join", result=5, dice=[])
    game.do("Gwen", "gm add", name="Orc", sheet="HP 9", result=3, dice=[])
    game.do("Gwen", "condition add", target="table", name="Cursed")
    game.do("Gwen", "condition add", target="Orc", name="Bleeding")
    assert game.state.own_conditions == ("Cursed", "Bleeding")
    assert "already on the list" in str(game.refused("Gwen", "condition add", target="table", name="cursed"))
    game.do("Gwen", "condition remove", target="table", name="bleed")
    assert game.state.own_conditions == ("Cursed",)
    assert game.state.combatant("Orc").has("Bleeding")
    assert "GM" in game.refused("Ana", "condition remove", target="table", name="Cursed").reason


@pytest.mark.parametrize(
    "name", ["Blinded until:1 minute", "Prone until the end of its next turn", "Stunned (for 2 rounds)"]
)
def test_how_long_a_known_condition_lasts_is_no_part_of_its_name(name: str) -> None:
    game = Game("classic", "")
    game.do("Gwen", "add", name="Goblin", result=9, sheet="HP 12", dice=[])
    refused = game.refused("Gwen", "condition add", target="Goblin", name=name)
    assert refused.instead is not None
    given = dict(part.split(":", 1) for part in refused.instead.split(" duration")[0:1])
    game.do(
        "Gwen", "condition add", target="Goblin", name=given["name"], duration=refused.instead.partition("duration:")[2]
    )
    (held,) = game.state.combatant("Goblin").conditions
    assert held.left is not None


def test_a_condition_of_ones_own_may_be_called_as_one_likes() -> None:
    game = Game("classic", "")
    game.do("Gwen", "add", name="Goblin", result=9, sheet="HP 12", dice=[])
    game.do("Gwen", "condition add", target="Goblin", name="Sworn until death")
    assert game.state.combatant("Goblin").has("Sworn until death")
