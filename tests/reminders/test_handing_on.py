"""Who goes away, or comes back, hands on what waits for them: others are called at once, at every table."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.caller import Caller
from bot.waiting.addressees import Addressees
from bot.waiting.waits import ReminderPlan
from rules.core.command import Command
from rules.core.encounter import Absence
from rules.core.registry import system_of
from rules.core.turns.decisions import turns
from tests.reminders.campaign import HOUR
from tests.reminders.silence import CHANNEL, FOES, SilentTable, gathering

PLAN = ReminderPlan(after=8 * HOUR, every=12 * HOUR, times=2, then="gm")
ELSEWHERE = "100000000000000002"


class Watch(SilentTable):
    """A table of classic at which it is Ana's turn, and nobody has been pinged since."""

    async def settle(self) -> None:
        await self.program.scheduler.fire_due()
        await self.program.settle()

    def pinged(self) -> list[str]:
        """Return who was pinged since one last asked."""
        names = {user: name for name, user in self.users.items()}
        pings = [names[user] for _, user, _ in self.discord.pings]
        self.discord.pings.clear()
        return pings

    def at(self, who: str, channel: str) -> Caller:
        return replace(self.caller(who), channel=channel)

    @property
    def last(self) -> str:
        """Return the first line of what the channel was told last."""
        return str(self.discord.messages[CHANNEL][-1]["content"]).splitlines()[0]


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Watch]:
    async with Watch(gathering("classic"), (), PLAN).open(tmp_path / "watch.sqlite3") as table:
        await table.perform("Gwen", Command(action="gm turn", target="Ogre"))
        await table.perform("Gwen", Command(action="gm turn", target="Ana"))
        await table.settle()
        table.pinged()
        table.clock.now += HOUR
        yield table


@pytest.mark.parametrize("is_loaded", [True, False])
@pytest.mark.parametrize("stand_in", [None, "Bo"])
async def test_one_who_goes_away_elsewhere_lets_the_others_be_called_at_a_table_that_waits_for_them(
    stand_in: str | None, is_loaded: bool, table: Watch
) -> None:
    if not is_loaded:
        table.program.tables.forget(CHANNEL)
    named = None if stand_in is None else (table.users[stand_in], stand_in)
    await table.program.reminders.away(table.at("Ana", ELSEWHERE), None, named)
    await table.settle()
    assert table.pinged() == [stand_in or "Gwen"]
    assert "still" not in table.last  # they were not called before
    assert ":R>" not in table.last  # it has only just become theirs


@pytest.mark.parametrize("is_loaded", [True, False])
async def test_one_who_comes_back_early_is_called_at_each_table_but_the_one_where_they_say_so(
    is_loaded: bool, table: Watch
) -> None:
    for place, pinged in ((ELSEWHERE, ["Ana"]), (CHANNEL, [])):
        await table.program.reminders.away(table.at("Ana", ELSEWHERE), "5d", None)
        await table.settle()
        assert table.pinged() == ["Gwen"]
        table.clock.now += HOUR
        if not is_loaded:
            table.program.tables.forget(CHANNEL)
        await table.program.reminders.back(table.at("Ana", place))
        await table.settle()
        assert table.pinged() == pinged
        table.clock.now += 1
    table.clock.now += 8 * HOUR - 1
    await table.settle()
    assert table.pinged() == ["Ana"]  # the plan counts from when they were back


async def test_a_stand_in_who_goes_away_too_hands_it_on_to_the_gm(table: Watch) -> None:
    await table.program.reminders.away(table.at("Ana", ELSEWHERE), None, (table.users["Bo"], "Bo"))
    await table.settle()
    assert table.pinged() == ["Bo"]
    table.clock.now += HOUR
    await table.program.reminders.away(table.at("Bo", ELSEWHERE), None, None)
    await table.settle()
    assert table.pinged() == ["Gwen"]


async def test_a_stand_in_who_goes_away_at_the_moment_of_the_call_hands_it_on_to_the_gm(table: Watch) -> None:
    await table.program.reminders.away(table.at("Ana", ELSEWHERE), None, (table.users["Bo"], "Bo"))
    await table.perform("Gwen", Command(action="gm turn", target="Ogre"))
    await table.settle()
    table.pinged()
    table.clock.now += HOUR
    await table.perform("Gwen", Command(action="gm turn", target="Ana"))
    await table.settle()
    assert table.pinged() == ["Bo"]
    await table.program.reminders.away(table.at("Bo", ELSEWHERE), None, None)
    await table.settle()
    assert table.pinged() == ["Gwen"]


