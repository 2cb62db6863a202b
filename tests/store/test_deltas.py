import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.deltas import WrongDocumentError, apply_delta, make_delta, pack, unpack

DOCUMENTS = st.one_of(st.none(), st.binary(max_size=200), st.binary(max_size=40).map(lambda part: part * 3000))


@given(before=DOCUMENTS, after=DOCUMENTS)
def test_a_delta_leads_from_any_document_to_any_other(before: bytes | None, after: bytes | None) -> None:
    assert apply_delta(make_delta(before, after), after) == before


@settings(max_examples=60)
@given(
    text=st.binary(min_size=1, max_size=120_000), places=st.lists(st.integers(0, 119_999), max_size=6), data=st.data()
)
def test_a_delta_survives_cuts_and_insertions_in_long_documents(
    text: bytes, places: list[int], data: st.DataObject
) -> None:
    after = text
    for place in places:
        cut = data.draw(st.integers(0, 400))
        after = after[:place] + data.draw(st.binary(max_size=400)) + after[place + cut :]
    assert apply_delta(make_delta(text, after), after) == text


def test_a_small_change_costs_little_however_long_the_document() -> None:
    for count in (30, 300):
        document = json.dumps([{"name": f"Goblin {number}", "HP": [number, 20]} for number in range(count)]).encode()
        changed = document.replace(b"[0, 20]", b"[0, 19]").replace(f"[{count - 1}, 20]".encode(), b"[12345, 20]")
        assert len(make_delta(document, changed)) < 20 + 60 + len(document) // 100


def test_a_delta_refuses_another_document_than_its_own() -> None:
    delta = make_delta(b"a state of long ago", b"a state of today")
    with pytest.raises(WrongDocumentError):
        apply_delta(delta, b"a state of tomorrow")


def test_a_damaged_delta_never_leads_to_a_wrong_document() -> None:
    before, after = b"one two three " * 50, b"four five six " * 50
    delta = bytearray(make_delta(before, after))
    for place in range(16, len(delta)):
        damaged = bytes(delta[:place] + bytes([delta[place] ^ 0x55]) + delta[place + 1 :])
        try:
            restored = apply_delta(damaged, after)
        except WrongDocumentError:
            continue
        assert restored == before  # the last byte's filling says nothing


@given(st.text(max_size=2000).map(json.dumps))
def test_a_packed_text_comes_back(text: str) -> None:
    assert unpack(pack(text)) == text


def test_a_long_text_is_stored_smaller_than_it_is() -> None:
    text = json.dumps([{"kind": "pool", "who": "Ayla", "pool": "HP", "now": 3}] * 20)
    packed = pack(text)
    assert isinstance(packed, bytes)
    assert len(packed) < len(text) / 5
