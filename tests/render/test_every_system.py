"""What holds for the messages of every system that there is, and the examples in this area's docstrings."""

from __future__ import annotations

import doctest
import importlib

import pytest

from bot.render.components import SECONDARY, SUCCESS
from bot.render.lists import init_list, options_list
from bot.render.prompt import gathering_card
from bot.render.prompt_buttons import answer_style
from rules.core.registry import systems
from rules.core.values import Seat
from rules.core.views.rules_seen import rules_seen
from rules.core.views.view import view_of
from tests.render.worst import assert_sendable, texts_of
from tests.rules.table import Game


@pytest.mark.parametrize("system", sorted(systems()))
@pytest.mark.parametrize("plain", ["on", "off"])
def test_a_gathering_encounter_can_be_shown(system: str, plain: str) -> None:
    game = Game(system, options=f"plain={plain}")
    view = view_of(game.table, Seat())
    assert view is not None
    for payload in (gathering_card(view), options_list(view, systems()[system].options), init_list(view)):
        assert_sendable(payload)
        assert bool(payload.embeds) == (plain == "off")
    assert systems()[system].title in "\n".join(texts_of(gathering_card(view)))


@pytest.mark.parametrize("module", ["figures", "phone", "pictures.letters", "marks", "pictures.canvas"])
def test_the_examples_in_docstrings_run(module: str) -> None:
    done = doctest.testmod(importlib.import_module(f"bot.render.{module}"))
    assert done.attempted > 0
    assert done.failed == 0


@pytest.mark.parametrize(
    ("system", "least", "other"),
    [("adventurers", "take", "evade"), ("tactics", "let-go", "opportunity"), ("beacon", "decline", "react")],
)
def test_the_answer_that_does_the_least_is_grey_as_the_rules_say(system: str, least: str, other: str) -> None:
    rules = rules_seen(systems()[system])
    assert answer_style(rules, least) == SECONDARY
    assert answer_style(rules, other) == SUCCESS
