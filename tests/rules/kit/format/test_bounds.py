"""How much each key of a kit holds: what the format says is read, one more is refused with both (kits 3 and 4).

Written from the tables of the format, not from the program: a limit that is changed by mistake fails here.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.rules.kit.reading import mistakes

Content = dict[str, Any]
CHECKED = {"check": {"hit": {"roll": "1d20"}}}


def top(key: str) -> Callable[[object], Content]:
    return lambda value: {key: value}


def order(key: str, **more: object) -> Callable[[object], Content]:
    return lambda value: {"order": {**more, key: value}}


def phase(key: str, **more: object) -> Callable[[object], Content]:
    return lambda value: {"phase": [{"name": "first", **more, key: value}]}


def action(key: str, **more: object) -> Callable[[object], Content]:
    return lambda value: {**CHECKED, "action": {"hit": {**more, key: value}}}


def condition(key: str, **more: object) -> Callable[[object], Content]:
    return lambda value: {"condition": {"prone": {**more, key: value}}}


TEXTS: dict[str, tuple[Callable[[object], Content], int]] = {
    "title": (top("title"), 40),
    "about": (top("about"), 300),
    "by": (top("by"), 60),
    "licence": (top("licence"), 60),
    "version": (top("version"), 16),
    "phase[1].name": (phase("name"), 24),
    "action.hit.label": (action("label"), 40),
    "action.hit.hint": (action("hint"), 100),
    "action.hit.kind": (action("kind"), 24),
    "condition.prone.label": (condition("label"), 40),
    "rules.QU-01": (lambda value: {"rules": {"QU-01": value}}, 400),
    "words.end": (lambda value: {"words": {"end": value}}, 40),
}
NUMBERS: dict[str, tuple[Callable[[object], Content], int, int]] = {
    "order.again": (order("again"), -99, -1),
    "order.keeps": (order("keeps", type="alternate", keep="1 HP"), 1, 99),
    "order.end_tokens": (order("end_tokens", type="bag"), 0, 20),
    "order.ticks": (order("ticks", type="clock"), 1, 99),
    "order.round": (order("round", type="clock"), 1, 999),
    "phase[1].steps": (phase("steps", plan="open"), 1, 5),
    "action.hit.targets": (action("targets", target="foe"), 1, 10),
    "action.hit.range": (action("range", target="foe"), 0, 99),
    "action.hit.usual": (action("usual"), 1, 3),
    "action.hit.ticks": (action("ticks"), 0, 99),
    "condition.prone.lasts": (condition("lasts"), 1, 99),
    "condition.prone.checks": (condition("checks"), -20, 20),
    "condition.prone.against": (condition("against"), -20, 20),
}


def ids(count: int, value: object = None) -> Content:
    return {f"a{number}": {} if value is None else value for number in range(count)}


def names(count: int, value: object) -> Content:
    return {f"A{number}": value for number in range(count)}


def say(count: int) -> list[str]:
    return ["say go"] * count


LISTS: dict[str, tuple[Callable[[int], Content], int]] = {
    "sides": (lambda count: {"sides": [f"Side {number}" for number in range(count)]}, 6),
    "phase": (lambda count: {"phase": [{"name": f"part {number}"} for number in range(count)]}, 12),
    "sheet": (lambda count: {"sheet": names(count, 0)}, 40),
    "pool": (lambda count: {"pool": names(count, {})}, 20),
    "check": (lambda count: {"check": ids(count, {"roll": "1d20"})}, 30),
    "action": (lambda count: {"action": ids(count)}, 40),
    "reaction": (lambda count: {"reaction": ids(count, {"to": "hurt"})}, 12),
    "condition": (lambda count: {"condition": ids(count)}, 30),
    "when": (
        lambda count: {
            "pool": names(12, {}),
            "when": {f"A{number}-zero": say(1) for number in range(count)},
        },
        12,
    ),
    "rules": (lambda count: {"rules": {f"QU-{number:02}": "So." for number in range(count)}}, 60),
    "action.hit.needs": (lambda count: action("needs")(["round >= 1"] * count), 6),
    "action.hit.do": (lambda count: action("do")(say(count)), 12),
    "action.hit.success": (lambda count: action("success", check="hit")(say(count)), 12),
    "action.hit.failure": (lambda count: action("failure", check="hit")(say(count)), 12),
    "condition.prone.do": (lambda count: condition("do")(say(count)), 6),
    "check.hit.degrees": (
        lambda count: {"check": {"hit": {"roll": "1d20", "degrees": ids(count, "success")}}},
        6,
    ),
}


def told(content: Content) -> list[str]:
    whole = {"kit": 1, "id": "quick", "pool": {"HP": {}}, **content}
    return mistakes(json.dumps(whole), "mine.json")


@pytest.mark.parametrize("key", TEXTS)
def test_a_text_is_as_long_as_its_key_allows_and_no_longer(key: str) -> None:
    make, most = TEXTS[key]
    assert told(make("a" * most)) == []
    (said,) = told(make("a" * (most + 1)))
    assert said.startswith(f"{key}: ")
    assert str(most) in said


@pytest.mark.parametrize("key", NUMBERS)
def test_a_number_lies_within_its_key_s_bounds(key: str) -> None:
    make, least, most = NUMBERS[key]
    for number in (least, most):
        assert told(make(number)) == []
    for number in (least - 1, most + 1):
        assert told(make(number)) == [f"{key}: {number} is not a whole number from {least} to {most}."]


@pytest.mark.parametrize("key", LISTS)
def test_a_list_or_table_has_as_many_entries_as_its_key_allows_and_no_more(key: str) -> None:
    make, most = LISTS[key]
    assert told(make(most)) == []
    assert told(make(most + 1)) == [f"{key}: this has {most + 1} entries; it can have {most} at most."]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ({"sheet": {"A" * 24: 0}}, {"sheet": {"A" * 25: 0}}),
        ({"action": {"a" * 24: {}}}, {"action": {"a" * 25: {}}}),
        ({"id": "a" * 24}, {"id": "a" * 25}),
        ({"action": {"go": {"amount": "1-5"}}}, {"action": {"go": {"amount": "5-1"}}}),
        ({"prefix": "QUI"}, {"prefix": "QUIC"}),
        ({"prefix": "QU"}, {"prefix": "Q"}),
    ],
    ids=["a name", "an id", "the kit's id", "a span", "a prefix", "a short prefix"],
)
def test_names_are_as_long_as_the_format_says(right: Content, wrong: Content) -> None:
    assert told({"prefix": "QU", **right}) == []
    assert len(told({"prefix": "QU", **wrong})) == 1
