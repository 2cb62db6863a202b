"""What was settled by trying to build it (kits 15) as far as no other file tries it, and what is kept (11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rules.core.registry import system_of
from rules.kits import library
from rules.kits.compiled import Kit
from rules.kits.compiler import compile_kit
from rules.kits.document import digest_of, read_document, read_text
from rules.kits.library import MOST_KEPT, kit_of
from rules.kits.mistakes import nearest
from tests.rules.kit.reacting import table
from tests.rules.kit.reading import QUICK, mistake, mistakes
from tests.rules.kit.tables import KitGame, begun, seated
from tests.rules.table import Game

PHASES = 'phase = [ {{ name = "early", {early} }}, {{ name = "late", {late} }} ]\n'
REST = """[pool]
HP = { start = 9, out = true }
ACT = { start = 2, refill = "turn" }
[action]
rest = { cost = "1 ACT" }
dear = { cost = "3 ACT" }
"""
STARTS = 'when = { turn-start = ["say so it starts"] }\n'


def phased(early: str, late: str, order: str = "") -> Game:
    return begun(KitGame(f"{QUICK}{order}{PHASES.format(early=early, late=late)}{STARTS}{REST}"), "Ogre")


def place(game: Game) -> tuple[int, str]:
    return game.state.round, game.state.phase


# 15.2: waiting and passing

SIDES = 'order = { type = "sides", first = "Players" }\n'


def test_somebody_who_waits_has_a_turn_in_a_later_shared_phase_and_one_who_passes_has_none() -> None:
    game = phased('shares = "one", optional = true', 'shares = "one"', SIDES)
    assert {"wait", "pass"} <= set(game.legal("Ayla"))
    game.do("Ana", "wait")
    game.do("Bo", "pass")
    game.do("Gwen", "pass", character="Ogre")
    assert (place(game), game.waits_for()) == ((1, "late"), ("Ayla",)), "whoever passed has had the round's turn"


def test_if_no_later_phase_shares_the_turn_you_pass_and_wait_for_nothing() -> None:
    game = phased("optional = true", 'rounds = "all"', SIDES)
    assert "pass" in game.legal("Ayla")
    assert "wait" not in game.legal("Ayla")
    assert game.refused("Ana", "wait", rule="KI-07").instead == "To give it up, use pass."


def test_somebody_who_has_begun_a_turn_neither_waits_nor_passes() -> None:
    game = phased('shares = "one", optional = true', 'shares = "one"', SIDES)
    game.do("Ana", "rest")
    assert not {"wait", "pass"} & set(game.legal("Ayla"))
    game.refused("Ana", "wait", rule="KI-07")
    game.refused("Ana", "pass", rule="KI-07")


def test_silence_passes_if_it_may_holds_if_it_can_and_else_ends_the_turn() -> None:
    passing = phased('shares = "one", optional = true', 'shares = "one"', SIDES)
    holding, ending = (
        begun(KitGame(f"{QUICK}order = {{ {order} }}\n{REST}"), "Ogre") for order in ("", "hold = false")
    )
    for game, expected in ((passing, "pass"), (holding, "hold"), (ending, "end")):
        who = game.waits_for()[0]
        command = system_of(game.state).mildest_turn(game.state, who, for_good=False)
        assert command is not None
        assert command.action == expected


# 15.3: when a turn begins


@pytest.mark.parametrize("way", ["alternate", "slots"])
@pytest.mark.parametrize("first", ["claim", "rest", "end"])
def test_a_turn_that_several_could_have_begins_with_what_one_of_them_does(way: str, first: str) -> None:
    order = {
        "alternate": 'type = "alternate", first = "Players"',
        "slots": 'type = "slots", key = "5", ties = ["Players"]',
    }[way]
    game = seated(KitGame(f"{QUICK}order = {{ {order} }}\n{STARTS}{REST}"), "Ogre")
    game.do("Gwen", "encounter begin")
    assert set(game.waits_for()) == {"Ayla", "Bran"}
    assert "it starts" not in game.said()
    game.do("Ana", first)
    assert game.said().count("it starts") == (2 if first == "end" else 1), "the next one's begins by itself"


def test_a_turn_that_one_person_alone_has_begins_by_itself() -> None:
    game = begun(KitGame(f"{QUICK}{STARTS}{REST}"), "Ogre")
    assert game.said().count("it starts") == 1


@pytest.mark.parametrize("no", ["wait", "pass"])
def test_no_turn_begins_with_waiting_or_passing(no: str) -> None:
    game = phased('shares = "one", optional = true', 'shares = "one"', SIDES)
    game.do("Ana", no)
    assert "it starts" not in game.said()


# 15.5 and 15.12: who is asked


@pytest.mark.parametrize(("pool", "asked"), [("FURY", True), ("REACT", False), ("HP", False)])
def test_what_nobody_sees_counts_as_met_and_what_all_see_decides(pool: str, asked: bool) -> None:
    needs = f'[reaction]\nrage = {{ to = "targeted", needs = ["{pool} >= 99"], do = ["self gains 1 HP"] }}\n'
    game = table(needs)
    game.do("Ana", "curse", target="Ogre")
    assert bool(game.state.questions) == asked


def test_what_an_answer_changes_opens_no_second_window() -> None:
    answers = """[reaction]
