"""Each field of a system's state says how long it lasts, so that nobody has to remember to clear it."""

from __future__ import annotations

import pytest

from rules.core.encounter import Encounter
from rules.core.registry import systems
from rules.core.scopes import FIGHT, PHASE, ROUND, TURN, Scope, fresh, scope_of
from rules.systems.beacon.state import REACTIONS, BeaconState
from rules.systems.stones.state import ACTIVATION


@pytest.mark.parametrize("system", systems())
def test_each_field_of_a_system_says_how_long_it_lasts(system: str) -> None:
    kind = systems()[system].state_type
    own = kind.model_fields.keys() - Encounter.model_fields.keys()
    unsaid = sorted(field for field in own if scope_of(kind, field) is None)
    assert unsaid == []
    assert all((scope_of(kind, field) or TURN).ends_with(FIGHT) for field in own)


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