async def test_settings_that_change_later_in_another_process_call_nobody_again(table: Watch) -> None:
    await table.program.reminders.away(table.at("Ana", ELSEWHERE), "5d", None)
    await table.program.reminders.back(table.at("Ana", CHANNEL))
    table.clock.now += HOUR
    await table.perform("Gwen", Command(action="gm turn", target="Ogre"))
    await table.perform("Gwen", Command(action="gm turn", target="Ana"))
    await table.settle()
    table.pinged()
    table.clock.now += HOUR
    await table.program.reminders.hand_on(table.users["Ana"])  # as a process does that hears of her new time zone
    await table.settle()
    assert table.pinged() == []


async def test_a_table_without_reminders_still_calls_whoever_is_asked_now(table: Watch) -> None:
    await table.program.reminders.off(table.at("Gwen", CHANNEL))
    await table.perform("Gwen", Command(action="gm turn", target="Ogre"))
    await table.perform("Gwen", Command(action="gm turn", target="Ana"))
    await table.settle()
    table.pinged()
    table.clock.now += HOUR
    await table.program.reminders.away(table.at("Ana", ELSEWHERE), None, (table.users["Bo"], "Bo"))
    await table.settle()
    assert table.pinged() == ["Bo"]


async def second_gm(table: Watch) -> None:
    await table.perform("Gwen", Command(action="encounter gm", args={"user": table.users["Dee"], "user_name": "Dee"}))


async def test_a_gm_who_goes_away_hands_on_whether_to_go_on_without_somebody(table: Watch) -> None:
    await second_gm(table)
    state, room = await table.state(), await table.room()
    asks = {"Ana": Absence(round=state.round, rounds=2, asks=True)}
    room.table = room.table.evolve(encounter=state.evolve(absences=asks))
    await table.perform("Gwen", Command(action="gm turn", target="Bo"))
    await table.settle()
    table.pinged()
    table.clock.now += HOUR
    await table.program.reminders.away(table.at("Gwen", ELSEWHERE), None, None)
    await table.settle()
    assert table.pinged() == ["Dee"]


async def test_a_gm_who_is_back_while_the_other_sleeps_is_called_then(table: Watch) -> None:
    await second_gm(table)
    await table.program.reminders.away(table.at("Dee", ELSEWHERE), "2h", None)
    await table.program.tables.people.change(table.users["Gwen"], quiet="06:00-20:00")
    await table.perform("Ana", Command(action="next"))
    while (turn := turns(await table.state())) and turn[0] not in FOES:
        await table.perform(turn[0], Command(action="next"))
    await table.settle()
    table.pinged()
    table.clock.now += HOUR
    await table.settle()
    assert table.pinged() == []
    table.clock.now += HOUR
    await table.settle()
    assert table.pinged() == ["Dee"]


@pytest.fixture
async def skirmish(tmp_path: Path) -> AsyncIterator[Watch]:
    """Return a table of beacon at which the players' phase is to open as the last of them plans."""
    async with Watch(gathering("beacon"), (), PLAN).open(tmp_path / "skirmish.sqlite3") as table:
        for name in ("Ana", "Bo", "Cai"):
            await table.perform(name, Command(action="plan", character=name, note="skirmish"))
        await table.settle()
        table.clock.now += HOUR
        yield table


async def after_anas_turn(table: Watch, meanwhile: Callable[[], Awaitable[object]]) -> list[str]:
    """Open the phase, let Ana have her turn and then the Ogre, and something else happen during its turn.

    Return who is pinged as the players' turns come back.
    """
    await table.perform("Dee", Command(action="plan", character="Dee", note="skirmish"))
    for action in ("begin", "end"):
        await table.perform("Ana", Command(action=action, character="Ana"))
    await table.settle()
    await meanwhile()
    await table.settle()
    table.pinged()
    await table.perform("Gwen", Command(action="end", character="Ogre"))
    await table.settle()
    assert "Cai" in system_of(state := await table.state()).waits_for(state)
    return table.pinged()


async def test_a_turn_in_any_order_that_rested_calls_its_player_who_is_back_since(skirmish: Watch) -> None:
    await skirmish.program.reminders.away(skirmish.at("Cai", ELSEWHERE), "5d", (skirmish.users["Ana"], "Ana"))

    async def back() -> None:
        skirmish.clock.now += HOUR
        await skirmish.program.reminders.back(skirmish.at("Cai", ELSEWHERE))

    assert await after_anas_turn(skirmish, back) == ["Cai"]


