"""A slash option has no line breaks: keys and abilities share one line, and none of them takes from the other."""

from __future__ import annotations

import pytest

from rules.core.registry import systems
from rules.core.sheets.blocks.reading import read_sheet

CLASSIC, BEACON, STONES = "classic", "beacon", "stones"
# System, what is typed, the keys, and each ability with its text
SHEETS: tuple[tuple[str, str, dict[str, object], dict[str, str]], ...] = (
    (
        CLASSIC,
        "HP 30, AC 16, STR +3, Longsword: attack +5, damage 1d8+3 slashing, Javelin: range 30, attack +5, damage 1d6",
        {"HP": 30, "AC": 16, "STR": 3},
        {
            "Longsword": "attack +5, damage 1d8+3 slashing",
            "Javelin": "range 30, attack +5, damage 1d6",
        },
    ),
    (
        CLASSIC,
        "HP 18, Shield: reaction, +5 AC, Second Wind: heal 1d10+3 to self, AC 12, Surge: I take one more action",
        {"HP": 18, "AC": 12},
        {
            "Shield": "reaction, +5 AC",
            "Second Wind": "heal 1d10+3 to self",
            "Surge": "I take one more action",
        },
    ),
    (
        CLASSIC,
        "Bite: attack +4, damage 2d4+2 piercing, DC 11 STR save or prone, HP 11, DEX 2",
        {"HP": 11, "DEX": 2},
        {"Bite": "attack +4, damage 2d4+2 piercing, DC 11 STR save or prone"},
    ),
    (
        CLASSIC,
        "Bite +4 2d4+2 piercing, DC 11 STR save or prone, AC 13",
        {"AC": 13},
        {"Bite": "+4 2d4+2 piercing, DC 11 STR save or prone"},
    ),
    (
        CLASSIC,
        "HP 11, Bite +4 to hit 2d4+2 piercing DC 11 STR save or prone, AC 13",
        {"HP": 11, "AC": 13},
        {"Bite": "+4 to hit 2d4+2 piercing DC 11 STR save or prone"},
    ),
    (
        STONES,
        "HP 9, ATK 4. Bite: element Fire, cost 2, the target falls prone. Guard: card defensive, restore 3 HP",
        {"HP": 9, "ATK": 4},
        {
            "Bite": "element Fire; cost 2; the target falls prone",
            "Guard": "card defensive; restore 3 HP",
        },
    ),
    (
        CLASSIC,
        "7 hp, ac 13, scimitar +4 to hit 1d6+2 slashing",
        {"HP": 7, "AC": 13},
        {"Scimitar": "+4 to hit 1d6+2 slashing"},
    ),
    (
        CLASSIC,
        "HP 20, AC 12, Gaze: 2/day, the target is blinded for 1 round. Gust: recharge 5-6, 3d6 cold damage.",
        {"HP": 20, "AC": 12},
        {"Gaze": "2/day, the target is blinded for 1 round", "Gust": "recharge 5-6, 3d6 cold damage."},
    ),
    (
        CLASSIC,
        "HP: 22 AC: 8 Init: -2 Slam: +3, 1d6+1. Deathless: when reduced to 0 HP, make a CON save",
        {"HP": 22, "AC": 8, "INITIATIVE": -2},
        {"Slam": "+3, 1d6+1", "Deathless": "when reduced to 0 HP, make a CON save"},
    ),
    (
        CLASSIC,
        "**Ogre** AC 11 | HP 59 | Speed 40 ft | Str +4 Dex -1 | Greatclub +6 (2d8+4 bludgeoning) | Gold 3",
        {"HP": 59, "AC": 11, "SPEED": 8, "STR": 4, "DEX": -1, "GOLD": 3},
        {"Greatclub": "+6 (2d8+4 bludgeoning)"},
    ),
    (
        CLASSIC,
        "Orc AC 13 HP 15 STR 16 (+3) CHA 10 (+0) Headlong. As a bonus action, it moves. Greataxe. +5 to hit, 1d12+3",
        {"HP": 15, "AC": 13, "STR": 3, "STR_SCORE": 16, "CHA": 0, "CHA_SCORE": 10},
        {"Headlong": "As a bonus action, it moves", "Greataxe": "+5 to hit, 1d12+3"},
    ),
    (
        CLASSIC,
        "HP 4, Torch: +5 to hit, 1d6 fire damage plus 1d6 cold damage, DC 9 CON save or prone",
        {"HP": 4},
        {"Torch": "+5 to hit, 1d6 fire damage plus 1d6 cold damage, DC 9 CON save or prone"},
    ),
    (  # a name inside an ability, and a sentence of one word, begin nothing
        CLASSIC,
        "HP 9, Howl: each ally that hears it gains 2 HP and AC 3 more. Once, Whistle: I move when Ana Bell falls. Gone",
        {"HP": 9},
        {
            "Howl": "each ally that hears it gains 2 HP and AC 3 more. Once",
            "Whistle": "I move when Ana Bell falls. Gone",
        },
    ),
    (
        CLASSIC,
        "Race: Hill Dwarf, Class: Fighter, HP: 44, STR: 16 (+3), Gold: 30, Maul: +6 to hit, 2d6+3 bludgeoning",
        {"RACE": "Hill Dwarf", "CLASS": "Fighter", "HP": 44, "STR": 3, "STR_SCORE": 16, "GOLD": 30},
        {"Maul": "+6 to hit, 2d6+3 bludgeoning"},
    ),
    (
        CLASSIC,
        "HP 30\nRage: bonus action, +2 damage (until the fight ends, or I fall), HP 5 back\nAC 14; GOLD 3",
        {"HP": 30, "AC": 14, "GOLD": 3},
        {"Rage": "bonus action, +2 damage (until the fight ends, or I fall), HP 5 back"},
    ),
    (
        CLASSIC,
        "HP 24, Longsword: attack +5, damage 1d8+3 slashing. Second Wind: heal 1d10+3 to self, once a fight. AC 15",
        {"HP": 24, "AC": 15},
        {
            "Longsword": "attack +5, damage 1d8+3 slashing",
            "Second Wind": "heal 1d10+3 to self, once a fight",
        },
    ),
    (
        CLASSIC,
        "HP 30. AC 16. Speed 30. Mace +5, 1d6+3 bludgeoning. Shortbow +4, 1d6+2 piercing, range 80/320.",
        {"HP": 30, "AC": 16, "SPEED": 30},
        {"Mace": "+5, 1d6+3 bludgeoning", "Shortbow": "+4, 1d6+2 piercing, range 80/320"},
    ),
    (
        CLASSIC,
        "HP 3, Mace: +5, 1d6+3 bludgeoning; on a hit: the target is prone; on a miss: half damage. Hit: it falls. AC 9",
        {"HP": 3, "AC": 9},
        {"Mace": "+5, 1d6+3 bludgeoning; on a hit: the target is prone; on a miss: half damage. Hit: it falls"},
    ),
    (
        CLASSIC,
        "HP 8; Claws: +2 to hit, 1d4 slashing, then it flees. Mood: angry",
        {"HP": 8, "MOOD": "angry"},
        {"Claws": "+2 to hit, 1d4 slashing, then it flees"},
    ),
    (CLASSIC, "NOTE melee weapon attack is my hobby, HP 8", {"NOTE": "melee weapon attack is my hobby", "HP": 8}, {}),
    (
        BEACON,
        "GRIT 3, Bow: VOLLEY, range 8, damage 1d6+1 physical, Axe: FULL ATTACK; reach 1; damage 3d6, HP 20",
        {"GRIT": 3, "HP": 20},
        {"Bow": "VOLLEY; range 8; damage 1d6+1 physical", "Axe": "FULL ATTACK; reach 1; damage 3d6"},
    ),
    (
        STONES,
        "HP 20, ATK 6, Burning Fist: [On 1-50] adds [Burn], [Stun]; draw 1, GOLD 3",
        {"HP": 20, "ATK": 6, "GOLD": 3},
        {"Burning Fist": "[On 1-50] adds [Burn], [Stun]; draw 1"},
    ),
)


