"""People who do not program write a kit from `/help topic:kit-file` and what a check answers (kits 14).

Each file is here as it was first written, with what was read then, and as it was in the end.
"""

from __future__ import annotations

import pytest

from rules.kits.compiler import compile_kit
from rules.kits.document import read_text
from rules.kits.dry_run import dry_run
from rules.kits.notes import notes_of
from rules.kits.speech import said_back
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
MOST_ACTS_NEXT = """kit = 1
id = "bold-blows"
[order]
key = "{INIT}"
anew = "turn"
ties = ["Villains"]
[sheet]
JOIN = 4
[pool]
INIT = { start = "{JOIN}d6", shown = "number" }
HEALTH = { start = 7, out = true }
[check]
hit = { roll = "5d10", good = "count", each = ">= 7", against = 3 }
[action]
wither = { once = "round", ends = true, target = "foe", check = "hit", success = ["target loses 1d6 INIT"] }
decide = { needs = "INIT > 0", cost = "2 TICKS", target = "foe", check = "hit", failure = ["self looses 2 INIT"] }
brace = { do = ["self gains 1 dice", "self is crashed for 1 round", "self is out"] }
[reaction]
help = { to = "hurt", for = "ally", do = ["it is stopped"] }
[when]
INIT-zero = "self is crashed for 3 turns"
[condition]
crashed = { forbids = ["decide"] }
"""
RAISES = """kit = 1
id = "raises"
order = { type = "clock", count = "down", key = "{DICE}d10" }
sheet = { DICE = 6 }
pool = { WOUNDS = { most = 5, out = true } }
[action]
hit = { ticks = 1, target = "foe", using = "weapon", do = ["target gains 1 WOUNDS", "say {self} is helpless"] }
"""
ROLLED_EACH_ROUND = """kit = 1
id = "Dawn Skirmish"
[order]
key = "1d10 + QUICK"
each-round = true
[sheet]
QUICK = 0
ARMOR = 1
DEFENSE = 10
DAMAGE = "1d6"
[pool]
HP = { start = 12, out = true }
ACTIONS = { start = 2, refill = "turn" }
RAGE = { start = 0, max = 5 }
[check]
hit = { roll = "1d20 + {MELEE}", against = "{target.DEFENSE}" }
[action.strike]
cost = "1 ACTION"
target = "enemy"
check = "hit"
success = ["target loses {DAMAGE} - {target.ARMOR} HP"]
[action.guard]
cost = "1 ACTIONS"
do = ["self is guarded for 1 turn"]
[action.rage]
cost = "3 RAGE"
do = ["self gains 2 ACTIONS"]
[when]
HP-loss = "self gains 1 RAGE"
[condition]
guarded = { defense = 2 }
"""
FIRST = {
    "rolled each round, without quotes": (
        ROLLED_EACH_ROUND.replace('"1d6"', "1d6"),
        ["Line 10, character 10: 1d6 is not a value; put a text in quotes."],
    ),
    "rolled each round": (
        ROLLED_EACH_ROUND,
        [
            (
                "id: Dawn Skirmish is not an id in lower-case letters with dashes, with 24 characters "
                "at most. Did you mean dawn-skirmish?"
            ),
            (
                "order.each-round: each-round is not a key here. Keys here: type, key, best, anew, ties, turns, again, "
                "hold, swap, who, gate, pay, rounds, actions, shares, optional, gives, reverse, plan, steps, resolve, "
                "rule."
            ),
            (
                "order.key: 1d10 + QUICK: I can't read “QUICK” at character 8. I expected a number, "
                "dice such as 2d6, or a parenthesis. Put a name in braces: {QUICK}."
            ),
            "pool.RAGE.max: max is not a key here. Keys here: start, most, of, refill, out, shown.",
            ("check.hit.roll: {MELEE} is not a pool or a sheet key of this kit. [sheet] can have it: MELEE = 0."),
            "action.strike.target: enemy is not one of none, foe, ally, other, anyone, self.",
            "action.strike.cost: ACTION is not a pool of this kit, and not turn. Did you mean ACTIONS?",
            'when.HP-loss: self gains 1 RAGE is not a list of sentences; write ["self gains 1 RAGE"].',
            (
                "condition.guarded.defense: defense is not a key here. "
                "Keys here: label, lasts, ticks, save, forbids, skips, out, checks, against, edge, edge_against, do, "
                "rule."
            ),
        ],
    ),
    "most acts next": (
        MOST_ACTS_NEXT,
        [
            "order.ties[1]: Villains is not roll, together, a side or a number. Sides here: Players, GM.",
            'action.decide.needs: INIT > 0 is not a list of comparisons; write ["INIT > 0"].',
            (
                "action.decide.cost: TICKS is not a pool of this kit, and not turn. "
                "For what an action takes of a clock, use the key ticks, such as ticks = 2."
            ),
            (
                "action.decide.failure[1]: looses can't come after self: use gains, loses, is, "
                "moves, acts, goes, or a pool and becomes. Did you mean loses?"
            ),
            (
                "action.brace.do[1]: dice is not a pool of this kit. "
                "Pools here: INIT, HEALTH, TURNS, TICKS, TOKENS, KEY."
            ),
            "action.brace.do[2]: after crashed, write nothing, or for N turns, such as for 2 turns.",
            (
                "action.brace.do[3]: out is not a condition of this kit. "
                "A pool or a condition with out = true says who is out."
            ),
            'reaction.help: it is stopped comes too late for hurt; use it with to = "targeted" or "succeeded".',
            (
                "when.INIT-zero: self is crashed for 3 turns is not a list of sentences; "
                'write ["self is crashed for 3 turns"].'
            ),
        ],
    ),
    "side after side": (
        SIDE_AFTER_SIDE,
        ["Line 6, character 7: d6 is not a value; put a text in quotes."],
    ),
    "side after side, in quotes": (
        SIDE_AFTER_SIDE.replace("key = d6", 'key = "d6"'),
        [
            (
                "order.each_round: each_round is not a key here. Keys here: type, key, best, anew, ties, first, run, "
                "who, gate, pay, rounds, actions, shares, optional, gives, reverse, plan, steps, resolve, rule."
            ),
            "pool.HP: 6 is not a table of keys, such as { start = 10 }.",
            "actions: actions is not a key here. Did you mean action?",
            "action.attack.target: enemy is not one of none, foe, ally, other, anyone, self.",
            (
                "action.attack.do: target takes 1d6 damage is not a list of sentences; "
                'write ["target takes 1d6 damage"].'
            ),
            (
                "action.attack.check: 1d20 >= ARMOR is not a check of this kit. "
                'A check needs a table: [check.hit] with roll = "1d20" and against = "12".'
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
                'A check needs a table: [check.hit] with roll = "1d20" and against = "12".'
            ),
            (
                "action.attack.do[1]: takes can't come after target: use gains, loses, is, moves, "
                "acts, goes, or a pool and becomes."
            ),
        ],
    ),
    "a bag": (
        DRAWN_FROM_A_BAG,
        [
            (
                "id: Cups and Beads is not an id in lower-case letters with dashes, with 24 characters "
                "at most. Did you mean cups-and-beads?"
            ),
            "order.token: token is not a key here. Did you mean tokens?",
            "pool.STAMINA.out: 1 is not true or false.",
            (
                "check.fight.roll: 2d6 + SKILL: I can't read “SKILL” at character 7. I expected a number, "
                "dice such as 2d6, or a parenthesis. Put a name in braces: {SKILL}."
            ),
            "action.fight.cost: 1 is not a text; write it in quotes.",
            "action.fight.check: fihgt is not a check of this kit. Did you mean fight?",
            (
                "action.fight.success[1]: looses can't come after target: use gains, loses, is, "
                "moves, acts, goes, or a pool and becomes. Did you mean loses?"
            ),
        ],
    ),
    "a bag, the rest": (
        DRAWN_FROM_A_BAG.replace("Cups and Beads", "cups-and-beads")
        .replace("token =", "tokens =")
        .replace("out = 1", "out = true")
        .replace("cost = 1\n", "ends = true\n"),
        [
            (
                "check.fight.roll: 2d6 + SKILL: I can't read “SKILL” at character 7. I expected a number, "
                "dice such as 2d6, or a parenthesis. Put a name in braces: {SKILL}."
            ),
            "action.fight.check: fihgt is not a check of this kit. Did you mean fight?",
            (
                "action.fight.success[1]: looses can't come after target: use gains, loses, is, "
                "moves, acts, goes, or a pool and becomes. Did you mean loses?"
            ),
        ],
    ),
    "handed on": (
        HANDED_ON,
        [
            ("pool: stress is not written in capitals, with 24 characters at most. Did you mean STRESS?"),
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
            "order.key: key belongs to list, slots, clock, sides and alternate, but this order is named.",
            "action.attack.success: success needs a check, and there is none here.",
            "action.attack.cost: action is not a pool of this kit, and not turn. Pools here: STRESS.",
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
    "rolled each round": ROLLED_EACH_ROUND.replace("Dawn Skirmish", "dawn-skirmish")
    .replace("each-round = true", 'anew = "round"')
    .replace("+ QUICK", "+ {QUICK}")
    .replace("max", "most")
    .replace("[sheet]", "[sheet]\nMELEE = 2")
    .replace("enemy", "foe")
    .replace('1 ACTION"', '1 ACTIONS"')
    .replace('"self gains 1 RAGE"', '["self gains 1 RAGE"]')
    .replace("defense = 2", 'against = -2, ticks = "bearer-start"'),
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
    "most acts next": """kit = 1
id = "bold-blows"
[order]
key = "{INIT}"
anew = "turn"
[sheet]
JOIN = 4
[pool]
INIT = { start = "{JOIN}d6", shown = "number" }
HEALTH = { start = 7, out = true }
[check]
hit = { roll = "5d10", good = "count", each = ">= 7", against = 2 }
[action]
wither = { ends = true, target = "foe", check = "hit", success = ["target loses 1d6 INIT", "self gains 1d6 INIT"] }
[action.decide]
needs = ["INIT > 0"]
target = "foe"
ends = true
check = "hit"
success = ["target loses {INIT}d2 HEALTH", "self INIT becomes 3"]
failure = ["self loses 2 INIT"]
[when]
INIT-zero = ["self is crashed for 3 turns"]
[condition]
crashed = { forbids = ["decide"] }
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
    assert notes_of(kit) == (
        "DEX is a number of the sheet, and 0 if a sheet lacks it; [sheet] can give another default.",
    )
    assert "DEX" in {field.key for field in KitSystem(kit).sheet.every_key}
    game = begun(KitGame(text), "Ogre", DEX=50)
    assert game.waits_for()[0] in ("Ayla", "Bran")
    assert mistakes(text + "\n[pool]\nDEXT = {}") == [
        "order.key: {DEX} is not a pool or a sheet key of this kit. Did you mean {DEXT}?"
    ]


def test_notes_tell_what_would_surprise_as_it_is_played() -> None:
    assert notes_of(compile_kit(read_text(RAISES).content)) == (
        "WOUNDS starts at 0, which puts its bearer out: write a start above 0.",
        "hit needs a weapon on a sheet; the dry run's fighters have none.",
        "{self} is in words for people, where I fill in nothing.",
    )


def test_what_is_said_back_reads_as_it_is_played() -> None:
    text = """kit = 1
id = "aloud"
phase = [ { name = "low", reverse = true, plan = "open" }, { name = "high" } ]
sheet = { SKILL = 2 }
pool = { HP = { start = 9, out = true }, POISE = { start = "1d6" }, GUN = {}, ACT = { start = 1, refill = "round" } }
check = { hit = { roll = "{SKILL}d6", good = "count", each = ">= 5", against = "{target.SKILL}d6" } }
condition = { dodging = {} }
[action]
hit = { target = "foe", check = "hit", success = ["target loses {by}+1 HP"] }
dodge = { do = ["self is dodging for 1 turn"] }
"""
    said = {part.about: part.words for part in said_back(compile_kit(read_text(text).content))}
    assert "lowest 1d20" in said["1 low"]
    assert "plan" in said["1 low"]
    assert "highest 1d20" in said["2 high"]
    assert ("hold" in said["1 low"], "hold" in said["2 high"]) == (False, True)
    assert said["hit"] == (
        "target: a foe; you roll SKILL d6, of which each that is at least 5 counts, and need at least "
        "the target's SKILL d6; "
        "on a success the target loses the roll's distance+1 HP."
    )
    assert said["POISE"] == "of each, starts at 1d6, at most that."
    assert said["GUN"] == "of each, starts at 0."
    assert said["ACT"] == "of each, starts at 1; back to that as a round starts."
    assert said["dodge"] == "you are dodging for 1 turn."
