"""What a kit cannot say (kits 13): somebody who tries it is told so, with what does it instead."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from rules.kits import beyond
from tests.rules.kit.reading import QUICK, mistakes

GM_DECIDES, BY_HAND = "GM decides:", "/gm"

BASE = """pool = { HP = { start = 10 } }
condition = { prone = {} }
[check]
hit = { roll = "1d20", against = "10"%(check)s }
[action]
strike = { target = "foe", check = "hit", success = ["%(says)s"]%(more)s }
%(rest)s
"""
PARRY = '[reaction]\nparry = { to = "targeted", do = ["it is stopped"] }\n'

# what is tried: the text that tells it, what it names, what works instead
SAYS = {
    "a loop": ("repeat 3: target loses 1 HP", "repeat", "Write it again, or name foes or everyone"),
    "a loop over people": ("target loses 1 HP for each ally", "each", "name foes or everyone"),
    "a condition to loop on": ("while round < 3 target loses 1 HP", "while", "Write it again"),
    "until when something lasts": ("target is prone until its next turn", "until", "for 2 turns"),
    "a variable": ("let X be 1d6", "let", 'a pool with shown = "no"'),
    "a variable that is set": ("set X to 1d6", "set", 'a pool with shown = "no"'),
    "a table of results": ("roll on the table of wounds", "roll", GM_DECIDES),
    "two effects in one": ("target loses 1 HP and target is prone", "and", "write one for each"),
    "an effect in an effect": ("if round > 3 then target loses 1 HP", "if", "its own if or unless after it"),
    "another action as an effect": ("use strike", "use", "write one for each"),
    "a reroll": ("self rerolls", "rerolls", 'for = "roller"'),
    "a reroll of what was rolled": ("it is rerolled", "rerolled", 'for = "roller"'),
    "a place where a hit lands": ("target loses 1 HP at a random location", "location", GM_DECIDES),
    "a hand of cards": ("self draws 1 card", "draws", "/deck and /hand"),
    "a wall": ("self raises a wall", "wall", "only range, neighbours and moving"),
    "an area": ("everyone within the area loses 1 HP", "area", "targets = 3"),
    "a creature that arises": ("self summons a wolf", "summons", "/gm add"),
    "a creature that comes in": ("summon a wolf", "summon", "/gm add"),
    "a phase that arises": ("phase bonus begins", "phase", "[[phase]]"),
    "a phase that is added": ("add a phase", "add", "rounds, who and gate"),
    "experience": ("self gains 10 experience", "experience", "/character edit"),
}
KEYS = {
    "tables": ("table", {"rest": "[table]\nwounds = ['arm', 'leg']"}, "table", GM_DECIDES),
    "symbols on dice": ("check.hit.symbols", {"check": ', symbols = ["sword"]'}, "symbols", GM_DECIDES),
    "hit locations": ("check.hit.location", {"check": ', location = "1d6"'}, "location", GM_DECIDES),
    "pushes": ("action.strike.push", {"more": ", push = true"}, "push", 'for = "roller"'),
    "a matrix": ("matrix", {"rest": "[matrix]\nstrike = 1"}, "matrix", GM_DECIDES),
    "action against action": ("action.strike.beats", {"more": ', beats = ["strike"]'}, "beats", GM_DECIDES),
    "chains": ("chain", {"rest": "[chain]\nstrike = 1"}, "chain", GM_DECIDES),
    "hands of cards": ("hand", {"rest": "[hand]\nsize = 5"}, "hand", "/deck and /hand"),
    "areas": ("action.strike.area", {"more": ", area = 3"}, "area", "the GM says who is there"),
    "line of sight": ("action.strike.sight", {"more": ", sight = true"}, "sight", "the GM says who is there"),
    "options": ("options", {"rest": "[options]\nhard = true"}, "options", "/encounter options file:"),
    "levels": ("level", {"rest": "[level]\ntwo = 100"}, "level", "/character edit"),
}


def told(says: str = "target loses 1 HP", check: str = "", more: str = "", rest: str = "") -> list[str]:
    return mistakes(QUICK + BASE % {"says": says, "check": check, "more": more, "rest": rest})


def test_what_is_tried_below_is_told_of_nothing_else() -> None:
    assert told() == []


@pytest.mark.parametrize("what", SAYS)
def test_a_sentence_that_no_kit_can_say_is_answered_with_what_works(what: str) -> None:
    says, word, instead = SAYS[what]
    (mistake,) = told(says)
    assert mistake.startswith(f"action.strike.success[1]: a kit can't say {word}. ")
    assert instead in mistake


@pytest.mark.parametrize("what", KEYS)
def test_a_key_for_what_no_kit_can_say_is_answered_with_what_works(what: str) -> None:
    path, changed, word, instead = KEYS[what]
    (mistake,) = told(**changed)
    assert mistake.startswith(f"{path}: {word} is not a key here. ")
    assert instead in mistake
    assert "Did you mean" not in mistake


@pytest.mark.parametrize("degree", ["matching", "twins"])
def test_dice_of_one_roll_are_not_compared_with_each_other(degree: str) -> None:
    (mistake,) = told(check=f', degrees = {{ twins = "{degree}" }}')
    assert mistake.startswith(f"check.hit.degrees.twins: {degree} is not a degree: ")
    assert GM_DECIDES in mistake


def test_cards_are_no_price() -> None:
    (mistake,) = told(more=', cost = "1 CARD"')
    assert mistake == (
        "action.strike.cost: CARD is not a pool of this kit, and not turn. A kit has no hands of "
        'cards: /deck and /hand deal them beside it; key = "cards standard54" deals the order.'
    )


def test_nobody_reacts_to_a_reaction() -> None:
    riposte = 'riposte = { to = "targeted", kind = "parry", do = ["it is stopped"] }'
    (mistake,) = told(rest=PARRY + riposte)
    assert mistake == (
        'reaction.riposte.kind: parry is a reaction. Nobody can react to a reaction: "GM decides:" '
        "in its sentences asks what follows."
    )
    (mistake,) = told(rest=PARRY + riposte.replace('"parry"', '"x"').replace("targeted", "parry"))
    assert mistake.startswith("reaction.riposte.to: parry is not one of targeted, succeeded, failed, damaged, hurt")


def test_a_slip_is_told_as_a_slip_whatever_else_the_sentence_holds() -> None:
    assert "Did you mean loses?" in told("target looses 1 HP and more")[0]
    assert "decide: can't come after GM" in told("GM decide: which card and when")[0]
    assert "HEAT is not a pool" in told("table gains 1 HEAT")[0]
    assert "Did you mean HP?" in told("target loses 1 XP")[0]


def test_a_kit_s_own_names_may_be_such_words() -> None:
    file = """pool = { CARD = { start = 3 }, XP = {} }
condition = { wall = {} }
action = { draw = { cost = "1 CARD", do = ["self gains 1 XP", "self is wall"] } }
"""
    assert mistakes(QUICK + file) == []


def test_everything_that_is_answered_so_is_tried_here() -> None:
    texts = {name: text for name, text in vars(beyond).items() if re.fullmatch("_[A-Z]+", name) and type(text) is str}
    tried = [*(told(says)[0] for says, *_ in SAYS.values()), *(told(**held)[0] for _, held, *_ in KEYS.values())]
    answered = Counter(name for name, text in texts.items() for mistake in tried if text in mistake)
    assert set(answered) == set(texts)
