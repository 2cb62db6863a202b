"""Somebody that players do not know, in every system: play.md's *hidden means hidden*, as one table plays it."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.hiding import timeout_action
from rules.core.registry import system_of
from rules.core.views.export import export_view
from rules.core.views.view import offers_for, view_of
from tests.rules.core.lurking import LURKER, SHEETS, go_on, table
from tests.rules.table import Game


def seen(game: Game) -> tuple[Any, ...]:
    """Return all that Ana reads of the table."""
    view = view_of(game.table, game.seat("Ana"))
    assert view is not None
    return view.model_dump(), export_view(game.table, game.seat("Ana")), game.lines("Ana")


@pytest.mark.parametrize("system", sorted(SHEETS))
def test_others_see_the_same_with_and_without_somebody_hidden(system: str) -> None:
    with_it, without = table(system), table(system, lurks=False)
    for _ in range(25):
        assert seen(with_it) == seen(without)
        if not with_it.waits_for():
            break
        go_on(with_it)
        go_on(without)
    assert with_it.state.round > 1 or system == "classic"


@pytest.mark.parametrize("system", sorted(SHEETS))
def test_its_place_comes_once_a_round_and_the_table_goes_on(system: str) -> None:
    game = table(system)
    told = 0
    for _ in range(30):
        if game.waits_for() == () or game.state.round > 3:
            break
        assert LURKER not in game.waits_for()
        told += any(f"{LURKER} can act unseen" in line for line in game.said("Gwen").split("\n"))
        if any(each.acts for each in game.state.hidden):
            assert offers_for(game.table, LURKER, game.seat("Gwen")) != ()
            assert offers_for(game.table, LURKER, game.seat("Ana")) == ()
        go_on(game)
    assert told >= (1 if system == "classic" else 2)


@pytest.mark.parametrize("system", sorted(SHEETS))
def test_with_stop_the_table_waits_until_the_gm_is_done(system: str) -> None:
    game = table(system, "hidden=stop")
    for _ in range(30):
        if game.waits_for() == (LURKER,):
            break
        go_on(game)
    assert game.waits_for() == (LURKER,)
    view = view_of(game.table, game.seat("Ana"))
    assert view is not None
    assert (view.turn, view.hidden_turn) == ((), True)
    assert LURKER not in str(view.model_dump())
    assert all(offers_for(game.table, who, game.seat("Gwen")) == () for who in ("Ox", "Yak"))
    default_answer = timeout_action(game.state, LURKER)  # what a reminder's then:skip does
    assert default_answer is not None
    game.do("Gwen", default_answer.action, character=LURKER)
    assert game.lines("Ana") == [] or LURKER not in game.said("Ana")
    assert LURKER not in game.waits_for()


@pytest.mark.parametrize("system", sorted(SHEETS))
def test_one_who_appears_is_in_the_order_and_can_be_given_the_turn(system: str) -> None:
    game = table(system)
    go_on(game)
    game.do("Gwen", "gm reveal", target=LURKER)
    assert game.state.hidden == ()
    assert f"{LURKER} appears." in game.lines("Ana")
    view = view_of(game.table, game.seat("Ana"))
    assert view is not None
    assert LURKER in view.combatants
    if LURKER not in game.waits_for():  # a player of several may have the turn already
        game.do("Gwen", "gm turn", target=LURKER)
    assert LURKER in game.waits_for()


@pytest.mark.parametrize("system", sorted(SHEETS))
def test_what_befalls_it_is_opaque_and_changes_nothing_for_others(system: str) -> None:
    game = table(system)
    before = seen(game)[:2]
    health = system_of(game.state).health
    deeds: list[tuple[str, dict[str, Any]]] = [
        ("gm set", {"pool": health, "value": "7/9"}),
        ("gm damage", {"amount": "1d4"}),
        ("gm heal", {"amount": "1"}),
        ("condition add", {"name": "Burn", "duration": "2"}),
        ("gm note", {"text": "soon"}),
    ]
    for action, given in deeds:
        decision = game.do("Gwen", action, target=LURKER, **given)
        assert decision.opaque
        assert seen(game) == (*before, [])


@pytest.mark.parametrize("system", sorted(SHEETS))
@pytest.mark.parametrize("ticks", ["source-start", "source-end"])
def test_what_a_known_source_put_on_it_ends_in_time_and_nobody_is_told(system: str, ticks: str) -> None:
    with_it, without = table(system), table(system, lurks=False)
    for name, save in (("Held", None), ("Bound", "1d6>=7"), ("Shaky", "1d6>=1")):
        given: dict[str, Any] = {"name": name, "ticks": ticks, "source": "Ox"} | (
            {"duration": "2"} if save is None else {"save": save}
        )
        with_it.do("Gwen", "condition add", target=LURKER, **given)
        without.do("Gwen", "gm note", target="Ox", text="nobody is here")
    ended = ""
    for _ in range(60):
        assert seen(with_it) == seen(without)
        if {held.name for held in with_it.state.hidden[0].combatant.conditions} == {"Bound"}:
            break
        go_on(with_it)
        go_on(without)
        ended += with_it.said("Gwen")
    else:
        pytest.fail(f"what hangs on its source's turn never ends: {with_it.state.hidden[0].combatant.conditions}")
    assert all(f"{name} on {LURKER}" in ended for name in ("Held", "Shaky"))


@pytest.mark.parametrize("show", ["all", "gm", "blind"])
def test_what_the_gm_asks_of_a_hidden_one_leaves_no_trace(show: str) -> None:
    game, bare = table("classic"), table("classic", lurks=False)
    before = seen(game)[:2]
    done = game.do("Gwen", "gm ask", who=LURKER, rolls="1d20", at_least=10, show=show)
    assert done.opaque
    assert seen(game)[:2] == before
    assert game.lines("Ana") == []
    assert game.state.asks == ()
    assert game.state.next_question == bare.state.next_question
    assert f"{LURKER} rolls" in game.said("Gwen")
    assert "success" in game.said("Gwen") or "failure" in game.said("Gwen")


def test_a_hidden_one_that_is_asked_with_others_rolls_at_once_and_nobody_waits_for_it() -> None:
    game = table("classic")
    game.do("Gwen", "gm ask", who=f"Ox, {LURKER}", rolls="1d20", dice=[(20, 7)])
    assert [each.who for each in game.state.asks] == [("Ox",)]
    assert LURKER not in game.said("Ana")
    assert f"{LURKER} rolls: 1d20 (**7**)".replace("**", "") in game.said("Gwen")
    game.do("Gwen", "ask-roll", dice=[(20, 3)])
    assert game.state.asks == ()
