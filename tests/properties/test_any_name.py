"""Whatever somebody types as a name: it is refused, or stays itself, is seen and is found."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from rules.core.typed.letters import is_visible
from rules.core.typed.names import clean_name, find_name, parse_name, unique_name
from rules.core.typed.skeleton import skeleton
from rules.errors import Malformed

TYPED = st.text(max_size=40) | st.text(
    st.sampled_from("Ana B'’`´-–—1 \u3164\u2800\u034f\u200b\u200c\u200d\ufe0f\u0301\u0410\u00a0👩🚀❤کتक्ß@#/,;İ"),
    max_size=40,
)


@given(TYPED)
def test_a_name_that_is_taken_stays_itself_is_seen_and_is_found(text: str) -> None:
    try:
        name = parse_name(text)
    except Malformed:
        return
    assert parse_name(name) == name
    assert is_visible(name)
    assert find_name(name, [name]) == name
    assert find_name(text, [name]) == name


@given(TYPED)
@example("0\u0300,\u094d")
def test_a_display_name_becomes_a_name_and_a_double_another_one(text: str) -> None:
    name = clean_name(text)
    assert parse_name(name) == name
    second = unique_name(name, [name])
    assert parse_name(second) == second
    assert skeleton(second) != skeleton(name)


@given(TYPED)
def test_a_skeleton_is_its_own(text: str) -> None:
    assert skeleton(skeleton(text)) == skeleton(text)
