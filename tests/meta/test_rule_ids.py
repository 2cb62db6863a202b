from __future__ import annotations

import ast
import re

import pytest

from tests.meta.rule_ids import ids_of, rule_files
from tests.meta.rule_proofs import asserted, compared, refusing, without_test
from tests.meta.sources import ROOT


@pytest.mark.parametrize("system", list(rule_files()))
def test_every_rule_id_is_proven_by_what_was_compared_or_asserted(system: str) -> None:
    assert without_test()[system] == ()


def test_a_docstring_is_no_proof_of_a_rule_that_refuses() -> None:
    named = ast.parse('def test_it():\n    """Rule: ST-09."""\n    assert act() is None\n')
    assert list(compared(named)) == []
    assert list(asserted(named)) == ["ST-09"], "of what refuses nothing it is one, where something is asserted"
    assert list(asserted(ast.parse('def test_it():\n    """Rule: ST-09."""\n    act()\n'))) == []
    for proof in (
        'game.refused("Ana", "move", rule="ST-09")',
        'assert refusal.rule == "ST-09"',
        'with pytest.raises(Refusal, match="ST-09"): act()',
        'for action, rule in (("move", "ST-09"),): game.refused("Ana", action, rule=rule)',
    ):
        assert list(dict.fromkeys(compared(ast.parse(proof)))) == ["ST-09"], proof
    assert list(compared(ast.parse('assert find_rules("ST-09", "stones")[0].id == "ST-09"'))) == []
    assert list(compared(ast.parse('game.do("Ana", "move")  # ST-09'))) == []


def test_what_the_code_refuses_by_is_known() -> None:
    refuses = refusing(ROOT / "rules")
    assert {"ST-09", "CL-03", "AD-11", "BE-21", "SW-12", "TA-08", "G-04"} <= refuses
    assert not {"ST-02", "CL-02", "TA-17"} & refuses


@pytest.mark.parametrize("system", list(rule_files()))
def test_rule_ids_share_a_prefix_and_are_numbered_without_a_gap(system: str) -> None:
    ids = ids_of(rule_files()[system])
    prefix = ids[0].split("-")[0]
    assert re.fullmatch(r"[A-Z]{1,2}", prefix)
    assert ids == tuple(f"{prefix}-{number:02d}" for number in range(1, len(ids) + 1))


def test_no_two_systems_share_a_prefix() -> None:
    prefixes = [ids_of(path)[0].split("-")[0] for path in rule_files().values()]
    assert len(set(prefixes)) == len(prefixes)
