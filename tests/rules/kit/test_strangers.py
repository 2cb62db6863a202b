"""Three people who do not program write a kit from `/help topic:kit-file` and what a check answers (kits.md 14).

Each file stands here as it was first written, with what was read then, and as it was in the end.
"""

from __future__ import annotations

import pytest

from rules.kits.compiler import compile_kit
from rules.kits.document import read_text
from rules.kits.dry_run import dry_run
from rules.kits.notes import notes_of
from rules.systems.kit.system import KitSystem
from tests.rules.kit.reading import mistakes
from tests.rules.kit.tables import KitGame, begun
from tests.rules.table import play_randomly

SIDE_AFTER_SIDE = """kit = 1
id = "two-dice"
sides = ["Party", "Monsters"]
[order]
type = "sides"
key = d6
each_round = true
[sheet]
ARMOR = 10
[pool]
HP = 6
[actions.attack]
target = "enemy"
check = "1d20 >= ARMOR"
do = "target takes 1d6 damage"
"""
DRAWN_FROM_A_BAG = """kit = 1
id = "Cups and Beads"
[order]
type = "bag"
token = 2
[sheet]
SKILL = 6
[pool]
STAMINA = { start = 12, out = 1 }
[check]
fight = { roll = "2d6 + SKILL", against = "2d6 + {target.SKILL}" }
[action.fight]
target = "foe"
cost = 1
check = "fihgt"
success = ["target looses 2 STAMINA"]
"""
HANDED_ON = """kit = 1
id = "hot-potato"
[order]
type = "named"
key = "1d20"
[initiative]
first = "whoever wants"
[pool]
stress = { start = 3, out = true }
[action]
attack = { target = "foe", cost = "1 action", success = ["target loses 1 stress"] }
"""
FIRST = {
    "side after side": (
        SIDE_AFTER_SIDE,
        ["Line 6, character 7: d6 is no value; a text stands in quotes."],
    ),
    "side after side, in quotes": (
        SIDE_AFTER_SIDE.replace("key = d6", 'key = "d6"'),
        [
            (
                "order.each_round: each_round is not a key here. Keys here: type, key, best, anew, ties, first, run, "
                "who, gate, pay, rounds, actions, shares, optional, gives, reverse, plan, steps, resolve, rule."
            ),
            "pool.HP: 6 is not a table of keys, as { start = 10 }.",
            "actions: actions is not a key here. Did you mean action?",
            "action.attack.target: enemy is not one of none, foe, ally, other, anyone, self.",
            (
                "action.attack.do: target takes 1d6 damage is not a list of sentences; "
                'write ["target takes 1d6 damage"].'
            ),
        ],
    ),
    "side after side, the rest": (
        SIDE_AFTER_SIDE.replace("key = d6", 'key = "d6"\nanew = "round"')
        .replace("each_round = true\n", "")
        .replace("HP = 6", "HP = { start = 6, out = true }")
        .replace("[actions", "[action")
        .replace('"enemy"', '"foe"')
        .replace('"target takes 1d6 damage"', '["target takes 1d6 damage"]'),
        [
            (
                "action.attack.check: 1d20 >= ARMOR is not a check of this kit. "
                'A check has a table: [check.hit] with roll = "1d20" and against = "12".'
            ),
            (
                "action.attack.do[1]: takes is not what may follow target: gains, loses, is, moves, acts, "
                "or a pool and becomes."
            ),
        ],
    ),
    "a bag": (
        DRAWN_FROM_A_BAG,
        [
            "id: Cups and Beads is not an id in small letters with dashes, up to 24. Did you mean cups-and-beads?",
            "order.token: token is not a key here. Did you mean tokens?",
            "pool.STAMINA.out: 1 is not true or false.",
            (
                "check.fight.roll: 2d6 + SKILL: At character 7 of the dice I got `SKILL` where I expected a number, "
                "dice such as 2d6, or a parenthesis. A name stands in braces: {SKILL}."
            ),
            "action.fight.cost: 1 is not a text; write it in quotes.",
        ],
    ),
    "a bag, the rest": (
        DRAWN_FROM_A_BAG.replace("Cups and Beads", "cups-and-beads")
        .replace("token =", "tokens =")
        .replace("out = 1", "out = true")
        .replace("cost = 1\n", "ends = true\n"),
        [
            (
                "check.fight.roll: 2d6 + SKILL: At character 7 of the dice I got `SKILL` where I expected a number, "
                "dice such as 2d6, or a parenthesis. A name stands in braces: {SKILL}."
            ),
            "action.fight.check: fihgt is not a check of this kit. Did you mean fight?",
            (
                "action.fight.success[1]: looses is not what may follow target: gains, loses, is, moves, acts, "
                "or a pool and becomes. Did you mean loses?"
            ),
        ],
    ),
    "handed on": (
        HANDED_ON,
        [
            "pool: stress is not written in capitals, up to 24. Did you mean STRESS?",
            (
                "initiative: initiative is not a key here. Keys here: kit, id, title, about, by, licence, version, "
                "prefix, sides, metric, order, phase, sheet, pool, check, action, reaction, condition, when, rules, "
                "words."
            ),
        ],
    ),
    "handed on, the rest": (
        HANDED_ON.replace("stress", "STRESS").replace('[initiative]\nfirst = "whoever wants"\n', ""),
        [
            "order.key: key belongs to list, slots, clock, sides and alternate, and this order is named.",
            "action.attack.success: success belongs to a check, and this has none.",
            "action.attack.cost: action is not a pool of this kit, and not turn.",
        ],
    ),
}
LAST = {
    "side after side": """kit = 1
id = "two-dice"
sides = ["Party", "Monsters"]
[order]
type = "sides"
key = "d6"
anew = "round"
[sheet]
ARMOR = 10
[pool]
HP = { start = 6, out = true }
[check.hit]
roll = "1d20"
against = "{target.ARMOR}"
[action.attack]
target = "foe"
ends = true
check = "hit"
success = ["target loses 1d6 HP"]
""",
    "a bag": """kit = 1
id = "cups-and-beads"
[order]
type = "bag"
tokens = 2
[sheet]
SKILL = 6
[pool]
STAMINA = { start = 12, out = true }
[check]
fight = { roll = "2d6 + {SKILL}", against = "2d6 + {target.SKILL}" }
[action.fight]
target = "foe"
ends = true
check = "fight"
success = ["target loses 2 STAMINA"]
""",
    "handed on": """kit = 1
id = "hot-potato"
[order]
type = "named"
[pool]
STRESS = { start = 3, out = true }
[action]
attack = { target = "foe", once = "turn", do = ["target loses 1 STRESS"] }
""",
}


