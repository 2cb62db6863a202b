import pytest
from pydantic import ValidationError

from rules.core.encounter import Encounter
from rules.core.model import Frozen
from rules.core.values import Combatant, Condition, Pool

ORC = Combatant(name="Orc", pools={"HP": Pool(now=3, top=9)})
FIGHT = Encounter(id="e1", channel="1", system="classic", name="Ambush", combatants=(ORC,))


def _below(kind: type[Frozen]) -> set[type[Frozen]]:
    return {kind, *(each for below in kind.__subclasses__() for each in _below(below))}


def test_what_changes_is_validated() -> None:
    with pytest.raises(ValidationError):
        FIGHT.evolve(round="soon")
    with pytest.raises(ValidationError):
        FIGHT.evolve(status="asleep")
    with pytest.raises(ValidationError):
        ORC.evolve(conditions=("prone",))


def test_a_field_that_there_is_not_is_refused() -> None:
    with pytest.raises(KeyError, match="hp"):
        ORC.evolve(hp=3)


def test_what_does_not_change_is_the_same_and_what_was_worked_out_is_not_taken_over() -> None:
    assert FIGHT.names == ("Orc",)
    after = FIGHT.evolve(combatants=(ORC, ORC.evolve(name="Bo")))
    assert after.names == ("Orc", "Bo")
    assert after.combatants[0] is ORC
    assert FIGHT.evolve(round=2).combatants is FIGHT.combatants
    assert FIGHT.names == ("Orc",)


def test_a_changed_value_is_equal_to_one_that_was_made_so() -> None:
    prone = ORC.evolve(conditions=(Condition(name="Prone"),))
    assert prone == Combatant(name="Orc", pools={"HP": Pool(now=3, top=9)}, conditions=(Condition(name="Prone"),))
    assert Combatant.model_validate_json(prone.model_dump_json()) == prone
    assert hash(Pool(now=3).evolve(now=4)) == hash(Pool(now=4))
    with pytest.raises(ValidationError):
        prone.name = "Bo"  # type: ignore[misc] # that is what is tried


def test_no_model_has_validators_that_see_more_than_a_field() -> None:
    found = [
        kind.__name__
        for kind in _below(Frozen)
        if kind.__module__.startswith(("rules.", "bot.", "data."))
        and (kind.__pydantic_decorators__.model_validators or kind.__pydantic_decorators__.field_validators)
    ]
    assert Encounter in _below(Frozen)
    assert found == []
