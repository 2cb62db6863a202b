"""Each key of the format does what it says: with it a table sees that, and without it another thing (kits 14)."""

from __future__ import annotations

import pytest

from rules.kits.compiler import compile_kit
from rules.kits.mistakes import MistakenKit
from rules.kits.speech import said_back
from tests.rules.kit.format import key_cases, order_cases
from tests.rules.kit.format.keys import content_of, keys, outcome, without

CASES = {**key_cases.CASES, **order_cases.CASES}


@pytest.mark.parametrize("key", sorted(CASES))
def test_a_key_does_what_it_says_and_nothing_does_it_without_the_key(key: str) -> None:
    case = CASES[key]
    content = content_of(case)
    assert case.seen(content) == case.expected
    assert outcome(case, without(content, case.path)) != case.expected


def test_every_key_of_the_format_has_its_case() -> None:
    assert sorted(keys()) == sorted(CASES)


# What a refusal cites, a button's place, and the heading above it
UNSAID = {"action.rule", "condition.rule", "order.rule", "action.usual", "kit.title", "kit.version"}


@pytest.mark.parametrize("key", sorted(CASES.keys() - UNSAID))
def test_a_key_is_said_back(key: str) -> None:
    case = CASES[key]
    content = content_of(case)
    said = said_back(compile_kit(content))
    try:
        less = said_back(compile_kit(without(content, case.path)))
    except MistakenKit:
        return  # the rest cannot do without it
    assert said != less
