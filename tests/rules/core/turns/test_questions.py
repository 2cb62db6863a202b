"""Whatever befalls those who are asked, a question is answered, closes, or moves: in every system, nothing hangs."""

from __future__ import annotations

import pytest

from rules.core.command import Command
from rules.core.registry import system_of, systems
from rules.core.values import Question
from tests.rules.core.turns.asking import (
    OPEN,
    each,
    opened,
    opportunity,
)
from tests.rules.table import Game, hangs


def test_every_system_that_asks_is_tried_here() -> None:
    asking = {key for key, system in systems().items() if any(action.answer for action in system.actions.all)}
    # stones asks the GM alone, beside the game: tests/rules/stones/test_by_hand.py
    assert asking - {"stones"} == {case.split("-")[0] for case in OPEN}


def is_open(game: Game, question: Question) -> bool:
    return any(held.id == question.id and not held.answered for held in game.state.questions)


@each
def test_one_who_is_asked_may_answer_and_the_others_wait(case: str) -> None:
    game, question, _ = opened(case)
    assert set(question.choices) & set(game.legal(question.who))
    system = system_of(game.state)
    for who in game.state.names:
        asked = {choice for held in game.state.questions if held.who == who for choice in held.choices}
        for action in system.actions.all:
            if action.answer and not action.unasked and action.id not in asked:
                game.refused("Gwen", action.id, character=who)


@each
@pytest.mark.parametrize("whom", ["asked", "cause"])
def test_a_question_closes_with_the_one_who_leaves(case: str, whom: str) -> None:
    game, question, cause = opened(case)
    who = question.who if whom == "asked" else cause
    game.do("Gwen", "gm remove", target=who)
    assert hangs(game) is None
    assert not any(held.who == who for held in game.state.questions)
    assert f'"{who}"' not in game.state.model_dump_json(exclude={"people", "orders", "leavers"})


@each
def test_a_question_closes_with_the_one_who_falls(case: str) -> None:
    game, question, _ = opened(case)
    if case == "tactics":
        game.do("Gwen", "gm damage", target=question.who, amount="99")
    else:
        game.do("Gwen", "condition add", target=question.who, name="Dead")
    assert not is_open(game, question)
    assert hangs(game) is None


@each
def test_a_question_goes_over_to_a_new_owner_as_a_new_one(case: str) -> None:
    game, question, _ = opened(case)
    owner = "gm" if game.state.combatant(question.who).owner is not None else "Ana"
    game.do("Gwen", "gm set", target=question.who, pool="owner", value=owner)
    after = game.state.question_to(question.who)
    assert (after.words, after.choices, after.window) == (question.words, question.choices, question.window)
    assert after.id != question.id
    assert set(after.choices) & set(game.legal(question.who))


@each
@pytest.mark.parametrize("way", ["skip", "answer"])
def test_the_gm_answers_for_the_one_who_does_not(case: str, way: str) -> None:
    game, question, _ = opened(case)
    if way == "answer":
        game.do("Gwen", "gm answer", target=question.who, choice=question.choices[-1])
    elif case == "adventurers-death":  # a life is nobody's to skip
        assert "/gm answer" in str(game.refused("Gwen", "gm skip", target=question.who))
        return
    else:
        game.do("Gwen", "gm skip", target=question.who)
    assert not is_open(game, question)
    assert hangs(game) is None


@each
def test_an_answer_that_is_undone_is_given_again(case: str) -> None:
    game, question, _ = opened(case)
    before = game.table
    game.do("Gwen", "gm answer", target=question.who, choice=question.choices[-1])
    game.table = before
    assert is_open(game, question)
    game.do("Gwen", "gm answer", target=question.who, choice=question.choices[-1])
    assert hangs(game) is None


def test_those_that_one_event_asks_pass_under_seal_until_all_have_answered() -> None:
    game = opportunity()
    game.do("Gwen", "let-go", character="Goblin")
    assert game.lines("Ana") == []
    assert [held.answered for held in game.state.questions] == [False, True]
    game.do("Gwen", "let-go", character="Ogre")
    assert game.state.questions == ()
    assert "Ogre, Goblin do not react." in game.lines("Ana")


def test_the_mildest_answer_is_the_one_that_is_marked_so() -> None:
    default_answer = {
        case: system_of(game.state).timeout_action(game.state, who) for case, (game, who) in _asked().items()
    }
    assert default_answer == {
        "tactics": Command(action="let-go", character="Ogre"),
        "adventurers-hit": Command(action="take", character="Ogre"),
        "adventurers-request": Command(action="pass", character="Pip"),
        "classic": Command(action="wait-on", character="Ana"),
        "adventurers-death": Command(action="death-check", character="Rhea"),  # Willpower can pay for the worst
        "beacon": Command(action="decline", character="Rhea"),
        "soulweaver": Command(action="decline", character="Cai"),
    }


def _asked() -> dict[str, tuple[Game, str]]:
    return {case: (start(), who) for case, (start, who, _) in OPEN.items()}
