"""Each message that the reader of a kit can give is pressed by a test that has it word for word (kits 8 and 14)."""

from __future__ import annotations

import re
import tomllib

import pytest

from rules.kits.compiler import compile_kit
from rules.kits.document import read_text
from rules.kits.notes import notes_of
from tests.rules.kit.format.keys import MODELS
from tests.rules.kit.format.messages import CASES, expected, messages
from tests.rules.kit.reading import QUICK, mistakes

FILES = tomllib.loads(CASES.read_text("utf-8"))


@pytest.mark.parametrize("what", FILES["toml"])
def test_a_mistake_is_told_with_its_place_what_was_found_and_what_was_expected(what: str) -> None:
    file, told = FILES["toml"][what]
    assert mistakes(file if file.startswith("kit") else QUICK + file) == [told]


@pytest.mark.parametrize("what", FILES["json"])
def test_a_mistake_of_json_is_told_as_one_of_toml_is(what: str) -> None:
    file, told = FILES["json"][what]
    assert mistakes(file, "mine.json") == [told]


CENTRAL = {
    "a target": (
        """check = { hit = { roll = "1d20", against = "{target.HP}" } }
pool = { HP = {} }
[action.hit]
target = "enemy"
targets = 2
range = 1
check = "hit"
success = ["target loses 1 HP"]
""",
        "action.hit.target: enemy is not one of none, foe, ally, other, anyone, self.",
    ),
    "an amount": (
        'pool = { HP = {} }\naction = { hit = { amount = 3, do = ["self loses {amount} HP"] } }',
        'action.hit.amount: 3 is not a range such as "1-5".',
    ),
    "a weapon": (
        'pool = { HP = {} }\naction = { hit = { using = 3, do = ["self loses {using.DMG} HP"] } }',
        "action.hit.using: 3 is not a text; write it in quotes.",
    ),
    "a type": (
        'order = { type = "bagg", tokens = 2 }',
        ("order.type: bagg is not one of list, sides, alternate, slots, bag, clock, named, open. Did you mean bag?"),
    ),
    "a phase's type": (
        'phase = [ { name = "draw", type = "bagg", tokens = 2 } ]',
        ("phase[1].type: bagg is not one of list, sides, alternate, slots, bag, clock, named, open. Did you mean bag?"),
    ),
    "a way of counting": (
        'check = { hit = { roll = "3d6", good = "many", each = ">= 5" } }',
        "check.hit.good: many is not one of high, low, count.",
    ),
    "a check": (
        'check = { hit = { roll = "3d6" } }\naction = { hit = { check = 3, success = ["say so"] } }',
        "action.hit.check: 3 is not a text; write it in quotes.",
    ),
    "a pool that is no table": (
        """pool = { HP = {}, ACT = 1 }
check = { hit = { roll = "1d20+{ACT}" } }
[action.hit]
cost = "1 ACT"
needs = ["ACT > 0"]
do = ["self gains 1 ACT"]
""",
        "pool.ACT: 1 is not a table of keys, such as { start = 10 }.",
    ),
    "whose pool it is, of one that is no table": (
        'pool = { HP = {}, FEAR = 0 }\naction = { hit = { do = ["table gains 1 FEAR"] } }',
        "pool.FEAR: 0 is not a table of keys, such as { start = 10 }.",
    ),
    "a check that others name": (
        """check = { hit = { roll = "3d6", good = "many", degrees = { great = "success by 3" } } }
[action.hit]
check = "hit"
success = ["say so"]
on = { great = ["say more"] }
""",
        "check.hit.good: many is not one of high, low, count.",
    ),
    "an action that others name": (
        'action = { walk = 3 }\ncondition = { prone = { forbids = ["walk"] } }',
        'action.walk: 3 is not a table of keys, such as { target = "foe" }.',
    ),
}


@pytest.mark.parametrize("what", CENTRAL)
def test_what_hangs_on_a_mistaken_key_is_no_mistake_of_its_own(what: str) -> None:
    file, told = CENTRAL[what]
    assert mistakes(QUICK + file) == [told]


HEADS = {
    "order": "[order]\n",
    "pool.FORCE": "[pool.FORCE]\n",
    "check.hit": "[check.hit]\nroll = '1d20'\n",
    "action.hit": "[action.hit]\n",
    "reaction.duck": "[reaction.duck]\nto = 'hurt'\n",
    "condition.prone": "[condition.prone]\n",
}
ELSEWHERE = [
    (place, key)
    for place in HEADS
    for key in ("roll", "to", "target", "amount", "using")
    if key not in {field.alias or name for name, field in MODELS[place.split(".")[0]].model_fields.items()}
]


@pytest.mark.parametrize(("place", "key"), ELSEWHERE, ids=lambda each: each)
def test_a_key_in_a_part_of_another_kind_is_one_mistake_with_its_place(place: str, key: str) -> None:
    (told,) = mistakes(f"{QUICK}{HEADS[place]}{key} = 'x'\n")
    assert told.startswith(f"{place}.{key}: {key} is not a key here.")


def test_there_is_a_test_of_every_message() -> None:
    known = expected()
    missing = [
        f"{message.place}: {message.pattern}"
        for message in messages()
        if not any(re.fullmatch(rf"(\S+: )?{message.pattern}", text) for text in known)
    ]
    assert missing == []


def test_an_id_that_gives_no_prefix_needs_one_written() -> None:
    assert mistakes('kit = 1\nid = "q"\n') == [
        'prefix: prefix is missing: the id does not give two or three capitals, such as prefix = "MK".'
    ]


def test_a_key_of_a_thousand_parts_is_not_looked_into() -> None:
    assert mistakes(f"{QUICK}{'a.' * 1000}a = 1") == ["This is nested deeper than 6 tables and lists."]


def test_a_line_may_have_as_many_full_stops_as_its_sentences_need() -> None:
    rules = ", ".join(f"QU-{number:02} = 'One. Two. Three. Four. Five.'" for number in range(60))
    assert mistakes(f"{QUICK}rules = {{ {rules} }}") == []


def test_a_format_that_is_no_number_is_told() -> None:
    assert mistakes('kit = "one"\nid = "quick"\n') == ["kit: one is not 1 or 2."]


def test_a_phase_in_which_nobody_can_do_anything_is_noted() -> None:
    text = 'phase = [ { name = "act" }, { name = "rest", actions = [] } ]\n[action]\nhit = { do = ["self loses 1 HP"] }'
    assert notes_of(compile_kit(read_text(QUICK + text).content)) == ("Nobody can do anything in rest.",)
