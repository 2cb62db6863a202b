"""Words that mean fields: where they count, and what a game of an earlier version keeps of them."""

from __future__ import annotations

import pytest

from rules.core.registry import read_encounter, systems
from rules.core.sheets.abilities import as_spoken, parse_ability
from rules.core.values import Combatant

WORDS = {
    "beacon": "VOLLEY, RANGE 8. On a hit: 1d6 PHYSICAL damage. Reloading.",
    "adventurers": "Attack, <Throw>, up to 2 targets; 1D6 damage; Rebound 1",
    "stones": "Costs 3 Fire. [Any Range] [Burn]",
    "tactics": "Ranged 6; 1d6 damage",
    "soulweaver": "Major Action, Spell. The target is Held for 2 rounds.",
}


@pytest.mark.parametrize("system", sorted(WORDS))
def test_a_state_without_fields_for_words_is_read_with_them_and_then_stays_as_it_is(system: str) -> None:
    sheet = systems()[system].sheet
    typed = parse_ability("Blow", WORDS[system])
    said = as_spoken(typed, sheet.spoken)
    assert said.fields != typed.fields or said.kind != typed.kind
    ayla = Combatant(name="Ayla", abilities=(typed,))
    state = systems()[system].state_type(id="1", channel="2", system=system, name="Duel", combatants=(ayla,))
    read = read_encounter(state.model_dump_json(), system)
    assert read.combatant("Ayla").abilities == (said,)
    kept = read.model_dump_json()
    assert read_encounter(kept, system).model_dump_json() == kept


@pytest.mark.parametrize(
    "text",
    [
        "Range 8, 12 from high ground; 1d6",
        "range 8 (12 from high ground)",
        "Mark, then flee.",
        "rush in",
        "You hide, slow, behind the door.",
        "Costs 2 MP if it rains.",
        "1d6 physical unless it kneels",
    ],
)
def test_words_that_say_more_mean_no_field(text: str) -> None:
    spoken = systems()["beacon"].sheet.spoken
    assert spoken is not None
    assert spoken.said(text) == ()