@pytest.mark.parametrize(("system", "text", "fields", "abilities"), SHEETS)
def test_keys_and_abilities_of_one_line_come_apart(
    system: str, text: str, fields: dict[str, object], abilities: dict[str, str]
) -> None:
    read = read_sheet(text, systems()[system].sheet)
    assert dict(read.fields) == fields
    assert {each.name: each.source for each in read.abilities} == abilities
    assert read.unread == ()


def test_a_block_with_full_stops_for_its_lines_loses_no_number() -> None:
    read = read_sheet(
        "Armor Class 15 (shield). Hit Points 7 (2d6). Speed 30 ft. STR 8 (-1) DEX 14 (+2) CON 10 (+0) INT 10 (+0) "
        "WIS 8 (-1) CHA 8 (-1). Slippery. It hides as a bonus action. Actions. Scimitar. Melee Weapon Attack: +4 to "
        "hit, reach 5 ft., one target. Hit: 5 (1d6 + 2) slashing damage.",
        systems()[CLASSIC].sheet,
    )
    assert {key: read.fields[key] for key in ("AC", "HP", "SPEED", "STR", "CHA")} == {
        "AC": 15,
        "HP": 7,
        "SPEED": 6,
        "STR": -1,
        "CHA": -1,
    }
    assert [each.name for each in read.abilities] == ["Slippery", "Scimitar"]
    assert read.unread == ()
