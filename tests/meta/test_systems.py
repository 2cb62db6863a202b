"""What every rule system brings with it, so that nothing outside its folder has to know it."""

from __future__ import annotations

import ast
import tomllib
from typing import Any

import pytest

from bot.local.tryit import scripts
from rules.core.registry import every_system
from rules.core.values import Combatant
from tests.meta.rule_ids import ids_of
from tests.meta.sources import ROOT, nodes

FOLDER = ROOT / "rules" / "systems"


def folder_names() -> list[str]:
    return sorted(path.parent.name for path in FOLDER.glob("*/__init__.py"))


def read(system: str, name: str) -> dict[str, Any]:
    path = FOLDER / system / name
    assert path.is_file(), f"Write rules/systems/{system}/{name}, as the guide in rules/README.md says."
    return tomllib.loads(path.read_text("utf-8"))


def test_every_folder_is_a_system_under_its_own_id() -> None:
    assert sorted(every_system()) == folder_names()


@pytest.mark.parametrize("system", folder_names())
def test_every_system_has_its_rules_in_words(system: str) -> None:
    rules = read(system, "rules.toml")
    assert rules
    for rule, words in rules.items():
        assert set(words) == {"title", "text"}, rule
        assert all(isinstance(each, str) and each.strip() for each in words.values()), rule


@pytest.mark.parametrize("system", folder_names())
def test_every_system_has_help_for_players_and_for_the_gm(system: str) -> None:
    written = read(system, "help.toml")
    assert str(written.get("intro", "")).strip()
    assert written.get("player")
    assert written.get("gm")


@pytest.mark.parametrize("system", folder_names())
def test_help_explains_every_action_and_no_other(system: str) -> None:
    assert sorted(read(system, "help.toml").get("actions", {})) == sorted(every_system()[system].actions.by_id)


@pytest.mark.parametrize("system", folder_names())
def test_every_system_can_be_tried(system: str) -> None:
    assert read(system, "tryit.toml")
    found = {script.id: script for script in scripts()}
    typed = [line.text for line in found[system].lines]
    assert any(text.startswith(("/encounter start", "/init start")) for text in typed)
    assert "/encounter begin" in typed


@pytest.mark.parametrize("system", folder_names())
def test_every_system_has_tests_of_its_own(system: str) -> None:
    tests = sorted((ROOT / "tests" / "rules" / system).glob("test_*.py"))
    assert tests, f"Write tests/rules/{system}/test_{system}.py, as the guide in rules/README.md says."
    named = " ".join(path.read_text("utf-8") for path in tests)
    prefix = ids_of(FOLDER / system / "rules.toml")[0].split("-")[0]
    assert f"{prefix}-" in named


@pytest.mark.parametrize("system", folder_names())
def test_every_template_holds_what_the_system_needs(system: str) -> None:
    rules = every_system()[system]
    template = rules.sheet.template()
    sheet = template["sheet"]
    assert isinstance(sheet, dict)
    for owner in ("100", None):
        ana = Combatant(name="Ana", owner=owner)
        assert set(rules.sheet.needed(ana.evolve(kind=rules.sheet.kind(ana)))) <= set(sheet)


@pytest.mark.parametrize("system", folder_names())
def test_the_code_reads_no_key_that_the_table_of_the_sheet_does_not_declare(system: str) -> None:
    sheet = every_system()[system].sheet
    keys = {key for key in keys_read(system, {"number", "word", "words"}) if key.isupper() and sheet.key(key) is None}
    fields = {key for key in keys_read(system, {"field"}) if sheet.field(key) is None}
    assert (keys, fields) == (set(), set())


def keys_read(system: str, methods: set[str]) -> set[str]:
    """Return the literal keys with which the code of a system calls these methods of combatants and abilities."""
    calls = (
        node
        for path in (FOLDER / system).glob("**/*.py")
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in methods
    )
    firsts = (call.args[0] for call in calls if call.args)
    return {each.value for each in firsts if isinstance(each, ast.Constant) and isinstance(each.value, str)}


@pytest.mark.parametrize("system", folder_names())
def test_the_example_of_every_key_is_one_that_its_own_form_takes(system: str) -> None:
    sheet = every_system()[system].sheet
    state = every_system()[system].state_type(id="1", channel="1", system=system, name="Table")
    for field in sheet.every_key:
        assert field.reads
        if field.example is not None:
            assert field.read(field.example, "Ana", state) == field.example
    ana = Combatant(name="Ana", kind=sheet.kinds[0], abilities=sheet.abilities)
    assert [str(fault.refused) for fault in sheet.faults(ana, state)] == []
    assert list(sheet.unread(ana)) == []