@pytest.mark.parametrize("what", FIRST)
def test_what_a_stranger_wrote_first_is_answered_so_that_the_next_try_is_better(what: str) -> None:
    text, expected = FIRST[what]
    assert mistakes(text) == expected


@pytest.mark.parametrize("what", LAST)
def test_what_a_stranger_had_in_the_end_is_played_to_its_end(what: str) -> None:
    document = read_text(LAST[what])
    kit = compile_kit(document.content)
    assert notes_of(kit) == ()
    assert dry_run(kit, document.content).stopped == ""
    game = begun(KitGame(LAST[what]), "Ogre")
    play_randomly(game, seed=25, steps=200)
    assert game.state.over is not None


def test_the_four_lines_of_the_guide_are_a_whole_kit_and_say_what_they_take_for_granted() -> None:
    text = 'kit = 1\nid = "quick"\n[order]\nkey = "1d20+{DEX}"'
    kit = compile_kit(read_text(text).content)
    assert notes_of(kit) == ("DEX is a number of the sheet, 0 where there is none; [sheet] may say another.",)
    assert "DEX" in {field.key for field in KitSystem(kit).sheet.every_key}
    game = begun(KitGame(text), "Ogre", DEX=50)
    assert game.waits_for()[0] in ("Ayla", "Bran")
    assert mistakes(text + "\n[pool]\nDEXT = {}") == [
        "order.key: {DEX} is not a pool or a sheet key of this kit. Did you mean {DEXT}?"
    ]