async def test_a_turn_in_any_order_that_rested_calls_who_slept_until_then(skirmish: Watch) -> None:
    until = f"{(skirmish.clock.now + HOUR) % (24 * HOUR) // HOUR:02.0f}:00"
    await skirmish.program.tables.people.change(skirmish.users["Cai"], quiet=f"05:00-{until}")

    async def sleep() -> None:
        skirmish.clock.now += 2 * HOUR

    assert await after_anas_turn(skirmish, sleep) == ["Cai"]


async def test_a_turn_in_any_order_that_rested_calls_nobody_who_knows_of_it(skirmish: Watch) -> None:
    async def nothing() -> None:
        skirmish.clock.now += HOUR

    assert await after_anas_turn(skirmish, nothing) == []


async def test_the_prompt_names_no_stand_in_who_is_away_too(table: Watch) -> None:
    await table.program.reminders.away(table.at("Ana", CHANNEL), None, (table.users["Bo"], "Bo"))
    room = await table.room()
    state = await table.state()
    seats = Addressees(table.program.tables.people, state, "900", room.waits)
    assert seats.stood_in(["Ana"]) == {"Ana": "Bo"}
    await table.program.reminders.away(table.at("Bo", CHANNEL), None, None)
    assert seats.stood_in(["Ana"]) == {}


async def test_a_stand_in_whose_holiday_ends_is_called_then(table: Watch) -> None:
    await table.program.reminders.away(table.at("Bo", ELSEWHERE), "3h", None)
    await table.program.reminders.away(table.at("Ana", ELSEWHERE), None, (table.users["Bo"], "Bo"))
    await table.settle()
    assert table.pinged() == ["Gwen"]
    table.clock.now += 3 * HOUR
    await table.settle()
    assert table.pinged() == ["Bo"]


@pytest.mark.parametrize("is_loaded", [True, False])
async def test_a_gm_who_goes_away_hands_their_creatures_on_to_another(is_loaded: bool, table: Watch) -> None:
    await second_gm(table)
    await table.perform("Gwen", Command(action="gm turn", target="Ogre"))
    await table.settle()
    table.pinged()
    table.clock.now += HOUR
    if not is_loaded:
        table.program.tables.forget(CHANNEL)
    await table.program.reminders.away(table.at("Gwen", ELSEWHERE), "5h", None)
    await table.settle()
    assert table.pinged() == ["Dee"]
    table.clock.now += 5 * HOUR
    await table.settle()
    assert table.pinged() == []  # it is still with Dee, too


async def test_a_gm_who_goes_away_alone_is_not_called_before_they_are_back(table: Watch) -> None:
    await table.perform("Gwen", Command(action="gm turn", target="Ogre"))
    await table.settle()
    table.pinged()
    table.clock.now += HOUR
    await table.program.reminders.away(table.at("Gwen", ELSEWHERE), "5h", None)
    await table.settle()
    assert table.pinged() == []


@pytest.mark.parametrize("is_early", [True, False])
@pytest.mark.parametrize("is_loaded", [True, False])
async def test_of_two_gms_who_are_away_the_first_to_be_back_is_called_then(
    is_loaded: bool, is_early: bool, table: Watch
) -> None:
    await second_gm(table)
    await table.program.reminders.away(table.at("Dee", ELSEWHERE), "5h", None)
    await table.perform("Gwen", Command(action="gm turn", target="Ogre"))
    await table.program.reminders.away(table.at("Gwen", ELSEWHERE), None, None)
    await table.settle()
    table.pinged()
    table.clock.now += HOUR if is_early else 5 * HOUR
    if not is_loaded:
        table.program.tables.forget(CHANNEL)
    if is_early:
        await table.program.reminders.back(table.at("Dee", ELSEWHERE))
    await table.settle()
    assert table.pinged() == ["Dee"]


@pytest.mark.parametrize("is_loaded", [True, False])
async def test_a_gm_who_is_back_early_is_called_for_what_came_while_they_were_away(
    is_loaded: bool, table: Watch
) -> None:
    await table.program.reminders.away(table.at("Gwen", ELSEWHERE), "5d", None)
    await table.perform("Gwen", Command(action="gm turn", target="Ogre"))
    await table.settle()
    assert "Gwen" not in table.pinged()
    table.clock.now += HOUR
    if not is_loaded:
        table.program.tables.forget(CHANNEL)
    await table.program.reminders.back(table.at("Gwen", ELSEWHERE))
    await table.settle()
    assert table.pinged() == ["Gwen"]
