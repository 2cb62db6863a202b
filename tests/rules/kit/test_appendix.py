"""The ways of deciding who acts that people play by, each as a kit that is played (kits.md, appendix B).

Of the 44 ways three are kits in part alone: a test of speed after all have said what they do, a change of mind at every
second of a count, and a chart of twelve segments; they are here as far as a kit has them.
"""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.registry import system_of
from tests.rules.kit.tables import KitGame, begun, seated
from tests.rules.table import Game, play_randomly

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
    "the foes first where two are equal": 'order = { key = "{DEX}", ties = ["GM", "roll"] }',
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


# The ones the table waits for, turn by turn, by initials: the first acts. A bar is a new round, a dash a new phase;
# braces tell in which order what was planned is carried out. If dice decide, it is what fell with this seed.
WAITED_FOR = {
    "a d20 and a number, once, high first; holding": "B O A R | B O A R | B O A R",
    "the foes first where two are equal": "O B A R | O B A R | O B A R",
    "a die a side each round, the winner goes through all kinds of actions first": (
        "AB B - AB B - AB B - AB B - OR R - OR R"
    ),
    "a die a side; both move or shoot, then both fight or cast": "AB B OR R - AB B OR R | AB B OR R",
    "declared, then a die and the speed of it": "ABOR BOR OR R {ROBA} | ABOR BOR OR R {ORBA} | ABOR BOR OR R {RABO}",
    "declared, then dice by what one intends": "ABOR BOR OR R {ROAB} | ABOR BOR OR R {ROBA} | ABOR BOR OR R {ROBA}",
    "the highest begins, then round the table": "B O R A | B O R A | B O R A",
    "a save for the first round, then side and side": "A - OR R - B | OR R - AB B | OR R - AB B",
    "a die each round says which side is first": "AB B OR R | AB B OR R | AB B OR R",
    "a fixed number, high first, more for whoever is ready": "B O A R | B O A R | B O A R",
    "cards of one to ten each round, low first, changed with a later one": "O R A B | B O R A | B O R A",
    "cards once, changed with a friend, several for some": "O R A B O | O R A B O | O R",
    "playing cards each round, jokers at any time, holding": "B O R A | A O R B | R A O B",
    "fast players, fast foes, slow players, slow foes": "AB B - OR R | AB B - OR R | AB B - OR R",
    "foes, then players; before them who pays a reaction": "AB B - OR R | AB B - OR R | AB B - OR R",
    "a player first, then side and side": "AB OR B R | AB OR B R | AB OR B R",
    "a roll who begins, side and side, several turns for some": "OR AB OR B R | OR AB OR B R | OR AB",
    "a die which side begins, side and side": "AB OR B R | AB OR B R | AB OR B R",
    "side and side, and two of a pool keep the lead once": "AB OR B R | AB OR B R | AB OR B R",
    "whoever ends names the next": "ABOR B O R | A B O R | A B O R",
    "rolled places, each for a side": "OR AB B R | OR AB B R | OR AB B R",
    "places for a side, from results that people type": "AB OR B R | AB OR B R | AB OR B R",
    "tokens out of a bag, one ends the round, foes share theirs": "| OR OR OR B OR A B A | A B OR A",
    "ticks, the next turn after the action's own": "O R O R B A R O A B | O R",
    "a place that blows take and give": "B A O R | B O A R | B O A R",
    "shots counted down, then anew": "B A A B O R B A O R A B",
    "each round anew, passes of ten less": "O A B O A R | O B R A O B",
    "a speed check against the foes: before or after them": "A - OR R - B | A - OR R - B | OR R - AB B",
    "a speed that never changes, and active defences": "B O R A | B O R A | B O R A",
    "a number and a d10, high first, once": "O B A R | O B A R | O B A R",
    "the effect of a check, high first": "O A B R | O A B R | O A B R",
    "a number alone, high first": "B O A R | B O A R | B O A R",
    "a d20, and a die of the table that grows each round": "B O A R | B O A R | B O A R",
    "declared from the lowest, done from the highest": "R A B O - ABOR BOR OR R {OBAR} | R A B O",
    "what is done says when": "ABOR BOR OR R - ABOR BOR OR R - ABOR BOR OR R",
    "declared; snap, normal and deliberate actions": "ABOR BOR OR R - O B A R - O B A R",
    "no order; the GM at a failure or for a price": "AB AB AB AB AB AB AB AB AB AB AB AB",
    "no order; the GM at a miss": "AB AB AB AB AB AB AB AB AB AB AB AB",
    "no order, and the GM when it follows": "AB AB B B | AB AB B B | AB AB B B",
    "no order; in control or not, and a track of who had the light": "ABOR BOR OR R | ABOR BOR OR R | ABOR BOR OR R",
    "dice make raises, and most raises act": "O O B O O B B O B O B O",
    "three secret actions, shown one by one": "ABOR ABOR ABOR BOR BOR BOR OR OR OR R R R {ABORABORR}",
    "all plan in secret, and all happens at once": "ABOR BOR OR R {ABOR} | ABOR BOR OR R {ABOR} | ABOR BOR OR R {ABOR}",
    "all say, and a check says who is first": "AOR OR R {OAR} - O B A R | AOR OR R {OAR} - O B",
    "second by second": "O R O R R O O R O R O R",
    "twelve segments in which each speed acts": "O B A R - O B R - O B - B - O B",
}
NUMBERS = {"Ayla": (4, 1, 1), "Bran": (8, 5, 1), "Ogre": (8, 3, 2), "Rat": (1, 2, 1)}  # DEX, SPEED, CARDS
PLANS = {"Ayla": "blow", "Bran": "spell", "Ogre": "shot", "Rat": "run"}
BY = {"Ayla": "Ana", "Bran": "Bo"}
DONE = ("Blow", "Spell", "Shot", "Run")
TURNS = 12


