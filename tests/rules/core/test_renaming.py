"""A new name replaces the old one everywhere: in state fields by their types, in questions, orders and answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rules.core.model import Frozen, Name, Names
from rules.core.values import Sealed
from tests.rules.core.turns.asking import each, opened
from tests.rules.table import Game, hangs
from tests.rules.tactics.scene import ability, duel, sheet, trio


class Inner(Frozen):
    who: Name
    note: str = ""


class Outer(Frozen):
    one: Name | None = None
    several: Names = ()
    by_name: Mapping[Name, int] = {}
    inner: tuple[Inner, ...] = ()
    text: str = ""


def test_every_field_that_holds_names_by_its_type_has_the_new_one() -> None:
    before = Outer(one="Bo", several=("Ana", "Bo"), by_name={"Bo": 1, "Ana": 2}, inner=(Inner(who="Bo", note="Bo"),))
    after = before.with_name("Bo", "Bob")
    assert after == Outer(
        one="Bob", several=("Ana", "Bob"), by_name={"Bob": 1, "Ana": 2}, inner=(Inner(who="Bob", note="Bo"),)
    )
    assert list(after.by_name) == ["Bob", "Ana"]  # an order of keys is kept


def test_a_value_without_the_name_is_itself() -> None:
    value = Outer(one="Ana", text="Bo")
    assert value.with_name("Bo", "Bob") is value


@each
def test_one_who_is_asked_answers_under_a_new_name(case: str) -> None:
    game, question, _ = opened(case)
    game.do("Gwen", "gm rename", target=question.who, to="Renard")
    held = game.state.question_to("Renard")
    assert (held.id, held.choices) == (question.id, question.choices)
    game.do("Gwen", "gm answer", target="Renard", choice=question.choices[-1])
    assert hangs(game) is None
    assert question.who not in game.waits_for()


def test_orders_and_sealed_answers_go_with_the_name() -> None:
    game = trio()
    game.do("Bo", "attack", target="Ogre", when="my-turn")
    game.do("Gwen", "gm rename", target="Ogre", to="Krag")
    game.do("Gwen", "gm rename", target="Pip", to="Pippa")
    (order,) = game.state.orders
    assert (order.who, order.command.character, order.command.target, order.targets) == (
        "Pippa", "Pippa", "Krag", ("Krag",),
    )  # fmt: skip
    assert isinstance(Sealed(command=order.command).command.target, str)


@pytest.mark.parametrize("given", [{"to": "Rhea"}, {"to": "rhea"}, {"to": "Pip"}, {"to": "a, b"}])
def test_a_name_that_is_taken_or_none_is_refused(given: Mapping[str, Any]) -> None:
    game: Game = trio()
    game.refused("Gwen", "gm rename", target="Pip", **given)
    game.refused("Bo", "gm rename", target="Pip", to="Pippa")


def test_a_hidden_creature_is_renamed_unseen() -> None:
    game: Game = trio()
    game.do("Gwen", "gm add", name="Wraith", hidden=True, sheet="INT 0, AGI 0, ATK 0, DEF 9, TIER 1, HP 20, SPD 5")
    game.do("Gwen", "gm rename", target="Wraith", to="Shade")
    assert game.lines("Bo") == []
    assert game.state.hidden_named("Shade") is not None


def test_a_question_names_the_one_who_bears_another_name_now_and_leaves_others_alone() -> None:
    game = duel(ogre={"abilities": (ability("Club"),)})
    game.do("Gwen", "gm rename", target="Rhea", to="Rat")
    game.do("Gwen", "gm add", name="Rat 2", sheet=sheet())
    while "Rat" not in game.waits_for():
        game.do("Gwen", "skip", character=game.waits_for()[0])
    game.do("Ana", "move", target="Ogre, Rat 2", amount=1, character="Rat")
    game.do("Gwen", "gm rename", target="Rat", to="Nova")
    assert game.state.question_to("Ogre").words.startswith("Nova leaves ")
    assert "Rat" not in game.state.question_to("Rat 2").words
