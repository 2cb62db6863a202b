"""Each message that the reader of a kit can give is pressed by a test that has it word for word (kits.md 8 and 14)."""

from __future__ import annotations

import re
import tomllib

import pytest

from rules.kits.compiler import compile_kit
from rules.kits.document import read_text
from rules.kits.notes import notes_of
from tests.rules.kit.messages import CASES, expected, messages
from tests.rules.kit.reading import QUICK, mistakes

FILES = tomllib.loads(CASES.read_text("utf-8"))


@pytest.mark.parametrize("what", FILES["toml"])
def test_a_mistake_is_told_with_its_place_what_was_found_and_what_was_expected(what: str) -> None:
    file, told = FILES["toml"][what]
    assert mistakes(QUICK + file) == [told]


@pytest.mark.parametrize("what", FILES["json"])
def test_a_mistake_of_json_is_told_as_one_of_toml_is(what: str) -> None:
    file, told = FILES["json"][what]
    assert mistakes(file, "mine.json") == [told]


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
        'prefix: prefix is missing: the id gives none of two or three capitals, as in prefix = "MK".'
    ]


def test_a_format_that_is_no_number_is_told() -> None:
    assert mistakes('kit = "one"\nid = "quick"\n') == ["kit: one is not 1."]


def test_a_phase_in_which_nobody_can_do_anything_is_noted() -> None:
    text = 'phase = [ { name = "act" }, { name = "rest", actions = [] } ]\n[action]\nhit = { do = ["self loses 1 HP"] }'
    assert notes_of(compile_kit(read_text(QUICK + text).content)) == ("Nobody can do anything in rest.",)
