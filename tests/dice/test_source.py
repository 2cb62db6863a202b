"""The verifiable stream, checked against a second writing of the design's paragraph."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.dice.roll import roll_expression
from rules.dice.seals import seal
from rules.dice.source import (
    CHANNEL,
    ENCOUNTER,
    NEW,
    Deck,
    Dice,
    Die,
    Draw,
    Record,
    SeededFaces,
    Shuffle,
    commitment,
    dump_records,
    load_discards,
    load_grammar,
    load_records,
    records_json,
)
from rules.errors import BrokenInvariant, Malformed
from tests.dice.script import ScriptedFaces

LIST = Deck(CHANNEL, NEW, "list")


def words(seed: bytes, interaction: str) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.new(seed, f"{interaction}:{block}".encode(), hashlib.sha256).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(digest[at : at + 4], "big")
        block += 1


def drawn_by_hand(stream: Iterator[int], sides: int) -> int:
    for word in stream:
        if word < 2**32 // sides * sides:
            return word % sides + 1
    raise AssertionError


SIDES = st.integers(1, 1_000_000) | st.sampled_from([2**31 + 1, 3 * 2**30, 2**32 - 1])


@given(
    seed=st.binary(min_size=1, max_size=80),
    interaction=st.text(max_size=30),
    asked=st.lists(st.tuples(st.integers(0, 25), SIDES), max_size=12),
)
def test_every_face_is_the_one_that_the_design_gives(
    seed: bytes, interaction: str, asked: list[tuple[int, int]]
) -> None:
    stream = words(seed, interaction)
    faces = SeededFaces(seed, interaction)
    for count, sides in asked:
        assert Dice(faces).draw(count, sides) == [drawn_by_hand(stream, sides) for _ in range(count)]
        assert faces.face(sides) == drawn_by_hand(stream, sides)


@given(size=st.integers(0, 200), interaction=st.text(max_size=20))
def test_a_shuffle_draws_from_the_last_card_down(size: int, interaction: str) -> None:
    cards = [f"card {number}" for number in range(size)]
    by_hand = list(cards)
    stream = words(b"S" * 32, interaction)
    for i in range(size - 1, 0, -1):
        j = drawn_by_hand(stream, i + 1) - 1
        by_hand[i], by_hand[j] = by_hand[j], by_hand[i]
    dice = Dice(SeededFaces(b"S" * 32, interaction))
    assert dice.shuffle(cards, LIST) == tuple(by_hand)
    assert dice.die(20).face == drawn_by_hand(stream, 20)


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    assert commitment(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_a_scripted_die_of_another_size_fails() -> None:
    with pytest.raises(BrokenInvariant, match="is a d6, and a d20 was asked for"):
        ScriptedFaces([(6, 3)]).face(20)


def test_a_script_that_runs_out_fails() -> None:
    faces = ScriptedFaces([(6, 3)])
    assert faces.leftover() == ((6, 3),)
    assert faces.face(6) == 3
    assert faces.leftover() == ()
    with pytest.raises(BrokenInvariant, match="no die 2"):
        faces.face(6)


def test_a_scripted_face_that_the_die_does_not_have_fails() -> None:
    with pytest.raises(BrokenInvariant, match="shows 7"):
        ScriptedFaces([(6, 7)]).face(6)


def test_typed_faces_come_first_and_are_marked() -> None:
    dice = Dice(ScriptedFaces([(6, 2), (20, 19)]), typed=[17, 5])
    assert dice.die(20).face == 17
    assert [die.face for die in dice.roll(2, 6)] == [5, 2]
    assert dice.die(20).face == 19
    assert dice.unused_typed() == 0
    physical = [record.physical for record in dice.records if isinstance(record, Die)]
    assert physical == [True, True, False, False]


def test_typed_faces_serve_expressions_and_their_rerolls() -> None:
    dice = Dice(ScriptedFaces([(6, 4)]), typed=[1, 5, 1])
    rolled = roll_expression("2d6rr1 + 1", dice)
    assert rolled.total == 10
    physical = [record.physical for record in dice.records if isinstance(record, Die)]
    assert physical == [True, True, True, False]


def test_a_typed_face_that_the_die_does_not_have_is_refused() -> None:
    with pytest.raises(Malformed, match="A d6 can't show 17"):
        Dice(ScriptedFaces([]), typed=[17]).die(6)
    assert Dice(ScriptedFaces([]), typed=[3]).unused_typed() == 1


STONES = Deck(ENCOUNTER, NEW, "stones", ("Fire", "Wind"), (10, 6, 3, 1, 1))
RECORDS: st.SearchStrategy[list[Record]] = st.lists(
    st.builds(
        Die,
        sides=st.sampled_from([6, 20]),
        face=st.integers(1, 6),
        who=st.none() | st.sampled_from(["Ayla", "Bo"]),
        purpose=st.sampled_from(["", "CRT"]),
        kept=st.booleans(),
        seen_by=st.none() | st.sampled_from([(), ("gm",), ("gm", "7")]),
        physical=st.booleans(),
    )
    | st.lists(st.text(max_size=5), max_size=6).map(lambda cards: Shuffle(len(cards), tuple(cards)))
    | st.lists(st.text(max_size=5), max_size=6).map(lambda cards: Shuffle(len(cards), tuple(cards), (), STONES))
    | st.lists(st.text(max_size=5), max_size=6).map(lambda cards: Draw(len(cards), "7", tuple(cards), CHANNEL))
    | st.lists(st.text(max_size=5), max_size=6).map(lambda cards: Draw(len(cards), "7", tuple(cards))),
    max_size=20,
)


def test_discards_and_the_grammar_follow_the_records() -> None:
    dice = Dice(ScriptedFaces([(6, 5)]))
    dice.discarded(("A", "B"), CHANNEL)
    dice.die(6)
    dice.discarded(("C",), ENCOUNTER)
    text = dump_records(dice.records, dice.discards, grammar=3)
    assert load_records(text) == dice.records
    assert [(each.at, each.pile, each.cards) for each in load_discards(text)] == [
        (0, "channel", ("A", "B")),
        (1, "encounter", ("C",)),
    ]
    assert load_grammar(text) == 3
    assert (load_discards("[]"), load_grammar("[]")) == ([], 0)


@given(RECORDS)
def test_the_stored_form_gives_the_same_records_back(records: list[Record]) -> None:
    assert load_records(dump_records(records)) == records


def test_the_stored_form_is_small() -> None:
    dice = Dice(SeededFaces(b"S", "1"))
    roll_expression("100d6kh50", dice, who="Ayla", purpose="attack")
    assert len(dump_records(dice.records)) < 450


def test_a_reader_sees_the_dice_that_are_theirs_and_the_sizes_of_all() -> None:
    dice = Dice(ScriptedFaces([(20, 7), (6, 5), (2, 1)]))
    dice.die(20, who="Ayla", purpose="Stealth", seen_by=("gm",))
    dice.die(6, who="Bo", purpose="HIT").kept = False
    cards = dice.shuffle(("A", "B"), LIST)
    dice.drew(cards[:1], "77", CHANNEL)
    assert cards == ("B", "A")
    assert records_json(dice.records, may_see=lambda die: die.seen_by is None, revealed=False) == [
        {"sides": 20, "face": None},
        {"sides": 6, "face": 5, "who": "Bo", "for": "HIT", "kept": False},
        {"shuffle": 2},
        {"draw": 1, "by": "77"},
    ]
    assert records_json(dice.records, may_see=lambda _: True, revealed=True) == [
        {"sides": 20, "face": 7, "who": "Ayla", "for": "Stealth", "kept": True},
        {"sides": 6, "face": 5, "who": "Bo", "for": "HIT", "kept": False},
        {"shuffle": 2, "cards": ["B", "A"], "deck": {"pile": "channel", "order": "new", "kind": "list"}},
        {"draw": 1, "by": "77", "cards": ["B"], "pile": "channel"},
    ]


def test_a_physical_die_says_so_even_when_hidden() -> None:
    dice = Dice(ScriptedFaces([]), typed=[4])
    dice.die(6)
    assert records_json(dice.records, may_see=lambda _: False, revealed=False) == [
        {"sides": 6, "face": None, "physical": True}
    ]


def test_marks_set_on_records_stay() -> None:
    dice = Dice(SeededFaces(b"S", "1"))
    roll_expression("2d6", dice)
    first = dice.records[0]
    assert isinstance(first, Die)
    first.kept = False
    roll_expression("1d6", dice)
    assert [record.kept for record in dice.records if isinstance(record, Die)] == [False, True, True]


def test_a_seal_is_of_everything_in_a_row_but_itself() -> None:
    row: dict[str, Any] = {
        "seq": 5, "at": "2026-01-01T12:00:00Z", "by": "7", "interaction": "77", "encounter": "1",
        "command": {"action": "draw"}, "dice": [{"sides": 12, "face": None}, {"sides": 12, "face": 9}],
        "text": ["Bo draws."], "undone": False, "ruling": False,
    }  # fmt: skip
    made = seal(bytes(32), row)
    assert seal(bytes(32), {**row, "command": {**row["command"], "seal": made}}) == made
    for key in row:
        assert seal(bytes(32), {**row, key: {"action": "x"} if key == "command" else "x"}) != made, key
    assert seal(bytes(32), {**row, "dice": row["dice"][::-1]}) != made
