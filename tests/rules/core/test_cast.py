"""A cast as people have it in their notes."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.registry import systems
from rules.core.sheets.cast import CastLine, parse_cast
from rules.errors import Malformed
from tests.rules.table import Game

SHEET = systems()["classic"].sheet


def read(line: str) -> CastLine:
    (found,) = parse_cast(line, SHEET).lines
    return found


@pytest.mark.parametrize(
    ("line", "means"),
    [
        ("3 Goblin HP 7 AC 13 +2", {"name": "Goblin", "count": 3, "fields": {"HP": 7, "AC": 13}, "bonus": 2}),
        ("Boss HP 30 hidden", {"name": "Boss", "fields": {"HP": 30}, "hidden": True}),
        ("- 2x Dire Wolf hp 2d8+2 ac 12 init +3", {
            "name": "Dire Wolf", "count": 2, "hp": "2d8+2", "fields": {"AC": 12}, "bonus": 3,
        }),
        ("Goblin x3 (HP: 7, AC: 13)", {"name": "Goblin", "count": 3, "fields": {"HP": 7, "AC": 13}}),
        ("Goblin (3), HP=7", {"name": "Goblin", "count": 3, "fields": {"HP": 7}}),
        ("1. Gnoll HP 12/22 side Wild", {"name": "Gnoll", "fields": {"HP": "12/22"}, "side": "Wild"}),
        ("Ogre", {"name": "Ogre"}),
        ("hidden Assassin HP 20", {"name": "hidden Assassin", "fields": {"HP": 20}}),
        ("Assassin hidden HP 20 STR 4 initiative 2d20kh1+4".replace("kh1", ""), {
            "name": "Assassin", "hidden": True, "fields": {"HP": 20, "STR": 4}, "dice": "2d20+4",
        }),
        ("Agent 7 HP 5", {"name": "Agent 7", "fields": {"HP": 5}}),
        ("Agent 7 HP 5 AC 13", {"name": "Agent 7", "fields": {"HP": 5, "AC": 13}}),
        ("4 Cultist (AC 12, 9 HP)", {"name": "Cultist", "count": 4, "fields": {"AC": 12, "HP": 9}}),
        ("Ghost 45hp ac11 +2 init", {"name": "Ghost", "fields": {"HP": 45, "AC": 11}, "bonus": 2}),
        ("3x Kobold - AC 12 - HP 5", {"name": "Kobold", "count": 3, "fields": {"AC": 12, "HP": 5}}),
        ("Orc: 15/15 HP, AC 13", {"name": "Orc", "fields": {"HP": "15/15", "AC": 13}}),
    ],
)  # fmt: skip
def test_a_line_of_notes_is_read(line: str, means: dict[str, Any]) -> None:
    assert read(line) == CastLine.model_validate(means)


def test_a_table_is_read_by_its_head() -> None:
    cast = parse_cast("| Name | HP | AC |\n|---|---|---|\n| 2 Orc | 15 | 13 |\n| Chief | 30 | 16 |\nRat HP 1", SHEET)
    assert [(line.name, line.count, line.fields) for line in cast.lines] == [
        ("Orc", 2, {"HP": 15, "AC": 13}),
        ("Chief", 1, {"HP": 30, "AC": 16}),
        ("Rat", 1, {"HP": 1}),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Mud Ape\nHP 59, AC 13, init +1\nMaul +7, 1d10+5 piercing\nFist: +7 to hit, 2d8+5",
        "Mud Ape HP 59\nAC 13, +1\n- Maul +7 (1d10+5 piercing)\n- fist +7 (2d8+5)",
        "Mud Ape, HP 59, AC 13, init +1; maul +7 1d10+5 piercing, fist +7 2d8+5",
    ],
)
def test_a_creature_may_have_several_lines(text: str) -> None:
    cast = parse_cast(f"{text}\n2 Rat HP 1\nCook: AC 9, Ladle +1 (1d4)", SHEET)
    assert cast.unread == ()
    assert [(line.name, line.count, line.bonus) for line in cast.lines] == [
        ("Mud Ape", 1, 1),
        ("Rat", 2, None),
        ("Cook", 1, None),
    ]
    ape = cast.lines[0]
    assert ape.fields == {"HP": 59, "AC": 13}
    assert [(each.name, each.field("hit"), each.field("damage")) for each in ape.abilities] == [
        ("Maul", "+7", "1d10+5 piercing"),
        ("Fist", "+7", "2d8+5"),
    ]


def test_two_kinds_on_one_line_are_refused() -> None:
    with pytest.raises(Malformed):
        parse_cast("3 Goblin HP 7 AC 13 HP 11", SHEET)


@pytest.mark.parametrize(
    ("line", "count", "fields", "abilities"),
    [
        ("3 Goblin HP 7 AC 13 +2 Scimitar +4 1d6+2 slashing", 3, {"HP": 7, "AC": 13}, ("Scimitar",)),
        ("2 Wolf, HP 9, AC 13, Bite: attack +4, damage 2d4, DC 9 STR save or prone", 2, {"HP": 9, "AC": 13}, ("Bite",)),
        ("Orc x2 (HP 7, AC 13): Axe +4 to hit, 1d6+2; Bow +4 1d6", 2, {"HP": 7, "AC": 13}, ("Axe", "Bow")),
        ("Wolf x2: AC 13, HP 9, bite +4 (2d4+2)", 2, {"HP": 9, "AC": 13}, ("Bite",)),
        ("Skeleton 13 HP 12 AC shortsword +4 1d6+2", 1, {"HP": 13, "AC": 12}, ("Shortsword",)),
        ("Imp 2x HP 7. Sting +5, 1d4+3. Invisible: I vanish", 2, {"HP": 7}, ("Sting", "Invisible")),
    ],
)  # fmt: skip
def test_a_line_has_attacks_and_abilities_too(
    line: str, count: int, fields: dict[str, int], abilities: tuple[str, ...]
) -> None:
    found = read(line)
    assert (found.count, found.fields, found.said) == (count, fields, ())
    assert tuple(each.name for each in found.abilities) == abilities


def test_a_hidden_creature_may_be_behind_an_attack() -> None:
    found = read("Assassin HP 18 +4, Dagger +6 1d4+4 piercing, hidden")
    assert (found.hidden, found.bonus, [each.name for each in found.abilities]) == (True, 4, ["Dagger"])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "nobody in that cast"),
        ("Goblin HP 7 loot", "Line 1, Goblin HP 7 loot: I don't know what loot says"),
        ("99 Goblin HP 7", "Line 1"),
        ("Goblin init fast", "not an initiative"),
        ("Rat\n" * 31, "31 lines"),
        ("x" * 4100, "4100 characters"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(text: str, says: str) -> None:
    with pytest.raises(Malformed, match=says):
        parse_cast(text, SHEET)


def test_a_cast_comes_in_as_one_step_and_the_hidden_stay_unknown() -> None:
    game, bare = Game(), Game()
    text = "3 Goblin HP 7 AC 13 +2\nAssassin HP 20 +4 hidden\nBoss HP 30 -1"
    done = game.do("Gwen", "add-cast", text=text)
    without = bare.do("Gwen", "add-cast", text="3 Goblin HP 7 AC 13 +2\nBoss HP 30 -1")
    assert [each.name for each in game.state.combatants] == ["Goblin 1", "Goblin 2", "Goblin 3", "Boss"]
    assert [each.name for each in game.state.hidden] == ["Assassin"]
    assert game.lines("Ana") == bare.lines("Ana")
    assert done.opaque
    assert not without.opaque
    assert "Assassin" in game.said("Gwen")


def test_a_cast_that_is_all_hidden_leaves_no_line() -> None:
    game = Game()
    assert game.do("Gwen", "add-cast", text="2 Ghoul HP 9 hidden").secret
    assert game.lines("Ana") == []


def test_a_cast_is_whole_or_not_at_all() -> None:
    game = Game("tactics")
    refused = game.refused("Gwen", "add-cast", text="Wolf HP 7 ATK 1\nOgre")
    assert "lacks" in str(refused)
    assert game.state.combatants == ()
