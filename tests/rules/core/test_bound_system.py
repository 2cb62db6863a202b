"""A system that an encounter makes of its own tables, and pools that belong to a side or to nobody."""

from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import JsonValue

from bot.features.help.rulebook import find_rules, own_rules
from rules.core.action import Action
from rules.core.encounter import Encounter
from rules.core.registry import load_encounter, system_of
from rules.core.rulebook import OwnRule
from rules.core.rulings import OwnTables
from rules.core.step import Step
from rules.core.system import System
from rules.core.values import Seat
from rules.core.views.export import export_view
from rules.core.views.view import view_of
from rules.dice.source import Dice
from rules.systems.classic.actions import classic_actions
from rules.systems.classic.state import ClassicState
from rules.systems.classic.system import Classic
from tests.dice.script import ScriptedFaces
from tests.rules.table import Game


class Bound(Classic):
    """The classic system of an encounter that names its actions itself."""

    def __init__(self, tables: Mapping[str, JsonValue]) -> None:
        self.tables_held = tables
        self.title = str(tables["title"])
        self.sides = ("Heroes", "Villains", "Beasts")
        super().__init__()

    def declare(self) -> tuple[Action[ClassicState], ...]:
        return (*classic_actions(), Action(id="bow", label="Bow deeply", do=lambda _step, _who, _command: None))

    own_rules = (OwnRule("BO-01", "Bowing", "One bows before a fight."),)


@pytest.fixture
def bound(monkeypatch: pytest.MonkeyPatch) -> Game:
    made: dict[str, Bound] = {}

    def for_state(self: Classic, state: ClassicState) -> System[ClassicState]:
        if "title" not in state.tables:
            return self
        title = str(state.tables["title"])
        return made.setdefault(title, Bound({"title": title}))

    game = Game("classic")
    game.do("Gwen", "gm add", name="Ogre")
    monkeypatch.setattr(Classic, "for_state", for_state)
    game.table = game.table.evolve(encounter=game.state.evolve(tables={"title": "Court manners"}))
    game.do("Gwen", "encounter begin")
    return game


def test_what_an_encounter_brings_is_what_is_offered_and_decided(bound: Game) -> None:
    assert "bow" in bound.legal("Ogre")
    bound.do("Gwen", "bow", character="Ogre")
    assert system_of(bound.state).title == "Court manners"


def test_a_view_carries_what_is_drawn_of_the_rules(bound: Game) -> None:
    view = view_of(bound.table, Seat(gm=True))
    assert view is not None
    assert (view.system_title, view.rules.health) == ("Court manners", "HP")
    assert view.rules.label("bow") == "Bow deeply"
    assert view.rules.label("gone-by-now") == "Gone by now"
    assert "rules" not in view.model_dump()


def test_a_rule_that_an_encounter_brings_is_found_first(bound: Game) -> None:
    own = own_rules(bound.state)
    assert find_rules("BO-01", "classic", own)[0].text == "One bows before a fight."
    assert find_rules("fight bows", "classic", own)[0].id == "BO-01"


def test_tables_that_are_replaced_are_told_to_the_system_with_what_was_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: list[tuple[object, object]] = []

    def changed(self: OwnTables[Any], step: Step[ClassicState], before: Mapping[str, JsonValue]) -> None:
        heard.append((before, step.state.tables))

    monkeypatch.setattr(OwnTables, "read", lambda _self, content: content)
    monkeypatch.setattr(OwnTables, "replaced", changed)
    game = Game("classic")
    game.do("Gwen", "encounter options", tables={"words": {"next": "Done"}})
    assert heard == [({}, {"words": {"next": "Done"}})]


# Pools of a side and of the table


def test_the_gm_gives_the_table_a_pool_and_everybody_reads_it() -> None:
    game = Game("classic")
    game.do("Gwen", "gm set", target="table", pool="fear", value="3/12")
    assert game.lines("Ana") == ["The table: FEAR 0 → 3/12."]
    game.do("Gwen", "gm set", target="Table", pool="FEAR", value="20")
    assert game.state.table_pools["FEAR"].now == 12
    view = view_of(game.table, Seat())
    assert view is not None
    assert view.lines == ("Table: FEAR 12/12",)
    assert export_view(game.table, Seat())["pools"] == {"table": {"FEAR": [12, 12]}, "sides": {}}


def test_a_side_has_pools_of_its_own() -> None:
    game = Game("classic")
    game.do("Gwen", "gm add", name="Ogre", side="Foes")
    game.do("Gwen", "gm set", target="foes", pool="FURY", value="2")
    assert game.state.side_pools["Foes"]["FURY"].now == 2
    assert game.state.side_pools["Foes"]["FURY"].top is None
    assert export_view(game.table, Seat())["pools"]["sides"] == {"Foes": {"FURY": [2, None]}}


def test_what_is_no_number_is_refused_for_the_table_too() -> None:
    game = Game("classic")
    assert "Write 3 or 3/12 for FEAR." in str(game.refused("Gwen", "gm set", target="table", pool="fear", value="much"))


def test_an_encounter_of_before_has_no_such_pools_and_none_in_its_export() -> None:
    game = Game("classic")
    document = game.state.model_dump(mode="json", exclude_defaults=True)
    assert {"table_pools", "side_pools"}.isdisjoint(document)
    assert isinstance(load_encounter(document), Encounter)
    assert "pools" not in export_view(game.table, Seat())


def test_a_roll_gives_the_faces_that_count() -> None:
    game = Game("classic")
    step: Step[ClassicState] = Step(game.table, Seat(gm=True), Dice(ScriptedFaces([(20, 4), (20, 17), (6, 3)])))
    total, _, faces = step.roll_faces("2d20kh1+1d6+2")
    assert (total, faces) == (22, (17, 3))