def turns_of(way: str) -> str:
    """Return the ones the table waits for, turn by turn, by initials; in braces, plans in the order they are done."""
    text = {**WHOLE, **IN_PART}[way]
    parts = (
        PARTS.replace("ends = true", "ends = false") if "steps =" in text else PARTS
    )  # it would drop the steps behind it
    game = seated(KitGame(f'kit = 1\nid = "a-way"\n{text}\n{parts}'), "Ogre", "Rat")
    for who, numbers in NUMBERS.items():
        for pool, value in zip(("DEX", "SPEED", "CARDS"), numbers, strict=True):
            game.do("Gwen", "gm set", target=who, pool=pool, value=str(value))
    game.do("Gwen", "encounter begin")
    found: list[str] = []
    place = (1, game.state.phase)
    for _ in range(TURNS):
        if (now := (game.state.round, game.state.phase)) != place:
            found.append("|" if now[0] != place[0] else "-")
            place = now
        found.append("".join(who[0] for who in game.waits_for()))
        _act(game, game.waits_for()[0], plans="plan =" in text)
        done = (line.partition(": ") for line in game.lines())
        told = [who[0] for who, _, what in done if who in NUMBERS and what.startswith(DONE)]
        if len(told) > 1 and "plan =" in text:
            found.append(f"{{{''.join(told)}}}")
    return " ".join(found)


def _act(game: Game, who: str, *, plans: bool) -> None:
    """End the turn, or do what may be done if nothing ends it; plan what each plans."""
    offers = {each.action: each for each in system_of(game.state).offers(game.state, who)}
    offer = next(offers[each] for each in (PLANS[who] if plans else "end", "end", "run", *offers) if each in offers)
    given: dict[str, Any] = {each.name: min(each.choices or ("x",)) for each in offer.params if each.required}
    game.do(BY.get(who, "Gwen"), offer.action, character=who, **given)


@pytest.mark.parametrize("way", WAITED_FOR)
def test_the_table_waits_for_those_the_way_names(way: str) -> None:
    assert turns_of(way) == WAITED_FOR[way]


@pytest.mark.parametrize("way", [*WHOLE, *IN_PART])
def test_a_way_of_taking_turns_that_people_play_by_is_a_kit_that_is_played(way: str) -> None:
    game = begun(KitGame(f'kit = 1\nid = "a-way"\n{ {**WHOLE, **IN_PART}[way] }\n{PARTS}'), "Ogre", "Rat")
    play_randomly(game, seed=7, steps=16)
    assert game.state.over or game.waits_for()


def test_as_many_ways_are_whole_as_the_table_says() -> None:
    assert len(WHOLE) >= 41
    assert len(IN_PART) == 3
