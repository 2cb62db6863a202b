"""The words of the system: a rule for each of the ledger's ids, a line for each action."""

from __future__ import annotations

import tomllib
from pathlib import Path

import rules.systems.beacon
from rules.systems.beacon import SYSTEM

FOLDER = Path(rules.systems.beacon.__file__).parent


def test_every_rule_of_the_ledger_has_its_entry() -> None:
    entries = tomllib.loads((FOLDER / "rules.toml").read_text(encoding="utf-8"))
    assert list(entries) == [f"BE-{number:02}" for number in range(1, 27)]
    assert all(entry["title"] and entry["text"] for entry in entries.values())


def test_every_action_has_a_line_of_help() -> None:
    written = tomllib.loads((FOLDER / "help.toml").read_text(encoding="utf-8"))
    assert set(written["actions"]) == set(SYSTEM.actions.by_id)
    assert {"surge_level", "channeling"} <= set(written["facts"])


def test_the_actions_are_those_of_the_ledger() -> None:
    table = """pass-phase plan begin end move defend hide refresh channel stop-channel release mark search volley fight
    grapple shove rush full-attack delay ready drop-ready ability minor free surge react decline grant deny call
    out fight-on order long-rest"""
    assert set(SYSTEM.actions.by_id) == set(table.split())
