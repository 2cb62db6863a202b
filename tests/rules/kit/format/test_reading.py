"""A kit's file is read whole, and each mistake is told with its path and the nearest right word (kits 8)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules.core.commands import COMMAND_SPECS
from rules.kits.compiler import compile_kit
from rules.kits.document import read_document, read_text
from rules.kits.library import kit_of, library
from rules.kits.mistakes import MistakenKit
from rules.kits.notes import notes_of
from rules.kits.speech import said_back
from rules.kits.words import COMMANDS, TAKEN
from tests.rules.kit.damage import damaged_kits, told
from tests.rules.kit.reading import QUICK, mistake, mistakes


def test_four_lines_are_a_whole_kit() -> None:
    kit = compile_kit(
        read_document(b'kit = 1\nid = "quick"\n[order]\nkey = "1d20+{DEX}"\n[sheet]\nDEX = 0', "q.toml").content
    )
    assert (kit.prefix, kit.title, kit.health, len(kit.phases)) == ("QU", "quick", "HP", 1)
    assert (kit.phases[0].type, kit.phases[0].best, kit.phases[0].name) == ("list", "high", "turns")


@pytest.mark.parametrize("name", sorted(library()))
def test_every_kit_of_the_library_is_read_without_a_mistake_or_a_note(name: str) -> None:
    document = library()[name]
    kit = kit_of(document.content)
    assert kit.id == name
    assert notes_of(kit) == ()
    assert len(document.source.encode()) <= 3000
    assert kit_of(json.loads(json.dumps(document.content))) is kit, "one of the same digest is compiled once"


ORDER = "[order]\n"
MESSAGES = {
    "an unknown key": (f'{ORDER}typ = "list"', "order.typ: typ is not a key here. Did you mean type?"),
    "a wrong kind": ('[pool]\nHP = { out = "yes" }', "pool.HP.out: yes is not true or false."),
    "out of range": (f"{ORDER}again = 5", "order.again: 5 is not a whole number from -99 to -1."),
    "an unknown word": (
        '[action.attack]\ntarget = "enemy"',
        "action.attack.target: enemy is not one of none, foe, ally, other, anyone, self.",
    ),
    "an unknown name": (
        f'sheet = {{ DEX = 1 }}\n{ORDER}key = "1d20+{{DXE}}"',
        "order.key: {DXE} is not a pool or a sheet key of this kit. Did you mean {DEX}?",
    ),
    "a key of another way": (
        f'{ORDER}tokens = "2"',
        "order.tokens: tokens belongs to bag, but this order is list.",
    ),
    "a sentence": (
        '[action.attack]\ntarget = "foe"\ndo = ["target looses 2 HP"]',
        (
            "action.attack.do[1]: looses can't come after target: use gains, loses, is, moves, acts, goes, "
            "or a pool and becomes. Did you mean loses?"
        ),
    ),
    "dice": (
        '[check.hit]\nroll = "1d20+"',
        (
            "check.hit.roll: 1d20+: I came to the end of the dice at character 6. I expected a number, "
            "dice such as 2d6, or a parenthesis."
        ),
    ),
    "a missing key": (
        '[reaction.dodge]\ndo = ["it is stopped"]',
        'reaction.dodge: to is missing: what it answers, such as to = "targeted".',
    ),
    "a second phase": (
        'phase = [ { name = "one" }, { name = "two", type = "lists" } ]',
        "phase[2].type: lists is not one of list, sides, alternate, slots, bag, clock, named, open. Did you mean list?",
    ),
    "a taken id": ("[action.join]", "action.join: join is a word of the format or a command; choose another."),
    "a fraction": (f"{ORDER}ticks = 1.5", "order.ticks: 1.5 is a fraction; use whole numbers."),
    "a date": ("version = 2026-01-02", "version: 2026-01-02 is a date; if you mean a text, put it in quotes."),
    "a number beyond a million": ("[sheet]\nDEX = 1000001", "sheet.DEX: this number is larger than a million."),
    "a rule of another prefix": (
        '[rules]\nXX-01 = "No."',
        "rules.XX-01: a rule of this kit begins with QU, such as QU-01.",
    ),
    "a rule that there is not": (
        '[action.hit]\nrule = "QU-02"\n[rules]\nQU-01 = "Yes."',
        "action.hit.rule: QU-02 is not a rule of this kit. Did you mean QU-01?",
    ),
    "a target where there is none": (
        '[action.hit]\ndo = ["target loses 1 HP"]',
        "action.hit.do[1]: there is no target here.",
    ),
    "a pool of the table": (
        '[pool]\nFEAR = { of = "table" }\n[action.hit]\ndo = ["self gains 1 FEAR"]',
        "action.hit.do[1]: FEAR is a pool of the table: write table, not self.",
    ),
    "an unknown condition": (
        '[condition]\nprone = {}\n[action.hit]\nneeds = ["self is pron"]',
        "action.hit.needs[1]: pron is not a condition of this kit. Did you mean prone?",
    ),
    "a cost": (
        '[pool]\nACT = { start = 1 }\n[action.hit]\ncost = "1 ATC"',
        "action.hit.cost: ATC is not a pool of this kit, and not turn. Did you mean ACT?",
    ),
    "two words that are equally near": (
        '[pool]\nAB = {}\nAC = {}\n[action.hit]\ncost = "1 AD"',
        "action.hit.cost: AD is not a pool of this kit, and not turn. Did you mean AB or AC?",
    ),
}


@pytest.mark.parametrize("what", MESSAGES)
def test_a_mistake_is_told_with_its_path_and_the_nearest_word(what: str) -> None:
    text, expected = MESSAGES[what]
    assert mistake(text) == expected


WHOLE = {
    "no value": ("kit = 1\nid = ", "Line 2, character 6: a value is missing."),
    "a list that is not closed": ('kit = 1\nsides = ["A"', "Line 2, character 13: a list has no closing bracket."),
    "a key that is there twice": ("kit = 1\nkit = 1", "Line 2, character 8: this key is there twice."),
    "a newer format": ('kit = 3\nid = "later"', "This kit has format 3; this program reads 1 and 2."),
    "a built-in system's id": (
        'kit = 1\nid = "classic"\nprefix = "MY"',
        "id: classic is a built-in system; choose another id.",
    ),
}


@pytest.mark.parametrize("what", WHOLE)
def test_a_file_that_is_none_is_told_in_the_program_s_own_words(what: str) -> None:
    text, expected = WHOLE[what]
    with pytest.raises(MistakenKit) as caught:
        compile_kit(read_document(text.encode(), "mine.toml").content, ("classic",))
    assert str(caught.value) == expected


def test_what_is_too_large_or_no_text_is_refused_before_it_is_read() -> None:
    assert mistakes("#" * 31 * 1024) == ["This file is 31 KiB; a kit can be 16 at most."]
    assert told(b"kit = 1\nid = '\xff'", "mine.toml") == ("Line 2: this file is not UTF-8 text. Save it as UTF-8.",)
    assert mistakes("kit = 1", "mine.txt") == ["A kit is a .toml or a .json file; this one is neither."]
    assert mistakes('{"kit": 1, "id": "a-b", "id": "a-b"}', "mine.json") == ["id: this key is there twice."]
    assert mistakes("[" * 4000, "mine.json") == ["This is nested deeper than 6 tables and lists."]
    assert mistakes("kit = " + "9" * 5000) == ["A number here is larger than a million."]
    assert "entries; it can have 60 at most." in mistakes(f"{QUICK}sides = {json.dumps(['a'] * 61)}")[0]


def test_up_to_ten_mistakes_are_told_at_once() -> None:
    text = QUICK + "[pool]\n" + "\n".join(f"P{number} = {{ out = 1 }}" for number in range(14))
    assert len(mistakes(text)) == 10
    assert mistakes('[order]\nhold = 1\n[pool]\nHP = 3\n[check.x]\nroll = "1d"') == [
        "kit is missing: the format, such as kit = 1.",
        'id is missing: the id that starts the kit, such as id = "my-kit".',
        "order.hold: 1 is not true or false.",
        "pool.HP: 3 is not a table of keys, such as { start = 10 }.",
        (
            "check.x.roll: 1d: I can't read “d” at character 2. I expected a sign such as +, "
            "an operator such as kh1, or the end."
        ),
    ]


def test_a_kit_is_not_called_as_what_plays_all_kits() -> None:
    assert mistakes('kit = 1\nid = "kit"\nprefix = "QQ"') == ["id: kit is a built-in system; choose another id."]


def test_the_program_s_own_commands_of_one_word_are_taken() -> None:
    """A verb of one word would hide an action of that id."""
    assert {verb for verb in COMMAND_SPECS if " " not in verb} <= set(COMMANDS)
    assert set(COMMANDS) <= TAKEN


def test_what_is_said_back_is_made_from_the_file() -> None:
    said = {each.about: each.words for each in said_back(kit_of(library()["fast-slow"].content))}
    phases = [about for about in said if about[:1].isdigit()]
    assert phases == ["1 fast, players", "2 fast, GM", "3 slow, players", "4 slow, GM"]
    assert ["1 BEAT" in said[phases[0]], "2 BEAT" in said[phases[2]]] == [True, True]
    assert [side in said[about] for side, about in zip(("Players", "GM") * 2, phases, strict=True)] == [True] * 4
    assert all(part in said["attack"] for part in ("1 BEAT", "1d20+ATK", "DEF", "DMG", "HEALTH"))


ASKED = {
    'to = "targeted"': "answers when you are targeted.",
    'to = "targeted", kind = "blow"': "answers when you are targeted by blow.",
    'to = "failed", for = "ally"': "answers when an action aimed at an ally failed.",
    'to = "succeeded", for = "foe", kind = "blow"': "answers when blow aimed at a foe succeeded.",
    'to = "hurt", for = "anyone"': "answers when somebody is hurt.",
    'to = "moved-near", for = "foe"': "answers when a foe moved near.",
    'to = "moved-away", for = "ally", kind = "blow"': "answers when an ally moved away by blow.",
}


@pytest.mark.parametrize("keys", ASKED)
def test_a_reaction_says_who_its_event_happens_to(keys: str) -> None:
    text = f"{QUICK}action = {{ hit = {{ kind = 'blow' }} }}\nreaction = {{ duck = {{ {keys}, do = ['say x'] }} }}"
    (words,) = (each.words for each in said_back(compile_kit(read_text(text).content)) if each.about == "duck")
    assert words == ASKED[keys].replace(".", "; “x” is said.")


def test_a_reaction_to_one_s_own_moves_which_is_never_asked_is_noted() -> None:
    text = f"{QUICK}reaction = {{ strike = {{ to = 'moved-near', do = ['say x'] }} }}"
    noted = 'strike: nobody comes near themselves, so nobody is asked; write for = "foe", "ally" or "anyone".'
    assert noted in notes_of(compile_kit(read_text(text).content))
    named = text.replace("'moved-near'", "'moved-near', for = 'foe'")
    assert noted not in notes_of(compile_kit(read_text(named).content))


def test_notes_refuse_nothing_and_name_what_looks_forgotten() -> None:
    text = """kit = 1
