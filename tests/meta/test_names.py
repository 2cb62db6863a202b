"""Fields of a state that hold names say so by type: random play of every system looks for others with this."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from rules.core.encounter import Encounter
from rules.core.model import Frozen, Name, Names
from rules.core.scopes import PerFight
from rules.core.values import Combatant
from tests.rules.table import undeclared


class Stroke(Frozen):
    by: Name
    on: str


class Forgetful(Encounter):
    told: PerFight[Names] = ()
    first: PerFight[Name | None] = None
    counts: PerFight[Mapping[Name, int]] = Field(default={})
    strokes: PerFight[tuple[Stroke, ...]] = ()
    untold: PerFight[tuple[str, ...]] = ()
    last: PerFight[str | None] = None
    scores: PerFight[Mapping[str, int]] = Field(default={})


def state(**fields: object) -> Encounter:
    cast = (Combatant(name="Ana"), Combatant(name="Bo"))
    whole = Forgetful(id="1", channel="1", system="classic", name="Fight", combatants=cast)
    return whole.evolve(**fields)


def test_a_field_that_says_what_it_holds_is_emptied() -> None:
    told = state(told=("Ana", "Bo"), first="Ana", counts={"Ana": 1, "Bo": 2}, strokes=(Stroke(by="Ana", on="a door"),))
    assert undeclared(told) == []
    assert told.without_name("Ana") == state(told=("Bo",), counts={"Bo": 2})


def test_a_field_that_holds_names_without_saying_so_is_found() -> None:
    assert undeclared(state(untold=("a door", "Bo"))) == [".untold"]
    assert undeclared(state(last="Ana")) == [".last"]
    assert undeclared(state(scores={"Ana": 1})) == [".scores"]
    assert undeclared(state(strokes=(Stroke(by="Bo", on="Ana"),))) == [".strokes.on"]