parry = { to = "succeeded", do = ["it is harder by 9"] }
gloat = { to = "failed", for = "anyone", do = ["self loses 1 HP"] }
"""
    game = table(answers)
    game.do("Ana", "strike", target="Ogre", dice=[(20, 12)])
    game.do("Gwen", "parry", character="Ogre")
    assert "failure" in game.said()
    assert not game.state.questions
    game.do("Bo", "strike", target="Ogre", dice=[(20, 3)])
    assert game.state.questions, "a failure of the dice is answered"


# 15.6: the nearest rule

RULES = 'rules = { QU-01 = "Order.", QU-02 = "Phase.", QU-03 = "Deed." }\n'


@pytest.mark.parametrize(
    ("order", "phase", "deed", "cited"),
    [
        (True, True, True, "QU-03"),
        (True, True, False, "KI-03"),
        (True, False, True, "QU-03"),
        (True, False, False, "KI-03"),
        (False, True, False, "KI-03"),
        (False, False, False, "KI-03"),
    ],
)
def test_a_cost_cites_the_action_s_rule_or_the_program_s_own(order: bool, phase: bool, deed: bool, cited: str) -> None:
    rule = ', rule = "QU-0{}"'.format
    text = f"""order = {{ type = "sides", first = "Players"{rule(1) if order else ""} }}
