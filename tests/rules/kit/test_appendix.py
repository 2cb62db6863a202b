"""The ways of deciding who acts that people play by, each as a kit that is played (kits.md, appendix B).

Of the 44 ways three are kits in part alone: a test of speed after all have said what they do, a change of mind at every
second of a count, and a chart of twelve segments; they stand here as far as a kit has them.
"""

from __future__ import annotations

import pytest

from tests.rules.kit.tables import KitGame, begun
from tests.rules.table import play_randomly

PARTS = """[sheet]
DEX = 2
SPEED = 3
CARDS = 1
INIT = 2
[pool]
HP = { start = 6, out = true }
ACT = { start = 1, refill = "turn" }
REACT = { start = 1, refill = "round" }
LUCK = { of = "side", start = 2, most = 6 }
FEAR = { of = "table", most = 12 }
[check]
quick = { roll = "1d20", good = "low", against = "{DEX}+8" }
hit = { roll = "1d20", against = "11" }
[condition]
steady = {}
[action.blow]
ends = true
kind = "fight"
speed = 5
target = "foe"
check = "hit"
success = ["target loses 2 HP"]
failure = ["GM acts next"]
[action]
shot = { ends = true, kind = "shoot", speed = 2, ticks = 4, target = "foe", do = ["target loses 1 HP"] }
spell = { ends = true, kind = "magic", speed = "1d6", target = "foe", do = ["target loses 1 HP"] }
run = { ends = true, kind = "move" }
"""
ORDERED = "actions = ['move']", "actions = ['shoot']", "actions = ['magic']", "actions = ['fight']"
BY_KIND = ", ".join(f'{{ name = "part {number}", {each} }}' for number, each in enumerate(ORDERED))
SEGMENTS = ", ".join(
    f'{{ name = "segment {number}", shares = "s{number}", who = "SPEED >= {number % 5}" }}' for number in range(1, 13)
)
WHOLE = {
    "a d20 and a number, once, high first; holding": 'order = { key = "1d20+{DEX}", hold = true }',
    "the foes first where two are equal": 'order = { key = "1d20", ties = ["GM", "roll"] }',
    "a die a side each round, the winner goes through all kinds of actions first": (
        f'order = {{ type = "sides", key = "1d6", anew = "round", run = "round" }}\nphase = [ {BY_KIND} ]'
    ),
    "a die a side; both move or shoot, then both fight or cast": (
        'order = { type = "sides", key = "1d6", anew = "round" }\n'
        "phase = [ { name = 'one', actions = ['move', 'shoot'] }, { name = 'two', actions = ['fight', 'magic'] } ]"
    ),
    "declared, then a die and the speed of it": (
        'order = { key = "1d10+{speed}", best = "low" }\nphase = [ { name = "say", plan = "open" } ]'
    ),
    "declared, then dice by what one intends": (
        'order = { key = "{speed}", best = "low" }\nphase = [ { name = "say", plan = "open" } ]'
    ),
    "the highest begins, then round the table": 'order = { key = "seats 1d20" }',
    "a save for the first round, then side and side": (
        'order = { type = "sides", first = "Players" }\nphase = [ { name = "quick", who = "Players", rounds = "first", '
        'gate = "quick", shares = "p" }, { name = "foes", who = "GM" }, '
        '{ name = "others", who = "Players", shares = "p" } ]'
    ),
    "a die each round says which side is first": 'order = { type = "sides", key = "1d6", anew = "round" }',
    "a fixed number, high first, more for whoever is ready": 'order = { key = "{DEX}+{SPEED}" }',
    "cards of one to ten each round, low first, changed with a later one": (
        'order = { key = "cards 1-10", best = "low", anew = "round", swap = "later" }'
    ),
    "cards once, changed with a friend, several for some": (
        'order = { key = "cards 1-10", best = "low", swap = "side", turns = "{CARDS}" }'
    ),
    "playing cards each round, jokers at any time, holding": (
        'order = { key = "cards standard54", anew = "round", hold = true }'
    ),
    "fast players, fast foes, slow players, slow foes": (
        'order = { type = "sides", first = "Players" }\nphase = [ '
        + ", ".join(
            f'{{ name = "{pace} {who}", who = "{who}", shares = "t", optional = {flag} }}'
            for pace, flag in (("fast", "true"), ("slow", "false"))
            for who in ("Players", "GM")
        )
        + " ]"
    ),
    "foes, then players; before them who pays a reaction": (
        'order = { type = "sides" }\nphase = [ { name = "before", who = "Players", shares = "t", optional = true, '
        'pay = "1 REACT" }, { name = "foes", who = "GM" }, { name = "after", who = "Players", shares = "t" } ]'
    ),
    "a player first, then side and side": 'order = { type = "alternate", first = "Players" }',
    "a roll who begins, side and side, several turns for some": 'order = { type = "alternate", turns = "{CARDS}" }',
    "a die which side begins, side and side": 'order = { type = "alternate", key = "1d10" }',
    "side and side, and two of a pool keep the lead once": (
        'order = { type = "alternate", keep = "2 LUCK", keeps = 1, first = "Players" }'
    ),
    "whoever ends names the next": 'order = { type = "named" }',
    "rolled places, each for a side": 'order = { type = "slots", key = "{DEX}d6" }',
    "places for a side, from results that people type": 'order = { type = "slots", key = "asked" }',
    "tokens out of a bag, one ends the round, foes share theirs": (
        'order = { type = "bag", tokens = "{INIT}", shared = ["GM"], end_tokens = 1 }'
    ),
    "ticks, the next turn after the action's own": 'order = { type = "clock", key = "1d6", ticks = 3 }',
    "a place that blows take and give": (
        'order = { key = "1d6+{DEX}", anew = "turn" }\nwhen = { HP-loss = ["self loses 2 KEY"] }'
    ),
    "shots counted down, then anew": 'order = { type = "clock", count = "down", key = "1d6+6", ticks = 3 }',
    "each round anew, passes of ten less": 'order = { key = "2d6+{DEX}", anew = "round", again = -10 }',
    "a speed check against the foes: before or after them": (
        'order = { type = "sides" }\nphase = [ { name = "before", who = "Players", gate = "quick", shares = "t" }, '
        '{ name = "foes", who = "GM" }, { name = "after", who = "Players", shares = "t" } ]'
    ),
    "a speed that never changes, and active defences": (
        'order = { key = "{SPEED}" }\n'
        'reaction = { dodge = { to = "succeeded", cost = "1 REACT", do = ["it is stopped"] } }'
    ),
    "a number and a d10, high first, once": 'order = { key = "{DEX}+1d10" }',
    "the effect of a check, high first": 'order = { key = "2d6+{DEX}-8" }',
    "a number alone, high first": 'order = { key = "{DEX}", ties = ["{SPEED}", "roll"] }',
    "a d20, and a die of the table that grows each round": (
        'order = { key = "1d20" }\nwhen = { round-start = ["table gains 1 FEAR"] }'
    ),
    "declared from the lowest, done from the highest": (
        'order = { key = "1d10+{DEX}" }\n'
        'phase = [ { name = "say", reverse = true, actions = ["move"], optional = true }, '
        '{ name = "do", plan = "open" } ]'
    ),
    "what is done says when": f'order = {{ type = "open", turns = 1, optional = true }}\nphase = [ {BY_KIND} ]',
    "declared; snap, normal and deliberate actions": (
        'order = { key = "{DEX}" }\nphase = [ { name = "snap", plan = "open", actions = ["shoot"] }, '
        '{ name = "normal", actions = ["fight"] }, { name = "slow", actions = ["magic"] } ]'
    ),
    "no order; the GM at a failure or for a price": (
        'order = { type = "open", called = ["GM"], call = "1 FEAR" }\nwhen = { HP-loss = ["table gains 1 FEAR"] }'
    ),
    "no order; the GM at a miss": 'order = { type = "open", called = ["GM"] }',
    "no order, and the GM when it follows": 'order = { type = "open", turns = 2, called = ["GM"] }',
    "no order; in control or not, and a track of who had the light": (
        'order = { type = "open", turns = 1 }\nwhen = { turn-start = ["self is steady if round >= 2"] }'
    ),
    "dice make raises, and most raises act": 'order = { type = "clock", count = "down", key = "{DEX}d6", ticks = 2 }',
    "three secret actions, shown one by one": (
        'phase = [ { name = "beats", type = "open", turns = 1, plan = "secret", steps = 3, resolve = "together" } ]'
    ),
    "all plan in secret, and all happens at once": (
        'phase = [ { name = "plans", type = "open", turns = 1, plan = "secret", resolve = "together" } ]'
    ),
}
IN_PART = {
    "all say, and a check says who is first": (
        'order = { key = "{DEX}" }\nphase = [ { name = "say", plan = "open", gate = "quick" }, { name = "do" } ]'
    ),
    "second by second": 'order = { type = "clock", key = "1d6", ticks = 1, round = 12 }',
    "twelve segments in which each speed acts": f'order = {{ key = "{{DEX}}" }}\nphase = [ {SEGMENTS} ]',
}


@pytest.mark.parametrize("way", [*WHOLE, *IN_PART])
def test_a_way_of_taking_turns_that_people_play_by_is_a_kit_that_is_played(way: str) -> None:
    game = begun(KitGame(f'kit = 1\nid = "a-way"\n{ {**WHOLE, **IN_PART}[way] }\n{PARTS}'), "Ogre", "Rat")
    play_randomly(game, seed=7, steps=16)
    assert game.state.over or game.waits_for()


def test_as_many_ways_are_whole_as_the_table_says() -> None:
    assert len(WHOLE) >= 41
    assert len(IN_PART) == 3
