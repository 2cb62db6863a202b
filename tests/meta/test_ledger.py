"""`docs/contract/rules` names the code that enforces each rule, and its proof."""

from __future__ import annotations

import pytest

from tests.meta.ledger import enforcers, page_of, provers, written
from tests.meta.rule_ids import GENERAL, ids_of, rule_files


@pytest.mark.parametrize("name", list(rule_files()))
def test_every_rule_is_enforced_by_a_file_and_proven_by_a_test(name: str) -> None:
    ids = ids_of(rule_files()[name])
    assert [rule for rule in ids if not enforcers(rule, name)] == []
    assert [rule for rule in ids if not provers(rule, name)] == []


@pytest.mark.parametrize("name", list(rule_files()))
def test_a_systems_page_is_true(name: str) -> None:
    page = page_of(name)
    text = page.read_text("utf-8") if page.is_file() else ""
    assert text == written(name), "python -m tests.meta.ledger writes it anew"


def test_a_row_that_is_no_longer_true_is_written_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    before = page_of(GENERAL).read_text("utf-8")
    lost = next(line for line in before.splitlines() if line.startswith("| G-11 |"))
    kept = next(line for line in before.splitlines() if line.startswith("| G-02 |"))
    monkeypatch.setattr("tests.meta.ledger.provers", lambda rule, name: () if rule == "G-11" else provers(rule, name))
    after = written(GENERAL)
    assert lost not in after
    assert kept in after


def test_each_rule_file_has_a_page_and_no_page_is_left_over() -> None:
    pages = {path.stem for path in page_of(GENERAL).parent.iterdir()}
    assert pages == {*rule_files()}, "python -m tests.meta.ledger writes them; one of no system can go"