id = "notes"
phase = [ { name = "talk", actions = ["sing"] } ]
pool = { HP = { start = 3 } }
[action]
sing = {}
hit = {}
[rules]
NO-01 = "Nobody says why."
"""
    kit = compile_kit(read_document(text.encode(), "notes.toml").content)
    assert notes_of(kit) == ("Nothing cites NO-01.", "No phase allows hit.", "Nothing changes HP.")


def test_notes_name_what_counts_for_nothing_in_this_order() -> None:
    text = """kit = 1
id = "slow"
[action]
heave = { ticks = 3, target = "foe", do = ["target loses 1 HP"] }
wait-there = { speed = "1d4", do = ["say so"] }
[reaction]
duck = { to = "targeted", ticks = 1, do = ["it is stopped"] }
"""
    assert notes_of(compile_kit(read_text(text).content)) == (
        "heave takes ticks, but no phase is a clock.",
        "wait-there has a speed, but no key of planned actions has {speed}.",
        "duck takes ticks, but no phase is a clock.",
    )
    clock = text + '[[phase]]\nname = "a"\ntype = "clock"\n[[phase]]\nname = "b"\nplan = "open"\nkey = "1d6+{speed}"'
    assert notes_of(compile_kit(read_text(clock).content)) == ()


def test_a_guard_that_is_over_before_anybody_strikes_is_noted() -> None:
    text = """kit = 1
