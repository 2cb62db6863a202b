"""The time of a question that several are asked runs out: that is absence too, and one deadline (play 4, 6)."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.core.command import Command
from rules.core.registry import system_of
from tests.reminders.silence import PLAN
from tests.reminders.stack import WINDOW, Stack


@pytest.mark.parametrize("reacts", [None, "Ana"])
async def test_two_silent_in_one_stack_cost_it_one_deadline_together(reacts: str | None, tmp_path: Path) -> None:
    async with Stack().open(tmp_path / "stack.sqlite3") as table:
        assert await table.attack(reacts) == WINDOW
        state = await table.state()
        assert system_of(state).waits_for(state) == ("Dee",)


async def test_what_else_the_round_asks_them_passes_at_once_and_pings_them_no_more(tmp_path: Path) -> None:
    async with Stack().open(tmp_path / "stack.sqlite3") as table:
        await table.attack()
        pings = dict(table.found.pings)
        await table.perform("Dee", Command(action="minor", character="Dee", note="shove", target="Ogre"))
        await table._note(2)
        assert await table.answered(table.clock.now) == 0
        assert [table.found.pings[(2, name)] - pings[(2, name)] for name in ("Bo", "Cai")] == [0, 0]


async def test_with_then_skip_it_was_their_one_deadline_of_the_round(tmp_path: Path) -> None:
    async with Stack().open(tmp_path / "stack.sqlite3") as table:
        assert PLAN.then == "skip"
        await table.attack()
        await table.pass_turn()
        state = await table.pass_turn()  # Ana's
        assert state.current == "Ogre"
        while state.round == 2:
            state = await table.pass_turn()
        assert (state.current, state.absences["Bo"].rounds) == ("Dee", 1)
        assert not state.is_absent("Bo")


async def test_without_a_skip_their_turn_is_waited_for_and_they_are_back_as_they_act(tmp_path: Path) -> None:
    async with Stack(PLAN.evolve(then="gm")).open(tmp_path / "stack.sqlite3") as table:
        assert await table.attack() == WINDOW
        await table.pass_turn()
        state = await table.pass_turn()
        assert (state.current, system_of(state).waits_for(state)) == ("Bo", ("Bo",))
        assert state.answers_nothing("Bo")
        state = await table.pass_turn()
        assert not state.answers_nothing("Bo")
        assert state.answers_nothing("Cai")


async def test_two_rounds_of_unanswered_questions_ask_the_gm_once(tmp_path: Path) -> None:
    async with Stack().open(tmp_path / "stack.sqlite3") as table:
        await table.attack()
        state = await table.pass_turn()
        while state.current != "Dee":
            state = await table.pass_turn()
        assert await table.attack() == WINDOW
        state = await table.soul()
        assert {name for name, held in state.absences.items() if held.asks} == {"Bo", "Cai"}


async def test_nobodys_time_is_up_while_they_sleep(tmp_path: Path) -> None:
    async with Stack().open(tmp_path / "stack.sqlite3") as table:
        for user in table.users.values():
            await table.program.tables.people.change(user, quiet="10:00-18:00")
        assert await table.attack() == WINDOW + 8  # it is six in the morning