phase = [ {{ name = "one"{rule(2) if phase else ""} }} ]
{RULES}{REST.replace('"3 ACT"', '"3 ACT"' + (rule(3) if deed else ""))}"""
    game = begun(KitGame(QUICK + text), "Ogre")
    assert game.refused("Ana", "dear").rule == cited


# 15.7: the digest


def test_the_digest_is_that_of_the_file_as_it_is_read_without_defaults_or_order() -> None:
    expected = "0ec33e5aa4710a330857ec7da800571701c467e216c94c984bc66fceaa8b16d8"
    toml, other, written = (
        read_document(text.encode(), name).content
        for text, name in (
            ('kit = 1\nid = "quick"\ntitle = "Über"\n[sheet]\nDEX = 0\nAC = 9\n', "a.toml"),
            ('id = "quick" # the same\nkit = 1\nsheet = { AC = 9, DEX = 0 }\ntitle = "Über"', "b.toml"),
            ('{"title": "\\u00dcber", "sheet": {"AC": 9, "DEX": 0}, "kit": 1, "id": "quick"}', "c.json"),
        )
    )
    assert digest_of(toml) == digest_of(other) == digest_of(written) == expected
    assert digest_of(read_text('kit = 1\nid = "quick"\nversion = "1"').content) != digest_of(read_text(QUICK).content)


# 15.8: groups


def test_a_count_numbers_names_and_makes_no_group() -> None:
    game = seated(KitGame(f'{QUICK}order = {{ type = "sides", first = "GM" }}\n{REST}'))
    game.do("Gwen", "gm add", name="Rat", count=2)
    assert {"Rat 1", "Rat 2"} <= set(game.state.names)
    assert game.state.combatant("Rat 1").group is None


def test_a_group_has_the_turns_of_its_first() -> None:
    text = f'order = {{ type = "alternate", first = "GM", turns = "{{TURNS_OF}}" }}\nsheet = {{ TURNS_OF = 1 }}\n{REST}'
    game = seated(KitGame(QUICK + text))
    for name, turns in (("Rat", "2"), ("Rook", "1")):
        game.do("Gwen", "gm add", name=name, group="vermin")
        game.do("Gwen", "gm set", target=name, pool="TURNS_OF", value=turns)
    game.do("Gwen", "encounter begin")
    had = 0
    while game.state.round == 1:
        who = game.waits_for()[0]
        had += who == "Rook"
        game.do("Gwen", "end", character=who)
    assert had == 2


# 15.10: dice


def test_dice_of_a_sentence_about_everyone_fall_for_each_in_the_order_of_joining() -> None:
    text = '[pool]\nHP = { start = 20, out = true }\n[action]\nrain = { do = ["everyone loses 2d6 HP"] }\n'
    game = begun(KitGame(f'{QUICK}order = {{ type = "sides", first = "Players" }}\n{text}'), "Ogre")
    game.do("Ana", "rain", dice=[(6, 1), (6, 1), (6, 2), (6, 2), (6, 3), (6, 3)])
    assert [game.state.combatant(who).pools["HP"].now for who in ("Ayla", "Bran", "Ogre")] == [18, 16, 14]


# 15.12 to 15.15: taken words, prefixes, near words, and keys of another way


def test_what_lets_an_answer_pass_is_a_taken_id() -> None:
    assert mistake("action = { decline = {} }") == (
        "action.decline: decline is a word of the format or a command; choose another."
    )


def test_a_swapped_pair_of_letters_counts_one() -> None:
    assert nearest("ACB", ("ABC", "ACX")) == ("ABC", "ACX"), "both are one letter away"
    assert nearest("ACB", ("ABC", "AXX")) == ("ABC",)


def test_two_kits_may_have_the_same_prefix() -> None:
    one, other = (f'kit = 1\nid = "{each}"\nprefix = "QQ"\nrules = {{ QQ-01 = "So." }}' for each in ("one", "other"))
    for text in (one, other):
        assert begun(KitGame(text), "Ogre").state.status == "running"


def test_a_key_of_the_order_fits_one_phase_and_the_others_do_without_it() -> None:
    phases = 'phase = [ { name = "draw", type = "bag" }, { name = "talk", type = "open", turns = 1 } ]\n'
    assert mistakes(f"{QUICK}order = {{ tokens = 2 }}\n{phases}") == []
    alone = 'phase = [ { name = "talk", type = "open", turns = 1 } ]\n'
    (told,) = mistakes(f"{QUICK}order = {{ tokens = 2 }}\n{alone}")
    assert told.startswith("order.tokens: tokens belongs to bag")


# 11: a file is compiled once


def test_a_file_is_compiled_once_however_many_steps_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []

    def counted(content: Mapping[str, Any]) -> Kit:
        compiled.append(str(content))
        return compile_kit(content)

    monkeypatch.setattr(library, "compile_kit", counted)
    game = begun(KitGame(f'kit = 1\nid = "once-only"\ntitle = "read once"\n{REST}'), "Ogre")
    for _ in range(8):
        game.do("Gwen", "end", character=game.waits_for()[0])
    assert len(compiled) == 1


def test_as_many_files_are_kept_as_are_told_and_no_more() -> None:
    contents = [{"kit": 1, "id": f"kept-{number}", "prefix": "KE"} for number in range(MOST_KEPT + 1)]
    assert MOST_KEPT == 64
    first = kit_of(contents[0])
    assert kit_of(dict(contents[0])) is first, "the digest tells files from each other, not who holds them"
    for each in contents[1:]:
        kit_of(each)
    assert kit_of(contents[0]) is not first