id = "guards"
[action]
guard = { do = ["self is guarded for 1 turn"] }
brace = { do = ["self is braced"] }
duck = { any_time = true, do = ["self is guarded for 1 turn"] }
hide = { do = ["self is guarded for 2 turns"] }
aim = { target = "foe", do = ["self is aiming", "target loses 1 HP"] }
[condition]
guarded = { against = -2 }
braced = { against = -2, lasts = 1, ticks = "bearer-start" }
aiming = { checks = 2, against = 2, lasts = 1 }
"""
    read = read_text(text)
    assert notes_of(compile_kit(read.content)) == (
        (
            "guard: guarded ends with the very turn that brings it. "
            'To keep it until the next one, write ticks = "bearer-start" in [condition].'
        ),
    )
    kept = text.replace("{ against = -2 }", '{ against = -2, ticks = "bearer-start" }')
    assert notes_of(compile_kit(read_text(kept).content)) == ()
    (said,) = (each.words for each in said_back(compile_kit(read.content)) if each.about == "guarded")
    assert said == (
        "-2 to rolls against its bearer; lasts as long as a sentence says, counted at the end of its bearer's turn."
    )


SENTENCES = (
    "self gains 1 HP",
    "target loses {HP}+1d6 - {target.HP} HP",
    "self HP becomes 0",
    "self gains 1 TURNS",
    "everyone loses 1 HP if round >= 2",
    "foes is prone",
    "allies is not prone",
    "target is prone for 1d4 turns unless target makes hit",
    "The Watch gains 2 FURY",
    "side gains 1 FURY if self is prone",
    "table FEAR becomes 3",
    "self moves 5",
    "GM acts next",
    "self acts again",
    "turn ends",
    "phase ends if HP < 3",
    "round ends",
    "fight ends: the bell is rung",
    "say what if nobody knows",
    "GM decides: what the curse does",
)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_every_form_of_a_sentence_is_read_and_said_back(sentence: str) -> None:
    content: dict[str, Any] = {
        "kit": 1,
        "id": "words",
        "sides": ["The Watch", "GM"],
        "pool": {"HP": {"start": 3}, "FURY": {"of": "side"}, "FEAR": {"of": "table"}},
        "check": {"hit": {"roll": "1d20", "against": "10"}},
        "condition": {"prone": {}},
        "action": {"act": {"target": "foe", "do": [sentence]}},
    }
    kit = compile_kit(content)
    (read,) = kit.actions["act"].do
    assert read.source == sentence
    assert any(said.about == "act" and len(said.words) > 20 for said in said_back(kit))


def test_damaged_files_are_refused_and_raise_nothing_else() -> None:
    """`python -m tests.trust.kits` reads ten thousand, and counts those that take long."""
    for data, name in damaged_kits(400, 25):
        found = told(data, name)
        assert all(0 < len(each) < 700 for each in found), found
