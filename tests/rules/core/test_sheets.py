"""Sheets, abilities, cards and names as people type them (design 3.2)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.cards import parse_cards
from rules.core.sheets.abilities import parse_ability, source_of, with_field
from rules.core.sheets.forms import Known
from rules.core.sheets.sheet import Character, parse_character_json, parse_sheet, pool_from, require_fit
from rules.core.typed.names import clean_name, parse_name, resolve_name, resolve_names, unique_name
from rules.dice.decks import standard_deck, stones_deck
from rules.errors import Ambiguous, Malformed, Refusal

FAMILY = "👨‍👩‍👧"


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("HP 20, spd 5", {"HP": 20, "SPD": 5}),
        ("HP 12/20\nSpd -2", {"HP": "12/20", "SPD": -2}),
        ("ATK 1d6+2", {"ATK": "1d6+2"}),
        ("ATK 1d6 + 2", {"ATK": "1d6 + 2"}),
        ("SPECIALTIES Arm + Throw, GAPS 1-2 + 3-4", {"SPECIALTIES": ("Arm", "Throw"), "GAPS": ("1-2", "3-4")}),
        ("OPINION Bo 8, OPINION Cai 2", {"OPINION Bo": 8, "OPINION Cai": 2}),
        ("HP: 20, AC=13", {"HP": 20, "AC": 13}),
        ("7 hp, 13 AC, 2/5 FOCUS", {"HP": 7, "AC": 13, "FOCUS": "2/5"}),
        ("motto never again", {"MOTTO": "never again"}),
        (" , \n", {}),
    ],
)
def test_a_sheet_is_read_as_keys_and_values(text: str, fields: dict[str, Any]) -> None:
    assert parse_sheet(text) == fields


@pytest.mark.parametrize(
    "text", ["HP", "20", "HP 9999999999", "HP " + "x" * 500, "!, HP 3", ",".join(f"K{n} 1" for n in range(101))]
)
def test_a_sheet_that_cannot_be_read_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse_sheet(text)
    assert len(str(refused.value)) < 200


@given(st.text(max_size=80))
@settings(max_examples=150, deadline=None)
def test_any_text_is_a_sheet_or_a_refusal_and_never_a_crash(text: str) -> None:
    for read in (parse_sheet, parse_name, lambda t: parse_ability("Bow", t)):
        try:
            read(text)
        except Refusal as refusal:
            assert str(refusal)  # noqa: PT017 - a refusal is one of two good outcomes


def test_an_ability_ends_with_its_text() -> None:
    bow = parse_ability("Bow", "kind weapon; DAMAGE 1d8+2; range 10; text Shoots; and; damage 99")
    assert (bow.kind, bow.fields, bow.text) == ("weapon", {"damage": "1d8+2", "range": "10"}, "Shoots; and; damage 99")
    assert parse_ability("Plain", "").fields == {}


@pytest.mark.parametrize(
    ("typed", "fields", "text"),
    [
        ("on a hit 2d6; on a miss half", {"on": "a miss half"}, ""),
        ("damage 1d6; +5 to hit; range 8", {"damage": "1d6", "range": "8"}, "+5 to hit"),
        ("volley, range 6; cost 2", {"cost": "2"}, "volley, range 6"),
        ("damage: 1d6； range = 8\ntext It burns; badly.", {"damage": "1d6", "range": "8"}, "It burns; badly."),
        ("textile 3; text", {"textile": "3"}, ""),
    ],
)
def test_an_ability_keeps_its_text_as_it_was_typed(typed: str, fields: dict[str, str], text: str) -> None:
    read = parse_ability("Bow", typed)
    assert (read.source, read.fields, read.text) == (typed, fields, text)
    file = {"name": "Ayla", "abilities": [{"name": "Bow", "source": typed}]}
    assert parse_character_json(json.dumps(file), owner="1").abilities == (read,)


def test_an_ability_of_a_file_says_once_what_it_is() -> None:
    file = {"name": "Ayla", "abilities": [{"name": "Bow", "source": "damage 1d6", "text": "Sharp."}]}
    with pytest.raises(Refusal, match=r"abilities\[0\]"):
        parse_character_json(json.dumps(file), owner="1")


_KEYS = st.sampled_from(("damage", "uses", "range", "bag"))
_VALUES = st.sampled_from(("1d6+2", "3", "Pack", "burns; badly", ""))


@given(
    st.lists(st.one_of(st.builds("{} {}".format, _KEYS, _VALUES), st.sampled_from(("+5 to hit", "kind item", " ")))),
    st.sampled_from(("", "text Burns; damage 9", "text")),
    _KEYS,
    st.one_of(st.none(), _VALUES),
)
def test_somebody_who_changes_a_field_changes_the_text_too(
    parts: list[str], words: str, key: str, value: str | None
) -> None:
    after = with_field(parse_ability("Bow", "; ".join((*parts, words))), key, value)
    again = parse_ability("Bow", source_of(after))
    assert {each: said.replace(",", ";") for each, said in again.fields.items()} == after.fields
    assert (again.kind, again.text) == (after.kind, after.text)


def test_a_pool_starts_full_or_at_the_sheets_value() -> None:
    full, part = pool_from(20), pool_from("12/20")
    assert full is not None
    assert part is not None
    assert (full.now, full.top, part.now, part.top) == (20, 20, 12, 20)
    assert pool_from("much") is None


@pytest.mark.parametrize(
    "data",
    [
        "",
        "no json",
        "[]",
        "{" * 2000,
        '{"name": "A", "weapons": []}',
        '{"name": "A", "sheet": {"1": 1}}',
        '{"name": "A", "sheet": {"HP": true}}',
        '{"name": "A", "abilities": [{"nom": 1}]}',
        b"\xff\xfe",
        b"x" * 300_000,
    ],
)
def test_a_file_that_holds_no_character_is_refused(data: str | bytes) -> None:
    with pytest.raises(Refusal):
        parse_character_json(data, owner="1")


def test_an_unknown_key_of_a_file_is_named_with_its_path() -> None:
    with pytest.raises(Refusal, match=r"abilities\[0\]\.nom"):
        parse_character_json('{"name": "A", "abilities": [{"nom": 1}]}', owner="1")


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("  Ayla ", "Ayla"),
        ("Ａｙｌａ", "Ayla"),
        ("**Bold**", "**Bold**"),
        ("D'Arc", "D'Arc"),
        (FAMILY, FAMILY),
        ("x" * 32, "x" * 32),
    ],
)
def test_a_name_is_trimmed_and_brought_into_one_form(typed: str, name: str) -> None:
    assert parse_name(typed) == name


@pytest.mark.parametrize(
    "typed",
    ["", "  ", "x" * 33, "👍" * 100, "A,B", "A;B", 'A"B', "A`B", "A\nB", "\u202eAyla", "A\u200eB", "\u200d\ufe0f"],
)
def test_a_name_that_breaks_the_form_is_refused(typed: str) -> None:
    with pytest.raises(Malformed):
        parse_name(typed)


@pytest.mark.parametrize(
    ("display", "name"),
    [
        ("\u202eAyla`;", "Ayla"),
        ("", "Player"),
        ("\u202e", "Player"),
        ("👍" * 100, "👍" * 32),
        ("A,B", "AB"),
        ("x " * 40, ("x " * 16).strip()),
    ],
)
def test_a_display_name_is_cleaned(display: str, name: str) -> None:
    assert clean_name(display) == name
    assert parse_name(clean_name(display)) == name


def test_a_double_gets_a_number_without_regard_to_case() -> None:
    assert unique_name("ayla", ["Ayla"]) == "ayla 2"
    assert unique_name("Ayla", ["Ayla", "AYLA 2"]) == "Ayla 3"
    assert len(unique_name("x" * 32, ["x" * 32])) == 32


def test_a_list_takes_exact_names_then_unique_beginnings() -> None:
    among = ("Goblin", "Goblin 1", "Ogre")
    assert resolve_names("ogre, goblin, OG", among, "combatant") == ("Ogre", "Goblin")
    with pytest.raises(Ambiguous) as several:
        resolve_name("gob", among, "combatant")
    assert several.value.candidates == ("Goblin", "Goblin 1")
    with pytest.raises(Malformed, match="Troll"):
        resolve_name("Troll", among, "combatant")


def test_cards_are_read_with_copies_and_without_regard_to_case() -> None:
    assert parse_cards("2x fire 2, Fire INF", stones_deck()) == ("Fire 2", "Fire 2", "Fire inf")
    assert parse_cards("as, 10h,x1", standard_deck(jokers=True)) == ("AS", "10H", "X1")


@pytest.mark.parametrize("text", ["", ",", "11H", "999x AS", "Fire 2"])
def test_cards_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(Refusal):
        parse_cards(text, standard_deck(jokers=False))


def test_a_known_word_with_a_name_behind_it_is_not_mistyped() -> None:
    tags = Known(("Slow", "weapon", "linked"))
    assert tags.read(("weapon", "linked:Pair")) == ("weapon", "linked:Pair")
    assert tags.read("weapon + linked:Pair") == "weapon + linked:Pair"


@pytest.mark.parametrize(
    "text", [("linkd:Pair",), "linkd:Pair", "weapon + linkd:Pair", "weapon, linkd:Pair", "Slwo + x"]
)
def test_each_known_word_of_a_list_is_looked_at_by_itself(text: str | tuple[str, ...]) -> None:
    tags = Known(("Slow", "weapon", "linked"))
    with pytest.raises(Malformed, match=r"linked|Slow"):
        tags.read(text)


TOO_LONG: Mapping[str, dict[str, Any]] = {
    "a value": {"sheet": {"HP": "x" * 401}},
    "a list": {"sheet": {"ARMS": ["x" * 30] * 20}},
    "a key": {"sheet": {"OPINION " + "x" * 33: 1}},
    "an ability's field": {"abilities": [{"name": "Jab", "fields": {"cost": "1" * 4001}}]},
    "an ability's text": {"abilities": [{"name": "Jab", "text": "x" * 4001}]},
    "a kind": {"abilities": [{"name": "Jab", "kind": "x" * 33}]},
    "a condition": {"conditions": [{"name": "x" * 33}]},
    "a save": {"conditions": [{"name": "Prone", "save": "1d6+" * 101}]},
}


@pytest.mark.parametrize("what", TOO_LONG)
def test_a_file_holds_nothing_longer_than_what_people_type_and_nothing_is_cut_in_silence(what: str) -> None:
    whole = {"name": "Ana", **TOO_LONG[what]}
    with pytest.raises(Malformed):
        parse_character_json(json.dumps(whole), owner="1")


@pytest.mark.parametrize(
    "kept",
    [
        {"fields": {"HP": "1" * 401}},
        {"fields": {"ARMS": ["x" * 30] * 20}},
        {"fields": {"X" * 58: 1}},
        {"fields": {f"K{number}": 1 for number in range(101)}},
        {"abilities": [{"name": "Jab", "fields": {"cost": "1" * 4001}}]},
        {"abilities": [{"name": "J" * 33}]},
        {"abilities": [{"name": f"Jab {number}"} for number in range(61)]},
        {"conditions": [{"name": "Prone", "save": "1d6+" * 101}]},
    ],
)
def test_what_was_kept_before_holds_nothing_longer_either(kept: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        require_fit(Character.model_validate({"name": "Ana", "owner": "1", **kept}))
