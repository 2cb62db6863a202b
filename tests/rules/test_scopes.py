"""Each field of a system's state says how long it lasts, so that nobody has to remember to clear it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import pytest
from pydantic import create_model

from rules.core.encounter import Encounter
from rules.core.model import Name
from rules.core.scopes import FIGHT, PHASE, ROUND, TURN, PerFight, PerRound, PerTurn, Scope, fresh
from rules.systems.beacon.state import REACTIONS, BeaconState
from rules.systems.stones.state import ACTIVATION


@pytest.mark.parametrize(
    ("declared", "begins", "word"),
    [
        (tuple[str, ...], (), "PerRound"),
        (Annotated[bool, Scope("season")], False, "FIGHT"),
        (PerRound[list[str]], [], "tuple"),
        (PerRound[Mapping[Name, set[int]]], {}, "tuple"),
        (PerFight[tuple[tuple[Name, int], ...]], (), "Frozen"),
        (PerTurn[bool], ..., "begins"),
    ],
)
def test_a_field_that_no_state_could_keep_is_refused_as_the_class_is_defined(
    declared: Any, begins: Any, word: str
) -> None:
    with pytest.raises(TypeError, match=word) as refused:
        create_model("BatonState", __base__=Encounter, acted=(declared, begins))
    assert "BatonState.acted" in str(refused.value)


@pytest.mark.parametrize(
    ("over", "with_it", "apart"),
    [
        (TURN, (TURN, ACTIVATION), (PHASE, ROUND, FIGHT, REACTIONS)),
        (PHASE, (PHASE, TURN, ACTIVATION), (ROUND, FIGHT, REACTIONS)),
        (ROUND, (ROUND, PHASE, TURN, ACTIVATION), (FIGHT, REACTIONS)),
        (FIGHT, (FIGHT, ROUND, PHASE, TURN, ACTIVATION, REACTIONS), ()),
    ],
)
def test_a_scope_ends_what_lies_in_it(over: Scope, with_it: tuple[Scope, ...], apart: tuple[Scope, ...]) -> None:
    assert all(scope.ends_with(over) for scope in with_it)
    assert not any(scope.ends_with(over) for scope in apart)


def test_what_a_scope_clears_begins_anew() -> None:
    cleared = fresh(BeaconState, TURN)
    assert cleared == {"turn": None}
    assert fresh(BeaconState, ROUND).keys() > cleared.keys()
    assert "levels" not in fresh(BeaconState, ROUND)
