"""What a sheet may hold, in every system: on joining, in `/gm add`, in mid-fight by `/gm set` (design 2.9, 3.2)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from rules.core.registry import load_encounter, systems
from rules.core.values import Ability, Combatant, SheetValue
from rules.errors import Refusal
from tests.rules.core.documents import SHEETS, STONES, TACTICS, ability, document, table
from tests.rules.table import Game, play_randomly


@pytest.mark.parametrize(
    ("system", "pool", "value", "rule"),
    [
        ("tactics", "SPD", "x", "TA-08"),
        ("tactics", "SPD", "-1", "TA-08"),
        ("tactics", "TIER", "7", "TA-12"),
        ("tactics", "INT", "banana", "TA-05"),
        ("stones", "CRT", "banana", "ST-11"),
        ("stones", "CRT", "101", "ST-11"),
        ("stones", "TYPE", "Magic", "ST-11"),
        ("stones", "KIND", "statue", "ST-11"),
        ("adventurers", "SPECIALTIES", "wizard", "AD-01"),
        ("adventurers", "GAPS", "1-3", "AD-01"),
        ("adventurers", "KIND", "Bos", "AD-21"),
        ("beacon", "INITIATIVE", "9", "BE-03"),
        ("beacon", "DODGE", "low", "BE-15"),
        ("beacon", "KIND", "Elite", "BE-02"),
        ("beacon", "REACTIONS", "Counter", "BE-20"),
        ("soulweaver", "GRIT", "much", "SW-09"),
        ("soulweaver", "ZEAL", "1dd", "SW-02"),
        ("soulweaver", "OPINION Bo", "best", "SW-01"),
        ("classic", "INITIATIVE", "fast", "CL-01"),
        ("classic", "SIZE", "99", "G-06"),
    ],
)
def test_a_value_that_the_rules_cannot_take_is_refused_by_gm_set_with_its_rule(
    system: str, pool: str, value: str, rule: str
) -> None:
    refusal = table(system).refused("Gwen", "gm set", rule=rule, target="Ogre", pool=pool, value=value)
    assert "Ogre" in refusal.reason
    assert pool.split(" ", maxsplit=1)[0] in refusal.reason
    assert refusal.instead


@pytest.mark.parametrize(
    ("system", "sheet", "rule"),
    [
        ("tactics", TACTICS.replace("SPD 5", "SPD x"), "TA-08"),
        ("tactics", TACTICS.replace("TIER 1", "TIER 7"), "TA-12"),
        ("stones", STONES.replace("CRT 20", "CRT banana"), "ST-11"),
        ("adventurers", "STAMINA 10, SPECIALTIES wizard + Arm", "AD-01"),
        ("adventurers", "STAMINA 10, WILLPOWER 4, KIND wizard", "AD-21"),
        ("adventurers", "STAMINA 10, DAMAGED Tail", "AD-17"),
        ("beacon", "HP 12, INITIATIVE 3, SPEED fast", "BE-04"),
        ("soulweaver", "ZEAL 2, MINOR many", "SW-13"),
        ("classic", "HP 20, INITIATIVE quick", "CL-01"),
    ],
)
def test_the_same_bounds_hold_on_joining(system: str, sheet: str, rule: str) -> None:
    Game(system).refused("Gwen", "gm add", rule=rule, name="Ogre", sheet=sheet)


@pytest.mark.parametrize(
    ("system", "held", "rule", "said"),
    [
        ("adventurers", ability("Cry", type="Suport"), "AD-08", "Did you mean Support"),
        ("adventurers", ability("Tonic", "item", cure="any", uses="two"), "AD-10", "whole number"),
        ("adventurers", ability("Arc", type="Attack", specialty="Arm", targets="many"), "AD-08", "targets"),
        ("adventurers", ability("Sword", "weapon", damage="1d6"), "AD-01", "specialty is missing"),
        ("adventurers", ability("Sword", "weapon", specialty="Arm", damage="1dd"), None, "Sword: damage"),
        ("beacon", ability("Bow", activation="VOLEY"), "BE-05", "Did you mean VOLLEY"),
        ("beacon", ability("Bow", activation="VOLLEY", range="far"), "BE-15", "range"),
        ("beacon", ability("Bow", activation="VOLLEY", cost="3 HP"), "BE-12", "Focus 1"),
        ("stones", ability("Bolt", card="offensive", element="Wind"), "ST-12", "cost is missing"),
        ("stones", ability("Bolt", card="offensive", element="Wnd", cost="1"), "ST-01", "Did you mean Wind"),
        ("stones", ability("Bolt", card="offensive", cost="1"), "ST-01", "element is missing"),
        ("stones", ability("Bolt", card="offensive", cost="0", range="5"), "ST-10", "Possible: any"),
        ("tactics", ability("Dash", "power", phase="movment"), "TA-04", "Did you mean movement"),
        ("tactics", ability("Draught", "item", heal="much"), "TA-13", "heal"),
        ("soulweaver", ability("Dodge", "responce"), None, "Did you mean response"),
    ],
)
def test_an_ability_that_no_rule_could_use_is_refused_on_joining_and_says_what_is_meant(
    system: str, held: dict[str, Any], rule: str | None, said: str
) -> None:
    refusal = Game(system).refused(
        "Gwen", "gm add", rule=rule, name="Ogre", sheet=SHEETS[system], document=document(held)
    )
    assert held["name"] in refusal.reason
    assert said in str(refusal)


def test_kind_boss_makes_a_boss_whatever_its_case_if_it_has_what_a_boss_needs() -> None:
    game = table("adventurers")
    game.do("Gwen", "gm set", target="Ogre", pool="KIND", value="Boss")
    assert game.state.combatant("Ogre").kind == "boss"
    weak = table("adventurers", "STAMINA 10")
    weak.refused("Gwen", "gm set", rule="AD-21", target="Ogre", pool="KIND", value="Boss")
    weak.do("Gwen", "gm set", target="Ogre", pool="WILLPOWER", value="6")
    weak.do("Gwen", "gm set", target="Ogre", pool="kind", value="BOSS")
    ogre = weak.state.combatant("Ogre")
    assert (ogre.kind, ogre.pools["WILLPOWER"].now) == ("boss", 6)


def test_damaged_none_joins_without_a_damaged_part() -> None:
    assert table("adventurers", "STAMINA 10, DAMAGED none").state.combatant("Ogre").facts == {}


def test_a_field_of_an_ability_is_set_within_the_same_bounds() -> None:
    tonic = document(ability("Tonic", "item", cure="any", uses="1"), ability("Cry", type="Support"))
    game = table("adventurers", document=tonic)
    game.do("Gwen", "gm set", target="Ogre", pool="Tonic uses", value="3")
    game.do("Gwen", "gm set", target="Ogre", pool="cry TYPE", value="Assist")
    ogre = game.state.combatant("Ogre")
    assert [each.fields for each in ogre.abilities] == [{"cure": "any", "uses": "3"}, {"type": "Assist"}]
    assert "TONIC USES" not in ogre.fields
    game.refused("Gwen", "gm set", rule="AD-10", target="Ogre", pool="Tonic uses", value="two")
    game.refused("Gwen", "gm set", rule="AD-08", target="Ogre", pool="Cry type", value="Suport")
    assert "uses" in str(game.refused("Gwen", "gm set", target="Ogre", pool="Tonic usse", value="2"))


def test_an_unknown_key_is_kept_as_a_fact_and_the_gm_alone_reads_what_was_probably_meant() -> None:
    game = table("tactics")
    game.do("Gwen", "gm set", target="Ogre", pool="SPED", value="3")
    assert game.state.combatant("Ogre").fields["SPED"] == 3
    assert "Did you mean SPD?" in game.said("Gwen")
    assert "mean" not in game.said("Ana")


def test_initiative_on_a_sheet_may_be_dice() -> None:
    game = Game("classic")
    sheet = {"name": "Ayla", "owner": "101", "fields": {"INITIATIVE": "2d20kh1+3"}}
    game.do("Ana", "join", document=sheet, dice=[(20, 4), (20, 11)])
    assert game.state.initiative["Ayla"].result == 14
    game.do("Bo", "join", document={**sheet, "name": "Bree"}, rolls="1d6", dice=[(6, 5)])
    assert game.state.initiative["Bree"].result == 5


def test_a_sheet_without_commas_is_read_as_it_is_meant() -> None:
    game = Game("tactics")
    game.do("Gwen", "gm add", name="Ogre", sheet=TACTICS.replace(",", ""))
    assert game.state.combatant("Ogre").number("SPD") == 5


@pytest.mark.parametrize("phase", ["ANY", "phase any", "Any Phase", "skirmish", "PHASE 3", "3 Skirmish"])
def test_be_02_a_phase_is_understood_with_or_without_its_word_or_number(phase: str) -> None:
    game = Game("beacon")
    leap = document(ability("Leap", activation=phase))
    game.do("Gwen", "gm add", name="Ogre", sheet="HP 9, INITIATIVE 3", document=leap)
    game.do("Gwen", "encounter begin")
    while game.state.phase != "skirmish":
        game.do("Gwen", "gm next-phase")
    assert "ability" in game.legal("Ogre")


@pytest.mark.parametrize("system", sorted(systems()))
def test_a_missing_key_brings_a_sheet_that_would_do_and_no_advice_that_cannot_work(system: str) -> None:
    needed = systems()[system].sheet.example(systems()[system].sheet.needed(_newcomer(system)))
    if not needed:
        return
    refusal = str(Game(system).refused("Ana", "join"))
    assert f"/character add name:Ana system:{system} sheet:{needed}" in refusal
    assert "/gm set" not in refusal
    saved = {"name": "Ayla", "owner": "101", "fields": {"NOTE": "x"}}
    assert "/character edit name:Ayla sheet:" in str(Game(system).refused("Ana", "join", document=saved))


def _newcomer(system: str) -> Combatant:
    ana = Combatant(name="Ana", owner="101")
    return ana.evolve(kind=systems()[system].sheet.kind(ana))


@pytest.mark.parametrize(
    ("system", "key", "bad", "other", "value"),
    [
        ("adventurers", "SPECIALTIES", "wizard", "GAPS", "1-2"),
        ("beacon", "DODGE", "low", "GRIT", "3"),
        ("classic", "INITIATIVE", "fast", "AC", "14"),
        ("soulweaver", "GRIT", "much", "SPEED", "6"),
        ("stones", "CRT", "banana", "ATK", "7"),
        ("tactics", "SPD", "x", "DEF", "10"),
    ],
)
def test_an_encounter_under_way_goes_on_with_what_would_be_refused_now(
    system: str, key: str, bad: str, other: str, value: str
) -> None:
    game = table(system, side="North")
    game.do("Gwen", "gm add", name="Troll", sheet=SHEETS[system], side="South")
    ogre = game.state.combatant("Ogre")
    held = game.state.with_combatant(ogre.evolve(fields={**ogre.fields, key: bad}))
    game.table = game.table.evolve(encounter=load_encounter(held.model_dump(mode="json")))
    game.do("Gwen", "gm set", target="Ogre", pool=other, value=value)
    game.do("Gwen", "encounter begin")
    play_randomly(game, seed=1, steps=25)
    game.do("Gwen", "gm set", target="Ogre", pool="side", value="North")


@pytest.mark.parametrize("system", sorted(systems()))
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_sheet_that_is_taken_is_one_with_which_a_fight_can_be_played(system: str, data: st.DataObject) -> None:
    sheet = systems()[system].sheet
    state = Game(system).state
    drawn = {
        field.key: data.draw(st.sampled_from(fitting(field, state)), label=field.key)
        for field in sheet.every_key
        if not field.named and field.key not in ("KIND", "SIDE")
    }
    thing = Ability(name="Thing", text=data.draw(st.sampled_from(TEXTS)))
    chosen = data.draw(st.lists(st.sampled_from(sheet.fields), max_size=4)) if sheet.fields else []
    for field in (*chosen, *(sheet.fields or ())):
        if field in chosen or field.needed(thing):
            word = str(data.draw(st.sampled_from(fitting(field, state)), label=field.key))
            thing = thing.evolve(kind=word) if field.key == "kind" else with_field(thing, field.key, word)
    fields: dict[str, Any] = {key: [*value] if isinstance(value, tuple) else value for key, value in drawn.items()}
    fields[systems()[system].health] = 20  # who lies down from the start does not let a fight begin
    game = Game(system)
    try:
        game.do(
            "Gwen",
            "gm add",
            name="Ogre",
            document={**document(thing.model_dump(mode="json")), "fields": fields},
            side="North",
        )
    except Refusal as refusal:
        event("refused")
        assert "Ogre" in refusal.reason  # noqa: PT017 - a refusal is one of two good outcomes
        return
    event("played")
    game.do("Gwen", "gm add", name="Troll", sheet=SHEETS[system], side="South")
    game.do("Gwen", "encounter begin")
    play_randomly(game, seed=1, steps=12)


def with_field(ability: Ability, key: str, word: str) -> Ability:
    return ability.evolve(fields={**ability.fields, key: word})


TEXTS = ("", "[Fuse]", "[Standard Attack], [On 1-50] adds [Burn]", "When hit, it bites.")
VALUES: tuple[SheetValue, ...] = (
    *(1, 0, 2, 9, 100, -1, "3/7", "1d6", "Arm", "Fire", "any", "yes", "minor", "reaction", "VOLLEY", "PHASE ANY", "C7"),
    *("Attack", "Support", "Assist", "weapon", "item", "power", "SPD", "ends", "round", "Slowed", "Focus 1", "1-2"),
    *("counterattack", "offensive"),
)


def fitting(field: Any, state: object) -> list[SheetValue]:
    """Return the values that a key may hold, its example first."""
    found: list[SheetValue] = [] if field.example is None else [field.example]
    for value in (*VALUES, *getattr(field.form, "choices", ())):
        try:
            field.read(value, "Ogre", state)
        except Refusal:
            continue
        found.append(value)
    return found


@pytest.mark.parametrize("system", sorted(set(systems()) - {"kit"}))
@pytest.mark.parametrize("words", ["max {}", "{} maximum", "Max{}"])
def test_a_pools_maximum_is_set_by_its_name(system: str, words: str) -> None:
    game = table(system)
    found = next(iter(game.state.combatant("Ogre").pools.items()), None)
    if found is None:
        return
    pool, held = found
    assert held.top
    game.do("Gwen", "gm set", target="Ogre", pool=words.format(pool), value=str(held.top + 7))
    after = game.state.combatant("Ogre").pools[pool]
    assert (after.now, after.top) == (held.now, held.top + 7)
    game.do("Gwen", "gm set", target="Ogre", pool=words.format(pool), value="1")
    after = game.state.combatant("Ogre").pools[pool]
    assert (after.now, after.top) == (min(held.now, 1), 1)
    assert "maximum" in game.refused("Gwen", "gm set", target="Ogre", pool=words.format(pool), value="much").reason


def test_what_a_roll_is_to_reach_is_a_number_of_a_game() -> None:
    game = table("classic")
    assert "too large" in game.refused("Gwen", "gm ask", who="Ogre", rolls="1d20", at_least=10**22).reason
