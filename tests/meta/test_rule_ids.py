from __future__ import annotations

import re

import pytest

from tests.meta.rule_ids import GENERAL, ids_of, rule_files, table, without_test


@pytest.mark.parametrize("system", list(rule_files()))
def test_every_rule_id_has_a_test_that_names_it(system: str) -> None:
    assert without_test()[system] == ()


@pytest.mark.parametrize("system", list(rule_files()))
def test_rule_ids_share_a_prefix_and_are_numbered_without_a_gap(system: str) -> None:
    ids = ids_of(rule_files()[system])
    prefix = ids[0].split("-")[0]
    assert re.fullmatch(r"[A-Z]{1,2}", prefix)
    assert ids == tuple(f"{prefix}-{number:02d}" for number in range(1, len(ids) + 1))


def test_no_two_systems_share_a_prefix() -> None:
    prefixes = [ids_of(path)[0].split("-")[0] for path in rule_files().values()]
    assert len(set(prefixes)) == len(prefixes)


def test_the_table_has_a_line_for_each_system() -> None:
    lines = table()
    assert [line.split()[0] for line in lines] == ["rules", *rule_files()]
    assert next(iter(rule_files())) == GENERAL
