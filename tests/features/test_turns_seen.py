"""What ends a turn belongs to the turn that its author saw: two at once cost nobody theirs (play 8)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.caller import Caller
from bot.clock import snowflake_at
from rules.core.command import Command
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.errors import Refusal
from tests.features.tables.panel import labelled, labels, opened
from tests.reminders.silence import CHANNEL, SilentTable, gathering
from tests.reminders.stage import Clock
from tests.wire import GUILD, wired

SYSTEMS = ("classic", "tactics", "adventurers", "stones", "beacon", "soulweaver", "zipper", "tick-clock", "side-phases")


@pytest.fixture(autouse=True)
def _edits_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no edit wait for what may come with it, a second of real time for each step."""
    monkeypatch.setattr("bot.posting.prompts.EDIT_AFTER_SECONDS", 0.0)


class TwoAtOnce(SilentTable):
    """A table at which the GM ends each turn of a player at the moment in which its player does."""

    def __init__(self, system: str, how: str) -> None:
        super().__init__(gathering(system), ())
        self.how = how
        self.refused = 0

    def gm(self, number: int, *, saw: int | None = None) -> Caller:
        user = self.users["Gwen"]
        return Caller(
            user=user, name="Gwen", interaction=str(number), channel=CHANNEL, guild="900", can_post=True, saw=saw
        )

    async def second(self, before: Encounter, caller: Caller) -> None:
        """Let the GM end the turn that they saw, after it is over."""
        state = await self.state()
        system = system_of(state)
        new = [who for who in system.turn(state) if who not in system.turn(before)]
        if state.held_up() or not new:
            return
        for command in (Command(action="gm skip", target=new[0]), Command(action="gm next-phase")):
            with pytest.raises(Refusal, match="already over"):
                await self.program.tables.perform(caller, command)
            assert await self.state() == state
            self.refused += 1
        await self.program.tables.perform(caller, Command(action="gm note", target="Ana", args={"text": "is here"}))

    async def perform(self, who: str, command: Command) -> None:
        before, saw = await self.state(), (await self.room()).prompt.wanted
        typed = int(self.discord.new_id())
        await super().perform(who, command)
        if self.how == "typed":
            await self.second(before, self.gm(typed))
        else:
            await self.second(before, self.gm(int(self.discord.new_id()), saw=saw))


@pytest.mark.parametrize(
    ("system", "how"),
    [("classic", "typed"), *((system, ("pressed", "typed")[at % 2]) for at, system in enumerate(SYSTEMS))],
)
async def test_somebody_who_ends_a_turn_that_is_over_ends_no_other(system: str, how: str, tmp_path: Path) -> None:
    async with TwoAtOnce(system, how).open(tmp_path / "twice.sqlite3") as table:
        await table.play(1)
    assert table.refused > 2


async def test_a_timer_that_ends_a_turn_first_leaves_the_next_one_to_its_owner(tmp_path: Path) -> None:
    table = TwoAtOnce("classic", "typed")
    table.silent = ("Ana", "Bo", "Cai", "Dee")
    async with table.open(tmp_path / "late.sqlite3"):
        while not table.found.deadlines[1]:
            before = await table.state()
            if not await table._act(before):
                await table._wait(before)
        state = await table.state()
        late, now = snowflake_at(table.clock.now - 0.5), snowflake_at(table.clock.now + 0.5)
        skip = Command(action="gm skip", target=system_of(state).turn(state)[0])
        with pytest.raises(Refusal, match="already over"):
            await table.program.tables.perform(table.gm(late), skip)
        await table.program.tables.perform(table.gm(now), skip)
        assert await table.state() != state


async def test_two_presses_at_once_end_one_turn(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3", clock=Clock()) as wire:
        await wire.type("Gwen", "/init start")
        for result, name in ((20, "Cat"), (10, "Bat"), (5, "Ant")):
            await wire.type("Gwen", f"/init add name:{name} result:{result}")
        await wire.type("Gwen", "/init next")
        room = await wire.tables.room_of("901", GUILD)
        work = await opened(wire)
        end = labelled(work, next(label for label in labels(work) if label.startswith("Next")))
        async with room.lock:  # both are in the house before either is decided
            presses = [asyncio.create_task(wire.press("Gwen", end)) for _ in range(2)]
            await asyncio.sleep(0.2)
        await asyncio.gather(*presses)
        state = room.encounter
        assert state is not None
        assert system_of(state).turn(state) == ("Bat",)
