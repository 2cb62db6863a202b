"""What is worked out once for a state: the same for this one, anew for the next, and no part of it."""

from __future__ import annotations

from rules.core.encounter import Encounter
from rules.core.model import per_state
from rules.core.values import Combatant

asked: list[tuple[str, bool]] = []


@per_state
def others(state: Encounter, who: str, *, loud: bool = False) -> tuple[str, ...]:
    asked.append((who, loud))
    return tuple(name.upper() if loud else name for name in state.names if name != who)


def encounter() -> Encounter:
    asked.clear()
    trio = tuple(Combatant(name=name) for name in ("Ana", "Bo", "Cai"))
    return Encounter(id="1", channel="2", system="classic", name="Fight", combatants=trio)


def test_an_answer_is_worked_out_once_for_the_same_arguments() -> None:
    state = encounter()
    assert others(state, "Ana") == others(state, "Ana") == ("Bo", "Cai")
    assert others(state, "Ana", loud=True) == ("BO", "CAI")
    assert others(state, "Bo") == ("Ana", "Cai")
    assert asked == [("Ana", False), ("Ana", True), ("Bo", False)]


def test_the_next_state_gets_an_answer_of_its_own() -> None:
    state = encounter()
    assert others(state, "Ana") == ("Bo", "Cai")
    assert others(state.evolve(combatants=state.combatants[:2]), "Ana") == ("Bo",)
    assert others(state, "Ana") == ("Bo", "Cai")


def test_what_was_worked_out_is_no_part_of_the_state() -> None:
    state, fresh = encounter(), encounter()
    others(state, "Ana")
    assert state == fresh
    assert state.model_dump_json() == fresh.model_dump_json()
    assert "others" not in repr(state)


@per_state
def itself(state: Encounter) -> list[Encounter]:
    return [state]


def test_states_are_equal_if_each_keeps_something_that_holds_it() -> None:
    state, fresh = encounter(), encounter()
    itself(state)
    itself(fresh)
    assert state == fresh
    assert state != state.evolve(combatants=())
